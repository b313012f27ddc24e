//! The registry of job handlers and schedules.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use serde_json::Value;
use uuid::Uuid;

/// Why a run failed. Written to the log and to the column `last_error`.
pub type JobFailure = Box<dyn std::error::Error + Send + Sync>;

type Body = dyn Fn(Run) -> BoxFuture<'static, Result<(), JobFailure>> + Send + Sync;

/// One run of a job: the argument of its handler.
#[derive(Clone, Debug)]
pub struct Run {
    /// The job's id, the same in every attempt.
    pub id: Uuid,
    /// The input that was queued.
    pub payload: Value,
    /// The number of this attempt, from 1.
    pub attempt: i32,
    /// The start time of the run.
    pub now: DateTime<Utc>,
}

/// The limits on attempts and run time of a job kind.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The number of failed runs after which a job is dead.
    pub attempts: i32,
    /// The timeout of a run.
    pub time_limit: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { attempts: 10, time_limit: Duration::from_secs(60) }
    }
}

#[derive(Clone)]
pub(super) struct Handler {
    pub bounds: Bounds,
    pub body: Arc<Body>,
}

#[derive(Clone, Copy)]
pub(super) struct Schedule {
    pub kind: &'static str,
    pub every: Duration,
}

/// Job handlers by kind, and schedules.
#[derive(Default)]
pub struct Registry {
    pub(super) handlers: HashMap<&'static str, Handler>,
    pub(super) schedules: Vec<Schedule>,
}

/// Completed jobs are deleted after a day together with their unique keys, which prevent a second
/// job in the same slot.
const LONGEST_SCHEDULE: Duration = Duration::from_secs(24 * 60 * 60);

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers the handler of a job kind. Panics if the kind already has one.
    pub fn handle<F, Fut>(&mut self, kind: &'static str, bounds: Bounds, body: F)
    where
        F: Fn(Run) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), JobFailure>> + Send + 'static,
    {
        assert!(0 < bounds.attempts, "{kind} needs at least one attempt");
        let body: Arc<Body> = Arc::new(move |run| Box::pin(body(run)));
        let previous = self.handlers.insert(kind, Handler { bounds, body });
        assert!(previous.is_none(), "{kind} has two handlers");
    }

    /// Schedules a job of this kind in every slot of length `every`, counted from 1970 in UTC, with
    /// the payload `null`. Slots missed while no node was running are skipped.
    pub fn schedule(&mut self, kind: &'static str, every: Duration) {
        assert!(Duration::from_secs(1) <= every && every <= LONGEST_SCHEDULE);
        assert!(self.handlers.contains_key(kind), "{kind} is scheduled but has no handler");
        self.schedules.push(Schedule { kind, every });
    }
}

impl Schedule {
    /// The start of the slot that contains `now`.
    pub fn slot(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let every = i64::try_from(self.every.as_secs()).unwrap_or(i64::MAX);
        let start = now.timestamp().div_euclid(every).saturating_mul(every);
        DateTime::from_timestamp_secs(start).unwrap_or(now)
    }
}
