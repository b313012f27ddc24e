//! The application: the handles that every request works with.

use std::future::Future;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use axum::http::HeaderMap;
use sqlx::PgPool;

use crate::config::{Config, Tls};
use crate::games::Catalogue;
use crate::members::{OnRegistered, Passwords};
use crate::platform::clock::Clock;
use crate::platform::error::ApiError;
use crate::platform::pages::Pages;
use crate::platform::push::Hub;
use crate::platform::seal::{SealGate, SealKeys};
use crate::platform::secret::RootKey;
use crate::platform::shutdown::Shutdown;
use crate::site::Directory;
use crate::studio::SeedVault;
use crate::{promotions, wallet};

/// Who hears of a new member, in this order, inside the transaction that makes it.
static ON_REGISTERED: &[OnRegistered] = &[wallet::on_registered, promotions::on_registered];

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
    /// Encrypts server seeds.
    pub seed_vault: SeedVault,
    /// Tells when the process ends.
    pub shutdown: Shutdown,
    /// Sends events to open pages.
    pub push: Arc<Hub>,
    /// Finds merchants by host.
    pub sites: Directory,
    /// The games.
    pub catalogue: Catalogue,
    /// The web's documents and assets.
    pub pages: Pages,
    /// Who hears of a new member.
    pub on_registered: &'static [OnRegistered],
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
        Self(Arc::new(Parts {
            push: Hub::new(db.clone(), shutdown.clone()),
            shutdown,
            config,
            db,
            clock,
            seal: SealKeys::new(root.clone()),
            passwords: Passwords::new(root.derive("members/pepper")),
            seed_vault: SeedVault::new(root),
            sites: Directory::default(),
            catalogue: Catalogue::default(),
            pages: Pages::load(),
            on_registered: ON_REGISTERED,
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
        tokio::spawn(work(self.clone())).await.map_err(ApiError::internal)?
    }

    /// Whether the server itself speaks TLS.
    pub fn speaks_tls(&self) -> bool {
        self.config.tls != Tls::Off
    }

    /// The client's address: the peer's, or behind a trusted proxy the right-most hop that
    /// is not itself trusted.
    pub fn client_ip(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let trusted = &self.config.trusted_proxies;
        if !trusted.contains(&peer) {
            return peer;
        }
        let hops = headers.get_all("x-forwarded-for").iter().filter_map(|v| v.to_str().ok());
        let hops: Vec<IpAddr> = hops
            .flat_map(|text| text.split(','))
            .filter_map(|hop| hop.trim().parse().ok())
            .collect();
        hops.into_iter().rev().find(|hop| !trusted.contains(hop)).unwrap_or(peer)
    }
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
