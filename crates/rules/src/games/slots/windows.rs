//! Windows: a slot with five reels and 243 ways, themed as capiz shell windows; lanterns are wild,
//! and moons give free spins in which wins count three times.

use super::{Machine, Pays, Scatter, Source, slot};
use crate::games::Fraction;

/// The game.
pub struct Windows;

/// The return to player.
const RETURNS: Fraction = Fraction::new(1_984_941_801_240_408, 2_103_536_166_501_005);

pub(super) const MACHINE: Machine = Machine {
    rows: 3,
    source: Source::Strips(&[
        &[5, 2, 3, 9, 4, 7, 9, 8, 7, 6, 1, 8, 2, 4, 9, 5, 4, 6, 9, 8, 7, 3, 6, 7, 8, 5, 9, 8, 6],
        &[2, 8, 7, 8, 6, 0, 3, 9, 2, 9, 4, 9, 6, 7, 9, 4, 8, 7, 5, 6, 3, 4, 1, 6, 5, 8, 9, 5, 7],
        &[3, 1, 8, 4, 5, 9, 5, 7, 6, 7, 8, 3, 0, 6, 8, 9, 2, 6, 8, 7, 2, 9, 6, 4, 9, 5, 8, 7, 4],
        &[8, 9, 7, 9, 4, 6, 4, 8, 7, 9, 1, 7, 3, 6, 5, 6, 2, 0, 8, 5, 7, 5, 2, 8, 9, 3, 9, 4, 6],
        &[4, 8, 9, 8, 9, 1, 9, 7, 5, 9, 6, 8, 6, 4, 3, 4, 7, 8, 2, 7, 8, 9, 6, 5, 2, 7, 3, 6, 5],
    ]),
    pays: Pays::Ways,
    table: &[
        &[],
        &[],
        &[0, 0, 200, 650, 2_250],
        &[0, 0, 130, 400, 1_250],
        &[0, 0, 90, 200, 650],
        &[0, 0, 60, 170, 500],
        &[0, 0, 30, 90, 200],
        &[0, 0, 25, 80, 190],
        &[0, 0, 20, 50, 150],
        &[0, 0, 20, 45, 130],
    ],
    wild: Some(0),
    scatter: Some(Scatter { symbol: 1, pays: &[], spins: &[0, 0, 0, 10, 15, 25], multiplier: 3 }),
    falls: None,
    most: 500_000,
};

slot!(Windows, "windows", MACHINE, RETURNS, jackpot: true);

#[cfg(test)]
mod tests {
    use super::super::returns;
    use super::*;

    #[test]
    fn the_stated_return_is_the_counted_one() {
        assert_eq!(returns::count(&MACHINE), Some(RETURNS));
    }
}
