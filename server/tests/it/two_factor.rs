//! Two-factor authentication: set up, required, codes valid once, recovered and removed.

use axum::http::Method;
use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::harness::{Client, PASSWORD, TestApp};

const FACTOR: &str = "/wps/member/two-factor";
const RECOVERY: &str = "/wps/member/two-factor/recovery";
const PROVE: &str = "/wps/session/login/two-factor";

/// The code that the member's app shows now.
pub fn code(test: &TestApp, secret: &str) -> String {
    let totp = Builder::new().with_secret(Secret::try_from_base32(secret).unwrap());
    let totp = totp.with_account_name("member".to_owned()).build().unwrap();
    let now = u64::try_from(test.app.clock.now().timestamp()).unwrap();
    totp.generate(now).to_string()
}

/// Sets a factor up; returns the secret and the recovery codes.
pub async fn set_up(test: &TestApp, member: &mut Client<'_>) -> (String, Vec<String>) {
    let offer = member.sealed(Method::POST, FACTOR, &json!({"password": PASSWORD})).await;
    let secret = offer.value()["secret"].as_str().unwrap().to_owned();
    let url = offer.value()["url"].as_str().unwrap();
    assert!(url.starts_with("otpauth://totp/") && url.contains(&secret), "{url}");
    let body = json!({"code": code(test, &secret)});
    let confirmed = member.sealed(Method::PUT, FACTOR, &body).await;
    member.adopt(&confirmed);
    let codes = confirmed.value()["recoveryCodes"].as_array().unwrap();
    let codes: Vec<_> = codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    assert_eq!(codes.len(), 10);
    // The code of this time step is used: advance to the next one.
    test.advance(Duration::seconds(30));
    (secret, codes)
}

/// Logs in on a new device and returns the ticket.
pub async fn ticket(client: &mut Client<'_>) -> Value {
    let answer = client.login("maria", PASSWORD).await;
    assert_eq!(answer.value()["token"], Value::Null);
    assert!(client.token.is_none());
    answer.value()["twoFactor"]["ticket"].clone()
}

pub async fn prove(client: &mut Client<'_>, ticket: &Value, code: &str) -> crate::harness::Answer {
    let answer = client.sealed(Method::POST, PROVE, &json!({"ticket": ticket, "code": code})).await;
    client.adopt(&answer);
    answer
}

#[tokio::test]
async fn a_login_asks_for_the_code_of_the_app() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let mut phone = test.visitor();
    let waiting = ticket(&mut phone).await;
    prove(&mut phone, &waiting, "000000").await.assert_refused(400, "session.two_factor_invalid");
    let proved = prove(&mut phone, &waiting, &code(&test, &secret)).await;
    assert!(proved.value()["token"].is_string());
    assert_eq!(phone.get("/wps/member/info").await.value()["account"], "maria");
}

#[tokio::test]
async fn an_offer_alone_changes_nothing() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let wrong = member.sealed(Method::POST, FACTOR, &json!({"password": "not this one"})).await;
    wrong.assert_refused(400, "member.wrong_password");
    member.sealed(Method::POST, FACTOR, &json!({"password": PASSWORD})).await.value();
    let not_right = member.sealed(Method::PUT, FACTOR, &json!({"code": "000000"})).await;
    not_right.assert_refused(400, "session.two_factor_invalid");
    let answer = test.visitor().login("maria", PASSWORD).await;
    assert!(answer.value()["token"].is_string());
}

