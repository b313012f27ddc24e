//! The SQL of claims: who has which number and which address of a merchant.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::losses::LostContact;
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

/// What a newcomer wants, and of which of it it proves to be the holder.
pub(super) struct Wanted<'a> {
    pub(super) name: &'a str,
    pub(super) mobile: Option<&'a str>,
    pub(super) email: Option<&'a str>,
    pub(super) proves_email: bool,
}

/// Which of a username, a mobile number and an e-mail address are taken. What is not verified is
/// free for whoever proves to hold it.
pub(super) async fn find_taken(
    db: &PgPool,
    merchant_id: Uuid,
    wanted: &Wanted<'_>,
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
        wanted.name,
        wanted.mobile,
        wanted.email,
        wanted.proves_email,
    )
    .fetch_one(db)
    .await?;
    Ok((row.name, row.mobile, row.email))
}

/// The member who has proved to hold a mobile number.
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

/// The member who has a number that nobody has verified.
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

/// The member who has an address that nobody has verified.
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

/// Locks the details of some members in the order of their ids.
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

/// Notes that a member's own number is verified, or gives it an unverified one of another member;
/// false where neither is so any more.
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

/// The same for an address.
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

/// Takes a number out of a member's details.
pub(super) async fn update_mobile_lost(
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

/// Takes an address out of a member's details.
pub(super) async fn update_email_lost(
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

/// Notes that somebody else has proved to hold what a member had typed.
pub(super) async fn insert_loss(
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

/// What a member has lost, the latest first.
pub(super) async fn list_losses(
    db: &PgPool,
    member_id: Uuid,
    limit: i64,
) -> Result<Vec<LostContact>, sqlx::Error> {
    sqlx::query_as!(
        LostContact,
        "select kind, masked, lost_at from members_lost_contacts
         where member_id = $1 order by id desc limit $2",
        member_id,
        limit,
    )
    .fetch_all(db)
    .await
}

/// A loss that its member does not know of.
pub(super) struct Untold {
    pub(super) merchant_id: Uuid,
    pub(super) kind: String,
    pub(super) masked: String,
}

/// Locks a loss that its member was not told.
pub(super) async fn lock_untold(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    id: Uuid,
) -> Result<Option<Untold>, sqlx::Error> {
    sqlx::query_as!(
        Untold,
        "select p.merchant_id, l.kind, l.masked from members_lost_contacts l
         join members_profiles p on p.member_id = l.member_id
         where l.member_id = $1 and l.id = $2 and l.told_at is null for update of l",
        member_id,
        id,
    )
    .fetch_optional(&mut **tx)
    .await
}

/// Notes that a member was told of a loss.
pub(super) async fn update_told(
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
