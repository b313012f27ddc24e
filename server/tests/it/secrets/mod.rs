//! No secret is stored or logged in plain text where it must not be. Every flow of identity is
//! played with recognizable secrets. Then the log at its finest level, every row of every table at
//! every moment between two flows, all cookies and all responses are searched for them: as they
//! are, in hexadecimal, and in base 64.
//!
//! Each secret lists where it belongs, and must be found there and nowhere else, so a search that
//! finds nothing fails too.

mod lines;
mod witness;

use std::collections::BTreeSet;

use axum::http::Method;
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use chrono::Duration;
use serde_json::{Value, json};

use self::witness::{Secret, Witness, cookies};
use crate::bind::bind;
use crate::captcha::answer_of;
use crate::harness::{Answer, Client, PASSWORD, TestApp};
use crate::peer::{self, Peer};
use crate::{phone, recovery, social, two_factor};

const LOGIN: &str = "/wps/session/login";
const WRONG: &str = "wrong-mango-guess";
const CHANGED: &str = "mango-riot-in-june";
const BY_LINK: &str = "mango-riot-in-july";
const BY_CODE: &str = "mango-riot-in-may";
const PAYMENT: &str = "904173";
const NEW_PAYMENT: &str = "604937";

/// A token is 16 bytes that are not secret and 32 that are.
fn token_secret(name: &str, token: &str) -> Secret {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).unwrap();
    assert_eq!(bytes.len(), 48, "{name}");
    Secret::bytes(name, &bytes[16..]).or(token)
}

/// Decodes base 32.
fn from_base32(text: &str) -> Vec<u8> {
    let bits = text.bytes().flat_map(|letter| {
        let value = if letter >= b'A' { letter - b'A' } else { letter - b'2' + 26 };
        (0..5).rev().map(move |bit| value >> bit & 1)
    });
    let bits: Vec<u8> = bits.collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | bit)).collect()
}

/// Registers with everything that a form can contain.
async fn register<'a>(witness: &mut Witness<'a>) -> Client<'a> {
    let test = witness.test;
    test.change(
        "update site_register_rules set enabled = true
         where field in ('idNumber', 'paymentPassword', 'payeeName')",
    )
    .await;
    let mut client = test.phone();
    let proof = client.proof().await;
    let number = json!({ "mobileNo": "9171234567", "countryDialingCode": "63", "human": proof });
    client.post("/wps/verification/sms/register", &number).await.value();
    let code = test.message_to("+639171234567").await[..6].to_owned();
    witness.look().await;
    let more = json!({
        "idNumber": "PH-99 1234567", "paymentPassword": PAYMENT, "email": "Maria@Example.com",
        "payeeName": "Maria Clara Santos", "mobileNum": "9171234567", "verificationCode": code,
    });
    client.fill_in("maria", &more).await.value();
    witness.keep(Secret::text("the code of a registration", &code));
    witness.keep(Secret::text("a proof of work", &proof));
    witness.keep(Secret::text("the password", PASSWORD));
    witness.keep(Secret::text("the payment password", PAYMENT));
    witness.keep(Secret::text("the identity number", "PH-99 1234567").or("PH991234567"));
    let details = &["members_details"];
    witness.keep(Secret::text("the real name", "Maria Clara Santos").belongs(details));
    let email = Secret::text("the e-mail address", "Maria@Example.com").or("maria@example.com");
    witness.keep(email.belongs(&["members_details", "members_emails"]));
    let mobile = Secret::text("the mobile number", "9171234567");
    witness.keep(mobile.belongs(&["members_details", "members_mobiles"]));
    witness.look().await;
    client
}

/// Registers by number, which is displayed like a username.
async fn register_by_number(witness: &mut Witness<'_>) {
    witness.test.switch("REGMOBVERF3", false).await;
    let mut client = witness.test.visitor();
    let form = json!({
        "mobileNum": "9181234567",
        "adult": true, "ofAge": true, "birthday": "1990-05-17", "terms": true, "password": PASSWORD,
        "confirmPassword": PASSWORD, "paymentPassword": PAYMENT,
        "human": client.proof().await,
    });
    let answer = client.sealed(Method::PUT, "/wps/member/register/mobile", &form).await;
    answer.value();
    client.adopt(&answer);
    client.get("/wps/member/info").await.value();
    let plain = "update site_register_rules set enabled = false where field = 'paymentPassword'";
    witness.test.change(plain).await;
    witness.look().await;
    let places =
        ["answers", "members_details", "members_mobiles", "members_names", "members_profiles"];
    witness.keep(Secret::text("a number as a username", "9181234567").belongs(&places));
}

