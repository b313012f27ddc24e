//! The audit: whether the ledger is what it must be, read from the tables alone.

use futures_util::TryStreamExt;
use sqlx::PgPool;
use uuid::Uuid;

use super::chain::{self, Row};

/// The first thing found wrong.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("member {member_id}: {what}")]
pub struct Offence {
    /// Whose chain it is in.
    pub member_id: Uuid,
    /// What is wrong, as a sentence.
    pub what: String,
}

/// Why an audit did not end well.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// An invariant does not hold.
    #[error(transparent)]
    Offence(#[from] Offence),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

/// Replays every member's chain in one snapshot: hashes link, sequence numbers have no gap,
/// balances follow from transfers and never fall below zero, and cached balances agree.
/// Gives the number of transfers checked.
pub async fn audit(db: &PgPool) -> Result<u64, AuditError> {
    let mut tx = db.begin().await?;
    sqlx::query("set transaction isolation level repeatable read, read only")
        .execute(&mut *tx)
        .await?;
    let heads = sqlx::query!(
        "select c.member_id, c.seq, c.hash, a.balance
         from wallet_chains c join wallet_accounts a on a.member_id = c.member_id"
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut checked = 0;
    for head in heads {
        let end = replay(&mut tx, head.member_id).await?;
        let expected = (head.seq, head.hash.as_slice(), head.balance);
        if (end.seq, end.hash.as_slice(), end.balance) != expected {
            return Err(
                offence(head.member_id, "the cached head differs from the transfers").into()
            );
        }
        checked += u64::try_from(end.seq).unwrap_or_default();
    }
    Ok(checked)
}

struct End {
    seq: i64,
    hash: [u8; 32],
    balance: i64,
}

fn offence(member_id: Uuid, what: impl Into<String>) -> Offence {
    Offence { member_id, what: what.into() }
}

async fn replay(tx: &mut sqlx::PgTransaction<'_>, member_id: Uuid) -> Result<End, AuditError> {
    let mut rows = sqlx::query!(
        "select seq, merchant_id, currency, debit, credit, amount, kind, key, body_hash, ref,
            debit_after, credit_after, at, hash
         from wallet_transfers where member_id = $1 order by seq",
        member_id,
    )
    .fetch(&mut **tx);
    let mut end = End { seq: 0, hash: chain::START, balance: 0 };
    while let Some(row) = rows.try_next().await? {
        let stored = row.hash;
        let row = Row {
            member_id,
            seq: row.seq,
            merchant_id: row.merchant_id,
            currency: row.currency,
            debit: row.debit,
            credit: row.credit,
            amount: row.amount,
            kind: row.kind,
            key: row.key,
            body_hash: row.body_hash,
            reference: row.r#ref,
            debit_after: row.debit_after,
            credit_after: row.credit_after,
            at: row.at,
        };
        check(&mut end, &row, &stored)?;
    }
    Ok(end)
}

fn check(end: &mut End, row: &Row, stored: &[u8]) -> Result<(), Offence> {
    let wrong = |what: &str| offence(row.member_id, format!("transfer {}: {what}", row.seq));
    if row.seq != end.seq + 1 {
        return Err(wrong("the sequence has a gap before it"));
    }
    let hash = row.hash(&end.hash);
    if hash != stored {
        return Err(wrong("its hash does not follow from its content and the one before"));
    }
    for (after, amount) in [(row.debit_after, -row.amount), (row.credit_after, row.amount)] {
        let Some(after) = after else { continue };
        if end.balance.checked_add(amount) != Some(after) || after < 0 {
            return Err(wrong("the balance after it does not follow"));
        }
        end.balance = after;
    }
    *end = End { seq: row.seq, hash, balance: end.balance };
    Ok(())
}
