//! The data of rounds, and of wins on the winners board.

use std::borrow::Cow;

use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// A finished round, as it is inserted into `games_rounds`.
#[derive(Clone, Debug)]
pub struct NewRound {
    /// The id of the round.
    pub id: Uuid,
    /// The player.
    pub member_id: Uuid,
    /// The player's merchant.
    pub merchant_id: Uuid,
    /// The code of the game.
    pub game_code: Cow<'static, str>,
    /// The currency of stake and payout.
    pub currency: Currency,
    /// The total stake.
    pub stake: Amount,
    /// The payout.
    pub payout: Amount,
    /// The largest payout that was possible.
    pub most: Amount,
    /// The player's choice, as JSON.
    pub choice: String,
    /// The player's actions during the round, in order, as JSON.
    pub actions: Cow<'static, str>,
    /// The book: the list of events of the round, in order, as JSON.
    pub book: String,
    /// The seed pair that the outcome was drawn from.
    pub seed_id: Uuid,
    /// The nonce of the draw within that seed pair.
    pub nonce: i64,
    /// When the round was played.
    pub played_at: DateTime<Utc>,
}

/// The stake of a round that is still open, for the audit.
#[derive(Clone, Debug)]
pub struct OpenStake {
    /// The player.
    pub member_id: Uuid,
    /// The id of the round.
    pub id: Uuid,
    /// The total stake so far.
    pub stake: Amount,
    /// The currency of the stake.
    pub currency: Currency,
    /// The seed pair that the outcome is drawn from.
    pub seed_id: Uuid,
    /// The nonce of the draw within that seed pair.
    pub nonce: i64,
}

/// A round read from the database; it has the same fields as a new one.
pub type Round = NewRound;

/// An entry of the winners board.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WinnerEntry {
    /// The player's nickname, masked.
    pub(super) customer_name: String,
    pub(super) game_name: String,
    pub(super) game_code: String,
    pub(super) win_amount: String,
    pub(super) currency: String,
    pub(super) at: DateTime<Utc>,
}

impl WinnerEntry {
    pub(super) fn new(round: &Round, game_name: &str, nickname: &str) -> Self {
        Self {
            customer_name: mask(nickname),
            game_name: game_name.to_owned(),
            game_code: round.game_code.to_string(),
            win_amount: round.payout.to_string(),
            currency: round.currency.code().to_owned(),
            at: round.played_at,
        }
    }
}

impl NewRound {
    /// Whether the winners board shows the round: it won, and it was played with real money.
    pub fn is_public_win(&self) -> bool {
        self.payout > self.stake && self.currency != Currency::Fun
    }
}

/// The push event that adds a win to the winners board.
pub fn winner_event(round: &Round, game_name: &str, nickname: &str) -> Value {
    json!({ "type": "winner", "entry": WinnerEntry::new(round, game_name, nickname) })
}

/// Masks a name for public display: the first two characters, then `***`. Owners recognize their
/// own name, others cannot.
pub fn mask(name: &str) -> String {
    name.chars().take(2).chain("***".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn masks_names_of_any_length() {
        assert_eq!(mask("maria"), "ma***");
        assert_eq!(mask("ñ"), "ñ***");
        assert_eq!(mask(""), "***");
    }
}
