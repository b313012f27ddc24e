//! The jackpot: one pool per merchant and currency, to which every round of its games contributes.
//!
//! A round only inserts rows for its contribution and its hit, so rounds never wait for a lock on
//! the pool. A hit is paid right after its round, in a transaction that locks the pool: it moves
//! the pending contributions into the escrow of the open generation, pays the whole escrow to the
//! winner, and opens the next generation with the house's seed money. A job pays the hits for which
//! this failed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use capiz_rules::games::jackpot;
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::jackpot_store::{self as store, Hit, PoolRow, WinRow};
use super::rounds::Played;
use crate::Studio;
use games::Round;
use platform::cache::Cache;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};
use site::Merchant;
use wallet::{
    self, Account, AuditError, BalanceEvent, Escrow, House, Key, Locked, MemberTransfer, Offence,
    Posting, Reason, Transfer,
};

/// How many hits one run of the job pays.
const HITS_PER_RUN: i64 = 100;

/// How long the displayed jackpots are cached.
const CACHE_TTL: Duration = Duration::from_secs(1);

/// The current state of a jackpot.
pub struct JackpotState {
    pub(super) currency: Currency,
    pub(super) amount: Amount,
    pub(super) last_win: Option<LastWin>,
}

/// The last win of a jackpot.
pub(super) struct LastWin {
    pub(super) nickname: String,
    pub(super) amount: Amount,
    pub(super) at: DateTime<Utc>,
}

/// The cache of jackpots by merchant, at most one second behind the database.
#[derive(Default)]
pub struct Jackpots(Mutex<HashMap<Uuid, Arc<Cache<Vec<JackpotState>>>>>);

impl Jackpots {
    /// A merchant's jackpots: one in its currency, one in demo money.
    pub(super) async fn list(
        &self,
        db: &PgPool,
        merchant: &Merchant,
    ) -> Result<Arc<Vec<JackpotState>>, sqlx::Error> {
        let cache = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(Cache::new(CACHE_TTL));
            Arc::clone(all.entry(merchant.id).or_insert_with(new))
        };
        cache.get(async || list_states(db, merchant).await).await
    }
}

/// Reads the jackpots from the database. A jackpot without a pool yet shows the house's seed money.
async fn list_states(db: &PgPool, merchant: &Merchant) -> Result<Vec<JackpotState>, sqlx::Error> {
    let mut db = db.acquire().await?;
    let escrows = store::list_escrows(&mut db, merchant.id).await?;
    let mut all = Vec::new();
    for currency in [merchant.currency, Currency::Fun] {
        let balance = match escrows.get(currency.code()) {
            Some(id) => wallet::find_balance(&mut db, *id).await?,
            None => Some((jackpot::SEED, 0)),
        };
        let balance = balance.map_or(0, |(amount, _)| amount.units());
        let pending = store::sum_pending(&mut db, merchant.id, currency).await?;
        let amount = Amount::from_units(balance.saturating_add(pending));
        let last_win = find_last_win(&mut db, merchant.id, currency).await?;
        all.push(JackpotState { currency, amount, last_win });
    }
    Ok(all)
}

async fn find_last_win(
    db: &mut PgConnection,
    merchant_id: Uuid,
    currency: Currency,
) -> Result<Option<LastWin>, sqlx::Error> {
    let Some((id, win)) = store::find_last_win(db, merchant_id, currency.code()).await? else {
        return Ok(None);
    };
    let nickname = members::list_nicknames(db, &[id]).await?.remove(&id).unwrap_or_default();
    Ok(Some(LastWin { nickname, amount: win.amount, at: win.won_at }))
}

/// The codes of the games that contribute to the jackpot.
pub(super) fn game_codes() -> Vec<String> {
    let games = capiz_rules::games::GAMES.iter().filter(|game| game.has_jackpot());
    games.map(|game| game.code().to_owned()).collect()
}

/// The jackpots that a member's rounds have won, by round.
pub(super) async fn list_won(
    db: &mut PgConnection,
    member_id: Uuid,
    rounds: &[Round],
) -> Result<HashMap<Uuid, Amount>, sqlx::Error> {
    let codes = game_codes();
    let ids = rounds.iter().filter(|round| codes.iter().any(|code| *code == round.game_code));
    let ids: Vec<Uuid> = ids.map(|round| round.id).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    store::list_won(db, member_id, &ids).await
}

