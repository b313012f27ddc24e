//! SQL for accounts: reservations, profiles, details, referrals. Passwords are in
//! `secrets_store.rs`.

use std::collections::HashMap;

use capiz_rules::money::Currency;
use capiz_rules::names;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::model::{Links, MemberKind, Origin, Person, Profile};

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

/// Reserves an invitation code; false when it is taken.
pub(super) async fn insert_code(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    code: &str,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into members_codes (merchant_id, code, member_id) values ($1, $2, $3)
         on conflict do nothing",
        merchant_id,
        code,
        member_id,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// The member of an invitation code, with its user type.
pub(super) async fn find_by_code(
    db: &PgPool,
    merchant_id: Uuid,
    code: &str,
) -> Result<Option<(Uuid, MemberKind)>, sqlx::Error> {
    let row = sqlx::query!(
        "select p.member_id, p.kind from members_codes c
         join members_profiles p on p.member_id = c.member_id
         where c.merchant_id = $1 and c.code = $2",
        merchant_id,
        code,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.member_id, MemberKind::from_number(row.kind))))
}

/// The member with a username.
pub(super) async fn find_by_name(
    db: &PgPool,
    merchant_id: Uuid,
    name: &str,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select member_id from members_names where merchant_id = $1 and name = $2",
        merchant_id,
        name,
    )
    .fetch_optional(db)
    .await
}

/// The details row of a new account.
pub(super) struct DetailsRow<'a> {
    pub(super) member_id: Uuid,
    pub(super) affiliate_code: &'a str,
    pub(super) mobile: Option<&'a str>,
    pub(super) mobile_verified_at: Option<DateTime<Utc>>,
    pub(super) email: Option<&'a str>,
    pub(super) email_verified_at: Option<DateTime<Utc>>,
    pub(super) person: &'a Person,
    /// The encrypted identity number and its fingerprint.
    pub(super) id_number: Option<(Vec<u8>, Vec<u8>)>,
    pub(super) origin: &'a Origin,
}

