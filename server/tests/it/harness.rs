//! The harness: an application on a database of its own, with a clock that stands still.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Once};

use altcha::{Challenge, CreateChallengeOptions, SolveChallengeOptions, solve_challenge};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use capiz::app::App;
use capiz::config::Config;
use capiz::platform::clock::Clock;
use capiz::platform::fail::FailPoints;
use capiz::platform::patience::Patience;
use capiz::platform::seal::{self, SealKey, Target};
use capiz::platform::secret::{RootKey, Secret};
use capiz::platform::shutdown::{self, ShutdownTrigger};
use capiz::platform::{db, ids};
use capiz::site::Merchant;
use capiz::{audit, demo, router};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection, PgPool};
use tokio::sync::OnceCell;
use tower::ServiceExt;
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::SubscriberExt;
use uuid::Uuid;

static TEMPLATE: OnceCell<(PgConnectOptions, String)> = OnceCell::const_new();
static COUNTER: AtomicU32 = AtomicU32::new(0);

/// Gives every thread a listener that hears nothing and is asked about each line anew. Without it a line
/// of which a thread without a listener is the first to hear is noted as heard by nobody, for all
/// threads, and a test that begins to listen at that moment misses it.
fn keep_asking() {
    static ASKING: Once = Once::new();
    ASKING.call_once(|| {
        let deaf = tracing_subscriber::registry().with(dynamic_filter_fn(|_, _| false));
        tracing::subscriber::set_global_default(deaf).unwrap();
    });
}

