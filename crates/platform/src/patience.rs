//! How long a request may take, and with it whatever it waits for.

use std::time::Duration;

/// How long whoever asked waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience(Duration);

impl Default for Patience {
    fn default() -> Self {
        Self::of_seconds(15)
    }
}

impl Patience {
    /// So many seconds for a request.
    pub const fn of_seconds(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }

    /// The longest that an answer may take.
    pub fn request(self) -> Duration {
        self.0
    }

    /// The longest that a request waits for one thing: a connection, or what somebody else holds.
    /// There is time left to say so.
    pub fn turn(self) -> Duration {
        self.0 / 3
    }

    /// After this a transaction in which nothing happens has lost its owner.
    pub fn silence(self) -> Duration {
        self.0 * 2 / 3
    }

    /// The longest that one statement may take, in a request or in a job.
    pub fn statement(self) -> Duration {
        self.0 * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_waits_in_vain_is_told_so_in_time() {
        let patience = Patience::default();
        assert!(patience.turn() < patience.silence());
        assert!(patience.silence() < patience.request());
    }
}
