//! Who works in the office.

use axum::http::{Method, StatusCode};
use capiz::staff;
use chrono::Duration;
use serde_json::{Value, json};

use super::{Clerk, clerk, office};
use crate::harness::TestApp;
use crate::two_factor::code;

/// Somebody who is to be added.
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
    let mut lito = Clerk::new(&test);
    assert_eq!(lito.login("lito", password, &code(&test, secret)).await.status, 200);
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

    // A role's new right holds for who is logged in, at once.
    let role = json!({ "rights": ["staff.read"], "reason": "support answers for colleagues" });
    let answer = admin.send(Method::PUT, "/office/api/roles/support", Some(&role)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(lito.get("/office/api/staff").await.status, StatusCode::OK);

    let path = format!("/office/api/staff/{}", secrets["id"].as_str().unwrap());
    let closed = json!({ "name": "Lito", "roles": [], "isActive": false, "reason": "left us" });
    assert_eq!(admin.send(Method::PUT, &path, Some(&closed)).await.status, StatusCode::OK);
    lito.get("/office/api/session").await.assert_refused(401, "session.required");
    test.advance(Duration::seconds(30));
    let answer = lito.login("lito", password, &code(&test, secret)).await;
    answer.assert_refused(400, "staff.login_refused");
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
    let (username, secrets) = staff::found(&test.app).await.unwrap().unwrap();
    let mut clerk = Clerk::new(&test);
    let answer = clerk.login(username, &secrets.password, &code(&test, &secrets.secret)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert!(staff::found(&test.app).await.unwrap().is_none());
}

#[tokio::test]
async fn the_people_are_a_file_for_those_who_may_see_them() {
    let test = office().await;
    let auditor = clerk(&test, "auditor").await;
    let file = auditor.get("/office/api/staff/export?text=C&state=active").await;
    assert_eq!(file.status, StatusCode::OK, "{}", file.text);
    let lines: Vec<_> = file.text.lines().collect();
    assert_eq!(lines[0], "username,name,roles,active,added,last login");
    assert!(lines[1..].iter().all(|line| line.to_lowercase().contains('c')), "{}", file.text);
    assert!(file.text.contains("\"cashier\",\"Carlo Santos\",\"cashier\",\"true\""));
    let closed = auditor.get("/office/api/staff/export?state=closed").await;
    assert_eq!(closed.text.lines().count(), 1);
    let taken = auditor.get("/office/api/trail?action=staff.export").await;
    assert_eq!(taken.value().as_array().unwrap().len(), 2);
}
