//! Login and registration through the phone service.

use axum::http::Method;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::Duration;
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Answer, TestApp};
use crate::peer::{self, Peer};

const LOGIN: &str = "/wps/session/login/phone";
const UNVERIFIED: &str = "session.phone_unverified";

/// A site with the service enabled.
async fn empty_site(peer: &Peer) -> TestApp {
    let test = peer.site().await;
    test.switch("PHONESERVICE3", true).await;
    test
}

/// The same, with a member whose number the service has verified.
pub async fn site(peer: &Peer) -> TestApp {
    let test = empty_site(peer).await;
    // Uses another subject than the tests, so that its tokens differ from theirs.
    let word = token(peer, &test, json!({ "sub": "u-0" })).await;
    test.visitor().fill_in("maria", &with_number(&word)).await.value();
    test
}

/// A number as in the form, and the service's id token.
fn with_number(id_token: &str) -> Value {
    json!({ "mobileNum": "9171234567", "countryDialingCode": "63", "idToken": id_token })
}

/// An id token of the service for a person who has just verified a number.
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
    let merchant =
        test.app.site.sites.find(&test.app.db, "127.0.0.1", None).await.unwrap().unwrap();
    let verified = identity::phone::verify(&test.app.identity, &merchant, &token).await.unwrap();
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
    identity::purge(&test.app.identity).await.unwrap();
    let count = "select count(*) from sessions_phone_tokens";
    let left: i64 = sqlx::query_scalar(count).fetch_one(&test.owner).await.unwrap();
    assert_eq!(left, 2, "their leeway is not over");
    test.advance(Duration::minutes(2));
    identity::purge(&test.app.identity).await.unwrap();
    let left: i64 = sqlx::query_scalar(count).fetch_one(&test.owner).await.unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn the_services_word_stands_for_a_code_at_registration() {
    let peer = Peer::start();
    let test = empty_site(&peer).await;
    let word = token(&peer, &test, json!({})).await;
    let mut client = test.visitor();
    client.fill_in("maria", &with_number(&word)).await.value();
    let info = client.get("/wps/member/info").await;
    assert_eq!(info.value()["mobileVerified"], true);
    assert_eq!(info.value()["mobileNum"], "+639******567");
    // A token is valid once, for any purpose.
    login(&test, &word).await.assert_refused(400, UNVERIFIED);
    let other = json!({ "mobileNum": "9171234567", "idToken": word });
    let again = test.visitor().fill_in("josefa", &other).await;
    again.assert_refused(409, "member.mobile_taken");
    login(&test, &token(&peer, &test, json!({ "sub": "u-2" })).await).await.value();
}

#[tokio::test]
async fn who_registers_by_number_may_bring_the_services_word() {
    let peer = Peer::start();
    let test = empty_site(&peer).await;
    test.switch("MOBILENUMPASSREG3", false).await;
    let mut form = with_number(&token(&peer, &test, json!({})).await);
    for (name, value) in [
        ("adult", json!(true)),
        ("terms", json!(true)),
        ("ofAge", json!(true)),
        ("birthday", json!("1990-05-17")),
    ] {
        form[name] = value;
    }
    let mut client = test.visitor();
    form["human"] = json!(client.proof().await);
    let answer = client.sealed(Method::PUT, "/wps/member/register/mobile", &form).await;
    client.adopt(&answer);
    let info = client.get("/wps/member/info").await;
    assert_eq!(
        (&info.value()["account"], &info.value()["mobileVerified"]),
        (&json!("+639171234567"), &json!(true))
    );
}

#[tokio::test]
async fn a_word_for_another_number_or_of_nobody_registers_nobody() {
    let peer = Peer::start();
    let test = empty_site(&peer).await;
    let other = token(&peer, &test, json!({ "phone_number": "+639179999999" })).await;
    let refused = test.visitor().fill_in("maria", &with_number(&other)).await;
    refused.assert_refused(400, UNVERIFIED);
    assert_eq!(refused.body["fields"], json!({ "mobileNum": "mismatch" }));
    for text in ["x", "a.b.c", &"A".repeat(5_000)] {
        let refused = test.visitor().fill_in("maria", &with_number(text)).await;
        refused.assert_refused(400, UNVERIFIED);
    }
    // Without an id token, a code is required.
    for nothing in [json!(null), json!("")] {
        let mut form = with_number("");
        form["idToken"] = nothing;
        let refused = test.visitor().fill_in("maria", &form).await;
        assert_eq!(refused.body["fields"], json!({ "verificationCode": "required" }));
    }
    // A token that was not used for anything is still valid.
    let mut form = with_number(&other);
    form["mobileNum"] = json!("9179999999");
    test.visitor().fill_in("maria", &form).await.value();
}

