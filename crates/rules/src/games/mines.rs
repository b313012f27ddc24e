//! Mines: 25 tiles, some of which hide a mine. Each safe tile raises the win; the player cashes out
//! at any time, and a mine loses the stake.
//!
//! After *k* safe tiles with *m* mines the win is `0.99 × C(25, k) / C(25 − m, k)`, so every
//! strategy returns 99 % of the stake.

use serde::{Deserialize, Serialize};

use super::{Book, Fraction, Game, Multiple, Progress, Refused, Terms, Turn, draw_distinct};
use crate::fair::Stream;
use crate::money::Overflow;

/// The number of tiles.
pub const TILES: u8 = 25;
const RETURNED: Fraction = Fraction::new(99, 100);

/// The game.
pub struct Mines;

/// The player's choice of the number of mines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// 1 to 24.
    pub mines: u8,
}

/// The player's actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// Turns a tile over.
    Pick(u8),
    /// Pays the current win.
    CashOut,
}

/// The events of a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// A tile was turned over.
    Tile {
        /// The tile, 0 to 24.
        tile: u8,
        /// Whether the tile hides no mine.
        safe: bool,
        /// The current win as a multiple of the stake, if the tile was safe.
        multiplier: String,
    },
    /// The positions of all mines, revealed at the end.
    Mines {
        /// The tiles with a mine.
        tiles: Vec<u8>,
    },
}

/// The win after one more safe tile, following `safe` safe tiles.
fn raised(win: Multiple, safe: u8, mines: u8) -> Result<Multiple, Overflow> {
    win.times(u32::from(TILES - safe), u32::from(TILES - mines - safe))
}

impl Game for Mines {
    type Choice = Choice;
    type Action = Action;
    type Event = Event;

    const CODE: &'static str = "mines";
    const HAS_STEPS: bool = true;

    fn usual() -> Choice {
        Choice { mines: 3 }
    }

    fn check(choice: &Choice) -> Result<(), Refused> {
        match (1..TILES).contains(&choice.mines) {
            true => Ok(()),
            false => Err(Refused::Choice("mines")),
        }
    }

    fn greatest(choice: &Choice) -> Multiple {
        let safe = TILES.saturating_sub(choice.mines).max(1);
        let first = RETURNED.times(Fraction::new(TILES.into(), safe.into()));
        Multiple::of_fraction(first.unwrap_or(Fraction::ZERO))
    }

    fn returns(_: &Choice) -> Fraction {
        RETURNED
    }

    fn play(
        stream: &mut Stream,
        terms: &Terms,
        choice: &Choice,
        actions: &[Action],
    ) -> Result<Progress<Event>, Refused> {
        let mut field = Field {
            mines: draw_distinct(stream, TILES, choice.mines)?,
            win: Multiple::of_fraction(RETURNED),
            picked: Vec::new(),
            events: Vec::new(),
        };
        for (number, action) in actions.iter().enumerate() {
            let is_over = match action {
                Action::Pick(tile) => field.pick(*tile, terms)?,
                Action::CashOut if field.picked.is_empty() => {
                    return Err(Refused::Action("nothing is won yet"));
                }
                Action::CashOut => true,
            };
            if is_over {
                return match number + 1 == actions.len() {
                    true => Ok(Progress::Over(field.end())),
                    false => Err(Refused::Action("the round is over")),
                };
            }
        }
        let cash_out = (!field.picked.is_empty()).then_some(field.win);
        Ok(Progress::Open(Turn { events: field.events, cash_out }))
    }
}

struct Field {
    mines: Vec<u8>,
    win: Multiple,
    picked: Vec<u8>,
    events: Vec<Event>,
}

impl Field {
    /// Turns a tile over. Returns whether the round is over then.
    fn pick(&mut self, tile: u8, terms: &Terms) -> Result<bool, Refused> {
        if tile >= TILES || self.picked.contains(&tile) {
            return Err(Refused::Action("no such tile is left"));
        }
        let safe = !self.mines.contains(&tile);
        self.win = match safe {
            true => raised(self.win, self.safe_count()?, self.mine_count()?)?,
            false => Multiple::NOTHING,
        };
        self.picked.push(tile);
        self.events.push(Event::Tile { tile, safe, multiplier: self.win.to_string() });
        Ok(!safe || self.is_at_the_end(terms)?)
    }

