//! Sensitive calls of the office require a re-authentication within the last minutes; a session
//! alone is not enough.

use axum::http::{Method, StatusCode};
use chrono::Duration;
use futures_util::future::join_all;
use serde_json::json;

use super::people::choose_own;
use super::rights::calls;
use super::{Clerk, STAFF, clerk, office};
use crate::harness::{Answer, TestApp};
use crate::two_factor::code;

const PROOF: &str = "/office/api/session/proof";
/// The cookie that proves a re-authentication, in addition to the session.
const PROOF_COOKIE: &str = "__Host-capiz-office-proof";

/// Calls that change something and require no re-authentication, each for a reason.
const NO_REAUTHENTICATION: &[&str] = &[
    // Actions on one's own session: to leave it, or with a password and a code of their own.
    "office_logout",
    "office_end_session",
    "office_change_password",
    "office_prove",
    // Two people move money; a request alone moves none, and neither does withdrawing it.
    "approvals_ask_for",
    "approvals_withdraw",
    // Refusing moves no money; approving requires re-authentication, which another test checks.
    "approvals_decide_on",
    // These lock somebody out or let them in again, and must be quick; they reveal no secret.
    "office_freeze_member",
    "office_unfreeze_member",
    "office_end_member_sessions",
    "office_ask_member_password",
    // A site's content and its games, which can be restored.
    "office_preview_content",
    "office_add_content",
    "office_order_content",
    "office_change_content",
    "office_delete_content",
    "office_restore_content",
    "office_upload_file",
    "office_change_game",
    "office_change_vendor",
    // Searches: the terms are in a body, and nothing is changed.
    "office_find",
    "office_find_members",
    "office_export_members",
    "settings_find_changes",
    "service_find_messages",
    "staff_export",
    "trail_find",
    "trail_export",
    "trail_names",
    // Answers to feedback, and operation of the service.
    "office_answer_feedback",
    "office_close_feedback",
    "office_decide_affiliate",
    "service_check",
    "service_retry_job",
    "service_resend_message",
    "service_try_outside",
];

/// Lets the last re-authentication expire, but not the session.
fn grow_stale(test: &TestApp) {
    test.advance(Duration::minutes(10));
}

/// Makes a sensitive call.
async fn do_sensitive(clerk: &Clerk<'_>) -> Answer {
    let role = json!({ "rights": ["staff.read"], "reason": "they look after a colleague" });
    clerk.send(Method::PUT, "/office/api/roles/content", Some(&role)).await
}

async fn prove(clerk: &Clerk<'_>, password: &str, code: &str) -> Answer {
    let body = json!({ "password": password, "code": code });
    clerk.send(Method::POST, PROOF, Some(&body)).await
}

/// The right code of the administrator's app, and a wrong one.
fn codes(test: &TestApp) -> (String, &'static str) {
    let right = code(test, &STAFF[0].secret());
    let wrong = if right == "000000" { "000001" } else { "000000" };
    (right, wrong)
}

#[tokio::test]
async fn every_write_needs_reauthentication_or_has_a_reason_not_to() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    grow_stale(&test);
    let mut plain = Vec::new();
    for call in calls().into_iter().filter(|call| call.name != "office_logout") {
        let answer = admin.send(call.method.clone(), &call.path, Some(&json!({}))).await;
        let is_refused = answer.body["code"] == "staff.proof_needed";
        assert_eq!(is_refused, call.is_sensitive, "{} {}: {}", call.method, call.path, answer.text);
        if is_refused {
            assert_eq!(answer.status, StatusCode::FORBIDDEN);
        }
        if call.method != Method::GET && !call.is_sensitive {
            plain.push(call.name);
        }
    }
    plain.push("office_logout".to_owned());
    plain.sort_unstable();
    let mut named = NO_REAUTHENTICATION.to_vec();
    named.sort_unstable();
    assert_eq!(
        plain, named,
        "a new call takes `RecentlyAuthenticated`, or is listed here with its reason"
    );
}

