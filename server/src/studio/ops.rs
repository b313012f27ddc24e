//! Playing a round, and turning the seeds over.

use capiz_rules::dice::{self, Choice, DiceError, Direction};
use capiz_rules::fair::{ServerSeed, Stream};
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgTransaction;
use uuid::Uuid;

use super::seeds::{self, Pairs};
use super::store::{self, SeedRow};
use crate::app::App;
use crate::codes::ErrorCode;
use crate::games::{self, Game, NewRound, Round};
use crate::members::{self, MemberKind};
use crate::platform::db;
use crate::platform::error::ApiError;
use crate::platform::ids::new_id;
use crate::platform::push::{self, Topic};
use crate::wallet::{self, Account, Key, Posted, Posting, Reason, Transfer};

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

fn refusal(error: DiceError) -> ApiError {
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

/// A round with what it left behind.
pub struct Played {
    /// The round.
    pub round: Round,
    /// The wallet after it.
    pub posted: Posted,
}

/// Plays a round of dice. The same key and bet give the first answer again, for ever.
pub async fn play_dice(
    app: &App,
    player: Player,
    key: String,
    bet: DiceBet,
) -> Result<Played, ApiError> {
    let game = app.catalogue.find(&app.db, dice::CODE).await?;
    let game = game.ok_or_else(|| ApiError::new(ErrorCode::GamesUnknownGame))?;
    let key = Key::new(key, "play/dice", &bet.text());
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let played = play_in(&app, &mut tx, player, &game, (key, bet)).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(played)
    })
    .await
}

async fn play_in(
    app: &App,
    tx: &mut PgTransaction<'static>,
    player: Player,
    game: &Game,
    (key, bet): (Key, DiceBet),
) -> Result<Played, ApiError> {
    let now = app.clock.now();
    let wallet = wallet::lock(tx, player.member_id, player.currency).await?;
    if let Some(posted) = wallet.find_posted(tx, &key).await? {
        let round = games::find_round(tx, player.member_id, posted.reference).await?;
        let round = round.ok_or_else(|| ApiError::new(ErrorCode::WalletKeyReused))?;
        return Ok(Played { round, posted });
    }
    // After the key: a bet that was accepted stays accepted, whatever the limits are now.
    check_bet(player, game, bet)?;
    let seed = seeds::lock_pairs(tx, player.member_id).await?.active;
    let round = draw(app, player, &seed, bet, now)?;
    let posting = Posting {
        currency: player.currency,
        key,
        reference: round.id,
        transfers: transfers(&round),
    };
    let posted = wallet::post_in(tx, wallet, &posting, now).await?;
    store::update_nonce(tx, &seed).await?;
    games::insert_round(tx, &round).await?;
    announce(tx, player, game, (&round, &posted)).await?;
    Ok(Played { round, posted })
}

fn check_bet(player: Player, game: &Game, bet: DiceBet) -> Result<(), ApiError> {
    game.check_player(player.kind)?;
    let limits = dice::Limits {
        min_stake: game.limits.min_stake,
        max_stake: game.limits.max_stake,
        max_payout: game.limits.max_payout,
    };
    limits.check(bet.choice, bet.stake).map_err(refusal)
}

fn draw(
    app: &App,
    player: Player,
    seed: &SeedRow,
    bet: DiceBet,
    now: DateTime<Utc>,
) -> Result<NewRound, ApiError> {
    let server_seed = app.seed_vault.open(seed).map_err(ApiError::internal)?;
    let nonce = u64::try_from(seed.next_nonce).map_err(ApiError::internal)?;
    let mut stream = Stream::new(&server_seed, &seed.client_seed, nonce, dice::CODE);
    let book = dice::play(&mut stream, bet.choice, bet.stake).map_err(refusal)?;
    Ok(NewRound {
        id: new_id(now),
        member_id: player.member_id,
        merchant_id: player.merchant_id,
        game_code: dice::CODE.to_owned(),
        currency: player.currency,
        stake: bet.stake,
        payout: book.payout,
        choice: json!(bet.choice),
        book: json!(book.events),
        seed_id: seed.id,
        nonce: seed.next_nonce,
        played_at: now,
    })
}

fn transfers(round: &NewRound) -> Vec<Transfer> {
    let stake = Transfer {
        debit: Account::Main,
        credit: Account::Games,
        amount: round.stake,
        reason: Reason::Stake,
    };
    let payout = Transfer {
        debit: Account::Games,
        credit: Account::Main,
        amount: round.payout,
        reason: Reason::Payout,
    };
    [stake, payout].into_iter().filter(|transfer| transfer.amount.is_positive()).collect()
}

/// Tells the player's pages the new balance, and everybody of a win.
async fn announce(
    tx: &mut PgTransaction<'_>,
    player: Player,
    game: &Game,
    (round, posted): (&Round, &Posted),
) -> Result<(), ApiError> {
    let now = round.played_at;
    let balance = wallet::balance_event(posted, player.currency);
    push::record(tx, new_id(now), &Topic::Member(player.member_id).key(), &balance, now).await?;
    if round.is_public_win() {
        let names = members::list_nicknames(tx, &[player.member_id]).await?;
        let nickname = names.get(&player.member_id).map_or("", String::as_str);
        let event = games::winner_event(round, &game.name, nickname);
        push::record(tx, new_id(now), &Topic::Winners(player.merchant_id).key(), &event, now)
            .await?;
    }
    Ok(())
}

/// A retired pair, open to everyone's check.
pub(super) struct Revealed {
    pub(super) row: SeedRow,
    pub(super) server_seed: ServerSeed,
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
        let pairs = seeds::lock_pairs(&mut tx, member_id).await?;
        let (row, pairs) = seeds::turn_over(&mut tx, vault, pairs, client_seed, now).await?;
        db::commit(tx).await?;
        let server_seed = vault.open(&row).map_err(ApiError::internal)?;
        Ok((Revealed { row, server_seed }, pairs))
    })
    .await
}
