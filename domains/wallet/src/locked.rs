//! The core of the ledger: locks holders' rows, decides postings in memory, and writes them.
//!
//! [`super::post_in`] and the writer both follow the same three steps: lock the rows, decide the
//! postings one after the other in memory, write everything with a few statements.

use std::borrow::Cow;
use std::collections::BTreeMap;

use capiz_rules::chain::Entry;
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Account, HandlerCursor, Key, PostError, Posted, Posting, Transfer, Vendor};
use super::reasons::Reason;
use super::store;
use platform::ctid::Ctid;

/// A holder's row, updated in memory by each posting that was decided.
#[derive(Clone, Debug)]
pub(super) struct Holder {
    /// The `ctid` of the locked row version. It cannot change until the transaction ends, so the
    /// update finds the row without an index.
    pub(super) ctid: Ctid,
    pub(super) merchant_id: Uuid,
    pub(super) currency: Currency,
    pub(super) seq: i64,
    pub(super) hash: [u8; 32],
    pub(super) main: i64,
    pub(super) held: i64,
    pub(super) bonus: i64,
    pub(super) points: i64,
    pub(super) cursor: HandlerCursor,
    pub(super) has_vendors: bool,
    /// The account is frozen: the holder's own orders are refused.
    pub(super) is_frozen: bool,
    /// The account is closed: every posting is refused.
    pub(super) is_closed: bool,
    pub(super) vendors: BTreeMap<Vendor, i64>,
}

/// A transfer that was decided and is not inserted yet.
#[derive(Clone, Debug)]
pub(super) struct PendingTransfer {
    pub(super) holder_id: Uuid,
    pub(super) seq: i64,
    pub(super) currency: Currency,
    pub(super) debit: Cow<'static, str>,
    pub(super) credit: Cow<'static, str>,
    pub(super) amount: i64,
    pub(super) reason: Reason,
    pub(super) key: Option<Key>,
    pub(super) reference: Uuid,
    pub(super) debit_after: Option<i64>,
    pub(super) credit_after: Option<i64>,
    pub(super) at: DateTime<Utc>,
    pub(super) reverses: Option<i64>,
    pub(super) hash: [u8; 32],
}

/// Holders whose rows are locked until the transaction ends, with the postings decided on them.
#[derive(Default)]
pub struct Locked {
    holders: BTreeMap<Uuid, Holder>,
    pending: Vec<PendingTransfer>,
}

impl Locked {
    /// Locks the holders' rows in the order of their ids, which prevents deadlocks. Waits for rows
    /// that another transaction has locked.
    pub async fn lock(db: &mut PgConnection, ids: &[Uuid]) -> Result<Self, sqlx::Error> {
        let holders = store::lock_holders(db, ids).await?;
        Self::with_vendors(db, holders).await
    }

    /// Locks the rows that no other transaction has locked (`skip locked`).
    pub(super) async fn lock_free(
        db: &mut PgConnection,
        ids: &[Uuid],
    ) -> Result<Self, sqlx::Error> {
        let holders = store::lock_free_holders(db, ids).await?;
        Self::with_vendors(db, holders).await
    }

    async fn with_vendors(
        db: &mut PgConnection,
        mut holders: BTreeMap<Uuid, Holder>,
    ) -> Result<Self, sqlx::Error> {
        let ids: Vec<_> =
            holders.iter().filter(|(_, holder)| holder.has_vendors).map(|(id, _)| *id).collect();
        if !ids.is_empty() {
            for (id, vendor, balance) in store::list_vendors(db, &ids).await? {
                if let Some(holder) = holders.get_mut(&id) {
                    holder.vendors.insert(vendor, balance);
                }
            }
        }
        Ok(Self { holders, pending: Vec::new() })
    }

    /// Whether a holder's row is locked here.
    pub fn has(&self, id: Uuid) -> bool {
        self.holders.contains_key(&id)
    }

    /// Whether money can move between two holders: they must have the same merchant and currency.
    pub(super) fn is_same_merchant_and_currency(&self, one: Uuid, other: Uuid) -> bool {
        let key = |id| self.holders.get(&id).map(|holder| (holder.merchant_id, holder.currency));
        key(one).is_some() && key(one) == key(other)
    }

    /// Whether the account is frozen or closed, so that the holder's own orders are refused.
    pub fn is_frozen(&self, id: Uuid) -> bool {
        self.holders.get(&id).is_some_and(|holder| holder.is_frozen)
    }

    /// Whether all accounts of a holder are at zero.
    pub(super) fn is_empty(&self, id: Uuid) -> bool {
        self.holders.get(&id).is_none_or(|holder| {
            let own = [holder.main, holder.held, holder.bonus, holder.points];
            own.iter().chain(holder.vendors.values()).all(|balance| *balance == 0)
        })
    }

    /// The merchant of a holder.
    pub fn merchant(&self, id: Uuid) -> Option<Uuid> {
        self.holders.get(&id).map(|holder| holder.merchant_id)
    }

    /// The currency of a holder.
    pub fn currency(&self, id: Uuid) -> Option<Currency> {
        self.holders.get(&id).map(|holder| holder.currency)
    }

    /// A holder's main balance after the postings decided so far, with its version.
    pub fn balance(&self, id: Uuid) -> Option<(Amount, i64)> {
        self.holders.get(&id).map(|holder| (Amount::from_units(holder.main), holder.seq))
    }

    /// The stored handler cursors of the holders.
    pub(super) fn cursors(&self) -> BTreeMap<Uuid, HandlerCursor> {
        self.holders.iter().map(|(id, holder)| (*id, holder.cursor)).collect()
    }

