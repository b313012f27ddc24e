//! Sari: a slot with three reels and five lines, themed as a corner shop; the jeepney is wild.

use super::{Machine, Pays, Source, slot};
use crate::games::Fraction;

/// The game.
pub struct Sari;

/// The return to player.
const RETURNS: Fraction = Fraction::new(3_265, 3_456);

pub(super) const MACHINE: Machine = Machine {
    rows: 3,
    source: Source::Strips(&[
        &[2, 3, 6, 5, 6, 4, 5, 7, 5, 3, 7, 4, 6, 4, 6, 4, 0, 7, 6, 5, 2, 5, 3, 7],
        &[5, 7, 5, 6, 7, 6, 4, 3, 5, 4, 7, 6, 5, 2, 3, 5, 6, 4, 6, 0, 7, 4, 3, 2],
        &[5, 6, 3, 4, 5, 6, 3, 0, 6, 7, 5, 6, 7, 5, 7, 4, 5, 2, 3, 4, 7, 6, 2, 4],
    ]),
    pays: Pays::Lines(&[&[1, 1, 1], &[0, 0, 0], &[2, 2, 2], &[0, 1, 2], &[2, 1, 0]]),
    table: &[
        &[0, 0, 47_000],
        &[],
        &[0, 0, 9_000],
        &[0, 0, 3_750],
        &[0, 0, 2_000],
        &[0, 0, 950],
        &[0, 0, 700],
        &[0, 0, 1_500],
    ],
    wild: Some(0),
    scatter: None,
    falls: None,
    most: 100_000,
};

slot!(Sari, "sari", MACHINE, RETURNS, jackpot: true);

#[cfg(test)]
mod tests {
    use super::super::returns;
    use super::*;

    #[test]
    fn the_stated_return_is_the_counted_one() {
        assert_eq!(returns::count(&MACHINE), Some(RETURNS));
    }
}
