//! The database: connecting, migrating, and refusing settings under which committed bets could be
//! lost.

use std::str::FromStr;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgTransaction};

use super::error::ApiError;
use super::timeouts::Timeouts;

const OLDEST_VERSION: i32 = 150_000;

/// Why the database cannot be used, as a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// `DATABASE_URL` cannot be parsed.
    #[error(
        "DATABASE_URL cannot be read: {0}. Expected postgres://user:password@host:5432/database"
    )]
    Url(sqlx::Error),
    /// No connection, or the login failed.
    #[error("the database cannot be reached: {0}. Check DATABASE_URL and that PostgreSQL runs")]
    Unreachable(sqlx::Error),
    /// The PostgreSQL version is too old.
    #[error("PostgreSQL {0} is too old: 15 or later is needed")]
    TooOld(String),
    /// A setting under which committed transactions could be lost in a crash.
    #[error(
        "the database runs with {0} off, so committed bets could be lost in a crash: turn it on"
    )]
    Unsafe(String),
    /// A migration failed.
    #[error("the database could not be migrated: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// Any other database error.
    #[error("the database failed: {0}")]
    Other(#[from] sqlx::Error),
}

/// Parses a URL and sets the options that all connections share.
pub fn options(url: &str) -> Result<PgConnectOptions, DbError> {
    let options = PgConnectOptions::from_str(url).map_err(DbError::Url)?;
    Ok(options
        .application_name("capiz")
        .log_slow_statements(tracing::log::LevelFilter::Warn, Duration::from_secs(1)))
}

/// Checks the server's version and settings, and runs the migrations as the schema's owner.
pub async fn prepare(
    options: &PgConnectOptions,
    migrator: &Migrator,
    durable: bool,
) -> Result<(), DbError> {
    let mut owner = connect_owner(options).await?;
    check_version(&mut owner).await?;
    if durable {
        check_durability(&mut owner).await?;
    }
    migrator.run(&mut owner).await?;
    owner.close().await?;
    Ok(())
}

async fn connect_owner(options: &PgConnectOptions) -> Result<PgConnection, DbError> {
    let connecting = PgConnection::connect_with(options);
    match tokio::time::timeout(Duration::from_secs(10), connecting).await {
        Ok(connected) => connected.map_err(DbError::Unreachable),
        Err(_) => Err(DbError::Unreachable(sqlx::Error::PoolTimedOut)),
    }
}

async fn check_version(owner: &mut PgConnection) -> Result<(), DbError> {
    let version = show(owner, "server_version_num").await?;
    match version.parse::<i32>() {
        Ok(number) if number >= OLDEST_VERSION => Ok(()),
        _ => Err(DbError::TooOld(show(owner, "server_version").await?)),
    }
}

async fn check_durability(owner: &mut PgConnection) -> Result<(), DbError> {
    for setting in ["fsync", "full_page_writes", "synchronous_commit"] {
        if show(owner, setting).await? == "off" {
            return Err(DbError::Unsafe(setting.to_owned()));
        }
    }
    Ok(())
}

async fn show(connection: &mut PgConnection, setting: &str) -> Result<String, sqlx::Error> {
    sqlx::query_scalar!("select current_setting($1)", setting)
        .fetch_one(connection)
        .await
        .map(Option::unwrap_or_default)
}

/// Commits. A commit that fails may still have happened, so the error is a 503: a retry with the
/// same idempotency key returns the outcome.
pub async fn commit(tx: PgTransaction<'_>) -> Result<(), ApiError> {
    tx.commit().await.map_err(ApiError::unavailable)
}

/// Begins a transaction with `synchronous_commit = off`: the commit does not wait for the disk. It
/// is visible at once, but lost if the database crashes within about a second, unless a later
/// synchronous commit has flushed the log. For rate limits and one-time tokens, never for money.
pub async fn begin_async_commit(db: &PgPool) -> Result<PgTransaction<'static>, sqlx::Error> {
    db.begin_with("begin; set local synchronous_commit = off").await
}

/// Makes a transaction that has not read yet a read-only snapshot (repeatable read).
pub async fn use_snapshot(tx: &mut PgTransaction<'_>) -> Result<(), sqlx::Error> {
    let sql = "set transaction isolation level repeatable read, read only";
    sqlx::query(sql).execute(&mut **tx).await.map(drop)
}

/// Opens the server's connection pool. Every connection uses the role `capiz_server`.
pub async fn connect(
    options: PgConnectOptions,
    size: u32,
    timeouts: Timeouts,
) -> Result<PgPool, DbError> {
    let milliseconds = |time: Duration| format!("{}ms", time.as_millis());
    let options = options.options([
        // A transaction whose client is gone must not hold its locks for ever.
        ("idle_in_transaction_session_timeout", milliseconds(timeouts.idle_transaction())),
        ("lock_timeout", milliseconds(timeouts.wait())),
        ("statement_timeout", milliseconds(timeouts.statement())),
    ]);
    PgPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(timeouts.wait())
        .after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::query("set role capiz_server").execute(connection).await.map(drop)
            })
        })
        .connect_with(options)
        .await
        .map_err(DbError::Unreachable)
}
