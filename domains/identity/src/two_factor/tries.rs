//! Limits on wrong two-factor codes. An attacker who knows the password can log in again and again
//! and gets new attempts with each ticket, so wrong codes are also counted by member: of a million
//! codes three are valid at any time. Devices that the member has logged in on have a count of
//! their own, so that an attacker who knows the password cannot lock out the owner.

use std::time::Duration;

use sqlx::PgConnection;
use uuid::Uuid;

use super::codes::is_recovery_code;
use crate::Identity;
use crate::sessions::known;
use members::Notice;
use platform::db;
use platform::error::ApiError;
use platform::rate_limit::RateLimit;
use site::Merchant;

/// Wrong codes per day.
const WRONG: RateLimit = RateLimit {
    name: "sessions.factor.wrong",
    limit: 20,
    window: Duration::from_secs(24 * 60 * 60),
};

/// Where a code is used.
#[derive(Clone, Copy)]
pub(super) enum AttemptContext<'a> {
    /// At a login, with the hash of the device secret.
    Login(&'a [u8; 32]),
    /// In a session.
    Session,
}

/// An attempt, counted as wrong until the code is found to be right.
pub(super) struct CodeAttempt(Option<Counted>);

struct Counted {
    key: String,
    /// The number of the attempt in its day.
    number: u32,
}

impl CodeAttempt {
    /// Counts an attempt before the code is compared, or refuses it. Recovery codes are too long to
    /// guess and are never limited, so the owner can log in even if an attacker has used up the
    /// attempts.
    pub(super) async fn take(
        app: &Identity,
        member_id: Uuid,
        context: AttemptContext<'_>,
        code: &str,
    ) -> Result<Self, ApiError> {
        if is_recovery_code(code) {
            return Ok(Self(None));
        }
        let now = app.clock.now();
        let mut db = app.db.acquire().await?;
        let key = match context {
            AttemptContext::Session => format!("{member_id} session"),
            AttemptContext::Login(device) => {
                match known::is_known(&mut db, Some(member_id), Some(*device), now).await? {
                    true => format!("{member_id} {}", hex::encode(device)),
                    false => format!("{member_id} elsewhere"),
                }
            }
        };
        let number = app.rate_limits.take(&mut db, &WRONG, &key, now).await?;
        Ok(Self(Some(Counted { key, number })))
    }

    /// The code was right: clears the wrong attempts before it.
    pub(super) async fn clear(
        &self,
        app: &Identity,
        db: &mut PgConnection,
    ) -> Result<(), sqlx::Error> {
        match &self.0 {
            Some(Counted { key, .. }) => app.rate_limits.clear(db, &WRONG, key).await,
            None => Ok(()),
        }
    }

    /// The code was wrong. The last attempt of a day notifies the member that somebody has the
    /// first factor.
    pub(super) async fn note_wrong(
        &self,
        app: &Identity,
        owner: (&Merchant, Uuid),
    ) -> Result<(), ApiError> {
        if self.0.as_ref().is_none_or(|counted| counted.number < WRONG.limit) {
            return Ok(());
        }
        let mut tx = app.db.begin().await?;
        members::notify(&app.members, &mut tx, owner, Notice::WrongCodes).await?;
        db::commit(tx).await
    }
}
