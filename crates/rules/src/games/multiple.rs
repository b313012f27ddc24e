//! Multiples of a stake, and returns to the player, as exact fractions.

use std::fmt;

use crate::money::{Amount, Overflow};

/// Payouts are rounded down to this unit, and stakes are a multiple of it.
const PAYOUT_UNIT: Amount = Amount::from_units(100);

/// A non-negative fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    numerator: u128,
    denominator: u128,
}

impl Fraction {
    /// Zero.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// A fraction. It is zero if the denominator is zero.
    pub const fn new(numerator: u128, denominator: u128) -> Self {
        let (mut divisor, mut rest) = (denominator, numerator);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        if divisor == 0 || denominator == 0 {
            return Self::ZERO;
        }
        Self { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// The numerator.
    pub const fn numerator(self) -> u128 {
        self.numerator
    }

    /// The denominator, never zero.
    pub const fn denominator(self) -> u128 {
        self.denominator
    }

    /// The product, or an error if it overflows.
    pub fn times(self, other: Self) -> Result<Self, Overflow> {
        // Reduced crosswise first, so that large factors that cancel out do not overflow.
        let one = Self::new(self.numerator, other.denominator);
        let two = Self::new(other.numerator, self.denominator);
        let numerator = one.numerator.checked_mul(two.numerator);
        let denominator = one.denominator.checked_mul(two.denominator);
        match (numerator, denominator) {
            (Some(numerator), Some(denominator)) => Ok(Self::new(numerator, denominator)),
            _ => Err(Overflow),
        }
    }

    /// The sum, or an error if it overflows.
    pub fn plus(self, other: Self) -> Result<Self, Overflow> {
        let shared = Self::new(self.denominator, other.denominator);
        let sum = || {
            let one = self.numerator.checked_mul(shared.denominator)?;
            let two = other.numerator.checked_mul(shared.numerator)?;
            let denominator = self.denominator.checked_mul(shared.denominator)?;
            Some(Self::new(one.checked_add(two)?, denominator))
        };
        sum().ok_or(Overflow)
    }

    /// As percent with four decimals, rounded down: `98.9106`.
    pub fn percent(self) -> Result<String, Overflow> {
        self.times(Self::new(100, 1)).and_then(|percent| percent.four_decimals())
    }

    fn four_decimals(self) -> Result<String, Overflow> {
        let scaled = self.numerator.checked_mul(10_000).ok_or(Overflow)? / self.denominator;
        i64::try_from(scaled)
            .map(|units| Amount::from_units(units).to_string())
            .map_err(|_| Overflow)
    }
}

/// A factor by which a stake is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multiple(Fraction);

impl Multiple {
    /// The stake is lost.
    pub const NOTHING: Self = Self(Fraction::ZERO);

    /// A multiple from hundredths of the stake.
    pub const fn hundredths(hundredths: u32) -> Self {
        // A cast, because `From` is not const.
        #[expect(clippy::as_conversions, reason = "u32 to u128 loses nothing")]
        Self(Fraction::new(hundredths as u128, 100))
    }

    /// A multiple from a fraction of the stake.
    pub const fn of_fraction(fraction: Fraction) -> Self {
        Self(fraction)
    }

    /// The exact value.
    pub const fn fraction(self) -> Fraction {
        self.0
    }

    /// Whether anything is paid.
    pub const fn is_win(self) -> bool {
        self.0.numerator > 0
    }

    /// This multiple times a fraction.
    pub fn times(self, numerator: u32, denominator: u32) -> Result<Self, Overflow> {
        self.0.times(Fraction::new(numerator.into(), denominator.into())).map(Self)
    }

    /// The payout of a stake, rounded down to the payable unit.
    pub fn of(self, stake: Amount) -> Result<Amount, Overflow> {
        let stake = u128::try_from(stake.units()).map_err(|_| Overflow)?;
        let product = self.0.times(Fraction::new(stake, 1))?;
        let units = i64::try_from(product.numerator / product.denominator).map_err(|_| Overflow)?;
        Amount::from_units(units).floor_to(PAYOUT_UNIT)
    }
}

impl fmt::Display for Multiple {
    /// With at most four decimals, rounded down.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.four_decimals().map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms_and_cancel_before_they_grow() {
        assert_eq!(Fraction::new(6, 4), Fraction::new(3, 2));
        assert_eq!(Fraction::new(5, 0), Fraction::ZERO);
        let large = Fraction::new(u128::MAX, 3);
        assert_eq!(large.times(Fraction::new(3, u128::MAX)), Ok(Fraction::new(1, 1)));
        assert_eq!(large.times(large), Err(Overflow));
        assert_eq!(Fraction::new(1, 6).plus(Fraction::new(3, 4)), Ok(Fraction::new(11, 12)));
        assert_eq!(Fraction::new(99, 100).percent().as_deref(), Ok("99"));
        assert_eq!(Fraction::new(2, 3).percent().as_deref(), Ok("66.6666"));
    }

    #[test]
    fn payouts_are_rounded_down_to_the_cent() {
        let stake: Amount = "3.33".parse().expect("an amount");
        assert_eq!(Multiple::hundredths(133).of(stake).map(|a| a.to_string()), Ok("4.42".into()));
        assert_eq!(Multiple::NOTHING.of(stake), Ok(Amount::ZERO));
        assert_eq!(Multiple::hundredths(1).of(Amount::from_units(-1)), Err(Overflow));
        assert_eq!(Multiple::hundredths(12_345).to_string(), "123.45");
        assert_eq!(Multiple::of_fraction(Fraction::new(1, 3)).to_string(), "0.3333");
    }
}
