//! The SQL of the office's look at members.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// Among which members is looked.
pub(super) struct Among {
    pub(super) merchants: Vec<Uuid>,
    /// The numbers of kinds.
    pub(super) kinds: Vec<i16>,
    pub(super) states: Vec<String>,
}

/// Texts that begin alike, after one of them: from `first` to before `end`, and beyond `after`.
pub(super) struct Range<'a> {
    pub(super) first: &'a str,
    pub(super) end: &'a str,
    pub(super) after: (&'a str, Uuid),
}

/// A member, by the text that it was found by.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) text: String,
    pub(super) member_id: Uuid,
}

/// Members whose usernames begin alike, in the order of the names.
pub(super) async fn list_by_name(
    db: &PgPool,
    range: &Range<'_>,
    among: &Among,
    limit: i64,
) -> Result<Vec<Hit>, sqlx::Error> {
    sqlx::query_as!(
        Hit,
        r#"select n.name as text, n.member_id from members_names n
         join members_profiles p on p.member_id = n.member_id
         where n.name collate "C" >= $1 and n.name collate "C" < $2
           and (n.name collate "C", n.member_id) > ($3, $4)
           and p.merchant_id = any($5) and p.kind = any($6) and p.state = any($7)
         order by n.name collate "C", n.member_id limit $8"#,
        range.first,
        range.end,
        range.after.0,
        range.after.1,
        &among.merchants,
        &among.kinds,
        &among.states,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Members whose numbers begin alike, in the order of the numbers.
pub(super) async fn list_by_mobile(
    db: &PgPool,
    range: &Range<'_>,
    among: &Among,
    limit: i64,
) -> Result<Vec<Hit>, sqlx::Error> {
    sqlx::query_as!(
        Hit,
        r#"select n.mobile as text, n.member_id from members_mobiles n
         join members_profiles p on p.member_id = n.member_id
         where n.mobile collate "C" >= $1 and n.mobile collate "C" < $2
           and (n.mobile collate "C", n.member_id) > ($3, $4)
           and p.merchant_id = any($5) and p.kind = any($6) and p.state = any($7)
         order by n.mobile collate "C", n.member_id limit $8"#,
        range.first,
        range.end,
        range.after.0,
        range.after.1,
        &among.merchants,
        &among.kinds,
        &among.states,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Members whose addresses begin alike, in the order of the addresses.
pub(super) async fn list_by_email(
    db: &PgPool,
    range: &Range<'_>,
    among: &Among,
    limit: i64,
) -> Result<Vec<Hit>, sqlx::Error> {
    sqlx::query_as!(
        Hit,
        r#"select n.email as text, n.member_id from members_emails n
         join members_profiles p on p.member_id = n.member_id
         where n.email collate "C" >= $1 and n.email collate "C" < $2
           and (n.email collate "C", n.member_id) > ($3, $4)
           and p.merchant_id = any($5) and p.kind = any($6) and p.state = any($7)
         order by n.email collate "C", n.member_id limit $8"#,
        range.first,
        range.end,
        range.after.0,
        range.after.1,
        &among.merchants,
        &among.kinds,
        &among.states,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Demo accounts whose names begin alike: those are reserved nowhere.
pub(super) async fn list_demo_by_name(
    db: &PgPool,
    range: &Range<'_>,
    among: &Among,
    limit: i64,
) -> Result<Vec<Hit>, sqlx::Error> {
    sqlx::query_as!(
        Hit,
        r#"select account as text, member_id from members_profiles
         where kind = 4 and account collate "C" >= $1 and account collate "C" < $2
           and (account collate "C", member_id) > ($3, $4)
           and merchant_id = any($5) and state = any($6)
         order by account collate "C", member_id limit $7"#,
        range.first,
        range.end,
        range.after.0,
        range.after.1,
        &among.merchants,
        &among.states,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Members whose invitation code it is.
pub(super) async fn list_by_code(
    db: &PgPool,
    code: &str,
    among: &Among,
) -> Result<Vec<Hit>, sqlx::Error> {
    sqlx::query_as!(
        Hit,
        "select lower(c.code) as \"text!\", c.member_id from members_codes c
         join members_profiles p on p.member_id = c.member_id
         where c.merchant_id = any($2) and c.code = $1
           and p.kind = any($3) and p.state = any($4)",
        code,
        &among.merchants,
        &among.kinds,
        &among.states,
    )
    .fetch_all(db)
    .await
}

/// The newest members before one of them. Each combination of merchant, kind and state is a stretch
/// of one index, so that rare ones are found as fast as frequent ones.
pub(super) async fn list_newest(
    db: &PgPool,
    among: &Among,
    before: Uuid,
    limit: i64,
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select found.member_id
         from unnest($1::uuid[]) as m (id)
         cross join unnest($2::smallint[]) as k (kind)
         cross join unnest($3::text[]) as s (state)
         cross join lateral (
            select p.member_id from members_profiles p
            where p.merchant_id = m.id and p.kind = k.kind and p.state = s.state
              and p.member_id < $4
            order by p.member_id desc limit $5
         ) found
         order by found.member_id desc limit $5",
        &among.merchants,
        &among.kinds,
        &among.states,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// The oldest members after one of them, in the same way.
pub(super) async fn list_oldest(
    db: &PgPool,
    among: &Among,
    after: Uuid,
    limit: i64,
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select found.member_id
         from unnest($1::uuid[]) as m (id)
         cross join unnest($2::smallint[]) as k (kind)
         cross join unnest($3::text[]) as s (state)
         cross join lateral (
            select p.member_id from members_profiles p
            where p.merchant_id = m.id and p.kind = k.kind and p.state = s.state
              and p.member_id > $4
            order by p.member_id limit $5
         ) found
         order by found.member_id limit $5",
        &among.merchants,
        &among.kinds,
        &among.states,
        after,
        limit,
    )
    .fetch_all(db)
    .await
}

/// A member as lists of the office show it.
pub struct ListedRow {
    /// Who.
    pub member_id: Uuid,
    /// Of which merchant.
    pub merchant_id: Uuid,
    /// As they log in.
    pub account: String,
    /// What others call them.
    pub nickname: String,
    /// A number that stands for the kind.
    pub kind: i16,
    /// `active`, `frozen` or `closed`.
    pub state: String,
    /// Since when.
    pub registered_at: DateTime<Utc>,
    /// In international form.
    pub mobile: Option<String>,
    /// When it was proved.
    pub mobile_verified_at: Option<DateTime<Utc>>,
    /// The address.
    pub email: Option<String>,
    /// When it was proved.
    pub email_verified_at: Option<DateTime<Utc>>,
    /// Whom withdrawals are paid to.
    pub payee_name: Option<String>,
}

/// Some members, in no particular order.
pub(super) async fn list_rows(db: &PgPool, ids: &[Uuid]) -> Result<Vec<ListedRow>, sqlx::Error> {
    sqlx::query_as!(
        ListedRow,
        r#"select p.member_id as "member_id!", p.merchant_id as "merchant_id!",
            p.account as "account!", p.nickname as "nickname!", p.kind as "kind!",
            p.state as "state!", p.registered_at as "registered_at!", d.mobile as "mobile?", d.mobile_verified_at as "mobile_verified_at?",
            d.email as "email?", d.email_verified_at as "email_verified_at?",
            d.payee_name as "payee_name?"
         from members_profiles p
         left join members_details d on d.member_id = p.member_id
         where p.member_id = any($1)"#,
        ids,
    )
    .fetch_all(db)
    .await
}

/// Everything of a member that staff may see. An identity number is not among it.
pub struct File {
    /// Whose member it is.
    pub merchant_id: Uuid,
    /// The username.
    pub account: String,
    /// How the site calls the member.
    pub nickname: String,
    /// The number of its kind.
    pub kind: i16,
    /// Its one currency.
    pub currency: String,
    /// Since when.
    pub registered_at: DateTime<Utc>,
    /// Since when the registration waits to be completed.
    pub to_complete_since: Option<DateTime<Utc>>,
    /// Active, frozen or closed.
    pub state: String,
    /// Why it is in this state.
    pub state_reason: Option<String>,
    /// Who brought it into this state.
    pub state_by: Option<String>,
    /// Since when it is in this state.
    pub state_at: Option<DateTime<Utc>>,
    /// The code that it invites others with; demo accounts have none.
    pub affiliate_code: Option<String>,
    /// The id of its icon.
    pub icon: Option<String>,
    /// In E.164 form.
    pub mobile: Option<String>,
    /// When a code that was sent there came back.
    pub mobile_verified_at: Option<DateTime<Utc>>,
    /// As it was written.
    pub email: Option<String>,
    /// When a code that was sent there came back.
    pub email_verified_at: Option<DateTime<Utc>>,
    /// The real name.
    pub payee_name: Option<String>,
    /// The birth date.
    pub birthday: Option<NaiveDate>,
    /// Whether an identity number is known.
    pub has_id_number: bool,
    /// QQ.
    pub qq_num: Option<String>,
    /// WhatsApp.
    pub whatsapp: Option<String>,
    /// Facebook.
    pub facebook: Option<String>,
    /// Telegram.
    pub telegram: Option<String>,
    /// Zalo.
    pub zalo: Option<String>,
    /// LINE.
    pub line: Option<String>,
    /// WeChat.
    pub wechat: Option<String>,
    /// Where the member lives.
    pub address: Option<String>,
    /// Of which nation.
    pub nationality: Option<String>,
    /// What the member does for a living.
    pub occupation: Option<String>,
    /// What the member lives on.
    pub source_of_income: Option<String>,
    /// The site's domain that it registered on.
    pub domain: Option<String>,
    /// The page that it registered on.
    pub register_url: Option<String>,
    /// `WEB` or `SOCIAL`.
    pub register_method: Option<String>,
    /// When the password was set; none without a password.
    pub password_changed_at: Option<DateTime<Utc>>,
    /// Whether staff have asked for another password.
    pub is_asked_for_password: bool,
    /// Whether there is a transaction password.
    pub has_payment_password: bool,
    /// Until when it is locked after wrong tries.
    pub payment_locked_until: Option<DateTime<Utc>>,
}

/// A member's file.
pub(super) async fn find_file(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<File>, sqlx::Error> {
    sqlx::query_as!(
        File,
        r#"select p.merchant_id as "merchant_id!", p.account as "account!",
            p.nickname as "nickname!", p.kind as "kind!", p.currency as "currency!",
            p.registered_at as "registered_at!", p.to_complete_since, p.state as "state!",
            p.state_reason, p.state_by, p.state_at,
            d.affiliate_code as "affiliate_code?", d.icon as "icon?", d.mobile as "mobile?",
            d.mobile_verified_at as "mobile_verified_at?", d.email as "email?",
            d.email_verified_at as "email_verified_at?", d.payee_name as "payee_name?",
            d.birthday as "birthday?", d.id_number is not null as "has_id_number!",
            d.qq_num as "qq_num?", d.whatsapp as "whatsapp?", d.facebook as "facebook?",
            d.telegram as "telegram?", d.zalo as "zalo?", d.line as "line?", d.wechat as "wechat?",
            d.address as "address?", d.nationality as "nationality?",
            d.occupation as "occupation?", d.source_of_income as "source_of_income?",
            d.domain as "domain?", d.register_url as "register_url?",
            d.register_method as "register_method?",
            s.changed_at as "password_changed_at?",
            coalesce(s.must_change, false) as "is_asked_for_password!",
            y.member_id is not null as "has_payment_password!",
            y.locked_until as "payment_locked_until?"
         from members_profiles p
         left join members_details d on d.member_id = p.member_id
         left join members_passwords s on s.member_id = p.member_id
         left join members_payment_passwords y on y.member_id = p.member_id
         where p.member_id = $1"#,
        member_id,
    )
    .fetch_optional(db)
    .await
}

/// Somebody who brought a member.
pub struct Relative {
    /// Who.
    pub member_id: Uuid,
    /// Its username.
    pub account: String,
    /// Whether it is the agent above the member; the one who recommended the site otherwise.
    pub is_upline: bool,
}

/// Who brought a member: the agent above it, the one who recommended the site.
pub(super) async fn list_relatives(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Vec<Relative>, sqlx::Error> {
    sqlx::query_as!(
        Relative,
        r#"select p.member_id, p.account, r.is_upline as "is_upline!"
         from (
            select upline_id as id, true as is_upline from members_uplines where member_id = $1
            union all
            select recommender_id, false from members_recommenders where member_id = $1
         ) r
         join members_profiles p on p.member_id = r.id"#,
        member_id,
    )
    .fetch_all(db)
    .await
}