/// Wrong passwords, a captcha, and bodies with the password in the wrong field.
async fn log_in(witness: &mut Witness<'_>) {
    let test = witness.test;
    let mut client = test.visitor();
    for name in ["maria", WRONG] {
        for _ in 0..2 {
            client.login(name, WRONG).await.assert_refused(400, "session.wrong_credentials");
        }
    }
    let question = client.get("/wps/captcha?kind=question").await;
    client.adopt(&question);
    let answer = answer_of(test, &client, question.value().as_str().unwrap()).await;
    witness.look().await;
    let proof = client.proof().await;
    let good = json!({
        "type": "username", "username": "maria", "password": PASSWORD, "human": proof,
        "captcha": answer,
    });
    let answered = client.sealed(Method::POST, LOGIN, &good).await;
    assert!(answered.value()["token"].is_string());
    for (field, wrong) in [
        ("password", json!([WRONG])),
        ("type", json!(WRONG)),
        ("agentPage", json!(WRONG)),
        ("human", json!(WRONG)),
    ] {
        let mut body = good.clone();
        body[field] = wrong;
        let refused = client.sealed(Method::POST, LOGIN, &body).await;
        assert_eq!(refused.status, 400, "{}", refused.text);
    }
    witness.keep(Secret::text("a wrong password", WRONG));
    // The question contains its words in the order of the answer, so they may be adjacent there.
    witness.keep(Secret::text("the answer to a captcha", &answer.replace(", ", "")));
    witness.look().await;
}

/// Changes both passwords, and remembers one.
async fn change_passwords(witness: &mut Witness<'_>, client: &mut Client<'_>) {
    let share = [0xa7; 32];
    let body = json!({ "share": BASE64_URL_SAFE_NO_PAD.encode(share) });
    client.request(Method::PUT, "/wps/session/remember", Some(&body)).await.value();
    client.get("/wps/session/remember").await.value();
    witness.look().await;
    let body = json!({
        "password": PASSWORD, "oldPaymentPassword": PAYMENT, "paymentPassword": NEW_PAYMENT,
        "confirmPaymentPassword": NEW_PAYMENT,
    });
    client.sealed(Method::POST, "/wps/member/payment-password", &body).await.value();
    for (old, new) in [(PASSWORD, CHANGED), (CHANGED, BY_CODE)] {
        let body = json!({ "oldPassword": old, "newPassword": new, "confirmNewPassword": new });
        let changed = client.sealed(Method::POST, "/wps/member/password", &body).await;
        client.adopt(&changed);
    }
    witness.keep(Secret::bytes("the share of a remembered password", &share).belongs(&["answers"]));
    witness.keep(Secret::text("the next payment password", NEW_PAYMENT));
    witness.keep(Secret::text("a password that was changed", CHANGED));
    witness.look().await;
}

/// Binds another number and address.
async fn bind_contacts(witness: &mut Witness<'_>, client: &Client<'_>) {
    let (test, password) = (witness.test, json!({ "password": BY_CODE }));
    let mobile = json!({ "mobileNum": "9191234567", "countryDialingCode": "63" });
    bind(test, client, &mobile, &password).await.value();
    let code = test.message_to("+639191234567").await[..6].to_owned();
    witness.keep(Secret::text("the code that binds a number", &code));
    bind(test, client, &json!({ "email": "clara@example.com" }), &password).await.value();
    let code = test.message_to("clara@example.com").await[..6].to_owned();
    witness.keep(Secret::text("the code that binds an address", &code));
    let email = Secret::text("the next e-mail address", "clara@example.com");
    witness.keep(email.belongs(&["members_details", "members_emails"]));
    let mobile = Secret::text("the next mobile number", "9191234567");
    witness.keep(mobile.belongs(&["members_details", "members_mobiles"]));
    witness.look().await;
}

