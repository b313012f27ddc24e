//! Asking a logged-in member for its password again. Whoever found the page open could guess at
//! leisure otherwise, so tries are counted by member and by address before they are compared; a
//! right one gives the member's tries back.

use std::net::IpAddr;
use std::time::Duration;

use uuid::Uuid;

use super::secrets_store::{self, PasswordRow};
use crate::Members;
use crate::codes;
use platform::budget::{self, Budget};
use platform::error::ApiError;

const WINDOW: Duration = Duration::from_secs(30 * 60);
const PER_MEMBER: Budget = Budget { name: "members.password.member", limit: 10, window: WINDOW };
const PER_ADDRESS: Budget = Budget { name: "members.password.address", limit: 60, window: WINDOW };

/// Who is asked, and where.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The member.
    pub member_id: Uuid,
    /// Its merchant.
    pub merchant_id: Uuid,
    /// Where the request came from.
    pub address: IpAddr,
}

/// Asks a member for its password.
pub async fn require_password(
    app: &Members,
    asked: Asked,
    password: String,
) -> Result<(), ApiError> {
    show_password(app, asked, password).await.map(drop)
}

/// The same for whoever needs the stored one.
pub(super) async fn show_password(
    app: &Members,
    asked: Asked,
    password: String,
) -> Result<PasswordRow, ApiError> {
    match find_password(app, asked, password).await? {
        (None, _) => Err(ApiError::new(codes::NO_PASSWORD)),
        (Some(row), true) => Ok(row),
        (Some(_), false) => Err(ApiError::new(codes::WRONG_PASSWORD)),
    }
}

/// A member's password as it is stored, and whether this is it.
async fn find_password(
    app: &Members,
    asked: Asked,
    password: String,
) -> Result<(Option<PasswordRow>, bool), ApiError> {
    let member = asked.member_id.to_string();
    let address = format!("{} {}", asked.merchant_id, budget::address_key(asked.address));
    let now = app.clock.now();
    let mut db = app.db.acquire().await?;
    app.budgets.take(&mut db, &PER_ADDRESS, &address, now).await?;
    app.budgets.take(&mut db, &PER_MEMBER, &member, now).await?;
    // Hashing takes its time; the connection is for others meanwhile.
    drop(db);
    let row = secrets_store::find_password(&app.db, asked.member_id).await?;
    let stored = row.as_ref().map(PasswordRow::stored);
    let is_right = app.passwords.verify(password, stored).await?;
    if is_right {
        app.budgets.clear(&mut *app.db.acquire().await?, &PER_MEMBER, &member).await?;
    }
    Ok((row, is_right))
}
