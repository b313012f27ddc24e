//! All games behind one object-safe interface, with choices, actions and events as JSON.

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

/// The action that ends a round and pays the current win, in every game with several steps.
pub const CASH_OUT: &str = r#""cashOut""#;
/// The action with which the house closes an abandoned round before anything was risked: the stake
/// is paid back.
pub const GIVE_BACK: &str = r#""giveBack""#;

/// The game with this code.
pub fn find(code: &str) -> Option<&'static dyn AnyGame> {
    GAMES.iter().copied().find(|game| game.code() == code)
}

/// The state of a round, as it is stored and sent to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// All events so far, as a JSON array. The last event of a finished round is its payout.
    pub events: String,
    /// The payout, once the round is over.
    pub payout: Option<Amount>,
    /// What the player gets for cashing out now, while the round is open.
    pub cash_out: Option<Amount>,
    /// Whether the round won the jackpot, which is paid separately.
    pub has_jackpot: bool,
}

/// A game with its types erased, see [`Game`].
pub trait AnyGame: Send + Sync {
    /// The game's code.
    fn code(&self) -> &'static str;

    /// Parses a choice and returns its canonical JSON.
    fn read_choice(&self, text: &str) -> Result<String, Refused>;

    /// Parses an action and returns its canonical JSON.
    fn read_action(&self, text: &str) -> Result<String, Refused>;

    /// Whether the choice can be played with this stake and payout limit.
    fn check_terms(&self, choice: &str, terms: &Terms) -> Result<(), Refused>;

    /// Whether the player acts during the round.
    fn has_steps(&self) -> bool;

    /// The default choice, as canonical JSON.
    fn usual_choice(&self) -> Result<String, Refused>;

    /// Whether the game feeds the jackpot and may win it.
    fn has_jackpot(&self) -> bool;

    /// The return to player of the default choice, including the jackpot.
    fn usual_return(&self) -> Fraction;

    /// The return to player of a choice, without the jackpot.
    fn returns(&self, choice: &str) -> Result<Fraction, Refused>;

    /// Plays a round from its beginning through these actions.
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
    /// The payout including the stake; `0` for a loss.
    amount: Amount,
    /// The payout as a multiple of the stake, before rounding to the payable unit.
    multiplier: String,
}

fn read<T: DeserializeOwned>(text: &str, refused: Refused) -> Result<T, Refused> {
    serde_json::from_str(text).map_err(|_| refused)
}

/// Serializes a value of the rules as JSON; this fails for none of them.
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

fn describe_end<G: Game>(
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

/// Ends a round in which nothing was risked yet: the stake is paid back.
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

fn describe_open<E: Serialize>(turn: &Turn<E>, stake: Amount) -> Result<Told, Refused> {
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
            Progress::Over(book) => describe_end::<G>(stream, &book, terms),
            Progress::Open(turn) => describe_open(&turn, terms.stake),
        }
    }
}