/// Migrates one database and founds the merchant; every test clones it.
async fn template() -> &'static (PgConnectOptions, String) {
    keep_asking();
    TEMPLATE
        .get_or_init(|| async {
            let url = std::env::var("DATABASE_URL")
                .expect("these tests need a database: run them with `make test-rust`");
            let options = db::options(&url).unwrap();
            let name = format!("capiz_template_{}", std::process::id());
            create_database(&options, &format!(r#"create database "{name}""#)).await;
            let template = options.clone().database(&name);
            db::prepare(&template, false).await.unwrap();
            let pool = db::connect(template, 1, PATIENCE).await.unwrap();
            demo::found_merchant(&pool, &Clock::fixed(start_of_time())).await.unwrap();
            pool.close().await;
            (options, name)
        })
        .await
}

async fn create_database(options: &PgConnectOptions, sql: &str) {
    let mut connection = PgConnection::connect_with(options).await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// An empty database.
pub async fn new_database() -> PgConnectOptions {
    let (options, _) = template().await;
    let number = COUNTER.fetch_add(1, Ordering::SeqCst);
    let name = format!("capiz_empty_{}_{number}", std::process::id());
    create_database(options, &format!(r#"create database "{name}""#)).await;
    options.clone().database(&name)
}

/// The root of the keys of every application under test.
pub fn root_key() -> RootKey {
    RootKey::new(&Secret::new("the secret of the tests, long enough".to_owned()))
}

pub fn start_of_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_900_000_000, 0).unwrap()
}

/// Asks for a challenge and solves it, as the page does.
pub async fn prove(client: &Client<'_>) -> String {
    let answer = client.get("/wps/captcha/challenge").await;
    prove_for(answer.value()).await
}

/// Solves a challenge as it stands in an answer.
pub async fn prove_for(challenge: &Value) -> String {
    let challenge: Challenge = serde_json::from_value(challenge.clone()).unwrap();
    tokio::task::spawn_blocking(move || solve(&challenge)).await.unwrap()
}

fn solve(challenge: &Challenge) -> String {
    let solution = solve_challenge(SolveChallengeOptions::new(challenge)).unwrap().unwrap();
    BASE64_STANDARD.encode(json!({ "challenge": challenge, "solution": solution }).to_string())
}

/// How large a test is: as the environment says, or small.
pub fn size(variable: &str, default: usize) -> usize {
    let told = std::env::var(variable).ok();
    told.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable} is a number")))
}

/// Where the peer of every request in a test stands.
pub const PEER: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// One of very many addresses that nobody has.
pub fn address(number: usize) -> IpAddr {
    let number = u32::try_from(number % (1 << 24)).unwrap();
    Ipv4Addr::from_bits(u32::from(Ipv4Addr::new(10, 0, 0, 0)) + number).into()
}

/// A machine that others use as well may keep a test waiting, which is no fault of ours.
pub const PATIENCE: Patience = Patience::of_seconds(300);

/// The password of [`TestApp::member`].
pub const PASSWORD: &str = "a-good-password";

/// The device secret of [`TestApp::phone`].
pub const PHONE: [u8; 32] = [7; 32];

/// An application under test.
pub struct TestApp {
    pub app: App,
    /// The same database as its owner sees it: for looking and for sabotage.
    pub owner: PgPool,
    router: Router,
    office: Router,
    trigger: ShutdownTrigger,
    /// Every answer since somebody began to listen.
    pub heard: Mutex<Option<Vec<Answer>>>,
}

impl TestApp {
    pub async fn new() -> Self {
        Self::failing("", 0).await
    }

    /// An application whose fail points strike.
    pub async fn failing(points: &str, seed: u64) -> Self {
        Self::configured(|config| config.fail = FailPoints::seeded(points, seed).unwrap()).await
    }

    /// An application behind a proxy that says where clients are: see [`Client::at`].
    pub async fn behind_a_proxy() -> Self {
        Self::configured(|config| config.trusted_proxies = vec![PEER.into()]).await
    }

    /// An application in another environment.
    pub async fn configured(change: impl FnOnce(&mut Config)) -> Self {
        let (options, template) = template().await;
        let number = COUNTER.fetch_add(1, Ordering::SeqCst);
        let name = format!("capiz_test_{}_{number}", std::process::id());
        let sql = format!(r#"create database "{name}" template "{template}""#);
        create_database(options, &sql).await;
        let options = options.clone().database(&name);
        let owner = PgPool::connect_with(options.clone()).await.unwrap();
        let pool = db::connect(options, 8, PATIENCE).await.unwrap();
        let mut config = Config::parse(|_| None).unwrap();
        config.patience = PATIENCE;
        change(&mut config);
        Self::on(pool, owner, config, Clock::fixed(start_of_time()))
    }

    fn on(pool: PgPool, owner: PgPool, config: Config, clock: Clock) -> Self {
        let root = root_key();
        let (trigger, shutdown) = shutdown::channel();
        let app = App::new(config, pool, clock, &root, shutdown);
        let (router, office) = (router::site(&app), router::office(&app));
        Self { router, office, app, owner, trigger, heard: Mutex::default() }
    }

    /// Another node on the same database, with the same secret, settings and clock.
    pub fn another_node(&self) -> Self {
        let app = &self.app;
        Self::on(app.db.clone(), self.owner.clone(), app.config.clone(), app.clock.clone())
    }

    /// Changes rows behind the application's back; what it had read of merchants is forgotten.
    pub async fn change(&self, sql: &str) {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&self.owner).await.unwrap();
        self.app.sites.refresh().await;
    }

    /// Turns a switch of all merchants.
    pub async fn switch(&self, mod_id: &str, on: bool) {
        let sql = format!("update site_switches set enabled = {on} where mod_id = '{mod_id}'");
        self.change(&sql).await;
    }

    /// Everybody has proved to hold the number and the address that it typed.
    pub async fn verify_contacts(&self) {
        self.change(
            "update members_details set
                mobile_verified_at = case when mobile is not null then now() end,
                email_verified_at = case when email is not null then now() end;
             update members_mobiles set verified = true;
             update members_emails set verified = true",
        )
        .await;
    }

    /// A proof of work that took none: whoever knows the secret can make a challenge that the
    /// first try solves. For tests of what stands behind the human check.
    pub fn proof(&self, merchant_id: Uuid) -> String {
        let now = self.app.clock.now();
        let secret = |purpose| Some(hex::encode(root_key().derive(purpose)));
        let challenge = altcha::create_challenge(CreateChallengeOptions {
            algorithm: "PBKDF2/SHA-256".to_owned(),
            cost: 1,
            counter: Some(0),
            data: Some(BTreeMap::from([
                ("id".to_owned(), json!(ids::new_id(now))),
                ("merchant".to_owned(), json!(merchant_id)),
                ("level".to_owned(), json!(4)),
            ])),
            expires_at: Some(now.timestamp() + 60),
            hmac_signature_secret: secret("sessions/human/challenge"),
            hmac_key_signature_secret: secret("sessions/human/solution"),
            ..Default::default()
        });
        solve(&challenge.unwrap())
    }

    /// The merchant of the host that requests go to.
    pub async fn merchant(&self) -> Arc<Merchant> {
        self.app.sites.find(&self.app.db, "127.0.0.1", None).await.unwrap().unwrap()
    }

    /// The newest message that was sent to somebody.
    pub async fn letter_to(&self, to: &str) -> String {
        let mut db = self.app.db.acquire().await.unwrap();
        let shown = self.app.outbox.list_newest(&mut db, 100).await.unwrap();
        let mut letters = shown.into_iter().filter_map(|message| message.letter);
        letters.find(|letter| letter.to == to).expect("a message was sent").text
    }

    /// A browser without a session.
    pub fn visitor(&self) -> Client<'_> {
        Client { test: self, token: None, cookies: Vec::new(), address: None }
    }

    /// The one browser in which tests ask for codes and use them: a code is good where it was asked for.
    pub fn phone(&self) -> Client<'_> {
        let secret = BASE64_URL_SAFE_NO_PAD.encode(PHONE);
        Client { cookies: vec![format!("__Host-capiz-device={secret}")], ..self.visitor() }
    }

    /// A registered member with the welcome credit.
    pub async fn member(&self, username: &str) -> Client<'_> {
        let mut client = self.visitor();
        let answer = client.register(username, PASSWORD).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        client
    }

    /// A demo account.
    pub async fn trial(&self) -> Client<'_> {
        let mut client = self.visitor();
        let body =
            json!({ "os": "test", "platform": "W", "random": "0123456789", "gatewayVersion": 3 });
        let answer = client.sealed(Method::POST, "/wps/session/login/freeplay", &body).await;
        client.adopt(&answer);
        client
    }

    /// Sends anything to the site.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let answer = send(self.router.clone(), request).await;
        if let Some(heard) = &mut *self.heard.lock().unwrap() {
            heard.push(answer.clone());
        }
        answer
    }

    /// Sends anything to the office.
    pub async fn send_office(&self, request: Request<Body>) -> Answer {
        send(self.office.clone(), request).await
    }

    /// Every invariant of the ledger holds.
    pub async fn assert_ledger_is_sound(&self) {
        audit::run(&self.app.db).await.unwrap();
    }

    /// Begins the shutdown.
    pub fn stop(&self) {
        self.trigger.begin();
    }

    /// Gives its connections back: for tests that make many applications one after the other.
    pub async fn close(self) {
        self.app.rounds.drain().await;
        self.app.db.close().await;
        self.owner.close().await;
    }

    /// Moves the clock.
    pub fn advance(&self, by: chrono::Duration) {
        self.app.clock.advance(by);
    }
}

