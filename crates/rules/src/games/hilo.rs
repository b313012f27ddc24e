//! Hi-lo: the player guesses whether the next card is higher or lower than the open one, as often
//! as they like, until they cash out or guess wrong.
//!
//! An equal rank wins with both guesses, except beside an ace or a king, where one guess would be
//! certain: there one guess means a different rank and the other the same rank. A guess that *c* of
//! 13 ranks win multiplies the win by `13 / c`, the first guess also by 0.99, so that every
//! strategy returns 99 % of the stake.

use serde::{Deserialize, Serialize};

use super::{Book, Fraction, Game, Multiple, Plain, Progress, Refused, Terms, Turn};
use crate::fair::{DrawError, Stream};

const CARDS: u64 = 52;
const RANKS: u8 = 13;
/// The most guesses in one round; with more, the exact multiplier would overflow.
const MAX_GUESSES: usize = 20;
/// The most cards in one round.
const MAX_CARDS: usize = 40;
const RETURNED: Fraction = Fraction::new(99, 100);

/// The game.
pub struct Hilo;

/// The player's actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// The next card is higher, or the same.
    Higher,
    /// The next card is lower, or the same.
    Lower,
    /// Draws another card without a guess.
    Skip,
    /// Pays the current win.
    CashOut,
}

/// The events of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// A card was turned over.
    Card {
        /// 1, the ace, to 13, the king.
        rank: u8,
        /// 0 to 3.
        suit: u8,
        /// Whether the guess was right; absent for the first card and after a skip.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        guessed: Option<bool>,
        /// The current win as a multiple of the stake.
        multiplier: String,
    },
}

#[derive(Clone, Copy)]
struct Card {
    rank: u8,
    suit: u8,
}

fn draw(stream: &mut Stream) -> Result<Card, DrawError> {
    let card = u8::try_from(stream.below(CARDS)?).map_err(|_| DrawError::Range)?;
    Ok(Card { rank: card % RANKS + 1, suit: card / RANKS })
}

/// Whether a guess at card `rank` wins if the next card is `next`.
fn wins(guess: Action, rank: u8, next: u8) -> bool {
    match (guess, rank) {
        (Action::Higher, 1) => next > 1,
        (Action::Lower, RANKS) => next < RANKS,
        (Action::Higher, _) => next >= rank,
        (Action::Lower, _) => next <= rank,
        (Action::Skip | Action::CashOut, _) => false,
    }
}

/// How many ranks win with a guess: never none, never all.
fn winning(guess: Action, rank: u8) -> u32 {
    (1..=RANKS).map(|next| u32::from(wins(guess, rank, next))).sum()
}

impl Game for Hilo {
    type Choice = Plain;
    type Action = Action;
    type Event = Event;

    const CODE: &'static str = "hilo";
    const HAS_STEPS: bool = true;

    fn usual() -> Plain {
        Plain {}
    }

    fn check(_: &Plain) -> Result<(), Refused> {
        Ok(())
    }

    fn greatest(_: &Plain) -> Multiple {
        let first = RETURNED.times(Fraction::new(RANKS.into(), 1));
        Multiple::of_fraction(first.unwrap_or(Fraction::ZERO))
    }

    fn returns(_: &Plain) -> Fraction {
        RETURNED
    }

    fn play(
        stream: &mut Stream,
        terms: &Terms,
        _: &Plain,
        actions: &[Action],
    ) -> Result<Progress<Event>, Refused> {
        let mut hand = Hand::deal(stream)?;
        for (number, action) in actions.iter().enumerate() {
            let is_over = match action {
                Action::Higher | Action::Lower => hand.guess(stream, *action, terms)?,
                Action::Skip => hand.skip(stream)?,
                Action::CashOut if hand.guesses == 0 => {
                    return Err(Refused::Action("nothing is won yet"));
                }
                Action::CashOut => true,
            };
            if is_over {
                return match number + 1 == actions.len() {
                    true => Ok(Progress::Over(Book { events: hand.events, multiple: hand.win })),
                    false => Err(Refused::Action("the round is over")),
                };
            }
        }
        let cash_out = (hand.guesses > 0).then_some(hand.win);
        Ok(Progress::Open(Turn { events: hand.events, cash_out }))
    }
}

