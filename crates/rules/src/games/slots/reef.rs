//! Reef: a slot with five reels and twenty lines; pearls are wild, and shells give free spins in
//! which wins count twice.

use super::{Machine, Pays, Scatter, Source, slot};
use crate::games::Fraction;

/// The game.
pub struct Reef;

/// The return to player.
const RETURNS: Fraction = Fraction::new(7_036_613_029, 7_346_640_384);

pub(super) const MACHINE: Machine = Machine {
    rows: 3,
    source: Source::Strips(&[
        &[
            6, 4, 2, 7, 5, 7, 8, 3, 9, 6, 8, 6, 9, 6, 1, 5, 3, 2, 4, 7, 5, 8, 9, 7, 5, 3, 6, 1, 4,
            9, 8, 4, 9, 2, 7, 8,
        ],
        &[
            2, 7, 6, 7, 6, 0, 5, 4, 6, 4, 9, 6, 4, 5, 0, 5, 6, 7, 8, 3, 8, 7, 9, 1, 3, 7, 2, 9, 8,
            9, 8, 5, 4, 3, 9, 8,
        ],
        &[
            7, 6, 9, 6, 7, 5, 9, 8, 0, 7, 3, 7, 4, 9, 3, 5, 9, 6, 4, 8, 1, 2, 5, 8, 0, 5, 1, 8, 6,
            3, 2, 9, 6, 8, 7, 4,
        ],
        &[
            6, 5, 2, 6, 9, 7, 8, 3, 5, 8, 6, 7, 8, 4, 5, 9, 3, 1, 7, 9, 6, 4, 0, 7, 8, 2, 4, 3, 7,
            5, 6, 9, 0, 8, 9, 4,
        ],
        &[
            6, 4, 2, 4, 5, 1, 7, 3, 8, 7, 9, 6, 4, 6, 2, 6, 3, 0, 8, 6, 7, 9, 5, 3, 8, 5, 9, 1, 7,
            8, 2, 4, 9, 7, 5, 9,
        ],
    ]),
    pays: Pays::Lines(&[
        &[1, 1, 1, 1, 1],
        &[0, 0, 0, 0, 0],
        &[2, 2, 2, 2, 2],
        &[0, 1, 2, 1, 0],
        &[2, 1, 0, 1, 2],
        &[0, 0, 1, 2, 2],
        &[2, 2, 1, 0, 0],
        &[1, 0, 1, 2, 1],
        &[1, 2, 1, 0, 1],
        &[0, 1, 1, 1, 0],
        &[2, 1, 1, 1, 2],
        &[1, 0, 0, 0, 1],
        &[1, 2, 2, 2, 1],
        &[0, 1, 0, 1, 0],
        &[2, 1, 2, 1, 2],
        &[1, 1, 0, 1, 1],
        &[1, 1, 2, 1, 1],
        &[0, 0, 2, 0, 0],
        &[2, 2, 0, 2, 2],
        &[0, 2, 1, 2, 0],
    ]),
    table: &[
        &[],
        &[],
        &[0, 0, 6_000, 28_000, 142_000],
        &[0, 0, 3_500, 14_000, 57_000],
        &[0, 0, 2_250, 8_000, 34_000],
        &[0, 0, 2_000, 7_000, 28_000],
        &[0, 0, 1_250, 3_500, 11_000],
        &[0, 0, 1_000, 2_750, 10_000],
        &[0, 0, 700, 2_250, 8_000],
        &[0, 0, 550, 2_000, 7_000],
    ],
    wild: Some(0),
    scatter: Some(Scatter {
        symbol: 1,
        pays: &[0, 0, 0, 200, 1_000, 5_000],
        spins: &[0, 0, 0, 8, 12, 20],
        multiplier: 2,
    }),
    falls: None,
    most: 500_000,
};

slot!(Reef, "reef", MACHINE, RETURNS, jackpot: false);

#[cfg(test)]
mod tests {
    use super::super::returns;
    use super::*;

    #[test]
    fn the_stated_return_is_the_counted_one() {
        assert_eq!(returns::count(&MACHINE), Some(RETURNS));
    }
}
