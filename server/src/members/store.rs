//! All SQL of members.

use std::collections::HashMap;

use capiz_rules::money::Currency;
use capiz_rules::names;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::model::{MemberKind, Profile};
use crate::platform::phone::Mobile;

/// Reserves a username; false when it is taken.
pub(super) async fn insert_name(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    name: &str,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into members_names (merchant_id, name, member_id) values ($1, $2, $3)
         on conflict do nothing",
        merchant_id,
        name,
        member_id,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub(super) async fn insert_profile(
    tx: &mut PgTransaction<'_>,
    profile: &Profile,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into members_profiles
            (member_id, merchant_id, account, nickname, kind, currency, registered_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        profile.id,
        profile.merchant_id,
        profile.account,
        profile.nickname,
        profile.kind.number(),
        profile.currency.code(),
        profile.registered_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

pub(super) async fn insert_password(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into members_passwords (member_id, hash, changed_at) values ($1, $2, $3)",
        member_id,
        hash,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// The member of a username with its password's hash.
pub(super) async fn find_password(
    db: &mut PgConnection,
    merchant_id: Uuid,
    name: &str,
) -> Result<Option<(Uuid, String)>, sqlx::Error> {
    let row = sqlx::query!(
        "select p.member_id, p.hash from members_names n
         join members_passwords p on p.member_id = n.member_id
         where n.merchant_id = $1 and n.name = $2",
        merchant_id,
        name,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.member_id, row.hash)))
}

/// Whether a username belongs to somebody.
pub async fn is_name_taken(
    db: &PgPool,
    merchant_id: Uuid,
    username: &str,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select from members_names where merchant_id = $1 and name = $2
         ) as "taken!""#,
        merchant_id,
        names::username_key(username),
    )
    .fetch_one(db)
    .await
}

/// The member of a mobile number: who registered with it has it as username.
pub async fn find_by_mobile(
    db: &PgPool,
    merchant_id: Uuid,
    mobile: &Mobile,
) -> Result<Option<Uuid>, sqlx::Error> {
    let e164 = mobile.e164();
    let names = [e164.to_owned(), e164.trim_start_matches('+').to_owned()];
    sqlx::query_scalar!(
        "select member_id from members_names where merchant_id = $1 and name = any($2) limit 1",
        merchant_id,
        &names,
    )
    .fetch_optional(db)
    .await
}

/// A member's profile.
pub async fn find_profile(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<Profile>, sqlx::Error> {
    let row = sqlx::query!(
        "select merchant_id, account, nickname, kind, currency, registered_at
         from members_profiles where member_id = $1",
        member_id,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(Profile {
            id: member_id,
            merchant_id: row.merchant_id,
            account: row.account,
            nickname: row.nickname,
            kind: MemberKind::from_number(row.kind),
            currency: row
                .currency
                .parse::<Currency>()
                .map_err(|e| sqlx::Error::Decode(e.into()))?,
            registered_at: row.registered_at,
        })
    })
    .transpose()
}

/// The stored hash of a member's password.
pub(super) async fn find_password_of(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("select hash from members_passwords where member_id = $1", member_id)
        .fetch_optional(db)
        .await
}

/// The nicknames of some members, for lists that show many.
pub async fn list_nicknames(
    db: &mut PgConnection,
    member_ids: &[Uuid],
) -> Result<HashMap<Uuid, String>, sqlx::Error> {
    let rows = sqlx::query!(
        "select member_id, nickname from members_profiles where member_id = any($1)",
        member_ids,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.member_id, row.nickname)).collect())
}
