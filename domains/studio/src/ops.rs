//! Playing rounds, and turning the seeds over.

use std::sync::Arc;

use capiz_rules::fair::ServerSeed;
use capiz_rules::money::Amount;
use uuid::Uuid;

use super::jackpots;
use super::model::{Bet, Player};
use super::rounds::{Play, Played};
use super::seeds::{self, Pairs};
use super::steps::{self, Stepped};
use super::steps_store;
use super::store::SeedRow;
use crate::Studio;
use games::Game;
use platform::db;
use platform::error::ApiError;
use wallet::{Key, Locked, Receipt};

/// How a bet ended, or how it stands.
pub(super) enum Outcome {
    /// A round of one step, and the jackpot if it has won it.
    Played(Receipt<Arc<Played>>, Option<Amount>),
    /// A round of several steps.
    Stepped(Box<Stepped>),
}

/// A game as the player's merchant offers it.
async fn find_game(app: &Studio, player: Player, code: &str) -> Result<Arc<Game>, ApiError> {
    let Player { merchant_id, currency, .. } = player;
    let game = app.games.catalogue.find_for(&app.db, merchant_id, currency, code).await?;
    let game = game.ok_or_else(|| ApiError::new(games::codes::UNKNOWN_GAME))?;
    Ok(match player.is_barred {
        true => game.withheld(),
        false => game,
    })
}

/// Plays a bet. The same key and bet give the first answer again, for ever. What most rounds do
/// without is in boxes: a future is as large as the largest of its parts.
pub(super) async fn start(
    app: &Studio,
    player: Player,
    key: String,
    bet: Bet,
) -> Result<Outcome, ApiError> {
    if bet.rules.has_steps() {
        let game = find_game(app, player, bet.rules.code()).await?;
        let key = Key::new(key, &bet.call(), &bet.text()?);
        let stepped = Box::pin(steps::begin(app, player, key, game, bet)).await?;
        return Ok(Outcome::Stepped(Box::new(stepped)));
    }
    let receipt = play(app, player, key, bet).await?;
    let round = &receipt.record.round;
    // What is not paid now is paid by a job soon.
    let jackpot = match receipt.record.is_hit {
        true => {
            let paid = Box::pin(jackpots::pay(app, round.member_id, round.id)).await;
            paid.unwrap_or_else(|error| {
                tracing::warn!(?error, "a jackpot waits for its payment");
                None
            })
        }
        false => None,
    };
    Ok(Outcome::Played(receipt, jackpot))
}

/// Plays a round of one step: decided, paid and recorded when the answer comes.
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

/// A retired pair, open to everyone's check.
pub(super) struct Revealed {
    pub(super) row: SeedRow,
    pub(super) server_seed: ServerSeed,
}

/// A member's pairs as they are now: both from one snapshot, so that a rotation does not fall
/// between them.
pub(super) async fn find_pairs(app: &Studio, member_id: Uuid) -> Result<Pairs, ApiError> {
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
/// seed that the player has just chosen. Not while a round is open: its seed tells how it goes on.
pub(super) async fn rotate(
    app: &Studio,
    member_id: Uuid,
    client_seed: String,
) -> Result<(Revealed, Pairs), ApiError> {
    app.run(move |app| async move {
        let (vault, now) = (&app.seed_vault, app.clock.now());
        let mut tx = app.db.begin().await?;
        // The wallet orders a member's rounds, so it orders rotations among them, too.
        Locked::lock(&mut tx, &[member_id]).await?;
        if steps_store::has_open(&mut tx, member_id).await? {
            return Err(ApiError::new(games::codes::ROUND_OPEN));
        }
        let pairs = seeds::find_pairs(&mut tx, member_id).await?;
        let (row, pairs) = seeds::turn_over(&mut tx, vault, pairs, client_seed, now).await?;
        db::commit(tx).await?;
        let server_seed = vault.open(&row).map_err(ApiError::internal)?;
        Ok((Revealed { row, server_seed }, pairs))
    })
    .await
}
