//! The audit: whether the ledger is what it must be, read from the tables alone.

use std::collections::BTreeMap;

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
/// balances follow from transfers and never fall below zero, cached heads and balances agree,
/// and nothing moved that belongs to nobody. Gives the number of transfers checked.
pub async fn audit(db: &PgPool) -> Result<u64, AuditError> {
    let mut tx = db.begin().await?;
    sqlx::query("set transaction isolation level repeatable read, read only")
        .execute(&mut *tx)
        .await?;
    let members = sqlx::query_scalar!(
        r#"select member_id as "member_id!" from wallet_chains
         union select member_id from wallet_accounts
         union select member_id from wallet_transfers"#
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut checked = 0;
    for member_id in members {
        let end = replay(&mut tx, member_id).await?;
        compare(&mut tx, member_id, &end).await?;
        checked += u64::try_from(end.seq).unwrap_or_default();
    }
    Ok(checked)
}

/// Where a member's transfers lead.
struct End {
    seq: i64,
    hash: [u8; 32],
    /// By account and currency.
    balances: BTreeMap<(String, String), i64>,
}

fn offence(member_id: Uuid, what: impl Into<String>) -> Offence {
    Offence { member_id, what: what.into() }
}

/// Holds the cached head and balances against what the transfers say.
async fn compare(
    tx: &mut sqlx::PgTransaction<'_>,
    member_id: Uuid,
    end: &End,
) -> Result<(), AuditError> {
    let head = sqlx::query!("select seq, hash from wallet_chains where member_id = $1", member_id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| offence(member_id, "there is no chain for its rows"))?;
    if (head.seq, head.hash.as_slice()) != (end.seq, end.hash.as_slice()) {
        return Err(offence(member_id, "the cached head differs from the transfers").into());
    }
    let rows = sqlx::query!(
        "select kind, currency, balance from wallet_accounts where member_id = $1",
        member_id,
    )
    .fetch_all(&mut **tx)
    .await?;
    let cached: BTreeMap<_, _> =
        rows.into_iter().map(|row| ((row.kind, row.currency), row.balance)).collect();
    let is_equal =
        end.balances.iter().all(|(account, balance)| cached.get(account) == Some(balance))
            && cached
                .iter()
                .all(|(account, cached)| *end.balances.get(account).unwrap_or(&0) == *cached);
    if is_equal {
        Ok(())
    } else {
        Err(offence(member_id, "a cached balance differs from the transfers").into())
    }
}

async fn replay(tx: &mut sqlx::PgTransaction<'_>, member_id: Uuid) -> Result<End, AuditError> {
    let mut rows = sqlx::query!(
        "select seq, merchant_id, currency, debit, credit, amount, kind, key, body_hash, ref,
            debit_after, credit_after, at, hash
         from wallet_transfers where member_id = $1 order by seq",
        member_id,
    )
    .fetch(&mut **tx);
    let mut end = End { seq: 0, hash: chain::START, balances: BTreeMap::new() };
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
    let sides =
        [(&row.debit, row.debit_after, -row.amount), (&row.credit, row.credit_after, row.amount)];
    for (account, after, amount) in sides {
        let Some(after) = after else { continue };
        let balance = end.balances.entry((account.clone(), row.currency.clone())).or_default();
        if balance.checked_add(amount) != Some(after) || after < 0 {
            return Err(wrong("the balance after it does not follow"));
        }
        *balance = after;
    }
    end.seq = row.seq;
    end.hash = hash;
    Ok(())
}