    /// Sets a holder's handler cursor; it is written together with the balances.
    pub(super) fn set_cursor(&mut self, id: Uuid, cursor: HandlerCursor) {
        if let Some(holder) = self.holders.get_mut(&id) {
            holder.cursor = cursor;
        }
    }

    /// Finds what was posted under these keys before. It is a separate statement after the lock, so
    /// that its snapshot (read committed) sees every posting that the lock waited for.
    pub async fn find_posted(
        &self,
        db: &mut PgConnection,
        keys: Vec<(Uuid, String)>,
    ) -> Result<Known, sqlx::Error> {
        store::find_posted_keys(db, keys).await.map(Known)
    }

    /// Decides a posting in memory: all its transfers are accepted, or none.
    pub fn decide(&mut self, posting: Posting, now: DateTime<Utc>) -> Result<Posted, PostError> {
        let holder = self.holders.get_mut(&posting.holder_id).ok_or(PostError::NoHolder)?;
        if holder.is_closed {
            return Err(PostError::Closed);
        }
        let mut changed = holder.clone();
        let start = self.pending.len();
        for transfer in &posting.transfers {
            match changed.apply(&posting, transfer, now) {
                Ok(transfer) => self.pending.push(transfer),
                Err(refused) => {
                    self.pending.truncate(start);
                    return Err(refused);
                }
            }
        }
        let reference = posting.reference;
        // The first transfer of a posting has its idempotency key.
        if let Some(first) = self.pending.get_mut(start) {
            first.key = Some(posting.key);
        }
        for transfer in &mut self.pending[start..] {
            changed.hash = transfer.entry(changed.merchant_id).hash(&changed.hash);
            transfer.hash = changed.hash;
        }
        let balance = Amount::from_units(changed.main);
        let version = changed.seq;
        *holder = changed;
        Ok(Posted { reference, balance, version, is_replay: false })
    }

    /// The holders with accepted postings.
    pub(super) fn changed(&self) -> Vec<Uuid> {
        let mut changed: Vec<Uuid> =
            self.pending.iter().map(|transfer| transfer.holder_id).collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Inserts the transfers and updates the holders' rows.
    pub(super) async fn write(mut self, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        if self.pending.is_empty() {
            return Ok(());
        }
        store::insert_transfers(db, &self.pending).await?;
        let changed = self.changed().into_iter();
        let changed: Vec<_> = changed.filter_map(|id| self.holders.remove_entry(&id)).collect();
        store::update_holders(db, &changed).await?;
        store::update_vendors(db, &changed).await
    }
}

/// Earlier postings by holder and idempotency key.
pub struct Known(std::collections::HashMap<(Uuid, String), store::PostedKey>);

impl Known {
    /// The earlier posting of a key. The same key with another body is refused.
    pub fn find(&self, holder_id: Uuid, key: &Key) -> Result<Option<Posted>, PostError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        match self.0.get(&(holder_id, key.text.clone())) {
            None => Ok(None),
            Some(found) if found.body_hash != key.body_hash => Err(PostError::KeyReused),
            Some(found) => Ok(Some(found.posted())),
        }
    }
}

impl Holder {
    /// Applies a transfer to the balances in memory and returns the row to insert.
    fn apply(
        &mut self,
        posting: &Posting,
        transfer: &Transfer,
        now: DateTime<Utc>,
    ) -> Result<PendingTransfer, PostError> {
        let Transfer { debit, credit, amount, reason, reverses } = transfer;
        if !amount.is_positive() || !reason.allows(debit, credit) {
            return Err(PostError::Impossible("the reason does not allow this transfer"));
        }
        let currency = transfer.currency(self.currency);
        let debit_after = self.add(debit, -amount.units())?;
        let credit_after = self.add(credit, amount.units())?;
        self.seq = self.seq.checked_add(1).ok_or(PostError::OutOfRange)?;
        Ok(PendingTransfer {
            holder_id: posting.holder_id,
            seq: self.seq,
            currency,
            debit: debit.name(currency),
            credit: credit.name(currency),
            amount: amount.units(),
            reason: *reason,
            key: None,
            reference: posting.reference,
            debit_after,
            credit_after,
            at: now,
            reverses: *reverses,
            hash: [0; 32],
        })
    }

    /// Adds to one of the holder's accounts and returns the new balance. House accounts have no
    /// stored balance.
    fn add(&mut self, account: &Account, amount: i64) -> Result<Option<i64>, PostError> {
        let balance = match account {
            Account::House(_) => return Ok(None),
            Account::Main => &mut self.main,
            Account::Held => &mut self.held,
            Account::Bonus => &mut self.bonus,
            Account::Points => &mut self.points,
            Account::Vendor(vendor) => {
                self.has_vendors = true;
                self.vendors.entry(vendor.clone()).or_default()
            }
        };
        let after = balance.checked_add(amount).ok_or(PostError::OutOfRange)?;
        if after < 0 {
            return Err(PostError::InsufficientFunds);
        }
        *balance = after;
        Ok(Some(after))
    }
}

impl PendingTransfer {
    fn entry(&self, merchant_id: Uuid) -> Entry<'_> {
        Entry {
            holder: self.holder_id.into_bytes(),
            seq: self.seq,
            merchant: merchant_id.into_bytes(),
            currency: self.currency.code(),
            debit: &self.debit,
            credit: &self.credit,
            amount: self.amount,
            kind: self.reason.name(),
            key: self.key.as_ref().map(|key| key.text.as_str()),
            body_hash: self.key.as_ref().map(|key| key.body_hash.as_slice()),
            reference: self.reference.into_bytes(),
            debit_after: self.debit_after,
            credit_after: self.credit_after,
            at_micros: self.at.timestamp_micros(),
            reverses: self.reverses,
        }
    }
}
