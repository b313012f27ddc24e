//! Office sessions: login, expiry and logout.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Clerk, STAFF, clerk, office};
use crate::two_factor::code;

#[tokio::test]
async fn name_password_and_code_are_all_asked_for_and_none_is_told_wrong() {
    let test = office().await;
    let admin = &STAFF[0];
    let right = code(&test, &admin.secret());
    let wrong = if right == "000000" { "000001" } else { "000000" };
    let tries = [
        ("nobody", admin.password, right.as_str()),
        (admin.username, "not the password", right.as_str()),
        (admin.username, admin.password, wrong),
        (admin.username, admin.password, "12345"),
    ];
    for (username, password, code) in tries {
        let mut clerk = Clerk::new(&test);
        clerk.login(username, password, code).await.assert_refused(400, "staff.login_refused");
        assert_eq!(clerk.cookie(), "");
    }
    let mut clerk = Clerk::new(&test);
    let answer = clerk.login("ADMIN", admin.password, &right).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let cookies: Vec<_> = answer.headers.get_all(header::SET_COOKIE).iter().collect();
    let mine =
        [("__Host-capiz-office=", "Max-Age=43200"), ("__Host-capiz-office-proof=", "Max-Age=600")];
    assert_eq!(cookies.len(), mine.len());
    for (cookie, (name, life)) in cookies.iter().zip(mine) {
        let cookie = cookie.to_str().unwrap();
        for part in [name, life, "HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
            assert!(cookie.contains(part), "{cookie}");
        }
    }
    let me = clerk.get("/office/api/session").await;
    assert_eq!(me.body["value"]["username"], "admin");
    assert_eq!(me.body["value"]["rights"].as_array().unwrap().len(), test.app.staff.rights().len());
}

#[tokio::test]
async fn the_login_before_is_told_for_as_long_as_the_session_lasts() {
    let test = office().await;
    let first = clerk(&test, "admin").await;
    assert_eq!(first.get("/office/api/session").await.body["value"]["lastLoginAt"], Value::Null);
    let at = test.app.clock.now();
    let second = clerk(&test, "admin").await;
    let last_login = second.get("/office/api/session").await.body["value"]["lastLoginAt"].clone();
    let last_login: chrono::DateTime<chrono::Utc> = last_login.as_str().unwrap().parse().unwrap();
    assert_eq!(last_login, at);
}

#[tokio::test]
async fn a_code_is_good_once() {
    let test = office().await;
    let admin = &STAFF[0];
    let right = code(&test, &admin.secret());
    let logins = (0..10).map(|_| {
        let (test, right) = (&test, &right);
        async move { Clerk::new(test).login(admin.username, admin.password, right).await.status }
    });
    let answers = join_all(logins).await;
    let entered = answers.iter().filter(|status| **status == StatusCode::OK).count();
    assert_eq!(entered, 1, "{answers:?}");
}

#[tokio::test]
async fn guessing_is_bounded_and_does_not_lock_the_owner_out_elsewhere() {
    let test = office().await;
    let mut clerk = Clerk::new(&test);
    for _ in 0..10 {
        clerk.login("admin", "x", "000000").await.assert_refused(400, "staff.login_refused");
    }
    let admin = &STAFF[0];
    let answer = clerk.login("admin", admin.password, &code(&test, &admin.secret())).await;
    answer.assert_refused(429, "request.too_many");
    assert!(answer.headers.contains_key(header::RETRY_AFTER));
    // Another name can still log in from the same IP address.
    drop(self::clerk(&test, "auditor").await);
}

#[tokio::test]
async fn a_name_in_letters_that_the_database_folds_to_anothers_is_nobodys() {
    let test = office().await;
    // The kelvin sign is a character of its own, and its lower case is the Latin k.
    let folds: bool = sqlx::query_scalar("select lower($1) = 'k'")
        .bind("\u{212a}")
        .fetch_one(&test.app.db)
        .await
        .unwrap();
    assert!(folds, "the guard is tested only where the database does so");
    let admin = &STAFF[0];
    test.change("update staff_people set username = 'kit' where username = 'admin'").await;
    let right = code(&test, &admin.secret());
    let answer = Clerk::new(&test).login("\u{212a}it", admin.password, &right).await;
    answer.assert_refused(400, "staff.login_refused");
    let answer = Clerk::new(&test).login("KIT", admin.password, &right).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
}

