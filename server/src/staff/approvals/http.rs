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
use super::store::{self, ShownRow};
use super::{Asked, Decision, ask, decide, visible_kinds};
use crate::app::App;
use crate::platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use crate::platform::extract::{Json, Path, Query};

const LIST_USUAL: i64 = 50;
const LIST_MAX: i64 = 200;
const STATES: [&str; 4] = ["open", "done", "refused", "expired"];

/// What is looked for.
#[derive(Deserialize, IntoParams)]
struct ApprovalsQuery {
    /// `open`, `done`, `refused` or `expired`; all without it.
    state: Option<String>,
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
    reason: String,
    asked_by: String,
    asked_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// `open`, `done`, `refused` or `expired`.
    state: String,
    decided_by: Option<String>,
    decided_at: Option<DateTime<Utc>>,
    decision_reason: Option<String>,
}

impl From<ShownRow> for Approval {
    fn from(row: ShownRow) -> Self {
        Self {
            id: row.id,
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
    }
}

/// Requests that one may ask for or decide on, the latest first.
#[utoipa::path(get, path = "/office/api/approvals", tag = "staff", operation_id = "approvals_list", params(ApprovalsQuery),
    security(("office" = [])),
    responses((status = 200, body = Envelope<Vec<Approval>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list(
    person: OnDuty,
    State(app): State<App>,
    Query(query): Query<ApprovalsQuery>,
) -> Answer<Vec<Approval>> {
    let state = query.state.as_deref().filter(|state| !state.is_empty());
    if state.is_some_and(|state| !STATES.contains(&state)) {
        return Err(ApiError::fields([("state", "unknown")]));
    }
    let kinds = visible_kinds(&app, &person);
    let page = (app.clock.now(), query.limit.unwrap_or(LIST_USUAL).clamp(1, LIST_MAX));
    let rows = store::list(&app.db, &kinds, state, query.before, page).await?;
    answer(rows.into_iter().map(Approval::from).collect())
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
    State(app): State<App>,
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

/// Decides on what somebody else asked for; with an agreement it is done at once.
#[utoipa::path(post, path = "/office/api/approvals/{id}", tag = "staff", operation_id = "approvals_decide_on", request_body = Decide,
    params(("id" = Uuid, Path)), security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn decide_on(
    person: OnDuty,
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Json(body): Json<Decide>,
) -> Answer<bool> {
    let Decide { agrees, reason } = body;
    decide(&app, &person, id, Decision { agrees, reason }).await?;
    answer(true)
}

pub(in crate::staff) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, ask_for)).routes(routes!(decide_on))
}