/// An attacker at an open page on which its owner abandoned the setup.
#[tokio::test]
async fn the_first_code_of_an_offer_is_neither_guessed_nor_kept() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let offer = async || {
        let offer = member.sealed(Method::POST, FACTOR, &json!({"password": PASSWORD})).await;
        offer.value()["secret"].as_str().unwrap().to_owned()
    };
    let confirm =
        async |code: &str| member.sealed(Method::PUT, FACTOR, &json!({ "code": code })).await;
    let secret = offer().await;
    for _ in 0..20 {
        confirm("000000").await.assert_refused(400, "session.two_factor_invalid");
    }
    confirm(&code(&test, &secret)).await.assert_refused(429, "request.too_many");
    test.change("delete from platform_budgets").await;
    for _ in 0..3 {
        test.advance(Duration::minutes(10));
        member.get("/wps/member/info").await.value();
    }
    test.advance(Duration::seconds(1));
    confirm(&code(&test, &secret)).await.assert_refused(409, "session.two_factor_missing");
    let secret = offer().await;
    confirm(&code(&test, &secret)).await.value();
}

#[tokio::test]
async fn a_second_step_is_refused_where_its_way_in_was_closed() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let mut phone = test.visitor();
    let waiting = ticket(&mut phone).await;
    test.switch("COMM3", false).await;
    let closed = prove(&mut phone, &waiting, &code(&test, &secret)).await;
    closed.assert_refused(403, "site.switched_off");
    test.switch("COMM3", true).await;
    prove(&mut phone, &waiting, &code(&test, &secret)).await.value();
}

#[tokio::test]
async fn a_code_is_accepted_once_even_by_a_race() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let now = code(&test, &secret);
    let mut waiting = Vec::new();
    for _ in 0..12 {
        let mut client = test.visitor();
        let ticket = ticket(&mut client).await;
        waiting.push((client, ticket));
    }
    let racers = waiting.iter_mut().map(|(client, ticket)| prove(client, ticket, &now));
    let answers = join_all(racers).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses[..2], [200, 400], "{statuses:?}");
    test.advance(Duration::seconds(30));
    let mut client = test.visitor();
    let waiting = ticket(&mut client).await;
    // The code of the previous time step would still be in time, but it was used.
    prove(&mut client, &waiting, &now).await.assert_refused(400, "session.two_factor_invalid");
    prove(&mut client, &waiting, &code(&test, &secret)).await.value();
}

#[tokio::test]
async fn a_ticket_is_good_for_five_tries_five_minutes_one_device_and_once() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let over = "session.ticket_over";

    let mut tried = test.visitor();
    let waiting = ticket(&mut tried).await;
    for _ in 0..5 {
        let wrong = prove(&mut tried, &waiting, "000000").await;
        wrong.assert_refused(400, "session.two_factor_invalid");
    }
    prove(&mut tried, &waiting, &code(&test, &secret)).await.assert_refused(400, over);

    let mut owner = test.visitor();
    let waiting = ticket(&mut owner).await;
    let mut thief = test.visitor();
    ticket(&mut thief).await;
    prove(&mut thief, &waiting, &code(&test, &secret)).await.assert_refused(400, over);
    prove(&mut test.visitor(), &waiting, &code(&test, &secret)).await.assert_refused(400, over);

    test.advance(Duration::seconds(301));
    prove(&mut owner, &waiting, &code(&test, &secret)).await.assert_refused(400, over);

    let waiting = ticket(&mut owner).await;
    prove(&mut owner, &waiting, &code(&test, &secret)).await.value();
    test.advance(Duration::seconds(30));
    prove(&mut owner, &waiting, &code(&test, &secret)).await.assert_refused(400, over);
    for nonsense in [json!(""), json!("x"), json!("A".repeat(64)), json!("A".repeat(4_000))] {
        prove(&mut owner, &nonsense, "000000").await.assert_refused(400, over);
    }
}

