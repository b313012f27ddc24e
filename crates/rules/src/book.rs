//! The book of a round: what happened, in order, ending with the payout.
//!
//! The server stores it and the game's frame plays it; nobody computes anything from it.

use serde::{Deserialize, Serialize};

use crate::dice::Direction;
use crate::money::Amount;

/// One thing that happened in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum BookEvent {
    /// The dice of [`crate::dice`] were rolled.
    Roll {
        /// 0 to 9999, shown as 00.00 to 99.99.
        roll: u32,
        /// What it was to be under or over.
        target: u32,
        /// Under or over.
        direction: Direction,
        /// Whether it was.
        won: bool,
    },
    /// The round's last event.
    Payout {
        /// What the player gets, the stake included; `0` for a loss.
        amount: Amount,
        /// The payout as a multiple of the stake, before rounding to the payable unit.
        multiplier: String,
    },
}

/// A whole round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// What happened, in order.
    pub events: Vec<BookEvent>,
    /// What the last event pays.
    pub payout: Amount,
}
