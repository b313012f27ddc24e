//! The job that deletes expired rows from all tables of identity.

use chrono::{DateTime, Duration, Utc};
use sqlx::{AssertSqlSafe, PgPool};

use crate::Identity;
use crate::sessions::known::KNOWN_FOR;

/// Rows per delete statement.
const BATCH: i64 = 5_000;

/// How long the login history is kept.
const ENTRIES_KEPT: Duration = Duration::days(400);

/// Table, the column with the expiry time, and how long a row is kept after it. Each of these
/// columns has an index.
const EXPIRING: &[(&str, &str, Duration)] = &[
    ("sessions_tokens", "ends_at", Duration::zero()),
    ("sessions_entries", "at", ENTRIES_KEPT),
    ("sessions_known_devices", "seen_at", KNOWN_FOR),
    ("sessions_shares", "expires_at", Duration::zero()),
    ("sessions_links", "expires_at", Duration::zero()),
    ("sessions_tickets", "expires_at", Duration::zero()),
    ("sessions_spent", "expires_at", Duration::zero()),
    ("sessions_captchas", "expires_at", Duration::zero()),
    // Kept for a day, so that an expired code is refused as expired and not as wrong.
    ("sessions_codes", "expires_at", Duration::days(1)),
    ("sessions_sends", "ends_at", Duration::zero()),
    ("sessions_social_states", "ends_at", Duration::zero()),
    ("sessions_social_tickets", "ends_at", Duration::zero()),
    ("sessions_phone_tokens", "ends_at", Duration::zero()),
];

/// Deletes expired rows from every table, in batches; a job.
pub async fn purge(app: &Identity) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    for (table, column, kept) in EXPIRING {
        while delete_some(&app.db, (table, column), now - *kept).await? > 0 {}
    }
    Ok(())
}

/// Deletes one batch of rows from before a time. A row that is extended at the same moment gets a
/// new version with another ctid and is not deleted.
async fn delete_some(
    db: &PgPool,
    (table, column): (&str, &str),
    before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    let sql = format!(
        "delete from {table} where ctid = any(array(
            select ctid from {table} where {column} < $1 limit $2
         ))"
    );
    let deleted = sqlx::query(AssertSqlSafe(sql)).bind(before).bind(BATCH).execute(db).await?;
    Ok(deleted.rows_affected())
}
