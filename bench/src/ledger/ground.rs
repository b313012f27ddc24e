//! Starts the PostgreSQL of a run, and an application in this process.

use std::fs;
use std::path::{Path, PathBuf};

use capiz::App;
use capiz::config::Config;
use platform::clock::Clock;
use platform::shutdown::{self, ShutdownTrigger};
use private_pg::{Options, Server};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::Failure;
use crate::process::Database;

/// The secret from which the installation's keys are derived; a benchmark has nothing to protect.
pub const SECRET: &str = "the-benchmark-has-nothing-to-hide";

/// A durable PostgreSQL and an application in this process.
pub struct Setup {
    /// The application.
    pub app: App,
    server: Option<Server>,
    url: String,
    /// The directory of this run, and the one that PostgreSQL uses if it had to put its data
    /// elsewhere.
    directories: [PathBuf; 2],
    /// Held: dropping it shuts the application down.
    _trigger: ShutdownTrigger,
}

impl Setup {
    /// Starts PostgreSQL and runs the migrations.
    pub async fn prepare() -> Result<Self, Failure> {
        let directory = std::env::temp_dir().join(format!("capiz-ledger-{}", std::process::id()));
        let options = options(&directory.join("postgres"));
        let server = tokio::task::spawn_blocking(move || Server::start(&options)).await??;
        let url = server.default_url();
        let config = Config::parse(|name| match name {
            "DATABASE_URL" => Some(url.clone()),
            "CAPIZ_SECRET" => Some(SECRET.to_owned()),
            // The server process of this run reads the same variable.
            "CAPIZ_LANES" => std::env::var(name).ok(),
            _ => None,
        })?;
        prepare_log(&url).await?;
        let (trigger, shutdown) = shutdown::channel();
        let app =
            capiz::bootstrap::Bootstrap::prepare(config).await?.app(Clock::system(), shutdown);
        let directories = [directory, server.directory().to_owned()];
        Ok(Self { app, server: Some(server), url, directories, _trigger: trigger })
    }

    /// How another process connects to this database.
    pub fn database(&self) -> Database {
        Database::At { url: self.url.clone(), secret: SECRET.to_owned() }
    }

    /// A connection as the owner of the schema.
    pub async fn connect(&self) -> Result<PgConnection, Failure> {
        Ok(PgConnection::connect(&self.url).await?)
    }

    /// Runs statements as the owner of the schema.
    pub async fn execute_as_owner(&self, sql: &str) -> Result<(), Failure> {
        let mut owner = self.connect().await?;
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut owner).await?;
        Ok(())
    }

    /// Shuts everything down and removes the data.
    pub async fn close(mut self) -> Result<(), Failure> {
        self.app.studio.rounds.drain().await;
        self.app.db.close().await;
        if let Some(server) = self.server.take() {
            tokio::task::spawn_blocking(move || server.stop()).await??;
        }
        Ok(())
    }
}

impl Drop for Setup {
    fn drop(&mut self) {
        // After a failure PostgreSQL still runs, and must end before its data are removed.
        drop(self.server.take());
        for directory in &self.directories {
            // Best effort: a directory that cannot be removed stays in the temporary directory.
            let _ = fs::remove_dir_all(directory);
        }
    }
}

/// Megabytes of write-ahead log to prepare.
const LOG_MEGABYTES: i32 = 4_096;

/// Writes and recycles write-ahead log files, as in a database that has run for a while. Otherwise
/// PostgreSQL would create a new file filled with zeros every second, and all commits would wait
/// for it.
async fn prepare_log(url: &str) -> Result<(), Failure> {
    let mut owner = PgConnection::connect(url).await?;
    sqlx::query("select pg_logical_emit_message(false, 'bench', repeat('x', 1048576)) from generate_series(1, $1)")
        .bind(LOG_MEGABYTES)
        .execute(&mut owner)
        .await?;
    sqlx::query("checkpoint").execute(&mut owner).await?;
    Ok(owner.close().await?)
}

/// Durable as in production. Checkpoints are postponed: after a checkpoint, the first change of
/// each page logs the whole page, which would make the measurements depend on timing instead of
/// code.
fn options(data: &Path) -> Options {
    let mut options = Options::new(Some(Path::new(".")), data);
    options.shared_buffers = "1GB".to_owned();
    options.max_connections = 200;
    let settings =
        [("max_wal_size", "32GB"), ("min_wal_size", "32GB"), ("checkpoint_timeout", "1h")];
    options.settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    options
}
