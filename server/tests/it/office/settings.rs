//! Settings: changed, refused, kept, taken back, and live for players on every node.

use axum::http::{Method, StatusCode};
use capiz::staff;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Clerk, clerk, office};
use crate::harness::{Answer, TestApp};

const MERCHANTS: &str = "/office/api/settings/merchants";

/// Where the settings of the demo's merchant are.
async fn path_of(clerk: &Clerk<'_>) -> String {
    let merchants = clerk.get(MERCHANTS).await;
    format!("{MERCHANTS}/{}", merchants.value()[0]["id"].as_str().unwrap())
}

async fn settings(clerk: &Clerk<'_>) -> Value {
    clerk.get(&path_of(clerk).await).await.value().clone()
}

/// A setting as it stands in the whole.
fn found(settings: &Value, kind: &str, name: &str) -> Value {
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

async fn put(clerk: &Clerk<'_>, body: &Value) -> Answer {
    clerk.send(Method::PUT, &path_of(clerk).await, Some(body)).await
}

/// Changes a setting by somebody who has just looked.
async fn change(clerk: &Clerk<'_>, kind: &str, name: &str, value: Value) -> Answer {
    let seen = found(&settings(clerk).await, kind, name);
    let reason = "the operator wants it so";
    let body =
        json!({ "kind": kind, "name": name, "seen": seen, "value": value, "reason": reason });
    put(clerk, &body).await
}

/// Changes some fields of a setting.
async fn adjust(clerk: &Clerk<'_>, kind: &str, name: &str, fields: &Value) -> Answer {
    let mut value = found(&settings(clerk).await, kind, name);
    for (field, new) in fields.as_object().unwrap() {
        value[field] = new.clone();
    }
    change(clerk, kind, name, value).await
}

async fn undo(clerk: &Clerk<'_>, change: &Answer) -> Answer {
    let id = change.value()["id"].as_str().unwrap();
    let path = format!("/office/api/settings/changes/{id}/undo");
    clerk.send(Method::POST, &path, Some(&json!({ "reason": "it was a mistake" }))).await
}

async fn history(clerk: &Clerk<'_>, query: &str) -> Vec<Value> {
    let path = format!("{}/changes?{query}", path_of(clerk).await);
    clerk.get(&path).await.value().as_array().unwrap().clone()
}

/// What a page of players gets to know, from another node that had read everything before.
async fn info(node: &TestApp) -> Value {
    node.visitor().get("/wps/system/permission").await.value()["info"].clone()
}

/// Other nodes are a second behind at most.
async fn a_second() {
    tokio::time::sleep(std::time::Duration::from_millis(1_050)).await;
}

#[tokio::test]
async fn a_switch_is_turned_for_players_of_every_node_and_back() {
    let test = office().await;
    let node = test.another_node();
    test.member("maria").await;
    let admin = clerk(&test, "admin").await;
    node.visitor().login("maria", "a-good-password").await.value();

    let off = change(&admin, "switch", "COMM3", json!({ "enabled": false })).await;
    assert_eq!(off.value()["before"], r#"{"enabled":true}"#);
    assert_eq!(off.value()["after"], r#"{"enabled":false}"#);
    let refused = test.visitor().login("maria", "a-good-password").await;
    refused.assert_refused(403, "site.switched_off");
    a_second().await;
    let refused = node.visitor().login("maria", "a-good-password").await;
    refused.assert_refused(403, "site.switched_off");
    let boot = node.visitor().get("/wps/system/boot").await;
    assert_eq!(boot.value()["switches"]["COMM3"], false);
    assert_eq!(boot.value()["switches"]["LOGIN"], true);

    // A page that looked before is told so, and so is one that sends what is there already.
    let stale = json!({
        "kind": "switch", "name": "COMM3", "seen": { "enabled": true },
        "value": { "enabled": false }, "reason": "late to it",
    });
    put(&admin, &stale).await.assert_refused(409, "site.stale");
    let same = change(&admin, "switch", "COMM3", json!({ "enabled": false })).await;
    assert_eq!(same.body["fields"], json!({ "value": "unchanged" }));

    let on = undo(&admin, &off).await;
    assert_eq!(on.value()["undoes"], off.value()["id"]);
    test.visitor().login("maria", "a-good-password").await.value();
    undo(&admin, &off).await.assert_refused(409, "site.changed_since");
    // An undo is a change like others: it can be taken back, too, and then once more.
    undo(&admin, &on).await.value();
    undo(&admin, &on).await.assert_refused(409, "site.changed_since");
    undo(&admin, &off).await.value();
    change(&admin, "switch", "COMM3", json!({ "enabled": false })).await.value();
    undo(&admin, &off).await.assert_refused(409, "site.changed_since");
    test.visitor().login("maria", "a-good-password").await.assert_refused(403, "site.switched_off");
}

#[tokio::test]
async fn merchants_of_before_have_the_switches_of_today() {
    let test = office().await;
    test.change("delete from site_switches").await;
    let admin = clerk(&test, "admin").await;
    let switches = settings(&admin).await["switches"].as_array().unwrap().clone();
    let of = |name: &str| switches.iter().find(|node| node["modId"] == name).unwrap().clone();
    assert_eq!(
        of("COMM3"),
        json!({ "modId": "COMM3", "parent": "LOGIN", "enabled": true, "isAsked": true })
    );
    assert_eq!(of("AGENTPOLICY3")["isAsked"], false);
    assert_eq!(of("PWDEXPIRY3")["enabled"], false);
    change(&admin, "switch", "PWDEXPIRY3", json!({ "enabled": true })).await.value();
    let tree = info(&test).await["whitelabelVal"].clone();
    let login = tree.as_array().unwrap().iter().find(|node| node["modId"] == "LOGIN").unwrap();
    let children = login["childrenNodes"].as_array().unwrap();
    let expiry = children.iter().find(|node| node["modId"] == "PWDEXPIRY3").unwrap();
    assert_eq!(expiry["enabled"], "1");
}

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
    assert!(history(&admin, "").await.is_empty());
}

#[tokio::test]
async fn a_rule_changes_what_the_form_takes() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let rule = json!({ "enabled": true, "required": true, "minLength": 2, "maxLength": 64, "patternId": "full_name" });
    let changed = change(&admin, "register_rule", "payeeName", rule).await;
    assert_eq!(info(&test).await["registerRules"]["payeeName"]["patternId"], "full_name");
    let refused = test.visitor().fill_in("maria", &json!({})).await;
    assert_eq!(refused.body["fields"]["payeeName"], "required");
    test.visitor().fill_in("maria", &json!({ "payeeName": "Maria Clara" })).await.value();
    undo(&admin, &changed).await.value();
    test.visitor().fill_in("joselito", &json!({})).await.value();
}

#[tokio::test]
async fn a_way_of_registering_and_its_fields_go_together() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let way = |on: bool| json!({ "enabled": on });
    change(&admin, "switch", "MOBILENUMREG3", way(false)).await.value();
    adjust(&admin, "register_rule", "mobileNum", &json!({ "enabled": false })).await.value();
    let refused = change(&admin, "switch", "MOBILENUMREG3", way(true)).await;
    assert_eq!(refused.body["fields"], json!({ "enabled": "field_off" }));
    let refused = adjust(&admin, "register_rule", "birthday", &json!({ "enabled": false })).await;
    assert_eq!(refused.body["fields"], json!({ "enabled": "needed" }), "whatever the ways are");
    change(&admin, "switch", "USERNAMEREG3", way(false)).await.value();
    adjust(&admin, "register_rule", "username", &json!({ "enabled": false })).await.value();
    // What has nothing to do with it can be turned all the same.
    change(&admin, "switch", "PWDEXPIRY3", way(true)).await.value();
    adjust(&admin, "register_rule", "mobileNum", &json!({ "enabled": true })).await.value();
    change(&admin, "switch", "MOBILENUMREG3", way(true)).await.value();
}

