//! Rounds of several steps. Each step is one transaction, so an interrupted round continues from
//! its last committed step.
//!
//! The stake is paid when a round begins. Each action of the player is appended to the round's list
//! of actions, and the rules replay the round from that list. When the round is over, the payout,
//! the record of the round and its removal from the open rounds are one commit.

use std::sync::Arc;

use capiz_rules::games::{CASH_OUT, GIVE_BACK, Told};
use capiz_rules::money::Amount;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::BoxFuture;
use serde_json::Value;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::model::{Bet, OpenRound, Player, refusal};
use super::rounds::PublicSeedPair;
use super::seeds;
use super::steps_store as store;
use super::store::{SeedRow, list_seeds};
use crate::Studio;
use games::{Game, Round};
use members::{MemberState, StateChange};
use platform::Core;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};
use wallet::{
    self, Account, BalanceEvent, HandlerCursor, House, Key, Locked, Posted, Posting, Reason,
    Transfer,
};

/// A round without a step for this long counts as abandoned and is ended.
const ABANDONED_AFTER: TimeDelta = TimeDelta::hours(24);
/// How many abandoned rounds one run of the job ends.
const ABANDONED_PER_RUN: i64 = 200;

/// The state of a round of several steps after a step.
pub struct StepResult {
    /// The round.
    pub round: RoundProgress,
    /// The public part of the seed pair that decides it.
    pub seed: PublicSeedPair,
    /// The main balance, with its version.
    pub balance: (Amount, i64),
}

/// An open or a finished round.
pub enum RoundProgress {
    /// The round waits for the player's next action.
    Open(OpenRound, Told),
    /// The round is over and recorded.
    Over(Round),
}

/// A transaction on a member's rounds, with the member's wallet row locked.
struct RoundTx<'a> {
    app: &'a Studio,
    tx: PgTransaction<'static>,
    locked: Locked,
    member_id: Uuid,
    now: DateTime<Utc>,
}

impl<'a> RoundTx<'a> {
    /// Begins a transaction and locks the member's wallet row; the lock serializes the rounds.
    async fn begin(app: &'a Studio, member_id: Uuid) -> Result<Self, ApiError> {
        let mut tx = app.db.begin().await?;
        let locked = Locked::lock(&mut tx, &[member_id]).await?;
        Ok(Self { app, tx, locked, member_id, now: app.clock.now() })
    }

    /// Refuses orders of a frozen member.
    fn check_not_frozen(&self) -> Result<(), ApiError> {
        match self.locked.is_frozen(self.member_id) {
            true => Err(ApiError::new(members::codes::FROZEN)),
            false => Ok(()),
        }
    }

    async fn find_seed(&mut self, seed_id: Uuid) -> Result<SeedRow, ApiError> {
        let mut rows = list_seeds(&mut self.tx, self.member_id, &[seed_id]).await?;
        rows.remove(&seed_id)
            .ok_or_else(|| ApiError::internal("the seed pair of a round is missing"))
    }

    /// Replays a round from its seeds and actions.
    fn replay(&self, round: &OpenRound, seed: &SeedRow) -> Result<Told, ApiError> {
        let server_seed = self.app.seed_vault.open(seed).map_err(ApiError::internal)?;
        round.play(&server_seed, &seed.client_seed)
    }

    /// Starts a round: pays the stake, takes the nonce, and stores the open round.
    async fn start_round(
        mut self,
        key: Key,
        game: &Game,
        bet: Bet,
    ) -> Result<StepResult, ApiError> {
        let open = store::find_open(&mut self.tx, self.member_id, &game.code).await?;
        if open.is_some() {
            return Err(ApiError::new(games::codes::ROUND_OPEN));
        }
        let pairs = seeds::find_pairs(&mut self.tx, self.member_id).await?;
        let round = self.new_round(game, &bet, &pairs)?;
        let outcome = self.replay(&round, &pairs.active)?;
        let games = Account::House(House::Games);
        let stake = Transfer::new(Account::Main, games, round.stake, Reason::Stake);
        let (holder_id, reference) = (self.member_id, round.id);
        let posting = Posting { holder_id, key, reference, transfers: vec![stake] };
        let posted = self.post(posting, Vec::new()).await?;
        let cursor = HandlerCursor { reference: Some(round.seed_id), count: round.nonce + 1 };
        wallet::set_cursor(&mut self.tx, self.member_id, cursor).await?;
        store::insert_open(&mut self.tx, &round).await?;
        let seed = PublicSeedPair::of(&pairs.active, None);
        let (round, balance) = (RoundProgress::Open(round, outcome), balance_of(posted));
        self.commit(StepResult { round, seed, balance }).await
    }

