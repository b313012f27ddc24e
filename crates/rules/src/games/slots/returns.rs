//! Computes the exact return to player of machines with reel strips.
//!
//! Every stop of a reel is equally likely and reels are independent, so each combination
//! contributes its pay times its probability. The cap on a round is ignored, because only a
//! vanishing part of rounds reaches it.

use std::collections::BTreeMap;

use super::grid::shown;
use super::wins::line_pay;
use super::{Machine, Pays, Source, Symbol, at_most_last};
use crate::games::Fraction;
use crate::money::Overflow;

/// The return to player. `None` for a machine with cascades, which have too many continuations to
/// enumerate.
pub(super) fn count(machine: &Machine) -> Option<Fraction> {
    let Source::Strips(strips) = machine.source else { return None };
    let spin = match machine.pays {
        Pays::Lines(_) => lines(machine, strips),
        Pays::Ways => ways(machine, strips),
        Pays::Clusters(_) => return None,
    };
    with_scatters(machine, strips, spin.ok()?).ok()
}

fn length(strip: &[Symbol]) -> u128 {
    u128::try_from(strip.len()).unwrap_or(1).max(1)
}

fn tally<T: Ord>(items: impl Iterator<Item = T>) -> BTreeMap<T, u128> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_insert(0) += 1;
    }
    counts
}

/// On a line, each reel shows a symbol as often as its strip contains it, and all lines are
/// equivalent.
fn lines(machine: &Machine, strips: &[&[Symbol]]) -> Result<Fraction, Overflow> {
    let counts: Vec<_> = strips.iter().map(|strip| tally(strip.iter().copied())).collect();
    let mut paid = 0;
    let mut symbols = Vec::new();
    add_lines(machine, &counts, &mut symbols, 1, &mut paid);
    let all: u128 = strips.iter().map(|strip| length(strip)).product();
    Ok(Fraction::new(paid, all * 100))
}

fn add_lines(
    machine: &Machine,
    counts: &[BTreeMap<Symbol, u128>],
    symbols: &mut Vec<Symbol>,
    ways: u128,
    paid: &mut u128,
) {
    let Some((reel, rest)) = counts.split_first() else {
        let pays = line_pay(machine, symbols).map_or(0, |(_, _, pays)| pays);
        *paid += ways * u128::from(pays);
        return;
    };
    for (symbol, count) in reel {
        symbols.push(*symbol);
        add_lines(machine, rest, symbols, ways * count, paid);
        symbols.pop();
    }
}

/// The ways of a symbol are the product of how often it shows on each reel. Reels are independent,
/// so the mean of the product is the product of the means.
fn ways(machine: &Machine, strips: &[&[Symbol]]) -> Result<Fraction, Overflow> {
    let mut all = Fraction::ZERO;
    for symbol in (0..).take(machine.table.len()) {
        if machine.is_wild(symbol) || machine.is_scatter(symbol) {
            continue;
        }
        let mut chance = Fraction::new(1, 1);
        for reels in 1..=strips.len() {
            chance = chance.times(mean(machine, strips[reels - 1], symbol))?;
            let ends = match strips.get(reels) {
                Some(next) => without(machine, next, symbol),
                None => Fraction::new(1, 1),
            };
            let pays = Fraction::new(machine.pay(symbol, reels - 1).into(), 100);
            all = all.plus(chance.times(ends)?.times(pays)?)?;
        }
    }
    Ok(all)
}

/// How often a symbol, or a wild, shows at each stop.
fn showing(machine: &Machine, strip: &[Symbol], symbol: Symbol) -> Vec<u128> {
    let counts = (0..strip.len()).map(|stop| {
        let seen = shown(strip, machine.rows, stop);
        let count = seen.iter().filter(|other| **other == symbol || machine.is_wild(**other));
        u128::try_from(count.count()).unwrap_or(0)
    });
    counts.collect()
}

fn mean(machine: &Machine, strip: &[Symbol], symbol: Symbol) -> Fraction {
    Fraction::new(showing(machine, strip, symbol).iter().sum(), length(strip))
}

fn without(machine: &Machine, strip: &[Symbol], symbol: Symbol) -> Fraction {
    let none = showing(machine, strip, symbol).iter().filter(|count| **count == 0).count();
    Fraction::new(u128::try_from(none).unwrap_or(0), length(strip))
}

/// Adds what scatters pay and the free spins that they give. Free spins give no further free spins.
fn with_scatters(
    machine: &Machine,
    strips: &[&[Symbol]],
    spin: Fraction,
) -> Result<Fraction, Overflow> {
    let Some(scatter) = machine.scatter else { return Ok(spin) };
    let (mut pays, mut spins) = (Fraction::ZERO, Fraction::ZERO);
    for (count, chance) in scatter_chances(machine, strips)? {
        let paid = Fraction::new(at_most_last(scatter.pays, count).into(), 100);
        let given = Fraction::new(at_most_last(scatter.spins, count).into(), 1);
        pays = pays.plus(chance.times(paid)?)?;
        spins = spins.plus(chance.times(given)?)?;
    }
    let paid = spin.plus(pays)?;
    let free = paid.times(Fraction::new(scatter.multiplier.into(), 1))?.times(spins)?;
    paid.plus(free)
}

/// The probability of each number of scatters.
fn scatter_chances(
    machine: &Machine,
    strips: &[&[Symbol]],
) -> Result<BTreeMap<usize, Fraction>, Overflow> {
    let mut chances = BTreeMap::from([(0, Fraction::new(1, 1))]);
    for strip in strips {
        let counts = tally((0..strip.len()).map(|stop| {
            let seen = shown(strip, machine.rows, stop);
            seen.iter().filter(|symbol| machine.is_scatter(**symbol)).count()
        }));
        let mut next = BTreeMap::new();
        for (before, chance) in &chances {
            for (count, stops) in &counts {
                let both = chance.times(Fraction::new(*stops, length(strip)))?;
                let sum: &mut Fraction = next.entry(before + count).or_insert(Fraction::ZERO);
                *sum = sum.plus(both)?;
            }
        }
        chances = next;
    }
    Ok(chances)
}