#[tokio::test]
async fn policies_of_countries_come_and_go() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let law = json!({ "minimumAge": 18, "passwordDays": 90, "dialingCode": null,
        "restricted": false, "closedCategories": [] });
    let added = change(&admin, "policy", "DE", law.clone()).await;
    assert_eq!(added.value()["before"], Value::Null);
    let dialing = json!({ "minimumAge": 18, "passwordDays": null, "dialingCode": "49" });
    let refused = change(&admin, "policy", "DE", dialing).await;
    assert_eq!(refused.body["fields"], json!({ "dialingCode": "unknown" }));
    let removed = change(&admin, "policy", "DE", Value::Null).await;
    assert_eq!(removed.value()["after"], Value::Null);
    undo(&admin, &removed).await.value();
    assert_eq!(settings(&admin).await["policies"]["DE"], law);
    adjust(&admin, "policy", "*", &json!({ "minimumAge": 30 })).await.value();
    assert_eq!(info(&test).await["minimumAge"], 30);
    let countries = admin.get("/office/api/settings/countries").await;
    assert!(countries.value().as_array().unwrap().len() > 200);
}

#[tokio::test]
async fn hosts_belong_to_one_merchant_which_keeps_one() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let own = json!({ "shared": false });
    let added = change(&admin, "host", "play.example", own.clone()).await;
    let main = adjust(&admin, "merchant", "", &json!({ "mainDomain": "play.example" })).await;
    assert_eq!(info(&test).await["mainDomain"], "play.example");
    // The links lead there by now.
    change(&admin, "host", "play.example", Value::Null)
        .await
        .assert_refused(409, "site.host_needed");
    undo(&admin, &added).await.assert_refused(409, "site.host_needed");
    undo(&admin, &main).await.value();
    undo(&admin, &added).await.value();

    let body = json!({
        "code": "second", "name": "Second", "currency": "PHP", "timeZone": "Asia/Manila",
        "hosts": ["second.example", "www.second.example"], "reason": "a second brand",
    });
    let second = admin.send(Method::POST, MERCHANTS, Some(&body)).await;
    let path = format!("{MERCHANTS}/{}", second.value().as_str().unwrap());
    change(&admin, "host", "second.example", own.clone())
        .await
        .assert_refused(409, "site.host_taken");
    let remove =
        |host: &str| json!({ "kind": "host", "name": host, "seen": own, "reason": "not ours" });
    let answer = admin.send(Method::PUT, &path, Some(&remove("www.second.example"))).await;
    answer.value();
    let last = admin.send(Method::PUT, &path, Some(&remove("second.example"))).await;
    last.assert_refused(409, "site.host_needed");
}

