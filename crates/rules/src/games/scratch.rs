//! Scratch card: nine fields; three equal symbols win their prize.
//!
//! The prize is drawn first, with the probabilities printed on the card. Then the fields are filled
//! so that exactly the prize's symbol appears three times, or none does.

use serde::{Deserialize, Serialize};

use super::{
    Book, Fraction, Game, Multiple, Never, Plain, Progress, Refused, Terms, shuffle_front,
};
use crate::fair::{DrawError, Stream};

/// The number of fields on a card.
pub const FIELDS: usize = 9;
/// How many equal symbols win.
const ALIKE: usize = 3;
/// The number of possible draws.
const DRAWS: u32 = 1_000_000;

/// Prizes in hundredths of the stake, and how many of a million draws win each. The index of a
/// prize is the number of its symbol.
pub const PRIZES: [(u32, u32); 8] = [
    (100, 160_000),
    (200, 90_000),
    (500, 30_000),
    (1_000, 12_000),
    (2_500, 4_000),
    (10_000, 1_000),
    (100_000, 90),
    (500_000, 10),
];

/// The game.
pub struct Scratch;

/// The events of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// The card.
    Card {
        /// The symbol of each field, as the index of a prize.
        fields: Vec<u8>,
        /// The index of the prize that the card wins.
        prize: Option<u8>,
    },
}

/// The prize of a draw.
fn prize_of(draw: u32) -> Option<usize> {
    let mut below = 0;
    PRIZES.iter().position(|(_, chance)| {
        below += chance;
        draw < below
    })
}

/// Fills the fields. Each losing symbol is in the pool only twice, so none can appear three times.
fn fill(stream: &mut Stream, prize: Option<usize>) -> Result<Vec<u8>, DrawError> {
    let symbols: Vec<u8> = (0..).take(PRIZES.len()).collect();
    let winning: Vec<u8> = match prize.and_then(|prize| symbols.get(prize)) {
        Some(symbol) => vec![*symbol; ALIKE],
        None => Vec::new(),
    };
    let others = symbols.iter().filter(|symbol| !winning.contains(symbol));
    let mut others: Vec<u8> = others.flat_map(|symbol| [*symbol, *symbol]).collect();
    let missing = FIELDS - winning.len();
    shuffle_front(stream, &mut others, missing)?;
    others.truncate(missing);
    let mut fields = [winning, others].concat();
    shuffle_front(stream, &mut fields, FIELDS)?;
    Ok(fields)
}

impl Game for Scratch {
    type Choice = Plain;
    type Action = Never;
    type Event = Event;

    const CODE: &'static str = "scratch";

    fn usual() -> Plain {
        Plain {}
    }

    fn check(_: &Plain) -> Result<(), Refused> {
        Ok(())
    }

    fn greatest(_: &Plain) -> Multiple {
        Multiple::hundredths(PRIZES[PRIZES.len() - 1].0)
    }

    fn returns(_: &Plain) -> Fraction {
        let paid = PRIZES.iter().map(|(pays, chance)| u128::from(*pays) * u128::from(*chance));
        Fraction::new(paid.sum(), 100 * u128::from(DRAWS))
    }

    fn play(
        stream: &mut Stream,
        _: &Terms,
        _: &Plain,
        _: &[Never],
    ) -> Result<Progress<Event>, Refused> {
        let prize = prize_of(stream.below(DRAWS.into())?);
        let fields = fill(stream, prize)?;
        let multiple = prize.map_or(Multiple::NOTHING, |at| Multiple::hundredths(PRIZES[at].0));
        let prize = prize.map(u8::try_from).transpose().map_err(|_| DrawError::Range)?;
        Ok(Progress::Over(Book { events: vec![Event::Card { fields, prize }], multiple }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tests::stream;

    #[test]
    fn the_printed_chances_are_those_of_all_draws() {
        let mut counts = [0; PRIZES.len()];
        for prize in (0..DRAWS).filter_map(prize_of) {
            counts[prize] += 1;
        }
        assert_eq!(counts, PRIZES.map(|(_, chance)| chance));
        assert_eq!(Scratch::returns(&Plain {}), Fraction::new(95, 100));
    }

    #[test]
    fn a_card_shows_its_prize_and_no_other() {
        for number in 0..2_000 {
            let prize = usize::try_from(number % 9).ok().filter(|at| *at < PRIZES.len());
            let fields = fill(&mut stream(number), prize).expect("a card");
            assert_eq!(fields.len(), FIELDS);
            for symbol in 0..PRIZES.len() {
                let count = fields.iter().filter(|field| usize::from(**field) == symbol).count();
                assert_eq!(count == ALIKE, prize == Some(symbol), "{fields:?}");
                assert!(count <= ALIKE);
            }
        }
    }
}
