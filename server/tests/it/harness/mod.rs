//! The test harness: an application on a database of its own, with a fixed clock.

mod client;
mod database;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};

use altcha::CreateChallengeOptions;
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use capiz::App;
use capiz::config::Config;
use capiz::{audit, router};
use chrono::{DateTime, Utc};
use platform::clock::Clock;
use platform::fail::FailPoints;
use platform::secret::{RootKey, Secret};
use platform::shutdown::{self, ShutdownTrigger};
use platform::timeouts::Timeouts;
use platform::{db, ids};
use serde_json::json;
use site::Merchant;
use sqlx::PgPool;
use uuid::Uuid;

pub use self::client::{Answer, Client, prove, prove_for};
use self::client::{send, solve};
pub use self::database::new_database;

/// The root key of every application under test.
pub fn root_key() -> RootKey {
    RootKey::new(&Secret::new("the secret of the tests, long enough".to_owned()))
}

pub fn start_of_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_900_000_000, 0).unwrap()
}

/// The committed API document; another test compares it with the code.
pub fn api_document() -> serde_json::Value {
    serde_json::from_str(include_str!("../../../../openapi.json")).unwrap()
}

/// The size of a test: from the environment variable, or a small default.
pub fn size(variable: &str, default: usize) -> usize {
    let value = std::env::var(variable).ok();
    value.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable} is a number")))
}

/// The IP address that every request comes from.
pub const PEER: Ipv4Addr = Ipv4Addr::LOCALHOST;

/// One of very many unused IP addresses.
pub fn address(number: usize) -> IpAddr {
    let number = u32::try_from(number % (1 << 24)).unwrap();
    Ipv4Addr::from_bits(u32::from(Ipv4Addr::new(10, 0, 0, 0)) + number).into()
}

/// Generous, because other load on the machine may delay a test.
pub const TIMEOUTS: Timeouts = Timeouts::of_seconds(300);

/// The password of [`TestApp::member`].
pub const PASSWORD: &str = "a-good-password";

/// The device secret of [`TestApp::phone`].
pub const PHONE: [u8; 32] = [7; 32];

/// An application under test.
pub struct TestApp {
    pub app: App,
    /// The same database with the owner's rights, to inspect and to sabotage it.
    pub owner: PgPool,
    router: Router,
    office: Router,
    trigger: ShutdownTrigger,
    /// Every response since recording began.
    pub heard: Mutex<Option<Vec<Answer>>>,
}

impl TestApp {
    pub async fn new() -> Self {
        Self::failing("", 0).await
    }

    /// An application with active fail points.
    pub async fn failing(points: &str, seed: u64) -> Self {
        Self::configured(|config| config.platform.fail = FailPoints::seeded(points, seed).unwrap())
            .await
    }

    /// An application behind a proxy that reports client addresses: see [`Client::at`].
    pub async fn behind_a_proxy() -> Self {
        Self::configured(|config| config.platform.trusted_proxies = vec![PEER.into()]).await
    }

    /// An application with a changed configuration.
    pub async fn configured(change: impl FnOnce(&mut Config)) -> Self {
        let options = database::copy_of_template().await;
        let owner = PgPool::connect_with(options.clone()).await.unwrap();
        let pool = db::connect(options, 8, TIMEOUTS).await.unwrap();
        let mut config = Config::parse(|_| None).unwrap();
        config.platform.timeouts = TIMEOUTS;
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

    /// Changes rows without the application's code; its cache of merchants is cleared.
    pub async fn change(&self, sql: &str) {
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&self.owner).await.unwrap();
        self.app.site.sites.refresh().await;
    }

    /// Turns a switch of all merchants on or off.
    pub async fn switch(&self, mod_id: &str, on: bool) {
        let sql = format!("update site_switches set enabled = {on} where mod_id = '{mod_id}'");
        self.change(&sql).await;
    }

    /// Marks all numbers and addresses that members typed as verified.
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

    /// A proof of work without work: with the secret, a challenge can be made that the first try
    /// solves. For tests of what happens after the human check.
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
        self.app.site.sites.find(&self.app.db, "127.0.0.1", None).await.unwrap().unwrap()
    }

    /// The newest message to a recipient.
    pub async fn message_to(&self, to: &str) -> String {
        let mut db = self.app.db.acquire().await.unwrap();
        let shown = self.app.outbox.list_newest(&mut db, 100).await.unwrap();
        let mut letters = shown.into_iter().filter_map(|message| message.letter);
        letters.find(|letter| letter.to == to).expect("a message was sent").text
    }

    /// A browser without a session.
    pub fn visitor(&self) -> Client<'_> {
        Client { test: self, token: None, cookies: Vec::new(), address: None }
    }

    /// The browser in which tests request and use codes, because a code is valid only in the
    /// browser that requested it.
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

    /// Sends a request to the site.
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let answer = send(self.router.clone(), request).await;
        if let Some(heard) = &mut *self.heard.lock().unwrap() {
            heard.push(answer.clone());
        }
        answer
    }

    /// Sends a request to the office.
    pub async fn send_office(&self, request: Request<Body>) -> Answer {
        send(self.office.clone(), request).await
    }

    /// Waits until this many transactions wait for a lock.
    pub async fn wait_for_locks(&self, count: i64) {
        let waiting = "select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'";
        for _ in 0..3_000 {
            let found: i64 = sqlx::query_scalar(waiting).fetch_one(&self.owner).await.unwrap();
            if found >= count {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        panic!("nobody waits for a lock");
    }

    /// Checks every invariant of the ledger.
    pub async fn assert_ledger_is_sound(&self) {
        audit::run(&self.app.db).await.unwrap();
    }

    /// Begins the shutdown.
    pub fn stop(&self) {
        self.trigger.begin();
    }

    /// Closes its connections, for tests that make many applications one after the other.
    pub async fn close(self) {
        self.app.studio.rounds.drain().await;
        self.app.db.close().await;
        self.owner.close().await;
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: chrono::Duration) {
        self.app.clock.advance(by);
    }
}