/// Inserts the contributions and the hits of rounds, in the transaction that records the rounds.
pub(super) async fn record(
    db: &mut PgConnection,
    records: &[Arc<Played>],
) -> Result<(), sqlx::Error> {
    let mut shares: BTreeMap<(Uuid, Currency), (DateTime<Utc>, i64)> = BTreeMap::new();
    for played in records.iter().filter(|played| played.share.is_positive()) {
        let round = &played.round;
        let key = (round.merchant_id, round.currency);
        let sum = shares.entry(key).or_insert((round.played_at, 0));
        sum.1 = sum.1.saturating_add(played.share.units());
    }
    for ((merchant_id, currency), (at, amount)) in shares {
        store::insert_feed(db, new_id(at), (merchant_id, currency), amount).await?;
    }
    for played in records.iter().filter(|played| played.is_hit) {
        let round = &played.round;
        let hit = Hit {
            member_id: round.member_id,
            round_id: round.id,
            merchant_id: round.merchant_id,
            currency: round.currency,
        };
        store::insert_hit(db, &hit, round.played_at).await?;
    }
    Ok(())
}

/// Pays a hit unless it is paid already; returns the amount if this call paid it.
pub(super) async fn pay(
    app: &Studio,
    member_id: Uuid,
    round_id: Uuid,
) -> Result<Option<Amount>, ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let Some(hit) = store::find_open_hit(&mut tx, member_id, round_id).await? else {
            return Ok(None);
        };
        let now = app.clock.now();
        let pool = lock_pool(&mut tx, (hit.merchant_id, hit.currency), now).await?;
        // Checked again under the pool's lock: another transaction may have paid it meanwhile.
        if store::find_open_hit(&mut tx, member_id, round_id).await?.is_none() {
            return Ok(None);
        }
        let amount = pay_out(&mut tx, &pool, &hit, now).await?;
        db::commit(tx).await?;
        app.push.wake();
        tracing::info!(%round_id, %amount, generation = pool.generation, "jackpot won and paid");
        Ok(Some(amount))
    })
    .await
}

/// Pays the open generation to a hit, and opens the next generation.
async fn pay_out(
    tx: &mut PgTransaction<'static>,
    pool: &PoolRow,
    hit: &Hit,
    now: DateTime<Utc>,
) -> Result<Amount, ApiError> {
    collect_pending(tx, pool, now).await?;
    let locked = Locked::lock(tx, &[pool.escrow_id]).await?;
    let missing = || ApiError::internal("the escrow of the jackpot is missing");
    let (amount, _) = locked.balance(pool.escrow_id).ok_or_else(missing)?;
    let (from, to, reference) = (pool.escrow_id, hit.member_id, hit.round_id);
    let key = Key::new(format!("capiz:jackpot:{reference}"), "studio.jackpot", "");
    let transfer = MemberTransfer { from, to, amount, reference };
    let posted = wallet::pay_jackpot(tx, transfer, key, now).await?;
    wallet::close_escrow(tx, pool.escrow_id, now).await?;
    let win = WinRow { generation: pool.generation, round_id: reference, amount, won_at: now };
    store::insert_win(tx, hit, &win).await?;
    store::update_paid(tx, hit, now).await?;
    begin(tx, pool.next(new_id(now)), now).await?;
    let balance = BalanceEvent::new((posted.balance, posted.version), hit.currency);
    let balance = serde_json::to_value(balance).map_err(ApiError::internal)?;
    let won = json!({ "type": "jackpot", "roundId": reference, "amount": amount });
    let topic = || Topic::Member(hit.member_id);
    push::record_all(tx, &[(topic(), balance), (topic(), won)], now).await?;
    Ok(amount)
}

/// Locks a pool's row, and creates the pool if it does not exist yet.
async fn lock_pool(
    tx: &mut PgTransaction<'static>,
    (merchant_id, currency): (Uuid, Currency),
    now: DateTime<Utc>,
) -> Result<PoolRow, ApiError> {
    let (pool_id, escrow_id) = (new_id(now), new_id(now));
    let first = PoolRow { merchant_id, currency, pool_id, generation: 1, escrow_id };
    if store::insert_pool(tx, &first).await? {
        open(tx, &first, now).await?;
        return Ok(first);
    }
    let missing = || ApiError::internal("the jackpot pool is missing");
    store::lock_pool(tx, merchant_id, currency).await?.ok_or_else(missing)
}

