//! Processes one batch of orders in one database transaction: lock, decide, write, commit.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

use super::handler::{Handler, Receipt};
use super::locked::{Known, Locked};
use super::model::{BalanceEvent, Key, PostError, Posted, Posting};
use crate::codes;
use platform::clock::Clock;
use platform::error::ApiError;
use platform::fail::{FailPoints, Injected};
use platform::push::{self, Topic};

/// An order with its idempotency key.
pub(super) struct Order<O> {
    pub(super) holder_id: Uuid,
    pub(super) key: Key,
    pub(super) body: O,
}

/// The result of an order in a batch.
pub(super) enum Outcome<R> {
    Accepted(Receipt<R>),
    Refused(ApiError),
    /// Another transaction holds the row lock, or the key came twice in one batch: try again in
    /// the next batch.
    Deferred,
}

/// Options of one batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchOptions {
    /// Look up all idempotency keys first. Otherwise only the keys of refused orders are looked
    /// up: a key that was used before violates the unique index, and the batch is repeated with
    /// this option on.
    pub(super) checks_keys: bool,
    /// Wait for row locks that other transactions hold. Otherwise the orders of locked holders are
    /// left for the next batch (`skip locked`).
    pub(super) waits_for_locks: bool,
}

/// Why a batch was not committed, or why it is unknown whether it was.
#[derive(Debug, thiserror::Error)]
pub(super) enum BatchError {
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// `commit` failed. The server may have committed before the error, so the keys must be looked
    /// up.
    #[error("the commit is in doubt: {0}")]
    InDoubt(sqlx::Error),
    #[error(transparent)]
    Injected(#[from] Injected),
}

/// Runs the batches of one handler; the lanes of a writer share it.
pub(super) struct BatchRunner<D> {
    pub(super) handler: D,
    pub(super) clock: Clock,
    pub(super) fail: FailPoints,
}

impl<D: Handler> BatchRunner<D> {
    /// Runs a batch: locks, decides, writes, commits.
    pub(super) async fn run(
        &self,
        db: &mut PgConnection,
        orders: &[Order<D::Order>],
        options: BatchOptions,
    ) -> Result<Vec<Outcome<D::Record>>, BatchError> {
        let mut tx = db.begin().await?;
        self.fail.pass("wallet.taken").await?;
        let ids = holders_of(orders);
        let locked = match options.waits_for_locks {
            true => Locked::lock(&mut tx, &ids).await?,
            false => Locked::lock_free(&mut tx, &ids).await?,
        };
        self.fail.pass("wallet.locked").await?;
        let now = self.clock.now();
        let state = self.handler.load(&mut tx, &locked.cursors()).await?;
        let mut batch = Batch::new(locked, state, now);
        if options.checks_keys {
            batch.look_up_keys(&mut tx, keys_of(orders.iter())).await?;
        }
        for order in orders {
            let outcome = batch.decide(&self.handler, order, options.waits_for_locks);
            batch.outcomes.push(outcome);
        }
        if !options.checks_keys {
            batch.recheck_refused(&mut tx, orders).await?;
        }
        self.fail.pass("wallet.decided").await?;
        let accepted = !batch.records.is_empty();
        let outcomes = self.write(&mut tx, batch).await?;
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

    /// Writes the accepted orders, and finds the records of repeated keys.
    async fn write(
        &self,
        db: &mut PgConnection,
        batch: Batch<D>,
    ) -> Result<Vec<Outcome<D::Record>>, BatchError> {
        let Batch { mut locked, state, records, outcomes, now, .. } = batch;
        let outcomes = self.find_records(db, outcomes).await?;
        if records.is_empty() {
            return Ok(outcomes);
        }
        for id in locked.changed() {
            if let Some(cursor) = self.handler.cursor(&state, id) {
                locked.set_cursor(id, cursor);
            }
        }
        let mut events = balance_events(&locked);
        locked.write(db).await?;
        self.fail.pass("wallet.written").await?;
        self.handler.save(db, &records).await?;
        let handler_events = self.handler.events(db, &records).await?.into_iter();
        events.extend(handler_events.map(|(topic, event)| (topic, Event::Handler(event))));
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
            false => self.handler.find(db, &replays).await?,
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

/// A push event: a new balance, or an event of the handler.
#[derive(Serialize)]
#[serde(untagged)]
enum Event {
    Balance(BalanceEvent),
    Handler(Value),
}

/// One balance event, with the last balance, for every holder with an accepted order.
fn balance_events(locked: &Locked) -> Vec<(Topic, Event)> {
    let events = locked.changed().into_iter().filter_map(|id| {
        let (balance, currency) = (locked.balance(id)?, locked.currency(id)?);
        Some((Topic::Member(id), Event::Balance(BalanceEvent::new(balance, currency))))
    });
    events.collect()
}

/// The decision on an order, before the batch is written.
enum Decided<R> {
    Accepted(Receipt<R>),
    Refused(ApiError),
    Deferred,
    /// The same key was posted before: the stored record is the answer.
    Replay(Uuid, Posted),
}

/// A batch while its orders are decided in memory.
struct Batch<D: Handler> {
    locked: Locked,
    state: D::State,
    known: Option<Known>,
    /// The keys of the orders that this batch has accepted.
    used: HashSet<(Uuid, String)>,
    records: Vec<D::Record>,
    outcomes: Vec<Decided<D::Record>>,
    now: DateTime<Utc>,
}

impl<D: Handler> Batch<D> {
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

    async fn look_up_keys(
        &mut self,
        db: &mut PgConnection,
        mut keys: Vec<(Uuid, String)>,
    ) -> Result<(), sqlx::Error> {
        keys.retain(|(id, _)| self.locked.has(*id));
        self.known = Some(self.locked.find_posted(db, keys).await?);
        Ok(())
    }

    fn decide(
        &mut self,
        handler: &D,
        order: &Order<D::Order>,
        waits_for_locks: bool,
    ) -> Decided<D::Record> {
        if !self.locked.has(order.holder_id) {
            return match waits_for_locks {
                true => Decided::Refused(PostError::NoHolder.into()),
                false => Decided::Deferred,
            };
        }
        if let Some(decided) = self.find_used(order) {
            return decided;
        }
        match self.accept(handler, order) {
            Ok(receipt) => {
                self.used.insert((order.holder_id, order.key.text.clone()));
                Decided::Accepted(receipt)
            }
            Err(error) => Decided::Refused(error),
        }
    }

    /// The outcome of the order's key if it was used before, in this batch or in an earlier one.
    fn find_used(&self, order: &Order<D::Order>) -> Option<Decided<D::Record>> {
        let known = self.known.as_ref().map(|known| known.find(order.holder_id, &order.key));
        match known {
            Some(Ok(Some(posted))) => return Some(Decided::Replay(order.holder_id, posted)),
            Some(Err(error)) => return Some(Decided::Refused(error.into())),
            Some(Ok(None)) | None => {}
        }
        // The key came twice in one batch: the second order is deferred, and the next batch finds
        // the committed result of the first.
        let key = (order.holder_id, order.key.text.clone());
        self.used.contains(&key).then_some(Decided::Deferred)
    }

    fn accept(
        &mut self,
        handler: &D,
        order: &Order<D::Order>,
    ) -> Result<Receipt<D::Record>, ApiError> {
        // Checked under the row lock: an order that was authorized before the account was frozen
        // is refused here.
        if self.locked.is_frozen(order.holder_id) {
            return Err(PostError::Frozen.into());
        }
        let pending = handler.decide(&self.state, order.holder_id, &order.body, self.now)?;
        let posting = Posting {
            holder_id: order.holder_id,
            key: order.key.clone(),
            reference: pending.reference,
            transfers: pending.transfers,
        };
        let posted = self.locked.decide(posting, self.now)?;
        handler.accept(&mut self.state, &pending.record);
        self.records.push(pending.record.clone());
        Ok(Receipt { record: pending.record, posted })
    }

    /// Looks up the keys of refused orders: a retry of an order that was accepted before gets the
    /// first answer, even if it would be refused now.
    async fn recheck_refused(
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
        self.look_up_keys(db, keys).await?;
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
