//! Distributes rounds over all cores, and the statistics of the results.

use std::num::NonZero;
use std::thread;

use capiz_rules::fair::{ServerSeed, Stream};
use sha2::{Digest, Sha256};

/// The number of standard deviations that contains 99.9 % of normally distributed figures.
pub const LIMIT: f64 = 3.29;

/// The stream of one round.
pub fn stream(nonce: u64, game: &str) -> Stream {
    let seed = ServerSeed::from_bytes(Sha256::digest(b"the returns of all games").into());
    Stream::new(&seed, "returns", nonce, game)
}

/// Sums the results of all rounds; every round has a nonce of its own. `begin` creates the state
/// that plays them, once for each core.
pub fn sum<T: Send, F: FnMut(&mut T, u64)>(
    rounds: u64,
    empty: impl Fn() -> T + Sync,
    begin: impl Fn() -> F + Sync,
    join: impl Fn(T, T) -> T,
) -> T {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let parts = u64::try_from(cores).unwrap_or(1);
    let work = |part: u64| {
        let (mut sums, mut play) = (empty(), begin());
        let mut nonce = part;
        while nonce < rounds {
            play(&mut sums, nonce);
            nonce += parts;
        }
        sums
    };
    let work = &work;
    let sums: Vec<T> = thread::scope(|scope| {
        let parts: Vec<_> = (0..parts).map(|part| scope.spawn(move || work(part))).collect();
        parts.into_iter().map(|part| part.join().expect("a part that ends")).collect()
    });
    sums.into_iter().fold(empty(), join)
}

/// The deviation of a chi-square statistic in standard deviations, by the Wilson and Hilferty
/// approximation. Far above zero is uneven; far below is too even to be random.
pub fn chi_square_deviation(chi_square: f64, freedom: f64) -> f64 {
    let part = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - part)) / part.sqrt()
}
