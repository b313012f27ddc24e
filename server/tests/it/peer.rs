//! A real identity provider for the tests: `web/e2e/identity-provider.mjs`, run by Node.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use axum::body::Bytes;
use axum::http::{Request, Response, header};
use capiz::config::Config;
use http_body_util::{BodyExt, Full};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use platform::clock::Clock;
use serde_json::{Value, json};

use crate::harness::TestApp;

/// The provider process; it ends when dropped.
pub struct Peer {
    child: Child,
    pub issuer: String,
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Peer {
    pub fn start() -> Self {
        let web = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../web");
        let mut child = Command::new("node")
            .args(["e2e/identity-provider.mjs", "http://127.0.0.1"])
            .current_dir(web)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Node runs the identity provider");
        let mut issuer = String::new();
        let output = child.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut issuer).unwrap();
        let issuer = issuer.trim().to_owned();
        assert!(issuer.starts_with("http"), "the identity provider needs `npm ci` in web/");
        Self { child, issuer }
    }

    /// An application that is configured with the provider under both names, and as phone service;
    /// its clock equals the provider's.
    pub async fn site(&self) -> TestApp {
        let at = |path: &str| format!("{}{path}", self.issuer);
        let environment = [
            ("CAPIZ_OIDC_NAME", "Harbor".to_owned()),
            ("CAPIZ_OIDC_ISSUER", self.issuer.clone()),
            ("CAPIZ_OIDC_CLIENT_ID", "capiz".to_owned()),
            ("CAPIZ_OIDC_CLIENT_SECRET", "a secret between the two".to_owned()),
            ("CAPIZ_OAUTH_NAME", "Fisherfolk".to_owned()),
            ("CAPIZ_OAUTH_AUTHORIZE_URL", at("/auth")),
            ("CAPIZ_OAUTH_TOKEN_URL", at("/token")),
            ("CAPIZ_OAUTH_USER_URL", at("/me")),
            ("CAPIZ_OAUTH_CLIENT_ID", "capiz-plain".to_owned()),
            ("CAPIZ_OAUTH_CLIENT_SECRET", "a secret between the two".to_owned()),
            ("CAPIZ_OAUTH_SCOPE", "openid profile email".to_owned()),
            ("CAPIZ_OAUTH_ID_FIELD", "sub".to_owned()),
            ("CAPIZ_PHONE_ISSUER", "https://phone.example/capiz".to_owned()),
            ("CAPIZ_PHONE_AUDIENCE", "capiz-phones".to_owned()),
            ("CAPIZ_PHONE_KEYS_URL", at("/jwks")),
            ("CAPIZ_PHONE_PAGE_URL", at("/phone")),
        ];
        let lookup = |name: &str| {
            environment.iter().find(|(key, _)| *key == name).map(|(_, value)| value.clone())
        };
        let test = TestApp::configured(|config| *config = Config::parse(lookup).unwrap()).await;
        now(&test);
        test
    }

    /// Changes how the provider behaves.
    pub async fn control(&self, order: &Value) -> Value {
        let request = Request::post(format!("{}/control", self.issuer));
        let answer = call(request.body(order.to_string().into()).unwrap()).await;
        let bytes = answer.into_body().collect().await.unwrap().to_bytes();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Claims, signed with the provider's current key.
    pub async fn sign(&self, claims: &Value) -> String {
        let answer = self.control(&json!({ "sign": claims })).await;
        answer["token"].as_str().unwrap().to_owned()
    }

    /// Follows a site's redirect to the provider, completes all its pages as this person, and
    /// returns the path on the site that the provider redirects back to.
    pub async fn visit(&self, address: &str, person: &str) -> String {
        let mut cookies: Vec<String> = Vec::new();
        let mut address = format!("{address}&login_hint={person}");
        for _ in 0..10 {
            let mut request = Request::get(&address);
            if !cookies.is_empty() {
                request = request.header(header::COOKIE, cookies.join("; "));
            }
            let answer = call(request.body(Full::default()).unwrap()).await;
            for cookie in answer.headers().get_all(header::SET_COOKIE) {
                let pair = cookie.to_str().unwrap().split(';').next().unwrap();
                cookies.push(pair.to_owned());
            }
            let place = answer.headers()[header::LOCATION].to_str().unwrap();
            if let Some(path) = place.strip_prefix("http://127.0.0.1/") {
                return format!("/{path}");
            }
            address = match place.starts_with('/') {
                true => format!("{}{place}", self.issuer),
                false => place.to_owned(),
            };
        }
        panic!("the provider sends the visitor around in circles");
    }
}

/// Sets the application's clock to the real time, because the provider's tokens contain it.
pub fn now(test: &TestApp) {
    test.advance(Clock::system().now() - test.app.clock.now());
}

async fn call(request: Request<Full<Bytes>>) -> Response<hyper::body::Incoming> {
    let client = Client::builder(TokioExecutor::new()).build_http();
    client.request(request).await.unwrap()
}
