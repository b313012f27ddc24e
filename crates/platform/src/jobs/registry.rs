//! Which kinds of jobs this node can run, and which it starts by itself.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use serde_json::Value;
use uuid::Uuid;

/// Why a run failed; it goes to the log and to the row's `last_error`.
pub type JobFailure = Box<dyn std::error::Error + Send + Sync>;

type Body = dyn Fn(Run) -> BoxFuture<'static, Result<(), JobFailure>> + Send + Sync;

/// One run of a job, as its handler sees it.
#[derive(Clone, Debug)]
pub struct Run {
    /// The job's id, the same in every attempt.
    pub id: Uuid,
    /// What was queued.
    pub payload: Value,
    /// The number of this attempt, from 1.
    pub attempt: i32,
    /// The time at which the run began.
    pub now: DateTime<Utc>,
}

/// How often and how long a kind may try.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// A job is dead after so many failed runs.
    pub attempts: i32,
    /// A run that takes longer has failed.
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

/// Handlers by kind, and schedules.
#[derive(Default)]
pub struct Registry {
    pub(super) handlers: HashMap<&'static str, Handler>,
    pub(super) schedules: Vec<Schedule>,
}

/// Done jobs are purged after a day, and their unique keys with them.
const LONGEST_SCHEDULE: Duration = Duration::from_secs(24 * 60 * 60);

impl Registry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the handler of a kind. A kind has one handler: a second one is a bug.
    pub fn handle<F, Fut>(&mut self, kind: &'static str, bounds: Bounds, body: F)
    where
        F: Fn(Run) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), JobFailure>> + Send + 'static,
    {
        assert!(0 < bounds.attempts, "{kind} needs at least one attempt");
        let body: Arc<Body> = Arc::new(move |run| Box::pin(body(run)));
        let taken = self.handlers.insert(kind, Handler { bounds, body });
        assert!(taken.is_none(), "{kind} has two handlers");
    }

    /// Starts a job of this kind in every slot of `every`, counted from 1970 in UTC, with the
    /// payload `null`. Slots that passed while no node ran are not made up for.
    pub fn schedule(&mut self, kind: &'static str, every: Duration) {
        assert!(Duration::from_secs(1) <= every && every <= LONGEST_SCHEDULE);
        assert!(self.handlers.contains_key(kind), "{kind} is scheduled but has no handler");
        self.schedules.push(Schedule { kind, every });
    }
}

impl Schedule {
    /// The beginning of the slot that `now` lies in.
    pub fn slot(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let every = i64::try_from(self.every.as_secs()).unwrap_or(i64::MAX);
        let start = now.timestamp().div_euclid(every).saturating_mul(every);
        DateTime::from_timestamp_secs(start).unwrap_or(now)
    }
}
