//! Jobs: work that must happen, queued in the transaction that causes it.
//!
//! Owns `platform_jobs`. Invariants: a job is queued if and only if its transaction commits;
//! no transaction is open while a job runs; a job whose worker is lost is run again once its
//! lease ends, so every handler is idempotent; a job that keeps failing ends as `dead`, where
//! staff see it, and is never dropped. Schedules make one job per slot, however many nodes
//! tick.

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

/// A piece of work to be queued.
#[derive(Clone, Debug)]
pub struct Job {
    /// Which handler runs it, `domain.work`.
    pub kind: &'static str,
    /// What the handler needs to know.
    pub payload: Value,
    /// The earliest moment to run it.
    pub due_at: DateTime<Utc>,
    /// A second job with the same key is not queued.
    pub unique_key: Option<String>,
}

/// Queues a job in the caller's transaction. False when its unique key was there already.
pub async fn enqueue(
    tx: &mut PgTransaction<'_>,
    job: Job,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    store::insert_job(tx, new_id(now), &job, now).await
}
