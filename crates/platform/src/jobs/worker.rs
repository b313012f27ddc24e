//! The job worker: claims due jobs, runs them, and stores their outcome.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use serde_json::Value;
use sqlx::PgPool;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;

use super::Job;
use super::reading::Kind;
use super::registry::{Bounds, Handler, JobFailure, Registry, Run, Schedule};
use super::store::{self, Claimed, Outcome};
use crate::clock::Clock;
use crate::ids::new_id;
use crate::shutdown::Shutdown;

const POLL: Duration = Duration::from_secs(1);
const GAUGE_EVERY_POLLS: u32 = 30;
/// Concurrent jobs per node. Each may hold a database connection.
const PARALLEL: u32 = 4;
/// A lease is longer than the time limit of a run by this much, so it expires only if the worker
/// died.
const LEASE_MARGIN: Duration = Duration::from_secs(30);
/// How long the shutdown waits for running jobs. Jobs that are still running then are run again
/// when their lease expires.
const DRAIN: Duration = Duration::from_secs(8);
const FIRST_RETRY: Duration = Duration::from_secs(5);
const LONGEST_RETRY: Duration = Duration::from_secs(60 * 60);
const ERROR_LENGTH: usize = 2_000;

const PURGE: &str = "platform.jobs.purge";
const PURGE_BATCH: i64 = 5_000;
/// The bound of [`Worker::run_due`], so that a handler that queues itself again does not loop for
/// ever.
const RUN_DUE_BOUND: usize = 100_000;

/// Wakes the worker after a commit that queued a job due now.
#[derive(Clone, Default)]
pub struct Waker(Arc<Notify>);

impl Waker {
    /// Polls for due jobs now instead of at the next interval.
    pub fn wake(&self) {
        self.0.notify_one();
    }
}

/// Runs the jobs of one node.
#[derive(Clone)]
pub struct Worker(Arc<Inner>);

struct Inner {
    db: PgPool,
    clock: Clock,
    handlers: HashMap<&'static str, Handler>,
    kinds: Vec<String>,
    lease: Duration,
    schedules: Vec<Schedule>,
    /// The last slot that was queued, per schedule.
    ticked: Mutex<HashMap<&'static str, DateTime<Utc>>>,
    waker: Waker,
}

impl Worker {
    /// A worker for these handlers, plus the purge of completed jobs.
    pub fn new(db: PgPool, clock: Clock, mut registry: Registry) -> Self {
        register_purge(&mut registry, db.clone());
        let kinds = registry.handlers.keys().map(|kind| (*kind).to_owned()).collect();
        let longest = registry.handlers.values().map(|handler| handler.bounds.time_limit).max();
        Self(Arc::new(Inner {
            db,
            clock,
            kinds,
            lease: longest.unwrap_or_default() + LEASE_MARGIN,
            handlers: registry.handlers,
            schedules: registry.schedules,
            ticked: Mutex::default(),
            waker: Waker::default(),
        }))
    }

    /// The job kinds of this worker, with their schedules and limits.
    pub fn kinds(&self) -> Vec<Kind> {
        let kind = |(name, handler): (&&'static str, &Handler)| Kind {
            name,
            every: self.0.schedules.iter().find(|one| one.kind == *name).map(|one| one.every),
            bounds: handler.bounds,
        };
        let mut kinds: Vec<Kind> = self.0.handlers.iter().map(kind).collect();
        kinds.sort_unstable_by_key(|kind| kind.name);
        kinds
    }

    /// A handle that wakes this worker.
    pub fn waker(&self) -> Waker {
        self.0.waker.clone()
    }

    /// Runs jobs until the shutdown, then waits a few seconds for running jobs to finish.
    pub async fn run(&self, shutdown: Shutdown) {
        let slots = Arc::new(Semaphore::new(usize::try_from(PARALLEL).unwrap_or(1)));
        let mut running = JoinSet::new();
        let (mut polls, mut failing) = (0_u32, false);
        while !shutdown.is_begun() {
            let poll = self.poll(&slots, &mut running).await;
            // An unreachable database is logged once, not at every poll.
            match &poll {
                Err(error) if !failing => tracing::warn!(%error, "jobs cannot be claimed"),
                Ok(()) if failing => tracing::info!("jobs are claimed again"),
                _ => {}
            }
            failing = poll.is_err();
            if polls.is_multiple_of(GAUGE_EVERY_POLLS) {
                self.measure().await;
            }
            polls = polls.wrapping_add(1);
            while running.try_join_next().is_some() {}
            tokio::select! {
                () = self.0.waker.0.notified() => {}
                () = tokio::time::sleep(POLL) => {}
                () = shutdown.begun() => {}
            }
        }
        let drained =
            tokio::time::timeout(DRAIN, async { while running.join_next().await.is_some() {} });
        if drained.await.is_err() {
            tracing::warn!(count = running.len(), "jobs cut off at shutdown, will run again");
        }
    }

    async fn poll(
        &self,
        slots: &Arc<Semaphore>,
        running: &mut JoinSet<()>,
    ) -> Result<(), sqlx::Error> {
        self.tick(self.0.clock.now()).await?;
        while let Ok(slot) = Arc::clone(slots).try_acquire_owned() {
            let now = self.0.clock.now();
            let Some(job) = self.claim(now).await? else { break };
            let worker = self.clone();
            running.spawn(async move {
                worker.run_claimed(job, now).await;
                drop(slot);
                // More jobs may be due.
                worker.0.waker.wake();
            });
        }
        Ok(())
    }