/// Makes the next generation of a pool the open one.
async fn begin(
    tx: &mut PgTransaction<'static>,
    next: PoolRow,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    store::update_pool(tx, &next).await?;
    open(tx, &next, now).await
}

/// Opens the escrow of a generation, with the house's seed money.
async fn open(
    tx: &mut PgTransaction<'static>,
    pool: &PoolRow,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let PoolRow { escrow_id: id, pool_id, generation, .. } = *pool;
    let escrow = Escrow { id, pool_id, generation, purpose: "jackpot" };
    wallet::open_escrow(tx, escrow, (pool.merchant_id, pool.currency), now).await?;
    feed(tx, pool, jackpot::SEED, now).await
}

/// Moves the pending contributions into the escrow of the open generation.
async fn collect_pending(
    tx: &mut PgTransaction<'static>,
    pool: &PoolRow,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let pending = store::delete_feeds(tx, pool.merchant_id, pool.currency).await?;
    if pending > 0 {
        feed(tx, pool, Amount::from_units(pending), now).await?;
    }
    Ok(())
}

/// Posts money from the house into the escrow of the open generation.
async fn feed(
    tx: &mut PgTransaction<'static>,
    pool: &PoolRow,
    amount: Amount,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let house = Account::House(House::Jackpots);
    let reference = new_id(now);
    let posting = Posting {
        holder_id: pool.escrow_id,
        key: Key::new(format!("capiz:fed:{reference}"), "studio.fed", ""),
        reference,
        transfers: vec![Transfer::new(house, Account::Main, amount, Reason::JackpotFed)],
    };
    wallet::post_one(tx, posting, now).await?;
    Ok(())
}

/// Pays outstanding hits, and moves pending contributions into the pools.
pub async fn settle_jackpots(app: &Studio) -> Result<(), ApiError> {
    let (hits, pools) = {
        let mut db = app.db.acquire().await?;
        let hits = store::list_open_hits(&mut db, HITS_PER_RUN).await?;
        (hits, store::list_pending_pools(&mut db).await?)
    };
    for (member_id, round_id) in hits {
        pay(app, member_id, round_id).await?;
    }
    for pool_key in pools {
        app.run(move |app| async move {
            let now = app.clock.now();
            let mut tx = app.db.begin().await?;
            let pool = lock_pool(&mut tx, pool_key, now).await?;
            collect_pending(&mut tx, &pool, now).await?;
            db::commit(tx).await
        })
        .await?;
    }
    Ok(())
}

/// Audit: the contributions due from all rounds are either pending or in the escrows, and each
/// generation except the open one has exactly one winner.
pub async fn check_jackpots(db: &mut PgConnection) -> Result<(), AuditError> {
    let codes = game_codes();
    // By merchant and currency: contributions due, less pending ones, less those in the escrows.
    let mut differences: HashMap<(Uuid, String), i64> = HashMap::new();
    for (merchant_id, currency, amount) in games::list_shares(db, &codes, jackpot::PARTS).await? {
        *differences.entry((merchant_id, currency)).or_default() += amount;
    }
    for (merchant_id, currency, amount) in store::list_pending(db).await? {
        *differences.entry((merchant_id, currency)).or_default() -= amount;
    }
    for pool in store::list_pools(db).await? {
        if pool.wins + 1 != pool.generation {
            let what = "a generation of the jackpot has no winner or two winners";
            return Err(Offence::new(pool.pool_id, what).into());
        }
        let into = wallet::sum_into_pool(db, pool.pool_id, Reason::JackpotFed).await?;
        let fed = into - jackpot::SEED.units() * pool.generation;
        *differences.entry((pool.merchant_id, pool.currency)).or_default() -= fed;
    }
    match differences.into_iter().find(|(_, difference)| *difference != 0) {
        Some(((merchant_id, _), _)) => {
            let what = "the contributions to the jackpot differ from the stakes of its rounds";
            Err(Offence::new(merchant_id, what).into())
        }
        None => Ok(()),
    }
}