#[tokio::test]
async fn a_log_in_and_a_proof_are_good_for_ten_minutes() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    test.advance(Duration::minutes(10) - Duration::seconds(1));
    do_sensitive(&admin).await.value();
    test.advance(Duration::seconds(1));
    do_sensitive(&admin).await.assert_refused(403, "staff.proof_needed");
    admin.get("/office/api/session").await.value();
    prove(&admin, STAFF[0].password, &codes(&test).0).await.value();
    do_sensitive(&admin).await.value();
    // Using it does not extend it.
    test.advance(Duration::minutes(9));
    do_sensitive(&admin).await.value();
    test.advance(Duration::minutes(1));
    do_sensitive(&admin).await.assert_refused(403, "staff.proof_needed");
}

#[tokio::test]
async fn whoever_has_no_right_is_told_so_and_not_asked_for_a_proof() {
    let test = office().await;
    let auditor = clerk(&test, "auditor").await;
    grow_stale(&test);
    do_sensitive(&auditor).await.assert_refused(403, "staff.not_allowed");
}

#[tokio::test]
async fn to_agree_takes_a_proof_and_to_refuse_does_not() {
    let test = office().await;
    let maria = test.member("maria").await;
    let record = maria.get("/wps/v2/wallets/transfers").await;
    let member_id = &record.value()["holderId"];
    let (admin, cashier) = (clerk(&test, "admin").await, clerk(&test, "cashier").await);
    let what = json!({ "memberId": member_id, "direction": "credit", "amount": "5" });
    let correction =
        json!({ "kind": "wallet.correct", "what": what, "reason": "a round was lost" });
    let mut paths = Vec::new();
    for _ in 0..2 {
        let id = cashier.send(Method::POST, "/office/api/approvals", Some(&correction)).await;
        paths.push(format!("/office/api/approvals/{}", id.value().as_str().unwrap()));
    }
    grow_stale(&test);
    let agrees = json!({ "agrees": true, "reason": "seen in the rounds" });
    let refuses = json!({ "agrees": false, "reason": "it was paid once" });
    // Staff who may not decide are not asked to re-authenticate.
    let own = cashier.send(Method::POST, &paths[0], Some(&agrees)).await;
    own.assert_refused(403, "staff.not_allowed");
    let thief = admin.copy(&test, |name| name != PROOF_COOKIE);
    for clerk in [&admin, &thief] {
        let answer = clerk.send(Method::POST, &paths[0], Some(&agrees)).await;
        answer.assert_refused(403, "staff.proof_needed");
    }
    assert_eq!(maria.balance().await, "1000");
    admin.send(Method::POST, &paths[1], Some(&refuses)).await.value();
    let over = admin.send(Method::POST, &paths[1], Some(&agrees)).await;
    over.assert_refused(409, "staff.decided");
    prove(&admin, STAFF[0].password, &codes(&test).0).await.value();
    let answer = thief.send(Method::POST, &paths[0], Some(&agrees)).await;
    answer.assert_refused(403, "staff.proof_needed");
    admin.send(Method::POST, &paths[0], Some(&agrees)).await.value();
    assert_eq!(maria.balance().await, "1005");
}

#[tokio::test]
async fn neither_password_nor_code_alone_proves_anything() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    grow_stale(&test);
    let (right, wrong) = codes(&test);
    let empty = prove(&admin, " ", "").await;
    empty.assert_refused(400, "input.invalid");
    assert_eq!(empty.body["fields"], json!({ "password": "required", "code": "required" }));
    // The response does not say which of the two was wrong.
    for (password, code) in [("wrong", right.as_str()), (STAFF[0].password, wrong), ("x", wrong)] {
        let answer = prove(&admin, password, code).await;
        answer.assert_refused(400, "staff.proof_refused");
        assert_eq!(answer.body.get("fields"), None, "{}", answer.text);
    }
    do_sensitive(&admin).await.assert_refused(403, "staff.proof_needed");
    // The right code sent with a wrong password was not spent; a successful re-authentication
    // spends it.
    prove(&admin, STAFF[0].password, &right).await.value();
    prove(&admin, STAFF[0].password, &right).await.assert_refused(400, "staff.proof_refused");
}

#[tokio::test]
async fn a_code_proves_once() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    grow_stale(&test);
    let (right, _) = codes(&test);
    let tries = (0..8).map(|_| prove(&admin, STAFF[0].password, &right));
    let answers = join_all(tries).await;
    let good = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(good, 1);
}

