//! Password recovery: links by mail, codes to the phone.

use std::time::Instant;

use axum::body::Body;
use axum::http::{Method, Request, header};
use chrono::Duration;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::registration_gates::{by_mobile, code_to};
use crate::two_factor;

const EMAIL: &str = "/wps/member/password/email";
const LINK: &str = "/wps/member/password/link";
const LOOK: &str = "/wps/member/password/link/look";
const CODE: &str = "/wps/member/password/verification";
const SEND: &str = "/wps/verification/sms/recovery";
const NEW: &str = "mango riot at noon";

/// Sends a form as browsers do.
async fn post_form(client: &Client<'_>, fields: &[(&str, &str)]) -> Answer {
    let encode = |text: &str| {
        let bytes = text.bytes().map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        });
        bytes.collect::<String>()
    };
    let pairs = fields.iter().map(|(name, value)| format!("{name}={}", encode(value)));
    let request = Request::builder()
        .method(Method::POST)
        .uri(EMAIL)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let body = pairs.collect::<Vec<_>>().join("&");
    client.send(request.body(Body::from(body)).unwrap()).await
}

pub async fn forget(client: &Client<'_>, username: &str, email: &str) -> Answer {
    let human = client.proof().await;
    post_form(client, &[("username", username), ("email", email), ("human", &human)]).await
}

pub async fn with_email(test: &TestApp) -> Client<'_> {
    let mut client = test.visitor();
    client.fill_in("maria", &json!({ "email": "Maria@Example.com" })).await.value();
    test.verify_contacts().await;
    client
}

/// Requests a link and reads its token from the mail.
pub async fn link_of(test: &TestApp) -> String {
    forget(&test.visitor(), "maria", "maria@example.com").await.value();
    token_in(&test.message_to("Maria@Example.com").await)
}

pub fn token_in(text: &str) -> String {
    let (_, rest) = text.split_once("/login#recover=").expect("a link");
    rest.split_whitespace().next().unwrap().to_owned()
}

pub async fn reset(client: &Client<'_>, token: &str, password: &str) -> Answer {
    client.sealed(Method::POST, LINK, &json!({ "token": token, "newPassword": password })).await
}

