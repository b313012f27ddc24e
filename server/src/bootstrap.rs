//! Bootstrap of every command: starts or connects to the database, migrates it, and loads the root
//! key.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use private_pg::{Options, Server};
use sqlx::PgPool;
use sqlx::migrate::Migrator;

use crate::App;
use crate::config::Config;
use platform::clock::Clock;
use platform::db::{self, DbError};
use platform::secret::{self, RootKey, Secret};
use platform::shutdown::Shutdown;
use platform::timeouts::Timeouts;

/// All migrations, embedded in the binary.
pub static MIGRATOR: Migrator = sqlx::migrate!("./migrations");

/// The version of the newest migration in this binary.
pub fn newest_migration() -> i64 {
    MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// The size of a node's connection pool.
const POOL_SIZE: u32 = 32;

/// How long a private database may take to answer after its start.
const PRIVATE_START_TIMEOUT: Duration = Duration::from_secs(15);

/// How long the connections may take to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// How often the private database is checked.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);

/// Why the bootstrap failed, as a message for the operator.
#[derive(Debug, thiserror::Error)]
pub enum BootstrapError {
    /// The data directory cannot be used.
    #[error(
        "the data directory {path} cannot be used: {cause}. Set CAPIZ_DATA to one that can be written"
    )]
    Data {
        /// The directory.
        path: String,
        /// The system's error.
        cause: io::Error,
    },
    /// The private PostgreSQL did not start.
    #[error(transparent)]
    PrivatePostgres(#[from] private_pg::Error),
    /// The database cannot be reached or migrated.
    #[error(transparent)]
    Database(#[from] DbError),
}

/// A migrated database, and the root key.
pub struct Bootstrap {
    config: Config,
    /// The connection pool.
    pub db: PgPool,
    root: RootKey,
    private: Option<PrivateDatabase>,
}

impl Bootstrap {
    /// Connects to the configured database, or starts a private one, and applies all migrations.
    pub async fn prepare(config: Config) -> Result<Self, BootstrapError> {
        let (secret, url, private) = match (&config.database_url, &config.secret) {
            (Some(url), Some(secret)) => (secret.clone(), url.reveal().to_owned(), None),
            _ => start_private(&config).await?,
        };
        match connect(&url, private.as_ref(), config.platform.timeouts).await {
            Ok(db) => Ok(Self { config, db, root: RootKey::new(&secret), private }),
            Err(error) => {
                stop(private).await;
                Err(error)
            }
        }
    }

    /// Builds the application with a clock: the system's, or a fixed one for demo data.
    pub fn app(&self, clock: Clock, shutdown: Shutdown) -> App {
        App::new(self.config.clone(), self.db.clone(), clock, &self.root, shutdown)
    }

    /// The root key of the installation.
    pub fn root_key(&self) -> &RootKey {
        &self.root
    }

    /// Whether the database is a private one, started by this process.
    pub fn is_private(&self) -> bool {
        self.private.is_some()
    }

    /// Restarts the private database whenever it dies. Never returns.
    pub async fn watch(&self) {
        let Some(private) = &self.private else { return std::future::pending().await };
        loop {
            tokio::time::sleep(WATCH_INTERVAL).await;
            private.restart_if_dead().await;
        }
    }

    /// Closes the pool and stops a private database.
    pub async fn close(self) {
        // Do not wait for connections that no longer respond.
        if tokio::time::timeout(CLOSE_TIMEOUT, self.db.close()).await.is_err() {
            tracing::warn!("some database connections did not close in time; closing anyway");
        }
        stop(self.private).await;
    }
}

/// Migrates and connects. A private database left behind by a killed server may be shutting down
/// when it is adopted, so failures to connect are retried for a while, and a dead one is restarted.
async fn connect(
    url: &str,
    private: Option<&PrivateDatabase>,
    timeouts: Timeouts,
) -> Result<PgPool, BootstrapError> {
    let options = db::options(url)?;
    let began = Instant::now();
    while let Err(error) = db::prepare(&options, &MIGRATOR, true).await {
        let is_unreachable = matches!(error, DbError::Unreachable(_));
        match private {
            Some(private) if is_unreachable && began.elapsed() < PRIVATE_START_TIMEOUT => {
                tokio::time::sleep(WATCH_INTERVAL).await;
                private.restart_if_dead().await;
            }
            _ => return Err(error.into()),
        }
    }
    Ok(db::connect(options, POOL_SIZE, timeouts).await?)
}

/// The private PostgreSQL, a child process.
#[derive(Clone)]
struct PrivateDatabase {
    options: Options,
    server: Arc<Mutex<Option<Server>>>,
    is_stopped: Arc<AtomicBool>,
}

impl PrivateDatabase {
    fn start(options: Options) -> Result<(Self, String), private_pg::Error> {
        let server = Server::start(&options)?;
        for note in server.notes() {
            tracing::info!("{note}");
        }
        let url = server.default_url();
        let server = Arc::new(Mutex::new(Some(server)));
        Ok((Self { options, server, is_stopped: Arc::default() }, url))
    }

    /// Restarts the server if it has died, and logs it.
    async fn restart_if_dead(&self) {
        let watched = self.clone();
        match tokio::task::spawn_blocking(move || watched.revive()).await {
            Ok(Ok(false)) => {}
            Ok(Ok(true)) => {
                tracing::warn!("the private PostgreSQL had died and was restarted");
            }
            Ok(Err(error)) => {
                tracing::error!(%error, "the private PostgreSQL is down and could not be restarted")
            }
            Err(error) => tracing::error!(%error, "the private PostgreSQL could not be checked"),
        }
    }

    /// Restarts the server if it has died; returns whether it had.
    fn revive(&self) -> Result<bool, private_pg::Error> {
        let mut slot = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_stopped.load(Ordering::SeqCst) || slot.as_mut().is_some_and(Server::is_running) {
            return Ok(false);
        }
        // Drop the dead server first: it holds the lock on the data directory.
        *slot = None;
        *slot = Some(Server::start(&self.options)?);
        Ok(true)
    }

    fn stop(&self) -> Result<(), private_pg::Error> {
        // A check that is under way must not restart the server.
        self.is_stopped.store(true, Ordering::SeqCst);
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        server.map_or(Ok(()), Server::stop)
    }
}

/// Creates the data directory if it is missing.
pub fn make_data_directory(path: &Path) -> Result<(), BootstrapError> {
    std::fs::create_dir_all(path)
        .map_err(|cause| BootstrapError::Data { path: path.display().to_string(), cause })
}

/// A pool on the private database of a running server, for commands that only read. `None` if no
/// server runs, or if the database is an operator's own.
pub async fn connect_running(config: &Config) -> Result<Option<PgPool>, BootstrapError> {
    if config.database_url.is_some() || !config.data.join("postgres").exists() {
        return Ok(None);
    }
    match private_pg::running_url(&private_options(config))? {
        Some(url) => Ok(Some(db::connect(db::options(&url)?, 1, config.platform.timeouts).await?)),
        None => Ok(None),
    }
}

/// The root key of a running server with a private database.
pub fn running_root_key(config: &Config) -> Result<RootKey, BootstrapError> {
    Ok(RootKey::new(&private_secret(config)?))
}

/// The secret of an installation with a private database; generated on the first start.
fn private_secret(config: &Config) -> Result<Secret, BootstrapError> {
    let failed = |cause| BootstrapError::Data { path: config.data.display().to_string(), cause };
    match &config.secret {
        Some(secret) => Ok(secret.clone()),
        None => secret::load_or_create(&config.data.join("secret")).map_err(failed),
    }
}

fn private_options(config: &Config) -> Options {
    Options::new(Some(Path::new(".")), &config.data.join("postgres"))
}

/// Starts the private PostgreSQL, and generates the installation's secret on the first start.
async fn start_private(
    config: &Config,
) -> Result<(Secret, String, Option<PrivateDatabase>), BootstrapError> {
    let data = &config.data;
    let failed = |cause| BootstrapError::Data { path: data.display().to_string(), cause };
    make_data_directory(data)?;
    let secret = private_secret(config)?;
    let options = private_options(config);
    let started = tokio::task::spawn_blocking(move || PrivateDatabase::start(options)).await;
    let (private, url) = started.map_err(|error| failed(io::Error::other(error)))??;
    Ok((secret, url, Some(private)))
}

async fn stop(private: Option<PrivateDatabase>) {
    let Some(private) = private else { return };
    match tokio::task::spawn_blocking(move || private.stop()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(%error, "the private PostgreSQL did not stop cleanly"),
        Err(error) => tracing::error!(%error, "the private PostgreSQL could not be stopped"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_migration_is_among_the_files() {
        assert!(newest_migration() >= 30);
    }
}
