//! The games behind one interface, with choices, actions and events as JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{
    Fiesta, Fraction, Game, Hilo, Keno, Limbo, Mines, Multiple, Plinko, Progress, Reef, Refused,
    Sari, Scratch, Terms, Wheel, Windows,
};
use crate::fair::Stream;
use crate::money::{Amount, Overflow};

/// Every game of the studio.
pub static GAMES: &[&dyn AnyGame] =
    &[&Limbo, &Mines, &Plinko, &Hilo, &Wheel, &Keno, &Scratch, &Reef, &Windows, &Sari, &Fiesta];

/// The game of a code.
pub fn find(code: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.code() == code)
}

/// Where a round stands, as it is stored and told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What has happened, a JSON array; of a round that is over the last is its payout.
    pub events: String,
    /// What it pays, once it is over.
    pub payout: Option<Amount>,
    /// What the player gets for stopping now, while it is not over.
    pub cash_out: Option<Amount>,
}

/// A game whose types are not known where it is played.
pub trait AnyGame: Send + Sync {
    /// The game's code.
    fn code(&self) -> &'static str;

    /// Reads a choice, and gives the one text for it.
    fn read_choice(&self, text: &str) -> Result<String, Refused>;

    /// Reads an action, and gives the one text for it.
    fn read_action(&self, text: &str) -> Result<String, Refused>;

    /// Whether the house takes the choice on these terms.
    fn check_terms(&self, choice: &str, terms: &Terms) -> Result<(), Refused>;

    /// What comes back of a stake in the long run.
    fn returns(&self, choice: &str) -> Result<Fraction, Refused>;

    /// Plays a round up to where these actions lead.
    fn play(
        &self,
        stream: &mut Stream,
        terms: &Terms,
        choice: &str,
        actions: &[String],
    ) -> Result<Told, Refused>;
}

/// The last event of every round.
#[derive(Serialize)]
#[serde(tag = "type", rename = "payout")]
struct Payout {
    /// What the player gets, the stake included; `0` for a loss.
    amount: Amount,
    /// The payout as a multiple of the stake, before rounding to the payable unit.
    multiplier: String,
}

fn read<T: DeserializeOwned>(text: &str, refused: Refused) -> Result<T, Refused> {
    serde_json::from_str(text).map_err(|_| refused)
}

/// Whatever the rules make can be written.
fn write(value: &impl Serialize) -> Result<String, Refused> {
    serde_json::to_string(value).map_err(|_| Refused::Overflow(Overflow))
}

fn choice_of<G: Game>(text: &str) -> Result<G::Choice, Refused> {
    let choice = read(text, Refused::Choice("choice"))?;
    G::check(&choice).map(|()| choice)
}

fn action_of<G: Game>(text: &str) -> Result<G::Action, Refused> {
    read(text, Refused::Action("there is no such action"))
}

fn list(events: &[impl Serialize], payout: Option<&Payout>) -> Result<String, Refused> {
    let events = events.iter().map(write).chain(payout.map(write));
    let events = events.collect::<Result<Vec<_>, _>>()?;
    Ok(format!("[{}]", events.join(",")))
}

fn tell<E: Serialize>(progress: &Progress<E>, stake: Amount) -> Result<Told, Refused> {
    match progress {
        Progress::Over(book) => {
            let amount = book.multiple.of(stake)?;
            let payout = Payout { amount, multiplier: book.multiple.to_string() };
            let events = list(&book.events, Some(&payout))?;
            Ok(Told { events, payout: Some(amount), cash_out: None })
        }
        Progress::Open(turn) => {
            let cash_out = turn.cash_out.map(|win: Multiple| win.of(stake)).transpose()?;
            Ok(Told { events: list(&turn.events, None)?, payout: None, cash_out })
        }
    }
}

impl<G: Game + Send + Sync> AnyGame for G {
    fn code(&self) -> &'static str {
        G::CODE
    }

    fn read_choice(&self, text: &str) -> Result<String, Refused> {
        write(&choice_of::<G>(text)?)
    }

    fn read_action(&self, text: &str) -> Result<String, Refused> {
        write(&action_of::<G>(text)?)
    }

    fn check_terms(&self, choice: &str, terms: &Terms) -> Result<(), Refused> {
        let greatest = G::greatest(&choice_of::<G>(choice)?).of(terms.stake)?;
        if greatest > terms.most { Err(Refused::Payout) } else { Ok(()) }
    }

    fn returns(&self, choice: &str) -> Result<Fraction, Refused> {
        Ok(G::returns(&choice_of::<G>(choice)?))
    }

    fn play(
        &self,
        stream: &mut Stream,
        terms: &Terms,
        choice: &str,
        actions: &[String],
    ) -> Result<Told, Refused> {
        let choice = choice_of::<G>(choice)?;
        let actions = actions.iter().map(|action| action_of::<G>(action));
        let actions = actions.collect::<Result<Vec<_>, _>>()?;
        tell(&G::play(stream, terms, &choice, &actions)?, terms.stake)
    }
}