/// The use of each rate limit of the office that has only one key.
async fn used(test: &TestApp) -> Vec<(String, i32)> {
    let sql = "select name, used from platform_budgets where name like 'staff.%' order by name";
    sqlx::query_as(sql).fetch_all(&test.owner).await.unwrap()
}

/// Tries to set a new password with a wrong code.
async fn try_new_password(clerk: &Clerk<'_>, code: &str) -> Answer {
    let body = json!({
        "oldPassword": STAFF[0].password, "code": code, "newPassword": "a mill by the river",
    });
    clerk.send(Method::POST, "/office/api/session/password", Some(&body)).await
}

#[tokio::test]
async fn tries_of_somebody_who_is_in_count_at_the_door_too_but_not_for_the_address() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let (_, wrong) = codes(&test);
    prove(&admin, "guess", wrong).await.assert_refused(400, "staff.proof_refused");
    try_new_password(&admin, wrong).await.assert_refused(400, "staff.proof_refused");
    // One of each is the login. There are no further rows, so the attempts use the same keys as the
    // login.
    let mine = [
        ("staff.login.address", 1),
        ("staff.login.name", 3),
        ("staff.login.overall", 3),
        ("staff.step_up", 2),
        ("staff.step_up.day", 2),
    ];
    assert_eq!(used(&test).await, mine.map(|(name, count)| (name.to_owned(), count)));
}

#[tokio::test]
async fn ten_tries_in_a_quarter_of_an_hour_are_all_that_somebody_has_who_is_in() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    grow_stale(&test);
    let (right, wrong) = codes(&test);
    for _ in 0..5 {
        prove(&admin, "guess", wrong).await.assert_refused(400, "staff.proof_refused");
        try_new_password(&admin, wrong).await.assert_refused(400, "staff.proof_refused");
    }
    let late = prove(&admin, STAFF[0].password, &right).await;
    late.assert_refused(429, "request.too_many");
    try_new_password(&admin, &right).await.assert_refused(429, "request.too_many");
    let door = Clerk::new(&test).login("admin", STAFF[0].password, &right).await;
    door.assert_refused(429, "request.too_many");
    // The attempts have neither ended the session nor locked out colleagues at the same IP address.
    admin.get("/office/api/session").await.value();
    let auditor = clerk(&test, "auditor").await;
    test.advance(Duration::seconds(30));
    let code = code(&test, &STAFF[4].secret());
    prove(&auditor, STAFF[4].password, &code).await.value();
    // After a quarter of an hour, ten more attempts are allowed.
    test.advance(Duration::minutes(10));
    admin.get("/office/api/session").await.value();
    test.advance(Duration::minutes(4));
    prove(&admin, STAFF[0].password, &codes(&test).0).await.value();
    do_sensitive(&admin).await.value();
}

#[tokio::test]
async fn a_hundred_tries_are_all_that_somebody_has_in_a_day_who_is_in() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    prove(&admin, "guess", codes(&test).1).await.assert_refused(400, "staff.proof_refused");
    test.change("update platform_budgets set used = 99 where name = 'staff.step_up.day'").await;
    for minutes in [14, 2] {
        test.advance(Duration::minutes(minutes));
        admin.get("/office/api/session").await.value();
    }
    prove(&admin, "guess", codes(&test).1).await.assert_refused(400, "staff.proof_refused");
    let late = prove(&admin, STAFF[0].password, &codes(&test).0).await;
    late.assert_refused(429, "request.too_many");
    try_new_password(&admin, &codes(&test).0).await.assert_refused(429, "request.too_many");
}

#[tokio::test]
async fn whoever_floods_the_door_keeps_nobody_who_is_in_from_showing_who_they_are() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    grow_stale(&test);
    // As after attempts from everywhere, including the colleague's own IP address.
    test.change("update platform_budgets set used = 1000 where name like 'staff.login.%'").await;
    let (right, _) = codes(&test);
    for name in ["admin", "auditor"] {
        let door = Clerk::new(&test).login(name, STAFF[0].password, &right).await;
        door.assert_refused(429, "request.too_many");
    }
    prove(&admin, STAFF[0].password, &right).await.value();
    do_sensitive(&admin).await.value();
    choose_own(&test, &admin, (STAFF[0].password, &STAFF[0].secret())).await;
}

