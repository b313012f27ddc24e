//! The relay: numbers committed events and hands them to this node's hub.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::events;
use super::hub::Hub;
use super::protocol::Event;
use crate::platform::shutdown::Shutdown;

const POLL: Duration = Duration::from_millis(250);
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

    /// Relays until the shutdown: at once when woken, else four times a second.
    pub async fn run(self, shutdown: Shutdown) {
        let mut failing = false;
        while !shutdown.is_begun() {
            let step = self.step().await;
            // A database that is away is reported once, not four times a second.
            match &step {
                Err(error) if !failing => tracing::warn!(%error, "events cannot be relayed"),
                Ok(_) if failing => tracing::info!("events are relayed again"),
                _ => {}
            }
            failing = step.is_err();
            tokio::select! {
                () = self.hub.woken(), if !failing => {}
                () = sleep(if failing { RETRY } else { POLL }) => {}
                () = shutdown.begun() => {}
            }
        }
    }

    /// Numbers what is committed and hands over what is new; returns how many events were.
    pub async fn step(&self) -> Result<usize, sqlx::Error> {
        self.hub.start().await?;
        let db = self.hub.db();
        let mut relayed = 0;
        loop {
            let head = events::get_head(db).await?;
            let position = self.hub.position();
            if head.unnumbered {
                events::number(db, BATCH).await?;
            } else if head.seq <= position {
                return Ok(relayed);
            }
            let rows = events::list_after(db, position, BATCH).await?;
            // Read after the rows, so that a purge in between shows.
            let head = events::get_head(db).await?;
            if position < head.purged_seq {
                // This node slept for so long that events went before it saw them.
                self.hub.lose_all(head.purged_seq);
            } else if let Some(last) = rows.last().map(|row| row.seq) {
                relayed += rows.len();
                self.hub.publish(rows.into_iter().filter_map(Event::from_row).collect());
                self.hub.skip_to(last);
            } else if position < head.seq {
                self.hub.lose_all(head.seq);
            }
        }
    }
}
