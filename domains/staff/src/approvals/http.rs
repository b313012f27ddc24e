//! Asking and deciding on the wire.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::super::model::OnDuty;
use super::super::people_http::Why;
use super::store::{self, ShownRow, Wanted};
use super::{About, Asked, Decision, ask, decidable_kinds, decide, visible_kinds, withdraw};
use crate::Staff;
use crate::codes;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path, Query};

const LIST_USUAL: i64 = 50;
const LIST_MAX: i64 = 200;
const STATES: [&str; 5] = ["open", "done", "refused", "expired", "withdrawn"];

/// What is looked for.
#[derive(Deserialize, IntoParams)]
struct ApprovalsQuery {
    /// `open`, `done`, `refused`, `expired` or `withdrawn`; all without it.
    state: Option<String>,
    /// `wallet.correct` for example; all that one sees without it.
    kind: Option<String>,
    /// `me` for what one asked for oneself, `others` for the rest; all without it.
    by: Option<String>,
    /// Only requests that are older than this one.
    before: Option<Uuid>,
    /// How many, 200 at most.
    limit: Option<i64>,
}

/// A request, and what became of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Approval {
    id: Uuid,
    kind: String,
    subject: String,
    /// What is to be done, as JSON.
    what: String,
    /// The same for people.
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
    /// Whether whoever asks this call made the request.
    is_own: bool,
    /// Whether they may decide on it now.
    may_decide: bool,
}

/// Tells requests to somebody.
async fn tell(
    app: &Staff,
    person: &OnDuty,
    rows: Vec<ShownRow>,
) -> Result<Vec<Approval>, ApiError> {
    let decidable = decidable_kinds(app, person);
    let abouts = super::describe(app, &rows).await?;
    let told = rows.into_iter().zip(abouts).map(|(row, about)| {
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
    Ok(told.collect())
}

/// Requests that one may ask for or decide on, the latest first.
#[utoipa::path(get, path = "/office/api/approvals", tag = "staff", operation_id = "approvals_list", params(ApprovalsQuery),
    security(("office" = [])),
    responses((status = 200, body = Envelope<Vec<Approval>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list(
    person: OnDuty,
    State(app): State<Staff>,
    Query(query): Query<ApprovalsQuery>,
) -> Answer<Vec<Approval>> {
    let given = |text: &'_ Option<String>| text.clone().filter(|text| !text.is_empty());
    let state = given(&query.state);
    if state.as_deref().is_some_and(|state| !STATES.contains(&state)) {
        return Err(ApiError::fields([("state", "unknown")]));
    }
    let me = person.person.id;
    let (asked_by, not_by) = match given(&query.by).as_deref() {
        None => (None, None),
        Some("me") => (Some(me), None),
        Some("others") => (None, Some(me)),
        Some(_) => return Err(ApiError::fields([("by", "unknown")])),
    };
    let mut kinds = visible_kinds(&app, &person);
    if let Some(kind) = given(&query.kind) {
        kinds.retain(|visible| *visible == kind);
    }
    let wanted = Wanted {
        kinds: &kinds,
        state: state.as_deref(),
        asked_by,
        not_by,
        before: query.before,
        id: None,
    };
    let page = (app.clock.now(), query.limit.unwrap_or(LIST_USUAL).clamp(1, LIST_MAX));
    let rows = store::list(&app.db, &wanted, page).await?;
    answer(tell(&app, &person, rows).await?)
}

/// How many requests wait.
#[derive(Serialize, ToSchema)]
struct ApprovalCount {
    /// Those that one may decide on.
    others: i64,
    /// Those that one made oneself.
    own: i64,
}

/// How many requests are open, for the mark in the menu.
#[utoipa::path(get, path = "/office/api/approvals/count", tag = "staff", operation_id = "approvals_count",
    security(("office" = [])),
    responses((status = 200, body = Envelope<ApprovalCount>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn count(person: OnDuty, State(app): State<Staff>) -> Answer<ApprovalCount> {
    let kinds = decidable_kinds(&app, &person);
    let now = app.clock.now();
    let (others, own) = store::count_open(&app.db, &kinds, person.person.id, now).await?;
    answer(ApprovalCount { others, own })
}

/// One request.
#[utoipa::path(get, path = "/office/api/approvals/{id}", tag = "staff", operation_id = "approvals_get",
    params(("id" = Uuid, Path)), security(("office" = [])),
    responses((status = 200, body = Envelope<Approval>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_one(
    person: OnDuty,
    State(app): State<Staff>,
    Path(id): Path<Uuid>,
) -> Answer<Approval> {
    let kinds = visible_kinds(&app, &person);
    let wanted = Wanted { kinds: &kinds, id: Some(id), ..Wanted::default() };
    let rows = store::list(&app.db, &wanted, (app.clock.now(), 1)).await?;
    let found = tell(&app, &person, rows).await?.pop();
    answer(found.ok_or_else(|| ApiError::new(codes::UNKNOWN))?)
}

/// Something that one asks for.
#[derive(Deserialize, ToSchema)]
struct AskApproval {
    /// `wallet.correct` for example.
    kind: String,
    /// How it is to be done; its shape belongs to the kind.
    #[schema(value_type = Object)]
    what: Value,
    /// Why; whoever decides reads it.
    reason: String,
}

/// Asks for something that somebody else has to agree to.
#[utoipa::path(post, path = "/office/api/approvals", tag = "staff", operation_id = "approvals_ask_for", request_body = AskApproval,
    security(("office" = [])),
    responses((status = 200, body = Envelope<Uuid>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn ask_for(
    person: OnDuty,
    State(app): State<Staff>,
    Json(body): Json<AskApproval>,
) -> Answer<Uuid> {
    let AskApproval { kind, what, reason } = body;
    answer(ask(&app, &person, Asked { kind, what, reason }).await?)
}

/// What one says to a request.
#[derive(Deserialize, ToSchema)]
struct Decide {
    /// Whether it shall be done.
    agrees: bool,
    /// Why.
    reason: String,
}

/// Decides on what somebody else asked for; with an agreement it is done at once. Whoever agrees shows first that it is
/// them, as for what is grave, and whoever refuses need not.
#[utoipa::path(post, path = "/office/api/approvals/{id}", tag = "staff", operation_id = "approvals_decide_on", request_body = Decide,
    params(("id" = Uuid, Path)), security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn decide_on(
    person: OnDuty,
    State(app): State<Staff>,
    Path(id): Path<Uuid>,
    Json(body): Json<Decide>,
) -> Answer<bool> {
    let Decide { agrees, reason } = body;
    decide(&app, &person, id, Decision { agrees, reason }).await?;
    answer(true)
}

/// Takes one's own request back, as long as nobody has decided.
#[utoipa::path(post, path = "/office/api/approvals/{id}/withdraw", tag = "staff", operation_id = "approvals_withdraw", request_body = Why,
    params(("id" = Uuid, Path)), security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn take_back(
    person: OnDuty,
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
