//! The database: connecting, migrating, and refusing one that could lose money.

use std::str::FromStr;
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgTransaction};

use super::error::ApiError;
use super::patience::Patience;

const OLDEST_VERSION: i32 = 150_000;

/// Why the database cannot be used, as a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// The URL could not be read.
    #[error(
        "DATABASE_URL cannot be read: {0}. Expected postgres://user:password@host:5432/database"
    )]
    Url(sqlx::Error),
    /// Nobody answered, or the log-in failed.
    #[error("the database cannot be reached: {0}. Check DATABASE_URL and that PostgreSQL runs")]
    Unreachable(sqlx::Error),
    /// Too old.
    #[error("PostgreSQL {0} is too old: 15 or later is needed")]
    TooOld(String),
    /// A setting under which acknowledged money could be lost.
    #[error("the database runs with {0} off, so that acknowledged bets could be lost: turn it on")]
    Unsafe(String),
    /// A migration failed.
    #[error("the database could not be migrated: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// Anything else.
    #[error("the database failed: {0}")]
    Other(#[from] sqlx::Error),
}

/// Parses a URL and sets what every connection of ours has.
pub fn options(url: &str) -> Result<PgConnectOptions, DbError> {
    let options = PgConnectOptions::from_str(url).map_err(DbError::Url)?;
    Ok(options
        .application_name("capiz")
        .log_slow_statements(tracing::log::LevelFilter::Warn, Duration::from_secs(1)))
}

/// Checks the server and brings the schema up to date, as the schema's owner.
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

/// Commits. A failed commit may have committed, so the client is told to ask again: with the
/// same key it will learn what became of it.
pub async fn commit(tx: PgTransaction<'_>) -> Result<(), ApiError> {
    tx.commit().await.map_err(ApiError::unavailable)
}

/// Begins a transaction whose commit does not wait for the disk. Everybody sees what it did, but if
/// the database falls within a second it may be forgotten, unless something was committed later that
/// did wait. For counts of tries and things that are used up, never for money.
pub async fn begin_forgettable(db: &PgPool) -> Result<PgTransaction<'static>, sqlx::Error> {
    db.begin_with("begin; set local synchronous_commit = off").await
}

/// Has a transaction that has not read yet see one moment of the database, and only read.
pub async fn see_one_moment(tx: &mut PgTransaction<'_>) -> Result<(), sqlx::Error> {
    let sql = "set transaction isolation level repeatable read, read only";
    sqlx::query(sql).execute(&mut **tx).await.map(drop)
}

/// The server's pool. Every connection works as the role `capiz_server`.
pub async fn connect(
    options: PgConnectOptions,
    size: u32,
    patience: Patience,
) -> Result<PgPool, DbError> {
    let milliseconds = |time: Duration| format!("{}ms", time.as_millis());
    let options = options.options([
        // A transaction whose owner was lost must not hold its locks for ever.
        ("idle_in_transaction_session_timeout", milliseconds(patience.silence())),
        ("lock_timeout", milliseconds(patience.turn())),
        ("statement_timeout", milliseconds(patience.statement())),
    ]);
    PgPoolOptions::new()
        .max_connections(size)
        .acquire_timeout(patience.turn())
        .after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::query("set role capiz_server").execute(connection).await.map(drop)
            })
        })
        .connect_with(options)
        .await
        .map_err(DbError::Unreachable)
}
