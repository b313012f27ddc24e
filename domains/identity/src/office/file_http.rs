//! The office calls that read a member's file, sessions and logins.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::store;
use crate::Identity;
use crate::sessions::model::DeviceId;
use crate::sessions::store as sessions_store;
use crate::two_factor;
use members::rights::MembersRead;
use members::{File, Relative};
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query};
use staff::Allowed;

/// The longest list.
const LIST_MAX: i64 = 100;
const LIST_DEFAULT: i64 = 20;

/// Another contact of a member.
#[derive(Serialize, ToSchema)]
struct OtherContact {
    /// `qq`, `whatsapp`, `facebook`, `telegram`, `zalo`, `line` or `wechat`.
    kind: &'static str,
    value: String,
}

/// A reference to another member.
#[derive(Serialize, ToSchema)]
struct NamedMember {
    id: Uuid,
    account: String,
}

/// A social account that is linked to a member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LinkedIdentity {
    /// `oidc` or `oauth`.
    provider: String,
    linked_at: DateTime<Utc>,
}

/// Everything about a member that staff may see.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MemberFile {
    id: Uuid,
    /// The merchant's code.
    merchant: String,
    merchant_name: String,
    /// The merchant's time zone.
    time_zone: String,
    account: String,
    nickname: String,
    /// 0 member; 1, 2, 41, 42 agents; 4 trial.
    #[serde(rename = "type")]
    kind: i16,
    currency: String,
    registered_at: DateTime<Utc>,
    last_login_at: Option<DateTime<Utc>>,
    /// `active`, `frozen` or `closed`.
    state: String,
    state_reason: Option<String>,
    state_by: Option<String>,
    state_at: Option<DateTime<Utc>>,
    /// When the incomplete registration began; the member cannot play until it is completed.
    to_complete_since: Option<DateTime<Utc>>,
    mobile: Option<String>,
    mobile_verified_at: Option<DateTime<Utc>>,
    email: Option<String>,
    email_verified_at: Option<DateTime<Utc>>,
    other_contacts: Vec<OtherContact>,
    payee_name: Option<String>,
    birthday: Option<NaiveDate>,
    /// Whether an identity number is stored. The number itself is never shown.
    has_id_number: bool,
    address: Option<String>,
    nationality: Option<String>,
    occupation: Option<String>,
    source_of_income: Option<String>,
    icon: Option<String>,
    affiliate_code: Option<String>,
    domain: Option<String>,
    register_url: Option<String>,
    register_method: Option<String>,
    upline: Option<NamedMember>,
    recommender: Option<NamedMember>,
    has_password: bool,
    password_changed_at: Option<DateTime<Utc>>,
    /// Whether staff require a new password.
    must_change_password: bool,
    has_payment_password: bool,
    /// When the lock of the transaction password after wrong attempts ends.
    payment_locked_until: Option<DateTime<Utc>>,
    two_factor: bool,
    identities: Vec<LinkedIdentity>,
}

fn other_contacts(file: &File) -> Vec<OtherContact> {
    let all = [
        ("qq", &file.qq_num),
        ("whatsapp", &file.whatsapp),
        ("facebook", &file.facebook),
        ("telegram", &file.telegram),
        ("zalo", &file.zalo),
        ("line", &file.line),
        ("wechat", &file.wechat),
    ];
    let known = all.into_iter().filter_map(|(kind, value)| Some((kind, value.clone()?)));
    known.map(|(kind, value)| OtherContact { kind, value }).collect()
}

fn named(relatives: &[Relative], is_upline: bool) -> Option<NamedMember> {
    let relative = relatives.iter().find(|relative| relative.is_upline == is_upline)?;
    Some(NamedMember { id: relative.member_id, account: relative.account.clone() })
}

async fn load_file(
    app: &Identity,
    db: &mut PgConnection,
    id: Uuid,
) -> Result<MemberFile, ApiError> {
    let found = members::find_file(db, id).await?;
    let (file, relatives) = found.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))?;
    let merchants = app.site.sites.all(&app.db).await?;
    let merchant = merchants.iter().find(|merchant| merchant.id == file.merchant_id);
    let merchant = merchant.ok_or_else(|| ApiError::internal("a member without a merchant"))?;
    let identities = store::list_identities(db, id, LIST_MAX).await?.into_iter();
    Ok(MemberFile {
        id,
        merchant: merchant.code.clone(),
        merchant_name: merchant.name.clone(),
        time_zone: merchant.time_zone.clone(),
        other_contacts: other_contacts(&file),
        upline: named(&relatives, true),
        recommender: named(&relatives, false),
        last_login_at: store::find_last_login(db, id).await?,
        two_factor: two_factor::has_factor(db, id).await?,
        identities: identities
            .map(|row| LinkedIdentity { provider: row.provider, linked_at: row.linked_at })
            .collect(),
        account: file.account,
        nickname: file.nickname,
        kind: file.kind,
        currency: file.currency,
        registered_at: file.registered_at,
        state: file.state,
        state_reason: file.state_reason,
        state_by: file.state_by,
        state_at: file.state_at,
        to_complete_since: file.to_complete_since,
        mobile: file.mobile,
        mobile_verified_at: file.mobile_verified_at,
        email: file.email,
        email_verified_at: file.email_verified_at,
        payee_name: file.payee_name,
        birthday: file.birthday,
        has_id_number: file.has_id_number,
        address: file.address,
        nationality: file.nationality,
        occupation: file.occupation,
        source_of_income: file.source_of_income,
        icon: file.icon,
        affiliate_code: file.affiliate_code,
        domain: file.domain,
        register_url: file.register_url,
        register_method: file.register_method,
        has_password: file.password_changed_at.is_some(),
        password_changed_at: file.password_changed_at,
        must_change_password: file.is_asked_for_password,
        has_payment_password: file.has_payment_password,
        payment_locked_until: file.payment_locked_until.filter(|until| *until > app.clock.now()),
    })
}

