//! A line before heavy work: few are served at a time, in the order in which they came.
//!
//! Whatever else belongs to the work, reading a request and asking the database, is done in one's
//! turn, too: a crowd that came at the same moment waits outside, where it costs nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::ApiError;

/// So many may stand in a line, however fast it is.
const MOST: u32 = 1_000;

/// A line.
pub struct Line {
    turns: Arc<Semaphore>,
    standing: Arc<AtomicU32>,
}

/// One's turn, until it is dropped.
pub struct Turn {
    _place: Place,
    _permit: OwnedSemaphorePermit,
}

/// A place in the line.
struct Place(Arc<AtomicU32>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Line {
    /// A line in which so many are served at once.
    pub fn new(at_once: usize) -> Self {
        Self { turns: Arc::new(Semaphore::new(at_once)), standing: Arc::default() }
    }

    /// Waits for one's turn. `each` is how long the next needs after the one before; whoever would
    /// wait for longer than `patience` is told when to come back.
    pub async fn turn(&self, each: Duration, patience: Duration) -> Result<Turn, ApiError> {
        let before = self.standing.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(&self.standing));
        let wait = each * before;
        if before >= MOST || wait > patience {
            let seconds = u32::try_from(wait.as_secs() + 1).unwrap_or(u32::MAX).min(30);
            return Err(ApiError::unavailable("the line is long").retry_after(seconds));
        }
        let permit = Arc::clone(&self.turns).acquire_owned().await;
        Ok(Turn { _place: place, _permit: permit.map_err(ApiError::internal)? })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::codes::ErrorCode;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn few_are_served_at_once_and_who_would_wait_for_long_is_sent_away() {
        let line = Line::new(1);
        let first = line.turn(SECOND, SECOND).await.expect("a turn");
        let second = line.turn(SECOND, SECOND);
        tokio::pin!(second);
        assert!(second.as_mut().now_or_never().is_none(), "it waits");
        let third = line.turn(SECOND, SECOND).await.err().expect("a refusal");
        assert_eq!(third.code, ErrorCode::ServerUnavailable);
        drop(first);
        drop(second.await.expect("a turn"));
        assert!(line.turn(SECOND, SECOND).await.is_ok(), "everybody has gone");
    }

    #[tokio::test]
    async fn who_goes_away_leaves_the_line() {
        let line = Line::new(1);
        let first = line.turn(SECOND, SECOND).await.ok();
        assert!(line.turn(SECOND, SECOND).now_or_never().is_none());
        assert!(line.turn(SECOND, SECOND).now_or_never().is_none(), "the one before has left");
        drop(first);
        assert!(line.turn(SECOND, SECOND).await.is_ok());
    }
}
