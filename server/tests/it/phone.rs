//! Login through the phone service.

use axum::http::Method;
use chrono::Duration;
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};

use crate::harness::{Answer, TestApp};
use crate::peer::{self, Peer};

const LOGIN: &str = "/wps/session/login/phone";
const UNVERIFIED: &str = "session.phone_unverified";

/// A site with the service on, and a member whose number is known.
async fn site(peer: &Peer) -> TestApp {
    let test = peer.site().await;
    test.switch("PHONESERVICE3", true).await;
    test.switch("REGMOBVERF3", false).await;
    let mobile = json!({ "mobileNum": "9171234567", "countryDialingCode": "63" });
    test.visitor().fill_in("maria", &mobile).await.value();
    test
}

/// What the service says of somebody who has just proved to hold a number.
pub async fn token(peer: &Peer, test: &TestApp, change: Value) -> String {
    peer::now(test);
    let now = test.app.clock.now().timestamp();
    let mut claims = json!({
        "iss": "https://phone.example/capiz", "aud": "capiz-phones", "sub": "u-1",
        "iat": now, "exp": now + 3600, "phone_number": "+639171234567",
    });
    for (name, value) in change.as_object().unwrap() {
        claims[name] = value.clone();
    }
    peer.sign(&claims).await
}

pub async fn login(test: &TestApp, token: &str) -> Answer {
    test.visitor().sealed(Method::POST, LOGIN, &json!({ "idToken": token })).await
}

#[tokio::test]
async fn a_verified_number_logs_its_member_in_once() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let token = token(&peer, &test, json!({})).await;
    let mut client = test.visitor();
    let body = json!({ "idToken": token });
    let answer = client.sealed(Method::POST, LOGIN, &body).await;
    assert_eq!(answer.value()["firstTimeLogin"], false);
    client.adopt(&answer);
    assert_eq!(client.get("/wps/member/info").await.value()["account"], "maria");
    client.sealed(Method::POST, LOGIN, &body).await.assert_refused(400, UNVERIFIED);
}

#[tokio::test]
async fn racing_uses_of_a_token_begin_one_session() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let token = token(&peer, &test, json!({})).await;
    let tries = stream::iter(0..200).map(|_| login(&test, &token)).buffer_unordered(32);
    let accepted = tries.filter(|answer| {
        let is_accepted = answer.status.is_success();
        async move { is_accepted }
    });
    assert_eq!(accepted.count().await, 1);
}

#[tokio::test]
async fn tokens_that_prove_nothing_are_refused() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let now = test.app.clock.now().timestamp();
    let cases = [
        json!({ "iss": "https://other.example" }),
        json!({ "aud": "capiz" }),
        json!({ "exp": now - 61 }),
        json!({ "iat": now - 700 }),
        json!({ "phone_number": null }),
        json!({ "phone_number": "09171234567" }),
        json!({ "phone_number": 639_171_234_567_u64 }),
    ];
    for change in cases {
        let token = token(&peer, &test, change.clone()).await;
        login(&test, &token).await.assert_refused(400, UNVERIFIED);
    }
    let token = token(&peer, &test, json!({})).await;
    let (signed, _) = token.rsplit_once('.').unwrap();
    for text in ["", "x", "a.b.c", signed, &format!("{signed}."), &format!("{signed}.AAAA")] {
        login(&test, text).await.assert_refused(400, UNVERIFIED);
    }
    test.visitor()
        .sealed(Method::POST, LOGIN, &json!({}))
        .await
        .assert_refused(400, "request.malformed");
    test.visitor()
        .post(LOGIN, &json!({ "idToken": token }))
        .await
        .assert_refused(415, "request.unsupported_media_type");
    login(&test, &token).await.value();
}

#[tokio::test]
async fn an_unknown_number_is_told_to_register_and_keeps_its_proof() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let token = token(&peer, &test, json!({ "phone_number": "+639179999999" })).await;
    login(&test, &token).await.assert_refused(400, "session.number_unknown");
    let merchant = test.app.sites.find(&test.app.db, "127.0.0.1", None).await.unwrap().unwrap();
    let verified = capiz::sessions::phone::verify(&test.app, &merchant, &token).await.unwrap();
    assert_eq!(verified.mobile.e164(), "+639179999999");
}

#[tokio::test]
async fn the_agents_page_lets_agents_in_only() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let token = token(&peer, &test, json!({})).await;
    let body = json!({ "idToken": token, "agentPage": true });
    let answer = test.visitor().sealed(Method::POST, LOGIN, &body).await;
    answer.assert_refused(403, "session.not_agent");
    sqlx::query("update members_profiles set kind = 1").execute(&test.owner).await.unwrap();
    test.visitor().sealed(Method::POST, LOGIN, &body).await.value();
}

#[tokio::test]
async fn the_switch_and_the_environment_both_decide() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let token = token(&peer, &test, json!({})).await;
    test.switch("PHONESERVICE3", false).await;
    login(&test, &token).await.assert_refused(403, "site.switched_off");
    let without = TestApp::new().await;
    without.switch("PHONESERVICE3", true).await;
    login(&without, &token).await.assert_refused(403, "site.switched_off");
}

#[tokio::test]
async fn spent_tokens_are_forgotten_when_they_have_ended() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let token = token(&peer, &test, json!({})).await;
    login(&test, &token).await.value();
    test.advance(Duration::hours(1));
    capiz::sessions::purge(&test.app).await.unwrap();
    let count = "select count(*) from sessions_phone_tokens";
    let left: i64 = sqlx::query_scalar(count).fetch_one(&test.owner).await.unwrap();
    assert_eq!(left, 1, "its leeway is not over");
    test.advance(Duration::minutes(2));
    capiz::sessions::purge(&test.app).await.unwrap();
    let left: i64 = sqlx::query_scalar(count).fetch_one(&test.owner).await.unwrap();
    assert_eq!(left, 0);
}
