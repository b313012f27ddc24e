//! The rows behind push: recording, numbering, reading, purging.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use crate::platform::jobs::{Bounds, Registry};

/// What a socket may listen to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// A merchant's site: status, banners.
    Site(Uuid),
    /// A merchant's board of winners.
    Winners(Uuid),
    /// One member: balance, session, messages.
    Member(Uuid),
}

impl Topic {
    /// The topic as the table keeps it, for [`record`].
    pub fn key(&self) -> String {
        match self {
            Self::Site(merchant) => format!("site:{merchant}"),
            Self::Winners(merchant) => format!("winners:{merchant}"),
            Self::Member(member) => format!("member:{member}"),
        }
    }
}

/// Records an event in the caller's transaction; it is sent once that commits.
/// Call `Hub::wake` after the commit to send it at once.
pub async fn record(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    topic: &str,
    event: &Value,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into platform_events (id, topic, event, created_at) values ($1, $2, $3, $4)",
        id,
        topic,
        event,
        now,
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A numbered event as the table keeps it.
#[derive(Clone, Debug)]
pub(super) struct EventRow {
    pub seq: i64,
    pub topic: String,
    pub event: String,
    pub kind: String,
}

/// How far the numbers have come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub seq: i64,
    pub purged_seq: i64,
    pub unnumbered: bool,
}

pub(super) async fn get_head(db: &PgPool) -> Result<Head, sqlx::Error> {
    sqlx::query_as!(
        Head,
        r#"select seq, purged_seq,
             exists (select from platform_events where seq is null) as "unnumbered!"
         from platform_event_head"#
    )
    .fetch_one(db)
    .await
}

/// Numbers up to `limit` committed events in the order of their making. Whoever holds the
/// head row is the only one who numbers, and lets go of it only once the numbers are visible.
pub(super) async fn number(db: &PgPool, limit: i64) -> Result<u64, sqlx::Error> {
    let mut tx = db.begin().await?;
    let head = sqlx::query_scalar!("select seq from platform_event_head for update")
        .fetch_one(&mut *tx)
        .await?;
    let numbered = sqlx::query!(
        "with picked as (
             select id, row_number() over (order by created_at, id) as place
             from (
                 select id, created_at from platform_events where seq is null
                 order by created_at, id limit $2
             ) as oldest
         )
         update platform_events as events set seq = $1 + picked.place
         from picked where events.id = picked.id",
        head,
        limit,
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    let advance = i64::try_from(numbered).unwrap_or(0);
    sqlx::query!("update platform_event_head set seq = seq + $1", advance)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(numbered)
}

/// Events above `after`, in order.
pub(super) async fn list_after(
    db: &PgPool,
    after: i64,
    limit: i64,
) -> Result<Vec<EventRow>, sqlx::Error> {
    sqlx::query_as!(
        EventRow,
        r#"select seq as "seq!", topic, event::text as "event!",
             coalesce(event ->> 'type', '') as "kind!"
         from platform_events where seq > $1 order by seq limit $2"#,
        after,
        limit,
    )
    .fetch_all(db)
    .await
}

/// A topic's events above `after` and up to `until`, in order.
pub(super) async fn list_topic(
    db: &PgPool,
    topic: &str,
    after: i64,
    until: i64,
    limit: i64,
) -> Result<Vec<EventRow>, sqlx::Error> {
    sqlx::query_as!(
        EventRow,
        r#"select seq as "seq!", topic, event::text as "event!",
             coalesce(event ->> 'type', '') as "kind!"
         from platform_events where topic = $1 and seq > $2 and seq <= $3
         order by seq limit $4"#,
        topic,
        after,
        until,
        limit,
    )
    .fetch_all(db)
    .await
}

const PURGE: &str = "platform.events.purge";
const KEEP: chrono::Duration = chrono::Duration::hours(1);
const PURGE_EVERY: Duration = Duration::from_secs(10 * 60);
const PURGE_BATCH: i64 = 5_000;

/// Adds the scheduled purge of events that are older than an hour.
pub fn register_purge(registry: &mut Registry, db: PgPool) {
    registry.handle(PURGE, Bounds::default(), move |run| {
        let db = db.clone();
        async move {
            while purge(&db, run.now - KEEP, PURGE_BATCH).await? > 0 {}
            Ok(())
        }
    });
    registry.schedule(PURGE, PURGE_EVERY);
}

/// Deletes old events and remembers how far, in one statement, so that a replay that reads
/// the head after the rows cannot miss that some are gone.
async fn purge(db: &PgPool, before: DateTime<Utc>, limit: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"with gone as (
             delete from platform_events where id = any(array(
                 select id from platform_events
                 where created_at < $1 and seq is not null
                 order by created_at limit $2
             ))
             returning seq
         ), marked as (
             update platform_event_head
             set purged_seq = greatest(purged_seq, (select max(seq) from gone))
             where exists (select from gone)
         )
         select count(*) as "count!" from gone"#,
        before,
        limit,
    )
    .fetch_one(db)
    .await
}