    /// Queues scheduled jobs and runs everything due at `now` in sequence, including jobs queued by
    /// those runs. For tests and tools. Returns the number of runs.
    pub async fn run_due(&self, now: DateTime<Utc>) -> Result<usize, sqlx::Error> {
        self.tick(now).await?;
        for count in 0..RUN_DUE_BOUND {
            match self.claim(now).await? {
                Some(job) => self.run_claimed(job, now).await,
                None => return Ok(count),
            }
        }
        tracing::error!("jobs keep queueing new jobs, giving up");
        Ok(RUN_DUE_BOUND)
    }

    /// Queues the current slot of each schedule, once.
    async fn tick(&self, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
        for schedule in &self.0.schedules {
            let slot = schedule.slot(now);
            if self.ticked().get(schedule.kind) == Some(&slot) {
                continue;
            }
            let job = Job {
                kind: schedule.kind,
                payload: Value::Null,
                due_at: slot,
                unique_key: Some(format!("{}@{}", schedule.kind, slot.timestamp())),
            };
            let mut connection = self.0.db.acquire().await?;
            store::insert_job(&mut connection, new_id(now), &job, now).await?;
            self.ticked().insert(schedule.kind, slot);
        }
        Ok(())
    }

    fn ticked(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, DateTime<Utc>>> {
        self.0.ticked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn claim(&self, now: DateTime<Utc>) -> Result<Option<Claimed>, sqlx::Error> {
        store::claim(&self.0.db, &self.0.kinds, now, self.0.lease).await
    }

    async fn run_claimed(&self, job: Claimed, now: DateTime<Utc>) {
        let Some(handler) = self.0.handlers.get(job.kind.as_str()) else { return };
        let outcome = if job.attempts > handler.bounds.attempts {
            // The worker died during the last attempt, possibly because of this job.
            Outcome::Dead { error: "the last run never ended".to_owned() }
        } else {
            let result = run_bounded(handler, &job, now).await;
            outcome_of(result, &job, handler.bounds, now.max(self.0.clock.now()))
        };
        self.conclude(&job, &outcome, now.max(self.0.clock.now())).await;
    }

    async fn conclude(&self, job: &Claimed, outcome: &Outcome, now: DateTime<Utc>) {
        let (id, kind, attempt) = (job.id, job.kind.as_str(), job.attempts);
        let label = match outcome {
            Outcome::Done => "done",
            Outcome::Retry { error, due_at } => {
                tracing::warn!(%id, kind, attempt, error, %due_at, "job failed and will be retried");
                "retry"
            }
            Outcome::Dead { error } => {
                tracing::error!(%id, kind, attempt, error, "job is dead, retry it in the office");
                "dead"
            }
        };
        metrics::counter!("jobs_total", "kind" => job.kind.clone(), "outcome" => label)
            .increment(1);
        match store::finish(&self.0.db, job, outcome, now).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!(%id, kind, attempt, "another worker took over the job"),
            Err(error) => {
                tracing::error!(%id, kind, attempt, %error, "job outcome cannot be stored")
            }
        }
        if matches!(outcome, Outcome::Dead { .. }) {
            self.measure().await;
        }
    }

    async fn measure(&self) {
        match store::count_dead(&self.0.db).await {
            Ok(dead) => {
                metrics::gauge!("jobs_dead").set(f64::from(i32::try_from(dead).unwrap_or(i32::MAX)))
            }
            Err(error) => tracing::debug!(%error, "dead jobs cannot be counted"),
        }
    }
}

/// Runs the handler within its time limit. A panic counts as a failure.
async fn run_bounded(
    handler: &Handler,
    job: &Claimed,
    now: DateTime<Utc>,
) -> Result<(), JobFailure> {
    let run = Run { id: job.id, payload: job.payload.clone(), attempt: job.attempts, now };
    let body = AssertUnwindSafe(async { (handler.body)(run).await }).catch_unwind();
    match tokio::time::timeout(handler.bounds.time_limit, body).await {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err("the handler panicked".into()),
        Err(_) => Err("the handler took too long".into()),
    }
}

fn outcome_of(
    result: Result<(), JobFailure>,
    job: &Claimed,
    bounds: Bounds,
    now: DateTime<Utc>,
) -> Outcome {
    let Err(failure) = result else { return Outcome::Done };
    let error: String = failure.to_string().chars().take(ERROR_LENGTH).collect();
    // PostgreSQL's `text` cannot store NUL.
    let error = error.replace('\0', "");
    if job.attempts >= bounds.attempts {
        Outcome::Dead { error }
    } else {
        Outcome::Retry { due_at: now + retry_delay(job.attempts), error }
    }
}

/// The delay before a retry: doubles with every attempt, up to an hour.
pub(super) fn retry_delay(attempt: i32) -> Duration {
    let doublings = u32::try_from(attempt.saturating_sub(1)).unwrap_or(0).min(16);
    FIRST_RETRY.saturating_mul(1 << doublings).min(LONGEST_RETRY)
}

fn register_purge(registry: &mut Registry, db: PgPool) {
    registry.handle(PURGE, Bounds::default(), move |run| {
        let db = db.clone();
        async move {
            let before = run.now - chrono::Duration::days(1);
            while store::purge_done(&db, before, PURGE_BATCH).await? > 0 {}
            Ok(())
        }
    });
    registry.schedule(PURGE, Duration::from_secs(60 * 60));
}
