//! The relay: numbers committed events and hands them to this node's hub.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep, sleep_until};

use super::events;
use super::hub::Hub;
use crate::shutdown::Shutdown;

const POLL: Duration = Duration::from_millis(250);
/// The least time between two passes: numbering is a transaction, and one for many is enough.
const PACE: Duration = Duration::from_millis(20);
const RETRY: Duration = Duration::from_secs(1);
const BATCH: i64 = 500;

/// Moves events from the table to the hub. One per node.
pub struct Relay {
    hub: Arc<Hub>,
}

impl Relay {
    /// The relay of a node's hub.
    pub fn new(hub: Arc<Hub>) -> Self {
        Self { hub }
    }

    /// Relays until the shutdown: at once when woken, else four times a second. What is
    /// committed shortly after a pass waits for the next, and is numbered together.
    pub async fn run(self, shutdown: Shutdown) {
        let mut failing = false;
        while !shutdown.is_begun() {
            let began = Instant::now();
            let step = self.step().await;
            // A database that is away is reported once, not four times a second.
            match &step {
                Err(error) if !failing => tracing::warn!(%error, "events cannot be relayed"),
                Ok(_) if failing => tracing::info!("events are relayed again"),
                _ => {}
            }
            failing = step.is_err();
            tokio::select! {
                () = self.hub.woken(), if !failing => sleep_until(began + PACE).await,
                () = sleep(if failing { RETRY } else { POLL }) => {}
                () = shutdown.begun() => {}
            }
        }
    }

    /// Numbers what is committed and hands over what is new; returns how many rows were.
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

    /// Numbers and hands over one batch. What is committed meanwhile is for the next step:
    /// while rounds are played there is always something, and each pass has its price.
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
            let skipped = self.hub.skip_unheard(head.seq);
            let more = skipped.is_none() || numbered == BATCH;
            return Ok(Pass { rows: skipped.unwrap_or(0), more });
        }
        self.hand_over(position, head.seq).await
    }

    /// Hands over one batch above the position; `known` is a number that was given before.
    async fn hand_over(&self, position: i64, known: i64) -> Result<Pass, sqlx::Error> {
        let db = self.hub.db();
        let rows = events::list_after(db, position, BATCH).await?;
        // Read after the rows, so that a purge in between shows.
        let head = events::get_head(db).await?;
        let lost_to = if rows.is_empty() { known.max(head.purged_seq) } else { head.purged_seq };
        if position < lost_to {
            // This node slept for so long that events went before it saw them.
            self.hub.lose_all(lost_to);
            return Ok(Pass { rows: 0, more: true });
        }
        self.hub.publish(&rows);
        let more = i64::try_from(rows.len()).is_ok_and(|count| count >= BATCH);
        Ok(Pass { rows: rows.len(), more })
    }
}

/// What one pass did, and whether there is more to do at once.
struct Pass {
    rows: usize,
    more: bool,
}