pub(super) async fn insert_details(
    tx: &mut PgTransaction<'_>,
    row: DetailsRow<'_>,
) -> Result<(), sqlx::Error> {
    let (id_number, id_number_mac) = row.id_number.unzip();
    let [qq_num, whatsapp, facebook, telegram, zalo, line, wechat] = &row.person.contacts;
    sqlx::query!(
        "insert into members_details
            (member_id, affiliate_code, mobile, mobile_verified_at, email, email_verified_at,
             payee_name, birthday, id_number, id_number_mac, qq_num, whatsapp, facebook, telegram,
             zalo, line, wechat, address, nationality, occupation, source_of_income, domain,
             register_url, register_method)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
             $19, $20, $21, $22, $23, $24)",
        row.member_id,
        row.affiliate_code,
        row.mobile,
        row.mobile_verified_at,
        row.email,
        row.email_verified_at,
        row.person.payee_name.as_deref(),
        row.person.birthday,
        id_number,
        id_number_mac,
        qq_num.as_deref(),
        whatsapp.as_deref(),
        facebook.as_deref(),
        telegram.as_deref(),
        zalo.as_deref(),
        line.as_deref(),
        wechat.as_deref(),
        row.person.address.as_deref(),
        row.person.nationality.as_deref(),
        row.person.occupation.as_deref(),
        row.person.source_of_income.as_deref(),
        row.origin.domain.as_deref(),
        row.origin.url.as_deref(),
        row.origin.method.as_deref(),
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Stores who referred a member.
pub(super) async fn insert_links(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    links: &Links,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    if let Some((upline_id, code)) = &links.upline {
        sqlx::query!(
            "insert into members_uplines (member_id, upline_id, code, linked_at)
             values ($1, $2, $3, $4)",
            member_id,
            upline_id,
            code,
            now,
        )
        .execute(&mut **tx)
        .await?;
    }
    if let Some(recommender_id) = links.recommender {
        sqlx::query!(
            "insert into members_recommenders (member_id, recommender_id, linked_at)
             values ($1, $2, $3)",
            member_id,
            recommender_id,
            now,
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

pub(super) async fn insert_profile(
    tx: &mut PgTransaction<'_>,
    profile: &Profile,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into members_profiles
            (member_id, merchant_id, account, nickname, kind, currency, registered_at,
             to_complete_since, language)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        profile.id,
        profile.merchant_id,
        profile.account,
        profile.nickname,
        profile.kind.number(),
        profile.currency.code(),
        profile.registered_at,
        profile.to_complete.then_some(profile.registered_at),
        profile.language,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Whether a username is taken.
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

/// A member's profile.
pub async fn find_profile(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<Profile>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select merchant_id, account, nickname, kind, currency, registered_at,
            to_complete_since is not null as "to_complete!", language
         from members_profiles where member_id = $1"#,
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
            to_complete: row.to_complete,
            language: row.language,
        })
    })
    .transpose()
}

/// The nicknames of some members, by id.
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

/// Data of a member beyond the profile, as the security center shows it.
pub struct Standing {
    /// The member's own invitation code.
    pub affiliate_code: String,
    /// Id of the icon.
    pub icon: String,
    /// The mobile number in E.164 form.
    pub mobile: Option<String>,
    /// Whether the number is verified.
    pub is_mobile_verified: bool,
    /// The e-mail address as typed.
    pub email: Option<String>,
    /// Whether the address is verified.
    pub is_email_verified: bool,
    /// The real name.
    pub payee_name: Option<String>,
    /// Whether the birth date is known.
    pub has_birthday: bool,
    /// Whether an identity number is known.
    pub has_id_number: bool,
    /// The postal address.
    pub address: Option<String>,
    /// The nationality.
    pub nationality: Option<String>,
    /// The occupation.
    pub occupation: Option<String>,
    /// The source of income.
    pub source_of_income: Option<String>,
    /// When the password was set; none if there is no password.
    pub password_changed_at: Option<DateTime<Utc>>,
    /// Whether staff require a new password.
    pub is_asked_for_password: bool,
    /// Whether there is a transaction password.
    pub has_payment_password: bool,
}

/// A member's data beyond the profile; demo accounts have none.
pub async fn find_standing(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<Standing>, sqlx::Error> {
    sqlx::query_as!(
        Standing,
        r#"select d.affiliate_code, d.icon, d.mobile, d.email, d.payee_name, d.address,
            d.nationality, d.occupation, d.source_of_income,
            d.mobile_verified_at is not null as "is_mobile_verified!",
            d.email_verified_at is not null as "is_email_verified!",
            d.birthday is not null as "has_birthday!",
            d.id_number is not null as "has_id_number!",
            p.changed_at as "password_changed_at?",
            coalesce(p.must_change, false) as "is_asked_for_password!",
            exists (select from members_payment_passwords s where s.member_id = d.member_id)
                as "has_payment_password!"
         from members_details d
         left join members_passwords p on p.member_id = d.member_id
         where d.member_id = $1"#,
        member_id,
    )
    .fetch_optional(db)
    .await
}

/// Writes changes of personal data. None keeps a text, an empty text removes it. The birth date and
/// the real name can be written once; false if one of them is set already.
pub(super) async fn update_person(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    person: &Person,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update members_details set
            payee_name = coalesce($2, payee_name), birthday = coalesce($3, birthday),
            address = nullif(coalesce($4, address), ''),
            nationality = nullif(coalesce($5, nationality), ''),
            occupation = nullif(coalesce($6, occupation), ''),
            source_of_income = nullif(coalesce($7, source_of_income), '')
         where member_id = $1
           and ($2::text is null or payee_name is null)
           and ($3::date is null or birthday is null)",
        member_id,
        person.payee_name.as_deref(),
        person.birthday,
        person.address.as_deref(),
        person.nationality.as_deref(),
        person.occupation.as_deref(),
        person.source_of_income.as_deref(),
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() == 1)
}

pub(super) async fn update_nickname(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    nickname: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update members_profiles set nickname = $2 where member_id = $1",
        member_id,
        nickname,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

pub(super) async fn update_icon(
    db: &PgPool,
    member_id: Uuid,
    icon: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!("update members_details set icon = $2 where member_id = $1", member_id, icon)
        .execute(db)
        .await
        .map(drop)
}

/// Stores the language that a member chose.
pub(super) async fn update_language(
    db: &PgPool,
    member_id: Uuid,
    language: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update members_profiles set language = $2 where member_id = $1",
        member_id,
        language
    )
    .execute(db)
    .await
    .map(drop)
}

/// Marks a member's registration as complete; false if it was complete already.
pub(super) async fn update_completed(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update members_profiles set to_complete_since = null
         where member_id = $1 and to_complete_since is not null",
        member_id,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// A member's id, username and currency, for lists of the office.
pub struct Named {
    /// The member's id.
    pub member_id: Uuid,
    /// The username.
    pub account: String,
    /// The currency code.
    pub currency: String,
}

/// The usernames and currencies of some members.
pub async fn list_named(
    db: &mut PgConnection,
    member_ids: &[Uuid],
) -> Result<Vec<Named>, sqlx::Error> {
    sqlx::query_as!(
        Named,
        "select member_id, account, currency from members_profiles where member_id = any($1)",
        member_ids,
    )
    .fetch_all(db)
    .await
}
