//! Rounds of several steps: each step is a transaction of its own, so that a round which is
//! interrupted stands where its last step has led, and goes on from there.
//!
//! The stake is paid when a round begins. What the player does is added to the round's list of
//! actions, from which the rules play it anew; when they say that it is over, the payout, the record
//! of the round and its removal from the open ones are one commit.

use std::sync::Arc;

use capiz_rules::games::{CASH_OUT, GIVE_BACK, Told};
use capiz_rules::money::Amount;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::BoxFuture;
use serde_json::Value;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::model::{Bet, OpenRound, Player, refusal};
use super::rounds::SeedShown;
use super::seeds;
use super::steps_store as store;
use super::store::{SeedRow, list_seeds};
use crate::Studio;
use games::{Game, Round};
use members::{MemberState, StateChange};
use platform::Core;
use platform::bulk::Way;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};
use wallet::{
    self, Account, BalanceEvent, House, Key, Locked, Mark, Posted, Posting, Reason, Transfer,
};

/// A round that was left is ended after so long.
const LEFT_AFTER: TimeDelta = TimeDelta::hours(24);
/// How many are ended in one run of the job.
const LEFT_AT_ONCE: i64 = 200;

/// Where a round of several steps stands.
pub struct Stepped {
    /// The round.
    pub round: Standing,
    /// The pair that decides it, as the player may see it.
    pub seed: SeedShown,
    /// What is on the main account, with its version.
    pub balance: (Amount, i64),
}

/// A round, open or over.
pub enum Standing {
    /// It is the player's turn.
    Open(OpenRound, Told),
    /// It is recorded.
    Over(Round),
}

/// What an order for a round finds under the member's lock.
struct Table<'a> {
    app: &'a Studio,
    tx: PgTransaction<'static>,
    locked: Locked,
    member_id: Uuid,
    now: DateTime<Utc>,
}

impl<'a> Table<'a> {
    /// Locks the member's wallet, which orders all that it plays.
    async fn sit(app: &'a Studio, member_id: Uuid) -> Result<Self, ApiError> {
        let mut tx = app.db.begin().await?;
        let locked = Locked::lock(&mut tx, &[member_id]).await?;
        Ok(Self { app, tx, locked, member_id, now: app.clock.now() })
    }

    /// Whether the member's own orders are taken.
    fn check_standing(&self) -> Result<(), ApiError> {
        match self.locked.is_frozen(self.member_id) {
            true => Err(ApiError::new(members::codes::FROZEN)),
            false => Ok(()),
        }
    }

    async fn find_seed(&mut self, seed_id: Uuid) -> Result<SeedRow, ApiError> {
        let mut rows = list_seeds(&mut self.tx, self.member_id, &[seed_id]).await?;
        rows.remove(&seed_id).ok_or_else(|| ApiError::internal("a round without its seed"))
    }

    fn tell(&self, round: &OpenRound, seed: &SeedRow) -> Result<Told, ApiError> {
        let server_seed = self.app.seed_vault.open(seed).map_err(ApiError::internal)?;
        round.play(&server_seed, &seed.client_seed)
    }

    /// Pays the stake and takes the nonce: the round stands.
    async fn begin(mut self, key: Key, game: &Game, bet: Bet) -> Result<Stepped, ApiError> {
        let held = store::find_open(&mut self.tx, self.member_id, &game.code).await?;
        if held.is_some() {
            return Err(ApiError::new(games::codes::ROUND_OPEN));
        }
        let pairs = seeds::find_pairs(&mut self.tx, self.member_id).await?;
        let round = self.new_round(game, &bet, &pairs)?;
        let told = self.tell(&round, &pairs.active)?;
        let games = Account::House(House::Games);
        let stake = Transfer::new(Account::Main, games, round.stake, Reason::Stake);
        let (holder_id, reference) = (self.member_id, round.id);
        let posting = Posting { holder_id, key, reference, transfers: vec![stake] };
        let posted = self.post(posting, Vec::new()).await?;
        let mark = Mark { reference: Some(round.seed_id), count: round.nonce + 1 };
        wallet::set_mark(&mut self.tx, self.member_id, mark).await?;
        store::insert_open(&mut self.tx, &round).await?;
        let seed = SeedShown::of(&pairs.active, None);
        self.commit(Stepped { round: Standing::Open(round, told), seed, balance: of(posted) }).await
    }