    fn new_round(
        &self,
        game: &Game,
        bet: &Bet,
        pairs: &seeds::Pairs,
    ) -> Result<OpenRound, ApiError> {
        let missing = || ApiError::internal("the member has no wallet");
        Ok(OpenRound {
            id: new_id(self.now),
            member_id: self.member_id,
            merchant_id: self.locked.merchant(self.member_id).ok_or_else(missing)?,
            game_code: game.code.clone(),
            currency: self.locked.currency(self.member_id).ok_or_else(missing)?,
            stake: bet.stake,
            most: game.limits.max_payout,
            choice: bet.choice.clone(),
            actions: Vec::new(),
            seed_id: pairs.active.id,
            nonce: pairs.next_nonce,
            begun_at: self.now,
            moved_at: self.now,
        })
    }

    /// Applies one more action, and ends the round if it is over by the rules.
    async fn step(mut self, mut round: OpenRound, action: String) -> Result<StepResult, ApiError> {
        let seed = self.find_seed(round.seed_id).await?;
        round.actions.push(action);
        let outcome = self.replay(&round, &seed)?;
        let Some(payout) = outcome.payout else {
            store::update_actions(&mut self.tx, &round, self.now).await?;
            let balance = self.balance()?;
            let seed = PublicSeedPair::of(&seed, None);
            let round = RoundProgress::Open(round, outcome);
            return self.commit(StepResult { round, seed, balance }).await;
        };
        store::delete_open(&mut self.tx, &round).await?;
        let round = round.ended(outcome.events, payout, self.now);
        games::insert_rounds(&mut self.tx, std::iter::once(&round)).await?;
        let mut balance = self.balance()?;
        let win = self.win_event(&round).await?;
        if payout.is_positive() {
            balance = balance_of(self.post(payment(&round), win).await?);
        }
        let seed = PublicSeedPair::of(&seed, None);
        self.commit(StepResult { round: RoundProgress::Over(round), seed, balance }).await
    }

    /// The push event for the winners board, if the round is a public win.
    async fn win_event(&mut self, round: &Round) -> Result<Vec<(Topic, Value)>, ApiError> {
        if !round.is_public_win() {
            return Ok(Vec::new());
        }
        let names = members::list_nicknames(&mut self.tx, &[round.member_id]).await?;
        let nickname = names.get(&round.member_id).map_or("", String::as_str);
        let game = self.app.games.catalogue.find(&self.app.db, &round.game_code).await?;
        let name = game.as_ref().map_or(round.game_code.as_ref(), |game| &game.name);
        let event = games::winner_event(round, name, nickname);
        Ok(vec![(Topic::Winners(round.merchant_id), event)])
    }

    /// Posts transfers, and records the events together with the new balance for open pages.
    async fn post(
        &mut self,
        posting: Posting,
        mut events: Vec<(Topic, Value)>,
    ) -> Result<Posted, ApiError> {
        let (id, currency) = (self.member_id, self.locked.currency(self.member_id));
        let locked = std::mem::take(&mut self.locked);
        let posted = wallet::post_locked(&mut self.tx, locked, vec![posting], self.now).await?;
        let missing = || ApiError::internal("the posting has no result");
        let posted = posted.into_iter().next().ok_or_else(missing)?;
        if let Some(currency) = currency {
            let balance = BalanceEvent::new(balance_of(posted), currency);
            let balance = serde_json::to_value(balance).map_err(ApiError::internal)?;
            events.push((Topic::Member(id), balance));
        }
        push::record_all(&mut self.tx, &events, self.now).await?;
        Ok(posted)
    }

    fn balance(&self) -> Result<(Amount, i64), ApiError> {
        let missing = || ApiError::internal("the member has no wallet");
        self.locked.balance(self.member_id).ok_or_else(missing)
    }

    async fn commit(self, result: StepResult) -> Result<StepResult, ApiError> {
        db::commit(self.tx).await?;
        self.app.push.wake();
        Ok(result)
    }

