//! Measures the release server in ratios to references of the same run, so that whatever else
//! the machine does reaches both alike.
//!
//! - `capiz-bench [SERVER]` measures requests against a bare handler, then rounds of dice against
//!   one database transaction per round, then rounds beside a storm of logins.
//!   Last come lists and searches of a very large catalogue against those of a small one.
//! - `capiz-bench requests [SERVER]`, and `ledger`, `logins` or `catalogue` in its place, measures one
//!   of these alone.
//! - `capiz-bench growth` measures how rounds slow down while the ledger grows.
//!
//! `BENCH_SECONDS` sets the length of one turn.

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

/// Any failure, as a sentence.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The length of a turn where `BENCH_SECONDS` does not say otherwise.
const TURN_SECONDS: f64 = 3.0;
/// The server that is measured where no other is named.
const SERVER: &str = "target/release/capiz";
const HOME_PATH: &str = "/";
const READ_PATH: &str = "/lgw/games/popular";
const DICE_PATH: &str = "/lgw/play/dice";

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // To drop the work ends the servers that it started and removes their data.
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
        // Not for people: this is how the reference is started as a process of its own.
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
    let turn = turn_length()?;
    let mut ratios = handlers::bench(program, turn).await?;
    ratios.extend(ledger::bench(program, turn).await?);
    // What players meet: durable rounds over HTTP. It stands in the ledger's table, too.
    let round = ratios.iter().find(|(name, _)| name == "ledger_http_256").cloned();
    ratios.extend(round.map(|(_, ratio)| ("round_http".to_owned(), ratio)));
    // Told before the last part, which may fail by itself.
    report::print_ratios(&ratios);
    beside_logins(program).await?;
    large_catalogue(program).await
}

async fn requests(program: &Path) -> Result<(), Failure> {
    let ratios = handlers::bench(program, turn_length()?).await?;
    report::print_ratios(&ratios);
    Ok(())
}

async fn rounds(program: &Path) -> Result<(), Failure> {
    let ratios = ledger::bench(program, turn_length()?).await?;
    report::print_ratios(&ratios);
    Ok(())
}

async fn beside_logins(program: &Path) -> Result<(), Failure> {
    let ratios = logins::bench(program).await?;
    report::print_ratios(&ratios);
    Ok(())
}

async fn large_catalogue(program: &Path) -> Result<(), Failure> {
    let ratios = catalogue::bench(program, turn_length()?).await?;
    report::print_ratios(&ratios);
    Ok(())
}

async fn growth() -> Result<(), Failure> {
    let ratio = ledger::bench_growth(turn_length()?).await?;
    report::print_ratios(&[ratio]);
    Ok(())
}

fn turn_length() -> Result<Duration, Failure> {
    let seconds = match std::env::var("BENCH_SECONDS") {
        Ok(text) => text.parse().map_err(|_| "BENCH_SECONDS is not a number")?,
        Err(_) => TURN_SECONDS,
    };
    if !(0.05..=3600.0).contains(&seconds) {
        return Err("BENCH_SECONDS must be from 0.05 to 3600".into());
    }
    Ok(Duration::from_secs_f64(seconds))
}
