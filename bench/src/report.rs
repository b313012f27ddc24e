//! Medians, the table and the ratios.

use std::time::Duration;

use crate::load::Turn;

/// The turns of the reference, then those of the server.
pub type Turns = [Vec<Turn>; 2];

/// A name, and how many times the reference's rate ours was.
pub type Ratio = (String, f64);

/// Prints the medians of one load.
pub fn print(name: &str, path: &str, turns: &Turns) {
    println!("{name} ({path})");
    println!("  {:<12} {:>12} {:>10} {:>10}", "", "requests/s", "p50 ms", "p99 ms");
    for (who, turns) in ["bare axum", "capiz"].into_iter().zip(turns) {
        let rate = median(turns.iter().map(|turn| turn.rate));
        let half = median(turns.iter().map(|turn| milliseconds(turn.median)));
        let slow = median(turns.iter().map(|turn| milliseconds(turn.slowest_percent)));
        println!("  {who:<12} {rate:>12.0} {half:>10.2} {slow:>10.2}");
    }
}

/// The ratio of a load.
pub fn ratio(name: &str, [bare, capiz]: &Turns) -> Ratio {
    let rates = |turns: &[Turn]| turns.iter().map(|turn| turn.rate).collect::<Vec<_>>();
    (name.to_owned(), ratio_of(&rates(capiz), &rates(bare)))
}

/// The median ratio of neighbouring turns, so that a slow spell of the machine reaches both
/// sides.
pub fn ratio_of(ours: &[f64], reference: &[f64]) -> f64 {
    median(ours.iter().zip(reference).map(|(ours, reference)| ours / reference))
}

/// Prints one line for each ratio, read by other programs.
pub fn print_ratios(ratios: &[Ratio]) {
    for (name, ratio) in ratios {
        println!("ratio {name} {ratio:.3}");
    }
}

/// A time in milliseconds.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The middle value; of an even number the upper one of the two.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0].into_iter()), 4.0);
        assert!(median(std::iter::empty()).is_nan());
    }

    #[test]
    fn a_ratio_is_that_of_neighbours() {
        assert_eq!(ratio_of(&[2.0, 30.0, 4.0], &[1.0, 10.0, 1.0]), 3.0);
    }
}
