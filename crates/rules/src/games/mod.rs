//! The studio's games: each is one file of pure rules.
//!
//! A round is a function of the fair stream, the terms, the player's choice and the player's
//! actions so far. So the only state of a round with several steps is the list of its actions: it
//! is replayed from its beginning for every further step, and a verifier does the same.

mod any;
pub mod dice;
mod hilo;
pub mod jackpot;
mod keno;
mod limbo;
mod mines;
mod multiple;
mod plinko;
mod scratch;
pub mod slots;
mod wheel;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use any::{AnyGame, CASH_OUT, GAMES, GIVE_BACK, Told, find};
pub use dice::Dice;
pub use hilo::Hilo;
pub use keno::Keno;
pub use limbo::Limbo;
pub use mines::Mines;
pub use multiple::{Fraction, Multiple};
pub use plinko::Plinko;
pub use scratch::Scratch;
pub use slots::{Fiesta, Reef, Sari, Windows};
pub use wheel::Wheel;

use crate::fair::{DrawError, Stream};
use crate::money::{Amount, Overflow};

/// The stake of a round and its payout limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The stake.
    pub stake: Amount,
    /// The payout limit.
    pub most: Amount,
}

/// Why a round cannot be played or continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The choice is invalid; the text names the wrong part.
    #[error("the choice cannot be played: {0}")]
    Choice(&'static str),
    /// The action is not possible now; the text says why.
    #[error("the action cannot be done: {0}")]
    Action(&'static str),
    /// A win would pay more than the house allows.
    #[error("the possible payout is too large")]
    Payout,
    /// An amount cannot be represented.
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// The stream gave no number.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

/// The state of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress<E> {
    /// The round is over.
    Over(Book<E>),
    /// The player has to act next.
    Open(Turn<E>),
}

/// The record of a finished round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book<E> {
    /// The events in order.
    pub events: Vec<E>,
    /// The factor of the stake that is paid; zero for a loss.
    pub multiple: Multiple,
}

/// The record of a round that waits for the player's next action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn<E> {
    /// The events so far, in order.
    pub events: Vec<E>,
    /// What the player gets for cashing out now, if that is possible.
    pub cash_out: Option<Multiple>,
}

/// A game of one player against the house.
pub trait Game {
    /// The player's choice before the round.
    type Choice: DeserializeOwned + Serialize;
    /// The player's action during the round; [`Never`] in a game of one step.
    type Action: DeserializeOwned + Serialize;
    /// Something that happens during the round.
    type Event: Serialize;

    /// The game's code, on the wire and in the fair stream.
    const CODE: &'static str;

    /// Whether the player acts during the round.
    const HAS_STEPS: bool = false;
    /// Whether the game feeds the jackpot and may win it.
    const HAS_JACKPOT: bool = false;

    /// The default choice.
    fn usual() -> Self::Choice;

    /// Whether the choice can be played.
    fn check(choice: &Self::Choice) -> Result<(), Refused>;

    /// The most that the next step can win; in a game of one step, the most of the round.
    fn greatest(choice: &Self::Choice) -> Multiple;

    /// The return to player of a choice, before payouts are rounded down.
    fn returns(choice: &Self::Choice) -> Fraction;

    /// Plays a round from its beginning through these actions.
    fn play(
        stream: &mut Stream,
        terms: &Terms,
        choice: &Self::Choice,
        actions: &[Self::Action],
    ) -> Result<Progress<Self::Event>, Refused>;
}

/// No action is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Never {}

/// No choice is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plain {}

/// The variance of the wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Many small wins.
    Low,
    /// In between.
    Medium,
    /// Few large wins.
    High,
}

impl Risk {
    /// All risks.
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];
}

/// Draws `count` different numbers below `n`, in the order of the draw.
fn draw_distinct(stream: &mut Stream, n: u8, count: u8) -> Result<Vec<u8>, DrawError> {
    let mut numbers: Vec<u8> = (0..n).collect();
    shuffle_front(stream, &mut numbers, usize::from(count))?;
    numbers.truncate(usize::from(count));
    Ok(numbers)
}

