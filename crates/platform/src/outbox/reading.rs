//! The outbox for the office: searching messages, reading one, sending one again.

use chrono::{DateTime, Utc};
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::store::{self, Filter, StoredMessage};
use super::{Channel, DeliveryError, Letter, Outbox, queue};
use crate::phone::Mobile;

/// A filter for messages.
#[derive(Clone, Debug, Default)]
pub struct MessageFilter {
    /// The channel.
    pub channel: Option<String>,
    /// The delivery state.
    pub state: Option<String>,
    /// The exact recipient, any of these.
    pub to: Option<Vec<String>>,
    /// Created at or after this time.
    pub from: Option<DateTime<Utc>>,
    /// Created before this time.
    pub until: Option<DateTime<Utc>>,
    /// Older than the message with this id, for paging.
    pub before: Option<Uuid>,
}

/// A message without its text.
#[derive(Clone, Debug)]
pub struct MessageSummary {
    /// The message id.
    pub id: Uuid,
    /// The merchant whose site sent it.
    pub merchant_id: Uuid,
    /// The purpose, `domain.purpose`.
    pub purpose: String,
    /// The channel.
    pub channel: String,
    /// The delivery state.
    pub state: String,
    /// The masked recipient; None after the purge.
    pub to: Option<String>,
    /// The number of delivery attempts.
    pub tries: i32,
    /// The error of the last attempt.
    pub last_error: Option<String>,
    /// The message is not sent after this time.
    pub deadline: Option<DateTime<Utc>>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it left the delivery queue, or was stored without a channel.
    pub finished_at: Option<DateTime<Utc>>,
}

/// A decrypted message.
#[derive(Clone, Debug)]
pub struct DecryptedMessage {
    /// The message without its text.
    pub listed: MessageSummary,
    /// Recipient and text; None after the purge.
    pub letter: Option<Letter>,
}

/// Why a message cannot be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResendError {
    /// There is no such message.
    Unknown,
    /// It is still queued, or it was sent.
    NotFailed,
    /// Its text was purged, or its deadline has passed.
    TooLate,
    /// Its channel is not configured.
    NotConfigured,
}

impl Outbox {
    /// Messages that match the filter, newest first.
    pub async fn list(
        &self,
        db: &PgPool,
        filter: &MessageFilter,
        limit: i64,
    ) -> Result<Vec<MessageSummary>, sqlx::Error> {
        let to = filter
            .to
            .as_ref()
            .map(|to| to.iter().map(|one| self.hash_of(one).to_vec()).collect::<Vec<_>>());
        let filter = Filter {
            channel: filter.channel.as_deref(),
            state: filter.state.as_deref(),
            to: to.as_deref(),
            from: filter.from,
            until: filter.until,
            before: filter.before,
        };
        let rows = store::list_messages(db, &filter, limit).await?;
        Ok(rows.into_iter().map(|row| self.opened(row).listed).collect())
    }

    /// Locks and decrypts one message.
    pub async fn open(
        &self,
        tx: &mut PgTransaction<'_>,
        id: Uuid,
    ) -> Result<Option<DecryptedMessage>, sqlx::Error> {
        Ok(store::lock_message(tx, id).await?.map(|row| self.opened(row)))
    }

    /// Queues a message again that failed, or that was stored while its channel was not configured.
    pub async fn send_again(
        &self,
        tx: &mut PgTransaction<'_>,
        id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Result<MessageSummary, ResendError>, sqlx::Error> {
        let Some(row) = store::lock_message(tx, id).await? else {
            return Ok(Err(ResendError::Unknown));
        };
        let listed = self.opened(row).listed;
        if let Err(reason) = self.check_resend(&listed, now) {
            return Ok(Err(reason));
        }
        store::update_queued(tx, id).await?;
        queue(tx, id, now).await?;
        Ok(Ok(listed))
    }

    /// Whether a message can be sent again.
    pub fn can_resend(&self, listed: &MessageSummary, now: DateTime<Utc>) -> bool {
        self.check_resend(listed, now).is_ok()
    }

    fn check_resend(&self, listed: &MessageSummary, now: DateTime<Utc>) -> Result<(), ResendError> {
        let channel = Channel::from_name(&listed.channel);
        if !["failed", "kept"].contains(&listed.state.as_str()) {
            return Err(ResendError::NotFailed);
        }
        // The recipient is purged together with the text.
        if listed.to.is_none() || listed.deadline.is_some_and(|deadline| deadline <= now) {
            return Err(ResendError::TooLate);
        }
        match channel.and_then(|channel| self.channels.get(channel)) {
            Some(_) => Ok(()),
            None => Err(ResendError::NotConfigured),
        }
    }

    /// Delivers a test message at once, bypassing the queue. None if the channel is not configured.
    pub async fn try_out(
        &self,
        channel: Channel,
        id: Uuid,
        letter: &Letter,
    ) -> Option<Result<(), DeliveryError>> {
        let channel = self.channels.get(channel)?;
        Some(channel.deliver(id, letter).await)
    }

    fn opened(&self, row: StoredMessage) -> DecryptedMessage {
        let letter = row.sealed.and_then(|sealed| self.vault.open(row.id, &sealed).ok());
        let listed = MessageSummary {
            id: row.id,
            merchant_id: row.merchant_id,
            purpose: row.purpose,
            channel: row.channel,
            state: row.state,
            to: letter.as_ref().map(|letter| masked(&letter.to)),
            tries: row.tries,
            last_error: row.last_error,
            deadline: row.deadline,
            created_at: row.created_at,
            finished_at: row.finished_at,
        };
        DecryptedMessage { listed, letter }
    }
}

/// A masked recipient: the last digits of a phone number, or the first letter and the domain of an
/// e-mail address.
pub fn masked(to: &str) -> String {
    if let Ok(mobile) = Mobile::from_e164(to) {
        return mobile.masked();
    }
    match to.rsplit_once('@') {
        Some((name, domain)) => {
            format!("{}…@{domain}", name.chars().next().unwrap_or_default())
        }
        None => "…".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_recipient_tells_little() {
        assert_eq!(masked("maria.clara@example.com"), "m…@example.com");
        assert!(masked("+639171234567").ends_with("567"));
        assert!(!masked("+639171234567").contains("9171234"));
        assert_eq!(masked("nonsense"), "…");
    }
}
