//! Tests the distribution of the outcomes with chi-square.
//!
//! The outcomes are counted from the events that the player sees, so a mistake between the random
//! stream and the displayed result is found too, not only one in the stream.

use capiz_rules::games::slots::{MACHINES, Machine, Source};
use capiz_rules::games::{Terms, find};
use capiz_rules::money::Amount;
use serde_json::Value;

use super::spread::{self, LIMIT};

const TERMS: Terms =
    Terms { stake: Amount::from_units(100_000), most: Amount::from_units(i64::MAX) };

/// A distribution to test: its name, how a round is played, which cells each round falls into, and
/// the probability of each cell.
struct Mapping {
    name: &'static str,
    game: &'static str,
    choice: &'static str,
    actions: &'static [&'static str],
    cells: fn(&[Value]) -> Vec<usize>,
    chances: Vec<f64>,
    /// The factor of the deviation if the cells of one round depend on each other: draws without
    /// replacement vary less than independent ones.
    correction: f64,
}

fn mapping(
    name: &'static str,
    (game, choice): (&'static str, &'static str),
    cells: fn(&[Value]) -> Vec<usize>,
    chances: Vec<f64>,
) -> Mapping {
    Mapping { name, game, choice, actions: &[], cells, chances, correction: 1.0 }
}

/// Equal probabilities for all cells.
fn even(count: u32) -> Vec<f64> {
    (0..count).map(|_| 1.0 / f64::from(count)).collect()
}

/// A distribution of which each round takes several different cells.
fn without_putting_back(of: Mapping, taken: u32) -> Mapping {
    let all = u32::try_from(of.chances.len()).map_or(f64::NAN, f64::from);
    Mapping { correction: (all - 1.0) / (all - f64::from(taken)), ..of }
}

fn index(value: &Value) -> usize {
    value.as_u64().and_then(|number| usize::try_from(number).ok()).expect("a number in an event")
}

fn all_of(list: &Value) -> Vec<usize> {
    list.as_array().expect("a list in an event").iter().map(index).collect()
}

fn event<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    events.iter().find(|event| event["type"] == kind).expect("such an event")
}

/// Heights, in hundredths, that about nine tenths, two thirds, half and so on of the rounds reach.
const HEIGHTS: [u32; 7] = [110, 150, 200, 400, 1_000, 5_000, 20_000];

fn limbo_chances() -> Vec<f64> {
    // The cells: below the first height, between each and the next, and from the last on.
    let reach = |height: &u32| 99.0 / f64::from(*height);
    let edges: Vec<f64> = [1.0].into_iter().chain(HEIGHTS.iter().map(reach)).chain([0.0]).collect();
    edges.windows(2).map(|pair| pair[0] - pair[1]).collect()
}

fn plinko_chances() -> Vec<f64> {
    let mut ways = vec![1.0];
    for _ in 0..16 {
        let left = [0.0].into_iter().chain(ways.iter().copied());
        let right = ways.iter().copied().chain([0.0]);
        ways = left.zip(right).map(|(one, two)| (one + two) / 2.0).collect();
    }
    ways
}

fn scratch_chances() -> Vec<f64> {
    let prizes = [160_000, 90_000, 30_000, 12_000, 4_000, 1_000, 90, 10];
    let none = 1_000_000 - prizes.iter().sum::<u32>();
    prizes.iter().chain([&none]).map(|chance| f64::from(*chance) / 1e6).collect()
}

