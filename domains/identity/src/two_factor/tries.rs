//! How often the codes of an app may be guessed. Whoever has got at the password can log in again and
//! again, each time with new tries of the ticket, so that wrong codes are also counted by member:
//! of a million codes three are right at any time. Devices that the member has used have a count of
//! their own, so that nobody who knows the password keeps the owner out.

use std::time::Duration;

use sqlx::PgConnection;
use uuid::Uuid;

use super::codes::is_recovery_code;
use crate::Identity;
use crate::sessions::known;
use members::Notice;
use platform::budget::Budget;
use platform::db;
use platform::error::ApiError;
use site::Merchant;

/// Wrong codes in a day.
const WRONG: Budget =
    Budget { name: "sessions.factor.wrong", limit: 20, window: Duration::from_secs(24 * 60 * 60) };

/// Where a code is tried.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// At the login, on a device.
    Login(&'a [u8; 32]),
    /// Within a session.
    Session,
}

/// A try that is counted until the code is found to be right.
pub(super) struct Try(Option<Counted>);

struct Counted {
    key: String,
    /// Which one of its day.
    number: u32,
}

impl Try {
    /// Counts a try before it is compared, or refuses it. Recovery codes are too long to be guessed
    /// and are always looked at: they are the owner's way in where somebody else has used the tries up.
    pub(super) async fn take(
        app: &Identity,
        member_id: Uuid,
        place: Place<'_>,
        code: &str,
    ) -> Result<Self, ApiError> {
        if is_recovery_code(code) {
            return Ok(Self(None));
        }
        let now = app.clock.now();
        let mut db = app.db.acquire().await?;
        let key = match place {
            Place::Session => format!("{member_id} session"),
            Place::Login(device) => {
                match known::is_known(&mut db, Some(member_id), Some(*device), now).await? {
                    true => format!("{member_id} {}", hex::encode(device)),
                    false => format!("{member_id} elsewhere"),
                }
            }
        };
        let number = app.budgets.take(&mut db, &WRONG, &key, now).await?;
        Ok(Self(Some(Counted { key, number })))
    }

    /// The code was right: the wrong ones before it are forgotten.
    pub(super) async fn forget(
        &self,
        app: &Identity,
        db: &mut PgConnection,
    ) -> Result<(), sqlx::Error> {
        match &self.0 {
            Some(Counted { key, .. }) => app.budgets.clear(db, &WRONG, key).await,
            None => Ok(()),
        }
    }

    /// The code was wrong: the last one of a day tells the member that somebody has its first factor.
    pub(super) async fn note_wrong(
        &self,
        app: &Identity,
        whose: (&Merchant, Uuid),
    ) -> Result<(), ApiError> {
        if self.0.as_ref().is_none_or(|counted| counted.number < WRONG.limit) {
            return Ok(());
        }
        let mut tx = app.db.begin().await?;
        members::notify(&app.members, &mut tx, whose, Notice::WrongCodes).await?;
        db::commit(tx).await
    }
}
