//! The outbox jobs: delivering messages and purging old ones.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

use super::store::{self, State, Waiting};
use super::{Channel, DeliveryError, Letter, Outbox};
use crate::jobs::{Bounds, JobFailure, Registry, Run};

pub(super) const DELIVER: &str = "platform.outbox.deliver";
const PURGE: &str = "platform.outbox.purge";
const PURGE_BATCH: i64 = 1_000;

/// Eight attempts with exponential backoff take about ten minutes.
const ATTEMPTS: i32 = 8;
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// How long the text of a message is kept after delivery or final failure.
const BODY_LIFE: chrono::Duration = chrono::Duration::days(1);
/// How long the row of a message is kept, and the text of one whose channel is not configured.
const ROW_LIFE: chrono::Duration = chrono::Duration::days(30);

/// Registers the delivery and purge jobs.
pub fn register_jobs(registry: &mut Registry, outbox: Outbox, db: PgPool) {
    let purge_db = db.clone();
    let bounds = Bounds { attempts: ATTEMPTS, time_limit: TIME_LIMIT };
    registry.handle(DELIVER, bounds, move |run| {
        let (outbox, db) = (outbox.clone(), db.clone());
        async move { deliver(&outbox, &db, &run).await }
    });
    registry.handle(PURGE, Bounds::default(), move |run| {
        let db = purge_db.clone();
        async move { Ok(purge(&db, run.now).await?) }
    });
    registry.schedule(PURGE, Duration::from_secs(3600));
}

async fn deliver(outbox: &Outbox, db: &PgPool, run: &Run) -> Result<(), JobFailure> {
    let id: Uuid = serde_json::from_value(run.payload["id"].clone())?;
    let Some(waiting) = store::find_waiting(db, id).await? else { return Ok(()) };
    if waiting.deadline.is_some_and(|deadline| deadline <= run.now) {
        return Ok(store::update_state(db, id, State::Expired, run.now).await?);
    }
    let delivered = deliver_now(outbox, id, waiting).await;
    store::count_attempt(db, id, delivered.as_ref().err().map(DeliveryError::to_string)).await?;
    match delivered {
        Ok(()) => Ok(store::update_state(db, id, State::Sent, run.now).await?),
        Err(DeliveryError::Later(_)) if run.attempt < ATTEMPTS => {
            Err("the message provider failed".into())
        }
        Err(error) => {
            tracing::error!(%id, %error, "a message cannot be delivered, giving up");
            Ok(store::update_state(db, id, State::Failed, run.now).await?)
        }
    }
}

async fn deliver_now(outbox: &Outbox, id: Uuid, waiting: Waiting) -> Result<(), DeliveryError> {
    let letter = open(outbox, id, &waiting)?;
    let channel = Channel::from_name(&waiting.channel);
    let channel = channel.and_then(|channel| outbox.channels.get(channel));
    let missing = || DeliveryError::Later("the channel is not configured on this node".to_owned());
    let delivered = channel.ok_or_else(missing)?.deliver(id, &letter).await;
    let outcome = if delivered.is_ok() { "sent" } else { "refused" };
    metrics::counter!("outbox_total", "channel" => waiting.channel, "outcome" => outcome)
        .increment(1);
    if let Err(DeliveryError::Later(reason)) = &delivered {
        tracing::warn!(%id, reason, "a message was not delivered and will be retried");
    }
    delivered
}

fn open(outbox: &Outbox, id: Uuid, waiting: &Waiting) -> Result<Letter, DeliveryError> {
    let purged = || DeliveryError::Never("the text was purged".to_owned());
    let sealed = waiting.sealed.as_deref().ok_or_else(purged)?;
    outbox.vault.open(id, sealed).map_err(|error| DeliveryError::Never(error.to_string()))
}

async fn purge(db: &PgPool, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    while store::clear_bodies(db, now - BODY_LIFE, PURGE_BATCH).await? > 0 {}
    while store::delete_old(db, now - ROW_LIFE, PURGE_BATCH).await? > 0 {}
    Ok(())
}
