//! Password re-authentication of a logged-in member.
//!
//! It protects a session that was left open. Attempts are rate limited by member and by address,
//! and are counted before the password is compared. A correct password resets the member's limit.

use std::net::IpAddr;
use std::time::Duration;

use uuid::Uuid;

use super::secrets_store::{self, PasswordRow};
use crate::Members;
use crate::codes;
use platform::error::ApiError;
use platform::rate_limit::{self, RateLimit};

const WINDOW: Duration = Duration::from_secs(30 * 60);
const PER_MEMBER: RateLimit =
    RateLimit { name: "members.password.member", limit: 10, window: WINDOW };
const PER_ADDRESS: RateLimit =
    RateLimit { name: "members.password.address", limit: 60, window: WINDOW };

/// Who has to give the password again, and from where.
#[derive(Clone, Copy, Debug)]
pub struct ReauthRequest {
    /// The member.
    pub member_id: Uuid,
    /// The member's merchant.
    pub merchant_id: Uuid,
    /// The client's IP address.
    pub address: IpAddr,
}

/// Verifies a member's login password.
pub async fn require_password(
    app: &Members,
    check: ReauthRequest,
    password: String,
) -> Result<(), ApiError> {
    verify_password(app, check, password).await.map(drop)
}

/// Verifies a member's login password and returns the stored row.
pub(super) async fn verify_password(
    app: &Members,
    check: ReauthRequest,
    password: String,
) -> Result<PasswordRow, ApiError> {
    match compare_password(app, check, password).await? {
        (None, _) => Err(ApiError::new(codes::NO_PASSWORD)),
        (Some(row), true) => Ok(row),
        (Some(_), false) => Err(ApiError::new(codes::WRONG_PASSWORD)),
    }
}

/// The stored password, if there is one, and whether the given one matches.
async fn compare_password(
    app: &Members,
    check: ReauthRequest,
    password: String,
) -> Result<(Option<PasswordRow>, bool), ApiError> {
    let member = check.member_id.to_string();
    let address = format!("{} {}", check.merchant_id, rate_limit::address_key(check.address));
    let now = app.clock.now();
    let mut db = app.db.acquire().await?;
    app.rate_limits.take(&mut db, &PER_ADDRESS, &address, now).await?;
    app.rate_limits.take(&mut db, &PER_MEMBER, &member, now).await?;
    // Hashing is slow: return the connection to the pool first.
    drop(db);
    let row = secrets_store::find_password(&app.db, check.member_id).await?;
    let stored = row.as_ref().map(PasswordRow::stored);
    let is_right = app.passwords.verify(password, stored).await?;
    if is_right {
        app.rate_limits.clear(&mut *app.db.acquire().await?, &PER_MEMBER, &member).await?;
    }
    Ok((row, is_right))
}
