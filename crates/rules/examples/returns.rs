//! Plays every game many times and holds what it paid against what it says it returns.
//!
//! `cargo run --release -p capiz-rules --example returns [ROUNDS] [GAME]`; ten million rounds of each
//! choice unless told otherwise. It fails where a mean lies outside of the interval in which 99.9 %
//! of such means lie.

use std::process::ExitCode;
use std::thread;

use capiz_rules::fair::{ServerSeed, Stream};
use capiz_rules::games::{AnyGame, GAMES, Terms};
use capiz_rules::money::Amount;
use sha2::{Digest, Sha256};

/// Choices and, for games of several steps, what is done in them.
const PLAYED: &[(&str, &str, &[&str])] = &[
    ("dice", r#"{"target":5000,"direction":"under"}"#, &[]),
    ("dice", r#"{"target":9900,"direction":"over"}"#, &[]),
    ("limbo", r#"{"target":101}"#, &[]),
    ("limbo", r#"{"target":200}"#, &[]),
    ("limbo", r#"{"target":10000}"#, &[]),
    ("mines", r#"{"mines":3}"#, &[r#"{"pick":0}"#, r#"{"pick":7}"#, r#""cashOut""#]),
    ("mines", r#"{"mines":24}"#, &[r#"{"pick":12}"#]),
    ("plinko", r#"{"rows":8,"risk":"low"}"#, &[]),
    ("plinko", r#"{"rows":12,"risk":"medium"}"#, &[]),
    ("plinko", r#"{"rows":16,"risk":"high"}"#, &[]),
    ("hilo", "{}", &[r#""higher""#, r#""cashOut""#]),
    ("hilo", "{}", &[r#""skip""#, r#""lower""#, r#""higher""#, r#""cashOut""#]),
    ("wheel", r#"{"segments":10,"risk":"low"}"#, &[]),
    ("wheel", r#"{"segments":50,"risk":"high"}"#, &[]),
    ("keno", r#"{"picks":[7]}"#, &[]),
    ("keno", r#"{"picks":[1,2,3,4,5]}"#, &[]),
    ("keno", r#"{"picks":[31,2,13,24,5,36,17,28,9,40]}"#, &[]),
    ("scratch", "{}", &[]),
    ("reef", "{}", &[]),
    ("windows", "{}", &[]),
    ("sari", "{}", &[]),
    ("fiesta", "{}", &[]),
];

/// A stake so large that rounding to the cent is nothing.
const TERMS: Terms =
    Terms { stake: Amount::from_units(100_000_000), most: Amount::from_units(i64::MAX) };

/// Sums over rounds, in multiples of the stake.
#[derive(Clone, Copy, Default)]
struct Sums {
    rounds: f64,
    paid: f64,
    squares: f64,
    wins: f64,
}

impl Sums {
    fn add(self, other: Self) -> Self {
        Self {
            rounds: self.rounds + other.rounds,
            paid: self.paid + other.paid,
            squares: self.squares + other.squares,
            wins: self.wins + other.wins,
        }
    }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let rounds = words.next().and_then(|text| text.parse().ok()).unwrap_or(10_000_000);
    let only = words.next();
    println!("{:<44} {:>10} {:>10} {:>9} {:>8}", "", "stated %", "played %", "± 99.9 %", "wins %");
    let mut is_good = true;
    for (code, choice, actions) in PLAYED {
        let Some(game) = GAMES.iter().find(|game| game.code() == *code) else {
            println!("{code}: there is no such game");
            return ExitCode::FAILURE;
        };
        if only.as_ref().is_none_or(|only| only == code) {
            is_good &= compare(*game, choice, actions, rounds);
        }
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compare(game: &'static dyn AnyGame, choice: &str, actions: &[&str], rounds: u64) -> bool {
    let Ok(stated) = game.returns(choice).and_then(|stated| Ok(stated.percent()?)) else {
        println!("{} {choice}: it states no return", game.code());
        return false;
    };
    let sums = play_all(game, choice, actions, rounds);
    let mean = sums.paid / sums.rounds;
    let variance = (sums.squares / sums.rounds - mean * mean).max(0.0);
    let margin = 3.29 * (variance / sums.rounds).sqrt();
    let stated: f64 = stated.parse().unwrap_or(0.0);
    let is_inside = (mean * 100.0 - stated).abs() <= margin * 100.0 + 0.001;
    let what = format!("{} {choice} {}", game.code(), actions.len());
    let verdict = if is_inside { "" } else { "  OUTSIDE" };
    println!(
        "{what:<44} {stated:>10.4} {:>10.4} {:>9.4} {:>8.3}{verdict}",
        mean * 100.0,
        margin * 100.0,
        sums.wins / sums.rounds * 100.0,
    );
    is_inside
}

fn play_all(game: &'static dyn AnyGame, choice: &str, actions: &[&str], rounds: u64) -> Sums {
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = u64::try_from(threads).unwrap_or(1);
    let sums = thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                scope.spawn(move || play_some(game, choice, actions, (part, threads), rounds))
            })
            .collect();
        parts.into_iter().filter_map(|part| part.join().ok()).collect::<Vec<_>>()
    });
    sums.into_iter().fold(Sums::default(), Sums::add)
}

/// Every round has a nonce of its own, of one seed.
fn play_some(
    game: &dyn AnyGame,
    choice: &str,
    actions: &[&str],
    (part, parts): (u64, u64),
    rounds: u64,
) -> Sums {
    let seed = ServerSeed::from_bytes(Sha256::digest(b"the returns of all games").into());
    let mut sums = Sums::default();
    let mut nonce = part;
    while nonce < rounds {
        let paid = play_one(game, (&seed, nonce), choice, actions);
        sums = sums.add(Sums {
            rounds: 1.0,
            paid,
            squares: paid * paid,
            wins: if paid > 0.0 { 1.0 } else { 0.0 },
        });
        nonce += parts;
    }
    sums
}

/// Plays until the round is over; it may be over before all was done that was to be done.
fn play_one(
    game: &dyn AnyGame,
    (seed, nonce): (&ServerSeed, u64),
    choice: &str,
    actions: &[&str],
) -> f64 {
    let actions: Vec<String> = actions.iter().map(|action| (*action).to_owned()).collect();
    for done in 0..=actions.len() {
        let mut stream = Stream::new(seed, "returns", nonce, game.code());
        let told = game.play(&mut stream, &TERMS, choice, &actions[..done]);
        if let Some(payout) = told.ok().and_then(|told| told.payout) {
            let units = |amount: Amount| {
                f64::from(i32::try_from(amount.units() / 1_000).unwrap_or(i32::MAX))
            };
            return units(payout) / units(TERMS.stake);
        }
    }
    0.0
}
