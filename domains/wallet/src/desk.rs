//! What a domain brings to the writer: its records, and the decision that makes one.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Mark, Posted, Transfer};
use platform::bulk::Way;
use platform::error::ApiError;
use platform::push::Topic;

/// A domain whose postings carry a record, a round for example. For a batch of orders the writer
/// locks the wallets, has the domain load what outcomes depend on, decides the orders one after
/// the other, writes the transfers, has the domain save its records, and commits.
pub trait Desk: Send + Sync + 'static {
    /// What is asked for.
    type Order: Send + Sync + 'static;
    /// What outcomes depend on: loaded while the wallets are locked, changed by what is accepted.
    type State: Send + Sync;
    /// The record of an accepted order.
    type Record: Clone + Send + Sync + 'static;

    /// Names the writer in metrics.
    const NAME: &'static str;

    /// Loads what the outcomes of orders depend on, by what was remembered of their holders.
    fn load(
        &self,
        db: &mut PgConnection,
        marks: &BTreeMap<Uuid, Mark>,
    ) -> impl Future<Output = Result<Self::State, sqlx::Error>> + Send;

    /// Decides an order as things stand. What it depends on is used up only by [`Desk::accept`]:
    /// the wallet may still refuse.
    fn decide(
        &self,
        state: &Self::State,
        holder_id: Uuid,
        order: &Self::Order,
        now: DateTime<Utc>,
    ) -> Result<Draft<Self::Record>, ApiError>;

    /// Uses up what an accepted record depended on.
    fn accept(&self, state: &mut Self::State, record: &Self::Record);

    /// What is to be remembered of a holder after what was accepted.
    fn mark(&self, state: &Self::State, holder_id: Uuid) -> Option<Mark>;

    /// Writes the records of a batch in the batch's transaction.
    fn save(
        &self,
        db: &mut PgConnection,
        records: &[Self::Record],
        way: Way,
    ) -> impl Future<Output = Result<(), sqlx::Error>> + Send;

    /// What open pages should know of, besides the balances.
    fn events(
        &self,
        db: &mut PgConnection,
        records: &[Self::Record],
    ) -> impl Future<Output = Result<Vec<(Topic, Value)>, sqlx::Error>> + Send;

    /// Records that were written before, by holder and reference.
    fn find(
        &self,
        db: &mut PgConnection,
        references: &[(Uuid, Uuid)],
    ) -> impl Future<Output = Result<HashMap<(Uuid, Uuid), Self::Record>, sqlx::Error>> + Send;
}

/// An order as it would be accepted.
pub struct Draft<R> {
    /// The record's id.
    pub reference: Uuid,
    /// The money that moves.
    pub transfers: Vec<Transfer>,
    /// The record.
    pub record: R,
}

/// The answer to an accepted order.
#[derive(Clone, Debug)]
pub struct Receipt<R> {
    /// The record.
    pub record: R,
    /// The wallet after it.
    pub posted: Posted,
}
