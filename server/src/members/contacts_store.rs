//! The SQL of numbers and addresses that members are reached at.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

/// The number and the address that a member has.
pub(super) async fn find_contacts(
    db: &PgPool,
    member_id: Uuid,
) -> Result<Option<(Option<String>, Option<String>)>, sqlx::Error> {
    let row =
        sqlx::query!("select mobile, email from members_details where member_id = $1", member_id)
            .fetch_optional(db)
            .await?;
    Ok(row.map(|row| (row.mobile, row.email)))
}

/// Writes a verified number; false where the member's number is not the old one any more.
pub(super) async fn update_mobile(
    db: &mut PgConnection,
    member_id: Uuid,
    (old, new): (Option<&str>, &str),
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update members_details set mobile = $3, mobile_verified_at = $4
         where member_id = $1 and mobile is not distinct from $2",
        member_id,
        old,
        new,
        now,
    )
    .execute(db)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Writes a verified address; false where the member's address is not the old one any more.
pub(super) async fn update_email(
    db: &mut PgConnection,
    member_id: Uuid,
    (old, new): (Option<&str>, &str),
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update members_details set email = $3, email_verified_at = $4
         where member_id = $1 and email is not distinct from $2",
        member_id,
        old,
        new,
        now,
    )
    .execute(db)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Releases a number that a member had.
pub(super) async fn delete_mobile(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    mobile: &str,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from members_mobiles where merchant_id = $1 and mobile = $2 and member_id = $3",
        merchant_id,
        mobile,
        member_id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Releases an address that a member had, in lower case.
pub(super) async fn delete_email(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    email: &str,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from members_emails where merchant_id = $1 and email = $2 and member_id = $3",
        merchant_id,
        email,
        member_id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Somebody who gets mail.
pub struct Recipient {
    /// Who it is.
    pub member_id: Uuid,
    /// Its username.
    pub account: String,
    /// Its address, as it was written.
    pub email: String,
}

/// The member of the first of some usernames that is one's, if it has a verified address.
pub(super) async fn find_recipient(
    db: &PgPool,
    merchant_id: Uuid,
    names: &[String],
) -> Result<Option<Recipient>, sqlx::Error> {
    sqlx::query_as!(
        Recipient,
        r#"select n.member_id, p.account, d.email as "email!" from members_names n
         join members_profiles p on p.member_id = n.member_id
         join members_details d on d.member_id = n.member_id
         where n.merchant_id = $1 and n.name = any($2) and d.email_verified_at is not null
         order by array_position($2, n.name) limit 1"#,
        merchant_id,
        names,
    )
    .fetch_optional(db)
    .await
}