async fn code_to_phone(witness: &mut Witness<'_>, path: &str) -> (Value, String) {
    let client = witness.test.phone();
    let mut body = json!({ "mobileNum": "9191234567", "countryDialingCode": "63" });
    body["human"] = json!(client.proof().await);
    client.post(path, &body).await.value();
    witness.look().await;
    let code = witness.test.message_to("+639191234567").await[..6].to_owned();
    witness.keep(Secret::text(path, &code));
    body["verificationCode"] = json!(code);
    (body, code)
}

/// Logs in by phone, and recovers the password twice.
async fn come_back(witness: &mut Witness<'_>) {
    let test = witness.test;
    let (mut body, _) = code_to_phone(witness, "/wps/verification/sms/noLogin").await;
    body["type"] = json!("sms");
    test.phone().sealed(Method::POST, LOGIN, &body).await.value();
    recovery::forget(&test.visitor(), "maria", "clara@example.com").await.value();
    let link = recovery::token_in(&test.message_to("clara@example.com").await);
    witness.look().await;
    recovery::reset(&test.visitor(), &link, BY_LINK).await.value();
    witness.keep(token_secret("a link", &link));
    test.advance(Duration::minutes(10));
    let (mut body, _) = code_to_phone(witness, "/wps/verification/sms/recovery").await;
    body["newPassword"] = json!(PASSWORD.to_uppercase());
    test.phone().sealed(Method::POST, "/wps/member/password/verification", &body).await.value();
    witness.keep(Secret::text("a password that came with a code", &PASSWORD.to_uppercase()));
    witness.keep(Secret::text("a password that a code replaced", BY_CODE));
    witness.keep(Secret::text("a password that came with a link", BY_LINK));
    witness.look().await;
}

/// Sets up a second factor for another member, and uses app codes and recovery codes.
async fn use_second_factor(witness: &mut Witness<'_>) {
    let test = witness.test;
    let mut member = test.member("josefa").await;
    let (secret, paper) = two_factor::set_up(test, &mut member).await;
    let answers = &["answers"];
    let shared = Secret::bytes("the secret of an app", &from_base32(&secret)).or(&secret);
    witness.keep(shared.belongs(answers));
    for code in &paper {
        let plain = code.replace('-', "");
        witness.keep(Secret::text("a code on paper", code).or(&plain).belongs(answers));
    }
    member.token = None;
    for code in [two_factor::code(test, &secret), paper[0].clone()] {
        let answer = member.login("josefa", PASSWORD).await;
        let ticket = answer.value()["twoFactor"]["ticket"].clone();
        witness.look().await;
        two_factor::prove(&mut member, &ticket, &code).await.value();
    }
    witness.keep(Secret::text("a code of an app", &two_factor::code(test, &secret)));
    witness.look().await;
}

/// Signs in at both providers and by the phone service, with valid and invalid tokens.
async fn come_from_elsewhere(witness: &mut Witness<'_>, peer: &Peer) {
    let test = witness.test;
    peer::now(test);
    for (provider, lie) in
        [("oidc", json!(null)), ("oauth", json!(null)), ("oidc", json!("signature"))]
    {
        peer.control(&json!({ "lie": lie })).await;
        let mut client = test.visitor();
        let away = social::leave(&mut client, provider).await;
        witness.look().await;
        let back = peer.visit(&away, "pilar").await;
        for (name, address) in [("state", &away), ("nonce", &away), ("code", &back)] {
            if let Some(value) = query_value(address, name) {
                witness.keep(Secret::text(&format!("the {name} of a sign-in"), &value));
            }
        }
        let outcome = social::outcome_of(&client.get(&back).await);
        witness.look().await;
        if let Some(ticket) = outcome["ticket"].as_str() {
            let secret = token_secret("the ticket of a sign-in", ticket);
            witness.keep(secret.belongs(&["answers"]));
            client.sealed(Method::POST, "/wps/session/login/social", &outcome).await.value();
        }
    }
    peer.control(&json!({ "lie": null })).await;
    test.switch("PHONESERVICE3", true).await;
    let number = json!({ "phone_number": "+639171234567" });
    let token = phone::token(peer, test, number).await;
    phone::login(test, &token).await.value();
    phone::login(test, &token).await.assert_refused(400, "session.phone_unverified");
    witness.keep(Secret::text("the token of the phone service", &token));
    witness.keep(Secret::text("any token that was signed", "eyJhbGciOi"));
    witness.keep(Secret::text("what we share with providers", "a secret between the two"));
    witness.look().await;
}

