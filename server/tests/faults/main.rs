//! Faults: the real binary and a real PostgreSQL that writes to disk, killed in the middle of
//! play. What was acknowledged is there afterwards, once; what was in flight can be sent again.
//! `FAULT_CYCLES` says how often each test kills; `make faults` runs them at full size.

mod disconnects;
mod http;
mod kills;
mod mistakes;
mod play;
mod process;

use std::time::Duration;

/// How often each test kills.
fn cycles() -> u32 {
    let text = std::env::var("FAULT_CYCLES").unwrap_or_else(|_| "2".to_owned());
    text.parse().expect("FAULT_CYCLES is a number")
}

/// Ends a test that hangs: a minute for its set-up and its checks, and half of one per cycle.
async fn bounded(cycles: u32, test: impl Future<Output = ()>) {
    let limit = Duration::from_secs(60) + cycles * Duration::from_secs(30);
    tokio::time::timeout(limit, test).await.expect("the test ends in time");
}