    /// The current state of a round, to answer a repeated request.
    async fn current_state(mut self, round_id: Uuid) -> Result<StepResult, ApiError> {
        let unknown = || ApiError::new(games::codes::UNKNOWN_ROUND);
        let balance = self.balance()?;
        let open = store::find_open_by_id(&mut self.tx, self.member_id, round_id).await?;
        if let Some(round) = open {
            let seed = self.find_seed(round.seed_id).await?;
            let outcome = self.replay(&round, &seed)?;
            let seed = PublicSeedPair::of(&seed, None);
            return Ok(StepResult { round: RoundProgress::Open(round, outcome), seed, balance });
        }
        let round = games::find_round(&mut self.tx, self.member_id, round_id).await?;
        let round = round.ok_or_else(unknown)?;
        let seed = self.find_seed(round.seed_id).await?;
        let seed = seeds::public_pair(&self.app.seed_vault, &seed)?;
        Ok(StepResult { round: RoundProgress::Over(round), seed, balance })
    }
}

fn balance_of(posted: Posted) -> (Amount, i64) {
    (posted.balance, posted.version)
}

/// The posting of a round's payout. Its idempotency key is derived from the round's id, so a round
/// is paid once.
fn payment(round: &Round) -> Posting {
    let games = Account::House(House::Games);
    let payout = Transfer::new(games, Account::Main, round.payout, Reason::Payout);
    Posting {
        holder_id: round.member_id,
        key: Key::new(format!("capiz:round:{}", round.id), "studio.end", ""),
        reference: round.id,
        transfers: vec![payout],
    }
}

/// Begins a round. A repeated idempotency key with the same bet gets the round's current state.
pub(super) async fn begin(
    app: &Studio,
    player: Player,
    key: Key,
    game: Arc<Game>,
    bet: Bet,
) -> Result<StepResult, ApiError> {
    app.run(move |app| async move {
        let mut tx = RoundTx::begin(&app, player.member_id).await?;
        let keys = vec![(player.member_id, key.text.clone())];
        let known = tx.locked.find_posted(&mut tx.tx, keys).await?;
        if let Some(posted) = known.find(player.member_id, &key)? {
            return tx.current_state(posted.reference).await;
        }
        // Checked only for a new key: a retry is answered even if the bet would be refused now.
        tx.check_not_frozen()?;
        bet.check(player, &game)?;
        tx.start_round(key, &game, bet).await
    })
    .await
}

/// Applies an action as step number `step` of a round. A repeat of the last step is answered again;
/// a different action for a step that was done already is refused.
pub(super) async fn act(
    app: &Studio,
    member_id: Uuid,
    round_id: Uuid,
    (step, action): (usize, Value),
) -> Result<StepResult, ApiError> {
    app.run(move |app| async move {
        let mut tx = RoundTx::begin(&app, member_id).await?;
        let moved_on = || ApiError::new(games::codes::ROUND_MOVED_ON);
        let open = store::find_open_by_id(&mut tx.tx, member_id, round_id).await?;
        let Some(round) = open else { return repeat_last_step(tx, round_id, step, &action).await };
        let text = round.rules()?.read_action(&action.to_string()).map_err(refusal)?;
        match round.actions.get(step) {
            Some(done) if is_same_json(done, &text) && step + 1 == round.actions.len() => {
                tx.current_state(round_id).await
            }
            None if step == round.actions.len() => {
                tx.check_not_frozen()?;
                tx.step(round, text).await
            }
            _ => Err(moved_on()),
        }
    })
    .await
}

/// Answers a repeat of the last step of a round that is over; refuses any other step.
async fn repeat_last_step(
    mut tx: RoundTx<'_>,
    round_id: Uuid,
    step: usize,
    action: &Value,
) -> Result<StepResult, ApiError> {
    let unknown = || ApiError::new(games::codes::UNKNOWN_ROUND);
    let round = games::find_round(&mut tx.tx, tx.member_id, round_id).await?;
    let actions = store::list_of(&round.ok_or_else(unknown)?.actions);
    let actions = actions.map_err(ApiError::internal)?;
    let is_last = step + 1 == actions.len();
    match actions.get(step) {
        Some(done) if is_last && is_same_json(done, &action.to_string()) => {
            tx.current_state(round_id).await
        }
        _ => Err(ApiError::new(games::codes::ROUND_MOVED_ON)),
    }
}

