//! The SQL of the wallet's office calls.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::record::TransferRow;

/// A member's balances and chain head.
pub(super) struct AccountsRow {
    pub(super) merchant_id: Uuid,
    pub(super) currency: String,
    pub(super) main: i64,
    pub(super) held: i64,
    pub(super) bonus: i64,
    pub(super) points: i64,
    pub(super) seq: i64,
    pub(super) hash: Vec<u8>,
}

pub(super) async fn find_accounts(
    db: &mut PgConnection,
    holder_id: Uuid,
) -> Result<Option<AccountsRow>, sqlx::Error> {
    sqlx::query_as!(
        AccountsRow,
        "select merchant_id, currency, main, held, bonus, points, seq, hash
         from wallet_holders where holder_id = $1 and kind = 'member'",
        holder_id,
    )
    .fetch_optional(db)
    .await
}

/// Sets the frozen and closed flags of a holder. Call it while the holder's row is locked.
pub(super) async fn update_state(
    tx: &mut PgTransaction<'_>,
    holder_id: Uuid,
    (is_frozen, is_closed): (bool, bool),
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update wallet_holders set is_frozen = $2, is_closed = $3 where holder_id = $1",
        holder_id,
        is_frozen,
        is_closed,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A filter on a holder's transfers.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    pub(super) kind: Option<String>,
    pub(super) account: Option<String>,
    pub(super) from: Option<DateTime<Utc>>,
    pub(super) until: Option<DateTime<Utc>>,
    pub(super) min_amount: Option<i64>,
    pub(super) max_amount: Option<i64>,
}

/// A range of a holder's sequence numbers; both limits are exclusive.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeqRange {
    pub(super) holder_id: Uuid,
    pub(super) above: i64,
    pub(super) below: i64,
}

/// The transfers of a range that match a filter, newest first.
pub(super) async fn list_matching(
    db: &mut PgConnection,
    range: SeqRange,
    filter: &Filter,
    limit: i64,
) -> Result<Vec<TransferRow>, sqlx::Error> {
    sqlx::query_as!(
        TransferRow,
        "select holder_id, seq, amount, debit_after, credit_after, at, reverses, ref as reference,
            currency, debit, credit, kind, key, body_hash, hash
         from wallet_transfers
         where holder_id = $1 and seq > $2 and seq < $3
           and ($4::text is null or kind = $4)
           and ($5::text is null or debit = $5 or credit = $5)
           and ($6::timestamptz is null or at >= $6)
           and ($7::timestamptz is null or at < $7)
           and ($8::bigint is null or amount >= $8)
           and ($9::bigint is null or amount <= $9)
         order by seq desc limit $10",
        range.holder_id,
        range.above,
        range.below,
        filter.kind,
        filter.account,
        filter.from,
        filter.until,
        filter.min_amount,
        filter.max_amount,
        limit,
    )
    .fetch_all(db)
    .await
}

/// The time of a transfer.
pub(super) async fn find_time(
    db: &mut PgConnection,
    holder_id: Uuid,
    seq: i64,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!(
        "select at from wallet_transfers where holder_id = $1 and seq = $2",
        holder_id,
        seq,
    )
    .fetch_optional(db)
    .await
}

/// A holder's transfers for one reference at one time, in order.
pub(super) async fn list_for_reference(
    db: &mut PgConnection,
    holder_id: Uuid,
    reference: Uuid,
    at: DateTime<Utc>,
) -> Result<Vec<TransferRow>, sqlx::Error> {
    sqlx::query_as!(
        TransferRow,
        "select holder_id, seq, amount, debit_after, credit_after, at, reverses, ref as reference,
            currency, debit, credit, kind, key, body_hash, hash
         from wallet_transfers
         where at = $3 and holder_id = $1 and ref = $2
         order by seq limit 100",
        holder_id,
        reference,
        at,
    )
    .fetch_all(db)
    .await
}

/// The sequence number of the transfer that reverses another.
pub(super) async fn find_reversal(
    db: &mut PgConnection,
    holder_id: Uuid,
    seq: i64,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "select seq from wallet_transfers where holder_id = $1 and reverses = $2",
        holder_id,
        seq,
    )
    .fetch_optional(db)
    .await
}

/// A hold as it is stored.
pub(super) struct HoldRow {
    pub(super) id: Uuid,
    pub(super) amount: i64,
    pub(super) captured: Option<i64>,
}

/// A hold by its id.
pub(super) async fn find_hold(
    db: &mut PgConnection,
    holder_id: Uuid,
    id: Uuid,
) -> Result<Option<HoldRow>, sqlx::Error> {
    sqlx::query_as!(
        HoldRow,
        "select id, amount, captured from wallet_holds where holder_id = $1 and id = $2",
        holder_id,
        id,
    )
    .fetch_optional(db)
    .await
}

/// A holder's newest open holds.
pub(super) async fn list_open_holds(
    db: &mut PgConnection,
    holder_id: Uuid,
    limit: i64,
) -> Result<Vec<HoldRow>, sqlx::Error> {
    sqlx::query_as!(
        HoldRow,
        "select id, amount, captured from wallet_holds
         where holder_id = $1 and captured is null order by id desc limit $2",
        holder_id,
        limit,
    )
    .fetch_all(db)
    .await
}
