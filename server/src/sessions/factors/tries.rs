//! How often the codes of an app may be guessed. Whoever has got at the password can log in again and
//! again, each time with new tries of the ticket, so that wrong codes are also counted by member:
//! of a million codes three are right at any time. Devices that the member has used have a count of
//! their own, so that nobody who knows the password keeps the owner out.

use std::time::Duration;

use sqlx::PgConnection;
use uuid::Uuid;

use super::codes::is_recovery_code;
use crate::app::App;
use crate::members::{self, Change};
use crate::platform::budget::{Budget, TakeError};
use crate::platform::db;
use crate::platform::error::ApiError;
use crate::sessions::login;
use crate::site::Merchant;

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
pub(super) struct Try(Option<String>);

impl Try {
    /// Counts a try before it is compared, or refuses it. Recovery codes are too long to be guessed
    /// and are always looked at: they are the owner's way in where somebody else has used the tries up.
    pub(super) async fn take(
        app: &App,
        (merchant, member_id): (&Merchant, Uuid),
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
                match login::is_known(&mut db, Some(member_id), Some(*device), now).await? {
                    true => format!("{member_id} {}", hex::encode(device)),
                    false => format!("{member_id} elsewhere"),
                }
            }
        };
        match app.budgets.take(&mut db, &WRONG, &key, now).await {
            Err(TakeError::UsedUp(wait)) => return Err(wait.into()),
            taken => taken?,
        }
        if app.budgets.used(&mut db, &WRONG, &key, now).await? == WRONG.limit {
            drop(db);
            warn_owner(app, merchant, member_id).await?;
        }
        Ok(Self(Some(key)))
    }

    /// The code was right: the wrong ones before it are forgotten.
    pub(super) async fn forget(self, app: &App, db: &mut PgConnection) -> Result<(), sqlx::Error> {
        match self.0 {
            Some(key) => app.budgets.clear(db, &WRONG, &key).await,
            None => Ok(()),
        }
    }
}

/// The last try of a day tells the member that somebody knows its password.
async fn warn_owner(app: &App, merchant: &Merchant, member_id: Uuid) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    members::tell_of_change(app, &mut tx, (merchant, member_id), Change::WrongCodes).await?;
    db::commit(tx).await
}