    /// Whether no safe tile is left, or the next one would win more than the house pays. Then the
    /// round ends and pays the current win.
    fn is_at_the_end(&self, terms: &Terms) -> Result<bool, Refused> {
        let (safe, mines) = (self.safe_count()?, self.mine_count()?);
        if safe + mines == TILES {
            return Ok(true);
        }
        Ok(raised(self.win, safe, mines)?.of(terms.stake)? > terms.most)
    }

    fn safe_count(&self) -> Result<u8, Overflow> {
        u8::try_from(self.picked.len()).map_err(|_| Overflow)
    }

    fn mine_count(&self) -> Result<u8, Overflow> {
        u8::try_from(self.mines.len()).map_err(|_| Overflow)
    }

    fn end(mut self) -> Book<Event> {
        self.mines.sort_unstable();
        self.events.push(Event::Mines { tiles: self.mines });
        Book { events: self.events, multiple: self.win }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tests::{generous, stream};

    fn binomial(n: u128, k: u128) -> u128 {
        (1..=k).fold(1, |product, i| product * (n - k + i) / i)
    }

    /// Checks, for every number of mines and every k, that the probability of finding k safe tiles
    /// times the win for them is the stated return.
    #[test]
    fn stopping_at_any_time_returns_99_percent() {
        for mines in 1..TILES {
            let mut win = Multiple::of_fraction(RETURNED);
            for safe in 0..TILES - mines {
                win = raised(win, safe, mines).expect("in range");
                let k = u128::from(safe) + 1;
                let chance = Fraction::new(
                    binomial(u128::from(TILES - mines), k),
                    binomial(u128::from(TILES), k),
                );
                assert_eq!(win.fraction().times(chance), Ok(RETURNED), "{mines} {safe}");
            }
        }
    }

    #[test]
    fn a_round_goes_on_until_a_mine_or_a_stop() {
        let choice = Choice { mines: 3 };
        let play = |actions: &[Action]| Mines::play(&mut stream(1), &generous(), &choice, actions);
        let Ok(Progress::Over(book)) = play(&[Action::Pick(0), Action::CashOut]) else {
            panic!("the first tile of this stream is safe");
        };
        let Some(Event::Mines { tiles }) = book.events.last() else { panic!("no mines") };
        let safe: Vec<u8> = (0..TILES).filter(|tile| !tiles.contains(tile)).collect();
        let all: Vec<Action> = safe.iter().map(|tile| Action::Pick(*tile)).collect();
        assert!(matches!(play(&all[..21]), Ok(Progress::Open(_))));
        let Ok(Progress::Over(whole)) = play(&all) else { panic!("all safe tiles end it") };
        assert_eq!(whole.multiple.to_string(), "2277");
        let Ok(Progress::Over(lost)) = play(&[Action::Pick(safe[0]), Action::Pick(tiles[0])])
        else {
            panic!("a mine ends it");
        };
        assert!(!lost.multiple.is_win());
        let refused = [
            vec![Action::CashOut],
            vec![Action::Pick(TILES)],
            vec![Action::Pick(safe[0]), Action::Pick(safe[0])],
            vec![Action::Pick(tiles[0]), Action::CashOut],
        ];
        for actions in refused {
            assert!(matches!(play(&actions), Err(Refused::Action(_))), "{actions:?}");
        }
    }

    #[test]
    fn the_round_ends_before_it_wins_more_than_the_house_pays() {
        let terms = Terms { most: "20".parse().expect("an amount"), ..generous() };
        let choice = Choice { mines: 24 };
        // The stake is 10, and the only safe tile would pay 247.5.
        let every = (0..TILES)
            .map(|tile| Mines::play(&mut stream(2), &terms, &choice, &[Action::Pick(tile)]));
        assert!(every.into_iter().all(|played| matches!(played, Ok(Progress::Over(_)))));
        let choice = Choice { mines: 5 };
        let safe = (0..TILES).find(|tile| {
            let played = Mines::play(&mut stream(2), &generous(), &choice, &[Action::Pick(*tile)]);
            matches!(played, Ok(Progress::Open(_)))
        });
        let tight = Terms { most: "12.5".parse().expect("an amount"), ..generous() };
        let pick = [Action::Pick(safe.expect("a safe tile"))];
        let Ok(Progress::Over(book)) = Mines::play(&mut stream(2), &tight, &choice, &pick) else {
            panic!("the next tile would pay 15.6");
        };
        assert_eq!(book.multiple.to_string(), "1.2375");
    }
}