const DICE: (&str, &str) = ("dice", r#"{"target":5000,"direction":"under"}"#);

fn roll(events: &[Value]) -> usize {
    index(&event(events, "roll")["roll"])
}

fn tables() -> Vec<Mapping> {
    let mines = mapping("tile → mine", ("mines", r#"{"mines":5}"#), mine_tiles, even(25));
    let keno = mapping("ball → number", ("keno", r#"{"picks":[1]}"#), keno_numbers, even(40));
    vec![
        mapping("number → roll, first digits", DICE, |events| vec![roll(events) / 100], even(100)),
        mapping("number → roll, last digits", DICE, |events| vec![roll(events) % 100], even(100)),
        mapping(
            "number → height",
            ("limbo", r#"{"target":200}"#),
            |events| {
                let reached = index(&event(events, "rise")["reached"]);
                let below = |height: &&u32| usize::try_from(**height).is_ok_and(|at| at <= reached);
                vec![HEIGHTS.iter().take_while(below).count()]
            },
            limbo_chances(),
        ),
        Mapping { actions: &[r#"{"pick":0}"#, r#""cashOut""#], ..without_putting_back(mines, 5) },
        mapping(
            "numbers → pocket",
            ("plinko", r#"{"rows":16,"risk":"high"}"#),
            |events| vec![index(&event(events, "fall")["pocket"])],
            plinko_chances(),
        ),
        mapping(
            "number → card",
            ("hilo", "{}"),
            |events| {
                let card = event(events, "card");
                vec![index(&card["suit"]) * 13 + index(&card["rank"]) - 1]
            },
            even(52),
        ),
        mapping(
            "number → segment",
            ("wheel", r#"{"segments":50,"risk":"high"}"#),
            |events| vec![index(&event(events, "stop")["segment"])],
            even(50),
        ),
        without_putting_back(keno, 10),
        mapping("number → prize", ("scratch", "{}"), scratch_prize, scratch_chances()),
        without_putting_back(
            mapping("number → field of the prize", ("scratch", "{}"), scratch_fields, even(9)),
            3,
        ),
    ]
}

fn mine_tiles(events: &[Value]) -> Vec<usize> {
    all_of(&event(events, "mines")["tiles"])
}

fn keno_numbers(events: &[Value]) -> Vec<usize> {
    all_of(&event(events, "draw")["numbers"]).into_iter().map(|number| number - 1).collect()
}

fn scratch_prize(events: &[Value]) -> Vec<usize> {
    let prize = &event(events, "card")["prize"];
    vec![if prize.is_null() { 8 } else { index(prize) }]
}

/// The positions of the three winning fields; none on a card without a prize.
fn scratch_fields(events: &[Value]) -> Vec<usize> {
    let card = event(events, "card");
    let fields = card["fields"].as_array().expect("fields");
    let wins = |(at, field): (usize, &Value)| (*field == card["prize"]).then_some(at);
    fields.iter().enumerate().filter_map(wins).collect()
}

/// The number of symbols that a machine can show.
const SYMBOLS: usize = 10;

/// The symbols in the top row of the first spin. Each reel has cells of its own.
fn upper_row(events: &[Value]) -> Vec<usize> {
    let reels = event(events, "spin")["reels"].as_array().expect("reels");
    reels.iter().enumerate().map(|(reel, column)| reel * SYMBOLS + index(&column[0])).collect()
}

/// All symbols of the first spin.
fn every_place(events: &[Value]) -> Vec<usize> {
    let reels = event(events, "spin")["reels"].as_array().expect("reels");
    reels.iter().flat_map(all_of).collect()
}

/// The probability of each symbol of a reel, from its frequency on the strip.
fn strip_chances(strip: &[u8]) -> Vec<f64> {
    let length = u32::try_from(strip.len()).map_or(f64::NAN, f64::from);
    let mut chances = vec![0.0; SYMBOLS];
    for symbol in strip {
        chances[usize::from(*symbol)] += 1.0 / length;
    }
    chances
}

fn machine_mapping((game, machine): &(&'static str, Machine)) -> Mapping {
    match machine.source {
        Source::Strips(strips) => mapping(
            "numbers → symbols of the reels",
            (game, "{}"),
            upper_row,
            strips.iter().flat_map(|strip| strip_chances(strip)).collect(),
        ),
        Source::Weights { weights, .. } => {
            let all = f64::from(weights.iter().sum::<u32>());
            let chances = weights.iter().map(|weight| f64::from(*weight) / all).collect();
            mapping("numbers → symbols", (game, "{}"), every_place, chances)
        }
    }
}

/// The jackpot draw in a hundred ranges, and by its last two digits.
fn jackpot_mappings() -> [Mapping; 2] {
    [
        mapping(
            "numbers → jackpot, first digits",
            ("sari", "{}"),
            |events| vec![index(&event(events, "jackpot")["drawn"]) / 500_000_000],
            even(100),
        ),
        mapping(
            "numbers → jackpot, last digits",
            ("windows", "{}"),
            |events| vec![index(&event(events, "jackpot")["drawn"]) % 100],
            even(100),
        ),
    ]
}

pub fn compare_all(rounds: u64) -> bool {
    println!("{:<44} {:>7} {:>12} {:>8} {:>10}", "", "cells", "counted", "χ²", "deviation");
    let machines = MACHINES.iter().map(machine_mapping);
    let all = tables().into_iter().chain(machines).chain(jackpot_mappings());
    all.filter(|mapping| !compare(mapping, rounds)).count() == 0
}

fn compare(mapping: &Mapping, rounds: u64) -> bool {
    let begin = || {
        |counts: &mut Vec<u32>, nonce| {
            for cell in (mapping.cells)(&play_events(mapping, nonce)) {
                counts[cell] += 1;
            }
        }
    };
    let empty = || vec![0_u32; mapping.chances.len()];
    let join = |one: Vec<u32>, other: Vec<u32>| one.into_iter().zip(other).map(|(a, b)| a + b);
    let counts = spread::sum(rounds, empty, begin, |one, other| join(one, other).collect());
    let (chi_square, cells) = chi_square(&counts, &mapping.chances);
    let groups = mapping.chances.iter().sum::<f64>().round();
    let deviation = spread::chi_square_deviation(chi_square * mapping.correction, cells - groups);
    let is_inside = deviation.abs() <= LIMIT;
    println!(
        "{:<44} {cells:>7} {:>12} {:>8.1} {deviation:>10.2}{}",
        format!("{}: {}", mapping.game, mapping.name),
        counts.iter().sum::<u32>(),
        chi_square * mapping.correction,
        if is_inside { "" } else { "  OUTSIDE" },
    );
    is_inside
}

/// Plays a round until it is over, or to the end of its actions, and returns its events.
fn play_events(mapping: &Mapping, nonce: u64) -> Vec<Value> {
    let game = find(mapping.game).expect("a game");
    let actions: Vec<String> = mapping.actions.iter().map(|text| (*text).to_owned()).collect();
    let mut last = None;
    for done in 0..=actions.len() {
        let mut stream = spread::stream(nonce, mapping.game);
        let state = game.play(&mut stream, &TERMS, mapping.choice, &actions[..done]);
        let state = state.expect("a round");
        let is_over = state.payout.is_some();
        last = Some(state.events);
        if is_over {
            break;
        }
    }
    serde_json::from_str(&last.expect("a round")).expect("events")
}

/// The chi-square statistic over cells with at least five expected; the others are merged into one.
fn chi_square(counts: &[u32], chances: &[f64]) -> (f64, f64) {
    let groups = chances.iter().sum::<f64>().round();
    let all = f64::from(counts.iter().sum::<u32>()) / groups;
    let deviation = |count: f64, expected: f64| (count - expected).powi(2) / expected;
    let (mut sum, mut cells) = (0.0, 0.0);
    let mut rest = (0.0, 0.0);
    for (count, chance) in counts.iter().zip(chances) {
        let (count, expected) = (f64::from(*count), chance * all);
        if expected >= 5.0 {
            sum += deviation(count, expected);
            cells += 1.0;
        } else {
            rest = (rest.0 + count, rest.1 + expected);
        }
    }
    if rest.1 >= 5.0 {
        sum += deviation(rest.0, rest.1);
        cells += 1.0;
    }
    (sum, cells)
}
