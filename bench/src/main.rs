//! Measures the release server against a bare axum handler in the same run.
//!
//! `capiz-bench [SERVER]` starts `target/release/capiz serve` on a fresh database and free
//! ports, and beside it, as another process, a handler that does nothing but answer as many
//! bytes. The same client loads both in turn, so that whatever else the machine does reaches
//! both alike. `BENCH_SECONDS` sets the length of one turn.

mod bare;
mod client;
mod load;
mod member;
mod process;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use client::{Connection, Request};
use load::{Load, Turn};
use member::Member;
use process::{Bare, Server};

/// Any failure, as a sentence.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Requests that are under way at once.
const CONNECTIONS: usize = 64;
/// Turns of each load; medians are taken over them.
const TURNS: usize = 5;
/// The length of a turn where `BENCH_SECONDS` does not say otherwise.
const TURN_SECONDS: f64 = 4.0;
const READ_PATH: &str = "/lgw/games/popular";
const DICE_PATH: &str = "/lgw/play/dice";

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        // Not for people: this is how the reference is started as a process of its own.
        [bare::COMMAND, read_bytes, play_bytes] => bare::serve(read_bytes, play_bytes).await,
        [] => bench(PathBuf::from("target/release/capiz")).await,
        [server] if !server.starts_with('-') => bench(PathBuf::from(server)).await,
        _ => Err("usage: capiz-bench [SERVER]".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("capiz-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn bench(program: PathBuf) -> Result<(), Failure> {
    let turn = turn_length()?;
    let server = Server::start(&program).await?;
    let outcome = measure(&server, turn).await;
    match outcome {
        Ok(()) => server.stop().await,
        Err(error) => Err(format!("{error}\n{}", server.log_tail()).into()),
    }
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

async fn measure(server: &Server, turn: Duration) -> Result<(), Failure> {
    let members = Member::log_in_many(server.address(), CONNECTIONS).await?;
    let host = server.address().to_string();
    let read: Load = Arc::new(move |_| Request::get(READ_PATH, &host));
    let host = server.address().to_string();
    let dice: Load = Arc::new(move |number| members[number % members.len()].play(DICE_PATH, &host));

    // One answer of each kind, for its size, and to fail early with what the server says.
    let read_bytes = answer_size(server, &read(0)).await?;
    let dice_bytes = answer_size(server, &dice(0)).await?;
    let bare = Bare::start(read_bytes, dice_bytes).await?;

    let targets = [bare.address(), server.address()];
    let mut reads = [Vec::new(), Vec::new()];
    let mut rounds = [Vec::new(), Vec::new()];
    for number in 0..=TURNS {
        for (index, address) in targets.into_iter().enumerate() {
            let read_turn = Turn::run(address, CONNECTIONS, turn, &read).await?;
            let dice_turn = Turn::run(address, CONNECTIONS, turn, &dice).await?;
            // The first turn of each only warms up.
            if number > 0 {
                reads[index].push(read_turn);
                rounds[index].push(dice_turn);
            }
        }
    }
    report::print("cached_read", READ_PATH, &reads);
    report::print("dice_round", DICE_PATH, &rounds);
    report::print_ratios(&[("cached_read", &reads), ("dice_round", &rounds)]);
    Ok(())
}

async fn answer_size(server: &Server, request: &Request) -> Result<usize, Failure> {
    let answer = Connection::open(server.address()).await?.exchange(request).await?;
    if answer.status != 200 {
        let body = String::from_utf8_lossy(&answer.body);
        return Err(format!("{} answered {}: {body}", request.path(), answer.status).into());
    }
    Ok(answer.body.len())
}