/// Returns a member's file.
#[utoipa::path(get, path = "/office/api/members/{id}", tag = "members", operation_id = "office_get_member",
    params(("id" = Uuid, Path)), security(("office" = ["members.read"])),
    responses((status = 200, body = Envelope<MemberFile>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_member(
    _: Allowed<MembersRead>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
) -> Answer<MemberFile> {
    let mut db = app.db.acquire().await?;
    answer(load_file(&app, &mut db, id).await?)
}

async fn require_member(app: &Identity, id: Uuid) -> Result<(), ApiError> {
    let profile = members::find_profile(&mut *app.db.acquire().await?, id).await?;
    profile.map(drop).ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))
}

/// A live session of a member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MemberSession {
    /// Identifies the session; it can only be used to end it.
    id: String,
    started_at: DateTime<Utc>,
    seen_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    address: Option<String>,
    user_agent: Option<String>,
}

/// Lists the live sessions of a member, last seen first; at most 100.
#[utoipa::path(get, path = "/office/api/members/{id}/sessions", tag = "members", operation_id = "office_list_member_sessions",
    params(("id" = Uuid, Path)), security(("office" = ["members.read"])),
    responses((status = 200, body = Envelope<Vec<MemberSession>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_sessions(
    _: Allowed<MembersRead>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
) -> Answer<Vec<MemberSession>> {
    require_member(&app, id).await?;
    let rows = sessions_store::list_live(&app.db, id, app.clock.now(), LIST_MAX).await?;
    let sessions = rows.into_iter().map(|row| MemberSession {
        id: DeviceId::of(&row.token_hash).to_string(),
        started_at: row.started_at,
        seen_at: row.seen_at,
        ends_at: row.ends_at,
        address: row.address,
        user_agent: row.agent,
    });
    answer(sessions.collect())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct MemberLoginsQuery {
    /// Page size, at most 100.
    limit: Option<i64>,
    /// The id of the last entry of the previous page.
    before: Option<Uuid>,
}

/// A login of a member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MemberLogin {
    id: Uuid,
    at: DateTime<Utc>,
    /// `register`, `username`, `freeplay`, `sms`, `recovery`, `social` or `phone`.
    method: String,
    /// The second factor that was used, `app` or `recovery`; null if none was needed.
    factor: Option<String>,
    address: Option<String>,
    user_agent: Option<String>,
}

/// A page of logins of a member.
#[derive(Serialize, ToSchema)]
struct MemberLogins {
    content: Vec<MemberLogin>,
    /// `before` for the next page, if there is one.
    #[schema(required)]
    next: Option<Uuid>,
}

/// Lists the logins of a member, newest first.
#[utoipa::path(get, path = "/office/api/members/{id}/logins", tag = "members", operation_id = "office_list_member_logins",
    params(("id" = Uuid, Path), MemberLoginsQuery), security(("office" = ["members.read"])),
    responses((status = 200, body = Envelope<MemberLogins>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_logins(
    _: Allowed<MembersRead>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
    Query(query): Query<MemberLoginsQuery>,
) -> Answer<MemberLogins> {
    require_member(&app, id).await?;
    let limit = query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX);
    let before = query.before.unwrap_or(Uuid::max());
    let mut rows = sessions_store::list_entries(&app.db, id, before, limit + 1).await?;
    let has_more = i64::try_from(rows.len()).is_ok_and(|count| count > limit);
    if has_more {
        rows.pop();
    }
    let next = rows.last().filter(|_| has_more).map(|row| row.id);
    let content = rows.into_iter().map(|row| MemberLogin {
        id: row.id,
        at: row.at,
        method: row.method,
        factor: row.factor,
        address: row.address,
        user_agent: row.agent,
    });
    answer(MemberLogins { content: content.collect(), next })
}

pub(super) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(get_member))
        .routes(routes!(list_sessions))
        .routes(routes!(list_logins))
}
