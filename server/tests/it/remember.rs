//! Remembered passwords: the server's share of the encryption key.

use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::Duration;
use serde_json::{Value, json};

use crate::harness::{Client, PASSWORD, TestApp};

const PATH: &str = "/wps/session/remember";

fn share(byte: u8) -> String {
    BASE64_URL_SAFE_NO_PAD.encode([byte; 32])
}

async fn keep(client: &Client<'_>, share: &str) {
    client.request(Method::PUT, PATH, Some(&json!({ "share": share }))).await.value();
}

/// The share that a page in this browser receives, logged in or not.
async fn recall(client: &Client<'_>) -> Value {
    let mut page = client.clone();
    page.token = None;
    page.get(PATH).await.value().clone()
}

#[tokio::test]
async fn a_device_gets_its_share_back_for_a_day() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    assert_eq!(recall(&member).await, Value::Null);
    keep(&member, &share(7)).await;
    assert_eq!(recall(&member).await, json!({ "share": share(7) }));
    // The share survives a logout, which is its purpose.
    member.request(Method::DELETE, "/wps/session/logout", None).await.value();
    assert_eq!(recall(&member).await, json!({ "share": share(7) }));
    // Other devices and pages without a device cookie do not receive it.
    let other = test.member("josefa").await;
    assert_eq!(recall(&other).await, Value::Null);
    assert_eq!(recall(&test.visitor()).await, Value::Null);
    test.advance(Duration::hours(24) - Duration::seconds(1));
    assert_eq!(recall(&member).await, json!({ "share": share(7) }));
    test.advance(Duration::seconds(1));
    assert_eq!(recall(&member).await, Value::Null);
}

#[tokio::test]
async fn a_device_has_one_share_and_drops_it() {
    let test = TestApp::new().await;
    let mut device = test.member("maria").await;
    keep(&device, &share(1)).await;
    keep(&device, &share(2)).await;
    assert_eq!(recall(&device).await, json!({ "share": share(2) }));
    device.register("josefa", PASSWORD).await.value();
    keep(&device, &share(3)).await;
    assert_eq!(recall(&device).await, json!({ "share": share(3) }));
    let kept: i64 = sqlx::query_scalar("select count(*) from sessions_shares")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(kept, 1);
    device.token = None;
    device.request(Method::DELETE, PATH, None).await.value();
    assert_eq!(recall(&device).await, Value::Null);
    test.visitor().request(Method::DELETE, PATH, None).await.value();
}

#[tokio::test]
async fn a_new_password_drops_the_shares_of_all_devices() {
    let test = TestApp::new().await;
    let (here, bystander) = (test.member("maria").await, test.member("josefa").await);
    let mut there = test.visitor();
    there.login("maria", PASSWORD).await.value();
    for client in [&here, &there, &bystander] {
        keep(client, &share(7)).await;
    }
    let body = json!({
        "oldPassword": PASSWORD, "newPassword": "mango riot at noon",
        "confirmNewPassword": "mango riot at noon",
    });
    here.sealed(Method::POST, "/wps/member/password", &body).await.value();
    assert_eq!((recall(&here).await, recall(&there).await), (Value::Null, Value::Null));
    assert_eq!(recall(&bystander).await, json!({ "share": share(7) }));
}

#[tokio::test]
async fn keeping_takes_a_member_and_thirty_two_bytes() {
    let test = TestApp::new().await;
    let put = async |client: &Client<'_>, body: Value| {
        client.request(Method::PUT, PATH, Some(&body)).await
    };
    let good = json!({ "share": share(7) });
    put(&test.visitor(), good.clone()).await.assert_refused(401, "session.required");
    put(&test.trial().await, good.clone()).await.assert_refused(403, "session.trial");
    let member = test.member("maria").await;
    let long = BASE64_URL_SAFE_NO_PAD.encode([7; 33]);
    for wrong in ["", "*", &share(7)[1..], &long, &format!("{}=", share(7))] {
        let refused = put(&member, json!({ "share": wrong })).await;
        refused.assert_refused(400, "input.invalid");
        assert_eq!(refused.body["fields"], json!({ "share": "invalid" }));
    }
    for wrong in [json!({}), json!({ "share": 7 }), json!([])] {
        put(&member, wrong).await.assert_refused(400, "request.malformed");
    }
    assert_eq!(recall(&member).await, Value::Null);
}

#[tokio::test]
async fn the_table_tells_no_share_and_opens_nowhere_else() {
    let test = TestApp::new().await;
    test.change(
        "insert into site_merchants values ('018f0000-0000-7000-8000-000000000002', 'second',
            'Second', 'PHP', 'Asia/Manila', 'second.example', 70000, false, now());
         insert into site_hosts values
            ('second.example', '018f0000-0000-7000-8000-000000000002', false)",
    )
    .await;
    let (maria, josefa) = (test.member("maria").await, test.member("josefa").await);
    keep(&maria, &share(7)).await;
    let row: String = sqlx::query_scalar("select s::text from sessions_shares s")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert!(!row.contains(&hex::encode([7; 8])), "{row}");
    // The same device on another merchant's site, with the cookie's name for a plain connection.
    let mut there = maria.clone();
    there.token = None;
    there.cookies = there.cookies.iter().map(|c| c.replace("__Host-", "")).collect();
    let request = Request::get(PATH).header(header::HOST, "second.example");
    let answer = there.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.value(), &Value::Null);
    // A row moved to another device cannot be decrypted there.
    keep(&josefa, &share(9)).await;
    test.change(
        "update sessions_shares a set share = b.share from sessions_shares b
         where a.member_id <> b.member_id",
    )
    .await;
    assert_eq!((recall(&maria).await, recall(&josefa).await), (Value::Null, Value::Null));
}

#[tokio::test]
async fn a_merchant_may_switch_it_off_and_then_nothing_is_kept() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    keep(&member, &share(7)).await;
    test.switch("REMEMBERPASS3", false).await;
    let refused = member.request(Method::PUT, PATH, Some(&json!({ "share": share(8) }))).await;
    refused.assert_refused(403, "site.switched_off");
    assert_eq!(recall(&member).await, Value::Null);
    // It was deleted, and turning the switch on again does not restore it.
    test.switch("REMEMBERPASS3", true).await;
    assert_eq!(recall(&member).await, Value::Null);
    keep(&member, &share(9)).await;
    test.switch("REMEMBERPASS3", false).await;
    member.request(Method::DELETE, PATH, None).await.value();
    // The page reads the switch in its boot data.
    assert!(!test.merchant().await.flat_switches()["REMEMBERPASS3"]);
}
