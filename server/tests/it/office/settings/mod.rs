//! Settings: reading and changing them in tests, and who may do so.

mod effects;
mod history;
mod refused;

use axum::http::Method;
use serde_json::{Value, json};

use super::{Clerk, clerk, office};
use crate::harness::{Answer, TestApp};

pub const MERCHANTS: &str = "/office/api/settings/merchants";

/// The path of the demo merchant's settings.
pub async fn path_of(clerk: &Clerk<'_>) -> String {
    let merchants = clerk.get(MERCHANTS).await;
    format!("{MERCHANTS}/{}", merchants.value()[0]["id"].as_str().unwrap())
}

pub async fn settings(clerk: &Clerk<'_>) -> Value {
    clerk.get(&path_of(clerk).await).await.value().clone()
}

/// One setting in the list of all settings.
pub fn found(settings: &Value, kind: &str, name: &str) -> Value {
    match kind {
        "switch" => {
            let switches = settings["switches"].as_array().unwrap();
            let node = switches.iter().find(|node| node["modId"] == name);
            node.map(|node| json!({ "enabled": node["enabled"] })).unwrap_or_default()
        }
        "register_rule" => settings["registerRules"][name]["rule"].clone(),
        "policy" => settings["policies"][name].clone(),
        "host" => settings["hosts"][name].clone(),
        kind => settings[kind].clone(),
    }
}

pub async fn put(clerk: &Clerk<'_>, body: &Value) -> Answer {
    clerk.send(Method::PUT, &path_of(clerk).await, Some(body)).await
}

/// Changes a setting, based on its current value.
pub async fn change(clerk: &Clerk<'_>, kind: &str, name: &str, value: Value) -> Answer {
    let seen = found(&settings(clerk).await, kind, name);
    let reason = "the operator wants it so";
    let body =
        json!({ "kind": kind, "name": name, "seen": seen, "value": value, "reason": reason });
    put(clerk, &body).await
}

/// Changes some fields of a setting.
pub async fn adjust(clerk: &Clerk<'_>, kind: &str, name: &str, fields: &Value) -> Answer {
    let mut value = found(&settings(clerk).await, kind, name);
    for (field, new) in fields.as_object().unwrap() {
        value[field] = new.clone();
    }
    change(clerk, kind, name, value).await
}

pub async fn undo(clerk: &Clerk<'_>, change: &Answer) -> Answer {
    let id = change.value()["id"].as_str().unwrap();
    let path = format!("/office/api/settings/changes/{id}/undo");
    clerk.send(Method::POST, &path, Some(&json!({ "reason": "it was a mistake" }))).await
}

pub async fn history(clerk: &Clerk<'_>, filter: &Value) -> Vec<Value> {
    let path = format!("{}/changes/find", path_of(clerk).await);
    clerk.find(&path, filter).await.value().as_array().unwrap().clone()
}

/// The settings that a player's page receives, from another node with a filled cache.
pub async fn info(node: &TestApp) -> Value {
    node.visitor().get("/wps/system/permission").await.value()["info"].clone()
}

/// Waits until the other nodes have refreshed their caches.
pub async fn a_second() {
    tokio::time::sleep(std::time::Duration::from_millis(1_050)).await;
}

#[tokio::test]
async fn who_reads_settings_does_not_change_them() {
    let test = office().await;
    let auditor = clerk(&test, "auditor").await;
    assert_eq!(settings(&auditor).await["code"], "capiz");
    let refused = change(&auditor, "maintenance", "", json!({ "on": true })).await;
    refused.assert_refused(403, "staff.not_allowed");
    let cashier = clerk(&test, "cashier").await;
    cashier.get(MERCHANTS).await.assert_refused(403, "staff.not_allowed");
}
