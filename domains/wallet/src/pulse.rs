//! How a writer does, for whoever looks after the house. The metrics tell the same to machines.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// What a writer's lanes note.
#[derive(Default)]
pub(super) struct Meter {
    batches: AtomicU64,
    orders: AtomicU64,
    /// Of late, in microseconds.
    wait: AtomicU64,
    batch: AtomicU64,
    failing: AtomicUsize,
}

impl Meter {
    /// A batch was worked: so many orders, of which the first had waited for so long.
    pub(super) fn note(&self, orders: usize, waited: Duration, took: Duration) {
        let orders = u64::try_from(orders).unwrap_or(u64::MAX);
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.orders.fetch_add(orders, Ordering::Relaxed);
        blend(&self.wait, waited);
        blend(&self.batch, took);
    }

    /// A lane began to fail, or works again.
    pub(super) fn note_failing(&self, is_failing: bool) {
        match is_failing {
            true => self.failing.fetch_add(1, Ordering::Relaxed),
            false => self.failing.fetch_sub(1, Ordering::Relaxed),
        };
    }

    pub(super) fn read(&self) -> Pulse {
        let micros = |meter: &AtomicU64| Duration::from_micros(meter.load(Ordering::Relaxed));
        Pulse {
            lanes: 0,
            queue: 0,
            queue_max: 0,
            batches: self.batches.load(Ordering::Relaxed),
            orders: self.orders.load(Ordering::Relaxed),
            wait: micros(&self.wait),
            batch: micros(&self.batch),
            failing_lanes: self.failing.load(Ordering::Relaxed),
        }
    }
}

/// A new value weighs an eighth. Two lanes at once may lose one of the two: it is an estimate.
fn blend(meter: &AtomicU64, value: Duration) {
    let value = u64::try_from(value.as_micros()).unwrap_or(u64::MAX);
    let before = meter.load(Ordering::Relaxed);
    meter.store(before - before / 8 + value / 8, Ordering::Relaxed);
}

/// How a writer does.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// Tasks that write at the same time.
    pub lanes: usize,
    /// Orders that wait.
    pub queue: usize,
    /// Orders that may wait; more are turned away.
    pub queue_max: usize,
    /// Batches since the start of this node.
    pub batches: u64,
    /// Orders in them.
    pub orders: u64,
    /// How long the first order of a batch waits, of late.
    pub wait: Duration,
    /// How long a batch takes up to its answers, of late.
    pub batch: Duration,
    /// Lanes whose last batch failed.
    pub failing_lanes: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pulse_follows_the_last_batches() {
        let meter = Meter::default();
        for _ in 0..100 {
            meter.note(3, Duration::from_millis(2), Duration::from_millis(8));
        }
        meter.note_failing(true);
        let pulse = meter.read();
        assert_eq!((pulse.batches, pulse.orders, pulse.failing_lanes), (100, 300, 1));
        assert!((1_900..=2_000).contains(&pulse.wait.as_micros()), "{pulse:?}");
        assert!((7_900..=8_000).contains(&pulse.batch.as_micros()), "{pulse:?}");
        meter.note_failing(false);
        assert_eq!(meter.read().failing_lanes, 0);
    }
}