async fn count_messages(test: &TestApp) -> i64 {
    sqlx::query_scalar("select count(*) from platform_messages")
        .fetch_one(&test.owner)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_link_sets_the_password_and_ends_every_session() {
    let test = TestApp::new().await;
    let here = with_email(&test).await;
    forget(&test.visitor(), " MARIA ", "maria@example.COM").await.value();
    let message = test.message_to("Maria@Example.com").await;
    assert!(message.contains("\nhttp://127.0.0.1:8080/login#recover="), "{message}");
    assert!(message.contains("new password for maria at Capiz"), "{message}");
    let token = token_in(&message);
    let visitor = test.visitor();
    // A refused password does not spend the link.
    for (password, code) in [("", "required"), ("short", "too_short"), (PASSWORD, "used")] {
        let refused = reset(&visitor, &token, password).await;
        refused.assert_refused(400, "input.invalid");
        assert_eq!(refused.body["fields"]["newPassword"], code, "{}", refused.text);
    }
    let body = json!({ "token": token, "newPassword": NEW, "confirmNewPassword": "another" });
    let refused = visitor.sealed(Method::POST, LINK, &body).await;
    assert_eq!(refused.body["fields"], json!({ "confirmNewPassword": "mismatch" }));
    here.get("/wps/member/info").await.value();
    let common = reset(&visitor, &token, "maria2030!").await;
    assert_eq!(common.body["fields"], json!({ "newPassword": "common" }));
    reset(&visitor, &token, NEW).await.value();
    here.get("/wps/member/info").await.assert_refused(401, "session.required");
    let old = test.visitor().login("maria", PASSWORD).await;
    old.assert_refused(400, "session.wrong_credentials");
    test.visitor().login("maria", NEW).await.value();
    let again = reset(&visitor, &token, "another mango at night").await;
    again.assert_refused(400, "session.link_over");
}

#[tokio::test]
async fn a_link_is_accepted_once_by_a_race() {
    let test = TestApp::new().await;
    with_email(&test).await;
    let token = link_of(&test).await;
    let visitor = test.visitor();
    let race = (0..12).map(|number| {
        let (visitor, token) = (&visitor, &token);
        async move { reset(visitor, token, &format!("mango riot {number} at noon")).await }
    });
    let raced = join_all(race).await;
    assert!(raced.iter().all(|answer| answer.status.as_u16() < 500), "{raced:?}");
    assert_eq!(raced.iter().filter(|answer| answer.status.is_success()).count(), 1);
}

#[tokio::test]
async fn a_link_is_good_for_half_an_hour_on_its_own_site() {
    let test = TestApp::new().await;
    with_email(&test).await;
    test.change(
        "insert into site_merchants values ('018f0000-0000-7000-8000-000000000002', 'second',
            'Second', 'PHP', 'Asia/Manila', 'second.example', 70000, false, now());
         insert into site_hosts values
            ('second.example', '018f0000-0000-7000-8000-000000000002', false)",
    )
    .await;
    let visitor = test.visitor();
    let token = link_of(&test).await;
    let sealed =
        visitor.seal(&Method::POST, LINK, &json!({ "token": token, "newPassword": NEW })).await;
    let there = Request::builder()
        .method(Method::POST)
        .uri(LINK)
        .header(header::HOST, "second.example")
        .header(header::CONTENT_TYPE, platform::seal::MEDIA_TYPE);
    let there = visitor.send(there.body(Body::from(sealed.to_string())).unwrap()).await;
    there.assert_refused(400, "session.link_over");
    let mut other = token.clone();
    let last = if other.pop() == Some('A') { 'E' } else { 'A' };
    other.push(last);
    for wrong in ["", "x", &other, &token[1..], &"A".repeat(64)] {
        reset(&visitor, wrong, NEW).await.assert_refused(400, "session.link_over");
    }
    test.advance(Duration::minutes(30));
    reset(&visitor, &token, NEW).await.assert_refused(400, "session.link_over");
    let token = link_of(&test).await;
    test.advance(Duration::minutes(30) - Duration::seconds(1));
    reset(&visitor, &token, NEW).await.value();
}

async fn look(client: &Client<'_>, token: &str) -> Answer {
    client.sealed(Method::POST, LOOK, &json!({ "token": token })).await
}

#[tokio::test]
async fn a_look_at_a_link_says_what_its_use_would_and_costs_nothing() {
    let test = TestApp::new().await;
    with_email(&test).await;
    let visitor = test.visitor();
    let used = link_of(&test).await;
    for _ in 0..3 {
        let good = look(&visitor, &used).await;
        assert_eq!((good.value(), good.headers.get(header::SET_COOKIE)), (&Value::Null, None));
    }
    for wrong in ["", "x", &used[1..], &"A".repeat(64)] {
        look(&visitor, wrong).await.assert_refused(400, "session.link_over");
    }
    let plain = visitor.post(LOOK, &json!({ "token": used })).await;
    assert!(plain.status.is_client_error(), "{}", plain.text);
    // The state of the member is not revealed, neither here nor before a new password is set.
    test.change("update members_profiles set state = 'frozen'").await;
    look(&visitor, &used).await.value();
    test.change("update members_profiles set state = 'active'").await;
    reset(&visitor, &used, NEW).await.value();
    look(&visitor, &used).await.assert_refused(400, "session.link_over");
    let old = link_of(&test).await;
    test.advance(Duration::minutes(30));
    look(&visitor, &old).await.assert_refused(400, "session.link_over");
}

#[tokio::test]
async fn looks_at_links_have_an_end() {
    let test = TestApp::behind_a_proxy().await;
    let guesser = test.visitor().at("198.51.100.7".to_owned());
    for _ in 0..60 {
        look(&guesser, "x").await.assert_refused(400, "session.link_over");
    }
    look(&guesser, "x").await.assert_refused(429, "request.too_many");
    let other = test.visitor().at("203.0.113.7".to_owned());
    look(&other, "x").await.assert_refused(400, "session.link_over");
    test.advance(Duration::hours(1));
    look(&guesser, "x").await.assert_refused(400, "session.link_over");
}

