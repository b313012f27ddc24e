//! The SQL of verification codes.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};

use super::CodeScope;

/// The codes that were lately sent to a destination.
#[derive(Clone, Debug, Default)]
pub(super) struct Sends {
    /// Codes sent since one was last entered.
    pub(super) unanswered: u16,
    /// When the newest three were sent, oldest first.
    pub(super) sent_at: Vec<DateTime<Utc>>,
}

/// Locks the row of a destination until the transaction ends.
pub(super) async fn lock_sends(
    tx: &mut PgTransaction<'_>,
    scope: &CodeScope,
    now: DateTime<Utc>,
) -> Result<Sends, sqlx::Error> {
    // Insert the row first: otherwise two concurrent first codes would not see each other.
    let inserted = sqlx::query!(
        "insert into sessions_sends (merchant_id, destination_hash, unanswered, sent_at, ends_at)
         values ($1, $2, 0, array[$3::timestamptz], $3)
         on conflict do nothing",
        scope.merchant_id,
        &scope.destination_hash,
        now,
    )
    .execute(&mut **tx)
    .await?;
    if inserted.rows_affected() == 1 {
        return Ok(Sends::default());
    }
    let row = sqlx::query!(
        "select unanswered, sent_at, ends_at from sessions_sends
         where merchant_id = $1 and destination_hash = $2 for update",
        scope.merchant_id,
        &scope.destination_hash,
    )
    .fetch_optional(&mut **tx)
    .await?;
    let live = row.filter(|row| row.ends_at > now);
    Ok(live.map_or_else(Sends::default, |row| Sends {
        unanswered: row.unanswered.try_into().unwrap_or(0),
        sent_at: row.sent_at,
    }))
}

pub(super) async fn update_sends(
    tx: &mut PgTransaction<'_>,
    scope: &CodeScope,
    sends: &Sends,
    ends_at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update sessions_sends set unanswered = $3, sent_at = $4, ends_at = $5
         where merchant_id = $1 and destination_hash = $2",
        scope.merchant_id,
        &scope.destination_hash,
        i16::try_from(sends.unanswered).unwrap_or(i16::MAX),
        &sends.sent_at,
        ends_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Replaces the code of a scope.
pub(super) async fn upsert_code(
    tx: &mut PgTransaction<'_>,
    scope: &CodeScope,
    code_hash: &[u8; 32],
    (sent_at, expires_at): (DateTime<Utc>, DateTime<Utc>),
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into sessions_codes
            (merchant_id, purpose, destination_hash, code_hash, sent_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (merchant_id, purpose, destination_hash) do update
         set code_hash = excluded.code_hash, tries = 0,
             sent_at = excluded.sent_at, expires_at = excluded.expires_at",
        scope.merchant_id,
        scope.purpose.name(),
        &scope.destination_hash,
        code_hash,
        sent_at,
        expires_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Counts an attempt at the valid code and returns its hash; none if there is no valid code.
pub(super) async fn count_try(
    db: &mut PgConnection,
    scope: &CodeScope,
    most: i16,
    now: DateTime<Utc>,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar!(
        "update sessions_codes set tries = tries + 1
         where merchant_id = $1 and purpose = $2 and destination_hash = $3
           and tries < $4 and expires_at > $5
         returning code_hash",
        scope.merchant_id,
        scope.purpose.name(),
        &scope.destination_hash,
        most,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Whether there is a code, valid or not.
pub(super) async fn has_code(
    db: &mut PgConnection,
    scope: &CodeScope,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select from sessions_codes
            where merchant_id = $1 and purpose = $2 and destination_hash = $3
         ) as "has!""#,
        scope.merchant_id,
        scope.purpose.name(),
        &scope.destination_hash,
    )
    .fetch_one(db)
    .await
}

/// Stores that a code was entered, which shortens the next wait again.
pub(super) async fn note_answer(
    db: &mut PgConnection,
    scope: &CodeScope,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update sessions_sends set unanswered = 0
         where merchant_id = $1 and destination_hash = $2 and unanswered > 0",
        scope.merchant_id,
        &scope.destination_hash,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Deletes the code if it is still this one.
pub(super) async fn delete_code(
    tx: &mut PgTransaction<'_>,
    scope: &CodeScope,
    code_hash: &[u8; 32],
) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from sessions_codes
         where merchant_id = $1 and purpose = $2 and destination_hash = $3 and code_hash = $4",
        scope.merchant_id,
        scope.purpose.name(),
        &scope.destination_hash,
        code_hash,
    )
    .execute(&mut **tx)
    .await?;
    Ok(deleted.rows_affected() == 1)
}
