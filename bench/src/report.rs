//! Prints medians and ratios.

use std::time::Duration;

use crate::load::Measurement;

/// The measurements of the reference, then those of the server.
pub type Measurements = [Vec<Measurement>; 2];

/// A name, and our rate divided by the reference's rate.
pub type Ratio = (String, f64);

/// Prints the medians of one load.
pub fn print(name: &str, path: &str, measurements: &Measurements) {
    println!("{name} ({path})");
    println!("  {:<12} {:>12} {:>10} {:>10}", "", "requests/s", "p50 ms", "p99 ms");
    for (who, measurements) in ["bare axum", "capiz"].into_iter().zip(measurements) {
        let rate = median(measurements.iter().map(|one| one.rate));
        let half = median(measurements.iter().map(|one| milliseconds(one.median)));
        let slow = median(measurements.iter().map(|one| milliseconds(one.slowest_percent)));
        println!("  {who:<12} {rate:>12.0} {half:>10.2} {slow:>10.2}");
    }
}

/// The ratio of a load.
pub fn ratio(name: &str, [bare, capiz]: &Measurements) -> Ratio {
    let rates =
        |measurements: &[Measurement]| measurements.iter().map(|one| one.rate).collect::<Vec<_>>();
    (name.to_owned(), ratio_of(&rates(capiz), &rates(bare)))
}

/// The median of the ratios of paired measurements, so that a slow period of the machine affects
/// both sides.
pub fn ratio_of(ours: &[f64], reference: &[f64]) -> f64 {
    median(ours.iter().zip(reference).map(|(ours, reference)| ours / reference))
}

/// Prints one line for each ratio, in a format that scripts can parse.
pub fn print_ratios(ratios: &[Ratio]) {
    for (name, ratio) in ratios {
        println!("ratio {name} {ratio:.3}");
    }
}

/// A time in milliseconds.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The median; of an even number of values the upper one.
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
