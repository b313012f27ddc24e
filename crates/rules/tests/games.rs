//! Writes and checks the test vectors of rounds of every game, against which the web's
//! implementation is tested.
//!
//! `CAPIZ_WRITE_VECTORS=1 cargo test -p capiz-rules` writes the files; every other run checks that
//! they are exactly what is generated.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use capiz_rules::fair::{ServerSeed, Stream};
use capiz_rules::games::slots::{MACHINES, Machine};
use capiz_rules::games::{GAMES, Terms, find};
use capiz_rules::money::Amount;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

fn check(path: &str, value: &impl Serialize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = serde_json::to_string(value).expect("JSON") + "\n";
    if std::env::var_os("CAPIZ_WRITE_VECTORS").is_some() {
        fs::write(&path, text).expect("a writable file");
    } else {
        let stored = fs::read_to_string(&path).expect("a stored file");
        assert!(
            stored == text,
            "{path:?} differs: run with CAPIZ_WRITE_VECTORS=1 and read the diff"
        );
    }
}

/// A game, a choice, the actions, and the number of rounds.
const PLAYED: &[(&str, &str, &[&str], u64)] = &[
    ("dice", r#"{"target":5000,"direction":"under"}"#, &[], 12),
    ("dice", r#"{"target":9900,"direction":"over"}"#, &[], 12),
    ("limbo", r#"{"target":101}"#, &[], 12),
    ("limbo", r#"{"target":250}"#, &[], 12),
    ("limbo", r#"{"target":1000000}"#, &[], 4),
    ("mines", r#"{"mines":1}"#, &[r#"{"pick":24}"#, r#""cashOut""#], 8),
    ("mines", r#"{"mines":5}"#, &[r#"{"pick":0}"#, r#"{"pick":13}"#], 16),
    ("mines", r#"{"mines":3}"#, &[r#"{"pick":7}"#, r#"{"pick":8}"#, r#""cashOut""#], 16),
    ("mines", r#"{"mines":4}"#, &[r#""giveBack""#], 3),
    ("mines", r#"{"mines":24}"#, &[r#"{"pick":3}"#], 30),
    ("plinko", r#"{"rows":8,"risk":"low"}"#, &[], 8),
    ("plinko", r#"{"rows":12,"risk":"medium"}"#, &[], 8),
    ("plinko", r#"{"rows":16,"risk":"high"}"#, &[], 8),
    ("hilo", "{}", &[], 4),
    ("hilo", "{}", &[r#""skip""#, r#""giveBack""#], 3),
    ("hilo", "{}", &[r#""higher""#, r#""cashOut""#], 16),
    ("hilo", "{}", &[r#""skip""#, r#""lower""#, r#""higher""#], 16),
    ("wheel", r#"{"segments":10,"risk":"low"}"#, &[], 8),
    ("wheel", r#"{"segments":30,"risk":"medium"}"#, &[], 8),
    ("wheel", r#"{"segments":50,"risk":"high"}"#, &[], 8),
    ("keno", r#"{"picks":[7]}"#, &[], 12),
    ("keno", r#"{"picks":[31,2,13,24,5,36,17,28,9,40]}"#, &[], 12),
    ("scratch", "{}", &[], 24),
    ("reef", "{}", &[], 160),
    ("windows", "{}", &[], 60),
    ("sari", "{}", &[], 20),
    ("fiesta", "{}", &[], 60),
];

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    game: &'static str,
    choice: Value,
    actions: Vec<Value>,
    server_seed: String,
    client_seed: &'static str,
    nonce: u64,
    stake: Amount,
    most: Amount,
    events: Value,
    payout: Option<Amount>,
    cash_out: Option<Amount>,
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Plays as many of the actions as are possible: a mine may end the round before.
fn case((game, choice, actions, _): (&'static str, &str, &[&str], u64), nonce: u64) -> Case {
    let rules = find(game).expect("a game");
    let seed = ServerSeed::from_bytes(Sha256::digest(format!("capiz game {game}")).into());
    let stake: Amount = ["10", "1", "33.33"][usize::try_from(nonce % 3).expect("small")]
        .parse()
        .expect("an amount");
    let terms = Terms { stake, most: "1000000".parse().expect("an amount") };
    let actions: Vec<String> = actions.iter().map(|action| (*action).to_owned()).collect();
    let played = (0..=actions.len()).rev().find_map(|count| {
        let mut stream = Stream::new(&seed, "game vectors", nonce, game);
        let state = rules.play(&mut stream, &terms, choice, &actions[..count]).ok()?;
        Some((count, state))
    });
    let (count, state) = played.expect("a round");
    Case {
        game,
        choice: json(choice),
        actions: actions[..count].iter().map(|action| json(action)).collect(),
        server_seed: seed.reveal(),
        client_seed: "game vectors",
        nonce,
        stake,
        most: terms.most,
        events: json(&state.events),
        payout: state.payout,
        cash_out: state.cash_out,
    }
}

#[test]
fn rounds_of_every_game() {
    let cases: Vec<Case> =
        PLAYED.iter().flat_map(|played| (0..played.3).map(|nonce| case(*played, nonce))).collect();
    for game in GAMES {
        let of_game = || cases.iter().filter(|case| case.game == game.code());
        let is_win = |case: &&Case| case.payout.is_some_and(Amount::is_positive);
        let wins = of_game().filter(is_win).count();
        assert!(wins > 0, "{} never wins", game.code());
        let is_always_paid = game.code() == "plinko";
        assert!(is_always_paid || wins < of_game().count(), "{} always wins", game.code());
    }
    check("vectors/games.json", &cases);
}

/// The machines as data: the web draws and verifies rounds from them.
#[test]
fn machines() {
    let machines: BTreeMap<&str, Machine> = MACHINES.into_iter().collect();
    check("web/src/lib/fair/games/machines.json", &machines);
}
