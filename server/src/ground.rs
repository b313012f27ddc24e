//! The ground that every command stands on: a database that is up to date, and the keys.

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
use platform::patience::Patience;
use platform::secret::{self, RootKey, Secret};
use platform::shutdown::Shutdown;

/// All migrations, inside the binary.
pub static MIGRATOR: Migrator = sqlx::migrate!("./migrations");

/// The number of the newest migration that this node knows.
pub fn newest_migration() -> i64 {
    MIGRATOR.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// Connections of one node.
const POOL_SIZE: u32 = 32;

/// How long a private database may take to answer after its start.
const PRIVATE_PATIENCE: Duration = Duration::from_secs(15);

/// How long the connections may take to close.
const CLOSE_PATIENCE: Duration = Duration::from_secs(5);

/// How often the private database is looked after.
const WATCH: Duration = Duration::from_millis(500);

/// Why there is no ground, as a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum GroundError {
    /// The data directory cannot be used.
    #[error(
        "the data directory {path} cannot be used: {cause}. Set CAPIZ_DATA to one that can be written"
    )]
    Data {
        /// Which directory.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// The private PostgreSQL did not start.
    #[error(transparent)]
    PrivatePostgres(#[from] private_pg::Error),
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] DbError),
}

/// A database that is up to date, and the keys.
pub struct Ground {
    config: Config,
    /// The server's pool.
    pub db: PgPool,
    root: RootKey,
    private: Option<PrivateDatabase>,
}

impl Ground {
    /// Starts or reaches the database and brings it up to date.
    pub async fn prepare(config: Config) -> Result<Self, GroundError> {
        let (secret, url, private) = match (&config.database_url, &config.secret) {
            (Some(url), Some(secret)) => (secret.clone(), url.reveal().to_owned(), None),
            _ => start_private(&config).await?,
        };
        match reach(&url, private.as_ref(), config.platform.patience).await {
            Ok(db) => Ok(Self { config, db, root: RootKey::new(&secret), private }),
            Err(error) => {
                stop(private).await;
                Err(error)
            }
        }
    }

    /// The application on this ground, by the system's clock or another.
    pub fn app(&self, clock: Clock, shutdown: Shutdown) -> App {
        App::new(self.config.clone(), self.db.clone(), clock, &self.root, shutdown)
    }

    /// The root of the installation's keys.
    pub fn root_key(&self) -> &RootKey {
        &self.root
    }

    /// Whether the database is our own child and not an operator's.
    pub fn is_private(&self) -> bool {
        self.private.is_some()
    }

    /// Starts the private database again whenever it dies; never ends by itself.
    pub async fn watch(&self) {
        let Some(private) = &self.private else { return std::future::pending().await };
        loop {
            tokio::time::sleep(WATCH).await;
            private.look_after().await;
        }
    }

    /// Closes the pool and stops a private database.
    pub async fn close(self) {
        // A connection that says nothing any more is not waited for.
        if tokio::time::timeout(CLOSE_PATIENCE, self.db.close()).await.is_err() {
            tracing::warn!("some connections to the database did not close in time");
        }
        stop(self.private).await;
    }
}

/// Migrates and connects. A private database that a killed server left behind may be dying
/// when it is adopted, so it is given some time, and started anew where it is gone.
async fn reach(
    url: &str,
    private: Option<&PrivateDatabase>,
    patience: Patience,
) -> Result<PgPool, GroundError> {
    let options = db::options(url)?;
    let began = Instant::now();
    while let Err(error) = db::prepare(&options, &MIGRATOR, true).await {
        let is_away = matches!(error, DbError::Unreachable(_));
        match private {
            Some(private) if is_away && began.elapsed() < PRIVATE_PATIENCE => {
                tokio::time::sleep(WATCH).await;
                private.look_after().await;
            }
            _ => return Err(error.into()),
        }
    }
    Ok(db::connect(options, POOL_SIZE, patience).await?)
}

/// The private PostgreSQL, which is a child of this process.
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

    /// Starts the server again if it has died, and says so in the log.
    async fn look_after(&self) {
        let watched = self.clone();
        match tokio::task::spawn_blocking(move || watched.revive()).await {
            Ok(Ok(false)) => {}
            Ok(Ok(true)) => {
                tracing::warn!("the private PostgreSQL had died and was started again");
            }
            Ok(Err(error)) => tracing::error!(%error, "the private PostgreSQL is down"),
            Err(error) => tracing::error!(%error, "the private PostgreSQL cannot be watched"),
        }
    }

    /// Starts the server again if it has died; true when it had.
    fn revive(&self) -> Result<bool, private_pg::Error> {
        let mut slot = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_stopped.load(Ordering::SeqCst) || slot.as_mut().is_some_and(Server::is_running) {
            return Ok(false);
        }
        // The lock on the data directory goes with the dead server.
        *slot = None;
        *slot = Some(Server::start(&self.options)?);
        Ok(true)
    }

    fn stop(&self) -> Result<(), private_pg::Error> {
        // A look that is under way must not start it again.
        self.is_stopped.store(true, Ordering::SeqCst);
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        server.map_or(Ok(()), Server::stop)
    }
}

/// Makes the data directory where it is missing.
pub fn make_data_directory(path: &Path) -> Result<(), GroundError> {
    std::fs::create_dir_all(path)
        .map_err(|cause| GroundError::Data { path: path.display().to_string(), cause })
}

/// A pool on the private database of a server that runs, for looking at it; none where no server
/// runs or the database is an operator's own.
pub async fn connect_running(config: &Config) -> Result<Option<PgPool>, GroundError> {
    if config.database_url.is_some() || !config.data.join("postgres").exists() {
        return Ok(None);
    }
    match private_pg::running_url(&private_options(config))? {
        Some(url) => Ok(Some(db::connect(db::options(&url)?, 1, config.platform.patience).await?)),
        None => Ok(None),
    }
}

/// The keys of a server that runs with a private database.
pub fn running_root_key(config: &Config) -> Result<RootKey, GroundError> {
    Ok(RootKey::new(&private_secret(config)?))
}

/// The installation's secret beside a private database, made at the first start.
fn private_secret(config: &Config) -> Result<Secret, GroundError> {
    let failed = |cause| GroundError::Data { path: config.data.display().to_string(), cause };
    match &config.secret {
        Some(secret) => Ok(secret.clone()),
        None => secret::load_or_create(&config.data.join("secret")).map_err(failed),
    }
}

fn private_options(config: &Config) -> Options {
    Options::new(Some(Path::new(".")), &config.data.join("postgres"))
}

/// Starts the private PostgreSQL, and makes the installation's secret at the first start.
async fn start_private(
    config: &Config,
) -> Result<(Secret, String, Option<PrivateDatabase>), GroundError> {
    let data = &config.data;
    let failed = |cause| GroundError::Data { path: data.display().to_string(), cause };
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
        Err(error) => tracing::error!(%error, "the private PostgreSQL was not stopped"),
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
