//! Making and recognising members.

use std::sync::Arc;

use capiz_rules::money::Currency;
use capiz_rules::names;
use chrono::{DateTime, Utc};
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::model::{MemberKind, NewMember, Profile};
use super::{Passwords, store};
use crate::codes::ErrorCode;
use crate::platform::error::ApiError;
use crate::platform::ids::new_id;
use crate::site::Merchant;

/// A username and a password as they were typed.
pub struct Credentials {
    /// The username in any case.
    pub username: String,
    /// The password.
    pub password: String,
}

/// Makes a member of a merchant. The hash comes from [`Passwords`], made before the
/// transaction began: hashing is slow.
pub async fn create_with_password(
    tx: &mut PgTransaction<'static>,
    merchant: &Arc<Merchant>,
    (username, password_hash): (&str, &str),
    now: DateTime<Utc>,
) -> Result<NewMember, ApiError> {
    let profile = Profile {
        id: new_id(now),
        merchant_id: merchant.id,
        account: username.to_owned(),
        nickname: username.to_owned(),
        kind: MemberKind::Member,
        currency: merchant.currency,
        registered_at: now,
    };
    let name = names::username_key(username);
    if !store::insert_name(tx, merchant.id, &name, profile.id).await? {
        return Err(ApiError::new(ErrorCode::MemberNameTaken));
    }
    store::insert_profile(tx, &profile).await?;
    store::insert_password(tx, profile.id, password_hash, now).await?;
    Ok(NewMember { profile, merchant: Arc::clone(merchant) })
}

/// Makes a demo account: nameless, without a password, in demo money.
pub async fn create_trial(
    tx: &mut PgTransaction<'static>,
    merchant: &Arc<Merchant>,
    now: DateTime<Utc>,
) -> Result<NewMember, ApiError> {
    let id = new_id(now);
    let digits = id.as_simple().to_string();
    let account = format!("demo{}", &digits[digits.len() - 8..]);
    let profile = Profile {
        id,
        merchant_id: merchant.id,
        nickname: account.clone(),
        account,
        kind: MemberKind::Trial,
        currency: Currency::Fun,
        registered_at: now,
    };
    store::insert_profile(tx, &profile).await?;
    Ok(NewMember { profile, merchant: Arc::clone(merchant) })
}

/// Whether a password is a member's own.
pub async fn is_password_of(
    db: &PgPool,
    passwords: &Passwords,
    member_id: Uuid,
    password: String,
) -> Result<bool, ApiError> {
    let stored = {
        let mut connection = db.acquire().await?;
        store::find_password_of(&mut connection, member_id).await?
    };
    passwords.verify(password, stored).await
}

/// The member whose username and password these are. Takes equally long whether the name
/// exists or not.
pub async fn find_by_credentials(
    db: &PgPool,
    passwords: &Passwords,
    merchant_id: Uuid,
    given: Credentials,
) -> Result<Option<Profile>, ApiError> {
    let name = names::username_key(given.username.trim());
    let found = {
        let mut connection = db.acquire().await?;
        store::find_password(&mut connection, merchant_id, &name).await?
    };
    let (member_id, stored) = found.unzip();
    if !passwords.verify(given.password, stored).await? {
        return Ok(None);
    }
    let Some(member_id) = member_id else { return Ok(None) };
    let mut connection = db.acquire().await?;
    Ok(store::find_profile(&mut connection, member_id).await?)
}
