//! The SQL of numbers and addresses that members are reached at.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::form::Rest;

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

/// Writes what a member tells later of what a form asks; what is there stays. False where a number
/// or an address came in between.
pub(super) async fn update_rest(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    rest: &Rest,
    id_number: Option<(Vec<u8>, Vec<u8>)>,
    mobile_verified_at: Option<DateTime<Utc>>,
) -> Result<bool, sqlx::Error> {
    let (id_number, id_number_mac) = id_number.unzip();
    let [qq_num, whatsapp, facebook, telegram, zalo, line, wechat] = &rest.person.contacts;
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
        rest.number.as_ref().map(|number| number.mobile.as_str()),
        rest.email.as_deref(),
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

/// Where a member can be reached, and in which language.
pub struct Reach {
    /// A verified address, as it was written.
    pub email: Option<String>,
    /// A verified number in E.164 form.
    pub mobile: Option<String>,
    /// The site's code of the language that the member has chosen.
    pub language: Option<String>,
}

/// Where a member can be reached. What is not verified may be somebody else's and is left out.
pub async fn find_reach(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<Reach>, sqlx::Error> {
    sqlx::query_as!(
        Reach,
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
