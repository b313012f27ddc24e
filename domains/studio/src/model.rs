//! Types of the studio: players, bets, and open rounds.

use capiz_rules::fair::{ServerSeed, Stream};
use capiz_rules::games::{self as rules, AnyGame, Refused, Terms, Told};
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use games::{Game, NewRound};
use members::MemberKind;
use platform::error::ApiError;

/// Stakes must be a multiple of this.
const STAKE_UNIT: Amount = Amount::from_units(100);

/// The member who plays, with the currency of the stake.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// The member's id.
    pub member_id: Uuid,
    /// The member's merchant.
    pub merchant_id: Uuid,
    /// The kind of account.
    pub kind: MemberKind,
    /// The currency that is played with.
    pub currency: Currency,
    /// Whether the game is forbidden at the player's location.
    pub is_restricted: bool,
}

/// A bet with a choice that the game's rules have validated.
#[derive(Clone)]
pub struct Bet {
    pub(super) rules: &'static dyn AnyGame,
    pub(super) stake: Amount,
    /// The choice as JSON, as the rules normalize it.
    pub(super) choice: String,
}

impl Bet {
    /// Parses a bet on one of our games.
    pub fn new(game_code: &str, stake: Amount, choice: &Value) -> Result<Self, ApiError> {
        let unknown = || ApiError::new(games::codes::UNKNOWN_GAME);
        let rules = rules::find(game_code).ok_or_else(unknown)?;
        let choice = rules.read_choice(&choice.to_string()).map_err(refusal)?;
        Ok(Self { rules, stake, choice })
    }

    /// The name of the call, for the idempotency key's hash.
    pub(super) fn call(&self) -> String {
        format!("play/{}", self.rules.code())
    }

    /// The body of the call, for the idempotency key's hash.
    pub(super) fn text(&self) -> Result<String, ApiError> {
        let choice: Value = serde_json::from_str(&self.choice).map_err(ApiError::internal)?;
        Ok(json!({ "stake": self.stake, "choice": choice }).to_string())
    }

    /// The stake and the maximum payout.
    pub(super) fn terms(&self, game: &Game) -> Terms {
        Terms { stake: self.stake, most: game.limits.max_payout }
    }

    /// Checks that the game accepts this bet from this player.
    pub(super) fn check(&self, player: Player, game: &Game) -> Result<(), ApiError> {
        game.check_player(player.kind)?;
        let limits = game.limits;
        let is_in_range = (limits.min_stake..=limits.max_stake).contains(&self.stake);
        if !is_in_range || !self.stake.is_positive() || !self.stake.is_multiple_of(STAKE_UNIT) {
            return Err(ApiError::new(games::codes::STAKE_OUT_OF_RANGE));
        }
        self.rules.check_terms(&self.choice, &self.terms(game)).map_err(refusal)
    }
}

/// Converts a refusal of the rules to an API error.
pub(super) fn refusal(error: Refused) -> ApiError {
    match error {
        Refused::Choice(part) => ApiError::new(games::codes::CHOICE_INVALID)
            .message(format!("This cannot be played: {part}")),
        Refused::Action(why) => {
            ApiError::new(games::codes::ACTION_INVALID).message(format!("Not possible: {why}"))
        }
        Refused::Overflow(_) => ApiError::new(games::codes::STAKE_OUT_OF_RANGE),
        Refused::Payout => ApiError::new(games::codes::PAYOUT_TOO_LARGE),
        Refused::Draw(cause) => ApiError::internal(cause),
    }
}

/// A round of several steps that is not over.
#[derive(Clone, Debug)]
pub struct OpenRound {
    pub(super) id: Uuid,
    pub(super) member_id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) game_code: String,
    pub(super) currency: Currency,
    pub(super) stake: Amount,
    pub(super) most: Amount,
    /// The choice as JSON.
    pub(super) choice: String,
    /// The player's actions so far, each as JSON.
    pub(super) actions: Vec<String>,
    pub(super) seed_id: Uuid,
    pub(super) nonce: i64,
    pub(super) begun_at: DateTime<Utc>,
    pub(super) moved_at: DateTime<Utc>,
}

impl OpenRound {
    /// The rules of the round's game.
    pub(super) fn rules(&self) -> Result<&'static dyn AnyGame, ApiError> {
        let missing = || ApiError::internal("there are no rules for the game of an open round");
        rules::find(&self.game_code).ok_or_else(missing)
    }

    /// Replays the round from its seeds and all its actions.
    pub(super) fn play(
        &self,
        server_seed: &ServerSeed,
        client_seed: &str,
    ) -> Result<Told, ApiError> {
        let rules = self.rules()?;
        let nonce = u64::try_from(self.nonce).map_err(ApiError::internal)?;
        let mut stream = Stream::new(server_seed, client_seed, nonce, rules.code());
        let terms = Terms { stake: self.stake, most: self.most };
        rules.play(&mut stream, &terms, &self.choice, &self.actions).map_err(refusal)
    }

    /// The actions as one JSON array.
    pub(super) fn actions_text(&self) -> String {
        format!("[{}]", self.actions.join(","))
    }

    /// The record of the round once it is over.
    pub(super) fn ended(self, book: String, payout: Amount, now: DateTime<Utc>) -> NewRound {
        let actions = self.actions_text();
        NewRound {
            id: self.id,
            member_id: self.member_id,
            merchant_id: self.merchant_id,
            game_code: self.game_code.into(),
            currency: self.currency,
            stake: self.stake,
            payout,
            most: self.most,
            choice: self.choice,
            actions: actions.into(),
            book,
            seed_id: self.seed_id,
            nonce: self.nonce,
            played_at: now,
        }
    }
}