#[tokio::test]
async fn a_new_password_ends_all_links() {
    let test = TestApp::new().await;
    let here = with_email(&test).await;
    let (first, second) = (link_of(&test).await, link_of(&test).await);
    reset(&test.visitor(), &second, NEW).await.value();
    let stale = reset(&test.visitor(), &first, "another mango at night").await;
    stale.assert_refused(400, "session.link_over");
    drop(here);
    let mut here = test.visitor();
    here.login("maria", NEW).await.value();
    let third = link_of(&test).await;
    let body = json!({
        "oldPassword": NEW, "newPassword": "a third mango riot",
        "confirmNewPassword": "a third mango riot",
    });
    here.sealed(Method::POST, "/wps/member/password", &body).await.value();
    let stale = reset(&test.visitor(), &third, "another mango at night").await;
    stale.assert_refused(400, "session.link_over");
}

#[tokio::test]
async fn a_new_password_opens_what_wrong_ones_have_locked() {
    let test = TestApp::new().await;
    with_email(&test).await;
    let mut guesser = test.visitor();
    for _ in 0..2 {
        guesser.login("maria", "not-the-password").await;
    }
    let response = guesser.login("maria", PASSWORD).await;
    response.assert_refused(400, "session.captcha");
    let token = link_of(&test).await;
    reset(&guesser, &token, NEW).await.value();
    guesser.login("maria", NEW).await.value();
}

#[tokio::test]
async fn who_is_no_member_is_told_so_unless_answers_are_uniform() {
    let test = TestApp::new().await;
    with_email(&test).await;
    test.member("josefa").await;
    let wrong = [
        ("nobody", "maria@example.com"),
        ("maria", "other@example.com"),
        ("josefa", "maria@example.com"),
    ];
    for (name, email) in wrong {
        let refused = forget(&test.visitor(), name, email).await;
        refused.assert_refused(404, "member.unknown");
        assert_eq!(refused.body["message"], "Username/Email does not exist");
    }
    assert_eq!(count_messages(&test).await, 0);
    test.switch("UNIFORMRECOVERY3", true).await;
    let (mut bodies, mut times) = (Vec::new(), Vec::new());
    for (name, email) in [("maria", "maria@example.com"), wrong[0], wrong[1], wrong[2]] {
        let began = Instant::now();
        let answer = forget(&test.visitor(), name, email).await;
        times.push(began.elapsed().as_millis());
        bodies.push(answer.value().clone());
    }
    assert!(bodies.iter().all(|body| *body == Value::Null));
    assert!(times.iter().all(|time| *time >= 500), "{times:?}");
    assert_eq!(count_messages(&test).await, 1);
}

#[tokio::test]
async fn asking_takes_work_and_has_an_end() {
    let test = TestApp::new().await;
    with_email(&test).await;
    let client = test.visitor();
    let known = [("username", "maria"), ("email", "maria@example.com")];
    post_form(&client, &known).await.assert_refused(400, "session.human_check");
    let human = client.proof().await;
    let empty = post_form(&client, &[("username", " "), ("human", &human)]).await;
    empty.assert_refused(400, "input.invalid");
    assert_eq!(empty.body["fields"], json!({ "username": "required", "email": "required" }));
    let json = client.post(EMAIL, &json!({ "username": "maria" })).await;
    json.assert_refused(415, "request.unsupported_media_type");
    let with_proof = [known[0], known[1], ("human", &human)];
    post_form(&client, &with_proof).await.value();
    post_form(&client, &with_proof).await.assert_refused(400, "session.human_check");
    for _ in 0..4 {
        forget(&client, "Maria", "maria@example.com").await.value();
    }
    let often = forget(&client, "maria", "maria@example.com").await;
    often.assert_refused(429, "request.too_many");
    assert_eq!(often.headers[header::RETRY_AFTER], "3600");
    for number in 0..4 {
        let unknown = forget(&client, &format!("nobody{number}"), "maria@example.com").await;
        unknown.assert_refused(404, "member.unknown");
    }
    let often = forget(&client, "nobody9", "maria@example.com").await;
    often.assert_refused(429, "request.too_many");
    test.advance(Duration::hours(1));
    forget(&client, "maria", "maria@example.com").await.value();
}

