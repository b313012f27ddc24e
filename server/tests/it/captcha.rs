//! Captchas: bound to a browser, answered once, readable without sight.

use axum::extract::FromRequestParts;
use axum::http::{Request, header};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use chrono::Duration;
use identity::captcha::{self, Viewer};
use platform::secret::KeyedHash;
use sha2::{Digest, Sha256};

use crate::harness::{Client, TestApp, root_key};
use crate::human::visitor;

/// The browser's request, as a handler receives it.
async fn visit(test: &TestApp, client: &Client<'_>) -> Viewer {
    let mut request = Request::get("/").header(header::HOST, "127.0.0.1");
    for cookie in &client.cookies {
        request = request.header(header::COOKIE, cookie);
    }
    let (mut parts, ()) = request.body(()).unwrap().into_parts();
    Viewer::from_request_parts(&mut parts, &test.app.identity).await.unwrap()
}

async fn check(test: &TestApp, client: &Client<'_>, input: Option<&str>) -> bool {
    let visit = visit(test, client).await;
    let checked = captcha::check(&test.app.identity, &visitor(test).await, &visit, input).await;
    checked.map_err(|error| assert_eq!(error.code.text(), "session.captcha")).is_ok()
}

/// Finds the answer of a question: of all selections of its words, the one whose hash is stored.
pub async fn answer_of(test: &TestApp, client: &Client<'_>, question: &str) -> String {
    let (_, words) = question.split_once(": ").unwrap();
    let words: Vec<&str> = words.trim_end_matches('.').split(", ").collect();
    let cookie = client.cookies.iter().find(|cookie| cookie.contains("capiz-visit")).unwrap();
    let (_, secret) = cookie.split_once('=').unwrap();
    let visit_hash = Sha256::digest(BASE64_URL_SAFE_NO_PAD.decode(secret).unwrap());
    let stored: Vec<u8> =
        sqlx::query_scalar("select answer_hash from sessions_captchas where visit_hash = $1")
            .bind(visit_hash.as_slice())
            .fetch_one(&test.owner)
            .await
            .unwrap();
    let hash = KeyedHash::new(&root_key(), "sessions/captchas");
    let choices = (0..1_u32 << words.len()).map(|choice| {
        let chosen = words.iter().enumerate().filter(|(index, _)| choice >> index & 1 == 1);
        chosen.map(|(_, word)| *word).collect::<Vec<_>>()
    });
    let mut right =
        choices.filter(|words| hash.of(&[&visit_hash, words.concat().as_bytes()])[..] == stored);
    let answer = right.next().expect("the question has an answer").join(", ");
    assert!(right.next().is_none());
    answer
}

async fn ask(test: &TestApp) -> (Client<'_>, String) {
    let mut client = test.visitor();
    let answer = client.get("/wps/captcha?kind=question").await;
    let question = answer.value().as_str().unwrap().to_owned();
    client.adopt(&answer);
    let answer = answer_of(test, &client, &question).await;
    (client, answer)
}

#[tokio::test]
async fn a_captcha_is_a_picture_for_one_browser() {
    let test = TestApp::new().await;
    let answer = test.visitor().get("/wps/captcha").await;
    let picture = BASE64_STANDARD.decode(answer.value().as_str().unwrap()).unwrap();
    assert!(picture.starts_with(b"\x89PNG\r\n\x1a\n") && picture.len() < 32_000);
    let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap();
    for part in ["__Host-capiz-visit=", "HttpOnly", "SameSite=Strict", "Secure", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    test.visitor().get("/wps/captcha?kind=song").await.assert_refused(400, "request.malformed");
}

#[tokio::test]
async fn a_right_answer_is_good_once() {
    let test = TestApp::new().await;
    let (client, answer) = ask(&test).await;
    let input = format!("  {} ", answer.to_uppercase());
    assert!(check(&test, &client, Some(&input)).await);
    assert!(!check(&test, &client, Some(&answer)).await);
    let (client, answer) = ask(&test).await;
    let race = (0..50).map(|_| check(&test, &client, Some(&answer)));
    let accepted = futures_util::future::join_all(race).await;
    assert_eq!(accepted.into_iter().filter(|right| *right).count(), 1);
}

#[tokio::test]
async fn a_wrong_answer_ends_it_and_so_does_time() {
    let test = TestApp::new().await;
    let (client, answer) = ask(&test).await;
    assert!(!check(&test, &client, Some("mesa")).await);
    assert!(!check(&test, &client, Some(&answer)).await);
    let (client, answer) = ask(&test).await;
    test.advance(Duration::minutes(5));
    assert!(!check(&test, &client, Some(&answer)).await);
    let (client, answer) = ask(&test).await;
    assert!(!check(&test, &client, None).await, "nothing typed spends nothing");
    assert!(!check(&test, &test.visitor(), Some(&answer)).await, "another browser");
    assert!(!check(&test, &client, Some(&"a".repeat(10_000))).await);
    assert!(check(&test, &client, Some(&answer)).await);
}

#[tokio::test]
async fn a_browser_gets_one_a_second() {
    let test = TestApp::new().await;
    let mut client = test.visitor();
    let first = client.get("/wps/captcha").await;
    first.value();
    client.adopt(&first);
    let soon = client.get("/wps/captcha").await;
    soon.assert_refused(429, "request.too_many");
    assert_eq!(soon.headers[header::RETRY_AFTER], "1");
    test.advance(Duration::seconds(1));
    let next = client.get("/wps/captcha?kind=question").await;
    assert!(next.headers.get(header::SET_COOKIE).is_none(), "the visit goes on");
    let answer = answer_of(&test, &client, next.value().as_str().unwrap()).await;
    assert!(check(&test, &client, Some(&answer)).await);
    client.get("/wps/captcha").await.assert_refused(429, "request.too_many");
}

#[tokio::test]
async fn questions_are_asked_in_the_visitors_language() {
    let test = TestApp::new().await;
    let mut client = test.visitor();
    client.cookies.push("lang=TY".to_owned());
    let answer = client.get("/wps/captcha?kind=question").await;
    assert!(answer.value().as_str().unwrap().starts_with("Alin sa mga salitang ito"));
    let answer = test.visitor().get("/wps/captcha?kind=question").await;
    assert!(answer.value().as_str().unwrap().starts_with("Which of these words"));
}

#[tokio::test]
async fn without_a_cookie_there_is_still_an_end() {
    let test = TestApp::new().await;
    for _ in 0..120 {
        test.visitor().get("/wps/captcha?kind=question").await.value();
    }
    test.visitor().get("/wps/captcha").await.assert_refused(429, "request.too_many");
}
