//! Registration, login, logout, and what a session requires.

use axum::http::{Method, StatusCode, header};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::Duration;
use serde_json::{Value, json};

use crate::harness::{Client, PASSWORD, TestApp};

#[tokio::test]
async fn a_new_member_finds_the_welcome_credit() {
    let test = TestApp::new().await;
    let mut client = test.visitor();
    let answer = client.register("Maria", "a-good-password").await;
    assert_eq!(answer.value()["firstTimeLogin"], true);
    let info = client.get("/wps/member/info").await;
    let info = info.value();
    assert_eq!(
        (&info["account"], &info["type"], &info["isTrial"], &info["currency"]),
        (&json!("Maria"), &json!(0), &json!(false), &json!("PHP"))
    );
    assert_eq!(client.balance().await, "1000");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn a_username_belongs_to_one_member_whatever_its_case() {
    let test = TestApp::new().await;
    test.member("maria").await;
    test.visitor()
        .register("MARIA", "a-good-password")
        .await
        .assert_refused(409, "member.name_taken");
}

#[tokio::test]
async fn racing_registrations_make_one_member() {
    let test = TestApp::new().await;
    let tries = (0..8).map(|_| async {
        test.visitor().register("maria", "a-good-password").await.status.as_u16()
    });
    let mut statuses = futures_util::future::join_all(tries).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn whoever_logs_in_while_logged_in_ends_the_session_before() {
    let test = TestApp::new().await;
    test.member("josefa").await;
    let mut page = test.member("maria").await;
    let other_tab = {
        let mut tab = page.clone();
        tab.token = None;
        tab.login("maria", PASSWORD).await.value();
        tab
    };
    // A login as another or the same member ends the page's session; a refused login ends nothing.
    for name in ["josefa", "maria"] {
        let before = page.clone();
        page.login(name, "not-this-one").await.assert_refused(400, "session.wrong_credentials");
        before.get("/wps/member/info").await.value();
        page.login(name, PASSWORD).await.value();
        before.get("/wps/member/info").await.assert_refused(401, "session.required");
        assert_eq!(page.get("/wps/member/info").await.value()["account"], name);
    }
    // Only the page's own session ends: another tab has its own, and a token without the cookie
    // ends nothing.
    other_tab.get("/wps/member/info").await.value();
    let mut thief = test.visitor();
    thief.token = page.token.clone();
    thief.login("josefa", PASSWORD).await.value();
    page.get("/wps/member/info").await.value();
}

#[tokio::test]
async fn registration_names_every_wrong_field() {
    let test = TestApp::new().await;
    let cases = [
        (json!({"username": "ab"}), "username", "too_short"),
        (json!({"username": "a".repeat(17)}), "username", "too_long"),
        (json!({"username": "1abc"}), "username", "pattern"),
        (json!({"username": "maria clara"}), "username", "pattern"),
        (json!({"password": "short", "confirmPassword": "short"}), "password", "too_short"),
        (json!({"confirmPassword": "another-password"}), "confirmPassword", "mismatch"),
        (json!({"adult": false}), "adult", "required"),
        (json!({"terms": false}), "terms", "required"),
    ];
    for (change, field, code) in cases {
        let mut body = json!({
            "username": "maria", "password": "a-good-password",
            "confirmPassword": "a-good-password",
            "adult": true, "ofAge": true, "birthday": "1990-05-17", "terms": true,
        });
        for (name, value) in change.as_object().unwrap() {
            body[name] = value.clone();
        }
        let answer = test.visitor().sealed(Method::PUT, "/wps/member/register", &body).await;
        answer.assert_refused(400, "input.invalid");
        assert_eq!(answer.body["fields"][field], code, "{}", answer.text);
    }
}

#[tokio::test]
async fn login_needs_the_right_password() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let mut client = test.visitor();
    let wrong = client.login("maria", "a-bad-password").await;
    wrong.assert_refused(400, "session.wrong_credentials");
    let unknown = client.login("nobody", "a-good-password").await;
    unknown.assert_refused(400, "session.wrong_credentials");
    assert_eq!(wrong.body, unknown.body);
    let right = client.login(" MARIA ", "a-good-password").await;
    assert_eq!(right.value()["firstTimeLogin"], false);
    let info = client.get("/wps/member/info").await;
    assert!(info.value()["lastLoginAt"].is_string());
}

#[tokio::test]
async fn a_session_needs_both_halves() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let mut stolen = test.visitor();
    stolen.token.clone_from(&member.token);
    stolen.get("/wps/member/info").await.assert_refused(401, "session.required");
    let other = test.member("jose").await;
    stolen.cookies.clone_from(&other.cookies);
    stolen.get("/wps/member/info").await.assert_refused(401, "session.required");
    stolen.cookies.clone_from(&member.cookies);
    stolen.get("/wps/member/info").await.value();
}

