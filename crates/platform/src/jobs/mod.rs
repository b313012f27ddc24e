//! Background jobs, queued in a table in the same transaction as their cause.
//!
//! Owns `platform_jobs`. Invariants: a job is queued if and only if its transaction commits; no
//! transaction is open while a job runs; a job whose worker died runs again when its lease expires,
//! so every handler must be idempotent; a job that keeps failing becomes `dead`, is shown to staff,
//! and is never dropped. A schedule makes one job per time slot, no matter how many nodes run.

mod reading;
mod registry;
mod store;
#[cfg(test)]
mod tests;
mod worker;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgTransaction;

pub use reading::{
    Dead, Kind, KindState, Overview, Timetable, is_waiting, list_dead, list_kinds, overview, retry,
};
pub use registry::{Bounds, JobFailure, Registry, Run};
pub use worker::{Waker, Worker};

use super::ids::new_id;

/// A job to be queued.
#[derive(Clone, Debug)]
pub struct Job {
    /// The job kind, `domain.work`, which selects the handler.
    pub kind: &'static str,
    /// The input of the handler.
    pub payload: Value,
    /// The earliest time to run it.
    pub due_at: DateTime<Utc>,
    /// A second job with the same key is not queued.
    pub unique_key: Option<String>,
}

/// Queues a job in the caller's transaction. False if a job with its unique key exists.
pub async fn enqueue(
    tx: &mut PgTransaction<'_>,
    job: Job,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    store::insert_job(tx, new_id(now), &job, now).await
}
