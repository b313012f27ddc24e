//! The catalogue in the office: changed, refused, recorded in the audit log, visible on every node.

use axum::http::Method;
use serde_json::{Value, json};

use super::{launch, page};
use crate::harness::{Answer, TestApp};
use crate::office::{Clerk, clerk, office};

const GAMES: &str = "/office/api/games";

async fn find(clerk: &Clerk<'_>, query: &str) -> Vec<Value> {
    let answer = clerk.get(&format!("{GAMES}/catalogue?{query}")).await;
    answer.value()["content"].as_array().unwrap().clone()
}

async fn put(clerk: &Clerk<'_>, path: &str, seen: &Value, value: &Value) -> Answer {
    let body = json!({ "seen": seen, "value": value, "reason": "the operator wants it so" });
    clerk.send(Method::PUT, &format!("{GAMES}/{path}"), Some(&body)).await
}

/// Waits until the other nodes have refreshed their caches.
async fn a_second() {
    tokio::time::sleep(std::time::Duration::from_millis(1_050)).await;
}

async fn merchant_id(test: &TestApp) -> String {
    test.merchant().await.id.to_string()
}

#[tokio::test]
async fn maintenance_is_on_at_once_and_on_every_node_a_second_later() {
    let test = office().await;
    let node = test.another_node();
    let maria = test.member("maria").await;
    node.visitor().get("/lgw/games/popular").await.value();
    let content = clerk(&test, "content").await;

    let seen = find(&content, "search=mines").await[0]["value"].clone();
    let mut value = seen.clone();
    value["maintenance"] = json!(true);
    assert_eq!(put(&content, "catalogue/mines", &seen, &value).await.value(), &value);
    launch(&maria, "mines").await.assert_refused(409, "games.maintenance");
    a_second().await;
    let list = node.visitor().get("/lgw/games?search=mines").await;
    assert_eq!(list.value()["content"][0]["maintenance"], true);
    // An edit based on an older state is refused, and so is one without a change.
    put(&content, "catalogue/mines", &seen, &value).await.assert_refused(409, "site.stale");
    put(&content, "catalogue/mines", &value, &value).await.assert_refused(400, "input.invalid");
    assert_eq!(find(&content, "maintenance=true").await.len(), 1);

    let vendors = content.get(&format!("{GAMES}/vendors")).await;
    assert_eq!(vendors.value()[0]["games"], 12);
    let seen = vendors.value()[0]["value"].clone();
    let mut value = seen.clone();
    value["maintenance"] = json!(true);
    value["displayName"] = json!("The Studio");
    let after = put(&content, "vendors/CAPIZ", &seen, &value).await;
    assert_eq!(after.value()[0]["value"], value);
    launch(&maria, "dice").await.assert_refused(409, "games.maintenance");
    let card = test.visitor().get("/lgw/games/vendors").await;
    assert_eq!(card.value()[0]["displayName"], "The Studio");

    let auditor = clerk(&test, "auditor").await;
    let entries = auditor.audit_log(&json!({ "limit": 10 })).await;
    for action in ["games.game", "games.vendor"] {
        assert!(entries.text.contains(action), "{action}: {}", entries.text);
    }
}

#[tokio::test]
async fn a_merchants_offer_is_changed_with_its_order_and_limits() {
    let test = office().await;
    let maria = test.member("maria").await;
    let content = clerk(&test, "content").await;
    let merchant = merchant_id(&test).await;
    let query = format!("merchantId={merchant}&search=keno");
    let seen = find(&content, &query).await[0]["offer"].clone();
    assert_eq!(seen, json!({ "visible": true, "position": null, "limits": {} }));
    let limits = json!({ "PHP": { "minStake": "2", "maxStake": "50", "maxPayout": "5000" } });
    let value = json!({ "visible": true, "position": 0, "limits": limits });
    let path = format!("merchants/{merchant}/offers/keno");
    put(&content, &path, &seen, &value).await.value();
    assert_eq!(page(&test.visitor(), "pageSize=1").await, ["keno"]);
    assert_eq!(launch(&maria, "keno").await.value()["limits"]["maxStake"], "50");
    assert_eq!(find(&content, &query).await[0]["offer"], value);
    let hidden = json!({ "visible": false, "position": null, "limits": {} });
    put(&content, &path, &value, &hidden).await.value();
    launch(&maria, "keno").await.assert_refused(404, "games.unknown_game");
    let query = format!("merchantId={merchant}&visible=false");
    assert_eq!(find(&content, &query).await[0]["code"], "keno");
    put(&content, &path, &value, &hidden).await.assert_refused(409, "site.stale");
}

#[tokio::test]
async fn nonsense_is_refused_by_its_field() {
    let test = office().await;
    let content = clerk(&test, "content").await;
    let merchant = merchant_id(&test).await;
    let seen = json!({ "visible": true, "position": null, "limits": {} });
    let limits = |min: &str, max: &str, payout: &str| json!({ "PHP": { "minStake": min, "maxStake": max, "maxPayout": payout } });
    for (field, value) in [
        ("position", json!({ "visible": true, "position": -1, "limits": {} })),
        ("limits", json!({ "visible": true, "position": null, "limits": limits("0", "1", "2") })),
        ("limits", json!({ "visible": true, "position": null, "limits": limits("3", "2", "9") })),
        ("limits", json!({ "visible": true, "position": null, "limits": limits("1", "5", "4") })),
        (
            "limits",
            json!({ "visible": true, "position": null, "limits": limits("0.001", "5", "9") }),
        ),
        (
            "limits",
            json!({ "visible": true, "position": null, "limits": limits("1", "5", "1000000001") }),
        ),
        (
            "limits",
            json!({ "visible": true, "position": null,
            "limits": { "PTS": { "minStake": "1", "maxStake": "1", "maxPayout": "1" } } }),
        ),
    ] {
        let answer =
            put(&content, &format!("merchants/{merchant}/offers/dice"), &seen, &value).await;
        answer.assert_refused(400, "input.invalid");
        assert!(answer.body["fields"][field].is_string(), "{value}: {}", answer.text);
    }
    let other = json!({ "visible": false, "position": null, "limits": {} });
    put(&content, &format!("merchants/{merchant}/offers/nothing"), &seen, &other)
        .await
        .assert_refused(404, "games.unknown_game");
    let nobody = "0197c000-0000-7000-8000-000000000000";
    put(&content, &format!("merchants/{nobody}/offers/dice"), &seen, &other)
        .await
        .assert_refused(404, "site.unknown_merchant");
    let vendor = json!({ "displayName": "X", "position": 1, "maintenance": true });
    put(&content, "vendors/NOBODY", &vendor, &vendor)
        .await
        .assert_refused(404, "games.unknown_vendor");
    let nameless = json!({ "displayName": " ", "position": 1, "maintenance": true });
    put(&content, "vendors/CAPIZ", &vendor, &nameless).await.assert_refused(400, "input.invalid");
    let body = json!({ "seen": seen, "value": other, "reason": "" });
    let path = format!("{GAMES}/merchants/{merchant}/offers/dice");
    content.send(Method::PUT, &path, Some(&body)).await.assert_refused(400, "input.invalid");
}
