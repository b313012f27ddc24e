//! The SQL of jackpots.

use std::collections::HashMap;

use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

/// A jackpot pool with its open generation and escrow.
#[derive(Clone, Copy, Debug)]
pub(super) struct PoolRow {
    pub(super) merchant_id: Uuid,
    pub(super) currency: Currency,
    pub(super) pool_id: Uuid,
    pub(super) generation: i64,
    pub(super) escrow_id: Uuid,
}

impl PoolRow {
    /// The next generation of the pool, with a new escrow.
    pub(super) fn next(self, escrow_id: Uuid) -> Self {
        Self { generation: self.generation + 1, escrow_id, ..self }
    }
}

/// A round that hit a jackpot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) member_id: Uuid,
    pub(super) round_id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) currency: Currency,
}

/// A generation that was won.
pub(super) struct WinRow {
    pub(super) generation: i64,
    pub(super) round_id: Uuid,
    pub(super) amount: Amount,
    pub(super) won_at: DateTime<Utc>,
}

fn parse_currency(code: &str) -> Result<Currency, sqlx::Error> {
    code.parse::<Currency>().map_err(|error| sqlx::Error::Decode(error.into()))
}

pub(super) async fn insert_feed(
    db: &mut PgConnection,
    id: Uuid,
    (merchant_id, currency): (Uuid, Currency),
    amount: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into studio_jackpot_feeds (id, merchant_id, currency, amount)
         values ($1, $2, $3, $4)",
        id,
        merchant_id,
        currency.code(),
        amount,
    )
    .execute(db)
    .await
    .map(drop)
}

pub(super) async fn insert_hit(
    db: &mut PgConnection,
    hit: &Hit,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into studio_jackpot_hits (member_id, round_id, merchant_id, currency, hit_at)
         values ($1, $2, $3, $4, $5)",
        hit.member_id,
        hit.round_id,
        hit.merchant_id,
        hit.currency.code(),
        at,
    )
    .execute(db)
    .await
    .map(drop)
}

/// A hit, if it is not paid yet.
pub(super) async fn find_open_hit(
    db: &mut PgConnection,
    member_id: Uuid,
    round_id: Uuid,
) -> Result<Option<Hit>, sqlx::Error> {
    let row = sqlx::query!(
        "select merchant_id, currency from studio_jackpot_hits
         where member_id = $1 and round_id = $2 and paid_at is null",
        member_id,
        round_id,
    )
    .fetch_optional(db)
    .await?;
    let hit = |merchant_id, code: String| {
        Ok(Hit { member_id, round_id, merchant_id, currency: parse_currency(&code)? })
    };
    row.map(|row| hit(row.merchant_id, row.currency)).transpose()
}

/// Hits that are not paid yet, the oldest first.
pub(super) async fn list_open_hits(
    db: &mut PgConnection,
    limit: i64,
) -> Result<Vec<(Uuid, Uuid)>, sqlx::Error> {
    let rows = sqlx::query!(
        "select member_id, round_id from studio_jackpot_hits where paid_at is null
         order by hit_at limit $1",
        limit,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.member_id, row.round_id)).collect())
}

