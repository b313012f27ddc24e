//! Writes and checks the returns of every game that the web displays.
//!
//! `CAPIZ_WRITE_VECTORS=1 cargo test -p capiz-rules` writes the file; every other run checks that
//! it matches the rules.

use std::fs;
use std::path::Path;

use capiz_rules::games::{AnyGame, GAMES, jackpot};
use serde::Serialize;
use serde_json::{Value, json};

const FILE: &str = "../../web/src/lib/fair/games/returns.json";

/// Its cascades have too many continuations to enumerate: `make returns` simulates it.
const PLAYED_OUT: &[&str] = &["fiesta"];

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GameReturns {
    game: &'static str,
    is_counted: bool,
    jackpot: Option<String>,
    choices: Vec<ChoiceReturn>,
}

#[derive(Serialize)]
struct ChoiceReturn {
    choice: Value,
    percent: String,
}

/// The choices of a game to display; all of them if they are few.
fn choices(game: &str) -> Vec<Value> {
    let risks = ["low", "medium", "high"];
    match game {
        "dice" => [100, 1_000, 5_000, 9_000, 9_800]
            .map(|target| json!({ "target": target, "direction": "under" }))
            .into(),
        "limbo" => [101, 150, 200, 1_000, 10_000, 1_000_000]
            .map(|target| json!({ "target": target }))
            .into(),
        "mines" => [1, 3, 5, 10, 24].map(|mines| json!({ "mines": mines })).into(),
        "plinko" => [8, 12, 16]
            .iter()
            .flat_map(|rows| risks.map(|risk| json!({ "rows": rows, "risk": risk })))
            .collect(),
        "wheel" => [10, 20, 30, 40, 50]
            .iter()
            .flat_map(|segments| risks.map(|risk| json!({ "segments": segments, "risk": risk })))
            .collect(),
        "keno" => {
            (1..=10).map(|count| json!({ "picks": (1..=count).collect::<Vec<_>>() })).collect()
        }
        _ => vec![json!({})],
    }
}

fn returns_of(game: &dyn AnyGame) -> GameReturns {
    let percent = |choice: &Value| {
        let returns = game.returns(&choice.to_string()).expect("a choice that can be played");
        returns.percent().expect("a small number")
    };
    let choices = choices(game.code())
        .into_iter()
        .map(|choice| ChoiceReturn { percent: percent(&choice), choice })
        .collect();
    let jackpot = game.has_jackpot().then(|| jackpot::returns().percent().expect("small"));
    let is_counted = !PLAYED_OUT.contains(&game.code());
    GameReturns { game: game.code(), is_counted, jackpot, choices }
}

#[test]
fn the_web_shows_the_returns_of_the_rules() {
    let all: Vec<_> = GAMES.iter().map(|game| returns_of(*game)).collect();
    let returns = serde_json::to_value(&all).expect("JSON");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("CAPIZ_WRITE_VECTORS").is_some() {
        let text = serde_json::to_string_pretty(&returns).expect("JSON") + "\n";
        fs::write(&path, text).expect("a writable file");
        return;
    }
    let stored = fs::read_to_string(&path).expect("a stored file");
    let stored: Value = serde_json::from_str(&stored).expect("JSON");
    assert_eq!(stored, returns, "{FILE} differs: run with CAPIZ_WRITE_VECTORS=1 and read the diff");
}
