//! The admission queue of logins: limits how many run at once, and rejects those that would wait
//! too long.
//!
//! The whole login runs under its permit, including reading the request and database queries, so a
//! burst of logins waits here, where it costs nothing. A rejected client gets a `Retry-After` of
//! its own: with the same one for all, the burst would come back at once.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::ApiError;

/// The maximum length of the queue.
const MOST: u32 = 1_000;
/// The maximum `Retry-After`. When all times up to it are assigned, they are assigned again.
const LATEST: Duration = Duration::from_secs(30);

/// An admission queue.
pub struct Line {
    turns: Arc<Semaphore>,
    at_once: u32,
    state: Arc<State>,
    /// The first retry time that is not assigned to a client yet.
    free: Mutex<Instant>,
}

/// The length of the queue and the recent service time.
struct State {
    standing: AtomicU32,
    /// The recent average time that a permit is held.
    micros: AtomicU64,
}

/// An admission permit, released when dropped.
pub struct Turn {
    place: Place,
    began: Instant,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.place.0.note(self.began.elapsed());
    }
}

/// One entry of the queue's length counter.
struct Place(Arc<State>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.standing.fetch_sub(1, Ordering::Relaxed);
    }
}

impl State {
    fn note(&self, took: Duration) {
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        // A concurrent update may be lost, which is fine for an estimate.
        let before = self.micros.load(Ordering::Relaxed);
        self.micros.store(before - before / 8 + took / 8, Ordering::Relaxed);
    }
}

impl Line {
    /// A queue that admits `at_once` at a time. `usual` is the estimated time of one until it is
    /// measured.
    pub fn new(at_once: u32, usual: Duration) -> Self {
        let at_once = at_once.max(1);
        let micros = AtomicU64::new(u64::try_from(usual.as_micros()).unwrap_or(u64::MAX));
        let state = Arc::new(State { standing: AtomicU32::new(0), micros });
        let turns = Arc::new(Semaphore::new(usize::try_from(at_once).unwrap_or(1)));
        Self { turns, at_once, state, free: Mutex::new(Instant::now()) }
    }

    /// The number of admitted and waiting requests.
    pub fn standing(&self) -> u32 {
        self.state.standing.load(Ordering::Relaxed)
    }

    /// The estimated wait of a new request.
    pub fn wait(&self) -> Duration {
        self.wait_behind(self.standing())
    }

    fn wait_behind(&self, before: u32) -> Duration {
        let each = Duration::from_micros(self.state.micros.load(Ordering::Relaxed));
        each * before / self.at_once
    }

    /// Waits for a permit. If the estimated wait is longer than `max_wait`, it is a 503 with
    /// `Retry-After`.
    pub async fn turn(&self, max_wait: Duration) -> Result<Turn, ApiError> {
        let before = self.state.standing.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(&self.state));
        let wait = self.wait_behind(before);
        if before >= MOST || wait > max_wait {
            let seconds = seconds_of(self.appoint(wait));
            return Err(ApiError::unavailable("the login queue is full").retry_after(seconds));
        }
        let permit = Arc::clone(&self.turns).acquire_owned().await.map_err(ApiError::internal)?;
        Ok(Turn { place, began: Instant::now(), _permit: permit })
    }

    /// Assigns a retry time that no other client has, after the current queue is expected to be
    /// empty.
    fn appoint(&self, wait: Duration) -> Duration {
        let now = Instant::now();
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let first = now + wait.min(LATEST);
        let given = if *free > now + LATEST { first } else { first.max(*free) };
        *free = given + self.wait_behind(1);
        given - now
    }
}

/// Seconds, rounded up.
fn seconds_of(time: Duration) -> u32 {
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    u32::try_from(seconds).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::codes;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn few_are_served_at_once_and_who_would_wait_for_long_is_sent_away() {
        let line = Line::new(1, SECOND);
        let first = line.turn(SECOND).await.expect("a turn");
        let second = line.turn(SECOND);
        tokio::pin!(second);
        assert!(second.as_mut().now_or_never().is_none(), "it waits");
        let third = line.turn(SECOND).await.err().expect("a refusal");
        assert_eq!(third.code, codes::SERVER_UNAVAILABLE);
        drop(first);
        drop(second.await.expect("a turn"));
        assert!(line.turn(SECOND).await.is_ok(), "everybody has gone");
    }

    #[tokio::test]
    async fn who_goes_away_leaves_the_line() {
        let line = Line::new(1, SECOND);
        let first = line.turn(SECOND).await.ok();
        assert!(line.turn(SECOND).now_or_never().is_none());
        assert!(line.turn(SECOND).now_or_never().is_none(), "the one before has left");
        drop(first);
        assert!(line.turn(SECOND).await.is_ok());
    }

    #[test]
    fn the_wait_follows_from_the_last_turns() {
        let line = Line::new(2, SECOND);
        assert_eq!(line.wait_behind(10), SECOND * 5);
        (0..100).for_each(|_| line.state.note(SECOND / 10));
        assert!(line.wait_behind(10) < SECOND);
        (0..100).for_each(|_| line.state.note(SECOND * 4));
        assert!(line.wait_behind(10) > SECOND * 15);
    }

    #[test]
    fn everybody_is_told_a_moment_of_their_own_while_there_are_some() {
        let line = Line::new(1, SECOND);
        let told = |wait| line.appoint(wait).as_secs_f64().round();
        assert_eq!([told(SECOND * 5), told(SECOND * 5), told(SECOND * 5)], [5.0, 6.0, 7.0]);
        assert_eq!(told(SECOND * 20), 20.0, "behind those who stand in line");
        for moment in 21..=30 {
            assert_eq!(told(SECOND), f64::from(moment));
        }
        assert_eq!([told(SECOND), told(SECOND)], [1.0, 2.0], "from the first again");
        assert_eq!(told(SECOND * 100), 30.0, "nobody is told to come back much later");
    }
}
