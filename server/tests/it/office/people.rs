//! Staff accounts and roles.

use axum::http::{Method, StatusCode};
use chrono::Duration;
use serde_json::{Value, json};

use super::{Clerk, STAFF, clerk, office};
use crate::harness::{Answer, TestApp};
use crate::two_factor::code;

/// The body of a new staff account.
pub fn newcomer(username: &str) -> Value {
    json!({ "username": username, "name": "Lito", "roles": ["support"], "reason": "a new shift" })
}

#[tokio::test]
async fn somebody_new_comes_in_with_secrets_that_were_shown_once() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let added = admin.send(Method::POST, "/office/api/staff", Some(&newcomer("lito"))).await;
    assert_eq!(added.status, StatusCode::OK, "{}", added.text);
    let secrets = &added.body["value"];
    let (password, secret) =
        (secrets["password"].as_str().unwrap(), secrets["secret"].as_str().unwrap());
    assert!(password.len() >= 30 && password.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let mut lito = Clerk::new(&test);
    assert_eq!(lito.login("lito", password, &code(&test, secret)).await.status, 200);
    let password = choose_own(&test, &lito, (password, secret)).await;
    lito.get("/office/api/staff").await.assert_refused(403, "staff.not_allowed");

    let again = admin.send(Method::POST, "/office/api/staff", Some(&newcomer("LITO"))).await;
    again.assert_refused(409, "member.name_taken");
    for (field, value) in [
        ("username", json!("x y")),
        ("roles", json!(["king"])),
        ("reason", json!("")),
        ("name", json!(" ")),
    ] {
        let mut body = newcomer("other");
        body[field] = value;
        let answer = admin.send(Method::POST, "/office/api/staff", Some(&body)).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"].get(field).is_some(), "{}", answer.text);
    }

    // A role's new right applies at once to staff who are logged in.
    let role = json!({ "rights": ["staff.read"], "reason": "support answers for colleagues" });
    let answer = admin.send(Method::PUT, "/office/api/roles/support", Some(&role)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(lito.get("/office/api/staff").await.status, StatusCode::OK);

    let path = format!("/office/api/staff/{}", secrets["id"].as_str().unwrap());
    let closed = json!({ "name": "Lito", "roles": [], "isActive": false, "reason": "left us" });
    assert_eq!(admin.send(Method::PUT, &path, Some(&closed)).await.status, StatusCode::OK);
    lito.get("/office/api/session").await.assert_refused(401, "session.required");
    test.advance(Duration::seconds(30));
    let answer = lito.login("lito", &password, &code(&test, secret)).await;
    answer.assert_refused(400, "staff.login_refused");
}

/// Replaces the initial password by one's own, with the app's next code.
pub async fn choose_own(test: &TestApp, clerk: &Clerk<'_>, (old, secret): (&str, &str)) -> String {
    test.advance(Duration::seconds(30));
    let new = "a mill by the river".to_owned();
    let body = json!({ "oldPassword": old, "code": code(test, secret), "newPassword": new });
    let answer = clerk.send(Method::POST, "/office/api/session/password", Some(&body)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    new
}

/// The password and the app's secret in a response.
pub fn secrets_in(answer: &Answer) -> (String, String) {
    let text = |name: &str| answer.value()[name].as_str().unwrap().to_owned();
    (text("password"), text("secret"))
}

#[tokio::test]
async fn a_first_password_opens_nothing_but_the_way_to_ones_own() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let mut body = newcomer("lito");
    body["roles"] = json!(["auditor"]);
    let added = admin.send(Method::POST, "/office/api/staff", Some(&body)).await;
    let (password, secret) = secrets_in(&added);
    let mut lito = Clerk::new(&test);
    let entered = lito.login("lito", &password, &code(&test, &secret)).await;
    assert_eq!(entered.value()["mustChangePassword"], true);
    assert_eq!(entered.value()["rights"], json!([]));
    let id = added.value()["id"].as_str().unwrap();
    for path in ["staff", "approvals", "approvals/count"] {
        let answer = lito.get(&format!("/office/api/{path}")).await;
        answer.assert_refused(403, "staff.not_allowed");
    }
    let proof = json!({ "password": password, "code": code(&test, &secret) });
    let proof = lito.send(Method::POST, "/office/api/session/proof", Some(&proof)).await;
    proof.assert_refused(403, "staff.not_allowed");
    let found = lito.find("/office/api/find", &json!({ "q": "maria" })).await;
    found.assert_refused(403, "staff.not_allowed");
    let why = json!({ "reason": "it was the wrong member" });
    let withdraw = format!("/office/api/approvals/{id}/withdraw");
    let answer = lito.send(Method::POST, &withdraw, Some(&why)).await;
    answer.assert_refused(403, "staff.not_allowed");
    let sessions = lito.get("/office/api/session/list").await;
    assert_eq!(sessions.value().as_array().unwrap().len(), 1);
    // The initial password cannot be kept as the own one.
    test.advance(Duration::seconds(30));
    let same = json!({
        "oldPassword": password, "code": code(&test, &secret), "newPassword": password,
    });
    let answer = lito.send(Method::POST, "/office/api/session/password", Some(&same)).await;
    assert_eq!(answer.body["fields"], json!({ "newPassword": "used" }));
    choose_own(&test, &lito, (&password, &secret)).await;
    let me = lito.get("/office/api/session").await;
    assert_eq!(me.value()["mustChangePassword"], false);
    assert_eq!(lito.get("/office/api/staff").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_first_password_is_over_after_three_days_and_ones_own_is_not() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let added = admin.send(Method::POST, "/office/api/staff", Some(&newcomer("lito"))).await;
    let (password, secret) = secrets_in(&added);
    test.advance(Duration::days(3));
    let mut lito = Clerk::new(&test);
    let late = lito.login("lito", &password, &code(&test, &secret)).await;
    late.assert_refused(400, "staff.login_refused");
    // New secrets are valid for the same time again.
    let admin = clerk(&test, "admin").await;
    let path = format!("/office/api/staff/{}/reset", added.value()["id"].as_str().unwrap());
    let why = json!({ "reason": "was on leave" });
    let reset = admin.send(Method::POST, &path, Some(&why)).await;
    let (password, secret) = secrets_in(&reset);
    test.advance(Duration::days(2));
    let entered = lito.login("lito", &password, &code(&test, &secret)).await;
    assert_eq!(entered.value()["mustChangePassword"], true);
    let own = choose_own(&test, &lito, (&password, &secret)).await;
    test.advance(Duration::days(3));
    let entered = lito.login("lito", &own, &code(&test, &secret)).await;
    assert_eq!(entered.value()["mustChangePassword"], false);
}

/// Lets another call compare the old password, and then a colleague's reset run first. Both wait
/// for the person's row lock.
async fn reset_while<T>(
    test: &TestApp,
    admin: &Clerk<'_>,
    id: &str,
    other: impl Future<Output = T>,
) -> (Answer, T) {
    let mut holder = test.owner.begin().await.unwrap();
    let hold = "select from staff_people where id = $1::uuid for update";
    sqlx::query(hold).bind(id).execute(&mut *holder).await.unwrap();
    let path = format!("/office/api/staff/{id}/reset");
    let why = json!({ "reason": "the phone is gone" });
    let reset = admin.send(Method::POST, &path, Some(&why));
    let other = async {
        test.wait_for_locks(1).await;
        other.await
    };
    let release = async {
        test.wait_for_locks(2).await;
        holder.commit().await.unwrap();
    };
    let (reset, other, ()) = tokio::join!(reset, other, release);
    (reset, other)
}

#[tokio::test]
async fn what_a_colleague_resets_is_not_undone_by_who_is_just_choosing_a_password() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let cashier = clerk(&test, "cashier").await;
    let me = cashier.get("/office/api/session").await.value()["id"].clone();
    test.advance(Duration::seconds(30));
    let body = json!({
        "oldPassword": STAFF[1].password, "code": code(&test, &STAFF[1].secret()),
        "newPassword": "a mill by the river",
    });
    let change = cashier.send(Method::POST, "/office/api/session/password", Some(&body));
    let (reset, change) = reset_while(&test, &admin, me.as_str().unwrap(), change).await;
    let (password, secret) = secrets_in(&reset);
    change.assert_refused(401, "session.required");
    let mut again = Clerk::new(&test);
    let entered = again.login("cashier", &password, &code(&test, &secret)).await;
    assert_eq!(entered.value()["mustChangePassword"], true);
}

#[tokio::test]
async fn who_is_just_logging_in_with_what_a_colleague_resets_stays_out() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let cashier = clerk(&test, "cashier").await;
    let me = cashier.get("/office/api/session").await.value()["id"].clone();
    test.advance(Duration::seconds(30));
    let mut thief = Clerk::new(&test);
    let right = code(&test, &STAFF[1].secret());
    let login = thief.login("cashier", STAFF[1].password, &right);
    let (reset, login) = reset_while(&test, &admin, me.as_str().unwrap(), login).await;
    reset.value();
    login.assert_refused(400, "staff.login_refused");
    assert_eq!(thief.cookie(), "");
}

