//! Dice: a roll from 0 to 9999, won when it is under or over the player's target.
//!
//! A win pays `stake × 9900 / count`, where `count` is how many of the 10,000 rolls win, rounded
//! down to [`PAYOUT_UNIT`]. So every choice returns 99 % of its stake, less that rounding.

use serde::{Deserialize, Serialize};

use crate::book::{Book, BookEvent};
use crate::fair::{DrawError, Stream};
use crate::money::{Amount, Overflow};

/// The game's code, on the wire and in the fair stream.
pub const CODE: &str = "dice";
/// How many rolls there are.
pub const ROLLS: u32 = 10_000;
/// The most rolls that a choice may win with.
pub const MOST_WINNING: u32 = 9_800;
/// Of so many ten-thousandths that are staked, this many come back.
const RETURNED: u32 = 9_900;
/// What payouts are rounded down to, and what stakes are a multiple of.
pub const PAYOUT_UNIT: Amount = Amount::from_units(100);
/// The return as it is shown to players.
pub const RETURN_PERCENT: &str = "99";

/// Which side of the target wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// A roll below the target.
    Under,
    /// A roll above the target.
    Over,
}

/// Why a round cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiceError {
    /// The target would win with no roll, or with too many.
    #[error("under takes targets from 1 to 9800, over from 199 to 9998")]
    Target,
    /// Below the least stake, above the greatest, or with too many decimals.
    #[error("the stake is out of range")]
    Stake,
    /// A win would pay more than the house allows.
    #[error("the possible payout is too large")]
    Payout,
    /// An amount cannot be represented.
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// The stream gave no roll.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

/// A target and its direction, with at least one and at most [`MOST_WINNING`] winning rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Choice {
    target: u32,
    direction: Direction,
}

impl Choice {
    /// Checks that the choice can be played.
    pub fn new(target: u32, direction: Direction) -> Result<Self, DiceError> {
        let choice = Self { target, direction };
        match choice.count_checked() {
            Some(count) if (1..=MOST_WINNING).contains(&count) => Ok(choice),
            _ => Err(DiceError::Target),
        }
    }

    /// The number to be under or over.
    pub const fn target(self) -> u32 {
        self.target
    }

    /// Under or over.
    pub const fn direction(self) -> Direction {
        self.direction
    }

    fn count_checked(self) -> Option<u32> {
        match self.direction {
            Direction::Under => Some(self.target),
            Direction::Over => (ROLLS - 1).checked_sub(self.target),
        }
    }

    /// How many of the 10,000 rolls win: 1 to 9800.
    pub fn winning_count(self) -> u32 {
        // `new` let nothing else pass.
        self.count_checked().unwrap_or(MOST_WINNING)
    }

    /// Whether this roll wins.
    pub const fn wins(self, roll: u32) -> bool {
        match self.direction {
            Direction::Under => roll < self.target,
            Direction::Over => roll > self.target,
        }
    }

    /// What a win pays for this stake.
    pub fn payout(self, stake: Amount) -> Result<Amount, Overflow> {
        stake
            .times_floor(i64::from(RETURNED), i64::from(self.winning_count()))?
            .floor_to(PAYOUT_UNIT)
    }

    /// What a win pays for a stake of one, to four decimals, for showing.
    pub fn multiplier(self) -> Amount {
        // At most 9900 for one: it always fits.
        Amount::from_units(10_000 * i64::from(RETURNED) / i64::from(self.winning_count()))
    }

    /// The exact return before rounding: the chance to win times what a win pays.
    pub fn exact_return(self) -> Fraction {
        let count = u64::from(self.winning_count());
        Fraction::reduced(count * u64::from(RETURNED), u64::from(ROLLS) * count)
    }
}

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// Above the line.
    pub numerator: u64,
    /// Below the line, never zero.
    pub denominator: u64,
}

impl Fraction {
    fn reduced(numerator: u64, denominator: u64) -> Self {
        let (mut divisor, mut rest) = (denominator, numerator);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let divisor = divisor.max(1);
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }
}

/// What the house accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The least stake.
    pub min_stake: Amount,
    /// The greatest stake.
    pub max_stake: Amount,
    /// The most that a win may pay.
    pub max_payout: Amount,
}

impl Limits {
    /// The limits of the demo house.
    pub const DEMO: Self = Self {
        min_stake: Amount::from_units(10_000),
        max_stake: Amount::from_units(100_000_000),
        max_payout: Amount::from_units(10_000_000_000),
    };

