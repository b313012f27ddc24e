//! Rounds and winners.

use std::borrow::Cow;

use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// A round to be recorded.
#[derive(Clone, Debug)]
pub struct NewRound {
    /// Its id.
    pub id: Uuid,
    /// Who played.
    pub member_id: Uuid,
    /// Where.
    pub merchant_id: Uuid,
    /// What.
    pub game_code: Cow<'static, str>,
    /// In which money.
    pub currency: Currency,
    /// What it cost.
    pub stake: Amount,
    /// What it paid.
    pub payout: Amount,
    /// The most that it could have paid.
    pub most: Amount,
    /// What the player chose, as JSON.
    pub choice: String,
    /// What the player did in it, in order, as JSON.
    pub actions: Cow<'static, str>,
    /// What happened, in order, as JSON.
    pub book: String,
    /// The seed pair that decided it.
    pub seed_id: Uuid,
    /// Which draw of that pair.
    pub nonce: i64,
    /// When.
    pub played_at: DateTime<Utc>,
}

/// What the audit knows of a round that is not over.
#[derive(Clone, Debug)]
pub struct OpenStake {
    /// Who plays.
    pub member_id: Uuid,
    /// The round.
    pub id: Uuid,
    /// What it cost.
    pub stake: Amount,
    /// In which money.
    pub currency: Currency,
    /// The seed pair that decides it.
    pub seed_id: Uuid,
    /// Which draw of that pair.
    pub nonce: i64,
}

/// A recorded round.
pub type Round = NewRound;

/// A line of the winners board.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WinnerEntry {
    /// The player's name, masked.
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
    /// Whether the winners board shows it: a win of real money.
    pub fn is_public_win(&self) -> bool {
        self.payout > self.stake && self.currency != Currency::Fun
    }
}

/// The push event of a win.
pub fn winner_event(round: &Round, game_name: &str, nickname: &str) -> Value {
    json!({ "type": "winner", "entry": WinnerEntry::new(round, game_name, nickname) })
}

/// Enough of a name for its owner to know it, too little for others.
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
