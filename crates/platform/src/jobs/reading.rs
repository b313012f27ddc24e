//! Job queries for the office: kinds and their state, dead jobs, retrying a dead job.

use std::sync::OnceLock;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::registry::Bounds;

/// Counting stops at this many jobs, to bound the query.
const COUNT_LIMIT: i64 = 1_000;

/// A job kind that this node runs.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The name, `domain.work`.
    pub name: &'static str,
    /// The interval of its schedule, if it has one.
    pub every: Option<Duration>,
    /// Its limits on attempts and run time.
    pub bounds: Bounds,
}

impl Kind {
    /// When the next scheduled job is due.
    pub fn next_at(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let every = i64::try_from(self.every?.as_secs()).ok()?;
        let start = now.timestamp().div_euclid(every).checked_add(1)?.checked_mul(every)?;
        DateTime::from_timestamp_secs(start)
    }
}

/// The job kinds of this node's worker. Empty until the worker has started.
#[derive(Default)]
pub struct Timetable(OnceLock<Vec<Kind>>);

impl Timetable {
    /// Sets the kinds. Only the first call has an effect.
    pub fn set_kinds(&self, kinds: Vec<Kind>) {
        let _ = self.0.set(kinds);
    }

    /// The kinds, sorted by name.
    pub fn kinds(&self) -> &[Kind] {
        self.0.get().map_or(&[], Vec::as_slice)
    }
}

/// The state of the jobs of one kind.
#[derive(Clone, Debug)]
pub struct KindState {
    /// The kind.
    pub kind: String,
    /// When the last successful job finished, if it is still stored.
    pub done_at: Option<DateTime<Utc>>,
    /// How long that job took, in milliseconds.
    pub took_ms: Option<i64>,
    /// Queued and running jobs, counted up to 1,000.
    pub waiting: i64,
    /// The earliest due time of those.
    pub due_at: Option<DateTime<Utc>>,
    /// Dead jobs, counted up to 1,000.
    pub dead: i64,
    /// The error of the last failed run.
    pub last_error: Option<String>,
}

/// The state of several kinds, in the same order.
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
        COUNT_LIMIT,
    )
    .fetch_all(db)
    .await
}

/// Whether a job of this kind is queued or running.
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

/// Totals over all jobs.
#[derive(Clone, Copy, Debug)]
pub struct Overview {
    /// Dead jobs, counted up to 1,000.
    pub dead: i64,
    /// Jobs that are due and not started, counted up to 1,000.
    pub due: i64,
    /// The due time of the oldest of those.
    pub due_since: Option<DateTime<Utc>>,
}

/// Reads the totals over all jobs.
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
        COUNT_LIMIT,
    )
    .fetch_one(db)
    .await
}

/// A job that has used up its attempts.
#[derive(Clone, Debug)]
pub struct Dead {
    /// The job id.
    pub id: Uuid,
    /// The job kind.
    pub kind: String,
    /// The input of the handler.
    pub payload: Value,
    /// The number of attempts.
    pub attempts: i32,
    /// The error of the last attempt.
    pub last_error: Option<String>,
    /// When it was queued.
    pub created_at: DateTime<Utc>,
    /// When it became dead.
    pub finished_at: Option<DateTime<Utc>>,
}

/// Dead jobs, the most recently queued first.
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

/// Queues a dead job again with all its attempts. None if there is no dead job with this id.
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