#[tokio::test]
async fn a_merchant_is_founded_whole_and_for_good() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let body = json!({
        "code": "second", "name": "Second", "currency": "PHP", "timeZone": "Asia/Manila",
        "hosts": ["second.example"], "reason": "a second brand",
    });
    for (field, value) in [
        ("code", json!("Big One")),
        ("name", json!("")),
        ("currency", json!("FUN")),
        ("currency", json!("XXX")),
        ("timeZone", json!("nowhere")),
        ("hosts", json!([])),
        ("hosts", json!(["a.example", "a.example"])),
        ("hosts", json!(["http://a.example"])),
        ("reason", json!("")),
    ] {
        let mut bad = body.clone();
        bad[field] = value;
        let answer = admin.send(Method::POST, MERCHANTS, Some(&bad)).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"].get(field).is_some(), "{}", answer.text);
    }
    let founded = admin.send(Method::POST, MERCHANTS, Some(&body)).await;
    let path = format!("{MERCHANTS}/{}", founded.value().as_str().unwrap());
    let again = admin.send(Method::POST, MERCHANTS, Some(&body)).await;
    assert_eq!(again.body["fields"], json!({ "code": "taken" }));
    let mut other = body.clone();
    other["code"] = json!("third");
    admin.send(Method::POST, MERCHANTS, Some(&other)).await.assert_refused(409, "site.host_taken");

    let second = admin.get(&path).await.value().clone();
    assert_eq!(second["merchant"]["mainDomain"], "second.example");
    assert_eq!(second["switches"], settings(&admin).await["switches"]);
    let changes = admin.get(&format!("{path}/changes")).await.value().clone();
    assert_eq!((&changes[0]["canUndo"], &changes[0]["kind"]), (&json!(false), &json!("merchant")));
    let undo = format!("/office/api/settings/changes/{}/undo", changes[0]["id"].as_str().unwrap());
    let why = json!({ "reason": "not wanted" });
    admin.send(Method::POST, &undo, Some(&why)).await.assert_refused(409, "site.final");

    // Somebody registers there at once, and the books are in order.
    let client = test.visitor();
    let request = |builder: axum::http::request::Builder| {
        builder.header(axum::http::header::HOST, "second.example")
    };
    let page = axum::http::Request::builder().uri("/wps/system/status");
    let page = request(page).body(axum::body::Body::empty()).unwrap();
    assert_eq!(client.send(page).await.value()["status"], 0);
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn maintenance_closes_the_site_on_every_node_and_opens_it_again() {
    let test = office().await;
    let node = test.another_node();
    let admin = clerk(&test, "admin").await;
    let member = test.member("maria").await;
    assert_eq!(node.visitor().get("/wps/system/status").await.value()["status"], 0);
    let closed = change(&admin, "maintenance", "", json!({ "on": true })).await;
    member.get("/wps/v2/wallets/balance").await.assert_refused(503, "site.maintenance");
    a_second().await;
    assert_eq!(node.visitor().get("/wps/system/status").await.value()["status"], 1);
    assert_eq!(node.visitor().get("/wps/system/boot").await.value()["status"], 1);
    undo(&admin, &closed).await.value();
    member.get("/wps/v2/wallets/balance").await.value();
    // Open pages hear of both.
    let events: Vec<Value> = sqlx::query_scalar(
        "select to_jsonb(event) from platform_events where starts_with(topic, 'site:')",
    )
    .fetch_all(&test.owner)
    .await
    .unwrap();
    assert_eq!(events, vec![json!({ "type": "settings" }); 2]);
}