    /// Whether the house takes this bet.
    pub fn check(&self, choice: Choice, stake: Amount) -> Result<(), DiceError> {
        let in_range = (self.min_stake..=self.max_stake).contains(&stake);
        if !in_range || !stake.is_positive() || !stake.is_multiple_of(PAYOUT_UNIT) {
            return Err(DiceError::Stake);
        }
        if choice.payout(stake)? > self.max_payout {
            return Err(DiceError::Payout);
        }
        Ok(())
    }
}

/// Plays one round. Limits are the caller's to check, before anything is drawn.
pub fn play(stream: &mut Stream, choice: Choice, stake: Amount) -> Result<Book, DiceError> {
    let roll = stream.below(u64::from(ROLLS))?;
    Ok(settle(roll, choice, stake)?)
}

/// The book of a round in which `roll` came.
fn settle(roll: u32, choice: Choice, stake: Amount) -> Result<Book, Overflow> {
    let won = choice.wins(roll);
    let (payout, multiplier) = if won {
        (choice.payout(stake)?, choice.multiplier())
    } else {
        (Amount::ZERO, Amount::ZERO)
    };
    let events = vec![
        BookEvent::Roll { roll, target: choice.target, direction: choice.direction, won },
        BookEvent::Payout { amount: payout, multiplier: multiplier.to_string() },
    ];
    Ok(Book { events, payout })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_choices() -> impl Iterator<Item = Choice> {
        [Direction::Under, Direction::Over].into_iter().flat_map(|direction| {
            (0..=ROLLS).filter_map(move |target| Choice::new(target, direction).ok())
        })
    }

    /// Every choice against every roll. They are 196 million pairs, so a payout is computed once
    /// for each choice.
    #[test]
    fn every_choice_returns_99_percent_less_rounding() {
        let stakes = ["1", "1.01", "3.33", "10", "9999.99", "10000"]
            .map(|text| text.parse::<Amount>().expect("an amount"));
        let mut choices = 0;
        for choice in all_choices() {
            let wins = (0..ROLLS).filter(|roll| choice.wins(*roll)).count();
            assert_eq!(u32::try_from(wins), Ok(choice.winning_count()), "{choice:?}");
            assert_eq!(choice.exact_return(), Fraction { numerator: 99, denominator: 100 });
            let wins = i128::try_from(wins).expect("a small number");
            for stake in stakes {
                let paid = wins * i128::from(choice.payout(stake).expect("in range").units());
                let fair = i128::from(stake.units()) * 9_900;
                assert!(paid <= fair, "{choice:?} pays too much for {stake}");
                // Each win loses less than one payable unit.
                assert!(fair - paid < wins * i128::from(PAYOUT_UNIT.units()), "{choice:?}");
            }
            choices += 1;
        }
        assert_eq!(choices, 2 * MOST_WINNING);
        assert_eq!(RETURN_PERCENT, "99");
    }

    #[test]
    fn the_settled_book_says_what_the_choice_says() {
        let choice = Choice::new(5_000, Direction::Under).expect("a choice");
        let stake = "10".parse().expect("an amount");
        let won = settle(4_999, choice, stake).expect("a book");
        assert_eq!(won.payout.to_string(), "19.8");
        let lost = settle(5_000, choice, stake).expect("a book");
        assert_eq!(lost.payout, Amount::ZERO);
        let book = serde_json::to_string(&won.events).expect("JSON");
        let expected = r#"[{"type":"roll","roll":4999,"target":5000,"direction":"under","won":true},{"type":"payout","amount":"19.8","multiplier":"1.98"}]"#;
        assert_eq!(book, expected);
        assert_eq!(serde_json::from_str::<Vec<BookEvent>>(&book).expect("a book"), won.events);
    }

    #[test]
    fn targets_at_the_edges() {
        let allowed = |target, direction| Choice::new(target, direction).is_ok();
        let under = [0, 1, 9_800, 9_801, u32::MAX].map(|t| allowed(t, Direction::Under));
        assert_eq!(under, [false, true, true, false, false]);
        let over = [198, 199, 9_998, 9_999, u32::MAX].map(|t| allowed(t, Direction::Over));
        assert_eq!(over, [false, true, true, false, false]);
    }

    #[test]
    fn limits_refuse_what_they_should() {
        let check = |stake: &str, target| {
            let choice = Choice::new(target, Direction::Under).expect("a choice");
            Limits::DEMO.check(choice, stake.parse().expect("an amount"))
        };
        assert_eq!(check("1", 5_000), Ok(()));
        assert_eq!(check("10000", 99), Ok(()));
        assert_eq!(check("10000", 98), Err(DiceError::Payout));
        for stake in ["0", "-1", "0.99", "10000.01", "1.001", "922337203685477.5807"] {
            assert_eq!(check(stake, 5_000), Err(DiceError::Stake), "{stake}");
        }
    }
}
