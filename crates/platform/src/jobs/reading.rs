//! Jobs as whoever looks after them sees them: what runs when, what failed, and a dead job's second
//! life.

use std::sync::OnceLock;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::registry::Bounds;

/// More jobs of one kind are not counted.
const COUNTED: i64 = 1_000;

/// A kind of jobs that this node runs.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// `domain.work`.
    pub name: &'static str,
    /// How often one is started by itself, if at all.
    pub every: Option<Duration>,
    /// How often and how long it may try.
    pub bounds: Bounds,
}

impl Kind {
    /// When the next one starts by itself.
    pub fn next_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let every = i64::try_from(self.every?.as_secs()).ok()?;
        let start = now.timestamp().div_euclid(every).checked_add(1)?.checked_mul(every)?;
        DateTime::from_timestamp_secs(start)
    }
}

/// The kinds that this node's worker runs; none before it was started.
#[derive(Default)]
pub struct Timetable(OnceLock<Vec<Kind>>);

impl Timetable {
    /// Tells what is run. The first word stands.
    pub fn tell(&self, kinds: Vec<Kind>) {
        let _ = self.0.set(kinds);
    }

    /// The kinds by name.
    pub fn kinds(&self) -> &[Kind] {
        self.0.get().map_or(&[], Vec::as_slice)
    }
}

/// How the jobs of a kind do.
#[derive(Clone, Debug)]
pub struct KindState {
    /// The kind.
    pub kind: String,
    /// When the last one that is remembered ended well.
    pub done_at: Option<DateTime<Utc>>,
    /// How long it took.
    pub took_ms: Option<i64>,
    /// How many wait or run, up to a thousand.
    pub waiting: i64,
    /// When the first of them is due.
    pub due_at: Option<DateTime<Utc>>,
    /// How many are dead, up to a thousand.
    pub dead: i64,
    /// What the last that failed said.
    pub last_error: Option<String>,
}

/// How the jobs of some kinds do, in the same order.
pub async fn list_kinds(db: &PgPool, kinds: &[String]) -> Result<Vec<KindState>, sqlx::Error> {
    sqlx::query_as!(
        KindState,
        r#"select kinds.kind as "kind!", done.finished_at as "done_at?", done.took_ms as "took_ms?",
            waiting.count as "waiting!", waiting.due_at as "due_at?", dead.count as "dead!",
            coalesce(dead.last_error, waiting.last_error) as "last_error?"
         from unnest($1::text[]) with ordinality as kinds (kind, place)
         left join lateral (
            select finished_at,
                (extract(epoch from finished_at - started_at) * 1000)::bigint as took_ms
            from platform_jobs where kind = kinds.kind and state = 'done'
            order by finished_at desc limit 1
         ) done on true
         cross join lateral (
            select count(*) as count, min(due_at) as due_at, max(last_error) as last_error
            from (
                select due_at, last_error from platform_jobs
                where kind = kinds.kind and state in ('queued', 'running') limit $2
            ) found
         ) waiting
         cross join lateral (
            select count(*) as count,
                (array_agg(last_error order by finished_at desc))[1] as last_error
            from (
                select last_error, finished_at from platform_jobs
                where kind = kinds.kind and state = 'dead'
                order by finished_at desc limit $2
            ) found
         ) dead
         order by kinds.place"#,
        kinds,
        COUNTED,
    )
    .fetch_all(db)
    .await
}

/// Whether a job of a kind waits or runs.
pub async fn is_waiting(db: &PgPool, kind: &str) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
             select from platform_jobs where kind = $1 and state in ('queued', 'running')
         ) as "waits!""#,
        kind,
    )
    .fetch_one(db)
    .await
}

/// How all jobs do.
#[derive(Clone, Copy, Debug)]
pub struct Overview {
    /// How many are dead, up to a thousand.
    pub dead: i64,
    /// How many are due and not begun, up to a thousand.
    pub due: i64,
    /// Since when the first of them is.
    pub due_since: Option<DateTime<Utc>>,
}

/// How all jobs do.
pub async fn overview(db: &PgPool, now: DateTime<Utc>) -> Result<Overview, sqlx::Error> {
    sqlx::query_as!(
        Overview,
        r#"select dead.count as "dead!", due.count as "due!", due.since as "due_since?"
         from (
            select count(*) as count
            from (select from platform_jobs where state = 'dead' limit $2) found
         ) dead, (
            select count(*) as count, min(due_at) as since
            from (
                select due_at from platform_jobs
                where state in ('queued', 'running') and coalesce(lease_until, due_at) <= $1
                order by coalesce(lease_until, due_at), id limit $2
            ) found
         ) due"#,
        now,
        COUNTED,
    )
    .fetch_one(db)
    .await
}

/// A job that failed for good.
#[derive(Clone, Debug)]
pub struct Dead {
    /// Its id.
    pub id: Uuid,
    /// Its kind.
    pub kind: String,
    /// What it was to do.
    pub payload: Value,
    /// How often it was tried.
    pub attempts: i32,
    /// What it said at last.
    pub last_error: Option<String>,
    /// When it was queued.
    pub created_at: DateTime<Utc>,
    /// When it was given up.
    pub finished_at: Option<DateTime<Utc>>,
}

/// Dead jobs, the latest queued first.
pub async fn list_dead(
    db: &PgPool,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Dead>, sqlx::Error> {
    sqlx::query_as!(
        Dead,
        "select id, kind, payload, attempts, last_error, created_at, finished_at
         from platform_jobs
         where state = 'dead' and ($1::uuid is null or id < $1)
         order by id desc limit $2",
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Gives a dead job a second life with all its tries; None where there is no such dead job.
pub async fn retry(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<Dead>, sqlx::Error> {
    let dead = sqlx::query_as!(
        Dead,
        "select id, kind, payload, attempts, last_error, created_at, finished_at
         from platform_jobs where id = $1 and state = 'dead' for update",
        id,
    )
    .fetch_optional(&mut **tx)
    .await?;
    if dead.is_some() {
        sqlx::query!(
            "update platform_jobs
             set state = 'queued', attempts = 0, due_at = $2, finished_at = null
             where id = $1",
            id,
            now,
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(dead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_start_is_the_next_slots() {
        let kind = |every| Kind { name: "a.b", every, bounds: Bounds::default() };
        let now = DateTime::from_timestamp_secs(1_900_000_050).unwrap();
        let next = kind(Some(Duration::from_secs(100))).next_at(now);
        assert_eq!(next.map(|next| next.timestamp()), Some(1_900_000_100));
        assert_eq!(kind(None).next_at(now), None);
    }
}