#[tokio::test]
async fn a_proof_is_of_one_session_known_to_every_node_and_over_with_it() {
    let test = office().await;
    let (one, other) = (clerk(&test, "admin").await, clerk(&test, "admin").await);
    grow_stale(&test);
    prove(&one, STAFF[0].password, &codes(&test).0).await.value();
    do_sensitive(&other).await.assert_refused(403, "staff.proof_needed");
    let node = test.another_node();
    let elsewhere = one.copy(&node, |_| true);
    do_sensitive(&elsewhere).await.value();
    one.send(Method::POST, "/office/api/session/logout", None).await.value();
    assert!(!one.cookie().contains(PROOF_COOKIE), "{}", one.cookie());
    do_sensitive(&elsewhere).await.assert_refused(401, "session.required");
    let again = prove(&one, STAFF[0].password, &codes(&test).0).await;
    again.assert_refused(401, "session.required");
}

#[tokio::test]
async fn whoever_stole_the_cookie_of_a_session_has_no_part_in_its_owners_proof() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let thief = || admin.copy(&test, |name| name != PROOF_COOKIE);
    do_sensitive(&admin).await.value();
    thief().get("/office/api/session").await.value();
    do_sensitive(&thief()).await.assert_refused(403, "staff.proof_needed");
    // Neither with an earlier proof cookie, nor by guessing.
    let early = admin.copy(&test, |_| true);
    grow_stale(&test);
    prove(&admin, STAFF[0].password, &codes(&test).0).await.value();
    do_sensitive(&admin).await.value();
    for other in [&thief(), &early] {
        do_sensitive(other).await.assert_refused(403, "staff.proof_needed");
    }
    let guess = thief();
    let made_up = "A".repeat(43);
    guess.cookies.lock().unwrap().insert(PROOF_COOKIE.to_owned(), made_up);
    do_sensitive(&guess).await.assert_refused(403, "staff.proof_needed");
    // A proof of the thief's own would require the owner's password and code, and the owner's new
    // password helps nobody else.
    choose_own(&test, &admin, (STAFF[0].password, &STAFF[0].secret())).await;
    do_sensitive(&admin).await.value();
    do_sensitive(&thief()).await.assert_refused(403, "staff.proof_needed");
}

#[tokio::test]
async fn a_refused_proof_and_a_refused_password_take_nothing_from_the_last_one() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let (_, wrong) = codes(&test);
    prove(&admin, STAFF[0].password, wrong).await.assert_refused(400, "staff.proof_refused");
    try_new_password(&admin, wrong).await.assert_refused(400, "staff.proof_refused");
    do_sensitive(&admin).await.value();
}

#[tokio::test]
async fn a_session_of_a_node_from_before_has_proved_nothing() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    for column in ["proved_at", "proof_hash"] {
        test.change(&format!("update staff_sessions set {column} = null")).await;
        do_sensitive(&admin).await.assert_refused(403, "staff.proof_needed");
        test.advance(Duration::seconds(30));
        prove(&admin, STAFF[0].password, &codes(&test).0).await.value();
        do_sensitive(&admin).await.value();
    }
}

#[tokio::test]
async fn who_sets_a_new_password_has_proved_it_is_them() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    grow_stale(&test);
    choose_own(&test, &admin, (STAFF[0].password, &STAFF[0].secret())).await;
    do_sensitive(&admin).await.value();
}

#[tokio::test]
async fn proofs_and_refused_ones_stand_in_the_trail() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    grow_stale(&test);
    let (right, wrong) = codes(&test);
    prove(&admin, STAFF[0].password, wrong).await.assert_refused(400, "staff.proof_refused");
    prove(&admin, STAFF[0].password, &right).await.value();
    let me = admin.get("/office/api/session").await.value()["id"].clone();
    // Actions are searched by prefix: one search finds both, newest first.
    let rows = admin.audit_log(&json!({ "action": "staff.proof" })).await;
    let rows = rows.value().as_array().unwrap();
    let actions: Vec<_> = rows.iter().map(|row| row["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["staff.proof", "staff.proof_refused"]);
    for row in rows {
        assert_eq!(row["actor"], "admin");
        assert_eq!(row["subject"], format!("person:{}", me.as_str().unwrap()));
    }
}
