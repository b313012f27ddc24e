//! The injected clock. Nothing else in the server asks what time it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Duration, Utc};

/// A source of the current time: the system's, or one that tests move by hand.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    fixed_us: Option<Arc<AtomicI64>>,
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock that stands at `start` until it is moved.
    pub fn fixed(start: DateTime<Utc>) -> Self {
        Self { fixed_us: Some(Arc::new(AtomicI64::new(start.timestamp_micros()))) }
    }

    /// The time now, in whole microseconds as the database keeps it.
    pub fn now(&self) -> DateTime<Utc> {
        let micros = match &self.fixed_us {
            Some(fixed) => fixed.load(Ordering::SeqCst),
            None => system_now().timestamp_micros(),
        };
        DateTime::from_timestamp_micros(micros).unwrap_or(DateTime::UNIX_EPOCH)
    }

    /// Moves a fixed clock; the system's clock cannot be moved.
    pub fn advance(&self, by: Duration) {
        if let (Some(fixed), Some(micros)) = (&self.fixed_us, by.num_microseconds()) {
            fixed.fetch_add(micros, Ordering::SeqCst);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the system's clock")]
fn system_now() -> DateTime<Utc> {
    Utc::now()
}
