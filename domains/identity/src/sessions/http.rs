//! The logout call.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::current::CurrentMember;
use super::{devices, ops};
use crate::Identity;
use platform::error::{Answer, Envelope, Refusal, answer};
use platform::request_context;

/// Ends the session of this request.
#[utoipa::path(delete, path = "/wps/session/logout", tag = "sessions", security(("token" = [])),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn logout(State(app): State<Identity>, member: CurrentMember) -> Answer<Option<String>> {
    ops::logout(&app, member.token).await?;
    request_context::log("logged out");
    answer(None)
}

pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(logout)).merge(devices::routes())
}
