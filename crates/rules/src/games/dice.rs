//! Dice: a roll from 0 to 9999, won if it is under or over the player's target.
//!
//! A win pays `9900 / count` times the stake, where `count` is how many of the 10,000 rolls win. So
//! every choice returns 99 % of its stake, less the rounding of payouts.

use serde::{Deserialize, Serialize};

use super::{Book, Fraction, Game, Multiple, Never, Progress, Refused, Terms};
use crate::fair::Stream;

/// The number of possible rolls.
pub const ROLLS: u32 = 10_000;
/// The largest number of winning rolls a choice may have.
pub const MOST_WINNING: u32 = 9_800;
/// The return to player, in ten-thousandths of the stake.
const RETURNED: u32 = 9_900;

/// The game.
pub struct Dice;

/// Which side of the target wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// A roll below the target wins.
    Under,
    /// A roll above the target wins.
    Over,
}

/// The player's bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The number to be under or over, in hundredths.
    pub target: u32,
    /// Under or over.
    pub direction: Direction,
}

/// The events of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// The dice were rolled.
    Roll {
        /// 0 to 9999, displayed as 00.00 to 99.99.
        roll: u32,
        /// The target of the choice.
        target: u32,
        /// The direction of the choice.
        direction: Direction,
        /// Whether the roll wins.
        won: bool,
    },
}

impl Choice {
    /// How many of the 10,000 rolls win; zero for an invalid choice.
    pub fn winning_count(self) -> u32 {
        match self.direction {
            Direction::Under => self.target.min(ROLLS),
            Direction::Over => (ROLLS - 1).saturating_sub(self.target),
        }
    }

    /// Whether this roll wins.
    pub const fn wins(self, roll: u32) -> bool {
        match self.direction {
            Direction::Under => roll < self.target,
            Direction::Over => roll > self.target,
        }
    }
}

impl Game for Dice {
    type Choice = Choice;
    type Action = Never;
    type Event = Event;

    const CODE: &'static str = "dice";

    fn usual() -> Choice {
        Choice { target: 5_000, direction: Direction::Under }
    }

    fn check(choice: &Choice) -> Result<(), Refused> {
        match (1..=MOST_WINNING).contains(&choice.winning_count()) {
            true => Ok(()),
            false => Err(Refused::Choice("target")),
        }
    }

    fn greatest(choice: &Choice) -> Multiple {
        Multiple::of_fraction(Fraction::new(RETURNED.into(), choice.winning_count().into()))
    }

    fn returns(choice: &Choice) -> Fraction {
        let chance = Fraction::new(choice.winning_count().into(), ROLLS.into());
        chance.times(Self::greatest(choice).fraction()).unwrap_or(Fraction::ZERO)
    }

    fn play(
        stream: &mut Stream,
        _: &Terms,
        choice: &Choice,
        _: &[Never],
    ) -> Result<Progress<Event>, Refused> {
        Ok(Progress::Over(settle(stream.below(ROLLS.into())?, *choice)))
    }
}

/// The result of a round with this `roll`.
fn settle(roll: u32, choice: Choice) -> Book<Event> {
    let Choice { target, direction } = choice;
    let won = choice.wins(roll);
    let multiple = if won { Dice::greatest(&choice) } else { Multiple::NOTHING };
    Book { events: vec![Event::Roll { roll, target, direction, won }], multiple }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Amount;

    fn all_choices() -> impl Iterator<Item = Choice> {
        [Direction::Under, Direction::Over].into_iter().flat_map(|direction| {
            let choices = (0..=ROLLS).map(move |target| Choice { target, direction });
            choices.filter(|choice| Dice::check(choice).is_ok())
        })
    }

    /// Checks every choice against every roll. These are 196 million pairs, so a payout is computed
    /// once for each choice.
    #[test]
    fn every_choice_returns_99_percent_less_rounding() {
        let stakes = ["1", "1.01", "3.33", "10", "9999.99", "10000"]
            .map(|text| text.parse::<Amount>().expect("an amount"));
        let mut choices = 0;
        for choice in all_choices() {
            let wins = (0..ROLLS).filter(|roll| choice.wins(*roll)).count();
            assert_eq!(u32::try_from(wins), Ok(choice.winning_count()), "{choice:?}");
            assert_eq!(Dice::returns(&choice), Fraction::new(99, 100));
            let wins = i128::try_from(wins).expect("a small number");
            for stake in stakes {
                let payout = Dice::greatest(&choice).of(stake).expect("in range");
                let paid = wins * i128::from(payout.units());
                let fair = i128::from(stake.units()) * 9_900;
                assert!(paid <= fair, "{choice:?} pays too much for {stake}");
                // Rounding takes less than one payable unit from each win.
                assert!(fair - paid < wins * 100, "{choice:?}");
            }
            choices += 1;
        }
        assert_eq!(choices, 2 * MOST_WINNING);
    }

    #[test]
    fn a_roll_wins_on_its_side_of_the_target_alone() {
        let choice = Dice::usual();
        assert_eq!(settle(4_999, choice).multiple, Multiple::hundredths(198));
        assert_eq!(settle(5_000, choice).multiple, Multiple::NOTHING);
        let book = serde_json::to_string(&settle(4_999, choice).events).expect("JSON");
        let expected =
            r#"[{"type":"roll","roll":4999,"target":5000,"direction":"under","won":true}]"#;
        assert_eq!(book, expected);
    }

    #[test]
    fn targets_at_the_edges() {
        let allowed = |target, direction| Dice::check(&Choice { target, direction }).is_ok();
        let under = [0, 1, 9_800, 9_801, u32::MAX].map(|t| allowed(t, Direction::Under));
        assert_eq!(under, [false, true, true, false, false]);
        let over = [198, 199, 9_998, 9_999, u32::MAX].map(|t| allowed(t, Direction::Over));
        assert_eq!(over, [false, true, true, false, false]);
    }
}
