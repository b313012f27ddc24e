//! API views of rounds, for the players' and the office's API.

use std::collections::HashMap;

use capiz_rules::games::Told;
use capiz_rules::money::Currency;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::model::OpenRound;
use super::rounds::PublicSeedPair;
use super::steps::{RoundProgress, StepResult};
use super::{jackpots, seeds, store};
use crate::Studio;
use platform::error::ApiError;
use wallet::Balance;

/// One event of a round. Its other fields depend on the game. The last event of a finished round is
/// the payout.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only describes in the API document what the rules write")]
struct RoundEvent {
    r#type: String,
    #[serde(flatten)]
    rest: HashMap<String, Value>,
}

/// Whether a round is still open.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum RoundState {
    Open,
    Over,
}

/// A round with all that is needed to show it again and to verify it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Round {
    id: Uuid,
    game_code: String,
    state: RoundState,
    currency: String,
    stake: String,
    /// 0 while the round is open.
    payout: String,
    /// The maximum payout when the round was played; some rules stop the round there.
    most: String,
    /// The player's choice.
    #[schema(value_type = HashMap<String, Value>)]
    choice: Box<RawValue>,
    /// The player's actions, for a round of several steps.
    #[schema(value_type = Vec<Value>)]
    actions: Box<RawValue>,
    /// The events of the round, in order.
    #[schema(value_type = Vec<RoundEvent>)]
    book: Box<RawValue>,
    /// The payout if the player cashes out now; null if that is not possible.
    #[schema(required)]
    cash_out: Option<String>,
    /// The jackpot that the round has won, if any. It is paid in addition to the payout.
    #[schema(required)]
    pub(super) jackpot: Option<String>,
    seed: RoundSeed,
    nonce: i64,
    played_at: DateTime<Utc>,
    /// The balance after the round; only in answers to playing it.
    pub(super) balance: Option<Balance>,
}

/// The seed pair that decided a round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoundSeed {
    id: Uuid,
    /// SHA-256 of the server seed, known before the round.
    commitment: String,
    client_seed: String,
    /// The server seed; only once the pair is retired.
    server_seed: Option<String>,
}

impl From<&PublicSeedPair> for RoundSeed {
    fn from(seed: &PublicSeedPair) -> Self {
        Self {
            id: seed.id,
            commitment: seed.commitment.clone(),
            client_seed: seed.client_seed.clone(),
            server_seed: seed.server_seed.clone(),
        }
    }
}

fn raw_json(text: impl Into<String>) -> Result<Box<RawValue>, ApiError> {
    RawValue::from_string(text.into()).map_err(ApiError::internal)
}

impl Round {
    /// A view of a recorded round.
    pub(super) fn over(round: games::Round, seed: &PublicSeedPair) -> Result<Self, ApiError> {
        Ok(Self {
            id: round.id,
            game_code: round.game_code.into_owned(),
            state: RoundState::Over,
            currency: round.currency.code().to_owned(),
            stake: round.stake.to_string(),
            payout: round.payout.to_string(),
            most: round.most.to_string(),
            choice: raw_json(round.choice)?,
            actions: raw_json(round.actions)?,
            book: raw_json(round.book)?,
            cash_out: None,
            jackpot: None,
            seed: seed.into(),
            nonce: round.nonce,
            played_at: round.played_at,
            balance: None,
        })
    }

    /// A view of an open round.
    pub(super) fn open(
        round: OpenRound,
        outcome: Told,
        seed: &PublicSeedPair,
    ) -> Result<Self, ApiError> {
        Ok(Self {
            id: round.id,
            state: RoundState::Open,
            currency: round.currency.code().to_owned(),
            stake: round.stake.to_string(),
            payout: "0".to_owned(),
            most: round.most.to_string(),
            actions: raw_json(round.actions_text())?,
            choice: raw_json(round.choice)?,
            book: raw_json(outcome.events)?,
            cash_out: outcome.cash_out.map(|amount| amount.to_string()),
            jackpot: None,
            seed: seed.into(),
            nonce: round.nonce,
            played_at: round.begun_at,
            game_code: round.game_code,
            balance: None,
        })
    }

    /// A view of a round of several steps after a step.
    pub(super) fn stepped(result: StepResult, currency: Currency) -> Result<Self, ApiError> {
        let StepResult { round, seed, balance } = result;
        let view = match round {
            RoundProgress::Open(round, outcome) => Self::open(round, outcome, &seed)?,
            RoundProgress::Over(round) => Self::over(round, &seed)?,
        };
        Ok(Self { balance: Some(Balance::new(currency, balance.0, balance.1)), ..view })
    }
}

/// Views of a member's recorded rounds, with their seed pairs and the jackpots that they won.
pub(super) async fn with_seeds(
    app: &Studio,
    member_id: Uuid,
    rounds: Vec<games::Round>,
) -> Result<Vec<Round>, ApiError> {
    let ids: Vec<_> = rounds.iter().map(|round| round.seed_id).collect();
    let mut db = app.db.acquire().await?;
    let seeds = store::list_seeds(&mut db, member_id, &ids).await?;
    let jackpots = jackpots::list_won(&mut db, member_id, &rounds).await?;
    let views = rounds.into_iter().map(|round| {
        let seed = seeds.get(&round.seed_id);
        let seed = seed.ok_or_else(|| ApiError::internal("the seed pair of a round is missing"))?;
        let jackpot = jackpots.get(&round.id).map(ToString::to_string);
        let view = Round::over(round, &seeds::public_pair(&app.seed_vault, seed)?)?;
        Ok(Round { jackpot, ..view })
    });
    views.collect()
}
