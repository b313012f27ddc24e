//! Prints the figures as tables, and computes the ratios.

use std::collections::BTreeMap;

use super::chance::Spread;
use super::meter::Cell;
use super::plan::{Load, Who};
use crate::report::{Ratio, median, milliseconds, ratio_of};

/// The results of each load, one per round of measurements.
#[derive(Default)]
pub struct Table(BTreeMap<Load, Vec<Cell>>);

impl Table {
    /// Adds the result of a measurement.
    pub fn add(&mut self, load: Load, cell: Cell) {
        self.0.entry(load).or_default().push(cell);
    }

    /// Prints the medians.
    pub fn print(&self) {
        for spread in Spread::ALL {
            let name = match spread {
                Spread::Uniform => "rounds of dice, all members alike",
                Spread::Zipf => "rounds of dice, members by Zipf's law",
            };
            println!("{name}; processor time and log per round");
            print_head();
            for (load, cells) in self.0.iter().filter(|(load, _)| load.spread == spread) {
                print_row(&title(*load), cells);
            }
        }
    }

    /// The rates relative to the reference with its best number of connections, for the same
    /// distribution.
    pub fn ratios(&self) -> Vec<Ratio> {
        let ours = self.0.iter().filter(|(load, _)| load.who != Who::Reference);
        let ratio = |(load, cells): (&Load, &Vec<Cell>)| {
            let best = self.best_reference(load.spread);
            (load.name(), ratio_of(&rates(cells), &best))
        };
        ours.map(ratio).collect()
    }

    fn best_reference(&self, spread: Spread) -> Vec<f64> {
        let loads = self.0.iter().filter(|(load, _)| load.who == Who::Reference);
        let loads = loads.filter(|(load, _)| load.spread == spread).map(|(_, cells)| rates(cells));
        let middle = |rates: &Vec<f64>| median(rates.iter().copied());
        loads.max_by(|a, b| middle(a).total_cmp(&middle(b))).unwrap_or_default()
    }
}

fn rates(cells: &[Cell]) -> Vec<f64> {
    cells.iter().map(|cell| cell.measured.rate).collect()
}

fn title(load: Load) -> String {
    let Load { who, clients, .. } = load;
    match who {
        Who::Reference => format!("one transaction each, {clients} connections"),
        Who::Inside => format!("in process, {clients} clients"),
        Who::Http => format!("HTTP, {clients} connections"),
        Who::Browser => format!("HTTP, {clients} connections, a member each"),
    }
}

/// Prints the header of the table.
pub fn print_head() {
    println!(
        "  {:<42} {:>9} {:>15} {:>8} {:>8} {:>12} {:>10} {:>9} {:>7}",
        "",
        "rounds/s",
        "(least-most)",
        "p50 ms",
        "p99 ms",
        "PostgreSQL µs",
        "server µs",
        "this µs",
        "log B"
    );
}

/// Prints the medians of a load.
pub fn print_row(title: &str, cells: &[Cell]) {
    let middle = |of: fn(&Cell) -> f64| median(cells.iter().map(of));
    let rates = rates(cells);
    let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let most = rates.iter().copied().fold(0.0, f64::max);
    println!(
        "  {title:<42} {:>9.0} {:>15} {:>8.2} {:>8.2} {:>13.1} {:>10.1} {:>9.1} {:>7.0}",
        middle(|cell| cell.measured.rate),
        format!("({least:.0}-{most:.0})"),
        middle(|cell| milliseconds(cell.measured.median)),
        middle(|cell| milliseconds(cell.measured.slowest_percent)),
        middle(|cell| cell.postgres),
        middle(|cell| cell.server),
        middle(|cell| cell.own),
        middle(|cell| cell.log),
    );
}
