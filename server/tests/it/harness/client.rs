//! Browsers of the tests: the requests they send, and the responses.

use std::net::SocketAddr;

use altcha::{Challenge, SolveChallengeOptions, solve_challenge};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use platform::ids;
use platform::seal::{self, SealKey, Target};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{PEER, TestApp};

/// A response.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    pub text: String,
}

impl Answer {
    /// The value of a successful response; fails the test for any other.
    #[track_caller]
    pub fn value(&self) -> &Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text);
        assert_eq!(self.body["success"], true, "{}", self.text);
        &self.body["value"]
    }

    /// Checks that the response is a refusal in the envelope, with this status and code.
    #[track_caller]
    pub fn assert_refused(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.body["success"], false, "{}", self.text);
        assert_eq!(self.body["code"], code, "{}", self.text);
        assert!(self.body["message"].is_string(), "{}", self.text);
    }
}

/// A browser, which keeps its cookies and its token.
#[derive(Clone)]
pub struct Client<'a> {
    pub(super) test: &'a TestApp,
    pub token: Option<String>,
    pub cookies: Vec<String>,
    /// The client IP address that the proxy reports.
    pub(super) address: Option<String>,
}

impl<'a> Client<'a> {
    /// The same browser, connected to another node.
    pub fn through(self, test: &'a TestApp) -> Self {
        Self { test, ..self }
    }

    /// The same browser behind a proxy that reports this IP address.
    pub fn at(&self, address: impl ToString) -> Self {
        Self { address: Some(address.to_string()), ..self.clone() }
    }

    pub async fn request(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map_or(Body::empty(), |body| Body::from(body.to_string()));
        self.send(request.body(body).unwrap()).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.request(Method::POST, path, Some(body)).await
    }

    /// Plays a round of dice with an idempotency key.
    pub async fn play(&self, key: &str, body: &Value) -> Answer {
        let request = Request::builder()
            .method(Method::POST)
            .uri("/lgw/play/dice")
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", key);
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Encrypts a body and sends it.
    pub async fn sealed(&self, method: Method, path: &str, body: &Value) -> Answer {
        let sealed = self.seal(&method, path, body).await;
        self.send_sealed(method, path, &sealed).await
    }

    pub async fn seal(&self, method: &Method, path: &str, body: &Value) -> Value {
        let key = self.get("/wps/system/key").await;
        let key = key.value();
        let text = |name: &str| key[name].as_str().unwrap().to_owned();
        let key = SealKey {
            kid: text("kid"),
            public_key: text("publicKey"),
            now: key["now"].as_i64().unwrap(),
        };
        let nonce = ids::new_id(self.test.app.clock.now()).to_string();
        let target = Target { method: method.as_str(), path };
        json!(seal::seal_to(&key, target, &nonce, body.to_string().as_bytes()).unwrap())
    }

    pub async fn send_sealed(&self, method: Method, path: &str, sealed: &Value) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, seal::MEDIA_TYPE);
        self.send(request.body(Body::from(sealed.to_string())).unwrap()).await
    }

    pub async fn register(&mut self, username: &str, password: &str) -> Answer {
        let more = json!({ "password": password, "confirmPassword": password });
        self.fill_in(username, &more).await
    }

    /// Registers by username; the given fields are added or replace others.
    pub async fn fill_in(&mut self, username: &str, more: &Value) -> Answer {
        let mut form = json!({
            "username": username, "password": "a-good-password",
            "confirmPassword": "a-good-password",
            "birthday": "1990-05-17", "ofAge": true, "adult": true, "terms": true,
            "login": true, "registerMethod": "WEB",
            "human": self.proof().await,
        });
        for (name, value) in more.as_object().unwrap() {
            form[name] = value.clone();
        }
        let answer = self.sealed(Method::PUT, "/wps/member/register", &form).await;
        self.adopt(&answer);
        answer
    }

    /// A proof of work for the merchant that requests go to.
    pub async fn proof(&self) -> String {
        self.test.proof(self.test.merchant().await.id)
    }

    pub async fn login(&mut self, username: &str, password: &str) -> Answer {
        let body = json!({
            "type": "username", "username": username, "password": password,
            "human": self.proof().await,
        });
        let answer = self.sealed(Method::POST, "/wps/session/login", &body).await;
        self.adopt(&answer);
        answer
    }

    /// Keeps the token and cookies of a response, as a browser does.
    pub fn adopt(&mut self, answer: &Answer) {
        if let Some(token) = answer.body["value"]["token"].as_str() {
            self.token = Some(token.to_owned());
        }
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            self.cookies.push(pair.to_owned());
        }
    }

    pub async fn balance(&self) -> String {
        let answer = self.get("/wps/v2/wallets/balance").await;
        answer.value()["balance"].as_str().unwrap().to_owned()
    }

    pub async fn send(&self, mut request: Request<Body>) -> Answer {
        let headers = request.headers_mut();
        if let Some(token) = &self.token {
            headers.insert(header::AUTHORIZATION, format!("Bearer {token}").parse().unwrap());
        }
        if let Some(address) = &self.address {
            headers.insert("x-forwarded-for", address.parse().unwrap());
        }
        if !self.cookies.is_empty() {
            headers.insert(header::COOKIE, self.cookies.join("; ").parse().unwrap());
        }
        self.test.send(request).await
    }
}

pub(super) async fn send(router: Router, mut request: Request<Body>) -> Answer {
    let peer = SocketAddr::from((PEER, 4242));
    request.extensions_mut().insert(ConnectInfo(peer));
    request.headers_mut().entry(header::HOST).or_insert("127.0.0.1".parse().unwrap());
    let response = router.oneshot(request).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let bytes = to_bytes(response.into_body(), 1 << 22).await.unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Answer { status, headers, body, text }
}

/// Requests a proof-of-work challenge and solves it, as the web does.
pub async fn prove(client: &Client<'_>) -> String {
    let answer = client.get("/wps/captcha/challenge").await;
    prove_for(answer.value()).await
}

/// Solves a challenge from a response.
pub async fn prove_for(challenge: &Value) -> String {
    let challenge: Challenge = serde_json::from_value(challenge.clone()).unwrap();
    tokio::task::spawn_blocking(move || solve(&challenge)).await.unwrap()
}

pub(super) fn solve(challenge: &Challenge) -> String {
    let solution = solve_challenge(SolveChallengeOptions::new(challenge)).unwrap().unwrap();
    BASE64_STANDARD.encode(json!({ "challenge": challenge, "solution": solution }).to_string())
}