#[tokio::test]
async fn a_session_ends_when_idle_after_a_shift_and_when_asked() {
    let test = office().await;
    let idle = clerk(&test, "admin").await;
    test.advance(Duration::minutes(14));
    assert_eq!(idle.get("/office/api/session").await.status, StatusCode::OK);
    test.advance(Duration::minutes(15));
    idle.get("/office/api/session").await.assert_refused(401, "session.required");

    let busy = clerk(&test, "admin").await;
    for _ in 0..71 {
        test.advance(Duration::minutes(10));
        assert_eq!(busy.get("/office/api/session").await.status, StatusCode::OK);
    }
    test.advance(Duration::minutes(10));
    busy.get("/office/api/session").await.assert_refused(401, "session.required");

    let (one, other) = (clerk(&test, "admin").await, clerk(&test, "admin").await);
    let list = one.get("/office/api/session/list").await;
    let list = list.body["value"].as_array().unwrap();
    assert_eq!(list.len(), 2);
    let foreign = list.iter().find(|session| session["isCurrent"] == false).unwrap();
    let path = format!("/office/api/session/list/{}", foreign["id"].as_str().unwrap());
    assert_eq!(one.send(Method::DELETE, &path, None).await.status, StatusCode::OK);
    other.get("/office/api/session").await.assert_refused(401, "session.required");
    one.send(Method::DELETE, &path, None).await.assert_refused(404, "session.unknown");
    assert_eq!(one.send(Method::POST, "/office/api/session/logout", None).await.status, 200);
    one.get("/office/api/session").await.assert_refused(401, "session.required");
}

/// The browser sends the cookie with requests of a page on another port of the same host.
#[tokio::test]
async fn nothing_is_changed_from_pages_of_other_origins() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let request = Request::builder()
        .method(Method::POST)
        .uri("/office/api/session/logout")
        .header(header::COOKIE, admin.cookie());
    let answer = test.send_office(request.body(Body::empty()).unwrap()).await;
    answer.assert_refused(403, "request.foreign_origin");
    assert_eq!(admin.get("/office/api/session").await.status, StatusCode::OK);
}

#[tokio::test]
async fn whoever_logs_in_while_logged_in_ends_the_session_before() {
    let test = office().await;
    let before = clerk(&test, "admin").await;
    let again = before.copy(&test, |_| true);
    let login = async |password: &str| {
        test.advance(Duration::seconds(30));
        let body = json!({
            "username": "admin", "password": password, "code": code(&test, &STAFF[0].secret()),
        });
        again.send(Method::POST, "/office/api/session/login", Some(&body)).await
    };
    login("wrong").await.assert_refused(400, "staff.login_refused");
    assert_eq!(before.get("/office/api/session").await.status, StatusCode::OK);
    assert_eq!(login(STAFF[0].password).await.status, StatusCode::OK);
    before.get("/office/api/session").await.assert_refused(401, "session.required");
    let ended: i64 = sqlx::query_scalar(
        "select count(*) from staff_trail t join staff_people p on t.subject = 'person:' || p.id
         where t.action = 'staff.session_end' and t.actor = 'admin' and p.username = 'admin'",
    )
    .fetch_one(&test.owner)
    .await
    .unwrap();
    assert_eq!(ended, 1, "the audit log records it");
}

#[tokio::test]
async fn a_new_password_needs_the_old_one_and_a_code_and_ends_other_sessions() {
    let test = office().await;
    let admin = &STAFF[0];
    let (one, other) = (clerk(&test, "admin").await, clerk(&test, "admin").await);
    test.advance(Duration::seconds(30));
    let code = code(&test, &admin.secret());
    let path = "/office/api/session/password";
    let body = |old: &str, code: &str, new: &str| json!({ "oldPassword": old, "code": code, "newPassword": new });
    for (body, field) in [
        (body(admin.password, &code, "short"), "newPassword"),
        (body(admin.password, &code, "capiz-capiz-capiz"), "newPassword"),
        (body(admin.password, &code, admin.password), "newPassword"),
        (body(admin.password, &code, &format!(" {} ", admin.password)), "newPassword"),
    ] {
        let answer = one.send(Method::POST, path, Some(&body)).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"].get(field).is_some(), "{}", answer.text);
    }
    // A wrong password and a wrong code get the same response, whether or not the new password
    // equals the old one, and are logged.
    let wrong = [
        body("wrong", &code, "a mill by the river"),
        body("a guess of mine", &code, "a guess of mine"),
        body(admin.password, "000000", "a mill by the river"),
        body(admin.password, "000000", admin.password),
    ];
    let mut responses = Vec::new();
    for body in &wrong {
        let answer = one.send(Method::POST, path, Some(body)).await;
        answer.assert_refused(400, "staff.proof_refused");
        responses.push(answer.text);
    }
    responses.dedup();
    assert_eq!(responses.len(), 1, "{responses:?}");
    let noted = one.audit_log(&json!({ "action": "staff.proof_refused" })).await;
    assert_eq!(noted.value().as_array().unwrap().len(), wrong.len());
    let body = body(admin.password, &code, "a mill by the river");
    assert_eq!(one.send(Method::POST, path, Some(&body)).await.status, StatusCode::OK);
    assert_eq!(one.get("/office/api/session").await.status, StatusCode::OK);
    other.get("/office/api/session").await.assert_refused(401, "session.required");
}
