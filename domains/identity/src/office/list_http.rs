//! The office calls that find and export members.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::Identity;
use members::MemberState;
use members::office::{self, Cursor, Kinds, ListedRow, MemberFilter, Page};
use members::rights::MembersRead;
use platform::csv::Csv;
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Json;
use site::Merchant;
use staff::{Allowed, AuditEntry};

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;
/// The most members in one CSV file.
const EXPORT_MAX: i64 = 10_000;

/// A search for members. It is sent as a body because phone numbers and e-mail addresses must not
/// be in URLs, which are logged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindMembers {
    /// A username, mobile number or e-mail address, or its beginning; an id; an invitation code.
    q: Option<String>,
    /// The code of a merchant; by default all.
    merchant: Option<String>,
    /// `active`, `frozen` or `closed`; by default all.
    state: Option<String>,
    /// `member`, `agent` or `trial`; by default members and agents.
    kind: Option<String>,
    /// `oldest` to list the oldest members first; only without `q`.
    order: Option<String>,
    /// `next` of the previous page.
    after: Option<String>,
    /// Page size, at most 200.
    limit: Option<i64>,
}

impl FindMembers {
    fn filter(self) -> Result<MemberFilter, ApiError> {
        let unknown = |field: &'static str| move || ApiError::fields([(field, "unknown")]);
        let non_empty = |text: Option<String>| text.filter(|text| !text.is_empty());
        let state = non_empty(self.state);
        let state =
            state.map(|name| MemberState::parse(&name).ok_or_else(unknown("state"))).transpose()?;
        let kind = non_empty(self.kind);
        let kind = kind.map(|name| Kinds::parse(&name).ok_or_else(unknown("kind"))).transpose()?;
        let after = non_empty(self.after);
        let after =
            after.map(|text| Cursor::parse(&text).ok_or_else(unknown("after"))).transpose()?;
        let is_oldest_first = match non_empty(self.order).as_deref() {
            None | Some("newest") => false,
            Some("oldest") => true,
            Some(_) => return Err(unknown("order")()),
        };
        Ok(MemberFilter {
            text: self.q.unwrap_or_default(),
            merchant: non_empty(self.merchant),
            state,
            kind,
            is_oldest_first,
            after,
        })
    }
}

/// A member in a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedMember {
    id: Uuid,
    /// The merchant's code.
    merchant: String,
    account: String,
    nickname: String,
    /// 0 member; 1, 2, 41, 42 agents; 4 trial.
    #[serde(rename = "type")]
    kind: i16,
    /// `active`, `frozen` or `closed`.
    state: String,
    registered_at: DateTime<Utc>,
    mobile: Option<String>,
    is_mobile_verified: bool,
    email: Option<String>,
    is_email_verified: bool,
    payee_name: Option<String>,
}

impl ListedMember {
    fn new(row: ListedRow, merchants: &[Arc<Merchant>]) -> Self {
        let merchant = merchants.iter().find(|merchant| merchant.id == row.merchant_id);
        Self {
            id: row.member_id,
            merchant: merchant.map(|merchant| merchant.code.clone()).unwrap_or_default(),
            account: row.account,
            nickname: row.nickname,
            kind: row.kind,
            state: row.state,
            registered_at: row.registered_at,
            mobile: row.mobile,
            is_mobile_verified: row.mobile_verified_at.is_some(),
            email: row.email,
            is_email_verified: row.email_verified_at.is_some(),
            payee_name: row.payee_name,
        }
    }
}

/// A merchant whose members can be searched.
#[derive(Serialize, ToSchema)]
struct MerchantName {
    code: String,
    name: String,
}

/// A page of members.
#[derive(Serialize, ToSchema)]
struct MembersPage {
    content: Vec<ListedMember>,
    /// `after` for the next page, if there is one.
    #[schema(required)]
    next: Option<String>,
    /// All merchants.
    merchants: Vec<MerchantName>,
}

impl From<Page> for MembersPage {
    fn from(page: Page) -> Self {
        let Page { rows, next, merchants } = page;
        let name = |merchant: &Arc<Merchant>| MerchantName {
            code: merchant.code.clone(),
            name: merchant.name.clone(),
        };
        Self {
            content: rows.into_iter().map(|row| ListedMember::new(row, &merchants)).collect(),
            next,
            merchants: merchants.iter().map(name).collect(),
        }
    }
}

/// Finds members: sorted by the matched field, or the newest first.
#[utoipa::path(post, path = "/office/api/members/find", tag = "members", operation_id = "office_find_members",
    request_body = FindMembers, security(("office" = ["members.read"])),
    responses((status = 200, body = Envelope<MembersPage>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find(
    _: Allowed<MembersRead>,
    State(app): State<Identity>,
    Json(search): Json<FindMembers>,
) -> Answer<MembersPage> {
    let limit = search.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX);
    answer(office::list(&app.members, &search.filter()?, limit).await?.into())
}

/// Exports the members that a search finds as CSV, at most 10,000. The export is recorded in the
/// audit log.
#[utoipa::path(post, path = "/office/api/members/export", tag = "members", operation_id = "office_export_members",
    request_body = FindMembers, security(("office" = ["members.read"])),
    responses((status = 200, content_type = "text/csv", body = String),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn export(
    Allowed(person, ..): Allowed<MembersRead>,
    State(app): State<Identity>,
    Json(search): Json<FindMembers>,
) -> Result<Response, ApiError> {
    let search_json = json!({
        "q": &search.q, "merchant": &search.merchant, "state": &search.state, "kind": &search.kind,
    });
    let page = office::list(&app.members, &search.filter()?, EXPORT_MAX).await?;
    let actor = person.actor();
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let entry = AuditEntry {
            after: Some(search_json),
            ..AuditEntry::plain("members.export", "members:rows".to_owned())
        };
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        db::commit(tx).await
    })
    .await?;
    Ok(csv(page.into()).answer("members"))
}

fn csv(page: MembersPage) -> Csv {
    let columns = [
        "id",
        "merchant",
        "username",
        "nickname",
        "type",
        "state",
        "registered",
        "mobile",
        "mobile verified",
        "email",
        "email verified",
        "real name",
    ];
    let mut file = Csv::new(&columns);
    let yes = |is: bool| if is { "yes" } else { "no" };
    for member in &page.content {
        file.line(&[
            &member.id.to_string(),
            &member.merchant,
            &member.account,
            &member.nickname,
            &member.kind.to_string(),
            &member.state,
            &member.registered_at.to_rfc3339(),
            member.mobile.as_deref().unwrap_or_default(),
            yes(member.is_mobile_verified),
            member.email.as_deref().unwrap_or_default(),
            yes(member.is_email_verified),
            member.payee_name.as_deref().unwrap_or_default(),
        ]);
    }
    if page.next.is_some() {
        file.line(&["There are more. Narrow the search to get them."]);
    }
    file
}

/// The routes of finding and exporting members.
pub(super) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(find)).routes(routes!(export))
}