#[tokio::test]
async fn a_recovery_code_opens_once_and_new_ones_replace_the_old() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, codes) = set_up(&test, &mut member).await;
    let mut client = test.visitor();
    let waiting = ticket(&mut client).await;
    prove(&mut client, &waiting, &codes[3].to_uppercase()).await.value();
    let waiting = ticket(&mut test.visitor()).await;
    prove(&mut client, &waiting, &codes[3]).await.assert_refused(400, "session.ticket_over");
    let mut client = test.visitor();
    let waiting = ticket(&mut client).await;
    let again = prove(&mut client, &waiting, &codes[3]).await;
    again.assert_refused(400, "session.two_factor_invalid");

    let step_up = json!({"password": PASSWORD, "code": code(&test, &secret)});
    let renewed = member.sealed(Method::POST, RECOVERY, &step_up).await;
    let renewed = renewed.value()["recoveryCodes"][0].as_str().unwrap().to_owned();
    let old = prove(&mut client, &waiting, &codes[4]).await;
    old.assert_refused(400, "session.two_factor_invalid");
    prove(&mut client, &waiting, &renewed).await.value();
}

/// Recovery codes from before they became longer are still accepted.
#[tokio::test]
async fn a_shorter_recovery_code_of_before_is_still_good_once() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    set_up(&test, &mut member).await;
    test.change(
        "update sessions_recovery_codes
         set code_hash = sha256(uuid_send(member_id) || 'k7m2p9xwq4tz8hd3'::bytea)
         where code_hash = (select min(code_hash) from sessions_recovery_codes)",
    )
    .await;
    let mut client = test.visitor();
    let waiting = ticket(&mut client).await;
    prove(&mut client, &waiting, "K7M2-P9XW-Q4TZ-8HD3").await.value();
    let mut again = test.visitor();
    let waiting = ticket(&mut again).await;
    let spent = prove(&mut again, &waiting, "K7M2-P9XW-Q4TZ-8HD3").await;
    spent.assert_refused(400, "session.two_factor_invalid");
}

#[tokio::test]
async fn to_take_it_away_needs_password_and_code() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let none = member.sealed(Method::DELETE, FACTOR, &json!({"password": PASSWORD})).await;
    none.assert_refused(409, "session.two_factor_missing");
    let (secret, _) = set_up(&test, &mut member).await;
    let offer = member.sealed(Method::POST, FACTOR, &json!({"password": PASSWORD})).await;
    offer.assert_refused(409, "session.two_factor_set");
    let cases = [
        (json!({"password": PASSWORD}), "session.two_factor_invalid"),
        (json!({"password": "wrong", "code": code(&test, &secret)}), "member.wrong_password"),
        (json!({"password": PASSWORD, "code": "000000"}), "session.two_factor_invalid"),
    ];
    for (body, refusal) in cases {
        member.sealed(Method::DELETE, FACTOR, &body).await.assert_refused(400, refusal);
    }
    let body = json!({"password": PASSWORD, "code": code(&test, &secret)});
    member.sealed(Method::DELETE, FACTOR, &body).await.value();
    assert!(test.visitor().login("maria", PASSWORD).await.value()["token"].is_string());
}

#[tokio::test]
async fn a_demo_account_has_none() {
    let test = TestApp::new().await;
    let trial = test.trial().await;
    let body = json!({"password": PASSWORD});
    trial.sealed(Method::POST, FACTOR, &body).await.assert_refused(403, "session.trial");
    let body = json!({"code": "000000"});
    trial.sealed(Method::PUT, FACTOR, &body).await.assert_refused(403, "session.trial");
}

#[tokio::test]
async fn the_database_tells_no_secret() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, codes) = set_up(&test, &mut member).await;
    let stored: (String, String) = sqlx::query_as(
        "select (select string_agg(f::text, '') from sessions_factors f),
            (select string_agg(c::text, '') from sessions_recovery_codes c)",
    )
    .fetch_one(&test.owner)
    .await
    .unwrap();
    let raw = Secret::try_from_base32(&secret).unwrap();
    assert!(!stored.0.contains(&hex::encode(raw.as_bytes())), "{}", stored.0);
    for code in codes {
        assert!(!stored.1.contains(&hex::encode(&code)) && !stored.1.contains(&code));
    }
}

