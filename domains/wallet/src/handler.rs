//! The trait that a domain implements to post orders with its own records through the writer.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{HandlerCursor, Posted, Transfer};
use platform::error::ApiError;
use platform::push::Topic;

/// Handles the orders of one domain whose postings carry a record, a round for example. For each
/// batch the writer locks the holders' rows, calls [`Handler::load`], then [`Handler::decide`] for
/// one order after the other, writes the transfers, calls [`Handler::save`], and commits.
pub trait Handler: Send + Sync + 'static {
    /// The request, a bet for example.
    type Order: Send + Sync + 'static;
    /// What decisions depend on. It is loaded under the row locks and updated by accepted orders.
    type State: Send + Sync;
    /// The record of an accepted order.
    type Record: Clone + Send + Sync + 'static;

    /// The name of the writer in metrics and of its threads.
    const NAME: &'static str;

    /// Loads the state for a batch, given the stored cursors of its holders.
    fn load(
        &self,
        db: &mut PgConnection,
        cursors: &BTreeMap<Uuid, HandlerCursor>,
    ) -> impl Future<Output = Result<Self::State, sqlx::Error>> + Send;

    /// Decides an order without changing the state: the wallet may still refuse the transfers.
    /// Only [`Handler::accept`] changes the state, so a refused stake uses no nonce.
    fn decide(
        &self,
        state: &Self::State,
        holder_id: Uuid,
        order: &Self::Order,
        now: DateTime<Utc>,
    ) -> Result<PendingRecord<Self::Record>, ApiError>;

    /// Updates the state after an order was accepted, for example takes its nonce.
    fn accept(&self, state: &mut Self::State, record: &Self::Record);

    /// The cursor to store for a holder after the accepted orders.
    fn cursor(&self, state: &Self::State, holder_id: Uuid) -> Option<HandlerCursor>;

    /// Inserts the records of a batch in the batch's transaction.
    fn save(
        &self,
        db: &mut PgConnection,
        records: &[Self::Record],
    ) -> impl Future<Output = Result<(), sqlx::Error>> + Send;

    /// The push events of the records, in addition to the balance events.
    fn events(
        &self,
        db: &mut PgConnection,
        records: &[Self::Record],
    ) -> impl Future<Output = Result<Vec<(Topic, Value)>, sqlx::Error>> + Send;

    /// Finds stored records by holder and reference, to answer a repeated key.
    fn find(
        &self,
        db: &mut PgConnection,
        references: &[(Uuid, Uuid)],
    ) -> impl Future<Output = Result<HashMap<(Uuid, Uuid), Self::Record>, sqlx::Error>> + Send;
}

/// The outcome of an order before the wallet has accepted its transfers.
pub struct PendingRecord<R> {
    /// The record's id.
    pub reference: Uuid,
    /// The transfers to post.
    pub transfers: Vec<Transfer>,
    /// The record.
    pub record: R,
}

/// The answer to an accepted order.
#[derive(Clone, Debug)]
pub struct Receipt<R> {
    /// The record.
    pub record: R,
    /// The result of its posting.
    pub posted: Posted,
}
