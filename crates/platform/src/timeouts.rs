//! Timeouts: the request timeout, and the database timeouts derived from it.

use std::time::Duration;

/// The request timeout, from which the other timeouts are derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts(Duration);

impl Default for Timeouts {
    fn default() -> Self {
        Self::of_seconds(15)
    }
}

impl Timeouts {
    /// Timeouts for a request timeout of so many seconds.
    pub const fn of_seconds(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// The longest that a request may take.
    pub fn request(self) -> Duration {
        self.0
    }

    /// The longest that a request waits for a pooled connection or a row lock. A third of the
    /// request timeout, so that there is time left to answer with an error.
    pub fn wait(self) -> Duration {
        self.0 / 3
    }

    /// The idle-in-transaction timeout: PostgreSQL ends a transaction whose client is idle for
    /// longer.
    pub fn idle_transaction(self) -> Duration {
        self.0 * 2 / 3
    }

    /// The statement timeout, for requests and jobs.
    pub fn statement(self) -> Duration {
        self.0 * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_in_vain_is_told_so_in_time() {
        let timeouts = Timeouts::default();
        assert!(timeouts.wait() < timeouts.idle_transaction());
        assert!(timeouts.idle_transaction() < timeouts.request());
    }
}
