//! The outbox: text messages and e-mail, written in the transaction that causes them and
//! delivered by a job.
//!
//! Owns `platform_messages`. Invariants: a message is sent if and only if its transaction
//! commits; recipient and text lie encrypted in the table, and only as long as somebody needs
//! them; a message whose time is over is not sent any more. Delivery is at least once: a node
//! that dies after the provider took a message sends it again under the same id. Where a channel
//! is not configured its messages are kept for the operator to read (`capiz outbox`).

mod channel;
mod deliver;
mod mail;
mod reading;
mod sms;
mod store;
mod vault;

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

pub use channel::{Channel, Channels, Deliver, DeliveryError};
pub use deliver::register_jobs;
pub use mail::{MailSettings, SmtpMail};
pub use reading::{Listed, NotSent, Opened, Wanted, masked};
pub use sms::{HttpSms, SmsSettings};

use super::error::ApiError;
use super::ids::new_id;
use super::jobs::{self, Job};
use super::secret::{KeyedHash, RootKey};
use store::{Row, State};
use vault::Vault;

/// A message to a person.
#[derive(Clone, Debug)]
pub struct Message {
    /// Whose site says it.
    pub merchant_id: Uuid,
    /// What it is sent for, `domain.purpose`, for whoever looks after it.
    pub purpose: &'static str,
    /// How it goes out.
    pub channel: Channel,
    /// A number in E.164 form, or an e-mail address.
    pub to: String,
    /// The subject of an e-mail; text messages have none.
    pub subject: String,
    /// What it says, as plain text.
    pub text: String,
    /// After this nobody has a use for it.
    pub deadline: Option<DateTime<Utc>>,
}

/// What of a message is encrypted in the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The recipient.
    pub to: String,
    /// The subject; empty for text messages.
    pub subject: String,
    /// The text.
    pub text: String,
}

/// A message as the operator reads it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// How it goes out.
    pub channel: String,
    /// What became of it.
    pub state: String,
    /// What it says; none once the purge took it.
    pub letter: Option<Letter>,
}

impl fmt::Display for Shown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.created_at.format("%Y-%m-%d %H:%M:%S UTC");
        write!(formatter, "{at}  {} {}", self.channel, self.state)?;
        let Some(letter) = &self.letter else { return write!(formatter, "  (text removed)") };
        write!(formatter, "  to {}", letter.to)?;
        if !letter.subject.is_empty() && self.channel == Channel::Mail.name() {
            write!(formatter, "\n    Subject: {}", letter.subject)?;
        }
        letter.text.lines().try_for_each(|line| write!(formatter, "\n    {line}"))
    }
}

/// Writes and delivers messages.
#[derive(Clone)]
pub struct Outbox {
    vault: Vault,
    recipients: KeyedHash,
    channels: Channels,
}

impl Outbox {
    /// The outbox of an installation with the channels that are configured.
    pub fn new(root: &RootKey, channels: Channels) -> Self {
        let recipients = KeyedHash::new(root, "platform/outbox/recipients");
        Self { vault: Vault::new(root), recipients, channels }
    }

    /// A recipient as it can be looked for and not read.
    fn hash_of(&self, to: &str) -> [u8; 32] {
        self.recipients.of(&[to.trim().to_lowercase().as_bytes()])
    }

    /// Writes a message in the caller's transaction. It goes out after the commit.
    pub async fn send(
        &self,
        tx: &mut PgTransaction<'_>,
        message: Message,
        now: DateTime<Utc>,
    ) -> Result<Uuid, ApiError> {
        let id = new_id(now);
        let Message { merchant_id, purpose, channel, to, subject, text, deadline } = message;
        let to_hash = self.hash_of(&to);
        let sealed = self.vault.lock(id, &Letter { to, subject, text });
        let sealed = sealed.map_err(ApiError::internal)?;
        let goes_out = self.channels.get(channel).is_some();
        let state = if goes_out { State::Queued } else { State::Kept };
        let row = Row { id, merchant_id, purpose, channel, state, sealed, to_hash, deadline };
        store::insert_message(tx, &row, now).await?;
        if goes_out {
            queue(tx, id, now).await?;
        }
        Ok(id)
    }

    /// The newest messages, newest first, opened.
    pub async fn list_newest(
        &self,
        db: &mut PgConnection,
        limit: u32,
    ) -> Result<Vec<Shown>, sqlx::Error> {
        let rows = store::list_newest(db, i64::from(limit)).await?;
        let shown = rows.into_iter().map(|row| Shown {
            created_at: row.created_at,
            channel: row.channel,
            state: row.state,
            letter: row.sealed.and_then(|sealed| self.vault.open(row.id, &sealed).ok()),
        });
        Ok(shown.collect())
    }
}

/// Queues the delivery of a message.
async fn queue(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let payload = json!({ "id": id });
    let job = Job { kind: deliver::DELIVER, payload, due_at: now, unique_key: None };
    jobs::enqueue(tx, job, now).await.map(drop)
}
