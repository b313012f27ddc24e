//! Security log lines about login, refusal and logout, in the JSON format for machines.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{Method, Request};
use chrono::Duration;
use serde_json::{Value, json};

use crate::bind::{bind, mobile};
use crate::harness::{PASSWORD, TestApp};
use crate::office::clerk;
use crate::office::members::id_of;
use crate::policies::GERMANY;
use crate::two_factor;

/// Captures the log in memory, instead of standard error.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Lines {
    /// Captures the log from now on, in the format of `CAPIZ_LOG=json`. The test must run on one
    /// thread.
    fn listen() -> (Self, tracing::subscriber::DefaultGuard) {
        let lines = Self::default();
        let sink = lines.clone();
        let subscriber = tracing_subscriber::fmt().json().flatten_event(true);
        let subscriber = subscriber.with_writer(move || sink.clone()).finish();
        (lines, tracing::subscriber::set_default(subscriber))
    }

    /// The lines with a message since the last call.
    fn take(&self, message: &str) -> Vec<Value> {
        let text = String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON"));
        lines.filter(|line: &Value| line["message"] == message).collect()
    }
}

/// The only new line with a message: its code, account and network.
#[track_caller]
fn only_line(lines: &Lines, message: &str) -> (Value, Value, Value) {
    let found = lines.take(message);
    assert_eq!(found.len(), 1, "{message}: {found:?}");
    assert!(found[0]["span"]["id"].is_string(), "{found:?}");
    (found[0]["code"].clone(), found[0]["account"].clone(), found[0]["network"].clone())
}

const GERMAN_NETWORK: &str = "141.20.1.0/24";

fn network() -> Value {
    json!("198.51.100.0/24")
}

#[tokio::test]
async fn who_is_kept_out_is_told_by_account_and_network() {
    let test = TestApp::behind_a_proxy().await;
    let id = json!(id_of(&test.member("maria").await).await);
    let (lines, _listening) = Lines::listen();
    let mut thief = test.visitor().at("198.51.100.7");
    thief.login("MARIA", "wrong-mango-guess").await;
    let wrong = json!("session.wrong_credentials");
    assert_eq!(only_line(&lines, "refused"), (wrong.clone(), id.clone(), network()));
    thief.login("nobody-has-this", "wrong-mango-guess").await;
    assert_eq!(only_line(&lines, "refused"), (wrong, Value::Null, network()));
    // A logged-in member who requests something that needs more than a session.
    let mut owner = test.visitor().at("198.51.100.8");
    owner.login("maria", PASSWORD).await.value();
    let body = json!({ "password": "wrong-mango-guess" });
    owner.sealed(Method::POST, "/wps/member/two-factor", &body).await;
    assert_eq!(
        only_line(&lines, "refused"),
        (json!("member.wrong_password"), id.clone(), network())
    );
    // The state of an account is checked in another task.
    test.change("update members_profiles set state = 'frozen'").await;
    test.visitor().at("198.51.100.9").login("maria", PASSWORD).await;
    assert_eq!(only_line(&lines, "refused"), (json!("member.frozen"), id, network()));
}

/// Even the earliest refusals are logged with the network they came from.
#[tokio::test]
async fn who_is_refused_before_anything_is_known_is_told_by_network() {
    let test = crate::regions::site("true, '{}'").await;
    let lines_of = |network: &str, code: &str| (json!(code), Value::Null, json!(network));
    let (lines, _listening) = Lines::listen();
    let mut german = test.visitor().at(GERMANY);
    german.login("maria", PASSWORD).await;
    assert_eq!(only_line(&lines, "refused"), lines_of(GERMAN_NETWORK, "site.restricted"));
    german.get("/wps/member/info").await;
    assert_eq!(only_line(&lines, "refused"), lines_of(GERMAN_NETWORK, "site.restricted"));
    // A page of another origin calls the office.
    let request = Request::builder().method(Method::POST).uri("/office/api/session/logout");
    let request = request.header("x-forwarded-for", GERMANY).body(Body::empty()).unwrap();
    test.send_office(request).await.assert_refused(403, "request.foreign_origin");
    assert_eq!(only_line(&lines, "refused"), lines_of(GERMAN_NETWORK, "request.foreign_origin"));
}

#[tokio::test]
async fn a_code_that_is_wrong_is_told_with_the_numbers_member() {
    let test = TestApp::behind_a_proxy().await;
    crate::login::member_with_number(&test).await;
    let id: uuid::Uuid = sqlx::query_scalar("select member_id from members_profiles")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    crate::login::send_code(&test).await;
    let (lines, _listening) = Lines::listen();
    let thief = test.visitor().at("198.51.100.7");
    let body = crate::login::by_sms("x00000");
    let answer = thief.sealed(Method::POST, "/wps/session/login", &body).await;
    answer.assert_refused(400, "verification.code_invalid");
    let wrong = json!("verification.code_invalid");
    assert_eq!(only_line(&lines, "refused"), (wrong, json!(id), network()));
}

