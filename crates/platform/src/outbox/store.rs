//! The SQL of the outbox.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::Channel;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Queued,
    Sent,
    Kept,
    Failed,
    Expired,
}

impl State {
    fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sent => "sent",
            Self::Kept => "kept",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }
}

pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) purpose: &'static str,
    pub(super) channel: Channel,
    pub(super) state: State,
    pub(super) sealed: Vec<u8>,
    pub(super) to_hash: [u8; 32],
    pub(super) deadline: Option<DateTime<Utc>>,
}

pub(super) async fn insert_message(
    tx: &mut PgTransaction<'_>,
    row: &Row,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let finished_at = (row.state != State::Queued).then_some(now);
    sqlx::query!(
        "insert into platform_messages
            (id, merchant_id, purpose, channel, state, sealed, to_hash, deadline, created_at,
             finished_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        row.id,
        row.merchant_id,
        row.purpose,
        row.channel.name(),
        row.state.name(),
        row.sealed,
        &row.to_hash[..],
        row.deadline,
        now,
        finished_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

pub(super) struct Waiting {
    pub(super) channel: String,
    pub(super) sealed: Option<Vec<u8>>,
    pub(super) deadline: Option<DateTime<Utc>>,
}

/// A message that is queued for delivery.
pub(super) async fn find_waiting(db: &PgPool, id: Uuid) -> Result<Option<Waiting>, sqlx::Error> {
    sqlx::query_as!(
        Waiting,
        "select channel, sealed, deadline from platform_messages
         where id = $1 and state = 'queued'",
        id,
    )
    .fetch_optional(db)
    .await
}

pub(super) async fn update_state(
    db: &PgPool,
    id: Uuid,
    state: State,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update platform_messages set state = $2, finished_at = $3
         where id = $1 and state = 'queued'",
        id,
        state.name(),
        now,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Counts a delivery attempt and stores its error, if it failed.
pub(super) async fn count_attempt(
    db: &PgPool,
    id: Uuid,
    error: Option<String>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update platform_messages set tries = tries + 1, last_error = $2 where id = $1",
        id,
        error,
    )
    .execute(db)
    .await
    .map(drop)
}

pub(super) struct Newest {
    pub(super) id: Uuid,
    pub(super) channel: String,
    pub(super) state: String,
    pub(super) sealed: Option<Vec<u8>>,
    pub(super) created_at: DateTime<Utc>,
}

pub(super) async fn list_newest(
    db: &mut PgConnection,
    limit: i64,
) -> Result<Vec<Newest>, sqlx::Error> {
    sqlx::query_as!(
        Newest,
        "select id, channel, state, sealed, created_at from platform_messages
         order by created_at desc, id desc limit $1",
        limit,
    )
    .fetch_all(db)
    .await
}

/// Purges recipient and text of up to `limit` messages that were finished before a time.
pub(super) async fn clear_bodies(
    db: &PgPool,
    before: DateTime<Utc>,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let cleared = sqlx::query!(
        "update platform_messages set sealed = null where id in (
            select id from platform_messages
            where sealed is not null and state <> 'kept' and finished_at < $1 limit $2
         )",
        before,
        limit,
    )
    .execute(db)
    .await?;
    Ok(cleared.rows_affected())
}

/// Deletes up to `limit` messages that were created before a time.
pub(super) async fn delete_old(
    db: &PgPool,
    before: DateTime<Utc>,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from platform_messages where id in (
            select id from platform_messages
            where created_at < $1 and state <> 'queued' limit $2
         )",
        before,
        limit,
    )
    .execute(db)
    .await?;
    Ok(deleted.rows_affected())
}

/// A stored message with its encrypted text.
pub(super) struct StoredMessage {
    pub(super) id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) purpose: String,
    pub(super) channel: String,
    pub(super) state: String,
    pub(super) sealed: Option<Vec<u8>>,
    pub(super) tries: i32,
    pub(super) last_error: Option<String>,
    pub(super) deadline: Option<DateTime<Utc>>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) finished_at: Option<DateTime<Utc>>,
}

/// A filter for messages, with hashed recipients.
pub(super) struct Filter<'a> {
    pub(super) channel: Option<&'a str>,
    pub(super) state: Option<&'a str>,
    /// Keyed hashes of recipients, any of these.
    pub(super) to: Option<&'a [Vec<u8>]>,
    pub(super) from: Option<DateTime<Utc>>,
    pub(super) until: Option<DateTime<Utc>>,
    pub(super) before: Option<Uuid>,
}

/// Messages that match the filter, newest first (ids are ordered by time).
pub(super) async fn list_messages(
    db: &PgPool,
    filter: &Filter<'_>,
    limit: i64,
) -> Result<Vec<StoredMessage>, sqlx::Error> {
    sqlx::query_as!(
        StoredMessage,
        "select id, merchant_id, purpose, channel, state, sealed, tries, last_error, deadline,
            created_at, finished_at
         from platform_messages
         where ($1::text is null or channel = $1)
           and ($2::text is null or state = $2)
           and ($3::bytea[] is null or to_hash = any($3))
           and ($4::timestamptz is null or created_at >= $4)
           and ($5::timestamptz is null or created_at < $5)
           and ($6::uuid is null or id < $6)
         order by id desc limit $7",
        filter.channel,
        filter.state,
        filter.to,
        filter.from,
        filter.until,
        filter.before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Locks a message, so that concurrent resends run one after the other.
pub(super) async fn lock_message(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
) -> Result<Option<StoredMessage>, sqlx::Error> {
    sqlx::query_as!(
        StoredMessage,
        "select id, merchant_id, purpose, channel, state, sealed, tries, last_error, deadline,
            created_at, finished_at
         from platform_messages where id = $1 for update",
        id,
    )
    .fetch_optional(&mut **tx)
    .await
}

pub(super) async fn update_queued(tx: &mut PgTransaction<'_>, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update platform_messages set state = 'queued', finished_at = null where id = $1",
        id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}