/// Shuffles `count` random items to the front of a list; every order is equally likely.
fn shuffle_front<T>(stream: &mut Stream, items: &mut [T], count: usize) -> Result<(), DrawError> {
    for place in 0..count.min(items.len()) {
        let left = u64::try_from(items.len() - place).map_err(|_| DrawError::Range)?;
        let drawn = usize::try_from(stream.below(left)?).map_err(|_| DrawError::Range)?;
        items.swap(place, place + drawn);
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::fair::ServerSeed;

    /// The stream of round `number`, for tests.
    pub(crate) fn stream(number: u64) -> Stream {
        let seed = ServerSeed::from_bytes(Sha256::digest(b"a seed for tests").into());
        Stream::new(&seed, "a player", number, "test")
    }

    /// Terms with a stake of ten and nearly no payout limit.
    pub(crate) fn generous() -> Terms {
        let stake = Amount::from_units(100_000);
        Terms { stake, most: Amount::from_units(1_000_000_000_000_000) }
    }

    #[test]
    fn distinct_numbers_are_drawn_in_every_order_alike() {
        let mut counts = std::collections::BTreeMap::new();
        for number in 0..60_000 {
            let drawn = draw_distinct(&mut stream(number), 4, 3).expect("numbers");
            *counts.entry(drawn).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), 24);
        // 2,500 of each are expected; five standard deviations are 245.
        assert!(counts.values().all(|count| (count - 2_500).abs() < 245), "{counts:?}");
    }

    #[test]
    fn a_round_in_which_nothing_was_risked_can_be_given_back_and_no_other() {
        let terms = generous();
        for game in GAMES {
            let choice = game.usual_choice().expect("a choice");
            let give_back = |actions: &[&str]| {
                let actions: Vec<_> = actions.iter().map(|action| (*action).to_owned()).collect();
                game.play(&mut stream(7), &terms, &choice, &actions)
            };
            let given = give_back(&[GIVE_BACK]);
            assert_eq!(given.is_ok(), game.has_steps(), "{}", game.code());
            assert!(given.is_err() || given.is_ok_and(|state| state.payout == Some(terms.stake)));
            assert!(give_back(&[GIVE_BACK, GIVE_BACK]).is_err());
        }
        let mines = find("mines").expect("mines");
        let actions = [r#"{"pick":3}"#.to_owned(), GIVE_BACK.to_owned()];
        assert!(mines.play(&mut stream(7), &terms, r#"{"mines":1}"#, &actions).is_err());
    }

    #[test]
    fn codes_are_different_and_games_are_found_by_them() {
        for game in GAMES {
            assert_eq!(find(game.code()).map(AnyGame::code), Some(game.code()));
        }
        assert!(find("roulette").is_none());
    }

    #[test]
    fn choices_of_any_shape_are_read_or_refused() {
        for game in GAMES {
            for bad in ["", "null", "7", r#"{"more":1}"#, r#"{"mines":-1}"#, "{\"rows\":8.5}"] {
                assert!(game.read_choice(bad).is_err(), "{} {bad}", game.code());
            }
        }
        let keno = find("keno").expect("keno");
        assert_eq!(keno.read_choice("{ \"picks\" : [3, 1] }").as_deref(), Ok(r#"{"picks":[3,1]}"#));
        let mines = find("mines").expect("mines");
        assert_eq!(mines.read_action(r#"{"pick":7}"#).as_deref(), Ok(r#"{"pick":7}"#));
        assert!(mines.read_action(r#"{"pick":700}"#).is_err());
        assert!(keno.read_action(r#""cashOut""#).is_err());
        for game in GAMES {
            assert!(game.read_action(GIVE_BACK).is_err(), "{} gives back when asked", game.code());
            assert_eq!(game.read_action(CASH_OUT).is_ok(), game.has_steps(), "{}", game.code());
        }
    }
}