#[tokio::test]
async fn who_loses_the_name_keeps_the_services_word() {
    let peer = Peer::start();
    let test = empty_site(&peer).await;
    test.member("maria").await;
    let word = token(&peer, &test, json!({})).await;
    let taken = test.visitor().fill_in("maria", &with_number(&word)).await;
    taken.assert_refused(409, "member.name_taken");
    test.visitor().fill_in("josefa", &with_number(&word)).await.value();
}

#[tokio::test]
async fn while_the_service_is_off_its_word_counts_for_nothing() {
    let peer = Peer::start();
    let test = empty_site(&peer).await;
    let word = token(&peer, &test, json!({})).await;
    test.switch("PHONESERVICE3", false).await;
    let refused = test.visitor().fill_in("maria", &with_number(&word)).await;
    assert_eq!(refused.body["fields"], json!({ "verificationCode": "required" }));
    test.switch("REGMOBVERF3", false).await;
    let mut client = test.visitor();
    client.fill_in("maria", &with_number(&word)).await.value();
    assert_eq!(client.get("/wps/member/info").await.value()["mobileVerified"], false);
    // Enabled but not configured: nothing is verified.
    let without = TestApp::new().await;
    without.switch("PHONESERVICE3", true).await;
    let refused = without.visitor().fill_in("maria", &with_number(&word)).await;
    refused.assert_refused(403, "site.switched_off");
}

#[tokio::test]
async fn of_racing_registrations_with_one_word_one_is_made() {
    let peer = Peer::start();
    let test = empty_site(&peer).await;
    let word = token(&peer, &test, json!({})).await;
    let tries = stream::iter(0..16).map(|number| {
        let (test, form) = (&test, with_number(&word));
        async move { test.visitor().fill_in(&format!("racer{number}"), &form).await }
    });
    let answers: Vec<Answer> = tries.buffer_unordered(8).collect().await;
    assert_eq!(answers.iter().filter(|answer| answer.status.is_success()).count(), 1);
    assert!(answers.iter().all(|answer| answer.status.as_u16() < 500));
}

/// The boot data of the home page.
async fn boot(test: &TestApp) -> Value {
    let answer = test.visitor().get("/").await;
    let (_, rest) = answer.text.split_once("id=\"boot\"").expect("a page with boot data");
    let (_, rest) = rest.split_once('>').unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[tokio::test]
async fn the_page_is_told_of_the_service_while_it_is_open() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let expected = json!({ "page": format!("{}/phone", peer.issuer), "client": "capiz-phones" });
    assert_eq!(boot(&test).await["phoneService"], expected);
    test.switch("PHONESERVICE3", false).await;
    assert_eq!(boot(&test).await["phoneService"], Value::Null);
    let without = TestApp::new().await;
    without.switch("PHONESERVICE3", true).await;
    assert_eq!(boot(&without).await["phoneService"], Value::Null);
}

#[tokio::test]
async fn the_window_that_comes_back_keeps_its_opener_and_runs_its_own_script_only() {
    let test = TestApp::new().await;
    let page = test.visitor().get("/wps/session/phone/return").await;
    assert_eq!(page.status.as_u16(), 200);
    assert_eq!(page.headers["cross-origin-opener-policy"], "unsafe-none");
    assert_eq!(page.headers["referrer-policy"], "no-referrer");
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    let (_, script) = page.text.rsplit_once("<script>").unwrap();
    let script = script.split_once("</script>").unwrap().0;
    let hash = BASE64_STANDARD.encode(Sha256::digest(script));
    assert!(policy.contains(&format!("script-src 'sha256-{hash}'")), "{policy}");
}

#[tokio::test]
async fn where_nobody_logs_in_by_phone_the_service_lets_nobody_in() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let token = token(&peer, &test, json!({})).await;
    test.switch("MOBILEVERCODELOGIN3", false).await;
    login(&test, &token).await.assert_refused(403, "site.switched_off");
}

#[tokio::test]
async fn a_number_that_the_service_has_not_verified_is_worth_nothing() {
    let peer = Peer::start();
    let test = site(&peer).await;
    let no = token(&peer, &test, json!({ "phone_number_verified": false })).await;
    login(&test, &no).await.assert_refused(400, UNVERIFIED);
    let yes = token(&peer, &test, json!({ "phone_number_verified": true })).await;
    login(&test, &yes).await.value();
}

#[tokio::test]
async fn the_form_says_which_evidence_counts() {
    let peer = Peer::start();
    let test = empty_site(&peer).await;
    let mut form = with_number(&token(&peer, &test, json!({})).await);
    for (channel, refusal) in [("SMS", "input.invalid"), ("PIGEON", "request.malformed")] {
        form["channel"] = json!(channel);
        test.visitor().fill_in("maria", &form).await.assert_refused(400, refusal);
    }
    form["channel"] = json!("SERVICE");
    test.visitor().fill_in("maria", &form).await.value();
}
