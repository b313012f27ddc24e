//! Reads the account history: a holder's transfers as they are stored.

use capiz_rules::chain::Entry;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// The newest sequence number and hash of a holder's chain.
pub(super) struct Head {
    pub(super) merchant_id: Uuid,
    pub(super) seq: i64,
    pub(super) hash: Vec<u8>,
}

pub(super) async fn find_head(
    db: &mut PgConnection,
    holder_id: Uuid,
) -> Result<Option<Head>, sqlx::Error> {
    sqlx::query_as!(
        Head,
        "select merchant_id, seq, hash from wallet_holders where holder_id = $1",
        holder_id,
    )
    .fetch_optional(db)
    .await
}

/// A transfer as it is stored.
#[derive(Clone, Debug)]
pub(super) struct TransferRow {
    pub(super) holder_id: Uuid,
    pub(super) seq: i64,
    pub(super) amount: i64,
    pub(super) debit_after: Option<i64>,
    pub(super) credit_after: Option<i64>,
    pub(super) at: DateTime<Utc>,
    pub(super) reverses: Option<i64>,
    pub(super) reference: Uuid,
    pub(super) currency: String,
    pub(super) debit: String,
    pub(super) credit: String,
    pub(super) kind: String,
    pub(super) key: Option<String>,
    pub(super) body_hash: Option<Vec<u8>>,
    pub(super) hash: Vec<u8>,
}

impl TransferRow {
    /// The content that the row's hash covers.
    pub(super) fn entry(&self, merchant_id: Uuid) -> Entry<'_> {
        Entry {
            holder: self.holder_id.into_bytes(),
            seq: self.seq,
            merchant: merchant_id.into_bytes(),
            currency: &self.currency,
            debit: &self.debit,
            credit: &self.credit,
            amount: self.amount,
            kind: &self.kind,
            key: self.key.as_deref(),
            body_hash: self.body_hash.as_deref(),
            reference: self.reference.into_bytes(),
            debit_after: self.debit_after,
            credit_after: self.credit_after,
            at_micros: self.at.timestamp_micros(),
            reverses: self.reverses,
        }
    }
}

/// A holder's transfers before a sequence number, newest first.
pub(super) async fn list_before(
    db: &mut PgConnection,
    holder_id: Uuid,
    before: i64,
    limit: i64,
) -> Result<Vec<TransferRow>, sqlx::Error> {
    sqlx::query_as!(
        TransferRow,
        "select holder_id, seq, amount, debit_after, credit_after, at, reverses, ref as reference,
            currency, debit, credit, kind, key, body_hash, hash
         from wallet_transfers where holder_id = $1 and seq < $2
         order by seq desc limit $3",
        holder_id,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// A holder's transfers after a sequence number, oldest first.
pub(super) async fn list_after(
    db: &mut PgConnection,
    holder_id: Uuid,
    after: i64,
    limit: i64,
) -> Result<Vec<TransferRow>, sqlx::Error> {
    sqlx::query_as!(
        TransferRow,
        "select holder_id, seq, amount, debit_after, credit_after, at, reverses, ref as reference,
            currency, debit, credit, kind, key, body_hash, hash
         from wallet_transfers where holder_id = $1 and seq > $2
         order by seq limit $3",
        holder_id,
        after,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Whether a transfer was reversed. Call it while the holder's row is locked.
pub(super) async fn is_reversed(
    db: &mut PgConnection,
    holder_id: Uuid,
    seq: i64,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select from wallet_transfers where holder_id = $1 and reverses = $2
         ) as "reversed!""#,
        holder_id,
        seq,
    )
    .fetch_one(db)
    .await
}
