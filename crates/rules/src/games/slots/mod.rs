//! Slots: one engine, and one machine per game.
//!
//! A machine is data: where its symbols come from, which combinations win, and what wins lead to.
//! The engine spins it, pays lines, ways or clusters, plays cascades where the machine has them,
//! and plays the free spins that scatters give.

mod engine;
mod fiesta;
mod grid;
mod reef;
#[cfg(test)]
mod returns;
mod sari;
mod windows;
mod wins;

use serde::{Deserialize, Serialize};

pub use engine::spin;
pub use fiesta::Fiesta;
pub use reef::Reef;
pub use sari::Sari;
pub use windows::Windows;

use super::{Fraction, Multiple};

/// A symbol, by its number in the machine's paytable.
pub type Symbol = u8;

/// The rules of one slot machine.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Machine {
    /// How many rows each reel shows.
    pub rows: u8,
    /// How symbols are drawn.
    pub source: Source,
    /// How wins are found.
    pub pays: Pays,
    /// The paytable, indexed by symbol.
    pub table: &'static [&'static [u32]],
    /// The symbol that substitutes for all others except scatters.
    pub wild: Option<Symbol>,
    /// The symbol that counts at any position.
    pub scatter: Option<Scatter>,
    /// Whether winning symbols fall out and are replaced (cascades), and the multiplier of each
    /// cascade.
    pub falls: Option<Falls>,
    /// The most that a round pays, in hundredths of the stake.
    pub most: u32,
}

/// How symbols are drawn.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// Reel strips with these symbols; all stops are equally likely.
    Strips(&'static [&'static [Symbol]]),
    /// Every position is drawn independently with these weights.
    Weights {
        /// The number of reels.
        reels: u8,
        /// The weight of each symbol, indexed by symbol.
        weights: &'static [u32],
    },
}

/// How wins are found.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Pays {
    /// Equal symbols from the left along these rows; each line carries an equal share of the stake.
    /// The paytable has hundredths of that share, for one, two, three… equal symbols.
    Lines(&'static [&'static [u8]]),
    /// Equal symbols on neighbouring reels from the left, in every combination of rows. The
    /// paytable has hundredths of the stake.
    Ways,
    /// Groups of equal, adjacent symbols of at least the first of these sizes. The paytable has
    /// hundredths of the stake, for each of these sizes and above.
    Clusters(&'static [u8]),
}

/// What scatters give, by their number.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scatter {
    /// The scatter symbol.
    pub symbol: Symbol,
    /// Hundredths of the stake, for 0, 1, 2… scatters.
    pub pays: &'static [u32],
    /// Free spins, for 0, 1, 2… scatters. Free spins give no further free spins.
    pub spins: &'static [u8],
    /// The multiplier of wins in free spins.
    pub multiplier: u32,
}

/// The multipliers of cascades: of the first spin, the first cascade, the second… The last value
/// applies to all later cascades.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Falls {
    /// In paid spins.
    pub paid: &'static [u32],
    /// In free spins.
    pub free: &'static [u32],
}

/// The events of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// The reels stopped.
    Spin {
        /// The symbols, reel by reel, each from top to bottom.
        reels: Vec<Vec<Symbol>>,
        /// Whether it was a free spin.
        free: bool,
    },
    /// Winning symbols fell out and were replaced.
    Fall {
        /// The symbols afterwards.
        reels: Vec<Vec<Symbol>>,
    },
    /// A combination won.
    Win {
        /// The winning symbol.
        symbol: Symbol,
        /// The winning positions: reel and row.
        places: Vec<(u8, u8)>,
        /// The number of ways.
        ways: u32,
        /// The win as a multiple of the stake, with all multipliers applied.
        multiplier: String,
    },
    /// Scatters gave free spins.
    Free {
        /// The number of free spins.
        spins: u8,
    },
    /// The payout limit of the machine was reached, and the round ended.
    Most,
}

impl Machine {
    /// The share of the stake that the paytable's hundredths refer to.
    fn share(&self) -> Fraction {
        match self.pays {
            Pays::Lines(lines) => Fraction::new(1, u128::try_from(lines.len()).unwrap_or(1)),
            Pays::Ways | Pays::Clusters(_) => Fraction::new(1, 1),
        }
    }