/// Whether two texts are equal as JSON.
fn is_same_json(one: &str, other: &str) -> bool {
    let read = |text| serde_json::from_str::<Value>(text).ok();
    read(one).is_some() && read(one) == read(other)
}

/// An open round with its events so far and the public part of its seed pair.
pub(super) type ReplayedRound = (OpenRound, Told, PublicSeedPair);

/// A member's open round of a game.
pub(super) async fn find_open(
    app: &Studio,
    member_id: Uuid,
    game_code: &str,
) -> Result<Option<ReplayedRound>, ApiError> {
    let mut db = app.db.acquire().await?;
    match store::find_open(&mut db, member_id, game_code).await? {
        Some(round) => replay(app, &mut db, round).await.map(Some),
        None => Ok(None),
    }
}

/// A member's open round by its id.
pub(super) async fn find_open_by_id(
    app: &Studio,
    member_id: Uuid,
    id: Uuid,
) -> Result<Option<ReplayedRound>, ApiError> {
    let mut db = app.db.acquire().await?;
    match store::find_open_by_id(&mut db, member_id, id).await? {
        Some(round) => replay(app, &mut db, round).await.map(Some),
        None => Ok(None),
    }
}

async fn replay(
    app: &Studio,
    db: &mut PgConnection,
    round: OpenRound,
) -> Result<ReplayedRound, ApiError> {
    let mut seeds = list_seeds(db, round.member_id, &[round.seed_id]).await?;
    let missing = || ApiError::internal("the seed pair of a round is missing");
    let seed = seeds.remove(&round.seed_id).ok_or_else(missing)?;
    let server_seed = app.seed_vault.open(&seed).map_err(ApiError::internal)?;
    let outcome = round.play(&server_seed, &seed.client_seed)?;
    Ok((round, outcome, PublicSeedPair::of(&seed, None)))
}

/// Hook for a change of a member's state: an account with an open round cannot be closed, because
/// its stake is still in play.
pub fn on_state_changed<'a>(
    _: &'a Core,
    tx: &'a mut PgTransaction<'static>,
    change: &'a StateChange,
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(async move {
        let is_closed = change.state == MemberState::Closed;
        match is_closed && store::has_open(tx, change.member_id).await? {
            true => Err(ApiError::new(members::codes::HAS_MONEY)),
            false => Ok(()),
        }
    })
}

/// For the audit: the stakes of some members' open rounds.
pub async fn list_open_stakes(
    db: &mut PgConnection,
    members: &[Uuid],
) -> Result<Vec<games::OpenStake>, sqlx::Error> {
    let open = store::list_open(db, members).await?.into_iter();
    let stakes = open.map(|round| games::OpenStake {
        member_id: round.member_id,
        id: round.id,
        stake: round.stake,
        currency: round.currency,
        seed_id: round.seed_id,
        nonce: round.nonce,
    });
    Ok(stakes.collect())
}

/// Ends rounds that were abandoned for 24 hours: cashes out what was won, or returns the stake if
/// the player has done nothing yet and there is nothing to cash out.
pub async fn end_abandoned_rounds(app: &Studio) -> Result<(), ApiError> {
    let since = app.clock.now() - ABANDONED_AFTER;
    let mut db = app.db.acquire().await?;
    let abandoned = store::list_abandoned(&mut db, since, ABANDONED_PER_RUN).await?;
    drop(db);
    for (member_id, round_id) in abandoned {
        app.run(move |app| async move { end_abandoned(&app, member_id, round_id, since).await })
            .await?;
    }
    Ok(())
}

async fn end_abandoned(
    app: &Studio,
    member_id: Uuid,
    round_id: Uuid,
    since: DateTime<Utc>,
) -> Result<(), ApiError> {
    let mut tx = RoundTx::begin(app, member_id).await?;
    let open = store::find_open_by_id(&mut tx.tx, member_id, round_id).await?;
    // Checked again under the lock: the player may have continued or ended the round meanwhile.
    let Some(round) = open.filter(|round| round.moved_at < since) else { return Ok(()) };
    let seed = tx.find_seed(round.seed_id).await?;
    let outcome = tx.replay(&round, &seed)?;
    let action = if outcome.cash_out.is_some() { CASH_OUT } else { GIVE_BACK };
    tx.step(round, action.to_owned()).await.map(drop)
}
