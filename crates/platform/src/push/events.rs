//! The SQL of push events: recording, numbering, reading, purging.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::protocol::Channel;
use crate::ids::new_id;
use crate::jobs::{Bounds, Registry};

/// The maximum rows of a replay. More would cost more than a reload of the page's data.
pub(super) const REPLAY: i64 = 200;

/// A topic that sockets subscribe to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// A merchant's site: status and banners, for everyone.
    Site(Uuid),
    /// A merchant's winners board.
    Winners(Uuid),
    /// One member: balance, session and messages.
    Member(Uuid),
    /// All staff who are logged in to the office.
    Office,
    /// One staff member: session and rights.
    Staff(Uuid),
}

impl Topic {
    /// The topic as stored in the table, for [`record`].
    pub fn key(&self) -> String {
        match self {
            Self::Site(merchant) => format!("site:{merchant}"),
            Self::Winners(merchant) => format!("winners:{merchant}"),
            Self::Member(member) => format!("member:{member}"),
            Self::Office => "office:all".to_owned(),
            Self::Staff(person) => format!("staff:{person}"),
        }
    }

    pub(super) fn channel(&self) -> Channel {
        match self {
            Self::Site(_) => Channel::Site,
            Self::Winners(_) => Channel::Winners,
            Self::Member(_) => Channel::Member,
            Self::Office => Channel::Office,
            Self::Staff(_) => Channel::Staff,
        }
    }
}

/// Records an event in the caller's transaction. It is sent after the commit, at once if the caller
/// then calls `Hub::wake`.
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

