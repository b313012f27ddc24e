//! What staff do to members, on the wire.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::ops::{self, Order, Step};
use crate::Identity;
use members::rights::{MembersClose, MembersWrite};
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path};
use staff::{Allowed, OnDuty, Proved};

/// Why something is done to a member.
#[derive(Deserialize, ToSchema)]
struct MemberReason {
    /// It stands in the trail, and with the account where it changes its state.
    reason: String,
}

fn order(person: &OnDuty, member_id: Uuid, reason: String) -> Order {
    Order { actor: person.actor(), member_id, reason }
}

/// Freezes an account: all sessions end, nobody comes in, its member moves no money.
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
    ops::take_step(&app, order(&person, id, body.reason), Step::Freeze).await?;
    answer(true)
}

/// Opens a frozen account again.
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
    ops::take_step(&app, order(&person, id, body.reason), Step::Unfreeze).await?;
    answer(true)
}

/// Closes an account for good; refused while there is money in it.
#[utoipa::path(post, path = "/office/api/members/{id}/close", tag = "members", operation_id = "office_close_member",
    request_body = MemberReason, params(("id" = Uuid, Path)), security(("office" = ["members.close"], "office_proof" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn close(
    Proved(person, ..): Proved<MembersClose>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
    Json(body): Json<MemberReason>,
) -> Answer<bool> {
    ops::take_step(&app, order(&person, id, body.reason), Step::Close).await?;
    answer(true)
}

/// Asks for another password: all sessions end, and whoever next logs in with the
/// password has to choose one.
#[utoipa::path(post, path = "/office/api/members/{id}/password", tag = "members", operation_id = "office_ask_member_password",
    request_body = MemberReason, params(("id" = Uuid, Path)), security(("office" = ["members.write"])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn ask_for_password(
    Allowed(person, ..): Allowed<MembersWrite>,
    State(app): State<Identity>,
    Path(id): Path<Uuid>,
    Json(body): Json<MemberReason>,
) -> Answer<bool> {
    ops::ask_for_password(&app, order(&person, id, body.reason)).await?;
    answer(true)
}

/// Which sessions are to end, and why.
#[derive(Deserialize, ToSchema)]
struct EndSessions {
    /// One of the list; all without it.
    session: Option<String>,
    /// It stands in the trail.
    reason: String,
}

/// Ends one of a member's sessions, or all.
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
    ops::end_sessions(&app, order(&person, id, body.reason), session).await?;
    answer(true)
}

pub(super) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(freeze))
        .routes(routes!(unfreeze))
        .routes(routes!(close))
        .routes(routes!(ask_for_password))
        .routes(routes!(end_sessions))
}