#[tokio::test]
async fn a_brand_is_what_pages_are_told() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let told = info(&test).await;
    let brand = &told["brand"];
    assert_eq!(brand["platform"], "WEB");
    assert_eq!(brand["agentUserTypes"], json!([1, 2, 41, 42]));
    assert_eq!(brand["esportProviders"], json!(["AV", "IMES", "IA", "AI", "TF"]));
    assert_eq!(
        (&told["domainRoute"], &brand["gameTypeLabels"]["BG"]),
        (&json!("/"), &json!("Bingo"))
    );
    let place = json!({
        "labelNameEn": "Follow us", "name": "capiz", "resourceType": "TELEGRAM",
        "url": "https://t.example/capiz",
    });
    let fields = json!({
        "resources": [place], "customerService": "https://help.example/chat",
        "imageCDNs": ["https://img.example"], "analyticsId": "G-1", "languages": ["EN"],
    });
    let changed = adjust(&admin, "brand", "", &fields).await;
    let told = info(&test).await;
    assert_eq!(told["resources"][0]["resourceType"], "TELEGRAM");
    assert_eq!(told["imageCDNs"], json!(["https://img.example"]));
    assert_eq!(told["analyticsId"], "G-1");
    assert_eq!(told["brand"]["customerService"], "https://help.example/chat");
    assert!(told["brand"]["gameTypeLabels"].get("BG").is_none(), "no Tagalog, no bingo");
    let boot = test.visitor().get("/wps/system/boot").await.value().clone();
    assert_eq!(boot["merchant"]["languages"], json!(["EN"]));
    assert_eq!(boot["links"]["service"], "https://help.example/chat");
    let place =
        json!({ "label": "Follow us", "url": "https://t.example/capiz", "type": "TELEGRAM" });
    assert_eq!(boot["links"]["social"], json!([place]));
    undo(&admin, &changed).await.value();
    assert_eq!(info(&test).await["resources"], json!([]));
}

