//! Timing attacks: logins with existing and unknown names are refused in the same time, and code
//! requests for known and unknown numbers are answered in the same time. `FAULT_LOGINS` says how
//! many requests are timed; the time is from the request's arrival at the server to its response.

use std::time::Instant;

use axum::http::Method;
use chrono::Duration;
use platform::secret::random_bytes;
use serde_json::{Value, json};

use crate::harness::{TestApp, address, size};

const LOGIN: &str = "/wps/session/login";
/// Names of each kind.
const NAMES: usize = 16;
/// From this size on, the machine's noise affects both kinds alike.
pub const FULL: usize = 2_000;

/// Tries one wrong password and returns the milliseconds it took.
async fn time(test: &TestApp, name: &str, from: usize) -> f64 {
    let client = test.visitor().at(address(from));
    let login = json!({
        "type": "username", "username": name, "password": "not this one",
        "human": client.proof().await,
    });
    let sealed: Value = client.seal(&Method::POST, LOGIN, &login).await;
    let began = Instant::now();
    let answer = client.send_sealed(Method::POST, LOGIN, &sealed).await;
    let took = began.elapsed();
    answer.assert_refused(400, "session.wrong_credentials");
    took.as_secs_f64() * 1_000.0
}

fn shuffle(names: &mut [(usize, String)]) {
    for end in (1..names.len()).rev() {
        let chosen = usize::from(u16::from_be_bytes(random_bytes())) % (end + 1);
        names.swap(end, chosen);
    }
}

/// Mean, variance of the mean, and count.
fn moments(times: &[f64]) -> (f64, f64, f64) {
    let count = f64::from(u32::try_from(times.len()).unwrap());
    let mean = times.iter().sum::<f64>() / count;
    let variance = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, variance / count, count)
}

/// Welch's t of two samples, without the slowest twentieth of both together, which is noise of the
/// machine.
pub fn welch(samples: &[Vec<f64>; 2]) -> f64 {
    let mut all: Vec<f64> = samples.concat();
    all.sort_by(f64::total_cmp);
    let longest = all[all.len() * 19 / 20];
    let kept = samples.each_ref().map(|times| {
        moments(&times.iter().copied().filter(|time| *time <= longest).collect::<Vec<_>>())
    });
    let [(known, known_error, known_count), (unknown, unknown_error, unknown_count)] = kept;
    let t = (known - unknown) / (known_error + unknown_error).sqrt();
    println!(
        "  known names: {known:.4} ms in {known_count}, unknown names: {unknown:.4} ms in \
         {unknown_count}, standard error {:.4} ms, Welch's t {t:.2}",
        (known_error + unknown_error).sqrt(),
    );
    t
}

#[tokio::test]
async fn known_and_unknown_names_are_refused_equally_fast() {
    let test = TestApp::behind_a_proxy().await;
    let mut names = Vec::new();
    for number in 0..NAMES {
        let name = format!("known{number:03}x");
        test.member(&name).await;
        names.extend([(0, name), (1, format!("other{number:03}x"))]);
    }
    let logins = size("FAULT_LOGINS", 64);
    let mut samples = [Vec::new(), Vec::new()];
    let mut sent = 0;
    while sent < logins {
        // A new day resets all limits. The first login of a day costs more and is not counted.
        test.advance(Duration::hours(25));
        time(&test, "warming", sent).await;
        shuffle(&mut names);
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

/// Requests a code to a number and returns the milliseconds it took.
async fn time_code(test: &TestApp, number: &str, from: usize) -> f64 {
    let client = test.phone().at(address(from));
    let body = json!({
        "countryDialingCode": "63", "mobileNum": number, "human": client.proof().await,
    });
    let began = Instant::now();
    let answer = client.post("/wps/verification/sms/noLogin", &body).await;
    let took = began.elapsed();
    answer.value();
    took.as_secs_f64() * 1_000.0
}

/// Numbers in different blocks, half of them of members.
async fn numbers(test: &TestApp, from: usize) -> Vec<(usize, String)> {
    let national = |number: usize| format!("9{:09}", 200_000_000 + number * 10_007 % 99_999_999);
    let numbers: Vec<_> = (from..from + NAMES * 2).map(|n| (n % 2, national(n))).collect();
    let known: Vec<_> = numbers.iter().filter(|(kind, _)| *kind == 0).collect();
    let known: Vec<_> = known.iter().map(|(_, number)| format!("+63{number}")).collect();
    sqlx::query(
        "insert into members_mobiles (merchant_id, mobile, member_id, verified)
         select merchant_id, unnest($1::text[]), member_id, true from members_profiles",
    )
    .bind(known)
    .execute(&test.owner)
    .await
    .unwrap();
    numbers
}

#[tokio::test]
async fn known_and_unknown_numbers_are_answered_equally_fast() {
    let test = TestApp::behind_a_proxy().await;
    test.switch("MOBILEVERCODELOGIN3", true).await;
    test.member("maria").await;
    let requests = size("FAULT_LOGINS", 32);
    let mut samples = [Vec::new(), Vec::new()];
    let mut sent = 0;
    while sent < requests {
        test.advance(Duration::hours(25));
        let mut numbers = numbers(&test, sent).await;
        shuffle(&mut numbers);
        for (kind, number) in &numbers {
            samples[*kind].push(time_code(&test, number, sent).await);
            sent += 1;
        }
    }
    let written: i64 = sqlx::query_scalar("select count(*) from platform_messages")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(usize::try_from(written).unwrap(), samples[0].len());
    let t = welch(&samples);
    // A small sample, run beside other tests, checks only the responses; it is too small to compare
    // times.
    assert!(requests < FULL || t.abs() < 3.0, "Welch's t is {t:.2}");
}

#[test]
fn a_difference_shows() {
    let times = |extra: f64| -> Vec<f64> {
        (0..400_u32).map(|number| 20.0 + f64::from(number * 37 % 100) / 50.0 + extra).collect()
    };
    assert!(welch(&[times(0.0), times(0.0)]).abs() < 1.0);
    assert!(welch(&[times(0.5), times(0.0)]) > 3.0);
    assert!(welch(&[times(0.0), times(0.5)]) < -3.0);
}