struct Hand {
    card: Card,
    win: Multiple,
    guesses: usize,
    events: Vec<Event>,
}

impl Hand {
    fn deal(stream: &mut Stream) -> Result<Self, DrawError> {
        let card = draw(stream)?;
        let win = Multiple::of_fraction(RETURNED);
        let mut hand = Self { card, win, guesses: 0, events: Vec::new() };
        hand.note(None);
        Ok(hand)
    }

    fn note(&mut self, guessed: Option<bool>) {
        let Card { rank, suit } = self.card;
        // Before the first guess the win is the stake itself.
        let win = if self.guesses == 0 { Multiple::hundredths(100) } else { self.win };
        self.events.push(Event::Card { rank, suit, guessed, multiplier: win.to_string() });
    }

    fn skip(&mut self, stream: &mut Stream) -> Result<bool, Refused> {
        if self.events.len() == MAX_CARDS {
            return Err(Refused::Action("no more cards can be skipped"));
        }
        self.card = draw(stream)?;
        self.note(None);
        Ok(false)
    }

    fn guess(
        &mut self,
        stream: &mut Stream,
        guess: Action,
        terms: &Terms,
    ) -> Result<bool, Refused> {
        let win = self.win.times(RANKS.into(), winning(guess, self.card.rank))?;
        if win.of(terms.stake)? > terms.most {
            return Err(Refused::Payout);
        }
        let next = draw(stream)?;
        let right = wins(guess, self.card.rank, next.rank);
        self.win = if right { win } else { Multiple::NOTHING };
        self.guesses += 1;
        self.card = next;
        self.note(Some(right));
        Ok(!right || self.guesses == MAX_GUESSES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tests::{generous, stream};

    #[test]
    fn every_guess_at_every_card_is_fair_but_for_the_first_hundredth() {
        for rank in 1..=RANKS {
            for guess in [Action::Higher, Action::Lower] {
                let count = winning(guess, rank);
                assert!((1..=12).contains(&count), "{rank} {guess:?}");
                let win = Multiple::hundredths(100).times(RANKS.into(), count).expect("in range");
                let chance = Fraction::new(count.into(), RANKS.into());
                assert_eq!(win.fraction().times(chance), Ok(Fraction::new(1, 1)));
            }
            // For every next card one of the two guesses wins; beside ace and king exactly one.
            for next in 1..=RANKS {
                let both = [Action::Higher, Action::Lower].map(|guess| wins(guess, rank, next));
                assert!(both[0] || both[1], "{rank} {next}");
            }
        }
    }

    #[test]
    fn the_longest_round_can_be_counted() {
        let mut win = Multiple::of_fraction(RETURNED);
        for _ in 0..MAX_GUESSES {
            win = win.times(RANKS.into(), 12).expect("in range");
        }
        assert!(win.of(generous().stake).is_ok());
    }

    #[test]
    fn a_round_ends_with_a_wrong_guess_or_a_stop() {
        let play = |actions: &[Action]| Hilo::play(&mut stream(3), &generous(), &Plain {}, actions);
        assert!(matches!(play(&[]), Ok(Progress::Open(Turn { cash_out: None, .. }))));
        let right = [Action::Higher, Action::Lower]
            .into_iter()
            .find(|guess| matches!(play(&[*guess]), Ok(Progress::Open(_))));
        let right = right.expect("one of the two is right");
        let Ok(Progress::Over(book)) = play(&[right, Action::CashOut]) else { panic!("a stop") };
        assert!(book.multiple.is_win());
        assert!(matches!(play(&[Action::CashOut]), Err(Refused::Action(_))));
        assert!(matches!(play(&[right, Action::CashOut, right]), Err(Refused::Action(_))));
        let skips = vec![Action::Skip; MAX_CARDS - 1];
        assert!(matches!(play(&skips), Ok(Progress::Open(_))));
        let skips = vec![Action::Skip; MAX_CARDS];
        assert!(matches!(play(&skips), Err(Refused::Action(_))));
        let tight = Terms { most: generous().stake, ..generous() };
        let played = Hilo::play(&mut stream(3), &tight, &Plain {}, &[right]);
        assert_eq!(played, Err(Refused::Payout));
    }
}
