//! Every failure is returned in the envelope, and every response has its headers.

use axum::body::Body;
use axum::http::{Method, Request, header};
use serde_json::json;

use crate::harness::TestApp;

#[tokio::test]
async fn unknown_paths_and_wrong_methods_wear_the_envelope() {
    let test = TestApp::new().await;
    let client = test.visitor();
    for path in ["/wps/none", "/lgw/", "/wps/system/status/", "/office/api/session/login"] {
        client.get(path).await.assert_refused(404, "request.not_found");
    }
    let answer = client.request(Method::DELETE, "/wps/system/status", None).await;
    answer.assert_refused(405, "request.method_not_allowed");
    assert!(answer.headers.contains_key(header::ALLOW));
    let answer = client.request(Method::POST, "/", None).await;
    answer.assert_refused(405, "request.method_not_allowed");
}

#[tokio::test]
async fn bodies_are_bounded_typed_and_parsed() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let send = async |kind: &str, body: Vec<u8>| {
        let request = Request::builder()
            .method(Method::POST)
            .uri("/lgw/fair/seed/rotate")
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(body))
            .unwrap();
        member.send(request).await
    };
    let json = "application/json";
    send(json, vec![b' '; 1 << 20]).await.assert_refused(413, "request.too_large");
    send(json, b"{".to_vec()).await.assert_refused(400, "request.malformed");
    send(json, b"{}".to_vec()).await.assert_refused(400, "request.malformed");
    send(json, br#"{"clientSeed":7}"#.to_vec()).await.assert_refused(400, "request.malformed");
    send(json, vec![0xff, 0xfe, 0x00]).await.assert_refused(400, "request.malformed");
    send("text/plain", b"{}".to_vec()).await.assert_refused(415, "request.unsupported_media_type");
}

#[tokio::test]
async fn a_large_body_without_a_length_is_refused_too() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    let chunks = (0..64).map(|_| Ok::<_, std::io::Error>(vec![b' '; 1 << 14]));
    let request = Request::builder()
        .method(Method::POST)
        .uri("/lgw/fair/seed/rotate")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from_stream(futures_util::stream::iter(chunks)))
        .unwrap();
    member.send(request).await.assert_refused(413, "request.too_large");
}

#[tokio::test]
async fn answers_carry_security_headers_and_are_not_cached() {
    let test = TestApp::new().await;
    let answer = test.visitor().get("/wps/system/status").await;
    for (name, value) in [("x-content-type-options", "nosniff"), ("cache-control", "no-store")] {
        assert_eq!(answer.headers[name], value);
    }
    assert!(answer.headers.contains_key("x-request-id"));
    assert!(answer.headers.contains_key("referrer-policy"));
}

#[tokio::test]
async fn the_office_lets_no_stranger_in() {
    let test = TestApp::new().await;
    let login = |body: serde_json::Value| {
        Request::builder()
            .method(Method::POST)
            .uri("/office/api/session/login")
            .header("x-office-page", "1")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string()))
            .unwrap()
    };
    let full = json!({ "username": "root", "password": "x", "code": "123456" });
    test.send_office(login(full)).await.assert_refused(400, "staff.login_refused");
    let empty = json!({ "username": "", "password": "x", "code": " " });
    let answer = test.send_office(login(empty)).await;
    answer.assert_refused(400, "input.invalid");
    assert_eq!(answer.body["fields"], json!({ "username": "required", "code": "required" }));
}

#[tokio::test]
async fn the_office_and_the_site_do_not_answer_for_each_other() {
    let test = TestApp::new().await;
    let request = Request::builder().uri("/wps/system/status").body(Body::empty()).unwrap();
    test.send_office(request).await.assert_refused(404, "request.not_found");
}

#[tokio::test]
async fn a_lost_database_is_a_503_that_says_when_to_come_back() {
    let test = TestApp::new().await;
    let member = test.member("maria").await;
    test.app.db.close().await;
    let answer = member.get("/wps/v2/wallets/balance").await;
    answer.assert_refused(503, "server.unavailable");
    assert_eq!(answer.headers[header::RETRY_AFTER], "1");
}
