//! A cheap random generator for the load, the same in every run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How rounds are distributed over members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spread {
    /// All members play equally often.
    Uniform,
    /// The n-th busiest member plays one n-th as often as the busiest.
    Zipf,
}

impl Spread {
    /// Both distributions.
    pub const ALL: [Self; 2] = [Self::Uniform, Self::Zipf];
}

/// SplitMix64: not secure enough for games, good enough for load.
pub struct Chance(u64);

impl Chance {
    /// A generator with a seed that no earlier one has.
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let seed = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below 1.
    pub fn fraction(&mut self) -> f64 {
        let high = u32::try_from(self.next() >> 32).unwrap_or(u32::MAX);
        f64::from(high) / 4_294_967_296.0
    }

    /// A number from 0 to below `count`.
    fn below(&mut self, count: usize) -> usize {
        let count = u128::try_from(count).unwrap_or(1);
        usize::try_from((u128::from(self.next()) * count) >> 64).unwrap_or(0)
    }

    /// An idempotency key as browsers make it: a random UUID.
    pub fn key(&mut self) -> String {
        let bytes = (u128::from(self.next()) << 64) | u128::from(self.next());
        uuid::Builder::from_random_bytes(bytes.to_be_bytes()).into_uuid().to_string()
    }
}

/// Chooses members at random.
#[derive(Clone)]
pub struct Chooser {
    count: usize,
    /// For Zipf: the cumulative share of each rank.
    shares: Option<Arc<[f64]>>,
}

impl Chooser {
    /// A chooser among `count` members.
    pub fn new(spread: Spread, count: usize) -> Self {
        let shares = match spread {
            Spread::Uniform => None,
            Spread::Zipf => Some(zipf(count).into()),
        };
        Self { count, shares }
    }

    /// The index of a random member.
    pub fn choose(&self, chance: &mut Chance) -> usize {
        /// A prime, so that the busiest members are spread over pages and lanes.
        const STRIDE: usize = 7_919;
        let Some(shares) = &self.shares else { return chance.below(self.count) };
        let at = chance.fraction();
        let rank = shares.partition_point(|share| *share <= at).min(self.count - 1);
        rank * STRIDE % self.count
    }
}

fn zipf(count: usize) -> Vec<f64> {
    let weights = (1..=count).map(|rank| 1.0 / f64::from(u32::try_from(rank).unwrap_or(u32::MAX)));
    let sums = weights.scan(0.0, |sum, weight| {
        *sum += weight;
        Some(*sum)
    });
    let sums: Vec<f64> = sums.collect();
    let total = sums.last().copied().unwrap_or(1.0);
    sums.into_iter().map(|sum| sum / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of ten members is chosen.
    fn counts(spread: Spread) -> [u32; 10] {
        let (chooser, mut chance) = (Chooser::new(spread, 10), Chance::new());
        let mut counts = [0; 10];
        for _ in 0..100_000 {
            counts[chooser.choose(&mut chance)] += 1;
        }
        counts
    }

    #[test]
    fn uniform_is_even() {
        assert!(counts(Spread::Uniform).iter().all(|count| (9_500..10_500).contains(count)));
    }

    #[test]
    fn zipf_falls_with_the_rank() {
        let mut counts = counts(Spread::Zipf);
        counts.sort_unstable();
        // The tenth harmonic number is 2.929: the busiest has 34 %, the last 3.4 %.
        assert!((33_000..35_500).contains(&counts[9]), "{counts:?}");
        assert!((3_000..3_800).contains(&counts[0]), "{counts:?}");
    }
}