#[tokio::test]
async fn the_mail_speaks_the_visitors_language_and_the_table_tells_no_link() {
    let test = TestApp::new().await;
    with_email(&test).await;
    test.change("update site_merchants set main_domain = 'capiz.example'").await;
    let mut client = test.visitor();
    client.cookies.push("lang=TY".to_owned());
    forget(&client, "maria", "maria@example.com").await.value();
    let message = test.message_to("Maria@Example.com").await;
    assert!(message.contains("nang 30 minuto"), "{message}");
    assert!(message.contains("\nhttps://capiz.example/login#recover="), "{message}");
    let token = token_in(&message);
    let rows: String = sqlx::query_scalar(
        "select concat((select string_agg(l::text, ' ') from sessions_links l),
                       (select string_agg(m::text, ' ') from platform_messages m))",
    )
    .fetch_one(&test.owner)
    .await
    .unwrap();
    assert!(!rows.contains(&token) && !rows.contains(&hex::encode(&token)), "{rows}");
}

async fn with_mobile(test: &TestApp) -> Client<'_> {
    test.switch("REGMOBVERF3", false).await;
    let mut client = test.visitor();
    client.fill_in("maria", &json!({ "mobileNum": "9171234567" })).await.value();
    test.verify_contacts().await;
    client
}

/// Requests a code to the number of `with_mobile`, and reads it from the outbox.
async fn code_of(test: &TestApp) -> String {
    let client = test.phone();
    let human = client.proof().await;
    let body = json!({ "mobileNum": "9171234567", "countryDialingCode": "63", "human": human });
    client.post(SEND, &body).await.value();
    test.message_to("+639171234567").await[..6].to_owned()
}

async fn reset_by(client: &mut Client<'_>, number: &str, code: &str, password: &str) -> Answer {
    let body = json!({
        "mobileNum": number, "countryDialingCode": "63", "verificationCode": code,
        "newPassword": password,
    });
    let answer = client.sealed(Method::POST, CODE, &body).await;
    client.adopt(&answer);
    answer
}

#[tokio::test]
async fn a_code_sets_the_password_and_logs_in() {
    let test = TestApp::new().await;
    let before = with_mobile(&test).await;
    let code = code_of(&test).await;
    let mut client = test.phone();
    // Errors that can be detected before the code is compared do not count as tries.
    for _ in 0..6 {
        let refused = reset_by(&mut client, "9171234567", &code, "short").await;
        assert_eq!(refused.body["fields"], json!({ "newPassword": "too_short" }));
    }
    reset_by(&mut client, "", &code, NEW).await.assert_refused(400, "verification.phone_missing");
    let missing = reset_by(&mut client, "9171234567", "", NEW).await;
    missing.assert_refused(400, "verification.code_missing");
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let refused = reset_by(&mut client, "9171234567", wrong, NEW).await;
    refused.assert_refused(400, "verification.code_invalid");
    let used = reset_by(&mut client, "09171234567", &code, PASSWORD).await;
    assert_eq!(used.body["fields"], json!({ "newPassword": "used" }));
    assert!(client.token.is_none());
    let entered = reset_by(&mut client, "09171234567", &code, NEW).await;
    assert_eq!(entered.value()["firstTimeLogin"], false);
    assert_eq!(client.get("/wps/member/info").await.value()["account"], "maria");
    before.get("/wps/member/info").await.assert_refused(401, "session.required");
    let logins = client.get("/wps/member/logins").await;
    assert_eq!(logins.value()["logins"][0]["method"], "recovery", "{}", logins.text);
    let again = reset_by(&mut test.phone(), "9171234567", &code, "another mango riot").await;
    again.assert_refused(400, "verification.code_invalid");
    test.visitor().login("maria", NEW).await.value();
}

#[tokio::test]
async fn the_switch_closes_recovery_by_phone() {
    let test = TestApp::new().await;
    with_mobile(&test).await;
    let code = code_of(&test).await;
    test.switch("MOBILEFORGOTPASS3", false).await;
    let client = test.visitor();
    let human = client.proof().await;
    let body = json!({ "mobileNum": "9171234567", "countryDialingCode": "63", "human": human });
    client.post(SEND, &body).await.assert_refused(403, "site.switched_off");
    let refused = reset_by(&mut test.phone(), "9171234567", &code, NEW).await;
    refused.assert_refused(403, "site.switched_off");
    test.visitor().login("maria", PASSWORD).await.value();
}