/// Records the events of a batch as one row (a bundle), which is numbered, read and purged as a
/// whole. Events of one topic keep their order and reach a page in one frame. They are sent after
/// the commit, at once if the caller then calls `Hub::wake`.
pub async fn record_all<E: Serialize>(
    db: &mut PgConnection,
    events: &[(Topic, E)],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    if events.is_empty() {
        return Ok(());
    }
    let bundle = bundle(events).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query!(
        "insert into platform_events (id, topic, event, created_at)
         values ($1, 'bundle', $2::text::json, $3)",
        new_id(now),
        bundle,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

fn bundle<E: Serialize>(events: &[(Topic, E)]) -> Result<String, serde_json::Error> {
    let mut by_topic: BTreeMap<String, Vec<&E>> = BTreeMap::new();
    for (topic, event) in events {
        by_topic.entry(topic.key()).or_default().push(event);
    }
    serde_json::to_string(&by_topic)
}

/// A numbered row: a JSON object from topic key to a list of events. A single event is a bundle of
/// one.
#[derive(Clone, Debug)]
pub(super) struct BundleRow {
    pub seq: i64,
    pub bundle: String,
}

/// The events of a numbered row for one topic, as a JSON list, if there are any.
#[derive(Clone, Debug)]
pub(super) struct TopicRow {
    pub seq: i64,
    pub events: Option<String>,
}

/// The last assigned number, the last purged number, and whether unnumbered events exist.
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

/// Numbers up to `limit` committed rows in the order of creation. The lock on the head row is held
/// until the commit, so only one node numbers at a time and numbers become visible in order.
pub(super) async fn number(db: &PgPool, limit: i64) -> Result<i64, sqlx::Error> {
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
    let numbered = i64::try_from(numbered).unwrap_or(0);
    sqlx::query!("update platform_event_head set seq = seq + $1", numbered)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(numbered)
}

/// Rows with numbers above `after`, in order.
pub(super) async fn list_after(
    db: &PgPool,
    after: i64,
    limit: i64,
) -> Result<Vec<BundleRow>, sqlx::Error> {
    sqlx::query_as!(
        BundleRow,
        r#"select seq as "seq!",
             (case topic when 'bundle' then event
              else json_build_object(topic, json_build_array(event)) end)::text as "bundle!"
         from platform_events where seq > $1 order by seq limit $2"#,
        after,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Counts the rows in `(after, until]` that may have events of a topic, up to `limit`. All bundles
/// count, because their topics are only known after reading them.
pub(super) async fn count_topic(
    db: &PgPool,
    topic: &str,
    after: i64,
    until: i64,
    limit: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from (
             select from platform_events
             where topic in ($1, 'bundle') and seq > $2 and seq <= $3 limit $4
         ) as found"#,
        topic,
        after,
        until,
        limit,
    )
    .fetch_one(db)
    .await
}

/// The rows that [`count_topic`] counts, in order.
pub(super) async fn list_topic(
    db: &PgPool,
    topic: &str,
    after: i64,
    until: i64,
    limit: i64,
) -> Result<Vec<TopicRow>, sqlx::Error> {
    sqlx::query_as!(
        TopicRow,
        r#"select seq as "seq!",
             (case topic when 'bundle' then event -> $1::text
              else json_build_array(event) end)::text as events
         from platform_events where topic in ($1, 'bundle') and seq > $2 and seq <= $3
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
/// Bundles beyond the replay limit are kept only for relays that lag behind.
const KEEP_BUNDLES: chrono::Duration = chrono::Duration::minutes(2);
const PURGE_EVERY: Duration = Duration::from_secs(60);
const PURGE_BATCH: i64 = 5_000;

/// Registers the job that deletes events older than an hour, and bundles that no replay can read
/// any more.
pub fn register_purge(registry: &mut Registry, db: PgPool) {
    registry.handle(PURGE, Bounds::default(), move |run| {
        let db = db.clone();
        async move {
            while purge(&db, run.now, PURGE_BATCH).await? > 0 {}
            Ok(())
        }
    });
    registry.schedule(PURGE, PURGE_EVERY);
}

/// Deletes old rows and stores the highest deleted number in one statement. A replay reads the head
/// after the rows, so it always notices missing rows.
async fn purge(db: &PgPool, now: DateTime<Utc>, limit: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"with newest as (
             select seq from platform_events where topic = 'bundle' and seq is not null
             order by seq desc limit $4
         ), gone as (
             delete from platform_events where id = any(array(
                 select id from platform_events
                 where seq is not null and created_at < $2
                   and (created_at < $1
                        or topic = 'bundle' and seq < (select min(seq) from newest))
                 order by created_at limit $3
             ))
             returning seq
         ), marked as (
             update platform_event_head
             set purged_seq = greatest(purged_seq, (select max(seq) from gone))
             where exists (select from gone)
         )
         select count(*) as "count!" from gone"#,
        now - KEEP,
        now - KEEP_BUNDLES,
        limit,
        REPLAY,
    )
    .fetch_one(db)
    .await
}

/// The last assigned number, and since when the oldest unnumbered event waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backlog {
    pub seq: i64,
    pub waits_since: Option<DateTime<Utc>>,
}

pub(super) async fn get_backlog(db: &PgPool) -> Result<Backlog, sqlx::Error> {
    sqlx::query_as!(
        Backlog,
        "select seq, (select min(created_at) from platform_events where seq is null) as waits_since
         from platform_event_head"
    )
    .fetch_one(db)
    .await
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_topics_key_tells_its_channel() {
        let id = Uuid::from_u128(1);
        for topic in [
            Topic::Site(id),
            Topic::Winners(id),
            Topic::Member(id),
            Topic::Office,
            Topic::Staff(id),
        ] {
            assert_eq!(Channel::of_key(&topic.key()), Some(topic.channel()), "{topic:?}");
        }
    }

    #[test]
    fn a_bundle_has_each_topic_once_and_its_events_in_order() {
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let events = [
            (Topic::Winners(one), json!({ "n": 1 })),
            (Topic::Member(two), json!({ "n": 2 })),
            (Topic::Winners(one), json!({ "n": 3 })),
        ];
        let bundle: Value = serde_json::from_str(&bundle(&events).unwrap()).unwrap();
        assert_eq!(
            bundle,
            json!({
                Topic::Winners(one).key(): [{ "n": 1 }, { "n": 3 }],
                Topic::Member(two).key(): [{ "n": 2 }],
            })
        );
    }
}
