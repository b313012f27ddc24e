//! The call that opens a demo account.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ops;
use crate::Identity;
use crate::gates::Visitor;
use crate::sessions::arrival::LoginContext;
use crate::sessions::logged_in::{LoggedIn, LoginView};
use crate::sessions::ops::LoginOutcome;
use platform::error::{ApiError, Envelope, Refusal};
use platform::seal::{Sealed, SealedBody};

/// Login to a free demo account.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FreePlay {
    /// The visitor's operating system, for statistics.
    #[expect(dead_code, reason = "part of the call's shape; nothing is decided by it")]
    os: String,
    /// `W` for the web.
    platform: String,
    /// A random text chosen by the client.
    random: String,
    gateway_version: u8,
}

impl FreePlay {
    fn check(&self) -> Result<(), ApiError> {
        let wrong = [
            ("platform", self.platform != "W"),
            ("random", !(8..=128).contains(&self.random.len())),
            ("gatewayVersion", self.gateway_version != 3),
        ];
        let mut fields = wrong.iter().filter(|(_, wrong)| *wrong).peekable();
        match fields.peek() {
            None => Ok(()),
            Some(_) => Err(ApiError::fields(fields.map(|(name, _)| (*name, "invalid")))),
        }
    }
}

/// Opens a demo account and logs in to it. The sealed plaintext is `FreePlay`.
#[utoipa::path(post, path = "/wps/session/login/freeplay", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn login_free_play(
    visitor: Visitor,
    State(app): State<Identity>,
    context: LoginContext,
    Sealed(body): Sealed<FreePlay>,
) -> Result<LoggedIn, ApiError> {
    body.check()?;
    let (visit, browser_update) = context.into_visit();
    let started = ops::start_trial(&app, visitor, visit).await?;
    Ok(LoggedIn::new(&app, LoginOutcome::Started(started), browser_update).await)
}

pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(login_free_play))
}
