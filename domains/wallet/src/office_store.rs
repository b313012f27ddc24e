//! The SQL of the office's look at wallets.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::record::TransferRow;

/// A member's accounts.
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

/// Freezes a holder's account, opens it again or closes it. To be done while it is locked.
pub(super) async fn update_standing(
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

/// Which transfers of a holder are looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    pub(super) kind: Option<String>,
    pub(super) account: Option<String>,
    pub(super) from: Option<DateTime<Utc>>,
    pub(super) until: Option<DateTime<Utc>>,
    pub(super) least: Option<i64>,
    pub(super) most: Option<i64>,
}

/// A stretch of a holder's record: sequence numbers between two, neither included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) holder_id: Uuid,
    pub(super) above: i64,
    pub(super) below: i64,
}

/// Transfers of a stretch that are looked for, newest first.
pub(super) async fn list_wanted(
    db: &mut PgConnection,
    stretch: Stretch,
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
        stretch.holder_id,
        stretch.above,
        stretch.below,
        filter.kind,
        filter.account,
        filter.from,
        filter.until,
        filter.least,
        filter.most,
        limit,
    )
    .fetch_all(db)
    .await
}

/// When a transfer was made.
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

/// The transfers of a holder that were made at one moment for one record, in their order.
pub(super) async fn list_of_moment(
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

/// The transfer that undoes another.
pub(super) async fn find_undoing(
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

/// Money that was set aside.
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

/// The newest holds of a holder that are open.
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
