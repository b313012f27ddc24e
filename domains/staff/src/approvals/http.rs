//! The API of approvals: requesting, listing, deciding and withdrawing.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::super::model::StaffSession;
use super::super::people_http::Why;
use super::store::{self, Filter, ShownRow};
use super::{
    About, ApprovalRequest, Decision, ask, decidable_kinds, decide, visible_kinds, withdraw,
};
use crate::Staff;
use crate::codes;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path, Query};

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;
const STATES: [&str; 5] = ["open", "done", "refused", "expired", "withdrawn"];

/// The filter of the list of requests.
#[derive(Deserialize, IntoParams)]
struct ApprovalsQuery {
    /// `open`, `done`, `refused`, `expired` or `withdrawn`; all if absent.
    state: Option<String>,
    /// A kind, for example `wallet.correct`; all visible kinds if absent.
    kind: Option<String>,
    /// `me` for one's own requests, `others` for those of others; all if absent.
    by: Option<String>,
    /// Only requests older than this one, for paging.
    before: Option<Uuid>,
    /// The number of requests, at most 200.
    limit: Option<i64>,
}

/// A request for approval and its state.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Approval {
    id: Uuid,
    kind: String,
    subject: String,
    /// The parameters of the action, as JSON.
    what: String,
    /// The description of the action for people.
    about: About,
    reason: String,
    asked_by: String,
    asked_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// `open`, `done`, `refused`, `expired` or `withdrawn`.
    state: String,
    decided_by: Option<String>,
    decided_at: Option<DateTime<Utc>>,
    decision_reason: Option<String>,
    /// Whether the caller made the request.
    is_own: bool,
    /// Whether the caller may decide on it now.
    may_decide: bool,
}

/// Converts rows for the caller, with descriptions.
async fn to_approvals(
    app: &Staff,
    person: &StaffSession,
    rows: Vec<ShownRow>,
) -> Result<Vec<Approval>, ApiError> {
    let decidable = decidable_kinds(app, person);
    let abouts = super::describe(app, &rows).await?;
    let approvals = rows.into_iter().zip(abouts).map(|(row, about)| {
        let is_own = row.asked_by_id == person.person.id;
        Approval {
            id: row.id,
            about,
            is_own,
            may_decide: !is_own && row.state == "open" && decidable.contains(&row.kind),
            kind: row.kind,
            subject: row.subject,
            what: row.what,
            reason: row.reason,
            asked_by: row.asked_by,
            asked_at: row.asked_at,
            expires_at: row.expires_at,
            state: row.state,
            decided_by: row.decided_by,
            decided_at: row.decided_at,
            decision_reason: row.decision_reason,
        }
    });
    Ok(approvals.collect())
}

