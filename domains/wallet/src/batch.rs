//! One batch of orders in one transaction.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use super::desk::{Desk, Receipt};
use super::locked::{Known, Locked};
use super::model::{BalanceEvent, Key, PostError, Posted, Posting};
use crate::codes;
use platform::bulk::Way;
use platform::clock::Clock;
use platform::error::ApiError;
use platform::fail::{FailPoints, Injected};
use platform::push::{self, Topic};

/// An order with the key that it has one effect under.
pub(super) struct Order<O> {
    pub(super) holder_id: Uuid,
    pub(super) key: Key,
    pub(super) what: O,
}

/// What became of an order.
pub(super) enum Outcome<R> {
    Accepted(Receipt<R>),
    Refused(ApiError),
    /// Another transaction holds the wallet: to be tried again.
    Deferred,
}

/// How a batch is worked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Look every key up first. Otherwise only those of refused orders are: a key that was used
    /// before violates the index, and the batch is repeated with care.
    pub(super) is_careful: bool,
    /// Wait for wallets that others hold, instead of leaving their orders for the next batch.
    pub(super) waits: bool,
    pub(super) way: Way,
}

/// Why a batch was not committed, or nobody knows whether it was.
#[derive(Debug, thiserror::Error)]
pub(super) enum BatchError {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// The commit failed: it may have happened all the same.
    #[error("the commit is in doubt: {0}")]
    InDoubt(sqlx::Error),
    #[error(transparent)]
    Injected(#[from] Injected),
}

/// What batches of one desk have in common.
pub(super) struct Bench<D> {
    pub(super) desk: D,
    pub(super) clock: Clock,
    pub(super) fail: FailPoints,
}

impl<D: Desk> Bench<D> {
    /// Works a batch: locks, decides, writes, commits.
    pub(super) async fn work(
        &self,
        db: &mut PgConnection,
        orders: &[Order<D::Order>],
        manner: Manner,
    ) -> Result<Vec<Outcome<D::Record>>, BatchError> {
        let mut tx = db.begin().await?;
        self.fail.pass("wallet.taken").await?;
        let ids = holders_of(orders);
        let locked = match manner.waits {
            true => Locked::lock(&mut tx, &ids).await?,
            false => Locked::lock_free(&mut tx, &ids).await?,
        };
        self.fail.pass("wallet.locked").await?;
        let now = self.clock.now();
        let state = self.desk.load(&mut tx, &locked.marks()).await?;
        let mut batch = Batch::new(locked, state, now);
        if manner.is_careful {
            batch.look_up(&mut tx, keys_of(orders.iter())).await?;
        }
        for order in orders {
            let outcome = batch.take(&self.desk, order, manner.waits);
            batch.outcomes.push(outcome);
        }
        if !manner.is_careful {
            batch.reconsider_refused(&mut tx, orders).await?;
        }
        self.fail.pass("wallet.decided").await?;
        let accepted = !batch.records.is_empty();
        let outcomes = self.write(&mut tx, batch, manner.way).await?;
        if !accepted {
            tx.rollback().await?;
            return Ok(outcomes);
        }
        let began = Instant::now();
        tx.commit().await.map_err(BatchError::InDoubt)?;
        metrics::histogram!("wallet_commit_seconds", "writer" => D::NAME)
            .record(began.elapsed().as_secs_f64());
        self.fail.pass("wallet.committed").await?;
        Ok(outcomes)
    }

    /// Writes what was decided, and finds the records of keys that were used before.
    async fn write(
        &self,
        db: &mut PgConnection,
        batch: Batch<D>,
        way: Way,
    ) -> Result<Vec<Outcome<D::Record>>, BatchError> {
        let Batch { mut locked, state, records, outcomes, now, .. } = batch;
        let outcomes = self.find_records(db, outcomes).await?;
        if records.is_empty() {
            return Ok(outcomes);
        }
        for id in locked.changed() {
            if let Some(mark) = self.desk.mark(&state, id) {
                locked.set_mark(id, mark);
            }
        }
        let mut events = balance_events(&locked);
        locked.write(db, way).await?;
        self.fail.pass("wallet.written").await?;
        self.desk.save(db, &records, way).await?;
        let told = self.desk.events(db, &records).await?.into_iter();
        events.extend(told.map(|(topic, event)| (topic, Event::Desk(event))));
        push::record_all(db, &events, now).await?;
        self.fail.pass("wallet.recorded").await?;
        Ok(outcomes)
    }

