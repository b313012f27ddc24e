//! The relay: numbers committed events and passes them to this node's hub.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::events;
use super::hub::Hub;
use crate::shutdown::Shutdown;

const POLL: Duration = Duration::from_millis(250);
/// The minimum time between two passes. Each pass is a transaction, so it batches the events of
/// that time.
const MIN_INTERVAL: Duration = Duration::from_millis(20);
const RETRY: Duration = Duration::from_secs(1);
const BATCH: i64 = 500;

/// Moves events from the table to the hub. One per node.
pub struct Relay {
    hub: Arc<Hub>,
}

impl Relay {
    /// A relay for a hub.
    pub fn new(hub: Arc<Hub>) -> Self {
        Self { hub }
    }

    /// Relays until the shutdown: at once when woken, otherwise four times a second. Events
    /// committed shortly after a pass wait for the next one and are numbered in one batch.
    pub async fn run(self, shutdown: Shutdown) {
        let mut failing = false;
        while !shutdown.is_begun() {
            let began = Instant::now();
            let step = self.step().await;
            // An unreachable database is logged once, not at every poll.
            match &step {
                Err(error) if !failing => tracing::warn!(%error, "events cannot be relayed"),
                Ok(_) if failing => tracing::info!("events are relayed again"),
                _ => {}
            }
            failing = step.is_err();
            tokio::select! {
                () = self.hub.woken(), if !failing => sleep_until(began + MIN_INTERVAL).await,
                () = sleep(if failing { RETRY } else { POLL }) => {}
                () = shutdown.begun() => {}
            }
        }
    }

    /// Numbers committed events and publishes new ones, in batches. Returns the number of rows.
    pub async fn step(&self) -> Result<usize, sqlx::Error> {
        self.hub.start().await?;
        let mut relayed = 0;
        loop {
            let pass = self.pass().await?;
            relayed += pass.rows;
            if !pass.more {
                return Ok(relayed);
            }
        }
    }

    /// Numbers and publishes one batch. Events committed meanwhile are left to the next step: under
    /// load there are always some, and every pass is a transaction.
    async fn pass(&self) -> Result<Pass, sqlx::Error> {
        let db = self.hub.db();
        let position = self.hub.position();
        let head = events::get_head(db).await?;
        let mut numbered = 0;
        if head.unnumbered {
            numbered = events::number(db, BATCH).await?;
        } else if head.seq <= position {
            return Ok(Pass { rows: 0, more: false });
        }
        if !self.hub.has_listeners() {
            let head = events::get_head(db).await?;
            let skipped = self.hub.skip_to(head.seq);
            let more = skipped.is_none() || numbered == BATCH;
            return Ok(Pass { rows: skipped.unwrap_or(0), more });
        }
        self.publish_batch(position, head.seq).await
    }

    /// Publishes one batch after `position`. `known` is the highest number read before the rows.
    async fn publish_batch(&self, position: i64, known: i64) -> Result<Pass, sqlx::Error> {
        let db = self.hub.db();
        let rows = events::list_after(db, position, BATCH).await?;
        // Read after the rows, so that a concurrent purge is noticed.
        let head = events::get_head(db).await?;
        let lost_to = if rows.is_empty() { known.max(head.purged_seq) } else { head.purged_seq };
        if position < lost_to {
            // This node was behind for so long that events were purged before it read them.
            self.hub.send_gap_to_all(lost_to);
            return Ok(Pass { rows: 0, more: true });
        }
        self.hub.publish(&rows);
        let more = i64::try_from(rows.len()).is_ok_and(|count| count >= BATCH);
        Ok(Pass { rows: rows.len(), more })
    }
}

/// The result of one pass: the number of rows, and whether another pass is needed at once.
struct Pass {
    rows: usize,
    more: bool,
}
