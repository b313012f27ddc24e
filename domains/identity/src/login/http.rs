//! The call that logs a member in.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ops::{self, BySms, ByUsername, Page};
use crate::Identity;
use crate::captcha;
use crate::gates::Visitor;
use crate::sessions::arrival::{LoginContext, Visit};
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::sessions::ops::LoginOutcome;
use platform::admission::Permit;
use platform::error::{ApiError, Envelope, Refusal};
use platform::seal::{SealGate, SealedBody, Unopened};

/// Login by username and password, or by a code that was sent to the phone.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Login {
    /// By username and password.
    Username {
        /// The username; upper and lower case do not matter.
        username: String,
        /// The password.
        password: String,
        /// The answer to the captcha; needed after a refusal has asked for it.
        captcha: Option<String>,
        /// The solved challenge of `GET /wps/captcha/challenge`.
        human: Option<String>,
        /// Whether it is a login on the agents' page.
        #[serde(default)]
        agent_page: bool,
    },
    /// By a code from `POST /wps/verification/sms/noLogin`.
    Sms {
        /// The phone number as people write it.
        mobile_num: String,
        /// `63`, with or without `+`.
        #[serde(default)]
        country_dialing_code: String,
        /// The code.
        verification_code: Option<String>,
        /// Whether it is a login on the agents' page.
        #[serde(default)]
        agent_page: bool,
    },
}

fn page(is_agents: bool) -> Page {
    if is_agents { Page::Agents } else { Page::Players }
}

/// Logs a member in. The sealed plaintext is `Login`.
#[utoipa::path(post, path = "/wps/session/login", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn login(
    visitor: Visitor,
    State(app): State<Identity>,
    context: LoginContext,
    viewer: captcha::Viewer,
    sealed: Unopened,
) -> Result<LoggedIn, ApiError> {
    // Wait in the queue of logins before the body is decrypted, which is expensive: under load
    // requests wait here, and a client that is told to retry can send the same sealed body again.
    // The body has been read already, so a slow sender holds no slot.
    let slot = app.passwords.admit_login().await?;
    let (visit, browser_update) = context.into_visit();
    let outcome = enter(&app, &visitor, (sealed, slot), (visit, viewer)).await?;
    Ok(LoggedIn::new(&app, outcome, browser_update).await)
}

/// Decrypts a login and checks its credentials.
async fn enter(
    app: &Identity,
    visitor: &Visitor,
    (sealed, slot): (Unopened, Permit),
    (visit, viewer): (Visit, captcha::Viewer),
) -> Result<LoginOutcome, ApiError> {
    match sealed.open(&SealGate::of(app)).await? {
        Login::Username { username, password, captcha, human, agent_page } => {
            require_filled(&username, &password)?;
            let request = ByUsername { username, password, human, captcha, page: page(agent_page) };
            ops::by_username(app, visitor, (request, slot), (visit, viewer)).await
        }
        Login::Sms { mobile_num, country_dialing_code, verification_code, agent_page } => {
            // No password is hashed, so the slot is free.
            drop(slot);
            let page = page(agent_page);
            let request = BySms { mobile_num, country_dialing_code, verification_code, page };
            ops::by_sms(app, visitor, request, visit).await
        }
    }
}

fn require_filled(username: &str, password: &str) -> Result<(), ApiError> {
    let fields = [("username", username.trim()), ("password", password)];
    let mut empty = fields.iter().filter(|(_, text)| text.is_empty()).peekable();
    match empty.peek() {
        None => Ok(()),
        Some(_) => Err(ApiError::fields(empty.map(|(name, _)| (*name, "required")))),
    }
}

/// The routes of logging in.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(login))
}