#[tokio::test]
async fn the_device_cookie_is_closed_to_scripts() {
    let test = TestApp::new().await;
    let answer = test.visitor().register("maria", "a-good-password").await;
    let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap();
    for part in ["__Host-capiz-device=", "HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
}

#[tokio::test]
async fn a_planted_plain_cookie_does_not_stand_in_for_the_real_one() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let mut planted = member.clone();
    planted.cookies = vec![member.cookies[0].replace("__Host-", "")];
    planted.get("/wps/member/info").await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn logout_ends_the_session_and_only_it() {
    let test = TestApp::new().await;
    let first = test.member("maria").await;
    let mut second = first.clone();
    // Another tab, whose session is independent of this one.
    second.token = None;
    second.login("maria", "a-good-password").await;
    first.request(Method::DELETE, "/wps/session/logout", None).await.value();
    first.get("/wps/member/info").await.assert_refused(401, "session.required");
    second.get("/wps/member/info").await.value();
}

#[tokio::test]
async fn a_session_ends_when_idle_or_old() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    test.advance(Duration::minutes(14));
    member.get("/wps/member/info").await.value();
    test.advance(Duration::minutes(14));
    member.get("/wps/member/info").await.value();
    test.advance(Duration::minutes(16));
    member.get("/wps/member/info").await.assert_refused(401, "session.required");
    let member = test.member("jose").await;
    for _ in 0..(12 * 60 / 10 - 1) {
        test.advance(Duration::minutes(10));
        member.get("/wps/member/info").await.value();
    }
    test.advance(Duration::minutes(10));
    member.get("/wps/member/info").await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn a_session_that_was_just_seen_still_ends_when_idle_or_old() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    member.get("/wps/member/info").await.value();
    test.advance(Duration::minutes(15));
    member.get("/wps/member/info").await.assert_refused(401, "session.required");
    let member = test.member("jose").await;
    for _ in 0..(12 * 6 - 1) {
        test.advance(Duration::minutes(10));
        member.get("/wps/member/info").await.value();
    }
    test.advance(Duration::minutes(10));
    member.get("/wps/member/info").await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn a_sign_of_life_is_written_once_a_minute() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let seen = async || -> chrono::DateTime<chrono::Utc> {
        member.get("/wps/member/info").await.value();
        sqlx::query_scalar("select seen_at from sessions_tokens")
            .fetch_one(&test.owner)
            .await
            .unwrap()
    };
    let start = seen().await;
    test.advance(Duration::seconds(60));
    assert_eq!(seen().await, start);
    test.advance(Duration::seconds(1));
    assert_eq!(seen().await, start + Duration::seconds(61));
    test.advance(Duration::seconds(30));
    assert_eq!(seen().await, start + Duration::seconds(61));
}

#[tokio::test]
async fn logging_out_counts_at_once_for_every_request_of_the_token() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let other = test.member("jose").await;
    // The node has all sessions in its cache by now.
    for client in [&member, &other] {
        client.get("/wps/member/info").await.value();
    }
    let others = (0..20).map(|_| member.get("/wps/member/info"));
    let logout = member.request(Method::DELETE, "/wps/session/logout", None);
    let (_, left) = tokio::join!(futures_util::future::join_all(others), logout);
    left.value();
    member.get("/wps/member/info").await.assert_refused(401, "session.required");
    other.get("/wps/member/info").await.value();
}

