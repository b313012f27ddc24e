//! SQL for contact reservations (mobile numbers, e-mail addresses) and revoked contacts.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::revoked_contacts::RevokedContact;
use platform::phone::Mobile;

/// Reserves a mobile number in E.164 form; false when it is taken.
pub(super) async fn insert_mobile(
    tx: &mut PgTransaction<'_>,
    (merchant_id, member_id): (Uuid, Uuid),
    mobile: &str,
    is_verified: bool,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into members_mobiles (merchant_id, mobile, member_id, verified)
         values ($1, $2, $3, $4) on conflict do nothing",
        merchant_id,
        mobile,
        member_id,
        is_verified,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Reserves an e-mail address in lower case; false when it is taken.
pub(super) async fn insert_email(
    tx: &mut PgTransaction<'_>,
    (merchant_id, member_id): (Uuid, Uuid),
    email: &str,
    is_verified: bool,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into members_emails (merchant_id, email, member_id, verified)
         values ($1, $2, $3, $4) on conflict do nothing",
        merchant_id,
        email,
        member_id,
        is_verified,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// The unique identifiers of a registration.
pub(super) struct Identifiers<'a> {
    pub(super) name: &'a str,
    pub(super) mobile: Option<&'a str>,
    pub(super) email: Option<&'a str>,
    /// Whether the person has verified the e-mail address.
    pub(super) is_email_verified: bool,
}

/// Which of a username, a mobile number and an e-mail address are taken. If the registration comes
/// with a verified e-mail address, a holder who has not verified it does not count.
pub(super) async fn find_taken(
    db: &PgPool,
    merchant_id: Uuid,
    identifiers: &Identifiers<'_>,
) -> Result<(bool, bool, bool), sqlx::Error> {
    let row = sqlx::query!(
        r#"select
            exists (select from members_names where merchant_id = $1 and name = $2) as "name!",
            exists (
                select from members_mobiles
                where merchant_id = $1 and mobile = $3
            ) as "mobile!",
            exists (
                select from members_emails
                where merchant_id = $1 and email = $4 and (verified or not $5)
            ) as "email!""#,
        merchant_id,
        identifiers.name,
        identifiers.mobile,
        identifiers.email,
        identifiers.is_email_verified,
    )
    .fetch_one(db)
    .await?;
    Ok((row.name, row.mobile, row.email))
}

/// The member who has verified a mobile number.
pub async fn find_by_mobile(
    db: &PgPool,
    merchant_id: Uuid,
    mobile: &Mobile,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select member_id from members_mobiles
         where merchant_id = $1 and mobile = $2 and verified",
        merchant_id,
        mobile.e164(),
    )
    .fetch_optional(db)
    .await
}

/// The member who holds a mobile number without having verified it.
pub(super) async fn find_mobile_holder(
    db: &mut PgConnection,
    merchant_id: Uuid,
    mobile: &str,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select member_id from members_mobiles
         where merchant_id = $1 and mobile = $2 and not verified",
        merchant_id,
        mobile,
    )
    .fetch_optional(db)
    .await
}

/// The member who holds an e-mail address without having verified it.
pub(super) async fn find_email_holder(
    db: &mut PgConnection,
    merchant_id: Uuid,
    email: &str,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select member_id from members_emails
         where merchant_id = $1 and email = $2 and not verified",
        merchant_id,
        email,
    )
    .fetch_optional(db)
    .await
}

/// Locks the details rows of some members in the order of their ids.
pub(super) async fn lock_details(
    tx: &mut PgTransaction<'_>,
    member_ids: &[Uuid],
) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!(
        "select member_id from members_details where member_id = any($1)
         order by member_id for update",
        member_ids,
    )
    .fetch_all(&mut **tx)
    .await
    .map(drop)
}

/// Marks the member's own number as verified (`from` is `to`), or moves another member's unverified
/// number to it; false if `from` no longer holds the number or has verified it.
pub(super) async fn update_mobile_holder(
    tx: &mut PgTransaction<'_>,
    (merchant_id, mobile): (Uuid, &str),
    (from, to): (Uuid, Uuid),
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update members_mobiles set member_id = $4, verified = true
         where merchant_id = $1 and mobile = $2 and member_id = $3 and (member_id = $4 or not verified)",
        merchant_id,
        mobile,
        from,
        to,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Marks the member's own e-mail address as verified, or moves another member's unverified address
/// to it; false as for [`update_mobile_holder`].
pub(super) async fn update_email_holder(
    tx: &mut PgTransaction<'_>,
    (merchant_id, email): (Uuid, &str),
    (from, to): (Uuid, Uuid),
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update members_emails set member_id = $4, verified = true
         where merchant_id = $1 and email = $2 and member_id = $3 and (member_id = $4 or not verified)",
        merchant_id,
        email,
        from,
        to,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Removes a number from a member's details.
pub(super) async fn clear_mobile(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    mobile: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update members_details set mobile = null, mobile_verified_at = null
         where member_id = $1 and mobile = $2",
        member_id,
        mobile,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Removes an e-mail address from a member's details.
pub(super) async fn clear_email(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    email: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update members_details set email = null, email_verified_at = null
         where member_id = $1 and lower(email) = $2",
        member_id,
        email,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Records that another member has verified a contact which this member had only typed.
pub(super) async fn insert_revoked(
    tx: &mut PgTransaction<'_>,
    (member_id, id): (Uuid, Uuid),
    (kind, masked): (&str, &str),
    taken_by: Uuid,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into members_lost_contacts (member_id, id, kind, masked, taken_by, lost_at)
         values ($1, $2, $3, $4, $5, $6)",
        member_id,
        id,
        kind,
        masked,
        taken_by,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A member's revoked contacts, the latest first.
pub(super) async fn list_revoked(
    db: &PgPool,
    member_id: Uuid,
    limit: i64,
) -> Result<Vec<RevokedContact>, sqlx::Error> {
    sqlx::query_as!(
        RevokedContact,
        "select kind, masked, lost_at from members_lost_contacts
         where member_id = $1 order by id desc limit $2",
        member_id,
        limit,
    )
    .fetch_all(db)
    .await
}

/// A revoked contact whose member was not notified yet.
pub(super) struct UnnotifiedRow {
    pub(super) merchant_id: Uuid,
    pub(super) kind: String,
    pub(super) masked: String,
}

/// Locks a revoked contact whose member was not notified yet.
pub(super) async fn lock_unnotified(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    id: Uuid,
) -> Result<Option<UnnotifiedRow>, sqlx::Error> {
    sqlx::query_as!(
        UnnotifiedRow,
        "select p.merchant_id, l.kind, l.masked from members_lost_contacts l
         join members_profiles p on p.member_id = l.member_id
         where l.member_id = $1 and l.id = $2 and l.told_at is null for update of l",
        member_id,
        id,
    )
    .fetch_optional(&mut **tx)
    .await
}

/// Marks a revoked contact as notified.
pub(super) async fn update_notified(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update members_lost_contacts set told_at = $3 where member_id = $1 and id = $2",
        member_id,
        id,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}