#[tokio::test]
async fn wrong_codes_are_counted_by_member_and_not_by_ticket() {
    let test = TestApp::new().await;
    let mut member = test.visitor();
    member.fill_in("maria", &json!({ "email": "maria@example.com" })).await.value();
    test.verify_contacts().await;
    let (secret, codes) = set_up(&test, &mut member).await;
    let mut thief = test.visitor();
    for _ in 0..4 {
        let waiting = ticket(&mut thief).await;
        for _ in 0..5 {
            let wrong = prove(&mut thief, &waiting, "000000").await;
            wrong.assert_refused(400, "session.two_factor_invalid");
        }
    }
    let message = test.message_to("maria@example.com").await;
    assert!(message.contains("wrong two-factor codes"), "{message}");
    // Even the right code is refused now on any device that the member has not used.
    let right = code(&test, &secret);
    for client in [&mut thief, &mut test.visitor()] {
        let waiting = ticket(client).await;
        prove(client, &waiting, &right).await.assert_refused(429, "request.too_many");
    }
    // The owner can log in on a known device, and on any device with a recovery code.
    let mut paper = test.visitor();
    let waiting = ticket(&mut paper).await;
    prove(&mut paper, &waiting, &codes[0]).await.value();
    member.token = None;
    let waiting = ticket(&mut member).await;
    prove(&mut member, &waiting, &right).await.value();
}

#[tokio::test]
async fn whoever_found_the_page_open_has_twenty_codes_a_day() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let (secret, _) = set_up(&test, &mut member).await;
    let wrong = json!({ "password": PASSWORD, "code": "000000" });
    for _ in 0..20 {
        let refused = member.sealed(Method::DELETE, FACTOR, &wrong).await;
        refused.assert_refused(400, "session.two_factor_invalid");
    }
    let right = json!({ "password": PASSWORD, "code": code(&test, &secret) });
    let refused = member.sealed(Method::DELETE, FACTOR, &right).await;
    refused.assert_refused(429, "request.too_many");
}

#[tokio::test]
async fn turning_it_on_ends_sessions_that_began_without_it() {
    let test = TestApp::new().await;
    let mut member = test.member("maria").await;
    let mut other = test.visitor();
    other.login("maria", PASSWORD).await.value();
    let copied = member.clone();
    set_up(&test, &mut member).await;
    copied.get("/wps/member/info").await.assert_refused(401, "session.required");
    other.get("/wps/member/info").await.assert_refused(401, "session.required");
    member.get("/wps/member/info").await.value();
}

/// A recovery link proves access to the mail, not to the app.
#[tokio::test]
async fn a_link_to_a_new_password_gives_no_new_tries_at_the_code() {
    let test = TestApp::new().await;
    let mut member = crate::recovery::with_email(&test).await;
    set_up(&test, &mut member).await;
    let token = crate::recovery::link_of(&test).await;
    let thief = test.visitor();
    crate::recovery::reset(&thief, &token, "mango riot at noon").await.value();
    let known: i64 = sqlx::query_scalar("select count(*) from sessions_known_devices")
        .fetch_one(&test.owner)
        .await
        .unwrap();
    assert_eq!(known, 1, "the owner's own");
}

/// The right code at the last try of a day sends no warning.
#[tokio::test]
async fn a_right_code_at_the_last_try_warns_nobody() {
    let test = TestApp::new().await;
    let mut member = test.visitor();
    member.fill_in("maria", &json!({ "email": "maria@example.com" })).await.value();
    test.verify_contacts().await;
    let (secret, _) = set_up(&test, &mut member).await;
    let mut elsewhere = test.visitor();
    let waiting = ticket(&mut elsewhere).await;
    let wrong = prove(&mut elsewhere, &waiting, "000000").await;
    wrong.assert_refused(400, "session.two_factor_invalid");
    test.change("update platform_budgets set used = 19 where name = 'sessions.factor.wrong'").await;
    prove(&mut elsewhere, &waiting, &code(&test, &secret)).await.value();
    let message = test.message_to("maria@example.com").await;
    assert!(message.contains("Two-factor login was turned on"), "{message}");
}