async fn send(router: Router, mut request: Request<Body>) -> Answer {
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

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    pub text: String,
}

impl Answer {
    /// The value of an accepted request.
    #[track_caller]
    pub fn value(&self) -> &Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text);
        assert_eq!(self.body["success"], true, "{}", self.text);
        &self.body["value"]
    }

    /// A refusal wears the envelope, with this status and code.
    #[track_caller]
    pub fn assert_refused(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.body["success"], false, "{}", self.text);
        assert_eq!(self.body["code"], code, "{}", self.text);
        assert!(self.body["message"].is_string(), "{}", self.text);
    }
}

/// A browser: it keeps its cookies and its token.
#[derive(Clone)]
pub struct Client<'a> {
    test: &'a TestApp,
    pub token: Option<String>,
    pub cookies: Vec<String>,
    /// The address that a proxy says the browser has.
    address: Option<String>,
}

impl<'a> Client<'a> {
    /// The same browser at another node.
    pub fn through(self, test: &'a TestApp) -> Self {
        Self { test, ..self }
    }

    /// The same browser behind a proxy that says it has this address.
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

    /// Plays with a key.
    pub async fn play(&self, key: &str, body: &Value) -> Answer {
        let request = Request::builder()
            .method(Method::POST)
            .uri("/lgw/play/dice")
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", key);
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// Seals a body and sends it.
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

    /// Registers by username with some fields more, or other ones.
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

    /// A proof of work for the site that requests go to.
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

    /// Keeps the token and cookies of an answer, as a browser does.
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