#[tokio::test]
async fn who_comes_in_shows_a_factor_and_leaves_is_told() {
    let test = TestApp::behind_a_proxy().await;
    let mut maria = test.member("maria").await;
    let id = json!(id_of(&maria).await);
    let (secret, _) = two_factor::set_up(&test, &mut maria).await;
    let (lines, _listening) = Lines::listen();
    let mut phone = test.visitor().at("198.51.100.7");
    let ticket = two_factor::ticket(&mut phone).await;
    assert!(lines.take("logged in").is_empty(), "that is half a log-in");
    let wrong = two_factor::prove(&mut phone, &ticket, "x00000").await;
    wrong.assert_refused(400, "session.two_factor_invalid");
    let refused = only_line(&lines, "refused");
    assert_eq!(refused, (json!("session.two_factor_invalid"), id.clone(), network()));
    let code = two_factor::code(&test, &secret);
    two_factor::prove(&mut phone, &ticket, &code).await.value();
    let whose = (Value::Null, id.clone(), network());
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("\"showed a second factor\""), "{text}");
    assert_eq!(only_line(&lines, "logged in"), whose);
    phone.request(Method::DELETE, "/wps/member/devices", None).await.value();
    assert_eq!(only_line(&lines, "ended all other sessions"), whose);
    phone.request(Method::DELETE, "/wps/session/logout", None).await.value();
    assert_eq!(only_line(&lines, "logged out"), whose);
}

#[tokio::test]
async fn a_factor_is_told_once_what_it_was_shown_for_is_done() {
    let test = TestApp::behind_a_proxy().await;
    let other = test.member("josefa").await;
    bind(&test, &other, &mobile("9171234567"), &json!({})).await.value();
    test.advance(Duration::minutes(2));
    let mut maria = test.member("maria").await;
    let (secret, _) = two_factor::set_up(&test, &mut maria).await;
    let (lines, _listening) = Lines::listen();
    let code = json!({ "twoFactorCode": two_factor::code(&test, &secret) });
    let taken = bind(&test, &maria, &mobile("9171234567"), &code).await;
    taken.assert_refused(409, "member.mobile_taken");
    assert_eq!(lines.take("showed a second factor").len(), 0);
    bind(&test, &maria, &mobile("9181234567"), &code).await.value();
    assert_eq!(lines.take("showed a second factor").len(), 1);
}

#[tokio::test]
async fn who_has_no_right_in_the_office_is_told_and_so_is_whose_name_was_tried() {
    let test = crate::office::office().await;
    let support = clerk(&test, "support").await;
    let id: uuid::Uuid =
        sqlx::query_scalar("select id from staff_people where username = 'support'")
            .fetch_one(&test.owner)
            .await
            .unwrap();
    let (lines, _listening) = Lines::listen();
    support.get("/office/api/staff").await;
    let (code, account, _) = only_line(&lines, "refused");
    assert_eq!((code, account), (json!("staff.not_allowed"), json!(id)));
    let body = json!({ "password": "not-the-password", "code": "000000" });
    support.send(Method::POST, "/office/api/session/proof", Some(&body)).await;
    let (code, account, _) = only_line(&lines, "refused");
    assert_eq!((code, account), (json!("staff.proof_refused"), json!(id)));
    let mut stranger = crate::office::Clerk::new(&test);
    stranger.login("support", "not-the-password", "000000").await;
    let (code, account, _) = only_line(&lines, "refused");
    assert_eq!((code, account), (json!("staff.login_refused"), json!(id)));
    stranger.login("nobody-has-this", "not-the-password", "000000").await;
    assert_eq!(only_line(&lines, "refused").1, Value::Null);
}

/// User input cannot break a log line or add one, and lines contain no usernames.
#[tokio::test]
async fn nobody_writes_lines_of_his_own() {
    let test = TestApp::new().await;
    let (lines, _listening) = Lines::listen();
    let forged = "maria\n{\"message\":\"refused\",\"account\":\"forged\"}";
    test.visitor().login(forged, forged).await;
    crate::office::Clerk::new(&test).login(forged, forged, forged).await;
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    assert!(!text.contains("forged"), "{text}");
    let codes: BTreeSet<_> =
        lines.take("refused").iter().map(|line| line["code"].to_string()).collect();
    assert_eq!(codes.len(), 2, "{codes:?}");
}
