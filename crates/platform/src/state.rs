//! `Core`: the shared handles that every domain needs (database pool, clock, keys, push, outbox),
//! and the macro `state!` for a domain's own state on top of it.

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

use crate::clock::Clock;
use crate::database_stats::DatabaseSizes;
use crate::error::ApiError;
use crate::jobs::Timetable;
use crate::outbox::{Channels, HttpSms, Outbox, SmtpMail};
use crate::pages::Pages;
use crate::passwords::Passwords;
use crate::push::Hub;
use crate::rate_limit::RateLimits;
use crate::request_context::{self, RequestContext};
use crate::seal::SealKeys;
use crate::secret::RootKey;
use crate::serve::Tls;
use crate::settings::Settings;
use crate::shutdown::Shutdown;

const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The shared state of the server. Cheap to clone.
#[derive(Clone)]
pub struct Core(Arc<Parts>);

/// The fields of [`Core`].
pub struct Parts {
    /// The platform's settings from the environment.
    pub config: Settings,
    /// The connection pool, as the role `capiz_server`.
    pub db: PgPool,
    /// The injected clock.
    pub clock: Clock,
    /// The root key, from which each domain derives its own keys.
    pub root: RootKey,
    /// Keys for sealed payloads.
    pub seal: SealKeys,
    /// The password hashing pool.
    pub passwords: Passwords,
    /// Signals the shutdown of the process.
    pub shutdown: Shutdown,
    /// Sends events to open pages.
    pub push: Arc<Hub>,
    /// Text messages and e-mail.
    pub outbox: Outbox,
    /// Rate limits in the database.
    pub rate_limits: RateLimits,
    /// The built web and the schema version.
    pub build: Build,
    /// The job kinds and schedules of this node's worker.
    pub timetable: Timetable,
    /// When this node was started.
    pub started: Instant,
    /// Cached sizes of the database.
    pub sizes: DatabaseSizes,
}

/// What is built into the binary.
pub struct Build {
    /// The web's documents and assets.
    pub pages: Pages,
    /// The number of the newest migration. It has run before the node serves requests.
    pub newest_migration: i64,
}

impl Core {
    /// Creates the core.
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
            rate_limits: RateLimits::new(root),
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
        }))
    }

    /// Whether the server itself speaks TLS.
    pub fn speaks_tls(&self) -> bool {
        self.config.tls != Tls::Off
    }

    /// Whether browsers treat the page as a secure context: TLS (ours or a trusted proxy's) or
    /// loopback.
    pub fn is_secure(&self, request: &RequestParts) -> bool {
        is_loopback(request) || self.is_encrypted(request)
    }

    /// Whether the request came over TLS, terminated by us or by a trusted proxy.
    pub fn is_encrypted(&self, request: &RequestParts) -> bool {
        self.speaks_tls() || self.is_behind_tls(request)
    }

    fn is_behind_tls(&self, request: &RequestParts) -> bool {
        let is_https = request.headers.get(FORWARDED_PROTO).is_some_and(|value| value == "https");
        let peer = request.extensions.get::<ConnectInfo<SocketAddr>>();
        is_https && peer.is_some_and(|peer| self.is_trusted(peer.ip()))
    }

    /// Puts the client's address into the request context. Runs first, so that denied requests are
    /// logged with it too.
    pub fn note_peer(&self, request: &Request) {
        if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>() {
            request_context::set_address(self.client_ip(peer.ip(), request.headers()));
        }
    }

    fn is_trusted(&self, address: IpAddr) -> bool {
        self.config.trusted_proxies.contains(&address.to_canonical())
    }

    /// The client's IP address: the peer's, or behind trusted proxies the right-most hop in
    /// `X-Forwarded-For` that is not itself trusted. Parsing stops at a malformed hop, because a
    /// client can forge everything to its left.
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

/// Runs work in its own task, so that it is not cancelled half-way: axum drops a handler's future
/// when the client disconnects, possibly between two steps of the work. Every domain state has it
/// as `run`.
pub async fn run<T, Fut>(work: Fut) -> Result<T, ApiError>
where
    T: Send + 'static,
    Fut: Future<Output = Result<T, ApiError>> + Send + 'static,
{
    let work = work.instrument(Span::current());
    let task = request_context::inherit(async {
        work.await.map_err(|refused| refused.about(RequestContext::current().account))
    });
    tokio::spawn(task).await.map_err(ApiError::internal)?
}

/// Implements a domain's state: a cheap handle to its own parts, one of which is `core`, and to the
/// states of the domains that it may use. The state dereferences to its parts and on to `Core`, has
/// `run`, and works with the extractors of the named domains (`FromRef`).
#[macro_export]
macro_rules! state {
    ($state:ident over $parts:ident { $($field:ident: $handle:ty),* $(,)? }) => {
        impl $state {
            /// Runs work in its own task, so that it is not cancelled half-way when the client
            /// disconnects.
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

/// The message channels that are configured.
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

/// Extractor for the client's IP address, behind trusted proxies.
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
        let peer = peer.ok_or_else(|| ApiError::internal("the request has no peer address"))?;
        Ok(Self(Core::from_ref(state).client_ip(peer.ip(), &parts.headers)))
    }
}

/// Whether the request's host is a loopback name.
fn is_loopback(request: &RequestParts) -> bool {
    let host = match request.uri.authority() {
        Some(authority) => authority.as_str(),
        None => request.headers.get(header::HOST).and_then(|v| v.to_str().ok()).unwrap_or(""),
    };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| {
        host.strip_prefix(name).is_some_and(|port| port.is_empty() || port.starts_with(':'))
    })
}