/// Lists the requests that the caller may see, newest first.
#[utoipa::path(get, path = "/office/api/approvals", tag = "staff", operation_id = "approvals_list", params(ApprovalsQuery),
    security(("office" = [])),
    responses((status = 200, body = Envelope<Vec<Approval>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list(
    person: StaffSession,
    State(app): State<Staff>,
    Query(query): Query<ApprovalsQuery>,
) -> Answer<Vec<Approval>> {
    let non_empty = |text: &'_ Option<String>| text.clone().filter(|text| !text.is_empty());
    let state = non_empty(&query.state);
    if state.as_deref().is_some_and(|state| !STATES.contains(&state)) {
        return Err(ApiError::fields([("state", "unknown")]));
    }
    let me = person.person.id;
    let (asked_by, not_by) = match non_empty(&query.by).as_deref() {
        None => (None, None),
        Some("me") => (Some(me), None),
        Some("others") => (None, Some(me)),
        Some(_) => return Err(ApiError::fields([("by", "unknown")])),
    };
    let mut kinds = visible_kinds(&app, &person);
    if let Some(kind) = non_empty(&query.kind) {
        kinds.retain(|visible| *visible == kind);
    }
    let filter = Filter {
        kinds: &kinds,
        state: state.as_deref(),
        asked_by,
        not_by,
        before: query.before,
        id: None,
    };
    let page = (app.clock.now(), query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX));
    let rows = store::list(&app.db, &filter, page).await?;
    answer(to_approvals(&app, &person, rows).await?)
}

/// The numbers of open requests.
#[derive(Serialize, ToSchema)]
struct ApprovalCount {
    /// Requests of others that the caller may decide on.
    others: i64,
    /// The caller's own requests.
    own: i64,
}

/// Counts the open requests, for the badge in the menu.
#[utoipa::path(get, path = "/office/api/approvals/count", tag = "staff", operation_id = "approvals_count",
    security(("office" = [])),
    responses((status = 200, body = Envelope<ApprovalCount>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn count(person: StaffSession, State(app): State<Staff>) -> Answer<ApprovalCount> {
    let kinds = decidable_kinds(&app, &person);
    let now = app.clock.now();
    let (others, own) = store::count_open(&app.db, &kinds, person.person.id, now).await?;
    answer(ApprovalCount { others, own })
}

/// Returns one request.
#[utoipa::path(get, path = "/office/api/approvals/{id}", tag = "staff", operation_id = "approvals_get",
    params(("id" = Uuid, Path)), security(("office" = [])),
    responses((status = 200, body = Envelope<Approval>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_one(
    person: StaffSession,
    State(app): State<Staff>,
    Path(id): Path<Uuid>,
) -> Answer<Approval> {
    let kinds = visible_kinds(&app, &person);
    let filter = Filter { kinds: &kinds, id: Some(id), ..Filter::default() };
    let rows = store::list(&app.db, &filter, (app.clock.now(), 1)).await?;
    let found = to_approvals(&app, &person, rows).await?.pop();
    answer(found.ok_or_else(|| ApiError::new(codes::UNKNOWN))?)
}

/// A new request for approval.
#[derive(Deserialize, ToSchema)]
struct AskApproval {
    /// The kind, for example `wallet.correct`.
    kind: String,
    /// The parameters of the action; their shape depends on the kind.
    #[schema(value_type = Object)]
    what: Value,
    /// The reason, for the person who decides.
    reason: String,
}

/// Requests an action that another staff member has to approve.
#[utoipa::path(post, path = "/office/api/approvals", tag = "staff", operation_id = "approvals_ask_for", request_body = AskApproval,
    security(("office" = [])),
    responses((status = 200, body = Envelope<Uuid>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn ask_for(
    person: StaffSession,
    State(app): State<Staff>,
    Json(body): Json<AskApproval>,
) -> Answer<Uuid> {
    let AskApproval { kind, what, reason } = body;
    answer(ask(&app, &person, ApprovalRequest { kind, what, reason }).await?)
}

/// A decision on a request.
#[derive(Deserialize, ToSchema)]
struct Decide {
    /// True approves the request, false refuses it.
    agrees: bool,
    /// The reason, for the audit log.
    reason: String,
}

/// Approves or refuses a request of another person; an approved request is executed at once.
/// Approving is a sensitive action and needs recent authentication, refusing does not.
#[utoipa::path(post, path = "/office/api/approvals/{id}", tag = "staff", operation_id = "approvals_decide_on", request_body = Decide,
    params(("id" = Uuid, Path)), security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn decide_on(
    person: StaffSession,
    State(app): State<Staff>,
    Path(id): Path<Uuid>,
    Json(body): Json<Decide>,
) -> Answer<bool> {
    let Decide { agrees, reason } = body;
    decide(&app, &person, id, Decision { agrees, reason }).await?;
    answer(true)
}

/// Withdraws one's own request, as long as nobody has decided on it.
#[utoipa::path(post, path = "/office/api/approvals/{id}/withdraw", tag = "staff", operation_id = "approvals_withdraw", request_body = Why,
    params(("id" = Uuid, Path)), security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn take_back(
    person: StaffSession,
    State(app): State<Staff>,
    Path(id): Path<Uuid>,
    Json(body): Json<Why>,
) -> Answer<bool> {
    withdraw(&app, &person, id, body.reason).await?;
    answer(true)
}

pub(crate) fn routes() -> OpenApiRouter<Staff> {
    OpenApiRouter::new()
        .routes(routes!(list, ask_for))
        .routes(routes!(count))
        .routes(routes!(get_one, decide_on))
        .routes(routes!(take_back))
}
