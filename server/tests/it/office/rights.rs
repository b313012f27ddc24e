//! Checks every call of the office with every role.

use axum::http::{Method, StatusCode};
use serde_json::json;

use super::{Clerk, STAFF, clerk, office};
use crate::harness::TestApp;

/// An id that does not exist.
const SOMETHING: &str = "0197c000-0000-7000-8000-000000000000";

/// A call in the API document.
pub struct Call {
    pub method: Method,
    pub path: String,
    pub name: String,
    /// The right that it requires.
    pub right: Option<String>,
    /// Whether it requires a recent re-authentication.
    pub is_sensitive: bool,
    /// The name of its body's schema.
    body: Option<String>,
}

/// Every call of the office except the login.
pub fn calls() -> Vec<Call> {
    let document = crate::harness::api_document();
    let mut calls = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        if !path.starts_with("/office/") {
            continue;
        }
        for (method, call) in methods.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let Some(security) = call["security"].as_array() else {
                assert_eq!(path, "/office/api/session/login", "an open door");
                continue;
            };
            let rights = security[0]["office"].as_array().unwrap();
            assert!(rights.len() < 2, "{path}");
            let right = rights.first().map(|right| right.as_str().unwrap().to_owned());
            let path = path.replace("{merchantId}", SOMETHING);
            let path =
                path.replace("{id}", SOMETHING).replace("{name}", "nobody").replace("{seq}", "1");
            let name = call["operationId"].as_str().unwrap().to_owned();
            let is_sensitive = security[0].get("office_proof").is_some();
            let body = &call["requestBody"]["content"]["application/json"]["schema"]["$ref"];
            let body = body.as_str().map(|place| place.rsplit_once('/').unwrap().1.to_owned());
            calls.push(Call { method, path, name, right, is_sensitive, body });
        }
    }
    assert!(calls.len() > 10);
    calls
}

/// The rights of each role, as the migrations give them. A migration that gives a role a right adds
/// it here.
fn rights_of(test: &TestApp, role: &str) -> Vec<&'static str> {
    match role {
        "administrator" => test.app.staff.rights().iter().map(|right| right.text()).collect(),
        "auditor" => vec![
            "staff.read",
            "trail.read",
            "trail.export",
            "approvals.read",
            "settings.read",
            "members.read",
            "wallet.read",
            "rounds.read",
            "outbox.read",
            "service.read",
            "games.read",
            "feedback.read",
            "affiliates.read",
            "content.read",
        ],
        "cashier" => vec!["wallet.correct", "members.read", "wallet.read", "rounds.read"],
        "support" => {
            vec![
                "members.read",
                "members.write",
                "wallet.read",
                "rounds.read",
                "outbox.read",
                "games.read",
                "feedback.read",
                "feedback.write",
                "affiliates.read",
            ]
        }
        "content" => {
            vec!["settings.read", "games.read", "games.write", "content.read", "content.write"]
        }
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn every_call_is_closed_to_strangers() {
    let test = office().await;
    for Call { method, path, .. } in calls() {
        let answer = Clerk::new(&test).send(method, &path, Some(&json!({}))).await;
        answer.assert_refused(401, "session.required");
    }
}

/// Unknown fields are refused: a mistyped search must not find everything, and a re-authentication
/// must not contain ignored fields.
#[tokio::test]
async fn what_is_looked_for_has_no_fields_that_nobody_knows() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let mut bodies = Vec::new();
    for Call { method, path, body, .. } in calls() {
        let is_strict = |name: &String| name.starts_with("Find") || name == "StaffProof";
        let Some(body) = body.filter(is_strict) else { continue };
        let answer = admin.send(method, &path, Some(&json!({ "nobody": "knows" }))).await;
        answer.assert_refused(400, "request.malformed");
        assert!(answer.text.contains("unknown field"), "{path}: {}", answer.text);
        bodies.push(body);
    }
    bodies.sort_unstable();
    bodies.dedup();
    let strict = [
        "FindChanges",
        "FindMembers",
        "FindMessages",
        "FindNames",
        "FindPeople",
        "FindRows",
        "FindThings",
        "StaffProof",
    ];
    assert_eq!(bodies, strict);
}

#[tokio::test]
async fn every_call_is_closed_to_everybody_whom_no_role_names() {
    let test = office().await;
    for person in STAFF {
        let mut clerk = clerk(&test, person.username).await;
        for Call { method, path, right, .. } in calls() {
            let answer = clerk.send(method.clone(), &path, Some(&json!({}))).await;
            let is_allowed =
                right.as_deref().is_none_or(|right| rights_of(&test, person.role).contains(&right));
            let is_refused = answer.body["message"] == "staff.not_allowed"
                || answer.status == StatusCode::FORBIDDEN;
            assert_eq!(is_refused, !is_allowed, "{method} {path} {}: {}", person.role, answer.text);
            assert!(!answer.status.is_server_error(), "{method} {path}: {}", answer.text);
            if path.ends_with("/logout") {
                clerk = super::clerk(&test, person.username).await;
            }
        }
    }
}
