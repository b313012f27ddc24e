//! Playing a round, and turning the seeds over.

use std::sync::Arc;

use capiz_rules::dice::{self, Choice, DiceError, Direction};
use capiz_rules::fair::ServerSeed;
use capiz_rules::money::{Amount, Currency};
use serde_json::json;
use uuid::Uuid;

use super::rounds::{Play, Played};
use super::seeds::{self, Pairs};
use super::store::SeedRow;
use crate::app::App;
use crate::codes::ErrorCode;
use crate::games::Game;
use crate::members::MemberKind;
use crate::platform::db;
use crate::platform::error::ApiError;
use crate::wallet::{Key, Locked, Receipt};

/// A bet on a roll, checked for its shape.
#[derive(Clone, Copy, Debug)]
pub struct DiceBet {
    /// What is staked.
    pub stake: Amount,
    /// What must come.
    pub choice: Choice,
}

impl DiceBet {
    /// Checks a bet as it came over the wire.
    pub fn new(stake: Amount, target: u32, direction: Direction) -> Result<Self, ApiError> {
        let choice = Choice::new(target, direction).map_err(refusal)?;
        Ok(Self { stake, choice })
    }

    /// What the idempotency key is bound to.
    fn text(self) -> String {
        json!({ "stake": self.stake, "choice": self.choice }).to_string()
    }
}

pub(super) fn refusal(error: DiceError) -> ApiError {
    match error {
        DiceError::Target => ApiError::fields([("target", "invalid")]).message(error.to_string()),
        DiceError::Stake | DiceError::Overflow(_) => ApiError::new(ErrorCode::GamesStakeOutOfRange),
        DiceError::Payout => ApiError::new(ErrorCode::GamesPayoutTooLarge),
        DiceError::Draw(cause) => ApiError::internal(cause),
    }
}

/// Who plays, and with which money.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// The member.
    pub member_id: Uuid,
    /// Its merchant.
    pub merchant_id: Uuid,
    /// Its type.
    pub kind: MemberKind,
    /// Its currency.
    pub currency: Currency,
}

/// Plays a round of dice. The same key and bet give the first answer again, for ever.
pub async fn play_dice(
    app: &App,
    player: Player,
    key: String,
    bet: DiceBet,
) -> Result<Receipt<Arc<Played>>, ApiError> {
    let (merchant_id, currency) = (player.merchant_id, player.currency);
    let game = app.catalogue.find_for(&app.db, merchant_id, currency, dice::CODE).await?;
    let game = game.ok_or_else(|| ApiError::new(ErrorCode::GamesUnknownGame))?;
    let key = Key::new(key, "play/dice", &bet.text());
    app.rounds.post(player.member_id, key, Play { player, game, bet }).await
}

/// Whether the game takes this bet from this player.
pub(super) fn check_bet(player: Player, game: &Game, bet: DiceBet) -> Result<(), ApiError> {
    game.check_player(player.kind)?;
    let limits = dice::Limits {
        min_stake: game.limits.min_stake,
        max_stake: game.limits.max_stake,
        max_payout: game.limits.max_payout,
    };
    limits.check(bet.choice, bet.stake).map_err(refusal)
}

/// A retired pair, open to everyone's check.
pub(super) struct Revealed {
    pub(super) row: SeedRow,
    pub(super) server_seed: ServerSeed,
}

/// A member's pairs as they are now: both from one snapshot, so that a rotation does not fall
/// between them.
pub(super) async fn find_pairs(app: &App, member_id: Uuid) -> Result<Pairs, ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        db::see_one_moment(&mut tx).await?;
        let pairs = seeds::find_pairs(&mut tx, member_id).await?;
        db::commit(tx).await?;
        Ok(pairs)
    })
    .await
}

/// Retires the active pair and puts the next one, long committed to, in use with the client
/// seed that the player has just chosen.
pub(super) async fn rotate(
    app: &App,
    member_id: Uuid,
    client_seed: String,
) -> Result<(Revealed, Pairs), ApiError> {
    app.run(move |app| async move {
        let (vault, now) = (&app.seed_vault, app.clock.now());
        let mut tx = app.db.begin().await?;
        // The wallet orders a member's rounds, so it orders rotations among them, too.
        Locked::lock(&mut tx, &[member_id]).await?;
        let pairs = seeds::find_pairs(&mut tx, member_id).await?;
        let (row, pairs) = seeds::turn_over(&mut tx, vault, pairs, client_seed, now).await?;
        db::commit(tx).await?;
        let server_seed = vault.open(&row).map_err(ApiError::internal)?;
        Ok((Revealed { row, server_seed }, pairs))
    })
    .await
}
