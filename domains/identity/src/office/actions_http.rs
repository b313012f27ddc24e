//! The office calls that change an account: freeze, unfreeze, close, require a new password, end
//! sessions.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::ops::{self, StaffAction, StateAction};
use crate::Identity;
use members::rights::{MembersClose, MembersWrite};
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path};
use staff::{Allowed, RecentlyAuthenticated, StaffSession};

/// The reason for an action on a member.
#[derive(Deserialize, ToSchema)]
struct MemberReason {
    /// Recorded in the audit log, and with the account if its state changes.
    reason: String,
}

fn staff_action(person: &StaffSession, member_id: Uuid, reason: String) -> StaffAction {
    StaffAction { actor: person.actor(), member_id, reason }
}

/// Freezes an account: all sessions end, nobody can log in, and the member cannot move money.
#[utoipa::path(post, path = "/office/api/members/{id}/freeze", tag = "members", operation_id = "office_freeze_member",
    request_body = MemberReason, params(("id" = Uuid, Path)), security(("office" = ["members.write"])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn freeze(
    Allowed(person, ..): Allowed<MembersWrite>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
    Json(body): Json<MemberReason>,
) -> Answer<bool> {
    ops::change_state(&app, staff_action(&person, id, body.reason), StateAction::Freeze).await?;
    answer(true)
}

/// Unfreezes an account.
#[utoipa::path(post, path = "/office/api/members/{id}/unfreeze", tag = "members", operation_id = "office_unfreeze_member",
    request_body = MemberReason, params(("id" = Uuid, Path)), security(("office" = ["members.write"])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn unfreeze(
    Allowed(person, ..): Allowed<MembersWrite>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
    Json(body): Json<MemberReason>,
) -> Answer<bool> {
    ops::change_state(&app, staff_action(&person, id, body.reason), StateAction::Unfreeze).await?;
    answer(true)
}

/// Closes an account for good; refused while it holds money.
#[utoipa::path(post, path = "/office/api/members/{id}/close", tag = "members", operation_id = "office_close_member",
    request_body = MemberReason, params(("id" = Uuid, Path)), security(("office" = ["members.close"], "office_proof" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn close(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<MembersClose>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
    Json(body): Json<MemberReason>,
) -> Answer<bool> {
    ops::change_state(&app, staff_action(&person, id, body.reason), StateAction::Close).await?;
    answer(true)
}

/// Requires a new password: all sessions end, and after the next login with the password the member
/// has to choose a new one.
#[utoipa::path(post, path = "/office/api/members/{id}/password", tag = "members", operation_id = "office_ask_member_password",
    request_body = MemberReason, params(("id" = Uuid, Path)), security(("office" = ["members.write"])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn require_new_password(
    Allowed(person, ..): Allowed<MembersWrite>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
    Json(body): Json<MemberReason>,
) -> Answer<bool> {
    ops::require_new_password(&app, staff_action(&person, id, body.reason)).await?;
    answer(true)
}

/// Which sessions to end, and why.
#[derive(Deserialize, ToSchema)]
struct EndSessions {
    /// The id of one session; without it, all sessions end.
    session: Option<String>,
    /// Recorded in the audit log.
    reason: String,
}

/// Ends one session or all sessions of a member.
#[utoipa::path(post, path = "/office/api/members/{id}/sessions/end", tag = "members", operation_id = "office_end_member_sessions",
    request_body = EndSessions, params(("id" = Uuid, Path)), security(("office" = ["members.write"])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn end_sessions(
    Allowed(person, ..): Allowed<MembersWrite>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
    Json(body): Json<EndSessions>,
) -> Answer<bool> {
    let unknown = |_| ApiError::new(platform::codes::SESSION_UNKNOWN);
    let session = body.session.map(|name| name.parse().map_err(unknown)).transpose()?;
    ops::end_sessions(&app, staff_action(&person, id, body.reason), session).await?;
    answer(true)
}

pub(super) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(freeze))
        .routes(routes!(unfreeze))
        .routes(routes!(close))
        .routes(routes!(require_new_password))
        .routes(routes!(end_sessions))
}