fn query_value(address: &str, name: &str) -> Option<String> {
    let (_, query) = address.split_once('?')?;
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(found, _)| *found == name).map(|(_, value)| value.to_owned())
}

/// Adds both halves of all sessions, the tickets, and all cookies to the secrets.
fn keep_what_was_heard(witness: &mut Witness<'_>) {
    let heard = witness.test.heard.lock().unwrap().clone().unwrap();
    let value = |answer: &Answer, path: &str| -> Option<String> {
        Some(answer.body["value"].pointer(path)?.as_str()?.to_owned())
    };
    let tokens = heard.iter().flat_map(|answer| {
        ["/token", "/twoFactor/ticket"].into_iter().filter_map(|path| value(answer, path))
    });
    for token in tokens.collect::<BTreeSet<_>>() {
        let secret = token_secret("a session's token or a ticket", &token);
        witness.keep(secret.belongs(&["answers"]));
    }
    for cookie in cookies(&heard) {
        let (_, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(value).expect("a cookie holds random bytes");
        witness.keep(Secret::bytes("a cookie", &bytes).belongs(&["cookies"]));
    }
}

#[tokio::test]
async fn nothing_secret_lies_in_plain_text_where_it_must_not() {
    let peer = Peer::start();
    let test = peer.site().await;
    let mut witness = Witness::new(&test);
    let mut client = register(&mut witness).await;
    come_from_elsewhere(&mut witness, &peer).await;
    register_by_number(&mut witness).await;
    log_in(&mut witness).await;
    change_passwords(&mut witness, &mut client).await;
    bind_contacts(&mut witness, &client).await;
    come_back(&mut witness).await;
    use_second_factor(&mut witness).await;
    client.request(Method::DELETE, "/wps/session/logout", None).await;
    test.trial().await;
    witness.look().await;
    keep_what_was_heard(&mut witness);
    witness.keep(Secret::text("the root of all keys", "the secret of the tests, long enough"));
    let (seen, places) = (witness.secrets.len(), witness.places());
    assert!(seen > 60, "{seen} secrets");
    assert!(places["log"].contains("request refused") && places["log"].contains("insert into"));
    // The log must contain the refusals, for the analysis of an attack, but no names.
    for code in ["session.wrong_credentials", "session.phone_unverified"] {
        let line = |line: &str| line.contains("refused") && line.contains(code);
        assert!(places["log"].lines().any(line), "{code}");
    }
    let wrong = witness.misplaced();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tests the search itself: planted secrets are found in every encoding.
#[tokio::test]
async fn what_is_planted_is_found() {
    let test = TestApp::new().await;
    let mut witness = Witness::new(&test);
    test.member("maria").await;
    let planted = [
        "in the log",
        "in a column of text",
        "in a column of bytes",
        "in base 64",
        "in an object",
        "904173",
    ];
    for secret in planted.iter().chain(&["nowhere at all"]) {
        witness.keep(Secret::text(secret, secret));
    }
    tracing::trace!(password = planted[0], "a careless line");
    test.change(
        "create table planted (words text, bytes bytea, object jsonb);
         insert into planted values
            ('in a column of text', 'so: in a column of bytes', '{\"password\": \"in an object\"}'),
            (null, null, '{\"code\": \"904173\", \"other\": \"1904173\"}')",
    )
    .await;
    let coded = format!("insert into planted values ('{}')", BASE64_STANDARD.encode("in base 64"));
    test.change(&coded).await;
    witness.look().await;
    let wrong = witness.misplaced();
    assert_eq!(wrong.len(), planted.len(), "{wrong:#?}");
    for (secret, wrong) in planted.iter().zip(&wrong) {
        assert!(wrong.starts_with(&format!("{secret}: belongs in {{}}")), "{wrong}");
    }
    let number = Secret::text("a code", "904173");
    assert!(number.is_in("code=904173.") && number.is_in(&hex::encode("904173")));
    assert!(!number.is_in("1904173") && !number.is_in("9041735") && !number.is_in("a904173"));
}
