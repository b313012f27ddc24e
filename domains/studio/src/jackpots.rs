//! The jackpot: a pool for each merchant and currency, fed by every round of its games.
//!
//! Rounds only note what they feed, and that they hit; so they never wait for each other at the pool.
//! A hit is paid at once after its round, in a transaction that locks the pool: what was noted moves
//! into the escrow of the open generation, the whole escrow goes to the winner, and the next
//! generation begins with what the house puts in. A hit that could not be paid is paid by a job.

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
    self, Account, AuditError, BalanceEvent, Escrow, House, Key, Locked, Offence, Passage, Posting,
    Reason, Transfer,
};

/// How many hits a run of the job pays.
const HITS_AT_ONCE: i64 = 100;

/// How long a shown amount may be behind.
const SHOWN_FOR: Duration = Duration::from_secs(1);

/// A jackpot as it stands.
pub struct Standing {
    pub(super) currency: Currency,
    pub(super) amount: Amount,
    pub(super) last_win: Option<LastWin>,
}

/// Who has won a jackpot last.
pub(super) struct LastWin {
    pub(super) nickname: String,
    pub(super) amount: Amount,
    pub(super) at: DateTime<Utc>,
}

/// The jackpots of each merchant, at most a second behind the database.
#[derive(Default)]
pub struct Jackpots(Mutex<HashMap<Uuid, Arc<Cache<Vec<Standing>>>>>);

impl Jackpots {
    /// A merchant's jackpots: of its money, and of demo money.
    pub(super) async fn list(
        &self,
        db: &PgPool,
        merchant: &Merchant,
    ) -> Result<Arc<Vec<Standing>>, sqlx::Error> {
        let cache = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let new = || Arc::new(Cache::new(SHOWN_FOR));
            Arc::clone(all.entry(merchant.id).or_insert_with(new))
        };
        cache.get(async || list_standing(db, merchant).await).await
    }
}