#[tokio::test]
async fn the_language_of_who_has_not_chosen_is_the_brands() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let lang = async |accept: &str| {
        let request = axum::http::Request::builder()
            .uri("/wps/system/boot")
            .header("accept-language", accept)
            .body(axum::body::Body::empty());
        test.send(request.unwrap()).await.value()["lang"].clone()
    };
    assert_eq!(lang("de").await, "EN");
    adjust(&admin, "brand", "", &json!({ "defaultLanguage": "TY" })).await.value();
    assert_eq!((lang("de").await, lang("en").await), (json!("TY"), json!("EN")));
    let only = json!({ "languages": ["TY"] });
    adjust(&admin, "brand", "", &only).await.value();
    assert_eq!(lang("en").await, "TY");
}

#[tokio::test]
async fn the_history_is_kept_and_the_trail_has_it() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    for on in [false, true, false] {
        change(&admin, "switch", "COMM3", json!({ "enabled": on })).await.value();
    }
    let last = adjust(&admin, "merchant", "", &json!({ "welcomeCredit": "12.5" })).await;
    let content = clerk(&test, "content").await;
    let rows = history(&content, "").await;
    let numbers: Vec<_> = rows.iter().map(|row| row["seq"].as_i64().unwrap()).collect();
    assert_eq!(numbers, [4, 3, 2, 1]);
    assert_eq!(rows[0]["actor"], "admin");
    assert_eq!(rows[0]["reason"], "the operator wants it so");
    let can_undo: Vec<_> = rows.iter().map(|row| row["canUndo"].as_bool().unwrap()).collect();
    assert_eq!(can_undo, [true, true, false, false]);
    assert_eq!(history(&content, "kind=switch&name=COMM3&limit=2").await.len(), 2);
    assert_eq!(history(&content, "before=3&actor=admin").await.len(), 2);
    assert_eq!(history(&content, "actor=cashier").await.len(), 0);
    let bad = format!("{}/changes?kind=theme", path_of(&content).await);
    content.get(&bad).await.assert_refused(400, "request.malformed");

    undo(&admin, &last).await.value();
    let auditor = clerk(&test, "auditor").await;
    let trail = auditor.get("/office/api/trail?action=site.&subject=setting:capiz/").await;
    let actions: Vec<_> = trail
        .value()
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["site.undo", "site.change", "site.change", "site.change", "site.change"]);
    let undone = &trail.value()[0];
    assert_eq!(undone["subject"], "setting:capiz/merchant");
    assert_eq!(undone["reason"], "it was a mistake");
    let before: Value = serde_json::from_str(undone["before"].as_str().unwrap()).unwrap();
    assert_eq!(before["welcomeCredit"], "12.5");
    staff::check_trail(&test.app).await.unwrap();

    // Nobody writes the history anew, not even the server itself.
    for sql in [
        "update site_changes set reason = 'another one'",
        "delete from site_changes",
        "truncate site_changes",
    ] {
        let error = sqlx::query(sql).execute(&test.app.db).await.unwrap_err();
        let code = error.as_database_error().unwrap().code().unwrap().into_owned();
        assert_eq!(code, "42501", "{sql}");
    }
}

