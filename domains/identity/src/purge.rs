//! What is over goes: one list of all tables of sessions whose rows end.

use chrono::{DateTime, Duration, Utc};
use sqlx::{AssertSqlSafe, PgPool};

use crate::Identity;
use crate::sessions::known::KNOWN_FOR;

/// How many rows of a table are removed at once.
const BATCH: i64 = 5_000;

/// How long log-ins are shown to their member.
const ENTRIES_KEPT: Duration = Duration::days(400);

/// A table, the column that says when a row is over, and for how long it is kept after that.
/// Each of these columns has an index.
const ENDING: &[(&str, &str, Duration)] = &[
    ("sessions_tokens", "ends_at", Duration::zero()),
    ("sessions_entries", "at", ENTRIES_KEPT),
    ("sessions_known_devices", "seen_at", KNOWN_FOR),
    ("sessions_shares", "expires_at", Duration::zero()),
    ("sessions_links", "expires_at", Duration::zero()),
    ("sessions_tickets", "expires_at", Duration::zero()),
    ("sessions_spent", "expires_at", Duration::zero()),
    ("sessions_captchas", "expires_at", Duration::zero()),
    // So that a code that comes too late is told so.
    ("sessions_codes", "expires_at", Duration::days(1)),
    ("sessions_sends", "ends_at", Duration::zero()),
    ("sessions_social_states", "ends_at", Duration::zero()),
    ("sessions_social_tickets", "ends_at", Duration::zero()),
    ("sessions_phone_tokens", "ends_at", Duration::zero()),
];

/// Removes what is over from every table, in batches; a job.
pub async fn purge(app: &Identity) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    for (table, column, kept) in ENDING {
        while delete_some(&app.db, (table, column), now - *kept).await? > 0 {}
    }
    Ok(())
}

/// Removes some rows of before a time. A row that is prolonged at this moment is another version at
/// another place, and stays.
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
