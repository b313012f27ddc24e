//! The games behind one interface, with choices, actions and events as JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{
    Book, Dice, Fiesta, Fraction, Game, Hilo, Keno, Limbo, Mines, Multiple, Plinko, Progress, Reef,
    Refused, Sari, Scratch, Terms, Turn, Wheel, Windows, jackpot,
};
use crate::fair::Stream;
use crate::money::{Amount, Overflow};

/// Every game of the studio.
pub static GAMES: &[&dyn AnyGame] = &[
    &Dice, &Limbo, &Mines, &Plinko, &Hilo, &Wheel, &Keno, &Scratch, &Reef, &Windows, &Sari, &Fiesta,
];

/// The action that takes the win, in every game of several steps.
pub const CASH_OUT: &str = r#""cashOut""#;
/// The house's own action in a round that was left before anything was risked: the stake comes back.
pub const GIVE_BACK: &str = r#""giveBack""#;

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
    /// Whether it won the jackpot, which is paid besides.
    pub has_jackpot: bool,
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

    /// Whether the player does something in it.
    fn has_steps(&self) -> bool;

    /// What its table opens with.
    fn usual_choice(&self) -> Result<String, Refused>;

    /// Whether it feeds the jackpot, and may win it.
    fn has_jackpot(&self) -> bool;

    /// What comes back of the usual choice in the long run, the jackpot included.
    fn usual_return(&self) -> Fraction;

    /// What comes back of a stake in the long run, the jackpot left aside.
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

fn list(events: &[impl Serialize], last: &[String]) -> Result<String, Refused> {
    let mut all = events.iter().map(write).collect::<Result<Vec<_>, _>>()?;
    all.extend_from_slice(last);
    Ok(format!("[{}]", all.join(",")))
}

fn tell_end<G: Game>(
    stream: &mut Stream,
    book: &Book<G::Event>,
    terms: &Terms,
) -> Result<Told, Refused> {
    let drawn = G::HAS_JACKPOT.then(|| jackpot::draw(stream, terms)).transpose()?;
    let amount = book.multiple.of(terms.stake)?;
    let payout = Payout { amount, multiplier: book.multiple.to_string() };
    let mut last = Vec::from_iter(drawn.as_ref().map(write).transpose()?);
    last.push(write(&payout)?);
    Ok(Told {
        events: list(&book.events, &last)?,
        payout: Some(amount),
        cash_out: None,
        has_jackpot: drawn.is_some_and(|drawn| drawn.won),
    })
}

/// Ends a round in which nothing was risked yet: the stake comes back.
fn give_back<G: Game>(
    stream: &mut Stream,
    terms: &Terms,
    choice: &G::Choice,
    actions: &[G::Action],
) -> Result<Told, Refused> {
    let Progress::Open(turn @ Turn { cash_out: None, .. }) =
        G::play(stream, terms, choice, actions)?
    else {
        return Err(Refused::Action("the round is over, or there is a win to take"));
    };
    let payout = Payout { amount: terms.stake, multiplier: "1".to_owned() };
    let last = [r#"{"type":"givenBack"}"#.to_owned(), write(&payout)?];
    let events = list(&turn.events, &last)?;
    Ok(Told { events, payout: Some(terms.stake), cash_out: None, has_jackpot: false })
}

fn tell_turn<E: Serialize>(turn: &Turn<E>, stake: Amount) -> Result<Told, Refused> {
    let cash_out = turn.cash_out.map(|win: Multiple| win.of(stake)).transpose()?;
    let events = list(&turn.events, &[])?;
    Ok(Told { events, payout: None, cash_out, has_jackpot: false })
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

    fn has_steps(&self) -> bool {
        G::HAS_STEPS
    }

    fn usual_choice(&self) -> Result<String, Refused> {
        write(&G::usual())
    }

    fn has_jackpot(&self) -> bool {
        G::HAS_JACKPOT
    }

    fn usual_return(&self) -> Fraction {
        let own = G::returns(&G::usual());
        match G::HAS_JACKPOT {
            true => own.plus(jackpot::returns()).unwrap_or(own),
            false => own,
        }
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
        let (actions, is_given_back) = match actions.split_last() {
            Some((last, before)) if last == GIVE_BACK => (before, true),
            _ => (actions, false),
        };
        let actions = actions.iter().map(|action| action_of::<G>(action));
        let actions = actions.collect::<Result<Vec<_>, _>>()?;
        if is_given_back {
            return give_back::<G>(stream, terms, &choice, &actions);
        }
        match G::play(stream, terms, &choice, &actions)? {
            Progress::Over(book) => tell_end::<G>(stream, &book, terms),
            Progress::Open(turn) => tell_turn(&turn, terms.stake),
        }
    }
}