#[tokio::test]
async fn of_two_who_saw_the_same_one_is_refused() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let seen = found(&settings(&admin).await, "merchant", "");
    let path = path_of(&admin).await;
    let bodies: Vec<_> = (1..9)
        .map(|minutes| {
            let mut value = seen.clone();
            value["codeMinutes"] = json!(minutes + 2);
            json!({ "kind": "merchant", "seen": seen, "value": value, "reason": "all at once" })
        })
        .collect();
    let answers = bodies.iter().map(|body| admin.send(Method::PUT, &path, Some(body)));
    let answers = join_all(answers).await;
    let good = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(good, 1);
    for answer in answers.iter().filter(|answer| answer.status != StatusCode::OK) {
        answer.assert_refused(409, "site.stale");
    }
    let changed = answers.iter().find(|answer| answer.status == StatusCode::OK).unwrap();
    let id = changed.value()["id"].as_str().unwrap();
    let undo = format!("/office/api/settings/changes/{id}/undo");
    let why = json!({ "reason": "all at once" });
    let undone = join_all((0..5).map(|_| admin.send(Method::POST, &undo, Some(&why)))).await;
    let good = undone.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(good, 1);
    assert_eq!(found(&settings(&admin).await, "merchant", ""), seen);
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 1).unwrap() % limit
    }

    fn of<'a>(&mut self, names: &[&'a str]) -> &'a str {
        names[self.below(names.len())]
    }

    fn is_even(&mut self) -> bool {
        self.below(2) == 0
    }

    /// A change that somebody could make.
    fn change(&mut self, now: &Value) -> (&'static str, String, Value) {
        match self.below(7) {
            0 => {
                let name =
                    self.of(&["COMM3", "USERNAMEREG3", "MOBILENUMREG3", "REGMOBVERF3", "salary"]);
                ("switch", name.to_owned(), json!({ "enabled": self.is_even() }))
            }
            1 => {
                let name = self.of(&["username", "mobileNum", "email", "payeeName", "line"]);
                let mut rule = now["registerRules"][name]["rule"].clone();
                rule["enabled"] = json!(self.is_even());
                rule["maxLength"] = json!(10 + self.below(6));
                ("register_rule", name.to_owned(), rule)
            }
            2 => {
                let name = self.of(&["DE", "JP", "PH"]);
                let law = json!({ "minimumAge": 18 + self.below(9), "passwordDays": null, "dialingCode": null });
                ("policy", name.to_owned(), if self.is_even() { law } else { Value::Null })
            }
            3 => {
                let name = self.of(&["a.example", "b.example", "localhost", "127.0.0.1"]);
                let host = json!({ "shared": self.is_even() });
                ("host", name.to_owned(), if self.is_even() { host } else { Value::Null })
            }
            4 => ("maintenance", String::new(), json!({ "on": self.is_even() })),
            5 => {
                let mut brand = now["brand"].clone();
                brand["analyticsId"] = json!(format!("G-{}", self.below(3)));
                brand["prizeModes"] = if self.is_even() { json!([]) } else { json!(["SEA"]) };
                ("brand", String::new(), brand)
            }
            _ => {
                let mut merchant = now["merchant"].clone();
                merchant["codeMinutes"] = json!(1 + self.below(10));
                let hosts = now["hosts"].as_object().unwrap();
                let at = self.below(hosts.len());
                merchant["mainDomain"] = json!(hosts.keys().nth(at).unwrap());
                ("merchant", String::new(), merchant)
            }
        }
    }
}

#[tokio::test]
async fn undoing_everything_gives_back_the_first_state() {
    let test = office().await;
    let admin = clerk(&test, "admin").await;
    let first = settings(&admin).await;
    for seed in 1..=6 {
        let mut dice = Dice(seed);
        let mut done = Vec::new();
        for _ in 0..25 {
            let (kind, name, value) = dice.change(&settings(&admin).await);
            let answer = change(&admin, kind, &name, value.clone()).await;
            assert!(!answer.status.is_server_error(), "{kind} {name} {value}: {}", answer.text);
            if answer.status == StatusCode::OK {
                done.push((answer, settings(&admin).await));
            }
        }
        assert!(done.len() > 8, "seed {seed} changes something");
        while let Some((answer, state)) = done.pop() {
            assert_eq!(settings(&admin).await, state, "seed {seed}");
            undo(&admin, &answer).await.value();
        }
        assert_eq!(settings(&admin).await, first, "seed {seed}");
    }
    staff::check_trail(&test.app).await.unwrap();
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
