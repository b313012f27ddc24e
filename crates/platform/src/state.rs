//! The core: the handles that every domain works with, and how a domain's own state stands on it.

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

use crate::asker::{self, Asker};
use crate::budget::Budgets;
use crate::clock::Clock;
use crate::error::ApiError;
use crate::jobs::Timetable;
use crate::outbox::{Channels, HttpSms, Outbox, SmtpMail};
use crate::pages::Pages;
use crate::passwords::Passwords;
use crate::precedence::Precedence;
use crate::push::Hub;
use crate::seal::SealKeys;
use crate::secret::RootKey;
use crate::serve::Tls;
use crate::settings::Settings;
use crate::shutdown::Shutdown;
use crate::vitals::DatabaseSizes;

const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// A cheap handle to what every domain stands on.
#[derive(Clone)]
pub struct Core(Arc<Parts>);

/// What the core is made of.
pub struct Parts {
    /// What the environment decides of the platform.
    pub config: Settings,
    /// The database, as the role `capiz_server`.
    pub db: PgPool,
    /// The injected clock.
    pub clock: Clock,
    /// The root of the installation's keys: each domain derives its own.
    pub root: RootKey,
    /// Keys for sealed payloads.
    pub seal: SealKeys,
    /// The password hashing pool.
    pub passwords: Passwords,
    /// Tells when the process ends.
    pub shutdown: Shutdown,
    /// Sends events to open pages.
    pub push: Arc<Hub>,
    /// Messages to people.
    pub outbox: Outbox,
    /// How often something may be done.
    pub budgets: Budgets,
    /// What was built into the binary.
    pub build: Build,
    /// What this node's worker runs, and when.
    pub timetable: Timetable,
    /// When this node was started.
    pub started: Instant,
    /// What is read of the database's size, which changes slowly.
    pub sizes: DatabaseSizes,
    /// Lets rounds go before logins.
    pub precedence: Precedence,
}

/// What was built into the binary.
pub struct Build {
    /// The web's documents and assets.
    pub pages: Pages,
    /// The number of the newest migration; it has run when the node serves.
    pub newest_migration: i64,
}

impl Core {
    /// Puts the core together.
    pub fn new(
        config: Settings,
        (db, clock): (PgPool, Clock),
        root: &RootKey,
        build: Build,
        shutdown: Shutdown,
    ) -> Self {
        Self(Arc::new(Parts {
            push: Hub::new(db.clone(), shutdown.clone()),
            outbox: Outbox::new(root, channels(&config)),
            budgets: Budgets::new(root),
            seal: SealKeys::new(root.clone()),
            passwords: Passwords::new(root.derive("members/pepper")),
            root: root.clone(),
            config,
            db,
            clock,
            shutdown,
            build,
            timetable: Timetable::default(),
            started: Instant::now(),
            sizes: DatabaseSizes::default(),
            precedence: Precedence::default(),
        }))
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

impl Deref for Core {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Runs work that must not stop half-way in a task of its own: a handler's future is dropped when
/// its client goes away, and a transaction in it would be left in doubt. Every state has it as
/// `run`.
pub async fn run<T, Fut>(work: Fut) -> Result<T, ApiError>
where
    T: Send + 'static,
    Fut: Future<Output = Result<T, ApiError>> + Send + 'static,
{
    let work = work.instrument(Span::current());
    let task = asker::carry(async {
        work.await.map_err(|refused| refused.about(Asker::current().account))
    });
    tokio::spawn(task).await.map_err(ApiError::internal)?
}

/// Makes a domain's state: a cheap handle to parts of its own, one of which is `core`, and to the
/// domains that it may use. It gives what the core gives, runs work in tasks of its own, and
/// extractors of the named domains work on it.
#[macro_export]
macro_rules! state {
    ($state:ident over $parts:ident { $($field:ident: $handle:ty),* $(,)? }) => {
        impl $state {
            /// Runs work that must not stop half-way in a task of its own: a handler's future is
            /// dropped when its client goes away, and a transaction in it would be left in doubt.
            pub async fn run<T, Fut>(
                &self,
                work: impl FnOnce(Self) -> Fut + Send + 'static,
            ) -> Result<T, $crate::error::ApiError>
            where
                T: Send + 'static,
                Fut: Future<Output = Result<T, $crate::error::ApiError>> + Send + 'static,
            {
                $crate::state::run(work(self.clone())).await
            }
        }

        impl std::ops::Deref for $state {
            type Target = $parts;

            fn deref(&self) -> &$parts {
                &self.0
            }
        }

        impl std::ops::Deref for $parts {
            type Target = $crate::Core;

            fn deref(&self) -> &$crate::Core {
                &self.core
            }
        }

        impl axum::extract::FromRef<$state> for $crate::Core {
            fn from_ref(state: &$state) -> Self {
                state.core.clone()
            }
        }

        $(
            impl axum::extract::FromRef<$state> for $handle {
                fn from_ref(state: &$state) -> Self {
                    state.$field.clone()
                }
            }
        )*
    };
}

/// The outside services that the environment names.
fn channels(config: &Settings) -> Channels {
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

impl<S> FromRequestParts<S> for ClientIp
where
    S: Send + Sync,
    Core: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut RequestParts, state: &S) -> Result<Self, ApiError> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.ok_or_else(|| ApiError::internal("a request without a peer"))?;
        Ok(Self(Core::from_ref(state).client_ip(peer.ip(), &parts.headers)))
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
