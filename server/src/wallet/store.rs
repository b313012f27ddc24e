//! All SQL of the ledger. Transfers are only ever inserted.

use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::chain::{self, Row};

/// The head of a member's chain with its accounts, locked.
pub(super) struct Head {
    pub(super) merchant_id: Uuid,
    pub(super) seq: i64,
    pub(super) hash: Vec<u8>,
    pub(super) balance: i64,
}

pub(super) async fn insert_wallet(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    merchant_id: Uuid,
    currency: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into wallet_chains (member_id, merchant_id, seq, hash) values ($1, $2, 0, $3)",
        member_id,
        merchant_id,
        chain::START.as_slice(),
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into wallet_accounts (member_id, kind, currency, balance)
         values ($1, 'main', $2, 0)",
        member_id,
        currency,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Locks a member's chain, which orders all its postings, and reads the account.
pub(super) async fn lock_head(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    currency: &str,
) -> Result<Option<Head>, sqlx::Error> {
    sqlx::query_as!(
        Head,
        "select c.merchant_id, c.seq, c.hash, a.balance
         from wallet_chains c
         join wallet_accounts a on a.member_id = c.member_id
         where c.member_id = $1 and a.kind = 'main' and a.currency = $2
         for no key update of c, a",
        member_id,
        currency,
    )
    .fetch_optional(&mut **tx)
    .await
}

/// What was posted under a key: the hash of its body, its reference, and the last transfer
/// of that posting.
pub(super) struct Bound {
    pub(super) body_hash: Vec<u8>,
    pub(super) reference: Uuid,
    pub(super) version: i64,
    pub(super) balance: i64,
}

/// Looks a key up. Run after the lock, as a statement of its own: its snapshot then sees
/// every posting that the lock waited for.
pub(super) async fn find_bound(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    key: &str,
) -> Result<Option<Bound>, sqlx::Error> {
    sqlx::query_as!(
        Bound,
        r#"select first.body_hash as "body_hash!", first.ref as reference,
            last.seq as version,
            coalesce(last.credit_after, last.debit_after) as "balance!"
         from wallet_transfers first
         cross join lateral (
            select t.seq, t.debit_after, t.credit_after from wallet_transfers t
            where t.member_id = first.member_id and t.seq >= first.seq and t.ref = first.ref
              and (t.key is null or t.seq = first.seq) and t.seq < first.seq + 16
            order by t.seq desc limit 1
         ) last
         where first.member_id = $1 and first.key = $2"#,
        member_id,
        key,
    )
    .fetch_optional(&mut **tx)
    .await
}

/// Appends a transfer.
pub(super) async fn insert_transfer(
    tx: &mut PgTransaction<'_>,
    row: &Row,
    hash: &[u8; 32],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into wallet_transfers
            (member_id, seq, merchant_id, currency, debit, credit, amount, kind, key, body_hash,
             ref, debit_after, credit_after, at, hash)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        row.member_id,
        row.seq,
        row.merchant_id,
        row.currency,
        row.debit,
        row.credit,
        row.amount,
        row.kind,
        row.key,
        row.body_hash,
        row.reference,
        row.debit_after,
        row.credit_after,
        row.at,
        hash.as_slice(),
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Moves the head of a member's chain and the account's balance.
pub(super) async fn update_head(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    currency: &str,
    head: &Head,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with chain as (
            update wallet_chains set seq = $3, hash = $4 where member_id = $1
         )
         update wallet_accounts set balance = $5
         where member_id = $1 and kind = 'main' and currency = $2",
        member_id,
        currency,
        head.seq,
        head.hash,
        head.balance,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A member's balance and its version.
pub(super) async fn find_balance(
    db: &mut PgConnection,
    member_id: Uuid,
    currency: &str,
) -> Result<Option<(i64, i64)>, sqlx::Error> {
    let row = sqlx::query!(
        "select a.balance, c.seq from wallet_chains c
         join wallet_accounts a on a.member_id = c.member_id
         where c.member_id = $1 and a.kind = 'main' and a.currency = $2",
        member_id,
        currency,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.balance, row.seq)))
}
