//! Measures the release server in ratios to references of the same run, so that other load on the
//! machine affects both alike.
//!
//! - `capiz-bench [SERVER]` measures requests against a bare handler, rounds of dice against one
//!   database transaction per round, rounds during a burst of logins, and lists and searches of a
//!   very large catalogue against those of a small one.
//! - `capiz-bench requests [SERVER]`, and `ledger`, `logins` or `catalogue` in its place, measures
//!   one of these alone.
//! - `capiz-bench growth` measures whether rounds slow down while the ledger grows.
//!
//! `BENCH_SECONDS` sets the length of one measurement.

mod bare;
mod catalogue;
mod client;
mod handlers;
mod ledger;
mod load;
mod logins;
mod member;
mod process;
mod report;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};

/// Any failure, as a message.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The length of a measurement in seconds, unless `BENCH_SECONDS` says otherwise.
const DEFAULT_SECONDS: f64 = 3.0;
/// The server that is measured by default.
const SERVER: &str = "target/release/capiz";
const HOME_PATH: &str = "/";
const READ_PATH: &str = "/lgw/games/popular";
const DICE_PATH: &str = "/lgw/play/dice";

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Dropping the work stops the servers that it started and removes their data.
    let outcome = tokio::select! {
        outcome = run(&words) => outcome,
        interrupted = interrupted() => interrupted,
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("capiz-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(words: &[&str]) -> Result<(), Failure> {
    match words {
        // Internal: starts the reference as a process of its own.
        [bare::COMMAND, read_bytes, play_bytes] => bare::serve(read_bytes, play_bytes).await,
        ["growth"] => growth().await,
        ["requests"] => requests(Path::new(SERVER)).await,
        ["requests", server] => requests(Path::new(server)).await,
        ["ledger"] => rounds(Path::new(SERVER)).await,
        ["ledger", server] => rounds(Path::new(server)).await,
        ["logins"] => beside_logins(Path::new(SERVER)).await,
        ["logins", server] => beside_logins(Path::new(server)).await,
        ["catalogue"] => large_catalogue(Path::new(SERVER)).await,
        ["catalogue", server] => large_catalogue(Path::new(server)).await,
        [] => bench(Path::new(SERVER)).await,
        [server] if !server.starts_with('-') => bench(Path::new(server)).await,
        _ => {
            Err("usage: capiz-bench [[requests | ledger | logins | catalogue] SERVER | growth]"
                .into())
        }
    }
}

async fn interrupted() -> Result<(), Failure> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted?,
        _ = terminate.recv() => {}
    }
    Err("interrupted".into())
}

async fn bench(program: &Path) -> Result<(), Failure> {
    let duration = measurement_length()?;
    let mut ratios = handlers::bench(program, duration).await?;
    ratios.extend(ledger::bench(program, duration).await?);
    // Durable rounds over HTTP are the figure closest to what players experience, so they get a
    // name of their own in addition to their row in the ledger's table.
    let round = ratios.iter().find(|(name, _)| name == "ledger_http_256").cloned();
    ratios.extend(round.map(|(_, ratio)| ("round_http".to_owned(), ratio)));
    // Printed before the last parts, which may fail separately.
    report::print_ratios(&ratios);
    beside_logins(program).await?;
    large_catalogue(program).await
}

async fn requests(program: &Path) -> Result<(), Failure> {
    let ratios = handlers::bench(program, measurement_length()?).await?;
    report::print_ratios(&ratios);
    Ok(())
}

async fn rounds(program: &Path) -> Result<(), Failure> {
    let ratios = ledger::bench(program, measurement_length()?).await?;
    report::print_ratios(&ratios);
    Ok(())
}

async fn beside_logins(program: &Path) -> Result<(), Failure> {
    let ratios = logins::bench(program).await?;
    report::print_ratios(&ratios);
    Ok(())
}

async fn large_catalogue(program: &Path) -> Result<(), Failure> {
    let ratios = catalogue::bench(program, measurement_length()?).await?;
    report::print_ratios(&ratios);
    Ok(())
}

async fn growth() -> Result<(), Failure> {
    let ratio = ledger::bench_growth(measurement_length()?).await?;
    report::print_ratios(&[ratio]);
    Ok(())
}

fn measurement_length() -> Result<Duration, Failure> {
    let seconds = match std::env::var("BENCH_SECONDS") {
        Ok(text) => text.parse().map_err(|_| "BENCH_SECONDS is not a number")?,
        Err(_) => DEFAULT_SECONDS,
    };
    if !(0.05..=3600.0).contains(&seconds) {
        return Err("BENCH_SECONDS must be from 0.05 to 3600".into());
    }
    Ok(Duration::from_secs_f64(seconds))
}
