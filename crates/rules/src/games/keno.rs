//! Keno: the player picks up to ten of forty numbers, ten are drawn, and the win depends on how
//! many of the picks are among them.

use serde::{Deserialize, Serialize};

use super::{Book, Fraction, Game, Multiple, Never, Progress, Refused, Terms, draw_distinct};
use crate::fair::Stream;

/// The number of numbers on the board.
pub const NUMBERS: u8 = 40;
/// How many numbers are drawn.
pub const DRAWN: u8 = 10;

/// The game.
pub struct Keno;

/// The player's picks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// One to ten different numbers from 1 to 40.
    pub picks: Vec<u8>,
}

/// The events of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// The numbers were drawn.
    Draw {
        /// The numbers in the order of the draw.
        numbers: Vec<u8>,
        /// How many of the picks are among them.
        hits: u8,
    },
}

/// What this many picks pay, in hundredths, indexed by the number of hits.
fn paytable(picks: usize) -> Option<&'static [u32]> {
    const TABLES: [&[u32]; 10] = [
        &[0, 396],
        &[0, 114, 956],
        &[0, 45, 250, 3_700],
        &[0, 0, 206, 751, 11_000],
        &[0, 0, 107, 371, 2_300, 46_500],
        &[0, 0, 50, 271, 1_000, 7_500, 180_000],
        &[0, 0, 0, 236, 562, 2_700, 29_500, 900_000],
        &[0, 0, 0, 143, 370, 1_500, 10_000, 150_000, 1_000_000],
        &[0, 0, 0, 92, 251, 860, 4_800, 46_000, 400_000, 1_000_000],
        &[0, 0, 0, 63, 171, 580, 2_600, 19_000, 100_000, 500_000, 1_000_000],
    ];
    TABLES.get(picks.checked_sub(1)?).copied()
}

fn binomial(n: u128, k: u128) -> u128 {
    match k <= n {
        true => (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1)),
        false => 0,
    }
}

impl Game for Keno {
    type Choice = Choice;
    type Action = Never;
    type Event = Event;

    const CODE: &'static str = "keno";

    fn usual() -> Choice {
        Choice { picks: vec![4, 11, 18, 25, 32] }
    }

    fn check(choice: &Choice) -> Result<(), Refused> {
        let picks = &choice.picks;
        let in_range = picks.iter().all(|pick| (1..=NUMBERS).contains(pick));
        let distinct = (1..picks.len()).all(|at| !picks[..at].contains(&picks[at]));
        match paytable(picks.len()).is_some() && in_range && distinct {
            true => Ok(()),
            false => Err(Refused::Choice("picks")),
        }
    }

    fn greatest(choice: &Choice) -> Multiple {
        let most = paytable(choice.picks.len()).and_then(<[u32]>::last);
        most.map_or(Multiple::NOTHING, |most| Multiple::hundredths(*most))
    }

    fn returns(choice: &Choice) -> Fraction {
        let Some(table) = paytable(choice.picks.len()) else { return Fraction::ZERO };
        let (numbers, drawn) = (u128::from(NUMBERS), u128::from(DRAWN));
        let picks = u128::try_from(table.len() - 1).unwrap_or(0);
        let paid = (0..).zip(table).map(|(hits, pays)| {
            let ways = binomial(picks, hits) * binomial(numbers - picks, drawn - hits);
            ways * u128::from(*pays)
        });
        Fraction::new(paid.sum(), 100 * binomial(numbers, drawn))
    }

    fn play(
        stream: &mut Stream,
        _: &Terms,
        choice: &Choice,
        _: &[Never],
    ) -> Result<Progress<Event>, Refused> {
        let table = paytable(choice.picks.len()).ok_or(Refused::Choice("picks"))?;
        let drawn = draw_distinct(stream, NUMBERS, DRAWN)?;
        let numbers: Vec<u8> = drawn.into_iter().map(|number| number + 1).collect();
        let hits = choice.picks.iter().filter(|pick| numbers.contains(pick)).count();
        let multiple = Multiple::hundredths(table.get(hits).copied().unwrap_or(0));
        let hits = u8::try_from(hits).map_err(|_| Refused::Choice("picks"))?;
        Ok(Progress::Over(Book { events: vec![Event::Draw { numbers, hits }], multiple }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picks(count: u8) -> Choice {
        Choice { picks: (1..=count).collect() }
    }

    #[test]
    fn every_number_of_picks_returns_between_98_and_99_percent() {
        for count in 1..=10 {
            let returns = Keno::returns(&picks(count));
            let (paid, staked) = (returns.numerator(), returns.denominator());
            assert!(paid * 100 <= staked * 99 && paid * 1_000 > staked * 985, "{count}");
            let table = paytable(usize::from(count)).expect("a table");
            assert!(table.is_sorted() && table.len() == usize::from(count) + 1);
        }
    }

    /// Enumerates all draws of a smaller game of the same form, because ten of forty are too many.
    #[test]
    fn hits_are_counted_as_all_draws_have_them() {
        let (numbers, drawn, picked) = (12_u32, 4_u32, 3_u32);
        let mut by_hits = [0_u128; 4];
        for draw in (0_u32..1 << numbers).filter(|draw| draw.count_ones() == drawn) {
            let hits = (draw & ((1 << picked) - 1)).count_ones();
            by_hits[usize::try_from(hits).expect("small")] += 1;
        }
        let counted = [0, 1, 2, 3].map(|hits| binomial(3, hits) * binomial(9, 4 - hits));
        assert_eq!(by_hits, counted);
    }

    #[test]
    fn picks_are_different_numbers_of_the_forty() {
        assert_eq!(Keno::check(&picks(10)), Ok(()));
        for bad in [vec![], vec![0], vec![41], vec![7, 7], (1..=11).collect()] {
            assert_eq!(Keno::check(&Choice { picks: bad }), Err(Refused::Choice("picks")));
        }
    }
}
