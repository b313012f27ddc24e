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
use crate::sessions::arrival::{Arrival, Visit};
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::sessions::ops::Entered;
use platform::error::{ApiError, Envelope, Refusal};
use platform::line::Turn;
use platform::seal::{SealGate, SealedBody, Unopened};

/// Login by username, or by a code that was sent to the phone.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Login {
    /// By username and password.
    Username {
        /// In any case.
        username: String,
        /// The password.
        password: String,
        /// The answer to the captcha, once a refusal has asked for it.
        captcha: Option<String>,
        /// The solved challenge of `GET /wps/captcha/challenge`.
        human: Option<String>,
        /// Whether it is the agents' page.
        #[serde(default)]
        agent_page: bool,
    },
    /// By the code of `POST /wps/verification/sms/noLogin`.
    Sms {
        /// As people write it.
        mobile_num: String,
        /// `63`, with or without `+`.
        #[serde(default)]
        country_dialing_code: String,
        /// The code.
        verification_code: Option<String>,
        /// Whether it is the agents' page.
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
    arrival: Arrival,
    viewer: captcha::Viewer,
    sealed: Unopened,
) -> Result<LoggedIn, ApiError> {
    // Before it is opened, which costs: a crowd waits outside, and who is told to come back can bring
    // the same again. After it has arrived: who sends slowly keeps nobody waiting.
    let turn = app.passwords.turn().await?;
    let (visit, changeover) = arrival.enrol();
    let entering = enter(&app, &visitor, (sealed, turn), (visit, viewer));
    let entered = app.precedence.give_way(entering).await?;
    Ok(LoggedIn::new(&app, entered, changeover).await)
}

/// Opens a login and lets its sender in.
async fn enter(
    app: &Identity,
    visitor: &Visitor,
    (sealed, turn): (Unopened, Turn),
    (visit, viewer): (Visit, captcha::Viewer),
) -> Result<Entered, ApiError> {
    match sealed.open(&SealGate::of(app)).await? {
        Login::Username { username, password, captcha, human, agent_page } => {
            require_filled(&username, &password)?;
            let given = ByUsername { username, password, human, captcha, page: page(agent_page) };
            ops::by_username(app, visitor, (given, turn), (visit, viewer)).await
        }
        Login::Sms { mobile_num, country_dialing_code, verification_code, agent_page } => {
            // Nothing is hashed.
            drop(turn);
            let page = page(agent_page);
            let given = BySms { mobile_num, country_dialing_code, verification_code, page };
            ops::by_sms(app, visitor, given, visit).await
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
