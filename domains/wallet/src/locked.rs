//! The core of the ledger: holders that are locked, what is decided on them, and its writing.
//!
//! Both doors, [`super::post_in`] and the writer, do the same three steps: lock holders, decide
//! postings one after the other in memory, write everything decided at once.

use std::borrow::Cow;
use std::collections::BTreeMap;

use capiz_rules::chain::Entry;
use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Account, Key, Mark, PostError, Posted, Posting, Transfer, Vendor};
use super::reasons::Reason;
use super::store;
use platform::bulk::Way;
use platform::place::Place;

/// A holder as its row says, and as it will be after what has been decided.
#[derive(Clone, Debug)]
pub(super) struct Holder {
    /// Where the row's version is that was locked: it stays there until the transaction ends, so
    /// that the update needs no index.
    pub(super) place: Place,
    pub(super) merchant_id: Uuid,
    pub(super) currency: Currency,
    pub(super) seq: i64,
    pub(super) hash: [u8; 32],
    pub(super) main: i64,
    pub(super) held: i64,
    pub(super) bonus: i64,
    pub(super) points: i64,
    pub(super) mark: Mark,
    pub(super) has_vendors: bool,
    /// The holder's own orders are refused.
    pub(super) is_frozen: bool,
    /// Nothing is posted any more.
    pub(super) is_closed: bool,
    pub(super) vendors: BTreeMap<Vendor, i64>,
}

/// A transfer that was decided.
#[derive(Clone, Debug)]
pub(super) struct Row {
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

/// Holders that are locked until the transaction ends.
#[derive(Default)]
pub struct Locked {
    holders: BTreeMap<Uuid, Holder>,
    rows: Vec<Row>,
}

impl Locked {
    /// Locks holders in the order of their ids, so that no two transactions wait for each
    /// other, and waits for those that another transaction holds.
    pub async fn lock(db: &mut PgConnection, ids: &[Uuid]) -> Result<Self, sqlx::Error> {
        let holders = store::lock_holders(db, ids).await?;
        Self::with_vendors(db, holders).await
    }

    /// Locks those holders that nobody else has locked.
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
        Ok(Self { holders, rows: Vec::new() })
    }

    /// Whether a holder is among them.
    pub fn has(&self, id: Uuid) -> bool {
        self.holders.contains_key(&id)
    }

    /// Whether money can move between two of them: one merchant, one currency.
    pub(super) fn is_one_purse(&self, one: Uuid, other: Uuid) -> bool {
        let purse = |id| self.holders.get(&id).map(|holder| (holder.merchant_id, holder.currency));
        purse(one).is_some() && purse(one) == purse(other)
    }

    /// Whether a holder's own orders are refused: its account is frozen or closed.
    pub fn is_frozen(&self, id: Uuid) -> bool {
        self.holders.get(&id).is_some_and(|holder| holder.is_frozen)
    }

    /// Whether a holder has nothing on any account.
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

    /// The currency of a holder's money.
    pub fn currency(&self, id: Uuid) -> Option<Currency> {
        self.holders.get(&id).map(|holder| holder.currency)
    }

    /// A holder's main account after what has been decided, with its version.
    pub fn balance(&self, id: Uuid) -> Option<(Amount, i64)> {
        self.holders.get(&id).map(|holder| (Amount::from_units(holder.main), holder.seq))
    }

    /// What a desk remembered of the holders.
    pub(super) fn marks(&self) -> BTreeMap<Uuid, Mark> {
        self.holders.iter().map(|(id, holder)| (*id, holder.mark)).collect()
    }

    /// What a desk is to remember of a holder; written with its balances.
    pub(super) fn set_mark(&mut self, id: Uuid, mark: Mark) {
        if let Some(holder) = self.holders.get_mut(&id) {
            holder.mark = mark;
        }
    }

    /// What was posted under keys before. A statement of its own after the lock: its snapshot
    /// then sees every posting that the lock waited for.
    pub async fn find_posted(
        &self,
        db: &mut PgConnection,
        keys: Vec<(Uuid, String)>,
    ) -> Result<Known, sqlx::Error> {
        store::find_bound(db, keys).await.map(Known)
    }

    /// Decides a posting: all its transfers, or none.
    pub fn decide(&mut self, posting: Posting, now: DateTime<Utc>) -> Result<Posted, PostError> {
        let holder = self.holders.get_mut(&posting.holder_id).ok_or(PostError::NoHolder)?;
        if holder.is_closed {
            return Err(PostError::Closed);
        }
        let mut changed = holder.clone();
        let before = self.rows.len();
        for transfer in &posting.transfers {
            match changed.apply(&posting, transfer, now) {
                Ok(row) => self.rows.push(row),
                Err(refused) => {
                    self.rows.truncate(before);
                    return Err(refused);
                }
            }
        }
        let reference = posting.reference;
        // The first transfer of a posting carries its key.
        if let Some(first) = self.rows.get_mut(before) {
            first.key = Some(posting.key);
        }
        for row in &mut self.rows[before..] {
            changed.hash = row.entry(changed.merchant_id).hash(&changed.hash);
            row.hash = changed.hash;
        }
        let balance = Amount::from_units(changed.main);
        let version = changed.seq;
        *holder = changed;
        Ok(Posted { reference, balance, version, is_replay: false })
    }

    /// The holders for whom something was decided.
    pub(super) fn changed(&self) -> Vec<Uuid> {
        let mut changed: Vec<Uuid> = self.rows.iter().map(|row| row.holder_id).collect();
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// Writes everything that was decided.
    pub(super) async fn write(
        mut self,
        db: &mut PgConnection,
        way: Way,
    ) -> Result<(), sqlx::Error> {
        if self.rows.is_empty() {
            return Ok(());
        }
        store::insert_transfers(db, &self.rows, way).await?;
        let changed = self.changed().into_iter();
        let changed: Vec<_> = changed.filter_map(|id| self.holders.remove_entry(&id)).collect();
        store::update_holders(db, &changed).await?;
        store::update_vendors(db, &changed).await
    }
}

/// What was posted before, by holder and key.
pub struct Known(std::collections::HashMap<(Uuid, String), store::Bound>);

impl Known {
    /// What a key has done; another body under the same key is refused.
    pub fn find(&self, holder_id: Uuid, key: &Key) -> Result<Option<Posted>, PostError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        match self.0.get(&(holder_id, key.text.clone())) {
            None => Ok(None),
            Some(bound) if bound.body_hash != key.body_hash => Err(PostError::KeyReused),
            Some(bound) => Ok(Some(bound.posted())),
        }
    }
}

impl Holder {
    /// Applies a transfer, and says how its row reads.
    fn apply(
        &mut self,
        posting: &Posting,
        transfer: &Transfer,
        now: DateTime<Utc>,
    ) -> Result<Row, PostError> {
        let Transfer { debit, credit, amount, reason, reverses } = transfer;
        if !amount.is_positive() || !reason.allows(debit, credit) {
            return Err(PostError::Impossible("a transfer that its reason does not allow"));
        }
        let currency = transfer.currency(self.currency);
        let debit_after = self.add(debit, -amount.units())?;
        let credit_after = self.add(credit, amount.units())?;
        self.seq = self.seq.checked_add(1).ok_or(PostError::OutOfRange)?;
        Ok(Row {
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

    /// Adds to an account of the holder; the house's accounts have no balance here.
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

impl Row {
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
