//! The grid of symbols on the reels: drawing it, and letting symbols fall.

use super::{Machine, Source, Symbol};
use crate::fair::{DrawError, Stream};

/// A position: reel and row.
pub(super) type Place = (u8, u8);

/// The symbols, reel by reel, each from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    pub(super) reels: Vec<Vec<Symbol>>,
}

impl Grid {
    /// Draws where the reels stop.
    pub(super) fn draw(machine: &Machine, stream: &mut Stream) -> Result<Self, DrawError> {
        let reels: Result<_, _> = match machine.source {
            Source::Strips(strips) => {
                strips.iter().map(|strip| window(strip, machine.rows, stream)).collect()
            }
            Source::Weights { reels, weights } => (0..reels)
                .map(|_| (0..machine.rows).map(|_| weighted(weights, stream)).collect())
                .collect(),
        };
        Ok(Self { reels: reels? })
    }

    pub(super) fn at(&self, (reel, row): Place) -> Option<Symbol> {
        self.reels.get(usize::from(reel))?.get(usize::from(row)).copied()
    }

    /// Every position with its symbol.
    pub(super) fn places(&self) -> impl Iterator<Item = (Place, Symbol)> {
        (0_u8..).zip(&self.reels).flat_map(|(reel, symbols)| {
            (0_u8..).zip(symbols).map(move |(row, symbol)| ((reel, row), *symbol))
        })
    }

    /// Removes symbols; those above fall down, and new ones come in at the top.
    pub(super) fn fall(
        &mut self,
        gone: &[Place],
        machine: &Machine,
        stream: &mut Stream,
    ) -> Result<(), DrawError> {
        let Source::Weights { weights, .. } = machine.source else { return Ok(()) };
        for (reel, symbols) in (0_u8..).zip(&mut self.reels) {
            let kept =
                (0_u8..).zip(symbols.iter()).filter(|(row, _)| !gone.contains(&(reel, *row)));
            let kept: Vec<Symbol> = kept.map(|(_, symbol)| *symbol).collect();
            let mut fresh = Vec::with_capacity(symbols.len());
            for _ in kept.len()..symbols.len() {
                fresh.push(weighted(weights, stream)?);
            }
            *symbols = [fresh, kept].concat();
        }
        Ok(())
    }
}

/// Draws a stop, and returns the symbols that the reel shows there.
fn window(strip: &[Symbol], rows: u8, stream: &mut Stream) -> Result<Vec<Symbol>, DrawError> {
    let length = u64::try_from(strip.len()).map_err(|_| DrawError::Range)?;
    let stop = usize::try_from(stream.below(length)?).map_err(|_| DrawError::Range)?;
    Ok(shown(strip, rows, stop))
}

/// The symbols that a reel shows at a stop; the strip wraps around.
pub(super) fn shown(strip: &[Symbol], rows: u8, stop: usize) -> Vec<Symbol> {
    strip.iter().copied().cycle().skip(stop).take(usize::from(rows)).collect()
}

fn weighted(weights: &[u32], stream: &mut Stream) -> Result<Symbol, DrawError> {
    let all = weights.iter().map(|weight| u64::from(*weight)).sum();
    let mut drawn = stream.below(all)?;
    for (symbol, weight) in (0..).zip(weights) {
        match drawn.checked_sub(*weight) {
            Some(rest) => drawn = rest,
            None => return Ok(symbol),
        }
    }
    Err(DrawError::Range)
}