    fn new_round(
        &self,
        game: &Game,
        bet: &Bet,
        pairs: &seeds::Pairs,
    ) -> Result<OpenRound, ApiError> {
        let missing = || ApiError::internal("a member without a wallet");
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

    /// Does one more step, and ends the round where the rules say so.
    async fn step(mut self, mut round: OpenRound, action: String) -> Result<Stepped, ApiError> {
        let seed = self.find_seed(round.seed_id).await?;
        round.actions.push(action);
        let told = self.tell(&round, &seed)?;
        let Some(payout) = told.payout else {
            store::update_moved(&mut self.tx, &round, self.now).await?;
            let balance = self.balance()?;
            let seed = SeedShown::of(&seed, None);
            return self
                .commit(Stepped { round: Standing::Open(round, told), seed, balance })
                .await;
        };
        store::delete_open(&mut self.tx, &round).await?;
        let round = round.ended(told.events, payout, self.now);
        games::insert_rounds(&mut self.tx, std::iter::once(&round), Way::Arrays).await?;
        let mut balance = self.balance()?;
        let win = self.win_event(&round).await?;
        if payout.is_positive() {
            balance = of(self.post(payment(&round), win).await?);
        }
        let seed = SeedShown::of(&seed, None);
        self.commit(Stepped { round: Standing::Over(round), seed, balance }).await
    }

    /// What the winners board is told.
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

    /// Moves money, and tells open pages of it.
    async fn post(
        &mut self,
        posting: Posting,
        mut events: Vec<(Topic, Value)>,
    ) -> Result<Posted, ApiError> {
        let (id, currency) = (self.member_id, self.locked.currency(self.member_id));
        let locked = std::mem::take(&mut self.locked);
        let posted = wallet::post_locked(&mut self.tx, locked, vec![posting], self.now).await?;
        let missing = || ApiError::internal("nothing was posted");
        let posted = posted.into_iter().next().ok_or_else(missing)?;
        if let Some(currency) = currency {
            let balance = BalanceEvent::new(of(posted), currency);
            let balance = serde_json::to_value(balance).map_err(ApiError::internal)?;
            events.push((Topic::Member(id), balance));
        }
        push::record_all(&mut self.tx, &events, self.now).await?;
        Ok(posted)
    }

    fn balance(&self) -> Result<(Amount, i64), ApiError> {
        let missing = || ApiError::internal("a member without a wallet");
        self.locked.balance(self.member_id).ok_or_else(missing)
    }

    async fn commit(self, stepped: Stepped) -> Result<Stepped, ApiError> {
        db::commit(self.tx).await?;
        self.app.push.wake();
        Ok(stepped)
    }

    /// A round as it stands, for an order that was carried out before.
    async fn again(mut self, round_id: Uuid) -> Result<Stepped, ApiError> {
        let unknown = || ApiError::new(games::codes::UNKNOWN_ROUND);
        let balance = self.balance()?;
        let open = store::find_open_by_id(&mut self.tx, self.member_id, round_id).await?;
        if let Some(round) = open {
            let seed = self.find_seed(round.seed_id).await?;
            let told = self.tell(&round, &seed)?;
            let seed = SeedShown::of(&seed, None);
            return Ok(Stepped { round: Standing::Open(round, told), seed, balance });
        }
        let round = games::find_round(&mut self.tx, self.member_id, round_id).await?;
        let round = round.ok_or_else(unknown)?;
        let seed = self.find_seed(round.seed_id).await?;
        let seed = seeds::show(&self.app.seed_vault, &seed)?;
        Ok(Stepped { round: Standing::Over(round), seed, balance })
    }
}

fn of(posted: Posted) -> (Amount, i64) {
    (posted.balance, posted.version)
}

/// What a round pays when it ends. Its key is ours, and a round ends once.
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

/// Begins a round. The same key and bet give the round as it stands now.
pub(super) async fn begin(
    app: &Studio,
    player: Player,
    key: Key,
    game: Arc<Game>,
    bet: Bet,
) -> Result<Stepped, ApiError> {
    app.run(move |app| async move {
        let mut table = Table::sit(&app, player.member_id).await?;
        let keys = vec![(player.member_id, key.text.clone())];
        let known = table.locked.find_posted(&mut table.tx, keys).await?;
        if let Some(posted) = known.find(player.member_id, &key)? {
            return table.again(posted.reference).await;
        }
        // After that: what was begun is answered again, whatever is offered now.
        table.check_standing()?;
        bet.check(player, &game)?;
        table.begin(key, &game, bet).await
    })
    .await
}

/// Does a step in a round: the action after so many others. A step that was done already is
/// answered again; another in its place is refused.
pub(super) async fn act(
    app: &Studio,
    member_id: Uuid,
    round_id: Uuid,
    (step, action): (usize, Value),
) -> Result<Stepped, ApiError> {
    app.run(move |app| async move {
        let mut table = Table::sit(&app, member_id).await?;
        let moved_on = || ApiError::new(games::codes::ROUND_MOVED_ON);
        let open = store::find_open_by_id(&mut table.tx, member_id, round_id).await?;
        let Some(round) = open else { return ended_before(table, round_id, step, &action).await };
        let text = round.rules()?.read_action(&action.to_string()).map_err(refusal)?;
        match round.actions.get(step) {
            Some(done) if same(done, &text) && step + 1 == round.actions.len() => {
                table.again(round_id).await
            }
            None if step == round.actions.len() => {
                table.check_standing()?;
                table.step(round, text).await
            }
            _ => Err(moved_on()),
        }
    })
    .await
}

/// The last step of a round is answered again, and no other.
async fn ended_before(
    mut table: Table<'_>,
    round_id: Uuid,
    step: usize,
    action: &Value,
) -> Result<Stepped, ApiError> {
    let unknown = || ApiError::new(games::codes::UNKNOWN_ROUND);
    let round = games::find_round(&mut table.tx, table.member_id, round_id).await?;
    let actions = store::list_of(&round.ok_or_else(unknown)?.actions);
    let actions = actions.map_err(ApiError::internal)?;
    let is_last = step + 1 == actions.len();
    match actions.get(step) {
        Some(done) if is_last && same(done, &action.to_string()) => table.again(round_id).await,
        _ => Err(ApiError::new(games::codes::ROUND_MOVED_ON)),
    }
}

/// Whether two texts are the same JSON.
fn same(one: &str, other: &str) -> bool {
    let read = |text| serde_json::from_str::<Value>(text).ok();
    read(one).is_some() && read(one) == read(other)
}

/// A round in which it is the player's turn, as it is shown.
pub(super) type ShownRound = (OpenRound, Told, SeedShown);

/// A member's open round of a game.
pub(super) async fn find_open(
    app: &Studio,
    member_id: Uuid,
    game_code: &str,
) -> Result<Option<ShownRound>, ApiError> {
    let mut db = app.db.acquire().await?;
    match store::find_open(&mut db, member_id, game_code).await? {
        Some(round) => show(app, &mut db, round).await.map(Some),
        None => Ok(None),
    }
}

/// A member's open round by its id.
pub(super) async fn find_open_by_id(
    app: &Studio,
    member_id: Uuid,
    id: Uuid,
) -> Result<Option<ShownRound>, ApiError> {
    let mut db = app.db.acquire().await?;
    match store::find_open_by_id(&mut db, member_id, id).await? {
        Some(round) => show(app, &mut db, round).await.map(Some),
        None => Ok(None),
    }
}

async fn show(
    app: &Studio,
    db: &mut PgConnection,
    round: OpenRound,
) -> Result<ShownRound, ApiError> {
    let mut seeds = list_seeds(db, round.member_id, &[round.seed_id]).await?;
    let missing = || ApiError::internal("a round without its seed");
    let seed = seeds.remove(&round.seed_id).ok_or_else(missing)?;
    let server_seed = app.seed_vault.open(&seed).map_err(ApiError::internal)?;
    let told = round.play(&server_seed, &seed.client_seed)?;
    Ok((round, told, SeedShown::of(&seed, None)))
}

/// An account is not closed over a round whose stake is still at play.
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

/// The audit's part: what open rounds of some members have cost.
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

/// Ends rounds that were left: what is won is paid, and where nothing was done yet the stake
/// comes back.
pub async fn end_left_rounds(app: &Studio) -> Result<(), ApiError> {
    let since = app.clock.now() - LEFT_AFTER;
    let mut db = app.db.acquire().await?;
    let left = store::list_left(&mut db, since, LEFT_AT_ONCE).await?;
    drop(db);
    for (member_id, round_id) in left {
        app.run(move |app| async move { end_left(&app, member_id, round_id, since).await }).await?;
    }
    Ok(())
}

async fn end_left(
    app: &Studio,
    member_id: Uuid,
    round_id: Uuid,
    since: DateTime<Utc>,
) -> Result<(), ApiError> {
    let mut table = Table::sit(app, member_id).await?;
    let open = store::find_open_by_id(&mut table.tx, member_id, round_id).await?;
    // The player may have come back, or ended it, before the lock.
    let Some(round) = open.filter(|round| round.moved_at < since) else { return Ok(()) };
    let seed = table.find_seed(round.seed_id).await?;
    let told = table.tell(&round, &seed)?;
    let action = if told.cash_out.is_some() { CASH_OUT } else { GIVE_BACK };
    table.step(round, action.to_owned()).await.map(drop)
}