    /// The most that a round pays.
    pub fn greatest(&self) -> Multiple {
        Multiple::hundredths(self.most)
    }

    fn is_wild(&self, symbol: Symbol) -> bool {
        self.wild == Some(symbol)
    }

    fn is_scatter(&self, symbol: Symbol) -> bool {
        self.scatter.is_some_and(|scatter| scatter.symbol == symbol)
    }

    /// What a symbol pays at a step of the paytable.
    fn pay(&self, symbol: Symbol, step: usize) -> u32 {
        let pays = self.table.get(usize::from(symbol)).and_then(|pays| pays.get(step));
        pays.copied().unwrap_or(0)
    }
}

/// Every machine with the code of its game.
pub const MACHINES: [(&str, Machine); 4] = [
    ("reef", reef::MACHINE),
    ("windows", windows::MACHINE),
    ("sari", sari::MACHINE),
    ("fiesta", fiesta::MACHINE),
];

/// The item at an index, or the last item for indexes beyond the end.
fn at_most_last<T: Copy + Default>(list: &[T], number: usize) -> T {
    list.get(number).or(list.last()).copied().unwrap_or_default()
}

/// A slot is a game without a choice: the player decides only the stake.
macro_rules! slot {
    ($game:ident, $code:literal, $machine:expr, $returns:expr, jackpot: $jackpot:literal) => {
        impl $crate::games::Game for $game {
            type Choice = $crate::games::Plain;
            type Action = $crate::games::Never;
            type Event = $crate::games::slots::Event;

            const CODE: &'static str = $code;
            const HAS_JACKPOT: bool = $jackpot;

            fn usual() -> $crate::games::Plain {
                $crate::games::Plain {}
            }

            fn check(_: &$crate::games::Plain) -> Result<(), $crate::games::Refused> {
                Ok(())
            }

            fn greatest(_: &$crate::games::Plain) -> $crate::games::Multiple {
                $machine.greatest()
            }

            fn returns(_: &$crate::games::Plain) -> $crate::games::Fraction {
                $returns
            }

            fn play(
                stream: &mut $crate::fair::Stream,
                _: &$crate::games::Terms,
                _: &$crate::games::Plain,
                _: &[$crate::games::Never],
            ) -> Result<$crate::games::Progress<Self::Event>, $crate::games::Refused> {
                let book = $crate::games::slots::spin(&$machine, stream)?;
                Ok($crate::games::Progress::Over(book))
            }
        }
    };
}
use slot;

#[cfg(test)]
mod tests {
    use super::grid::Grid;
    use super::*;
    use crate::games::tests::stream;

    /// A machine for testing how wins are found.
    const SMALL: Machine = Machine {
        rows: 3,
        source: Source::Strips(&[&[2, 3, 0], &[2, 3, 0], &[2, 3, 0]]),
        pays: Pays::Lines(&[&[0, 0, 0], &[0, 1, 2]]),
        table: &[&[0, 0, 1_000], &[], &[0, 20, 100], &[0, 0, 50]],
        wild: Some(0),
        scatter: Some(Scatter { symbol: 1, pays: &[0, 0, 300], spins: &[0, 0, 5], multiplier: 2 }),
        falls: None,
        most: 100_000,
    };

    fn grid(reels: [[Symbol; 3]; 3]) -> Grid {
        Grid { reels: reels.map(Vec::from).to_vec() }
    }

    fn won(machine: &Machine, reels: [[Symbol; 3]; 3]) -> Vec<(Symbol, usize, u32)> {
        let wins = wins::find(machine, &grid(reels));
        wins.into_iter().map(|win| (win.symbol, win.places.len(), win.hundredths)).collect()
    }

    #[test]
    fn lines_pay_from_the_left_with_wilds_for_what_pays_most() {
        assert_eq!(won(&SMALL, [[2, 9, 9], [2, 9, 9], [2, 9, 9]]), [(2, 3, 100)]);
        assert_eq!(won(&SMALL, [[9, 9, 9], [2, 9, 9], [2, 9, 9]]), []);
        assert_eq!(won(&SMALL, [[0, 9, 9], [2, 9, 9], [9, 9, 9]]), [(2, 2, 20)]);
        assert_eq!(won(&SMALL, [[0, 9, 9], [0, 0, 9], [0, 9, 0]]), [(0, 3, 1_000), (0, 3, 1_000)]);
        assert_eq!(won(&SMALL, [[0, 9, 9], [0, 9, 9], [3, 9, 9]]), [(3, 3, 50)]);
        // Scatters do not join lines, ways or clusters.
        assert_eq!(won(&SMALL, [[0, 9, 9], [1, 9, 9], [2, 9, 9]]), []);
    }

