//! Hostile input: for any request, the response is a 4xx in the envelope, and nothing changes.

use axum::body::Body;
use axum::http::{Method, Request, header};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::harness::{Answer, TestApp};

/// Every call of the site, from the API document.
fn calls() -> Vec<(Method, String)> {
    let document = crate::harness::api_document();
    let mut calls = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let Ok(method) = method.to_ascii_uppercase().parse::<Method>() else { continue };
            calls.push((method, path.clone()));
        }
    }
    assert!(calls.len() >= 15);
    calls
}

/// Values that programs often fail to handle.
fn nasty_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(json!("-1")),
        Just(json!("99999999999999999999")),
        Just(json!("1e309")),
        Just(json!("\u{0}")),
        ".{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let keys = prop_oneof![
            Just("stake".to_owned()),
            Just("choice".to_owned()),
            Just("target".to_owned()),
            Just("direction".to_owned()),
            Just("clientSeed".to_owned()),
            Just("kid".to_owned()),
            Just("enc".to_owned()),
            Just("ct".to_owned()),
            Just("at".to_owned()),
            Just("nonce".to_owned()),
            Just("username".to_owned()),
            ".{0,8}",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(keys, inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn bodies(runner: &mut TestRunner) -> Vec<Vec<u8>> {
    let mut bodies =
        vec![Vec::new(), b"{".to_vec(), vec![0xff; 64], b"null".to_vec(), b"[[[[".repeat(2_000)];
    let random = prop::collection::vec(any::<u8>(), 0..200);
    for _ in 0..6 {
        bodies.push(random.new_tree(runner).unwrap().current());
        bodies.push(nasty_json().new_tree(runner).unwrap().current().to_string().into_bytes());
    }
    bodies
}

#[tokio::test]
async fn random_bodies_and_types_on_every_path_get_a_4xx() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let mut runner = TestRunner::deterministic();
    for (method, path) in calls() {
        let path = path.replace("{id}", "not%00an%FFid");
        for body in bodies(&mut runner) {
            for kind in ["application/json", "application/sealed+json", "text/html", "\"", ""] {
                let mut request = Request::builder().method(method.clone()).uri(&path);
                request = request.header("idempotency-key", "hostile-key");
                request = request.header("x-office-page", "1");
                if !kind.is_empty() {
                    request = request.header(header::CONTENT_TYPE, kind);
                }
                let request = request.body(Body::from(body.clone())).unwrap();
                let answer = match path.starts_with("/office/") {
                    true => test.send_office(request).await,
                    false => member.send(request).await,
                };
                assert_no_harm(&answer, &format!("{method} {path} {kind}"));
            }
        }
        if method == Method::DELETE {
            // The logout call ended the session: the next calls need a new one.
            return_session(&test, &member).await;
        }
    }
    assert_eq!(member.balance().await, "1000");
    test.assert_ledger_is_sound().await;
}

#[tokio::test]
async fn random_plaintexts_in_a_good_seal_get_a_4xx_that_repeats_nothing() {
    let test = TestApp::new().await;
    let client = test.visitor();
    let mut runner = TestRunner::deterministic();
    let sealed_calls = [
        (Method::POST, "/wps/session/login"),
        (Method::POST, "/wps/session/login/freeplay"),
        (Method::PUT, "/wps/member/register"),
    ];
    for (method, path) in sealed_calls {
        for _ in 0..20 {
            let body = nasty_json().new_tree(&mut runner).unwrap().current();
            let answer = client.sealed(method.clone(), path, &body).await;
            assert!(answer.status.is_client_error(), "{method} {path} {body}: {}", answer.text);
            assert_no_harm(&answer, path);
        }
        let secret = json!({ "username": 20_771_234, "password": 20_771_234 });
        let answer = client.sealed(method.clone(), path, &secret).await;
        answer.assert_refused(400, "request.malformed");
        assert!(!answer.text.contains("20771234"), "{}", answer.text);
    }
    for name in ["\u{0}", "' or 1=1 --", "%", "ﬀ", &"x".repeat(5_000)] {
        let body = json!({
            "type": "username", "username": name, "password": name,
            "human": client.proof().await,
        });
        let answer = client.sealed(Method::POST, "/wps/session/login", &body).await;
        assert!(answer.status.is_client_error(), "{name}: {}", answer.text);
    }
}

/// Checks that it is no 5xx, and that every refusal is in the envelope.
#[track_caller]
fn assert_no_harm(answer: &Answer, what: &str) {
    assert!(answer.status.as_u16() < 500, "{what}: {}", answer.text);
    if answer.status.is_client_error() {
        assert_eq!(answer.body["success"], false, "{what}: {}", answer.text);
        assert!(answer.body["code"].is_string(), "{what}: {}", answer.text);
    }
}

async fn return_session(test: &TestApp, member: &crate::harness::Client<'_>) {
    sqlx::query("update sessions_tokens set ended_at = null").execute(&test.owner).await.unwrap();
    member.get("/wps/member/info").await.value();
}

#[tokio::test]
async fn hostile_headers_and_queries_get_a_4xx() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    for path in [
        "/lgw/play/rounds?limit=-1",
        "/lgw/play/rounds?limit=99999999999999999999",
        "/lgw/play/rounds?limit=%00",
        "/lgw/play/rounds?cursor=%27%20or%201=1",
        "/lgw/games/winners?limitNum=x",
        "/wps/game/launchGame?gameCode=%00",
        "/wps/game/launchGame?gameCode=%FF%FE",
        "/wps/game/launchGame?gameCode=a&gameCode=b",
        "/lgw/play/rounds/%00",
    ] {
        let answer = member.get(path).await;
        assert!(answer.status.is_client_error(), "{path}: {} {}", answer.status, answer.text);
        assert_eq!(answer.body["success"], false, "{path}: {}", answer.text);
    }
    for (name, value) in [
        ("authorization", "Bearer \u{00ff}"),
        ("authorization", "Bearer"),
        ("authorization", "Basic AAAA"),
        ("cookie", "__Host-capiz-device=*; ;;=;"),
        ("merchant", "\u{00ff}"),
    ] {
        let request = Request::builder().uri("/wps/member/info").header(name, value);
        let answer = test.send(request.body(Body::empty()).unwrap()).await;
        assert!(answer.status.is_client_error(), "{name}: {value}: {}", answer.text);
    }
}
