//! Use cases of the studio: play a round, read and rotate the seed pair.

use std::sync::Arc;

use capiz_rules::fair::ServerSeed;
use capiz_rules::money::Amount;
use uuid::Uuid;

use super::jackpots;
use super::model::{Bet, Player};
use super::rounds::{Play, Played};
use super::seeds::{self, Pairs};
use super::steps::{self, StepResult};
use super::steps_store;
use super::store::SeedRow;
use crate::Studio;
use games::Game;
use platform::db;
use platform::error::ApiError;
use wallet::{Key, Locked, Receipt};

/// The outcome of a bet.
pub(super) enum Outcome {
    /// A round of one step, and the jackpot if it won one.
    Played(Receipt<Arc<Played>>, Option<Amount>),
    /// A round of several steps.
    Stepped(Box<StepResult>),
}

/// Finds a game as the player's merchant offers it.
async fn find_game(app: &Studio, player: Player, code: &str) -> Result<Arc<Game>, ApiError> {
    let Player { merchant_id, currency, .. } = player;
    let game = app.games.catalogue.find_for(&app.db, merchant_id, currency, code).await?;
    let game = game.ok_or_else(|| ApiError::new(games::codes::UNKNOWN_GAME))?;
    Ok(match player.is_restricted {
        true => game.withheld(),
        false => game,
    })
}

/// Plays a bet. A repeated idempotency key with the same bet gets the first answer, for ever. Rare
/// branches are boxed to keep the future small: it is as large as its largest branch.
pub(super) async fn start(
    app: &Studio,
    player: Player,
    key: String,
    bet: Bet,
) -> Result<Outcome, ApiError> {
    if bet.rules.has_steps() {
        let game = find_game(app, player, bet.rules.code()).await?;
        let key = Key::new(key, &bet.call(), &bet.text()?);
        let result = Box::pin(steps::begin(app, player, key, game, bet)).await?;
        return Ok(Outcome::Stepped(Box::new(result)));
    }
    let receipt = play(app, player, key, bet).await?;
    let round = &receipt.record.round;
    // If the payment fails here, the job `studio.jackpots` pays it within seconds.
    let jackpot = match receipt.record.is_hit {
        true => {
            let paid = Box::pin(jackpots::pay(app, round.member_id, round.id)).await;
            paid.unwrap_or_else(|error| {
                tracing::warn!(
                    ?error,
                    "a jackpot is not paid yet: the job studio.jackpots pays it"
                );
                None
            })
        }
        false => None,
    };
    Ok(Outcome::Played(receipt, jackpot))
}

/// Plays a round of one step. It is decided, paid and committed when this returns.
pub async fn play(
    app: &Studio,
    player: Player,
    key: String,
    bet: Bet,
) -> Result<Receipt<Arc<Played>>, ApiError> {
    let game = find_game(app, player, bet.rules.code()).await?;
    let key = Key::new(key, &bet.call(), &bet.text()?);
    app.rounds.post(player.member_id, key, Play { player, game, bet }).await
}

/// A retired seed pair with its revealed server seed, which anybody can verify.
pub(super) struct Revealed {
    pub(super) row: SeedRow,
    pub(super) server_seed: ServerSeed,
}

/// A member's active and next seed pair. Both are read in one snapshot, so that a concurrent
/// rotation cannot come between the reads.
pub(super) async fn find_pairs(app: &Studio, member_id: Uuid) -> Result<Pairs, ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        db::use_snapshot(&mut tx).await?;
        let pairs = seeds::find_pairs(&mut tx, member_id).await?;
        db::commit(tx).await?;
        Ok(pairs)
    })
    .await
}

/// Retires the active pair, and activates the next one with the client seed that the player has
/// just chosen; its server seed was committed to long before. Refused while a round is open: the
/// revealed seed would tell how it goes on.
pub(super) async fn rotate(
    app: &Studio,
    member_id: Uuid,
    client_seed: String,
) -> Result<(Revealed, Pairs), ApiError> {
    app.run(move |app| async move {
        let (vault, now) = (&app.seed_vault, app.clock.now());
        let mut tx = app.db.begin().await?;
        // Rounds lock the wallet's row, so locking it serializes the rotation with them.
        Locked::lock(&mut tx, &[member_id]).await?;
        if steps_store::has_open(&mut tx, member_id).await? {
            return Err(ApiError::new(games::codes::ROUND_OPEN));
        }
        let pairs = seeds::find_pairs(&mut tx, member_id).await?;
        let (row, pairs) = seeds::rotate(&mut tx, vault, pairs, client_seed, now).await?;
        db::commit(tx).await?;
        let server_seed = vault.open(&row).map_err(ApiError::internal)?;
        Ok((Revealed { row, server_seed }, pairs))
    })
    .await
}
