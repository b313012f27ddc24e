//! Fault tests: the real binary and a real PostgreSQL that writes to disk are killed in the middle
//! of play, cut off from each other, or run out of disk space. What was acknowledged must exist
//! afterwards, exactly once; what was in flight can be sent again. docs/faults.md lists the
//! variables that make the tests larger; `make faults` runs them at full size.

mod chance;
mod clocks;
mod cuts;
mod disconnects;
mod disk;
mod house;
mod http;
mod kills;
mod mistakes;
mod money;
mod nodes;
mod outbox;
mod play;
mod process;
mod proxy;
mod steps;
mod tables;

use std::time::Duration;

/// A size from an environment variable.
fn size(variable: &str, default: usize) -> usize {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is a number")),
        Err(_) => default,
    }
}

/// How many kills each test performs.
fn cycles() -> u32 {
    u32::try_from(size("FAULT_CYCLES", 2)).expect("FAULT_CYCLES is a small number")
}

/// Fails a test that hangs: ten minutes for its setup and checks on a shared machine, and half a
/// minute per cycle.
async fn bounded(cycles: u32, test: impl Future<Output = ()>) {
    let limit = Duration::from_secs(600) + cycles * Duration::from_secs(30);
    tokio::time::timeout(limit, test).await.expect("the test ends in time");
}
