//! The progressive jackpot that some games share.
//!
//! A part of every stake goes into the pool. After a game's own draws one more draw decides whether
//! the round wins the pool, with a probability in proportion to the stake: ten times the stake has
//! ten times the chance, so no stake is a better deal than another.

use serde::Serialize;

use super::{Fraction, Refused, Terms};
use crate::fair::Stream;
use crate::money::{Amount, Overflow};

/// The name of the pool.
pub const POOL: &str = "capiz";
/// What the house puts into a new pool.
pub const SEED: Amount = Amount::from_units(100_000_000);
/// A stake of this many ten-thousandths, which is five million, would win with certainty.
const CHANCES: u64 = 50_000_000_000;
/// The draw consists of two numbers, because it exceeds one word: this is the range of the high
/// part.
const HIGH: u64 = 50_000;
/// The range of the low part.
const LOW: u64 = 1_000_000;
/// One part in this many of a stake goes into the pool.
pub const PARTS: i64 = 100;

/// The result of the jackpot draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "jackpot")]
pub struct Drawn {
    /// From 0 to 49,999,999,999; it wins if it is below the stake in ten-thousandths.
    drawn: u64,
    /// Whether the pool is won.
    pub won: bool,
}

/// Draws for the jackpot of one round.
pub(super) fn draw(stream: &mut Stream, terms: &Terms) -> Result<Drawn, Refused> {
    let drawn = u64::from(stream.below(HIGH)?) * LOW + u64::from(stream.below(LOW)?);
    let stake = u64::try_from(terms.stake.units()).map_err(|_| Overflow)?;
    Ok(Drawn { drawn, won: drawn < stake })
}

/// The part of a stake that goes into the pool.
pub fn share(stake: Amount) -> Result<Amount, Overflow> {
    stake.times_floor(1, PARTS)
}

/// The return to player through the pool: the parts of stakes and the seeds that the house adds.
pub fn returns() -> Fraction {
    let fed = Fraction::new(1, u128::from(PARTS.unsigned_abs()));
    let seed = Fraction::new(u128::from(SEED.units().unsigned_abs()), u128::from(CHANCES));
    fed.plus(seed).unwrap_or(fed)
}

#[cfg(test)]
mod tests {
    use super::super::tests::stream;
    use super::*;

    fn terms(stake: &str) -> Terms {
        Terms { stake: stake.parse().expect("an amount"), most: Amount::from_units(i64::MAX) }
    }

    #[test]
    fn both_parts_of_the_draw_make_every_number_once() {
        assert_eq!(HIGH * LOW, CHANCES);
        assert_eq!(returns(), Fraction::new(12, 1_000));
        assert_eq!(
            share("33.33".parse().expect("an amount")).map(|a| a.to_string()),
            Ok("0.3333".into())
        );
    }

    #[test]
    fn it_is_won_in_proportion_to_the_stake() {
        let wins = |stake: &str| {
            let terms = terms(stake);
            let won = |number: &u64| draw(&mut stream(*number), &terms).expect("a draw").won;
            (0..20_000).filter(won).count()
        };
        assert_eq!(wins("5000000"), 20_000);
        // The stake wins one draw in ten: 2,000 wins are expected, and five standard deviations are
        // 212.
        assert!(wins("500000").abs_diff(2_000) < 212);
        assert_eq!(wins("0.01"), 0);
    }

    #[test]
    fn a_number_wins_exactly_below_the_stake() {
        for number in 0..200 {
            let Drawn { drawn, .. } = draw(&mut stream(number), &terms("1")).expect("a draw");
            let units = i64::try_from(drawn).expect("a number");
            let at = |stake| {
                let terms = Terms { stake: Amount::from_units(stake), ..terms("1") };
                draw(&mut stream(number), &terms).expect("a draw").won
            };
            assert_eq!((at(units), at(units + 1)), (false, true));
        }
    }
}
