//! What our own games state to give back in the long run.

use std::collections::HashMap;
use std::sync::LazyLock;

use capiz_rules::{dice, games};
use serde_json::{Value, json};

/// By the least favourable choice, in percent, rounded down to two decimals.
static STATED: LazyLock<HashMap<&'static str, String>> = LazyLock::new(|| {
    let games = games::GAMES.iter().filter_map(|game| {
        let choices = choices(game.code()).into_iter();
        let percents = choices.filter_map(|choice| {
            let returned = game.returns(&choice.to_string()).ok()?;
            let hundredths = returned.numerator().checked_mul(10_000)? / returned.denominator();
            Some(hundredths)
        });
        Some((game.code(), decimal(percents.min()?)))
    });
    games.chain([(dice::CODE, dice::RETURN_PERCENT.to_owned())]).collect()
});

/// The stated return of a game; nothing of games that are not ours.
pub fn stated(code: &str) -> &'static str {
    STATED.get(code).map_or("", String::as_str)
}

/// The choices of a game among which its least favourable one is.
fn choices(code: &str) -> Vec<Value> {
    let risks = ["low", "medium", "high"];
    match code {
        // What a target returns falls short of 99 by less than the target over the number of
        // draws: the highest targets lose most, and the last two decimals show it of none but them.
        "limbo" => (999_000..=1_000_000).map(|target| json!({ "target": target })).collect(),
        "plinko" => (8..=16)
            .flat_map(|rows| risks.map(|risk| json!({ "rows": rows, "risk": risk })))
            .collect(),
        "wheel" => [10, 20, 30, 40, 50]
            .into_iter()
            .flat_map(|segments| risks.map(|risk| json!({ "segments": segments, "risk": risk })))
            .collect(),
        "keno" => (1..=10).map(|most| json!({ "picks": (1..=most).collect::<Vec<_>>() })).collect(),
        "mines" => (1..=24).map(|mines| json!({ "mines": mines })).collect(),
        _ => vec![json!({})],
    }
}

fn decimal(hundredths: u128) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_of_ours_states_its_return() {
        for game in games::GAMES {
            let stated = stated(game.code());
            let percent: f64 = stated.parse().unwrap_or_else(|_| panic!("{}", game.code()));
            assert!((90.0..100.0).contains(&percent), "{} {stated}", game.code());
        }
        assert_eq!((stated("dice"), stated("nothing")), ("99", ""));
    }

    #[test]
    fn no_choice_returns_less_than_is_stated() {
        let limbo = games::find("limbo").unwrap();
        let stated: f64 = stated("limbo").parse().unwrap();
        for target in (101..=1_000_000u32).step_by(997) {
            let choice = json!({ "target": target }).to_string();
            let percent: f64 = limbo.returns(&choice).unwrap().percent().unwrap().parse().unwrap();
            assert!(percent >= stated, "{target} {percent}");
        }
    }

    #[test]
    fn decimals_are_short() {
        assert_eq!([9_900, 9_890, 9_891, 5].map(decimal), ["99", "98.9", "98.91", "0.05"]);
    }
}
