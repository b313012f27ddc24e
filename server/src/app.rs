//! The application: the handles that every request works with.

use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{ConnectInfo, FromRef, FromRequestParts, Request};
use axum::http::request::Parts as RequestParts;
use axum::http::{HeaderMap, HeaderName, header};
use sqlx::PgPool;
use tracing::{Instrument, Span};

use crate::config::{Config, Tls};
use crate::front::Documents;
use crate::games::Catalogue;
use crate::members::{OnRegistered, OnStateChanged, Vault};
use crate::platform::asker::{self, Asker};
use crate::platform::budget::Budgets;
use crate::platform::clock::Clock;
use crate::platform::error::ApiError;
use crate::platform::jobs::Timetable;
use crate::platform::outbox::{Channels, HttpSms, Outbox, SmtpMail};
use crate::platform::outside::Outside;
use crate::platform::pages::Pages;
use crate::platform::passwords::Passwords;
use crate::platform::precedence::Precedence;
use crate::platform::push::Hub;
use crate::platform::seal::{SealGate, SealKeys};
use crate::platform::secret::RootKey;
use crate::platform::shutdown::Shutdown;
use crate::platform::vitals::DatabaseSizes;
use crate::promotions;
use crate::sessions::phone::PhoneService;
use crate::sessions::{FactorKeys, Gates, LiveSessions, Social};
use crate::site::{Directory, Library};
use crate::staff::{Matter, OfficeKeys};
use crate::studio::{self, Jackpots, Rounds, SeedVault};
use crate::wallet::{self, Prover, Size, Writer};

/// Who hears of a new member, in this order, inside the transaction that makes it.
static ON_REGISTERED: &[OnRegistered] =
    &[wallet::on_registered, studio::on_registered, promotions::on_registered];

/// Who acts on it that an account is frozen, opened again or closed, inside the transaction that
/// does so.
static ON_STATE_CHANGED: &[OnStateChanged] = &[wallet::on_state_changed, studio::on_state_changed];

/// What two people of the office do together.
static MATTERS: &[Matter] = &[wallet::CORRECTION];

const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// A cheap handle to the one application.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What the application is made of.
pub struct Parts {
    /// The environment's decisions.
    pub config: Config,
    /// The database, as the role `capiz_server`.
    pub db: PgPool,
    /// The injected clock.
    pub clock: Clock,
    /// Keys for sealed payloads.
    pub seal: SealKeys,
    /// The password hashing pool.
    pub passwords: Passwords,
    /// Encrypts identity numbers.
    pub vault: Vault,
    /// Encrypts server seeds.
    pub seed_vault: SeedVault,
    /// Tells when the process ends.
    pub shutdown: Shutdown,
    /// Sends events to open pages.
    pub push: Arc<Hub>,
    /// Finds merchants by host.
    pub sites: Directory,
    /// What sites tell their visitors.
    pub content: Library,
    /// Secrets that are shared with authenticator apps.
    pub factors: FactorKeys,
    /// Messages to people.
    pub outbox: Outbox,
    /// How often something may be done.
    pub budgets: Budgets,
    /// The keys of captchas, human checks, codes and remembered passwords.
    pub gates: Gates,
    /// Sessions that were read a moment ago.
    pub live_sessions: LiveSessions,
    /// Social sign-in.
    pub social: Social,
    /// The service that verifies phone numbers, where there is one.
    pub phone: Option<PhoneService>,
    /// The games.
    pub catalogue: Catalogue,
    /// The web's documents and assets.
    pub pages: Pages,
    /// Documents of the players' site that are ready.
    pub documents: Documents,
    /// What this node's worker runs, and when.
    pub timetable: Timetable,
    /// When this node was started.
    pub started: Instant,
    /// What is read of the database's size, which changes slowly.
    pub sizes: DatabaseSizes,
    /// Posts rounds of games.
    pub rounds: Writer<Rounds>,
    /// Lets rounds go before logins.
    pub precedence: Precedence,
    /// What the jackpots stand at.
    pub jackpots: Jackpots,
    /// Proves what the house owes.
    pub prover: Prover,
    /// What staff may ask each other for.
    pub matters: &'static [Matter],
    /// The keys of the office.
    pub office: OfficeKeys,
    /// Who hears of a new member.
    pub on_registered: &'static [OnRegistered],
    /// Who acts on another state of an account.
    pub on_state_changed: &'static [OnStateChanged],
}

