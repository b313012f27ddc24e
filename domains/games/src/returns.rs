//! The stated return to player (RTP) of our own games.

use std::collections::HashMap;
use std::sync::LazyLock;

use capiz_rules::games;

/// The RTP for the default choice, jackpot included, in percent, rounded down to two decimals. The
/// game itself shows the RTP of other choices.
static STATED: LazyLock<HashMap<&'static str, String>> = LazyLock::new(|| {
    let games = games::GAMES.iter().filter_map(|game| {
        let returned = game.usual_return();
        let hundredths = returned.numerator().checked_mul(10_000)? / returned.denominator();
        Some((game.code(), decimal(hundredths)))
    });
    games.collect()
});

/// The stated RTP of a game; empty for games of other vendors.
pub fn stated(code: &str) -> &'static str {
    STATED.get(code).map_or("", String::as_str)
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
    fn decimals_are_short() {
        assert_eq!([9_900, 9_890, 9_891, 5].map(decimal), ["99", "98.9", "98.91", "0.05"]);
    }
}
