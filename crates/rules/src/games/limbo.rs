//! Limbo: a number is drawn, and the bet wins if the number is at least the player's target.
//!
//! The number is `0.99 × 2^32 / (draw + 1)`, so that a target of *t* is reached with a probability
//! of `0.99 / t` and a win pays *t*: every target returns 99 % of its stake to within a millionth.

use serde::{Deserialize, Serialize};

use super::{Book, Fraction, Game, Multiple, Never, Progress, Refused, Terms};
use crate::fair::Stream;

/// The number of possible draws.
const DRAWS: u64 = 1 << 32;
/// The return to player, in hundredths of the stake.
const RETURNED: u64 = 99;
/// The lowest target, in hundredths.
pub const LEAST: u32 = 101;
/// The highest target, in hundredths.
pub const GREATEST: u32 = 1_000_000;

/// The game.
pub struct Limbo;

/// The player's target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// In hundredths, 1.01 to 10,000.
    pub target: u32,
}

/// The events of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// The number rose to this height.
    Rise {
        /// In hundredths, at least 1.00.
        reached: u64,
        /// Whether the target is reached.
        won: bool,
    },
}

/// The number that belongs to a draw, in hundredths.
fn reached(draw: u32) -> u64 {
    RETURNED * DRAWS / (u64::from(draw) + 1)
}

/// How many of the draws reach a target.
fn winning(target: u32) -> u64 {
    RETURNED * DRAWS / u64::from(target.max(1))
}

impl Game for Limbo {
    type Choice = Choice;
    type Action = Never;
    type Event = Event;

    const CODE: &'static str = "limbo";

    fn usual() -> Choice {
        Choice { target: 200 }
    }

    fn check(choice: &Choice) -> Result<(), Refused> {
        match (LEAST..=GREATEST).contains(&choice.target) {
            true => Ok(()),
            false => Err(Refused::Choice("target")),
        }
    }

    fn greatest(choice: &Choice) -> Multiple {
        Multiple::hundredths(choice.target)
    }

    fn returns(choice: &Choice) -> Fraction {
        let paid = u128::from(winning(choice.target)) * u128::from(choice.target);
        Fraction::new(paid, 100 * u128::from(DRAWS))
    }

    fn play(
        stream: &mut Stream,
        _: &Terms,
        choice: &Choice,
        _: &[Never],
    ) -> Result<Progress<Event>, Refused> {
        let reached = reached(stream.below(DRAWS)?);
        let won = reached >= u64::from(choice.target);
        // One draw in a hundred is below 1.00. It is shown as 1.00 and reaches no target.
        let events = vec![Event::Rise { reached: reached.max(100), won }];
        let multiple = if won { Multiple::hundredths(choice.target) } else { Multiple::NOTHING };
        Ok(Progress::Over(Book { events, multiple }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_counted_draws_reach_a_target() {
        for target in [101, 150, 199, 200, 333, 1_000, 99_999, 1_000_000] {
            let last = u32::try_from(winning(target) - 1).expect("a draw");
            assert!(reached(last) >= u64::from(target), "{target}");
            assert!(reached(last + 1) < u64::from(target), "{target}");
        }
    }

    #[test]
    fn every_target_returns_99_percent_less_a_hair() {
        for target in LEAST..=GREATEST {
            let returns = Limbo::returns(&Choice { target });
            let lost = 99 * returns.denominator() - 100 * returns.numerator();
            assert!(lost * 1_000_000 < 100 * returns.denominator() * 3, "{target}");
        }
    }
}
