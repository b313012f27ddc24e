//! The one PostgreSQL of a run, and the application on it.

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

/// What the keys of the installation come from; nothing here is worth a secret.
pub const SECRET: &str = "the-benchmark-has-nothing-to-hide";

/// A durable PostgreSQL and an application in this process.
pub struct Ground {
    /// The application.
    pub app: App,
    server: Option<Server>,
    url: String,
    /// Of this run, and where PostgreSQL had to put its data instead.
    directories: [PathBuf; 2],
    /// Held: to drop it ends the application.
    _trigger: ShutdownTrigger,
}

impl Ground {
    /// Starts PostgreSQL and brings its schema up to date.
    pub async fn prepare() -> Result<Self, Failure> {
        let directory = std::env::temp_dir().join(format!("capiz-ledger-{}", std::process::id()));
        let options = options(&directory.join("postgres"));
        let server = tokio::task::spawn_blocking(move || Server::start(&options)).await??;
        let url = server.default_url();
        let config = Config::parse(|name| match name {
            "DATABASE_URL" => Some(url.clone()),
            "CAPIZ_SECRET" => Some(SECRET.to_owned()),
            // The server of this run reads it, too.
            "CAPIZ_LANES" => std::env::var(name).ok(),
            _ => None,
        })?;
        prepare_log(&url).await?;
        let (trigger, shutdown) = shutdown::channel();
        let app = capiz::ground::Ground::prepare(config).await?.app(Clock::system(), shutdown);
        let directories = [directory, server.directory().to_owned()];
        Ok(Self { app, server: Some(server), url, directories, _trigger: trigger })
    }

    /// How another process reaches it.
    pub fn database(&self) -> Database {
        Database::At { url: self.url.clone(), secret: SECRET.to_owned() }
    }

    /// A connection as the owner of the schema.
    pub async fn connect(&self) -> Result<PgConnection, Failure> {
        Ok(PgConnection::connect(&self.url).await?)
    }

    /// Runs statements as the owner of the schema.
    pub async fn owner_does(&self, sql: &str) -> Result<(), Failure> {
        let mut owner = self.connect().await?;
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut owner).await?;
        Ok(())
    }

    /// Ends everything and removes the data.
    pub async fn close(mut self) -> Result<(), Failure> {
        self.app.studio.rounds.drain().await;
        self.app.db.close().await;
        if let Some(server) = self.server.take() {
            tokio::task::spawn_blocking(move || server.stop()).await??;
        }
        Ok(())
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        // After a failure it still runs, and has to end before its data go.
        drop(self.server.take());
        for directory in &self.directories {
            // What cannot be removed is only left lying.
            let _ = fs::remove_dir_all(directory);
        }
    }
}

/// How many megabytes of log are prepared.
const LOG_MEGABYTES: i32 = 4_096;

/// Writes log and lets PostgreSQL reuse its files, as it does in a database that has run for a
/// while: otherwise it would make a new one, full of zeros, every second, and all would wait.
async fn prepare_log(url: &str) -> Result<(), Failure> {
    let mut owner = PgConnection::connect(url).await?;
    sqlx::query("select pg_logical_emit_message(false, 'bench', repeat('x', 1048576)) from generate_series(1, $1)")
        .bind(LOG_MEGABYTES)
        .execute(&mut owner)
        .await?;
    sqlx::query("checkpoint").execute(&mut owner).await?;
    Ok(owner.close().await?)
}

/// Safe as in production. Checkpoints are put off: when one falls into a turn, each page is
/// logged whole at its next change, which tells of luck and not of the code.
fn options(data: &Path) -> Options {
    let mut options = Options::new(Some(Path::new(".")), data);
    options.shared_buffers = "1GB".to_owned();
    options.max_connections = 200;
    let settings =
        [("max_wal_size", "32GB"), ("min_wal_size", "32GB"), ("checkpoint_timeout", "1h")];
    options.settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    options
}