#[tokio::test]
async fn a_number_of_nobody_recovers_nothing() {
    let test = TestApp::new().await;
    let client = test.visitor();
    let human = client.proof().await;
    let body = json!({ "mobileNum": "9187654321", "countryDialingCode": "63", "human": human });
    client.post(SEND, &body).await.value();
    assert_eq!(count_messages(&test).await, 0);
    let refused = reset_by(&mut test.visitor(), "9187654321", "123456", NEW).await;
    refused.assert_refused(400, "verification.code_invalid");
}

#[tokio::test]
async fn racers_with_one_code_set_one_password() {
    let test = TestApp::new().await;
    with_mobile(&test).await;
    let code = code_of(&test).await;
    let race = (0..5).map(|number| {
        let (test, code) = (&test, &code);
        async move {
            let password = format!("mango riot {number} at noon");
            let answer = reset_by(&mut test.phone(), "9171234567", code, &password).await;
            answer.status.is_success()
        }
    });
    let raced = join_all(race).await;
    assert_eq!(raced.iter().filter(|won| **won).count(), 1);
}

#[tokio::test]
async fn recovery_does_not_skip_the_second_factor() {
    let test = TestApp::new().await;
    let mut member = with_mobile(&test).await;
    let (secret, _) = two_factor::set_up(&test, &mut member).await;
    // A login with the old password that waits for its second factor is cancelled.
    let mut waiting = test.visitor();
    let stale = two_factor::ticket(&mut waiting).await;
    let code = code_of(&test).await;
    let mut client = test.phone();
    let response = reset_by(&mut client, "9171234567", &code, NEW).await;
    assert_eq!(response.value()["token"], Value::Null);
    client.get("/wps/member/info").await.assert_refused(401, "session.required");
    let over = two_factor::prove(&mut waiting, &stale, &two_factor::code(&test, &secret)).await;
    over.assert_refused(400, "session.ticket_over");
    let ticket = response.value()["twoFactor"]["ticket"].clone();
    two_factor::prove(&mut client, &ticket, &two_factor::code(&test, &secret)).await.value();
    assert_eq!(client.get("/wps/member/info").await.value()["twoFactor"], true);
}

#[tokio::test]
async fn a_member_without_a_password_gets_one() {
    let test = TestApp::new().await;
    test.switch("MOBILENUMPASSREG3", false).await;
    let code = code_to(&test, "9171234567").await;
    by_mobile(&mut test.phone(), "9171234567", json!(code)).await.value();
    test.advance(Duration::minutes(2));
    let code = code_of(&test).await;
    let mut client = test.phone();
    reset_by(&mut client, "9171234567", &code, NEW).await.value();
    assert_eq!(client.get("/wps/member/info").await.value()["hasPassword"], true);
    test.visitor().login("09171234567", NEW).await.value();
}

#[tokio::test]
async fn who_does_not_know_the_address_cannot_use_up_the_owners_mails() {
    let test = TestApp::behind_a_proxy().await;
    with_email(&test).await;
    for number in 0..6 {
        let thief = test.visitor().at(format!("198.51.100.{number}"));
        let refused = forget(&thief, "maria", "thief@example.com").await;
        let expected = if number < 5 { (404, "member.unknown") } else { (429, "request.too_many") };
        refused.assert_refused(expected.0, expected.1);
    }
    forget(&test.visitor().at("203.0.113.7"), "maria", "maria@example.com").await.value();
}

#[tokio::test]
async fn what_was_never_a_username_is_said_at_its_field() {
    let test = TestApp::new().await;
    let refused = forget(&test.visitor(), "1 2 3", "maria@example.com").await;
    assert_eq!(refused.body["fields"], json!({ "username": "pattern" }));
    let number = forget(&test.visitor(), "09171234567", "maria@example.com").await;
    number.assert_refused(404, "member.unknown");
    // Names registered before the rule became stricter are still accepted.
    with_email(&test).await;
    test.change("update site_register_rules set min_length = 8 where field = 'username'").await;
    forget(&test.visitor(), "maria", "maria@example.com").await.value();
}
