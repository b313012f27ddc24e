//! Account enumeration at the office login: neither response, nor time, nor written rows reveal who
//! works here. `FAULT_LOGINS` says how many logins are timed.

use std::time::Instant;

use chrono::Duration;
use platform::secret::random_bytes;
use serde_json::json;

use super::{STAFF, office};
use crate::harness::{TestApp, address, size};
use crate::timing::{FULL, welch};

/// Tries one wrong password and returns the milliseconds it took.
async fn time(test: &TestApp, name: &str, from: usize) -> f64 {
    let body = json!({ "username": name, "password": "not this one", "code": "000000" });
    let request = axum::http::Request::builder()
        .method("POST")
        .uri("/office/api/session/login")
        .header("x-office-page", "1")
        .header("x-forwarded-for", address(from).to_string())
        .header("content-type", "application/json")
        .body(axum::body::Body::from(body.to_string()))
        .unwrap();
    let began = Instant::now();
    let answer = test.send_office(request).await;
    let took = began.elapsed();
    answer.assert_refused(400, "staff.login_refused");
    took.as_secs_f64() * 1_000.0
}

#[tokio::test]
async fn names_that_exist_and_names_that_do_not_are_refused_equally_fast() {
    let test = TestApp::behind_a_proxy().await;
    staff::create_demo_staff(&test.app.staff, STAFF).await.unwrap();
    let mut names: Vec<(usize, String)> = STAFF
        .iter()
        .flat_map(|person| [(0, person.username.to_owned()), (1, format!("x{}", person.username))])
        .collect();
    let logins = size("FAULT_LOGINS", 40);
    let mut samples = [Vec::new(), Vec::new()];
    let mut sent = 0;
    while sent < logins {
        // A new day resets all limits.
        test.advance(Duration::hours(25));
        time(&test, "warming", sent).await;
        for end in (1..names.len()).rev() {
            names.swap(end, usize::from(u16::from_be_bytes(random_bytes())) % (end + 1));
        }
        for (kind, name) in &names {
            samples[*kind].push(time(&test, name, sent).await);
            sent += 1;
        }
    }
    let t = welch(&samples);
    // A small sample, run beside other tests, checks only the responses; it is too small to compare
    // times.
    assert!(logins < FULL || t.abs() < 3.0, "Welch's t is {t:.2}");
}

/// Counts every row written to the audit log, even if it is rolled back: sequences are not
/// transactional.
const COUNTER: &str = "
    create sequence written;
    create function note() returns trigger language plpgsql security definer as
        $$ begin perform nextval('written'); return new; end $$;
    create trigger note before insert on staff_trail for each row execute function note();
    create trigger note before update on staff_trail_head for each row execute function note();";

#[tokio::test]
async fn names_that_nobody_has_cost_the_database_as_much() {
    let test = office().await;
    test.change(COUNTER).await;
    let mut costs = Vec::new();
    for name in ["admin", "nobody", "cashier", "stranger"] {
        time(&test, name, 1).await;
        let sql = "select last_value from written";
        let written: i64 = sqlx::query_scalar(sql).fetch_one(&test.owner).await.unwrap();
        costs.push(written);
        test.change("alter sequence written restart").await;
    }
    assert_eq!(costs, [2, 2, 2, 2]);
}

#[tokio::test]
async fn a_name_that_nobody_has_leaves_nothing_in_the_trail() {
    let test = office().await;
    let rows = staff::check_audit_log(&test.app.staff).await.unwrap().rows;
    time(&test, "nobody", 1).await;
    assert_eq!(staff::check_audit_log(&test.app.staff).await.unwrap().rows, rows);
    time(&test, "admin", 1).await;
    assert_eq!(staff::check_audit_log(&test.app.staff).await.unwrap().rows, rows + 1);
}
