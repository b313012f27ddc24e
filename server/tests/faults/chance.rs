//! Reproducible random choices: every test prints its seed, and `FAULT_SEED` repeats it.

use std::cell::Cell;
use std::ops::Range;
use std::time::Duration;

use platform::secret::random_bytes;

/// A random number generator (SplitMix64). The scheduling of processes is not under its control, so
/// a seed repeats a test's choices, but not its exact timing.
pub struct Chance(Cell<u64>);

impl Chance {
    /// Uses the seed of `FAULT_SEED` or a new one, and prints it.
    pub fn new(test: &str) -> Self {
        let seed = match std::env::var("FAULT_SEED") {
            Ok(text) => text.parse().expect("FAULT_SEED is a number"),
            Err(_) => u64::from(u32::from_le_bytes(random_bytes())),
        };
        println!("{test}: FAULT_SEED={seed}");
        Self(Cell::new(seed))
    }

    /// A generator for another task, so that the order of tasks does not change its numbers.
    pub fn fork(&self) -> Self {
        Self(Cell::new(self.next()))
    }

    fn next(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A random number in the range.
    pub fn within(&self, range: Range<usize>) -> usize {
        let width = u64::try_from(range.len()).expect("a width");
        range.start + usize::try_from(self.next() % width).expect("below the width")
    }

    /// True with a probability of one in `times`.
    pub fn one_in(&self, times: usize) -> bool {
        self.within(0..times) == 0
    }

    /// A random time below the limit.
    pub fn moment(&self, limit: Duration) -> Duration {
        let micros = usize::try_from(limit.as_micros()).expect("a short time");
        Duration::from_micros(u64::try_from(self.within(0..micros.max(1))).expect("a number"))
    }
}