#[tokio::test]
async fn a_session_that_ends_elsewhere_is_refused_within_a_second() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    member.get("/wps/member/info").await.value();
    sqlx::query("update sessions_tokens set ended_at = seen_at")
        .execute(&test.owner)
        .await
        .unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    member.get("/wps/member/info").await.assert_refused(401, "session.required");
}

#[tokio::test]
async fn a_known_session_opens_to_no_other_device_and_no_other_member() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let other = test.member("jose").await;
    for client in [&member, &other] {
        client.get("/wps/member/info").await.value();
    }
    let mut stolen = test.visitor();
    stolen.token.clone_from(&member.token);
    stolen.get("/wps/member/info").await.assert_refused(401, "session.required");
    stolen.cookies.clone_from(&other.cookies);
    stolen.get("/wps/member/info").await.assert_refused(401, "session.required");
    let mut forged = member.clone();
    forged.token = Some(forge(&member, &other));
    forged.get("/wps/member/info").await.assert_refused(401, "session.required");
    member.get("/wps/member/info").await.value();
}

/// The first 16 bytes of a token are the member's id: combines another member's id with one's own
/// secret.
fn forge(own: &Client<'_>, other: &Client<'_>) -> String {
    let bytes = |client: &Client<'_>| {
        BASE64_URL_SAFE_NO_PAD.decode(client.token.as_deref().unwrap()).unwrap()
    };
    BASE64_URL_SAFE_NO_PAD.encode([&bytes(other)[..16], &bytes(own)[16..]].concat())
}

#[tokio::test]
async fn a_demo_account_has_demo_money_only() {
    let test = TestApp::new().await;
    let trial = test.trial().await;
    let info = trial.get("/wps/member/info").await;
    assert_eq!((&info.value()["isTrial"], &info.value()["type"]), (&json!(true), &json!(4)));
    let balance = trial.get("/wps/v2/wallets/balance").await;
    assert_eq!(balance.value(), &json!({ "currency": "FUN", "balance": "10000", "version": 1 }));
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn switches_are_enforced_by_the_server() {
    let test = TestApp::new().await;
    test.member("maria").await;
    for (switch, is_login) in [("COMM3", true), ("DIRECTREG3", false), ("REGISTER", false)] {
        set_switch(&test, switch, false).await;
        let answer = match is_login {
            true => test.visitor().login("maria", "a-good-password").await,
            false => test.visitor().register("josefa", "a-good-password").await,
        };
        answer.assert_refused(403, "site.switched_off");
        set_switch(&test, switch, true).await;
    }
    assert_eq!(test.visitor().register("josefa", "a-good-password").await.status, StatusCode::OK);
}

async fn set_switch(test: &TestApp, switch: &str, enabled: bool) {
    sqlx::query("update site_switches set enabled = $2 where mod_id = $1")
        .bind(switch)
        .bind(enabled)
        .execute(&test.owner)
        .await
        .unwrap();
    test.app.site.sites.refresh().await;
}

#[tokio::test]
async fn a_sealed_payload_opens_once_and_only_where_it_was_meant() {
    let test = TestApp::new().await;
    test.member("maria").await;
    let client = test.visitor();
    let path = "/wps/session/login";
    let body = json!({
        "type": "username", "username": "maria", "password": PASSWORD,
        "human": client.proof().await,
    });
    let sealed = client.seal(&Method::POST, path, &body).await;
    client.send_sealed(Method::POST, path, &sealed).await.value();
    client.send_sealed(Method::POST, path, &sealed).await.assert_refused(400, "seal.invalid");

    let sealed = client.seal(&Method::POST, "/wps/session/login/freeplay", &body).await;
    client.send_sealed(Method::POST, path, &sealed).await.assert_refused(400, "seal.invalid");

    let sealed = client.seal(&Method::POST, path, &body).await;
    test.advance(Duration::seconds(61));
    client.send_sealed(Method::POST, path, &sealed).await.assert_refused(400, "seal.invalid");

    let mut sealed = client.seal(&Method::POST, path, &body).await;
    sealed["ct"] = Value::String("AAAA".repeat(20));
    client.send_sealed(Method::POST, path, &sealed).await.assert_refused(400, "seal.invalid");
    client.post(path, &body).await.assert_refused(415, "request.unsupported_media_type");
}
