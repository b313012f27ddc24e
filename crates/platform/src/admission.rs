//! A bounded queue for expensive work: a few run at once, some wait, the rest is refused with a 503
//! and `Retry-After`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::error::ApiError;

/// Refused clients are told to come back after a random number of seconds up to this, so that they
/// do not all come back at once.
const MAX_RETRY_SECONDS: u32 = 16;

/// The limits of a queue.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number that run at once.
    pub running: u32,
    /// The maximum number that wait.
    pub waiting: u32,
    /// The longest wait.
    pub max_wait: Duration,
}

/// The current load of a queue.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The number that run or wait.
    pub jobs: u32,
    /// The recent average time that one runs.
    pub each: Duration,
    /// The estimated wait of a new one.
    pub wait: Duration,
}

/// An admission queue.
pub struct Admission {
    name: &'static str,
    limits: Limits,
    permits: Arc<Semaphore>,
    counters: Arc<Counters>,
}

struct Counters {
    jobs: AtomicU32,
    average_micros: AtomicU64,
}

/// The right to run, until dropped.
pub struct Permit {
    counted: Counted,
    began: Instant,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.counted.0.note(self.began.elapsed());
    }
}

/// One that runs or waits is counted until this is dropped.
struct Counted(Arc<Counters>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.jobs.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Counters {
    /// Takes a run time into the average. Of two at the same moment one may be lost.
    fn note(&self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let before = self.average_micros.load(Ordering::Relaxed);
        self.average_micros.store(before - before / 8 + took / 8, Ordering::Relaxed);
    }
}

impl Admission {
    /// An empty queue. `expected` is the average run time until it has been measured.
    pub fn new(name: &'static str, limits: Limits, expected: Duration) -> Self {
        let micros = u64::try_from(expected.as_micros()).unwrap_or(u64::MAX);
        let counters = Counters { jobs: AtomicU32::new(0), average_micros: AtomicU64::new(micros) };
        let permits = usize::try_from(limits.running).unwrap_or(1);
        Self {
            name,
            limits,
            permits: Arc::new(Semaphore::new(permits)),
            counters: Arc::new(counters),
        }
    }

    /// Waits for a permit. A full queue is a 503 at once, a wait that is too long is one, too.
    pub async fn admit(&self) -> Result<Permit, ApiError> {
        let before = self.counters.jobs.fetch_add(1, Ordering::Relaxed);
        let counted = Counted(Arc::clone(&self.counters));
        if before >= self.limits.running + self.limits.waiting {
            return Err(self.refusal());
        }
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = timeout(self.limits.max_wait, permit).await.map_err(|_| self.refusal())?;
        let permit = permit.map_err(ApiError::internal)?;
        Ok(Permit { counted, began: Instant::now(), _permit: permit })
    }

    /// The current load.
    pub fn load(&self) -> Load {
        let jobs = self.counters.jobs.load(Ordering::Relaxed);
        let each = Duration::from_micros(self.counters.average_micros.load(Ordering::Relaxed));
        let ahead = (jobs + 1).saturating_sub(self.limits.running);
        Load { jobs, each, wait: each * ahead / self.limits.running.max(1) }
    }

    fn refusal(&self) -> ApiError {
        ApiError::unavailable(format!("the queue of {} is full", self.name))
            .retry_after(retry_seconds())
    }
}

fn retry_seconds() -> u32 {
    let mut random = [0; 1];
    match getrandom::fill(&mut random) {
        Ok(()) => 1 + u32::from(random[0]) % MAX_RETRY_SECONDS,
        Err(_) => MAX_RETRY_SECONDS,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::codes;

    const SECOND: Duration = Duration::from_secs(1);

    fn queue(running: u32, waiting: u32) -> Admission {
        Admission::new("tests", Limits { running, waiting, max_wait: SECOND * 60 }, SECOND)
    }

    #[tokio::test]
    async fn a_few_run_some_wait_and_the_rest_is_refused() {
        let queue = queue(1, 1);
        let first = queue.admit().await.expect("a permit");
        let second = queue.admit();
        tokio::pin!(second);
        assert!(second.as_mut().now_or_never().is_none(), "it waits");
        let third = queue.admit().await.err().expect("a refusal");
        assert_eq!(third.code, codes::SERVER_UNAVAILABLE);
        drop(first);
        drop(second.await.expect("a permit"));
        assert!(queue.admit().await.is_ok(), "the queue is empty");
    }

    #[tokio::test]
    async fn a_wait_that_is_too_long_is_a_refusal() {
        let limits = Limits { running: 1, waiting: 1, max_wait: Duration::from_millis(1) };
        let queue = Admission::new("tests", limits, SECOND);
        let _first = queue.admit().await.expect("a permit");
        let second = queue.admit().await.err().expect("a refusal");
        assert_eq!(second.code, codes::SERVER_UNAVAILABLE);
        assert_eq!(queue.load().jobs, 1, "it waits no longer");
    }

    #[tokio::test]
    async fn a_caller_that_goes_away_leaves_the_queue() {
        let queue = queue(1, 1);
        let first = queue.admit().await.ok();
        assert!(queue.admit().now_or_never().is_none());
        assert!(queue.admit().now_or_never().is_none(), "the one before has left");
        drop(first);
        assert!(queue.admit().await.is_ok());
    }

    #[test]
    fn the_estimated_wait_follows_from_the_last_run_times() {
        let queue = queue(2, 100);
        assert_eq!(queue.load().wait, Duration::ZERO, "two may run");
        queue.counters.jobs.store(11, Ordering::Relaxed);
        assert_eq!(queue.load().wait, SECOND * 5);
        (0..100).for_each(|_| queue.counters.note(SECOND / 10));
        assert!(queue.load().wait < SECOND);
        (0..100).for_each(|_| queue.counters.note(SECOND * 4));
        assert!(queue.load().wait > SECOND * 15);
    }

    #[test]
    fn refused_clients_come_back_at_different_times() {
        let seconds: std::collections::HashSet<_> = (0..200).map(|_| retry_seconds()).collect();
        assert!(seconds.len() > 4);
        assert!(seconds.iter().all(|seconds| (1..=MAX_RETRY_SECONDS).contains(seconds)));
    }
}
