//! The response to a login.

use axum::http::{HeaderValue, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::arrival::BrowserUpdate;
use super::ops::{self, LoginOutcome};
use crate::Identity;
use platform::error::answer;
use platform::request_context;

/// The result of a login.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoginView {
    /// The session token; null while a second factor is needed.
    token: Option<String>,
    first_time_login: bool,
    /// Whether the password must be changed before anything else.
    password_expired: bool,
    /// Present if a second factor is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    two_factor: Option<TwoFactorTicket>,
}

/// What the second step of a login needs.
#[derive(Serialize, ToSchema)]
struct TwoFactorTicket {
    /// Valid for five minutes and five attempts, on this device.
    ticket: String,
}

/// A login response, which may set the device cookie.
pub(crate) struct LoggedIn {
    outcome: LoginOutcome,
    cookie: Option<HeaderValue>,
}

impl LoggedIn {
    /// Builds the response and ends the previous session of the page.
    pub(crate) async fn new(
        app: &Identity,
        outcome: LoginOutcome,
        browser_update: BrowserUpdate,
    ) -> Self {
        let BrowserUpdate { cookie, previous_session } = browser_update;
        if let (LoginOutcome::Started(_), Some((token, device_hash))) = (&outcome, previous_session)
            && let Err(error) = ops::end_previous_session(app, token, device_hash).await
        {
            // The login succeeds all the same: the previous session ends when it times out.
            tracing::warn!(?error, "cannot end the previous session; it ends when it times out");
        }
        Self { outcome, cookie }
    }
}

impl IntoResponse for LoggedIn {
    fn into_response(self) -> Response {
        let view = match self.outcome {
            LoginOutcome::Started(started) => {
                request_context::set_account(started.member_id);
                request_context::log("logged in");
                LoginView {
                    token: Some(started.token),
                    first_time_login: started.first_time,
                    password_expired: started.password_expired,
                    two_factor: None,
                }
            }
            LoginOutcome::Ticket(ticket) => LoginView {
                token: None,
                first_time_login: false,
                password_expired: false,
                two_factor: Some(TwoFactorTicket { ticket }),
            },
        };
        let cookie = self.cookie.map(|cookie| (header::SET_COOKIE, cookie));
        (AppendHeaders(cookie), answer(view)).into_response()
    }
}
