//! SQL for the contacts of members.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::form::RemainingFields;

/// A member's mobile number and e-mail address.
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

/// Writes a verified number; false if the old number was changed concurrently.
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

/// Writes a verified e-mail address; false if the old address was changed concurrently.
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

/// Writes the remaining fields of a completed registration; existing values stay. False if a number
/// or an address was set concurrently.
pub(super) async fn update_remaining(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    fields: &RemainingFields,
    id_number: Option<(Vec<u8>, Vec<u8>)>,
    mobile_verified_at: Option<DateTime<Utc>>,
) -> Result<bool, sqlx::Error> {
    let (id_number, id_number_mac) = id_number.unzip();
    let [qq_num, whatsapp, facebook, telegram, zalo, line, wechat] = &fields.person.contacts;
    let updated = sqlx::query!(
        "update members_details set
            mobile = coalesce($2, mobile), email = coalesce($3, email),
            mobile_verified_at = coalesce($13, mobile_verified_at),
            id_number_mac = case when id_number is null then $5 else id_number_mac end,
            id_number = coalesce(id_number, $4),
            qq_num = coalesce(qq_num, $6), whatsapp = coalesce(whatsapp, $7),
            facebook = coalesce(facebook, $8), telegram = coalesce(telegram, $9),
            zalo = coalesce(zalo, $10), line = coalesce(line, $11), wechat = coalesce(wechat, $12)
         where member_id = $1
           and ($2::text is null or mobile is null) and ($3::text is null or email is null)",
        member_id,
        fields.number.as_ref().map(|number| number.mobile.as_str()),
        fields.email.as_deref(),
        id_number,
        id_number_mac,
        qq_num.as_deref(),
        whatsapp.as_deref(),
        facebook.as_deref(),
        telegram.as_deref(),
        zalo.as_deref(),
        line.as_deref(),
        wechat.as_deref(),
        mobile_verified_at,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Deletes a member's reservation of a mobile number.
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

/// Deletes a member's reservation of an e-mail address, given in lower case.
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

/// A member with a verified e-mail address.
pub struct Recipient {
    /// The member's id.
    pub member_id: Uuid,
    /// The username.
    pub account: String,
    /// The e-mail address as typed.
    pub email: String,
}

/// The verified contacts of a member, and the language for messages.
pub struct VerifiedContacts {
    /// A verified e-mail address, as typed.
    pub email: Option<String>,
    /// A verified mobile number in E.164 form.
    pub mobile: Option<String>,
    /// Code of the language that the member chose.
    pub language: Option<String>,
}

/// The verified contacts of a member. Unverified ones may belong to another person and are left
/// out.
pub async fn find_verified_contacts(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<VerifiedContacts>, sqlx::Error> {
    sqlx::query_as!(
        VerifiedContacts,
        r#"select p.language,
            case when d.email_verified_at is not null then d.email end as email,
            case when d.mobile_verified_at is not null then d.mobile end as mobile
         from members_profiles p join members_details d on d.member_id = p.member_id
         where p.member_id = $1"#,
        member_id,
    )
    .fetch_optional(db)
    .await
}

/// The first of `names` that belongs to a member with a verified e-mail address.
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
