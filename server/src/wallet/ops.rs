//! Posting: the one way in which money moves.

use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::chain::Row;
use super::model::{Key, PostError, Posted, Posting, Transfer};
use super::store::{self, Head};
use crate::app::App;
use crate::members::NewMember;
use crate::platform::error::ApiError;

/// A new member gets a wallet in the transaction that makes it.
pub fn on_registered<'a>(
    _: &'a App,
    tx: &'a mut PgTransaction<'static>,
    member: &'a NewMember,
) -> BoxFuture<'a, Result<(), ApiError>> {
    Box::pin(async move {
        let profile = &member.profile;
        let currency = profile.currency.code();
        store::insert_wallet(tx, profile.id, profile.merchant_id, currency).await?;
        Ok(())
    })
}

/// A member's wallet, locked until the transaction ends.
pub struct Locked {
    member_id: Uuid,
    currency: Currency,
    head: Head,
}

/// Locks a member's wallet. While it is held no other posting of the member can be decided.
pub async fn lock(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    currency: Currency,
) -> Result<Locked, PostError> {
    let head = store::lock_head(tx, member_id, currency.code()).await?;
    Ok(Locked { member_id, currency, head: head.ok_or(PostError::NoAccount)? })
}

impl Locked {
    /// What was posted under a key before; another body under the same key is refused.
    pub async fn find_posted(
        &self,
        tx: &mut PgTransaction<'_>,
        key: &Key,
    ) -> Result<Option<Posted>, PostError> {
        let Some(bound) = store::find_bound(tx, self.member_id, &key.text).await? else {
            return Ok(None);
        };
        if bound.body_hash != key.body_hash {
            return Err(PostError::KeyReused);
        }
        Ok(Some(Posted {
            reference: bound.reference,
            balance: Amount::from_units(bound.balance),
            version: bound.version,
        }))
    }
}

/// Posts to a locked wallet. All transfers are decided before the first is written, so a
/// refusal leaves the transaction as it was. The caller commits.
pub async fn post_in(
    tx: &mut PgTransaction<'_>,
    wallet: Locked,
    posting: &Posting,
    now: DateTime<Utc>,
) -> Result<Posted, PostError> {
    assert_eq!(wallet.currency, posting.currency, "a posting is in its wallet's currency");
    let Locked { member_id, mut head, .. } = wallet;
    let mut rows = Vec::with_capacity(posting.transfers.len());
    for transfer in &posting.transfers {
        let is_first = rows.is_empty();
        let row = decide(member_id, &mut head, posting, (transfer, is_first), now)?;
        let hash = row.hash(&head.hash);
        head.hash = hash.to_vec();
        rows.push((row, hash));
    }
    for (row, hash) in &rows {
        store::insert_transfer(tx, row, hash).await?;
    }
    store::update_head(tx, member_id, posting.currency.code(), &head).await?;
    Ok(Posted {
        reference: posting.reference,
        balance: Amount::from_units(head.balance),
        version: head.seq,
    })
}

/// Applies a transfer to the head, and says how its row reads.
fn decide(
    member_id: Uuid,
    head: &mut Head,
    posting: &Posting,
    (transfer, is_first): (&Transfer, bool),
    now: DateTime<Utc>,
) -> Result<Row, PostError> {
    let amount = transfer.amount;
    assert!(Amount::ZERO < amount, "a transfer moves something");
    let mut balance = Amount::from_units(head.balance);
    let mut debit_after = None;
    let mut credit_after = None;
    if transfer.debit.is_member() {
        balance = balance.minus(amount).map_err(|_| PostError::OutOfRange)?;
        if balance < Amount::ZERO {
            return Err(PostError::InsufficientFunds);
        }
        debit_after = Some(balance.units());
    }
    if transfer.credit.is_member() {
        balance = balance.plus(amount).map_err(|_| PostError::OutOfRange)?;
        credit_after = Some(balance.units());
    }
    head.balance = balance.units();
    head.seq = head.seq.checked_add(1).ok_or(PostError::OutOfRange)?;
    Ok(Row {
        member_id,
        seq: head.seq,
        merchant_id: head.merchant_id,
        currency: posting.currency.code().to_owned(),
        debit: transfer.debit.name(posting.currency).to_owned(),
        credit: transfer.credit.name(posting.currency).to_owned(),
        amount: amount.units(),
        kind: transfer.reason.name().to_owned(),
        key: is_first.then(|| posting.key.text.clone()),
        body_hash: is_first.then(|| posting.key.body_hash.to_vec()),
        reference: posting.reference,
        debit_after,
        credit_after,
        at: now,
    })
}

/// A member's balance with its version.
pub async fn find_balance(
    db: &mut PgConnection,
    member_id: Uuid,
    currency: Currency,
) -> Result<Option<(Amount, i64)>, sqlx::Error> {
    let found = store::find_balance(db, member_id, currency.code()).await?;
    Ok(found.map(|(units, version)| (Amount::from_units(units), version)))
}

/// The push event that tells a member's pages of a new balance.
pub fn balance_event(posted: &Posted, currency: Currency) -> Value {
    json!({
        "type": "balance",
        "balance": {
            "currency": currency.code(),
            "balance": posted.balance.to_string(),
            "version": posted.version,
        },
    })
}
