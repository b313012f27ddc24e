//! Staff: the office. Today its login, which no account can pass yet.

use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::codes::ErrorCode;
use crate::platform::error::{Answer, ApiError, Envelope, Refusal};
use crate::platform::extract::Json;

/// Login to the office.
#[derive(Deserialize, ToSchema)]
struct StaffLogin {
    username: String,
    password: String,
    /// Six digits from the authenticator.
    code: String,
}

/// Logs a member of the staff in. Until staff accounts exist, nobody passes.
#[utoipa::path(post, path = "/office/api/session/login", tag = "staff", request_body = StaffLogin,
    responses((status = 200, body = Envelope<String>), (status = "4XX", body = Refusal)))]
async fn login(Json(body): Json<StaffLogin>) -> Answer<String> {
    let given = [("username", &body.username), ("password", &body.password), ("code", &body.code)];
    let missing: Vec<_> = given.iter().filter(|(_, text)| text.trim().is_empty()).collect();
    if !missing.is_empty() {
        return Err(ApiError::fields(missing.iter().map(|(name, _)| (*name, "required"))));
    }
    Err(ApiError::new(ErrorCode::StaffNoAccounts))
}

/// The office's routes, on its own listener.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(login))
}
