//! Fiesta: a slot of six by six in which clusters of at least five equal symbols win and fall out.
//! The multiplier rises with each cascade, fastest in free spins.

use super::{Falls, Machine, Pays, Scatter, Source, slot};
use crate::games::Fraction;

/// The game.
pub struct Fiesta;

/// The return to player. Cascades have too many continuations to enumerate, so the value was found
/// by simulation; `make returns` repeats it.
const RETURNS: Fraction = Fraction::new(95, 100);

pub(super) const MACHINE: Machine = Machine {
    rows: 6,
    source: Source::Weights { reels: 6, weights: &[3, 2, 10, 13, 15, 18, 19, 20] },
    pays: Pays::Clusters(&[5, 6, 7, 8, 10, 12, 15]),
    table: &[
        &[],
        &[],
        &[200, 400, 800, 1_500, 4_000, 12_000, 50_000],
        &[120, 240, 400, 800, 2_000, 6_000, 20_000],
        &[80, 160, 280, 500, 1_200, 3_000, 10_000],
        &[50, 100, 160, 280, 600, 1_600, 5_000],
        &[35, 75, 115, 190, 400, 1_000, 3_000],
        &[25, 55, 95, 150, 300, 800, 2_000],
    ],
    wild: Some(0),
    scatter: Some(Scatter {
        symbol: 1,
        pays: &[],
        spins: &[0, 0, 0, 0, 8, 10, 12, 15],
        multiplier: 1,
    }),
    falls: Some(Falls { paid: &[1, 1, 2, 2, 3, 5], free: &[2, 2, 4, 4, 6, 10] }),
    most: 500_000,
};

slot!(Fiesta, "fiesta", MACHINE, RETURNS, jackpot: false);
