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
    pub(super) channel: Channel,
    pub(super) state: State,
    pub(super) sealed: Vec<u8>,
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
            (id, merchant_id, channel, state, sealed, deadline, created_at, finished_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        row.id,
        row.merchant_id,
        row.channel.name(),
        row.state.name(),
        row.sealed,
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

/// A message that still has to go out.
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

pub(super) struct Listed {
    pub(super) id: Uuid,
    pub(super) channel: String,
    pub(super) state: String,
    pub(super) sealed: Option<Vec<u8>>,
    pub(super) created_at: DateTime<Utc>,
}

pub(super) async fn list_newest(
    db: &mut PgConnection,
    limit: i64,
) -> Result<Vec<Listed>, sqlx::Error> {
    sqlx::query_as!(
        Listed,
        "select id, channel, state, sealed, created_at from platform_messages
         order by created_at desc, id desc limit $1",
        limit,
    )
    .fetch_all(db)
    .await
}

/// Takes away what some messages said that went their way before a time.
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

/// Removes some messages that were written before a time.
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
