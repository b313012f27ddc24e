//! Rounds on the wire.

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
use super::rounds::SeedShown;
use super::steps::{Standing, Stepped};
use super::{jackpots, seeds, store};
use crate::Studio;
use platform::error::ApiError;
use wallet::Balance;

/// One thing that happened in a round; what else it says depends on the game. The last of a round
/// that is over is its payout.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the rules write")]
struct RoundEvent {
    r#type: String,
    #[serde(flatten)]
    rest: HashMap<String, Value>,
}

/// Whether a round goes on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum RoundState {
    Open,
    Over,
}

/// A round, whole: it can be shown again and checked.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Round {
    id: Uuid,
    game_code: String,
    state: RoundState,
    currency: String,
    stake: String,
    /// 0 while it is open.
    payout: String,
    /// The most that the house paid in a round: rules that stop there depend on it.
    most: String,
    /// What the player chose.
    #[schema(value_type = HashMap<String, Value>)]
    choice: Box<RawValue>,
    /// What the player did in it.
    #[schema(value_type = Vec<Value>)]
    actions: Box<RawValue>,
    #[schema(value_type = Vec<RoundEvent>)]
    book: Box<RawValue>,
    /// What stopping now pays, while it is open and possible.
    #[schema(required)]
    cash_out: Option<String>,
    /// The jackpot, where it has won it; paid besides.
    #[schema(required)]
    pub(super) jackpot: Option<String>,
    seed: RoundSeed,
    nonce: i64,
    played_at: DateTime<Utc>,
    /// After the round; only in the answer to playing it.
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
    /// Shown once the pair is retired.
    server_seed: Option<String>,
}

impl From<&SeedShown> for RoundSeed {
    fn from(seed: &SeedShown) -> Self {
        Self {
            id: seed.id,
            commitment: seed.commitment.clone(),
            client_seed: seed.client_seed.clone(),
            server_seed: seed.server_seed.clone(),
        }
    }
}

fn json(text: impl Into<String>) -> Result<Box<RawValue>, ApiError> {
    RawValue::from_string(text.into()).map_err(ApiError::internal)
}

impl Round {
    /// A round that is recorded.
    pub(super) fn over(round: games::Round, seed: &SeedShown) -> Result<Self, ApiError> {
        Ok(Self {
            id: round.id,
            game_code: round.game_code.into_owned(),
            state: RoundState::Over,
            currency: round.currency.code().to_owned(),
            stake: round.stake.to_string(),
            payout: round.payout.to_string(),
            most: round.most.to_string(),
            choice: json(round.choice)?,
            actions: json(round.actions)?,
            book: json(round.book)?,
            cash_out: None,
            jackpot: None,
            seed: seed.into(),
            nonce: round.nonce,
            played_at: round.played_at,
            balance: None,
        })
    }

    /// A round in which it is the player's turn.
    pub(super) fn open(round: OpenRound, told: Told, seed: &SeedShown) -> Result<Self, ApiError> {
        Ok(Self {
            id: round.id,
            state: RoundState::Open,
            currency: round.currency.code().to_owned(),
            stake: round.stake.to_string(),
            payout: "0".to_owned(),
            most: round.most.to_string(),
            actions: json(round.actions_text())?,
            choice: json(round.choice)?,
            book: json(told.events)?,
            cash_out: told.cash_out.map(|amount| amount.to_string()),
            jackpot: None,
            seed: seed.into(),
            nonce: round.nonce,
            played_at: round.begun_at,
            game_code: round.game_code,
            balance: None,
        })
    }

    /// A round of several steps after one of them.
    pub(super) fn stepped(stepped: Stepped, currency: Currency) -> Result<Self, ApiError> {
        let Stepped { round, seed, balance } = stepped;
        let view = match round {
            Standing::Open(round, told) => Self::open(round, told, &seed)?,
            Standing::Over(round) => Self::over(round, &seed)?,
        };
        Ok(Self { balance: Some(Balance::new(currency, balance.0, balance.1)), ..view })
    }
}

/// Recorded rounds of a member, with the seeds that decided them and the jackpots they have won.
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
        let seed = seed.ok_or_else(|| ApiError::internal("a round without its seed"))?;
        let jackpot = jackpots.get(&round.id).map(ToString::to_string);
        let view = Round::over(round, &seeds::show(&app.seed_vault, seed)?)?;
        Ok(Round { jackpot, ..view })
    });
    views.collect()
}