pub(super) async fn update_paid(
    tx: &mut PgTransaction<'_>,
    hit: &Hit,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update studio_jackpot_hits set paid_at = $3
         where member_id = $1 and round_id = $2 and paid_at is null",
        hit.member_id,
        hit.round_id,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Records the win of a generation. The primary key refuses a second win of the same generation.
pub(super) async fn insert_win(
    tx: &mut PgTransaction<'_>,
    hit: &Hit,
    win: &WinRow,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into studio_jackpot_wins
            (merchant_id, currency, generation, round_id, winner_id, amount, won_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        hit.merchant_id,
        hit.currency.code(),
        win.generation,
        win.round_id,
        hit.member_id,
        win.amount.units(),
        win.won_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Inserts a pool unless it exists; returns whether it was inserted.
pub(super) async fn insert_pool(
    tx: &mut PgTransaction<'_>,
    pool: &PoolRow,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "insert into studio_jackpots (merchant_id, currency, pool_id, generation, escrow_id)
         values ($1, $2, $3, $4, $5) on conflict do nothing",
        pool.merchant_id,
        pool.currency.code(),
        pool.pool_id,
        pool.generation,
        pool.escrow_id,
    )
    .execute(&mut **tx)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(super) async fn lock_pool(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    currency: Currency,
) -> Result<Option<PoolRow>, sqlx::Error> {
    let row = sqlx::query!(
        "select pool_id, generation, escrow_id from studio_jackpots
         where merchant_id = $1 and currency = $2 for update",
        merchant_id,
        currency.code(),
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map(|row| PoolRow {
        merchant_id,
        currency,
        pool_id: row.pool_id,
        generation: row.generation,
        escrow_id: row.escrow_id,
    }))
}

pub(super) async fn update_pool(
    tx: &mut PgTransaction<'_>,
    pool: &PoolRow,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update studio_jackpots set generation = $3, escrow_id = $4
         where merchant_id = $1 and currency = $2",
        pool.merchant_id,
        pool.currency.code(),
        pool.generation,
        pool.escrow_id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Deletes the pending contributions of a pool, and returns their sum.
pub(super) async fn delete_feeds(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    currency: Currency,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"with taken as (
            delete from studio_jackpot_feeds where merchant_id = $1 and currency = $2
            returning amount
         )
         select coalesce(sum(amount), 0)::bigint as "fed!" from taken"#,
        merchant_id,
        currency.code(),
    )
    .fetch_one(&mut **tx)
    .await
}

/// The pools with pending contributions, by merchant and currency.
pub(super) async fn list_pending_pools(
    db: &mut PgConnection,
) -> Result<Vec<(Uuid, Currency)>, sqlx::Error> {
    let rows = sqlx::query!("select distinct merchant_id, currency from studio_jackpot_feeds")
        .fetch_all(db)
        .await?;
    rows.into_iter().map(|row| Ok((row.merchant_id, parse_currency(&row.currency)?))).collect()
}

/// The escrows of a merchant's open generations, by currency.
pub(super) async fn list_escrows(
    db: &mut PgConnection,
    merchant_id: Uuid,
) -> Result<HashMap<String, Uuid>, sqlx::Error> {
    let rows = sqlx::query!(
        "select currency, escrow_id from studio_jackpots where merchant_id = $1",
        merchant_id,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.currency, row.escrow_id)).collect())
}

/// The sum of a pool's contributions that are not in an escrow yet.
pub(super) async fn sum_pending(
    db: &mut PgConnection,
    merchant_id: Uuid,
    currency: Currency,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select coalesce(sum(amount), 0)::bigint as "noted!" from studio_jackpot_feeds
         where merchant_id = $1 and currency = $2"#,
        merchant_id,
        currency.code(),
    )
    .fetch_one(db)
    .await
}

/// The last winner of a merchant's jackpot, with the win.
pub(super) async fn find_last_win(
    db: &mut PgConnection,
    merchant_id: Uuid,
    currency: &str,
) -> Result<Option<(Uuid, WinRow)>, sqlx::Error> {
    let row = sqlx::query!(
        "select winner_id, generation, round_id, amount, won_at from studio_jackpot_wins
         where merchant_id = $1 and currency = $2 order by generation desc limit 1",
        merchant_id,
        currency,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| {
        let amount = Amount::from_units(row.amount);
        let (generation, round_id, won_at) = (row.generation, row.round_id, row.won_at);
        (row.winner_id, WinRow { generation, round_id, amount, won_at })
    }))
}

/// The jackpots that a member's rounds have won, by round.
pub(super) async fn list_won(
    db: &mut PgConnection,
    member_id: Uuid,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Amount>, sqlx::Error> {
    let rows = sqlx::query!(
        "select w.round_id, w.amount from studio_jackpot_hits h
         join studio_jackpot_wins w on w.merchant_id = h.merchant_id
            and w.currency = h.currency and w.round_id = h.round_id
         where h.member_id = $1 and h.round_id = any($2) and h.paid_at is not null",
        member_id,
        ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.round_id, Amount::from_units(row.amount))).collect())
}

/// A pool with its number of wins, for the audit.
pub(super) struct PoolWins {
    pub(super) merchant_id: Uuid,
    pub(super) currency: String,
    pub(super) pool_id: Uuid,
    pub(super) generation: i64,
    /// The number of generations that were won.
    pub(super) wins: i64,
}

/// All pools.
pub(super) async fn list_pools(db: &mut PgConnection) -> Result<Vec<PoolWins>, sqlx::Error> {
    sqlx::query_as!(
        PoolWins,
        r#"select merchant_id, currency, pool_id, generation,
            (select count(*) from studio_jackpot_wins w
             where w.merchant_id = p.merchant_id and w.currency = p.currency) as "wins!"
         from studio_jackpots p"#,
    )
    .fetch_all(db)
    .await
}

/// The sums of contributions that are not in an escrow yet, by merchant and currency.
pub(super) async fn list_pending(
    db: &mut PgConnection,
) -> Result<Vec<(Uuid, String, i64)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select merchant_id, currency, sum(amount)::bigint as "amount!"
         from studio_jackpot_feeds group by merchant_id, currency"#,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.merchant_id, row.currency, row.amount)).collect())
}
