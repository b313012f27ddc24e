//! Chance that can be had again: every test says its seed, and `FAULT_SEED` repeats it.

use std::cell::Cell;
use std::ops::Range;
use std::time::Duration;

use platform::secret::random_bytes;

/// A generator of numbers (SplitMix64). What happens between processes is not in its hands, so
/// a seed repeats a test's choices and not its every moment.
pub struct Chance(Cell<u64>);

impl Chance {
    /// A new seed, or the one that was asked for, and says which.
    pub fn new(test: &str) -> Self {
        let seed = match std::env::var("FAULT_SEED") {
            Ok(text) => text.parse().expect("FAULT_SEED is a number"),
            Err(_) => u64::from(u32::from_le_bytes(random_bytes())),
        };
        println!("{test}: FAULT_SEED={seed}");
        Self(Cell::new(seed))
    }

    /// Another generator, for somebody who draws at times of his own.
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

    /// A number in the range.
    pub fn within(&self, range: Range<usize>) -> usize {
        let width = u64::try_from(range.len()).expect("a width");
        range.start + usize::try_from(self.next() % width).expect("below the width")
    }

    /// True once in so many times.
    pub fn one_in(&self, times: usize) -> bool {
        self.within(0..times) == 0
    }

    /// A time below the limit.
    pub fn moment(&self, limit: Duration) -> Duration {
        let micros = usize::try_from(limit.as_micros()).expect("a short time");
        Duration::from_micros(u64::try_from(self.within(0..micros.max(1))).expect("a number"))
    }
}
