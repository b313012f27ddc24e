//! The vectors that the web's own implementation is held against.
//!
//! `CAPIZ_WRITE_VECTORS=1 cargo test -p capiz-rules` writes the files; every other run checks
//! that they are exactly what is generated.

use std::fs;
use std::path::Path;

use capiz_rules::book::BookEvent;
use capiz_rules::dice::{self, Choice, Direction};
use capiz_rules::fair::{ServerSeed, Stream};
use capiz_rules::money::Amount;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// Structs, not maps: the order of their fields does not depend on a feature of serde_json.
fn check(name: &str, value: &impl Serialize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors").join(name);
    let text = serde_json::to_string_pretty(value).expect("JSON") + "\n";
    if std::env::var_os("CAPIZ_WRITE_VECTORS").is_some() {
        fs::write(&path, text).expect("a writable file");
    } else {
        let stored = fs::read_to_string(&path).expect("a stored file");
        assert!(stored == text, "{name} differs: run with CAPIZ_WRITE_VECTORS=1 and read the diff");
    }
}

fn seed(number: u32) -> ServerSeed {
    ServerSeed::from_bytes(Sha256::digest(format!("capiz vector {number}")).into())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StreamCase {
    server_seed: String,
    client_seed: String,
    nonce: u64,
    game: String,
    words: Vec<u32>,
    /// Begins at the stream's first word again and draws in the listed order.
    below: Vec<Draw>,
}

#[derive(Serialize)]
struct Draw {
    n: u64,
    result: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CommitmentCase {
    server_seed: String,
    commitment: String,
}

#[derive(Serialize)]
struct FairFile {
    streams: Vec<StreamCase>,
    commitments: Vec<CommitmentCase>,
}

fn stream(number: u32, client_seed: &str, nonce: u64, game: &str) -> StreamCase {
    const BOUNDS: [u64; 14] = [
        10_000,
        2,
        1,
        6,
        52,
        37,
        4_294_967_296,
        3_000_000_000,
        2_147_483_649,
        2_147_483_649,
        4_294_967_295,
        90,
        1_000_000_007,
        10_000,
    ];
    let seed = seed(number);
    let new = || Stream::new(&seed, client_seed, nonce, game);
    let (mut words, mut draws) = (new(), new());
    let below = BOUNDS.map(|n| Draw { n, result: draws.below(n).expect("a draw") });
    StreamCase {
        server_seed: seed.reveal(),
        client_seed: client_seed.to_owned(),
        nonce,
        game: game.to_owned(),
        words: (0..24).map(|_| words.next_word()).collect(),
        below: below.into(),
    }
}

#[test]
fn fair() {
    let client_seeds =
        ["lucky", "a", "with:colon:7", " spaces and ~!@#$%^&*() ", "perlas ng silanganan ₱"];
    let mut streams: Vec<StreamCase> = (0..)
        .zip(client_seeds)
        .map(|(number, client)| stream(number, client, u64::from(number) * 3, dice::CODE))
        .collect();
    streams.push(stream(5, &"x".repeat(64), 9_007_199_254_740_991, "dice"));
    streams.push(stream(6, "another game", 1, "mines"));
    let mut seeds: Vec<ServerSeed> = (0..6).map(seed).collect();
    seeds.extend([ServerSeed::from_bytes([0; 32]), ServerSeed::from_bytes([255; 32])]);
    let commitments = seeds
        .iter()
        .map(|seed| CommitmentCase { server_seed: seed.reveal(), commitment: seed.commitment() })
        .collect();
    check("fair.json", &FairFile { streams, commitments });
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DiceCase {
    server_seed: String,
    client_seed: String,
    nonce: u64,
    stake: Amount,
    target: u32,
    direction: Direction,
    roll: u32,
    won: bool,
    payout: Amount,
}

fn dice_case(number: u32) -> DiceCase {
    const STAKES: [&str; 8] = ["1", "1.01", "2.5", "10", "33.33", "100", "999.99", "10000"];
    let direction = if number.is_multiple_of(2) { Direction::Under } else { Direction::Over };
    let edges = match direction {
        Direction::Under => [1, 2, 9_800, 5_000],
        Direction::Over => [199, 200, 9_998, 4_999],
    };
    let index = usize::try_from(number / 2).expect("a small number");
    let target = edges.get(index).copied().unwrap_or(200 + number * 7_919 % 9_600);
    let choice = Choice::new(target, direction).expect("a choice");
    let stake: Amount = STAKES[index % STAKES.len()].parse().expect("an amount");
    let (seed, client_seed, nonce) = (seed(number / 10), "dice vectors", u64::from(number % 10));
    let mut stream = Stream::new(&seed, client_seed, nonce, dice::CODE);
    let book = dice::play(&mut stream, choice, stake).expect("a book");
    let BookEvent::Roll { roll, won, .. } = book.events[0] else { panic!("no roll") };
    DiceCase {
        server_seed: seed.reveal(),
        client_seed: client_seed.to_owned(),
        nonce,
        stake,
        target,
        direction,
        roll,
        won,
        payout: book.payout,
    }
}

#[test]
fn dice_rounds() {
    let cases: Vec<DiceCase> = (0..260).map(dice_case).collect();
    let wins = cases.iter().filter(|case| case.won).count();
    assert!((80..180).contains(&wins), "{wins} wins: both outcomes must be well covered");
    check("dice.json", &cases);
}

#[derive(Serialize)]
struct ValidCase {
    text: &'static str,
    /// A string: the largest do not fit the numbers of JavaScript.
    units: String,
    canonical: String,
}

fn valid(text: &'static str) -> ValidCase {
    let amount: Amount = text.parse().expect("an amount");
    ValidCase { text, units: amount.units().to_string(), canonical: amount.to_string() }
}

/// `amount × numerator ÷ denominator`, rounded down, and then down to a multiple of `unit`.
#[derive(Serialize)]
struct FloorCase {
    amount: Amount,
    numerator: i64,
    denominator: i64,
    unit: Amount,
    result: Amount,
}

fn floor(amount: &str, numerator: i64, denominator: i64, unit: &str) -> FloorCase {
    let amount: Amount = amount.parse().expect("an amount");
    let unit = unit.parse().expect("an amount");
    let product = amount.times_floor(numerator, denominator).expect("in range");
    let result = product.floor_to(unit).expect("in range");
    FloorCase { amount, numerator, denominator, unit, result }
}

#[derive(Serialize)]
struct MoneyFile {
    valid: Vec<ValidCase>,
    invalid: Vec<&'static str>,
    floors: Vec<FloorCase>,
}

#[test]
fn money() {
    let valid_texts = [
        "0",
        "-0",
        "0.0",
        "0.0000",
        "1",
        "-1",
        "10",
        "1250.5",
        "1250.50",
        "1250.5000",
        "0.0001",
        "-0.0001",
        "0.01",
        "0.10",
        "00012.30",
        "-00.5",
        "1000000",
        "900719925474099.1",
        "922337203685477.5807",
        "-922337203685477.5808",
        "000000000000000000000000000001",
    ];
    let invalid = [
        "",
        "-",
        "+1",
        ".",
        ".5",
        "5.",
        "-.5",
        "1.00000",
        "1,5",
        "1 000",
        " 1",
        "1 ",
        "1e3",
        "0x10",
        "NaN",
        "Infinity",
        "--1",
        "1.2.3",
        "1.-2",
        "١٢٣",
        "1\u{0}",
        "\n1",
        "922337203685477.5808",
        "-922337203685477.5809",
        "99999999999999999999999999999999",
    ];
    for text in invalid {
        assert!(text.parse::<Amount>().is_err(), "{text:?}");
    }
    let floors = [
        floor("10", 9_900, 5_000, "0.01"),
        floor("1", 9_900, 9_800, "0.01"),
        floor("3.33", 9_900, 7_777, "0.01"),
        floor("0.0001", 1, 3, "0.0001"),
        floor("-1", 1, 3, "0.01"),
        floor("-0.0001", 1, 2, "0.0001"),
        floor("1000000", 1, 7, "1"),
        floor("922337203685477.5807", 1, 1, "0.01"),
        floor("922337203685477.5807", 999_999_999, 1_000_000_000, "0.01"),
        floor("99.99", 5, 100, "0.25"),
    ];
    let file = MoneyFile {
        valid: valid_texts.map(valid).into(),
        invalid: invalid.into(),
        floors: floors.into(),
    };
    check("money.json", &file);
}
