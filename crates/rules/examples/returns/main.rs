//! Simulates the games and tests their stated returns and distributions.
//!
//! `make returns` runs it after the unit tests, which enumerate every outcome where that is
//! possible. It plays every game many times and compares the payouts with the stated return, and it
//! tests the distribution of the outcomes: every face, tile, card, segment and symbol must appear
//! as often as the rules say.
//!
//! `RETURN_ROUNDS` says how many rounds of each choice are played: ten million by default. The run
//! fails if a figure is outside the interval that contains 99.9 % of such figures. The seed is
//! fixed, so that a run can be repeated.

mod mapping;
mod paid;
mod spread;

use std::process::ExitCode;

const ROUNDS: u64 = 10_000_000;
/// Distributions are counted from parsed events, which is slower, so the number of rounds is
/// divided by this.
const MAPPED_PART: u64 = 10;

fn main() -> ExitCode {
    let rounds = match std::env::var("RETURN_ROUNDS").as_deref().map(str::parse) {
        Ok(Ok(rounds)) => rounds,
        Ok(Err(_)) => {
            eprintln!("RETURN_ROUNDS is a number of rounds");
            return ExitCode::FAILURE;
        }
        Err(_) => ROUNDS,
    };
    println!("What {rounds} rounds of each choice paid\n");
    let is_paid = paid::compare_all(rounds);
    let mapped = (rounds / MAPPED_PART).max(1);
    println!("\nWhat came of the numbers drawn in {mapped} rounds\n");
    let is_mapped = mapping::compare_all(mapped);
    match is_paid && is_mapped {
        true => {
            println!("\nEverything lies where it must.");
            ExitCode::SUCCESS
        }
        false => {
            println!("\nSomething lies outside.");
            ExitCode::FAILURE
        }
    }
}
