//! The outbox: text messages and e-mail, written in the transaction that causes them and delivered
//! by a job afterwards (transactional outbox).
//!
//! Owns `platform_messages`. Invariants: a message is sent if and only if its transaction commits;
//! recipient and text are encrypted in the table and purged when they are no longer needed; a
//! message past its deadline is not sent. Delivery is at least once: a node that dies after the
//! provider accepted a message sends it again with the same id. If a channel is not configured, its
//! messages are stored for the operator to read (`capiz outbox`).

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
pub use reading::{DecryptedMessage, MessageFilter, MessageSummary, ResendError, masked};
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
    /// The merchant whose site sends it.
    pub merchant_id: Uuid,
    /// The purpose, `domain.purpose`, shown in the office.
    pub purpose: &'static str,
    /// The channel.
    pub channel: Channel,
    /// The recipient: a phone number in E.164 form, or an e-mail address.
    pub to: String,
    /// The subject of an e-mail; empty for text messages.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The message is not sent after this time.
    pub deadline: Option<DateTime<Utc>>,
}

/// The encrypted part of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The recipient.
    pub to: String,
    /// The subject; empty for text messages.
    pub subject: String,
    /// The text.
    pub text: String,
}

/// A decrypted message, for the operator (`capiz outbox`).
#[derive(Clone, Debug)]
pub struct Shown {
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// The channel.
    pub channel: String,
    /// The delivery state.
    pub state: String,
    /// Recipient and text; None after the purge.
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
    /// The outbox of an installation with its configured channels.
    pub fn new(root: &RootKey, channels: Channels) -> Self {
        let recipients = KeyedHash::new(root, "platform/outbox/recipients");
        Self { vault: Vault::new(root), recipients, channels }
    }

    /// A keyed hash of the recipient, so that messages can be searched without revealing it.
    fn hash_of(&self, to: &str) -> [u8; 32] {
        self.recipients.of(&[to.trim().to_lowercase().as_bytes()])
    }

    /// Writes a message in the caller's transaction. It is delivered after the commit.
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
        let is_deliverable = self.channels.get(channel).is_some();
        let state = if is_deliverable { State::Queued } else { State::Kept };
        let row = Row { id, merchant_id, purpose, channel, state, sealed, to_hash, deadline };
        store::insert_message(tx, &row, now).await?;
        if is_deliverable {
            queue(tx, id, now).await?;
        }
        Ok(id)
    }

    /// The newest messages, newest first, decrypted.
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

/// Queues the delivery job of a message.
async fn queue(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let payload = json!({ "id": id });
    let job = Job { kind: deliver::DELIVER, payload, due_at: now, unique_key: None };
    jobs::enqueue(tx, job, now).await.map(drop)
}
