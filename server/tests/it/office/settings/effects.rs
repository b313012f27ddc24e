//! The effects of settings on players, on every node, and that undoing a setting ends its effect.

use axum::http::Method;
use serde_json::{Value, json};

use super::{MERCHANTS, a_second, adjust, change, info, put, settings, undo};
use crate::office::{clerk, office};

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

    // A change based on an older value is refused, and so is one without a change.
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
    // An undo is a change like others: it can be undone, and then done once more.
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
    // Unrelated settings can still be changed.
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
    // The links lead to the new host now.
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
    let changes = admin.find(&format!("{path}/changes/find"), &json!({})).await.value().clone();
    assert_eq!((&changes[0]["canUndo"], &changes[0]["kind"]), (&json!(false), &json!("merchant")));
    let undo = format!("/office/api/settings/changes/{}/undo", changes[0]["id"].as_str().unwrap());
    let why = json!({ "reason": "not wanted" });
    admin.send(Method::POST, &undo, Some(&why)).await.assert_refused(409, "site.final");

    // A registration there works at once, and the ledger is correct.
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
    // Open pages are notified of both.
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
    let settings_seen = info(&test).await;
    let brand = &settings_seen["brand"];
    assert_eq!(brand["platform"], "WEB");
    assert_eq!(brand["agentUserTypes"], json!([1, 2, 41, 42]));
    assert_eq!(brand["esportProviders"], json!(["AV", "IMES", "IA", "AI", "TF"]));
    assert_eq!(
        (&settings_seen["domainRoute"], &brand["gameTypeLabels"]["BG"]),
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
    let settings_seen = info(&test).await;
    assert_eq!(settings_seen["resources"][0]["resourceType"], "TELEGRAM");
    assert_eq!(settings_seen["imageCDNs"], json!(["https://img.example"]));
    assert_eq!(settings_seen["analyticsId"], "G-1");
    assert_eq!(settings_seen["brand"]["customerService"], "https://help.example/chat");
    assert!(settings_seen["brand"]["gameTypeLabels"].get("BG").is_none(), "no Tagalog, no bingo");
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
