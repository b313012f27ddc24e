//! SQL for the member search and the member records of the back office.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// Which members are searched.
pub(super) struct Scope {
    pub(super) merchants: Vec<Uuid>,
    /// Numbers of member kinds.
    pub(super) kinds: Vec<i16>,
    pub(super) states: Vec<String>,
}

/// A range of texts with the same prefix: from `first`, up to and without `end`, and after the
/// cursor `after`.
pub(super) struct PrefixRange<'a> {
    pub(super) first: &'a str,
    pub(super) end: &'a str,
    pub(super) after: (&'a str, Uuid),
}

/// A member, with the text that matched.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) text: String,
    pub(super) member_id: Uuid,
}

/// Members by a prefix of the username, sorted by username.
pub(super) async fn list_by_name(
    db: &PgPool,
    range: &PrefixRange<'_>,
    scope: &Scope,
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
        &scope.merchants,
        &scope.kinds,
        &scope.states,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Members by a prefix of the mobile number, sorted by number.
pub(super) async fn list_by_mobile(
    db: &PgPool,
    range: &PrefixRange<'_>,
    scope: &Scope,
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
        &scope.merchants,
        &scope.kinds,
        &scope.states,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Members by a prefix of the e-mail address, sorted by address.
pub(super) async fn list_by_email(
    db: &PgPool,
    range: &PrefixRange<'_>,
    scope: &Scope,
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
        &scope.merchants,
        &scope.kinds,
        &scope.states,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Demo accounts by a prefix of the username. Their names have no reservations, so the profiles are
/// searched.
pub(super) async fn list_demo_by_name(
    db: &PgPool,
    range: &PrefixRange<'_>,
    scope: &Scope,
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
        &scope.merchants,
        &scope.states,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Members by invitation code.
pub(super) async fn list_by_code(
    db: &PgPool,
    code: &str,
    scope: &Scope,
) -> Result<Vec<Hit>, sqlx::Error> {
    sqlx::query_as!(
        Hit,
        "select lower(c.code) as \"text!\", c.member_id from members_codes c
         join members_profiles p on p.member_id = c.member_id
         where c.merchant_id = any($2) and c.code = $1
           and p.kind = any($3) and p.state = any($4)",
        code,
        &scope.merchants,
        &scope.kinds,
        &scope.states,
    )
    .fetch_all(db)
    .await
}

/// The newest members before a cursor. Each combination of merchant, kind and state is one range of
/// an index, so that rare combinations are found as fast as frequent ones.
pub(super) async fn list_newest(
    db: &PgPool,
    scope: &Scope,
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
        &scope.merchants,
        &scope.kinds,
        &scope.states,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// The oldest members after a cursor; uses the index as [`list_newest`] does.
pub(super) async fn list_oldest(
    db: &PgPool,
    scope: &Scope,
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
        &scope.merchants,
        &scope.kinds,
        &scope.states,
        after,
        limit,
    )
    .fetch_all(db)
    .await
}

/// A member in a list of the office.
pub struct ListedRow {
    /// The member's id.
    pub member_id: Uuid,
    /// The member's merchant.
    pub merchant_id: Uuid,
    /// The username.
    pub account: String,
    /// The nickname.
    pub nickname: String,
    /// The number of the member kind.
    pub kind: i16,
    /// `active`, `frozen` or `closed`.
    pub state: String,
    /// When the member registered.
    pub registered_at: DateTime<Utc>,
    /// The mobile number in E.164 form.
    pub mobile: Option<String>,
    /// When the number was verified.
    pub mobile_verified_at: Option<DateTime<Utc>>,
    /// The e-mail address.
    pub email: Option<String>,
    /// When the address was verified.
    pub email_verified_at: Option<DateTime<Utc>>,
    /// The real name, to which withdrawals are paid.
    pub payee_name: Option<String>,
}

/// The list rows of some members, in no particular order.
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

/// All data of a member that staff may see. The identity number is not included.
pub struct File {
    /// The member's merchant.
    pub merchant_id: Uuid,
    /// The username.
    pub account: String,
    /// The nickname.
    pub nickname: String,
    /// The number of the member kind.
    pub kind: i16,
    /// The account's currency; a member has one.
    pub currency: String,
    /// When the member registered.
    pub registered_at: DateTime<Utc>,
    /// Since when the registration is incomplete; none if it is complete.
    pub to_complete_since: Option<DateTime<Utc>>,
    /// `active`, `frozen` or `closed`.
    pub state: String,
    /// The reason for the present state.
    pub state_reason: Option<String>,
    /// Who set the present state.
    pub state_by: Option<String>,
    /// When the present state was set.
    pub state_at: Option<DateTime<Utc>>,
    /// The member's own invitation code; demo accounts have none.
    pub affiliate_code: Option<String>,
    /// Id of the icon.
    pub icon: Option<String>,
    /// The mobile number in E.164 form.
    pub mobile: Option<String>,
    /// When the number was verified.
    pub mobile_verified_at: Option<DateTime<Utc>>,
    /// The e-mail address as typed.
    pub email: Option<String>,
    /// When the address was verified.
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
    /// The postal address.
    pub address: Option<String>,
    /// The nationality.
    pub nationality: Option<String>,
    /// The occupation.
    pub occupation: Option<String>,
    /// The source of income.
    pub source_of_income: Option<String>,
    /// The site's domain on which the member registered.
    pub domain: Option<String>,
    /// URL of the page on which the member registered.
    pub register_url: Option<String>,
    /// `WEB` or `SOCIAL`.
    pub register_method: Option<String>,
    /// When the password was set; none if there is no password.
    pub password_changed_at: Option<DateTime<Utc>>,
    /// Whether staff require a new password.
    pub is_asked_for_password: bool,
    /// Whether there is a transaction password.
    pub has_payment_password: bool,
    /// Until when the transaction password is locked after wrong tries.
    pub payment_locked_until: Option<DateTime<Utc>>,
}

/// A member's record.
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

/// A member who referred another.
pub struct Relative {
    /// The referring member's id.
    pub member_id: Uuid,
    /// The referring member's username.
    pub account: String,
    /// True for the agent (upline), false for the recommender.
    pub is_upline: bool,
}

/// Who referred a member: its agent (upline) and its recommender.
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
