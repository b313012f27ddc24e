//! Finds the wins on a grid: lines, ways, clusters and scatters.

use super::grid::{Grid, Place};
use super::{Machine, Pays, Symbol};

/// A winning combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Win {
    pub(super) symbol: Symbol,
    pub(super) places: Vec<Place>,
    pub(super) ways: u32,
    /// What it pays, in hundredths of the machine's share.
    pub(super) hundredths: u32,
}

/// All wins except scatters.
pub(super) fn find(machine: &Machine, grid: &Grid) -> Vec<Win> {
    match machine.pays {
        Pays::Lines(lines) => {
            lines.iter().filter_map(|rows| line_win(machine, grid, rows)).collect()
        }
        Pays::Ways => ways(machine, grid),
        Pays::Clusters(sizes) => clusters(machine, grid, sizes),
    }
}

/// What symbols along a line pay: the symbol, how many, and hundredths. Leading wilds count as the
/// symbol that follows, or as wilds if that pays more.
pub(super) fn line_pay(machine: &Machine, symbols: &[Symbol]) -> Option<(Symbol, usize, u32)> {
    let wilds = symbols.iter().take_while(|symbol| machine.is_wild(**symbol)).count();
    let alone =
        machine.wild.filter(|_| wilds > 0).map(|wild| (wild, wilds, machine.pay(wild, wilds - 1)));
    let next = symbols.get(wilds).copied().filter(|symbol| !machine.is_scatter(*symbol));
    let joined = next.map(|symbol| {
        let is_alike = |other: &&Symbol| **other == symbol || machine.is_wild(**other);
        let count = symbols.iter().take_while(is_alike).count();
        (symbol, count, machine.pay(symbol, count - 1))
    });
    let best = [joined, alone].into_iter().flatten().max_by_key(|(_, _, pays)| *pays);
    best.filter(|(_, _, pays)| *pays > 0)
}

fn line_win(machine: &Machine, grid: &Grid, rows: &[u8]) -> Option<Win> {
    let places: Vec<Place> = (0_u8..).zip(rows.iter().copied()).collect();
    let symbols: Vec<Symbol> = places.iter().filter_map(|place| grid.at(*place)).collect();
    let (symbol, count, hundredths) = line_pay(machine, &symbols)?;
    Some(Win { symbol, places: places[..count].to_vec(), ways: 1, hundredths })
}

/// The symbols that can win by themselves.
fn plain_symbols(machine: &Machine) -> impl Iterator<Item = Symbol> {
    (0..)
        .take(machine.table.len())
        .filter(|symbol: &Symbol| !machine.is_wild(*symbol) && !machine.is_scatter(*symbol))
}

fn ways(machine: &Machine, grid: &Grid) -> Vec<Win> {
    plain_symbols(machine).filter_map(|symbol| ways_of(machine, grid, symbol)).collect()
}

fn ways_of(machine: &Machine, grid: &Grid, symbol: Symbol) -> Option<Win> {
    let (mut places, mut ways, mut reels) = (Vec::new(), 1_u32, 0);
    for reel in (0_u8..).take(grid.reels.len()) {
        let here = grid.places().filter(|(place, other)| {
            place.0 == reel && (*other == symbol || machine.is_wild(*other))
        });
        let here: Vec<Place> = here.map(|(place, _)| place).collect();
        if here.is_empty() {
            break;
        }
        ways = ways.saturating_mul(u32::try_from(here.len()).unwrap_or(u32::MAX));
        places.extend(here);
        reels += 1;
    }
    let pays = machine.pay(symbol, usize::checked_sub(reels, 1)?);
    let hundredths = pays.saturating_mul(ways);
    (hundredths > 0).then_some(Win { symbol, places, ways, hundredths })
}

fn clusters(machine: &Machine, grid: &Grid, sizes: &[u8]) -> Vec<Win> {
    plain_symbols(machine).flat_map(|symbol| clusters_of(machine, grid, sizes, symbol)).collect()
}

/// The clusters of one symbol. A wild may belong to clusters of different symbols, but each cluster
/// has at least one symbol of its own.
fn clusters_of(machine: &Machine, grid: &Grid, sizes: &[u8], symbol: Symbol) -> Vec<Win> {
    let joins = |other: Symbol| other == symbol || machine.is_wild(other);
    let mut seen: Vec<Place> = Vec::new();
    let mut wins = Vec::new();
    for (place, _) in grid.places().filter(|(_, other)| *other == symbol) {
        if seen.contains(&place) {
            continue;
        }
        let places = connected(grid, place, joins);
        seen.extend(places.iter().copied());
        let step = sizes.iter().take_while(|size| usize::from(**size) <= places.len()).count();
        let hundredths = step.checked_sub(1).map_or(0, |step| machine.pay(symbol, step));
        if hundredths > 0 {
            wins.push(Win { symbol, places, ways: 1, hundredths });
        }
    }
    wins
}

/// The positions connected with `start` by adjacent positions.
fn connected(grid: &Grid, start: Place, joins: impl Fn(Symbol) -> bool) -> Vec<Place> {
    let mut found = vec![start];
    let mut next = 0;
    while let Some((reel, row)) = found.get(next).copied() {
        next += 1;
        let around = [
            reel.checked_sub(1).map(|reel| (reel, row)),
            reel.checked_add(1).map(|reel| (reel, row)),
            row.checked_sub(1).map(|row| (reel, row)),
            row.checked_add(1).map(|row| (reel, row)),
        ];
        for place in around.into_iter().flatten() {
            if !found.contains(&place) && grid.at(place).is_some_and(&joins) {
                found.push(place);
            }
        }
    }
    found.sort_unstable();
    found
}

/// The positions of all scatters.
pub(super) fn scatters(machine: &Machine, grid: &Grid) -> Vec<Place> {
    let found = grid.places().filter(|(_, symbol)| machine.is_scatter(*symbol));
    found.map(|(place, _)| place).collect()
}
