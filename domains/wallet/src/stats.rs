//! Load and latency of a writer, for the health page of the office. Metrics have the same figures.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Counters and averages that a writer's lanes update.
#[derive(Default)]
pub(super) struct Meter {
    batches: AtomicU64,
    orders: AtomicU64,
    /// Moving average of the waiting time in microseconds.
    wait: AtomicU64,
    /// Moving average of the batch time in microseconds.
    batch: AtomicU64,
    failing: AtomicUsize,
}

impl Meter {
    /// Records a finished batch: its size, how long its first order had waited, and its duration.
    pub(super) fn record_batch(&self, orders: usize, waited: Duration, took: Duration) {
        let orders = u64::try_from(orders).unwrap_or(u64::MAX);
        self.batches.fetch_add(1, Ordering::Relaxed);
        self.orders.fetch_add(orders, Ordering::Relaxed);
        update_average(&self.wait, waited);
        update_average(&self.batch, took);
    }

    /// Counts a lane as failing, or as working again.
    pub(super) fn set_failing(&self, is_failing: bool) {
        match is_failing {
            true => self.failing.fetch_add(1, Ordering::Relaxed),
            false => self.failing.fetch_sub(1, Ordering::Relaxed),
        };
    }

    pub(super) fn read(&self) -> Stats {
        let micros = |meter: &AtomicU64| Duration::from_micros(meter.load(Ordering::Relaxed));
        Stats {
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

/// Updates an exponential moving average with weight 1/8. Without a lock, concurrent updates may
/// lose a value, which is acceptable for an estimate.
fn update_average(meter: &AtomicU64, value: Duration) {
    let value = u64::try_from(value.as_micros()).unwrap_or(u64::MAX);
    let before = meter.load(Ordering::Relaxed);
    meter.store(before - before / 8 + value / 8, Ordering::Relaxed);
}

/// A snapshot of a writer's load and latency.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// The number of lanes that write in parallel.
    pub lanes: usize,
    /// Queued orders.
    pub queue: usize,
    /// The capacity of the queue; further orders are refused.
    pub queue_max: usize,
    /// Batches since this node started.
    pub batches: u64,
    /// Orders in these batches.
    pub orders: u64,
    /// Moving average of how long the first order of a batch waits.
    pub wait: Duration,
    /// Moving average of how long a batch takes until it is answered.
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
            meter.record_batch(3, Duration::from_millis(2), Duration::from_millis(8));
        }
        meter.set_failing(true);
        let stats = meter.read();
        assert_eq!((stats.batches, stats.orders, stats.failing_lanes), (100, 300, 1));
        assert!((1_900..=2_000).contains(&stats.wait.as_micros()), "{stats:?}");
        assert!((7_900..=8_000).contains(&stats.batch.as_micros()), "{stats:?}");
        meter.set_failing(false);
        assert_eq!(meter.read().failing_lanes, 0);
    }
}
