//! Replay attacks: everything that is valid once is sent many times at two nodes, and exactly one
//! use is accepted. `FAULT_REPLAYS` says how often each is sent. Every replay comes from an IP
//! address of its own, so that it is not refused by a rate limit.

use std::collections::BTreeMap;

use axum::http::Method;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use futures_util::stream::{self, StreamExt};
use serde_json::{Value, json};

use crate::bind::bind;
use crate::captcha::answer_of;
use crate::harness::{Answer, Client, PASSWORD, TestApp, address, prove, size};
use crate::peer::Peer;
use crate::{recovery, social, two_factor};

const LOGIN: &str = "/wps/session/login";

/// The number of concurrent requests.
const AT_ONCE: usize = 16;

fn replays() -> usize {
    size("FAULT_REPLAYS", 100)
}

/// Sends a request many times, alternating between two nodes; returns how often it was accepted,
/// and the error codes of the refusals.
async fn replay<'a, F: Future<Output = Answer>>(
    nodes: [&'a TestApp; 2],
    client: &Client<'a>,
    send: impl Fn(usize, Client<'a>) -> F,
) -> (usize, BTreeMap<String, usize>) {
    let sent = stream::iter(0..replays()).map(|number| {
        let client = client.clone().through(nodes[number % 2]).at(address(number));
        send(number, client)
    });
    let answers = sent.buffer_unordered(AT_ONCE).fold((0, BTreeMap::new()), count).await;
    println!("  {answers:?}");
    answers
}

async fn count(
    (accepted, mut refused): (usize, BTreeMap<String, usize>),
    answer: Answer,
) -> (usize, BTreeMap<String, usize>) {
    match answer.body["code"].as_str() {
        None => {
            answer.value();
            return (accepted + 1, refused);
        }
        Some(code) => *refused.entry(code.to_owned()).or_default() += 1,
    }
    (accepted, refused)
}

/// Checks that one request was accepted and all others were refused with exactly these codes.
#[track_caller]
fn assert_once((accepted, refused): (usize, BTreeMap<String, usize>), codes: &[&str]) {
    assert_eq!(accepted, 1, "{refused:?}");
    assert!(refused.keys().all(|code| codes.contains(&code.as_str())), "{refused:?}");
    assert_eq!(refused.values().sum::<usize>(), replays() - 1);
}

/// The body of a login by username, before encryption.
fn by_username(proof: &str) -> Value {
    json!({ "type": "username", "username": "maria", "password": PASSWORD, "human": proof })
}

#[tokio::test]
async fn a_sealed_login() {
    let test = TestApp::behind_a_proxy().await;
    let node = test.another_node();
    test.member("maria").await;
    let client = test.visitor();
    let login = by_username(&client.proof().await);
    let sealed = client.seal(&Method::POST, LOGIN, &login).await;
    let outcome = replay([&test, &node], &client, |_, client| {
        let sealed = sealed.clone();
        async move { client.send_sealed(Method::POST, LOGIN, &sealed).await }
    });
    assert_once(outcome.await, &["seal.invalid"]);
}

/// A login with one bit changed, or sent to another call: the response is the same for every kind
/// of tampering.
#[tokio::test]
async fn a_sealed_login_that_was_tampered_with() {
    let test = TestApp::behind_a_proxy().await;
    test.member("maria").await;
    let client = test.visitor();
    let login = by_username(&client.proof().await);
    let sealed = client.seal(&Method::POST, LOGIN, &login).await;
    let flips = size("FAULT_FLIPS", 400);
    let tries = stream::iter(0..flips).map(|number| {
        let (client, sealed) = (client.clone().at(address(number)), flipped(&sealed, number));
        async move { client.send_sealed(Method::POST, LOGIN, &sealed).await }
    });
    let (accepted, refused) =
        tries.buffer_unordered(AT_ONCE).fold((0, BTreeMap::new()), count).await;
    assert_eq!((accepted, refused), (0, BTreeMap::from([("seal.invalid".to_owned(), flips)])));
    let others = [
        (Method::PUT, "/wps/member/register"),
        (Method::POST, "/wps/session/login/two-factor"),
        (Method::POST, "/wps/member/password/verification"),
    ];
    let tries = stream::iter(0..replays()).map(|number| {
        let (client, sealed) = (client.clone().at(address(number)), &sealed);
        let (method, path) = others[number % others.len()].clone();
        async move { client.send_sealed(method, path, sealed).await }
    });
    let (accepted, refused) =
        tries.buffer_unordered(AT_ONCE).fold((0, BTreeMap::new()), count).await;
    assert_eq!((accepted, refused), (0, BTreeMap::from([("seal.invalid".to_owned(), replays())])));
    client.send_sealed(Method::POST, LOGIN, &sealed).await.value();
}

/// The same body with one bit changed, chosen by the number: of the ciphertext, of the encapsulated
/// key, of the nonce or of the time.
fn flipped(sealed: &Value, number: usize) -> Value {
    let mut changed = sealed.clone();
    let bit = number / 4;
    match ["ct", "enc", "nonce", "at"][number % 4] {
        "at" => changed["at"] = json!(sealed["at"].as_i64().unwrap() ^ (1 << (bit % 15))),
        field => {
            let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(sealed[field].as_str().unwrap()).unwrap();
            let place = bit / 8 % bytes.len();
            bytes[place] ^= 1 << (bit % 8);
            changed[field] = json!(BASE64_URL_SAFE_NO_PAD.encode(bytes));
        }
    }
    changed
}

#[tokio::test]
async fn a_proof_of_work() {
    let test = TestApp::behind_a_proxy().await;
    let node = test.another_node();
    test.member("maria").await;
    let client = test.visitor();
    let login = by_username(&prove(&client).await);
    let outcome = replay([&test, &node], &client, |_, client| {
        let login = login.clone();
        async move { client.sealed(Method::POST, LOGIN, &login).await }
    });
    assert_once(outcome.await, &["session.human_check"]);
}

#[tokio::test]
async fn an_answer_to_a_captcha() {
    let test = TestApp::behind_a_proxy().await;
    let node = test.another_node();
    test.member("maria").await;
    let mut client = test.visitor().at(address(0));
    for _ in 0..2 {
        client.login("maria", "not this one").await;
    }
    let question = client.get("/wps/captcha?kind=question").await;
    client.adopt(&question);
    let answer = answer_of(&test, &client, question.value().as_str().unwrap()).await;
    // The password is wrong too, because a right one would end the test.
    let outcome = replay([&test, &node], &client, |_, client| {
        let mut login = json!({ "type": "username", "username": "maria", "password": "wrong" });
        login["captcha"] = json!(answer);
        async move {
            login["human"] = json!(client.proof().await);
            client.sealed(Method::POST, LOGIN, &login).await
        }
    });
    let (accepted, refused) = outcome.await;
    let expected = [("session.captcha", replays() - 1), ("session.wrong_credentials", 1)];
    let expected = expected.map(|(code, count)| (code.to_owned(), count));
    assert_eq!((accepted, refused), (0, BTreeMap::from(expected)));
}

#[tokio::test]
async fn a_code_to_the_phone() {
    let test = TestApp::behind_a_proxy().await;
    let node = test.another_node();
    let member = test.member("maria").await;
    let mobile = json!({ "mobileNum": "9171234567", "countryDialingCode": "63" });
    bind(&test, &member, &mobile, &json!({})).await.value();
    let client = test.phone();
    let mut ask = mobile.clone();
    ask["human"] = json!(client.proof().await);
    client.post("/wps/verification/sms/noLogin", &ask).await.value();
    let code = test.message_to("+639171234567").await[..6].to_owned();
    let outcome = replay([&test, &node], &client, |_, client| {
        let mut login = mobile.clone();
        (login["type"], login["verificationCode"]) = (json!("sms"), json!(code));
        async move { client.sealed(Method::POST, LOGIN, &login).await }
    });
    // Concurrent with the accepted use, more than five tries invalidate the code.
    let codes = ["verification.code_invalid", "verification.code_expired"];
    assert_once(outcome.await, &codes);
}

#[tokio::test]
async fn a_link_to_a_new_password() {
    let test = TestApp::behind_a_proxy().await;
    let node = test.another_node();
    recovery::with_email(&test).await;
    let link = recovery::link_of(&test).await;
    let client = test.visitor();
    let outcome = replay([&test, &node], &client, |number, client| {
        let password = format!("mango riot {number} at noon");
        let link = link.clone();
        async move { recovery::reset(&client, &link, &password).await }
    });
    // A request that loses the race after the first check gets a 503, and later ones find no link.
    assert_once(outcome.await, &["session.link_over", "server.unavailable"]);
}

#[tokio::test]
async fn a_ticket_of_a_social_sign_in_and_its_state() {
    let peer = Peer::start();
    let test = peer.site().await;
    let node = test.another_node();
    let mut client = test.visitor();
    let address = social::leave(&mut client, "oidc").await;
    let back = peer.visit(&address, "maria").await;
    let returns = stream::iter(0..replays()).map(|number| {
        let client = client.clone().through([&test, &node][number % 2]);
        let back = back.clone();
        async move { social::outcome_of(&client.get(&back).await) }
    });
    let outcomes: Vec<Value> = returns.buffer_unordered(AT_ONCE).collect().await;
    let (tickets, failed): (Vec<_>, Vec<_>) =
        outcomes.into_iter().partition(|outcome| outcome["ticket"].is_string());
    assert!(failed.iter().all(|outcome| *outcome == json!({ "error": "session.social_failed" })));
    assert_eq!(tickets.len(), 1);
    let outcome = replay([&test, &node], &client, |_, client| {
        let ticket = tickets[0].clone();
        async move { client.sealed(Method::POST, "/wps/session/login/social", &ticket).await }
    });
    assert_once(outcome.await, &["session.ticket_over"]);
}

/// A login ticket allows five tries at a code, so the test uses many tickets.
#[tokio::test]
async fn a_code_of_the_app_and_one_on_paper() {
    let test = TestApp::behind_a_proxy().await;
    let node = test.another_node();
    let mut member = test.member("maria").await;
    let (secret, paper) = two_factor::set_up(&test, &mut member).await;
    let codes = [two_factor::code(&test, &secret), paper[0].clone()];
    let (mut sent, mut accepted) = (0, [0, 0]);
    while sent < 2 * replays() {
        let mut client = member.clone().at(address(sent));
        client.token = None;
        let ticket = two_factor::ticket(&mut client).await;
        // Wrong codes are limited to twenty a day; this test needs more.
        test.change("delete from platform_budgets where name = 'sessions.factor.wrong'").await;
        for which in [0, 1, 0, 1, 0] {
            let mut client = client.clone().through([&test, &node][sent % 2]);
            let answer = two_factor::prove(&mut client, &ticket, &codes[which]).await;
            sent += 1;
            if answer.status.is_success() {
                accepted[which] += 1;
                break;
            }
            answer.assert_refused(400, "session.two_factor_invalid");
        }
    }
    println!("  {sent} sent, accepted {accepted:?}");
    assert_eq!(accepted, [1, 1]);
}