    async fn find_records(
        &self,
        db: &mut PgConnection,
        outcomes: Vec<Decided<D::Record>>,
    ) -> Result<Vec<Outcome<D::Record>>, sqlx::Error> {
        let replays = outcomes.iter().filter_map(|outcome| match outcome {
            Decided::Replay(holder_id, posted) => Some((*holder_id, posted.reference)),
            _ => None,
        });
        let replays: Vec<_> = replays.collect();
        let found = match replays.is_empty() {
            true => HashMap::new(),
            false => self.desk.find(db, &replays).await?,
        };
        let outcomes = outcomes.into_iter().map(|outcome| match outcome {
            Decided::Accepted(receipt) => Outcome::Accepted(receipt),
            Decided::Refused(error) => Outcome::Refused(error),
            Decided::Deferred => Outcome::Deferred,
            Decided::Replay(holder_id, posted) => match found.get(&(holder_id, posted.reference)) {
                Some(record) => Outcome::Accepted(Receipt { record: record.clone(), posted }),
                // The key belongs to another domain's posting.
                None => Outcome::Refused(ApiError::new(codes::KEY_REUSED)),
            },
        });
        Ok(outcomes.collect())
    }
}

fn holders_of<O>(orders: &[Order<O>]) -> Vec<Uuid> {
    let mut ids: Vec<_> = orders.iter().map(|order| order.holder_id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

fn keys_of<'a, O: 'a>(orders: impl Iterator<Item = &'a Order<O>>) -> Vec<(Uuid, String)> {
    orders.map(|order| (order.holder_id, order.key.text.clone())).collect()
}

/// What open pages are told.
#[derive(Serialize)]
#[serde(untagged)]
enum Event {
    Balance(BalanceEvent),
    Desk(Value),
}

/// The last balance of every member that something was accepted for.
fn balance_events(locked: &Locked) -> Vec<(Topic, Event)> {
    let events = locked.changed().into_iter().filter_map(|id| {
        let (balance, currency) = (locked.balance(id)?, locked.currency(id)?);
        Some((Topic::Member(id), Event::Balance(BalanceEvent::new(balance, currency))))
    });
    events.collect()
}

/// What was decided of an order so far.
enum Decided<R> {
    Accepted(Receipt<R>),
    Refused(ApiError),
    Deferred,
    /// It was done before, under the same key.
    Replay(Uuid, Posted),
}

/// A batch while it is decided.
struct Batch<D: Desk> {
    locked: Locked,
    state: D::State,
    known: Option<Known>,
    /// The keys that orders of this batch have used.
    used: HashSet<(Uuid, String)>,
    records: Vec<D::Record>,
    outcomes: Vec<Decided<D::Record>>,
    now: DateTime<Utc>,
}

impl<D: Desk> Batch<D> {
    fn new(locked: Locked, state: D::State, now: DateTime<Utc>) -> Self {
        Self {
            locked,
            state,
            known: None,
            used: HashSet::new(),
            records: Vec::new(),
            outcomes: Vec::new(),
            now,
        }
    }

    async fn look_up(
        &mut self,
        db: &mut PgConnection,
        mut keys: Vec<(Uuid, String)>,
    ) -> Result<(), sqlx::Error> {
        keys.retain(|(id, _)| self.locked.has(*id));
        self.known = Some(self.locked.find_posted(db, keys).await?);
        Ok(())
    }

    /// Decides one order.
    fn take(&mut self, desk: &D, order: &Order<D::Order>, waits: bool) -> Decided<D::Record> {
        if !self.locked.has(order.holder_id) {
            return match waits {
                true => Decided::Refused(PostError::NoHolder.into()),
                false => Decided::Deferred,
            };
        }
        if let Some(decided) = self.find_used(order) {
            return decided;
        }
        match self.accept(desk, order) {
            Ok(receipt) => {
                self.used.insert((order.holder_id, order.key.text.clone()));
                Decided::Accepted(receipt)
            }
            Err(error) => Decided::Refused(error),
        }
    }

    /// What the order's key did before, in this batch or ever.
    fn find_used(&self, order: &Order<D::Order>) -> Option<Decided<D::Record>> {
        let known = self.known.as_ref().map(|known| known.find(order.holder_id, &order.key));
        match known {
            Some(Ok(Some(posted))) => return Some(Decided::Replay(order.holder_id, posted)),
            Some(Err(error)) => return Some(Decided::Refused(error.into())),
            Some(Ok(None)) | None => {}
        }
        // Twice in one batch: the second is left for the next, which finds the first.
        let key = (order.holder_id, order.key.text.clone());
        self.used.contains(&key).then_some(Decided::Deferred)
    }

    fn accept(
        &mut self,
        desk: &D,
        order: &Order<D::Order>,
    ) -> Result<Receipt<D::Record>, ApiError> {
        // Whoever was let in before the account was frozen gets no further than here.
        if self.locked.is_frozen(order.holder_id) {
            return Err(PostError::Frozen.into());
        }
        let draft = desk.decide(&self.state, order.holder_id, &order.what, self.now)?;
        let posting = Posting {
            holder_id: order.holder_id,
            key: order.key.clone(),
            reference: draft.reference,
            transfers: draft.transfers,
        };
        let posted = self.locked.decide(posting, self.now)?;
        desk.accept(&mut self.state, &draft.record);
        self.records.push(draft.record.clone());
        Ok(Receipt { record: draft.record, posted })
    }

    /// An order that was accepted once stays accepted, whatever speaks against it now: before a
    /// refusal is told, its key is looked up.
    async fn reconsider_refused(
        &mut self,
        db: &mut PgConnection,
        orders: &[Order<D::Order>],
    ) -> Result<(), sqlx::Error> {
        let refused = self.outcomes.iter().zip(orders);
        let refused = refused.filter(|(outcome, _)| matches!(outcome, Decided::Refused(_)));
        let keys = keys_of(refused.map(|(_, order)| order));
        if keys.is_empty() {
            return Ok(());
        }
        self.look_up(db, keys).await?;
        for (index, order) in orders.iter().enumerate() {
            if matches!(self.outcomes[index], Decided::Refused(_))
                && let Some(decided) = self.find_used(order)
            {
                self.outcomes[index] = decided;
            }
        }
        Ok(())
    }
}
