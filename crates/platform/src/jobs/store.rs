//! The SQL of the job queue.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::Job;

/// A job whose lease this node holds.
#[derive(Clone, Debug)]
pub struct Claimed {
    pub id: Uuid,
    pub kind: String,
    pub payload: Value,
    pub attempts: i32,
}

pub async fn insert_job(
    connection: &mut PgConnection,
    id: Uuid,
    job: &Job,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into platform_jobs (id, kind, payload, due_at, unique_key, created_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (unique_key) do nothing",
        id,
        job.kind,
        job.payload,
        job.due_at,
        job.unique_key,
        now,
    )
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Claims the job that has been due for longest, including jobs whose lease has expired.
pub async fn claim(
    db: &PgPool,
    kinds: &[String],
    now: DateTime<Utc>,
    lease: Duration,
) -> Result<Option<Claimed>, sqlx::Error> {
    sqlx::query_as!(
        Claimed,
        "update platform_jobs
         set state = 'running', attempts = attempts + 1, lease_until = $2, started_at = $1
         where id = (
             select id from platform_jobs
             where state in ('queued', 'running') and coalesce(lease_until, due_at) <= $1
                 and kind = any($3)
             order by coalesce(lease_until, due_at), id
             limit 1
             for update skip locked
         )
         returning id, kind, payload, attempts",
        now,
        now + lease,
        kinds,
    )
    .fetch_optional(db)
    .await
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub enum Outcome {
    Done,
    Retry { due_at: DateTime<Utc>, error: String },
    Dead { error: String },
}

/// Stores the outcome. False if another worker has taken over the expired lease meanwhile.
pub async fn finish(
    db: &PgPool,
    job: &Claimed,
    outcome: &Outcome,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let (state, due_at, error) = match outcome {
        Outcome::Done => ("done", None, None),
        Outcome::Retry { due_at, error } => ("queued", Some(*due_at), Some(error.as_str())),
        Outcome::Dead { error } => ("dead", None, Some(error.as_str())),
    };
    let finished_at = (state != "queued").then_some(now);
    let written = sqlx::query!(
        "update platform_jobs
         set state = $3, lease_until = null, due_at = coalesce($4, due_at),
             last_error = $5, finished_at = $6
         where id = $1 and attempts = $2 and state = 'running'",
        job.id,
        job.attempts,
        state,
        due_at,
        error,
        finished_at,
    )
    .execute(db)
    .await?;
    Ok(written.rows_affected() == 1)
}

pub async fn count_dead(db: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"select count(*) as "count!" from platform_jobs where state = 'dead'"#)
        .fetch_one(db)
        .await
}

/// Deletes up to `limit` completed jobs that finished before `before`.
pub async fn purge_done(
    db: &PgPool,
    before: DateTime<Utc>,
    limit: i64,
) -> Result<u64, sqlx::Error> {
    let purged = sqlx::query!(
        "delete from platform_jobs where id = any(array(
             select id from platform_jobs where state = 'done' and finished_at < $1
             order by finished_at limit $2
         ))",
        before,
        limit,
    )
    .execute(db)
    .await?;
    Ok(purged.rows_affected())
}