/// One that nobody has played for yet stands at what the house begins it with.
async fn list_standing(db: &PgPool, merchant: &Merchant) -> Result<Vec<Standing>, sqlx::Error> {
    let mut db = db.acquire().await?;
    let escrows = store::list_escrows(&mut db, merchant.id).await?;
    let mut all = Vec::new();
    for currency in [merchant.currency, Currency::Fun] {
        let held = match escrows.get(currency.code()) {
            Some(id) => wallet::find_balance(&mut db, *id).await?,
            None => Some((jackpot::SEED, 0)),
        };
        let held = held.map_or(0, |(amount, _)| amount.units());
        let noted = store::sum_noted(&mut db, merchant.id, currency).await?;
        let amount = Amount::from_units(held.saturating_add(noted));
        let last_win = find_last_win(&mut db, merchant.id, currency).await?;
        all.push(Standing { currency, amount, last_win });
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

/// The games that feed the jackpot.
pub(super) fn game_codes() -> Vec<String> {
    let fed_by = capiz_rules::games::GAMES.iter().filter(|game| game.has_jackpot());
    fed_by.map(|game| game.code().to_owned()).collect()
}

/// What some rounds of a member have won of jackpots, by round.
pub(super) async fn list_won(
    db: &mut PgConnection,
    member_id: Uuid,
    rounds: &[Round],
) -> Result<HashMap<Uuid, Amount>, sqlx::Error> {
    let feeds = game_codes();
    let ids = rounds.iter().filter(|round| feeds.iter().any(|code| *code == round.game_code));
    let ids: Vec<Uuid> = ids.map(|round| round.id).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    store::list_won(db, member_id, &ids).await
}

/// Notes what rounds feed and which of them hit, in the transaction that records them.
pub(super) async fn note(
    db: &mut PgConnection,
    records: &[Arc<Played>],
) -> Result<(), sqlx::Error> {
    let mut fed: BTreeMap<(Uuid, Currency), (DateTime<Utc>, i64)> = BTreeMap::new();
    for played in records.iter().filter(|played| played.share.is_positive()) {
        let round = &played.round;
        let sum = fed.entry((round.merchant_id, round.currency)).or_insert((round.played_at, 0));
        sum.1 = sum.1.saturating_add(played.share.units());
    }
    for ((merchant_id, currency), (at, amount)) in fed {
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

/// Pays a hit, unless it was paid; what it has won.
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
        // Another may have paid it while the pool was waited for.
        if store::find_open_hit(&mut tx, member_id, round_id).await?.is_none() {
            return Ok(None);
        }
        let amount = take(&mut tx, &pool, &hit, now).await?;
        db::commit(tx).await?;
        app.push.wake();
        tracing::info!(%round_id, %amount, generation = pool.generation, "the jackpot was won");
        Ok(Some(amount))
    })
    .await
}

/// Gives the open generation to a hit, and begins the next.
async fn take(
    tx: &mut PgTransaction<'static>,
    pool: &PoolRow,
    hit: &Hit,
    now: DateTime<Utc>,
) -> Result<Amount, ApiError> {
    fold(tx, pool, now).await?;
    let locked = Locked::lock(tx, &[pool.escrow_id]).await?;
    let missing = || ApiError::internal("a jackpot without its escrow");
    let (amount, _) = locked.balance(pool.escrow_id).ok_or_else(missing)?;
    let (from, to, reference) = (pool.escrow_id, hit.member_id, hit.round_id);
    let key = Key::new(format!("capiz:jackpot:{reference}"), "studio.jackpot", "");
    let passage = Passage { from, to, amount, reference };
    let posted = wallet::pay_jackpot(tx, passage, key, now).await?;
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

/// Locks a pool; the first one who asks for it begins it.
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
    let missing = || ApiError::internal("a jackpot that is not there");
    store::lock_pool(tx, merchant_id, currency).await?.ok_or_else(missing)
}

/// Begins the next generation of a pool.
async fn begin(
    tx: &mut PgTransaction<'static>,
    next: PoolRow,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    store::update_pool(tx, &next).await?;
    open(tx, &next, now).await
}

/// Opens the escrow of a generation, with what the house puts in.
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

/// Moves what rounds have fed into the open generation.
async fn fold(
    tx: &mut PgTransaction<'static>,
    pool: &PoolRow,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let fed = store::take_feeds(tx, pool.merchant_id, pool.currency).await?;
    if fed > 0 {
        feed(tx, pool, Amount::from_units(fed), now).await?;
    }
    Ok(())
}

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

/// Pays hits that were not paid at once, and moves what was fed into the pools.
pub async fn keep_jackpots(app: &Studio) -> Result<(), ApiError> {
    let (hits, fed) = {
        let mut db = app.db.acquire().await?;
        (store::list_open_hits(&mut db, HITS_AT_ONCE).await?, store::list_fed(&mut db).await?)
    };
    for (member_id, round_id) in hits {
        pay(app, member_id, round_id).await?;
    }
    for of in fed {
        app.run(move |app| async move {
            let now = app.clock.now();
            let mut tx = app.db.begin().await?;
            let pool = lock_pool(&mut tx, of, now).await?;
            fold(&mut tx, &pool, now).await?;
            db::commit(tx).await
        })
        .await?;
    }
    Ok(())
}

/// The audit's look at jackpots: everything that rounds had to feed has been fed or is noted, and
/// each generation but the open one has its winner.
pub async fn check_jackpots(db: &mut PgConnection) -> Result<(), AuditError> {
    let codes = game_codes();
    // By merchant and currency: what was owed, less what is noted, less what was fed.
    let mut owed: HashMap<(Uuid, String), i64> = HashMap::new();
    for (merchant_id, currency, amount) in games::list_shares(db, &codes, jackpot::PARTS).await? {
        *owed.entry((merchant_id, currency)).or_default() += amount;
    }
    for (merchant_id, currency, amount) in store::list_noted(db).await? {
        *owed.entry((merchant_id, currency)).or_default() -= amount;
    }
    for pool in store::list_stated(db).await? {
        if pool.wins + 1 != pool.generation {
            let what = "a generation of the jackpot has no winner, or two";
            return Err(Offence::new(pool.pool_id, what).into());
        }
        let into = wallet::sum_into_pool(db, pool.pool_id, Reason::JackpotFed).await?;
        let fed = into - jackpot::SEED.units() * pool.generation;
        *owed.entry((pool.merchant_id, pool.currency)).or_default() -= fed;
    }
    match owed.into_iter().find(|(_, rest)| *rest != 0) {
        Some(((merchant_id, _), _)) => {
            let what = "the jackpot was not fed what rounds have staked for it";
            Err(Offence::new(merchant_id, what).into())
        }
        None => Ok(()),
    }
}