#[tokio::test]
async fn nobody_raises_themselves() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let me = admin.get("/office/api/session").await.body["value"]["id"].clone();
    let path = format!("/office/api/staff/{}", me.as_str().unwrap());
    let body = json!({ "name": "A", "roles": [], "isActive": true, "reason": "why not" });
    admin.send(Method::PUT, &path, Some(&body)).await.assert_refused(403, "staff.not_yourself");
    let reset = format!("{path}/reset");
    let why = json!({ "reason": "why not" });
    admin.send(Method::POST, &reset, Some(&why)).await.assert_refused(403, "staff.not_yourself");
    let role = json!({ "rights": [], "reason": "why not" });
    let path = "/office/api/roles/administrator";
    admin.send(Method::PUT, path, Some(&role)).await.assert_refused(403, "staff.not_yourself");
}

#[tokio::test]
async fn an_office_without_people_gets_one_administrator() {
    let test = TestApp::new().await;
    let (username, secrets) = staff::found(&test.app.staff).await.unwrap().unwrap();
    let mut clerk = Clerk::new(&test);
    let answer = clerk.login(&username, &secrets.password, &code(&test, &secrets.secret)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    choose_own(&test, &clerk, (&secrets.password, &secrets.secret)).await;
    test.advance(Duration::days(3));
    assert!(staff::found(&test.app.staff).await.unwrap().is_none());
}

#[tokio::test]
async fn an_administrator_who_did_not_come_in_time_gets_new_secrets_at_the_next_start() {
    let test = TestApp::new().await;
    let (_, old) = staff::found(&test.app.staff).await.unwrap().unwrap();
    assert!(staff::found(&test.app.staff).await.unwrap().is_none(), "they are good for now");
    test.advance(Duration::days(3));
    let mut clerk = Clerk::new(&test);
    let late = clerk.login("admin", &old.password, &code(&test, &old.secret)).await;
    late.assert_refused(400, "staff.login_refused");
    let (username, new) = staff::found(&test.app.staff).await.unwrap().unwrap();
    let answer = clerk.login(&username, &new.password, &code(&test, &new.secret)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    // Logging in is not enough: only a password of one's own does not expire.
    test.advance(Duration::days(3));
    let late = clerk.login(&username, &new.password, &code(&test, &new.secret)).await;
    late.assert_refused(400, "staff.login_refused");
    assert!(staff::found(&test.app.staff).await.unwrap().is_some());
}

#[tokio::test]
async fn somebody_who_can_help_is_left_alone_and_so_are_people_who_may_not_do_everything() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let mut second = newcomer("second");
    second["roles"] = json!(["administrator"]);
    admin.send(Method::POST, "/office/api/staff", Some(&second)).await.value();
    admin.send(Method::POST, "/office/api/staff", Some(&newcomer("lito"))).await.value();
    test.advance(Duration::days(3));
    assert!(staff::found(&test.app.staff).await.unwrap().is_none(), "the first one can");
    test.change("update staff_people set is_active = false where username = 'admin'").await;
    let (username, _) = staff::found(&test.app.staff).await.unwrap().unwrap();
    assert_eq!(username, "second");
}

#[tokio::test]
async fn of_nodes_that_start_at_once_one_gives_new_secrets() {
    let test = TestApp::new().await;
    staff::found(&test.app.staff).await.unwrap().unwrap();
    test.advance(Duration::days(3));
    let other = test.another_node();
    let (one, two) = tokio::join!(staff::found(&test.app.staff), staff::found(&other.app.staff));
    let given: Vec<_> = [one.unwrap(), two.unwrap()].into_iter().flatten().collect();
    let [(username, new)] = given.as_slice() else { panic!("{given:?}") };
    let mut clerk = Clerk::new(&test);
    let answer = clerk.login(username, &new.password, &code(&test, &new.secret)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
}

#[tokio::test]
async fn the_people_are_a_file_for_those_who_may_see_them() {
    const EXPORT: &str = "/office/api/staff/export";
    let test = office().await;
    let auditor = clerk(&test, "auditor").await;
    let file = auditor.find(EXPORT, &json!({ "text": "C", "state": "active" })).await;
    assert_eq!(file.status, StatusCode::OK, "{}", file.text);
    let lines: Vec<_> = file.text.lines().collect();
    assert_eq!(lines[0], "username,name,roles,active,added,last login");
    assert!(lines[1..].iter().all(|line| line.to_lowercase().contains('c')), "{}", file.text);
    assert!(file.text.contains("\"cashier\",\"Carlo Santos\",\"cashier\",\"true\""));
    let closed = auditor.find(EXPORT, &json!({ "state": "closed" })).await;
    assert_eq!(closed.text.lines().count(), 1);
    let unknown = auditor.find(EXPORT, &json!({ "state": "Closed" })).await;
    unknown.assert_refused(400, "input.invalid");
    let taken = auditor.audit_log(&json!({ "action": "staff.export" })).await;
    assert_eq!(taken.value().as_array().unwrap().len(), 2);
}
