//! The outbox as whoever looks after it sees it: lists without texts, one message opened, one sent
//! again.

use chrono::{DateTime, Utc};
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::store::{self, Kept, Looked};
use super::{Channel, DeliveryError, Letter, Outbox, queue};
use crate::phone::Mobile;

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// How it went out.
    pub channel: Option<String>,
    /// What became of it.
    pub state: Option<String>,
    /// Who it went to: any of these, exactly.
    pub to: Option<Vec<String>>,
    /// Not written before this.
    pub from: Option<DateTime<Utc>>,
    /// Written before this.
    pub until: Option<DateTime<Utc>>,
    /// Older than this message.
    pub before: Option<Uuid>,
}

/// A message without what it says.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its id.
    pub id: Uuid,
    /// Whose site says it.
    pub merchant_id: Uuid,
    /// What it is for.
    pub purpose: String,
    /// How it goes out.
    pub channel: String,
    /// What became of it.
    pub state: String,
    /// Enough of the recipient to tell it from others; none once the text was removed.
    pub to: Option<String>,
    /// How often it was tried.
    pub tries: i32,
    /// Why the last try failed.
    pub last_error: Option<String>,
    /// After this nobody has a use for it.
    pub deadline: Option<DateTime<Utc>>,
    /// When it was written.
    pub created_at: DateTime<Utc>,
    /// When it went its way.
    pub finished_at: Option<DateTime<Utc>>,
}

/// A message with what it says.
#[derive(Clone, Debug)]
pub struct Opened {
    /// What is known of it.
    pub listed: Listed,
    /// What it says; none once it was removed.
    pub letter: Option<Letter>,
}

/// Why a message is not sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSent {
    /// There is none.
    Unknown,
    /// It waits, or it went out.
    NotFailed,
    /// Its text was removed, or its time is over.
    TooLate,
    /// Nobody sends such messages.
    NotConfigured,
}

impl Outbox {
    /// Messages that are looked for, the latest first.
    pub async fn list(
        &self,
        db: &PgPool,
        wanted: &Wanted,
        limit: i64,
    ) -> Result<Vec<Listed>, sqlx::Error> {
        let to = wanted
            .to
            .as_ref()
            .map(|to| to.iter().map(|one| self.hash_of(one).to_vec()).collect::<Vec<_>>());
        let looked = Looked {
            channel: wanted.channel.as_deref(),
            state: wanted.state.as_deref(),
            to: to.as_deref(),
            from: wanted.from,
            until: wanted.until,
            before: wanted.before,
        };
        let rows = store::list_looked(db, &looked, limit).await?;
        Ok(rows.into_iter().map(|row| self.opened(row).listed).collect())
    }

    /// One message with what it says.
    pub async fn open(
        &self,
        tx: &mut PgTransaction<'_>,
        id: Uuid,
    ) -> Result<Option<Opened>, sqlx::Error> {
        Ok(store::lock_kept(tx, id).await?.map(|row| self.opened(row)))
    }

    /// Sends a message again that failed, or that was kept while nobody sent such messages.
    pub async fn send_again(
        &self,
        tx: &mut PgTransaction<'_>,
        id: Uuid,
        now: DateTime<Utc>,
    ) -> Result<Result<Listed, NotSent>, sqlx::Error> {
        let Some(row) = store::lock_kept(tx, id).await? else { return Ok(Err(NotSent::Unknown)) };
        let listed = self.opened(row).listed;
        if let Err(reason) = self.check_again(&listed, now) {
            return Ok(Err(reason));
        }
        store::update_queued(tx, id).await?;
        queue(tx, id, now).await?;
        Ok(Ok(listed))
    }

    /// Whether a message can be sent again.
    pub fn can_resend(&self, listed: &Listed, now: DateTime<Utc>) -> bool {
        self.check_again(listed, now).is_ok()
    }

    fn check_again(&self, listed: &Listed, now: DateTime<Utc>) -> Result<(), NotSent> {
        let channel = Channel::from_name(&listed.channel);
        if !["failed", "kept"].contains(&listed.state.as_str()) {
            return Err(NotSent::NotFailed);
        }
        // Without its text it has no recipient any more.
        if listed.to.is_none() || listed.deadline.is_some_and(|deadline| deadline <= now) {
            return Err(NotSent::TooLate);
        }
        match channel.and_then(|channel| self.channels.get(channel)) {
            Some(_) => Ok(()),
            None => Err(NotSent::NotConfigured),
        }
    }

    /// Hands a letter straight to its channel, to see whether that works; None where there is none.
    pub async fn try_out(
        &self,
        channel: Channel,
        id: Uuid,
        letter: &Letter,
    ) -> Option<Result<(), DeliveryError>> {
        let channel = self.channels.get(channel)?;
        Some(channel.deliver(id, letter).await)
    }

    fn opened(&self, row: Kept) -> Opened {
        let letter = row.sealed.and_then(|sealed| self.vault.open(row.id, &sealed).ok());
        let listed = Listed {
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
        Opened { listed, letter }
    }
}

/// Enough of a recipient to tell it from others: the last digits of a number, the first letter and
/// the domain of an address.
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
