//! Invalid settings, which are refused.

use axum::http::Method;
use serde_json::{Value, json};

use super::{MERCHANTS, adjust, found, history, put, settings};
use crate::office::{clerk, office};

#[tokio::test]
async fn nonsense_of_every_shape_is_a_clear_refusal() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let first = settings(&admin).await;
    let whole = |kind: &str, name: &str, seen: Value, value: Value| json!({ "kind": kind, "name": name, "seen": seen, "value": value, "reason": "to see" });
    let seen = |kind: &str, name: &str| found(&first, kind, name);
    let on = json!({ "enabled": true });
    for body in [
        json!({}),
        json!([]),
        json!("switch"),
        whole("theme", "x", Value::Null, on.clone()),
        whole("switch", "COMM3", on.clone(), json!({ "enabled": "no" })),
        whole("switch", "COMM3", on.clone(), json!({ "enabled": false, "more": 1 })),
        whole("switch", "COMM3", on.clone(), json!([false])),
        whole("switch", "COMM3", json!(7), json!({ "enabled": false })),
        whole("maintenance", "", json!({ "on": false }), json!({ "on": 1 })),
        whole("host", "new.example", Value::Null, json!({})),
        whole("brand", "", seen("brand", ""), json!({ "lotteryType": "Elott" })),
        whole("merchant", "", seen("merchant", ""), json!({ "name": "Capiz" })),
        json!({ "kind": "switch", "name": "COMM3", "reason": "to see", "extra": true }),
    ] {
        let answer = put(&admin, &body).await;
        answer.assert_refused(400, "request.malformed");
    }
    for (body, fields) in [
        (whole("switch", "NOPE", Value::Null, on.clone()), json!({ "name": "unknown" })),
        (whole("switch", "COMM3", on.clone(), Value::Null), json!({ "value": "required" })),
        (whole("register_rule", "shoeSize", Value::Null, on.clone()), json!({ "name": "unknown" })),
        (whole("policy", "XX", Value::Null, Value::Null), json!({ "name": "unknown" })),
        (whole("policy", "*", seen("policy", "*"), Value::Null), json!({ "value": "required" })),
        (
            whole("host", "Bad Host", Value::Null, json!({ "shared": false })),
            json!({ "name": "unknown" }),
        ),
        (whole("brand", "x", seen("brand", ""), seen("brand", "")), json!({ "name": "unknown" })),
        (
            json!({ "kind": "maintenance", "seen": { "on": false }, "value": { "on": true }, "reason": "x" }),
            json!({ "reason": "required" }),
        ),
    ] {
        let answer = put(&admin, &body).await;
        answer.assert_refused(400, "input.invalid");
        assert_eq!(answer.body["fields"], fields, "{body}");
    }
    for (kind, name, change, field) in [
        ("register_rule", "username", json!({ "minLength": 0 }), "minLength"),
        ("register_rule", "username", json!({ "maxLength": 200 }), "maxLength"),
        ("register_rule", "username", json!({ "minLength": 12, "maxLength": 8 }), "maxLength"),
        ("register_rule", "username", json!({ "patternId": "nope" }), "patternId"),
        ("register_rule", "username", json!({ "enabled": false }), "enabled"),
        ("register_rule", "password", json!({ "minLength": 4 }), "minLength"),
        ("register_rule", "password", json!({ "maxLength": 63 }), "maxLength"),
        ("register_rule", "password", json!({ "enabled": false }), "enabled"),
        ("register_rule", "mobileNum", json!({ "enabled": false }), "enabled"),
        ("register_rule", "email", json!({ "patternId": "digits" }), "patternId"),
        ("register_rule", "birthday", json!({ "patternId": "any" }), "patternId"),
        (
            "register_rule",
            "payeeName",
            json!({ "patternId": "mixed", "minLength": 1, "maxLength": 3 }),
            "maxLength",
        ),
        ("policy", "*", json!({ "minimumAge": 17 }), "minimumAge"),
        ("policy", "*", json!({ "passwordDays": 0 }), "passwordDays"),
        ("policy", "*", json!({ "dialingCode": "999" }), "dialingCode"),
        ("policy", "*", json!({ "dialingCode": null }), "dialingCode"),
        ("merchant", "", json!({ "name": " " }), "name"),
        ("merchant", "", json!({ "timeZone": "Mars/Base" }), "timeZone"),
        ("merchant", "", json!({ "mainDomain": "elsewhere.example" }), "mainDomain"),
        ("merchant", "", json!({ "welcomeCredit": "-1" }), "welcomeCredit"),
        ("merchant", "", json!({ "welcomeCredit": "0.001" }), "welcomeCredit"),
        ("merchant", "", json!({ "welcomeCredit": "1000000.01" }), "welcomeCredit"),
        ("merchant", "", json!({ "codeMinutes": 0 }), "codeMinutes"),
        ("merchant", "", json!({ "codeMinutes": 11 }), "codeMinutes"),
        ("merchant", "", json!({ "smsPerDay": 1_000_001 }), "smsPerDay"),
        ("merchant", "", json!({ "trialHours": 9000 }), "trialHours"),
        ("brand", "", json!({ "customerService": "http://plain.example" }), "customerService"),
        ("brand", "", json!({ "languages": ["TY"] }), "defaultLanguage"),
    ] {
        let answer = adjust(&admin, kind, name, &change).await;
        answer.assert_refused(400, "input.invalid");
        assert!(
            answer.body["fields"].get(field).is_some(),
            "{kind} {name} {change}: {}",
            answer.text
        );
    }
    let huge = adjust(&admin, "merchant", "", &json!({ "welcomeCredit": "1e9" })).await;
    huge.assert_refused(400, "request.malformed");
    let nowhere = format!("{MERCHANTS}/0197c000-0000-7000-8000-000000000000");
    let body = whole("maintenance", "", json!({ "on": false }), json!({ "on": true }));
    admin.get(&nowhere).await.assert_refused(404, "site.unknown_merchant");
    admin
        .send(Method::PUT, &nowhere, Some(&body))
        .await
        .assert_refused(404, "site.unknown_merchant");
    let nothing = "/office/api/settings/changes/0197c000-0000-7000-8000-000000000000/undo";
    let why = json!({ "reason": "to see" });
    admin.send(Method::POST, nothing, Some(&why)).await.assert_refused(404, "site.unknown_change");
    assert_eq!(settings(&admin).await, first, "nothing of it has changed anything");
    assert!(history(&admin, &json!({})).await.is_empty());
}