    #[test]
    fn ways_multiply_and_clusters_hang_together_side_by_side() {
        let machine = Machine { pays: Pays::Ways, ..SMALL };
        assert_eq!(won(&machine, [[2, 2, 9], [0, 9, 2], [2, 9, 9]]), [(2, 5, 400)]);
        assert_eq!(won(&machine, [[2, 9, 9], [2, 2, 9], [9, 9, 9]]), [(2, 3, 40)]);
        let table: &[&[u32]] = &[&[], &[], &[10, 70], &[5, 30]];
        let machine = Machine { pays: Pays::Clusters(&[3, 5]), table, ..SMALL };
        assert_eq!(won(&machine, [[2, 2, 9], [9, 2, 9], [9, 9, 2]]), [(2, 3, 10)]);
        assert_eq!(won(&machine, [[2, 2, 9], [9, 0, 9], [9, 3, 3]]), [(2, 3, 10), (3, 3, 5)]);
        assert_eq!(won(&machine, [[2, 2, 2], [9, 0, 9], [9, 2, 9]]), [(2, 5, 70)]);
    }

    #[test]
    fn what_falls_out_makes_room_at_the_top() {
        let source = Source::Weights { reels: 3, weights: &[0, 0, 0, 1] };
        let machine = Machine { source, ..SMALL };
        let mut grid = grid([[9, 2, 8], [7, 9, 9], [2, 2, 2]]);
        let gone = [(0, 1), (2, 0), (2, 1), (2, 2)];
        grid.fall(&gone, &machine, &mut stream(1)).expect("symbols");
        assert_eq!(grid.reels, [[3, 9, 8], [7, 9, 9], [3, 3, 3]]);
    }

    /// Spins every stop of a small machine, and compares the result with the counted return.
    #[test]
    fn the_counted_return_is_that_of_all_stops() {
        const STRIPS: &[&[Symbol]] =
            &[&[2, 3, 1, 2, 3, 3], &[0, 2, 3, 1, 3], &[2, 1, 3, 0, 2, 3, 3]];
        for pays in [Pays::Lines(&[&[0, 0, 0], &[0, 1, 2], &[2, 2, 1]]), Pays::Ways] {
            let machine = Machine { source: Source::Strips(STRIPS), pays, ..SMALL };
            let (mut paid, mut scattered, mut spins) = (0_u128, 0_u128, 0_u128);
            let scatter = SMALL.scatter.expect("a scatter");
            for stop in 0..6 * 5 * 7 {
                let stops = [stop % 6, stop / 6 % 5, stop / 30];
                let reels = STRIPS.iter().zip(stops);
                let reels = reels.map(|(strip, stop)| grid::shown(strip, 3, stop)).collect();
                let grid = Grid { reels };
                paid += wins::find(&machine, &grid)
                    .iter()
                    .map(|win| u128::from(win.hundredths))
                    .sum::<u128>();
                let count = wins::scatters(&machine, &grid).len();
                scattered += u128::from(at_most_last(scatter.pays, count));
                spins += u128::from(at_most_last(scatter.spins, count));
            }
            let spun = machine.share().times(Fraction::new(paid, 100 * 210)).expect("in range");
            let spin = spun.plus(Fraction::new(scattered, 100 * 210)).expect("in range");
            let free = spin.times(Fraction::new(2 * spins, 210)).expect("in range");
            assert_eq!(returns::count(&machine), spin.plus(free).ok());
        }
    }

    #[test]
    fn a_round_ends_where_the_machine_pays_no_more() {
        let machine = Machine { most: 1, ..SMALL };
        let rich = (0..50).map(|number| spin(&machine, &mut stream(number)).expect("a round"));
        let full = rich.filter(|book| book.events.last() == Some(&Event::Most));
        assert!(full.map(|book| book.multiple).all(|multiple| multiple == machine.greatest()));
    }
}