impl App {
    /// Puts the application together.
    pub fn new(
        config: Config,
        db: PgPool,
        clock: Clock,
        root: &RootKey,
        shutdown: Shutdown,
    ) -> Self {
        let push = Hub::new(db.clone(), shutdown.clone());
        let seed_vault = SeedVault::new(root);
        let ground = wallet::Ground {
            db: db.clone(),
            clock: clock.clone(),
            push: Arc::clone(&push),
            fail: config.fail.clone(),
            patience: config.patience,
        };
        let size = Size::default();
        let size = Size { lanes: config.lanes.unwrap_or(size.lanes), ..size };
        let outside = Outside::default();
        Self(Arc::new(Parts {
            social: Social::new(&config, root, &outside),
            phone: config.phone.clone().map(|settings| PhoneService::new(settings, outside)),
            rounds: Writer::start(Rounds::new(seed_vault.clone()), ground, size),
            precedence: Precedence::default(),
            jackpots: Jackpots::default(),
            prover: Prover::new(root),
            outbox: Outbox::new(root, channels(&config)),
            budgets: Budgets::new(root),
            gates: Gates::new(root),
            office: OfficeKeys::new(root),
            push,
            shutdown,
            config,
            db,
            clock,
            seal: SealKeys::new(root.clone()),
            passwords: Passwords::new(root.derive("members/pepper")),
            vault: Vault::new(root),
            seed_vault,
            sites: Directory::default(),
            content: Library::default(),
            factors: FactorKeys::new(root),
            live_sessions: LiveSessions::default(),
            catalogue: Catalogue::default(),
            pages: Pages::load(),
            documents: Documents::default(),
            timetable: Timetable::default(),
            started: Instant::now(),
            sizes: DatabaseSizes::default(),
            on_registered: ON_REGISTERED,
            on_state_changed: ON_STATE_CHANGED,
            matters: MATTERS,
        }))
    }

    /// Runs work that must not stop half-way in a task of its own: a handler's future is
    /// dropped when its client goes away, and a transaction in it would be left in doubt.
    pub async fn run<T, Fut>(
        &self,
        work: impl FnOnce(Self) -> Fut + Send + 'static,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        Fut: Future<Output = Result<T, ApiError>> + Send + 'static,
    {
        let work = work(self.clone()).instrument(Span::current());
        let task = asker::carry(async {
            work.await.map_err(|refused| refused.about(Asker::current().account))
        });
        tokio::spawn(task).await.map_err(ApiError::internal)?
    }

    /// Whether the server itself speaks TLS.
    pub fn speaks_tls(&self) -> bool {
        self.config.tls != Tls::Off
    }

    /// Whether browsers call the request's page secure: TLS, ours or a trusted proxy's, or
    /// loopback.
    pub fn is_secure(&self, request: &RequestParts) -> bool {
        is_loopback(request) || self.is_encrypted(request)
    }

    /// Whether the browser has reached us by TLS, ours or a trusted proxy's.
    pub fn is_encrypted(&self, request: &RequestParts) -> bool {
        self.speaks_tls() || self.is_behind_tls(request)
    }

    fn is_behind_tls(&self, request: &RequestParts) -> bool {
        let is_https = request.headers.get(FORWARDED_PROTO).is_some_and(|value| value == "https");
        let peer = request.extensions.get::<ConnectInfo<SocketAddr>>();
        is_https && peer.is_some_and(|peer| self.is_trusted(peer.ip()))
    }

    /// Notes where a request comes from, before anybody can refuse it.
    pub fn note_peer(&self, request: &Request) {
        if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>() {
            asker::note_address(self.client_ip(peer.ip(), request.headers()));
        }
    }

    fn is_trusted(&self, address: IpAddr) -> bool {
        self.config.trusted_proxies.contains(&address.to_canonical())
    }

    /// The client's address: the peer's, or behind trusted proxies the right-most hop that
    /// is not itself trusted. What stands left of a hop that cannot be read is not believed.
    pub fn client_ip(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let hops = headers.get_all("x-forwarded-for").iter().filter_map(|v| v.to_str().ok());
        let hops: Vec<&str> = hops.flat_map(|text| text.split(',')).collect();
        let mut client = peer.to_canonical();
        for hop in hops.into_iter().rev() {
            if !self.is_trusted(client) {
                break;
            }
            let Ok(address) = hop.trim().parse::<IpAddr>() else { break };
            client = address.to_canonical();
        }
        client
    }
}

/// The outside services that the environment names.
fn channels(config: &Config) -> Channels {
    let mut channels = Channels::default();
    if let Some(settings) = config.sms.clone() {
        channels.sms = Some(Arc::new(HttpSms::new(settings)));
    }
    if let Some(settings) = config.mail.clone() {
        channels.mail = Some(Arc::new(SmtpMail::new(settings)));
    }
    channels
}

/// The address that a request came from, behind whatever trusted proxies.
#[derive(Clone, Copy, Debug)]
pub struct ClientIp(pub IpAddr);

impl FromRequestParts<App> for ClientIp {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut RequestParts, app: &App) -> Result<Self, ApiError> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.ok_or_else(|| ApiError::internal("a request without a peer"))?;
        Ok(Self(app.client_ip(peer.ip(), &parts.headers)))
    }
}

/// Whether the request was made to a loopback name.
fn is_loopback(request: &RequestParts) -> bool {
    let host = match request.uri.authority() {
        Some(authority) => authority.as_str(),
        None => request.headers.get(header::HOST).and_then(|v| v.to_str().ok()).unwrap_or(""),
    };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| {
        host.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    })
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl FromRef<App> for SealGate {
    fn from_ref(app: &App) -> Self {
        Self { keys: app.seal.clone(), db: app.db.clone(), clock: app.clock.clone() }
    }
}
