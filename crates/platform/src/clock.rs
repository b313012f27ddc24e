//! The injected clock: the only module that reads the system time, so that tests can set it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Duration, Utc};
use tokio::sync::Notify;

/// The longest single sleep. The system clock may be set meanwhile, so it is read again after it.
const LONGEST_SLEEP: std::time::Duration = std::time::Duration::from_secs(60);

/// A source of the current time: the system clock, or a fixed clock that tests advance.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    fixed: Option<Arc<Fixed>>,
}

/// A clock that only [`Clock::advance`] moves.
#[derive(Debug)]
struct Fixed {
    micros: AtomicI64,
    moved: Notify,
}

impl Clock {
    /// The system clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// A fixed clock that stays at `start` until [`Clock::advance`] is called.
    pub fn fixed(start: DateTime<Utc>) -> Self {
        let micros = AtomicI64::new(start.timestamp_micros());
        Self { fixed: Some(Arc::new(Fixed { micros, moved: Notify::new() })) }
    }

    /// The current time, truncated to microseconds because PostgreSQL stores no more.
    pub fn now(&self) -> DateTime<Utc> {
        let micros = match &self.fixed {
            Some(fixed) => fixed.micros.load(Ordering::SeqCst),
            None => system_now().timestamp_micros(),
        };
        DateTime::from_timestamp_micros(micros).unwrap_or(DateTime::UNIX_EPOCH)
    }

    /// Moves a fixed clock forward. Does nothing on the system clock.
    pub fn advance(&self, by: Duration) {
        if let (Some(fixed), Some(micros)) = (&self.fixed, by.num_microseconds()) {
            fixed.micros.fetch_add(micros, Ordering::SeqCst);
            fixed.moved.notify_waiters();
        }
    }

    /// Waits until the clock reaches `moment`.
    pub async fn wait_until(&self, moment: DateTime<Utc>) {
        loop {
            // Registered before the time is read, so that an `advance` in between is not missed.
            let moved = self.fixed.as_ref().map(|fixed| fixed.moved.notified());
            let Ok(left) = (moment - self.now()).to_std() else { return };
            match moved {
                _ if left.is_zero() => return,
                Some(moved) => moved.await,
                None => tokio::time::sleep(left.min(LONGEST_SLEEP)).await,
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the only place that reads the system clock")]
fn system_now() -> DateTime<Utc> {
    Utc::now()
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_clock_that_is_moved_wakes_who_waits_for_it() {
        let start = DateTime::from_timestamp(1_900_000_000, 0).unwrap();
        let clock = Clock::fixed(start);
        clock.wait_until(start).await;
        let mut waiting = Box::pin(clock.wait_until(start + Duration::hours(1)));
        assert!(waiting.as_mut().now_or_never().is_none());
        clock.advance(Duration::minutes(59));
        assert!(waiting.as_mut().now_or_never().is_none());
        clock.advance(Duration::minutes(1));
        waiting.await;
    }

    #[tokio::test]
    async fn the_systems_clock_gets_there_by_itself() {
        let clock = Clock::system();
        let moment = clock.now() + Duration::milliseconds(20);
        clock.wait_until(moment).await;
        assert!(clock.now() >= moment);
    }
}
