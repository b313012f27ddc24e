//! Plinko: a ball falls through rows of pegs, left or right at each with equal probability, into
//! one of the pockets below, each of which pays a multiple of the stake.

use serde::{Deserialize, Serialize};

use super::{Book, Fraction, Game, Multiple, Never, Progress, Refused, Risk, Terms};
use crate::fair::Stream;

/// The game.
pub struct Plinko;

/// The player's choice of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// 8, 12 or 16.
    pub rows: u8,
    /// The variance of the pockets.
    pub risk: Risk,
}

/// The events of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// The ball fell.
    Fall {
        /// The direction at each row: 0 for left, 1 for right.
        path: Vec<u8>,
        /// The index of the pocket from the left, beginning with 0.
        pocket: u8,
    },
}

/// What the pockets pay in hundredths, from the middle to the edge. Both sides are the same.
fn half_board(choice: &Choice) -> Option<&'static [u32]> {
    Some(match (choice.rows, choice.risk) {
        (8, Risk::Low) => &[66, 83, 120, 230, 500],
        (8, Risk::Medium) => &[40, 62, 130, 370, 1_200],
        (8, Risk::High) => &[10, 31, 120, 550, 2_800],
        (12, Risk::Low) => &[65, 81, 100, 160, 260, 470, 900],
        (12, Risk::Medium) => &[40, 57, 95, 200, 460, 1_200, 3_200],
        (12, Risk::High) => &[11, 21, 55, 200, 800, 3_400, 16_000],
        (16, Risk::Low) => &[71, 76, 95, 130, 190, 300, 480, 830, 1_500],
        (16, Risk::Medium) => &[41, 52, 80, 140, 290, 630, 1_500, 3_700, 10_000],
        (16, Risk::High) => &[6, 11, 30, 95, 340, 1_300, 5_200, 22_000, 100_000],
        _ => return None,
    })
}

/// What a pocket pays, in hundredths.
fn pays(half: &[u32], pocket: u8) -> u32 {
    let distance = usize::from(pocket).abs_diff(half.len() - 1);
    half.get(distance).copied().unwrap_or(0)
}

/// The number of paths into a pocket.
fn ways(rows: u8, pocket: u8) -> u128 {
    (0..u128::from(pocket)).fold(1, |ways, i| ways * (u128::from(rows) - i) / (i + 1))
}

impl Game for Plinko {
    type Choice = Choice;
    type Action = Never;
    type Event = Event;

    const CODE: &'static str = "plinko";

    fn usual() -> Choice {
        Choice { rows: 12, risk: Risk::Medium }
    }

    fn check(choice: &Choice) -> Result<(), Refused> {
        half_board(choice).map(drop).ok_or(Refused::Choice("rows"))
    }

    fn greatest(choice: &Choice) -> Multiple {
        let edge = half_board(choice).and_then(<[u32]>::last);
        edge.map_or(Multiple::NOTHING, |edge| Multiple::hundredths(*edge))
    }

    fn returns(choice: &Choice) -> Fraction {
        let Some(half) = half_board(choice) else { return Fraction::ZERO };
        let paid = (0..=choice.rows)
            .map(|pocket| ways(choice.rows, pocket) * u128::from(pays(half, pocket)));
        Fraction::new(paid.sum(), 100 << choice.rows)
    }

    fn play(
        stream: &mut Stream,
        _: &Terms,
        choice: &Choice,
        _: &[Never],
    ) -> Result<Progress<Event>, Refused> {
        let half = half_board(choice).ok_or(Refused::Choice("rows"))?;
        let mut path = Vec::with_capacity(usize::from(choice.rows));
        let mut pocket = 0;
        for _ in 0..choice.rows {
            let right = u8::from(stream.below(2)? == 1);
            path.push(right);
            pocket += right;
        }
        let multiple = Multiple::hundredths(pays(half, pocket));
        Ok(Progress::Over(Book { events: vec![Event::Fall { path, pocket }], multiple }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards() -> impl Iterator<Item = Choice> {
        let with_risk = |rows| Risk::ALL.map(|risk| Choice { rows, risk });
        [8, 12, 16].into_iter().flat_map(with_risk)
    }

    /// Checks every path of every board.
    #[test]
    fn the_return_of_each_board_is_that_of_all_its_paths() {
        for choice in boards() {
            let half = half_board(&choice).expect("a board");
            let paid: u128 = (0_u32..1 << choice.rows)
                .map(|path| u8::try_from(path.count_ones()).expect("a pocket"))
                .map(|pocket| u128::from(pays(half, pocket)))
                .sum();
            assert_eq!(Plinko::returns(&choice), Fraction::new(paid, 100 << choice.rows));
        }
    }

    #[test]
    fn boards_return_between_98_and_99_percent_and_pay_more_towards_the_edge() {
        for choice in boards() {
            let returns = Plinko::returns(&choice);
            let (paid, staked) = (returns.numerator(), returns.denominator());
            assert!(paid * 100 <= staked * 99 && paid * 1_000 > staked * 985, "{choice:?}");
            assert!(half_board(&choice).expect("a board").is_sorted_by(|a, b| a < b));
        }
        let odd = Choice { rows: 9, risk: Risk::Low };
        assert_eq!(Plinko::check(&odd), Err(Refused::Choice("rows")));
    }
}
