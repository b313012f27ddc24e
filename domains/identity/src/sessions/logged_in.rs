//! The answer to a log-in.

use axum::http::{HeaderValue, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::arrival::Changeover;
use super::ops::{self, Entered};
use crate::Identity;
use platform::asker;
use platform::error::answer;

/// What a login answers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoginView {
    /// Of the session; nothing while a second factor is asked for.
    token: Option<String>,
    first_time_login: bool,
    /// Whether the password has to be changed before anything else.
    password_expired: bool,
    /// Asks for a second factor.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    two_factor: Option<TwoFactorTicket>,
}

/// What the second step of a login needs.
#[derive(Serialize, ToSchema)]
struct TwoFactorTicket {
    /// Good for five minutes and five tries, on this device.
    ticket: String,
}

/// An answer that may also hand the browser its device cookie.
pub(crate) struct LoggedIn {
    entered: Entered,
    cookie: Option<HeaderValue>,
}

impl LoggedIn {
    /// Answers a log-in, and ends the session that the page had before.
    pub(crate) async fn new(app: &Identity, entered: Entered, changeover: Changeover) -> Self {
        let Changeover { cookie, former } = changeover;
        if let (Entered::Started(_), Some((token, device_hash))) = (&entered, former)
            && let Err(error) = ops::end_former(app, token, device_hash).await
        {
            // Whoever is in is not turned away for it: the old one ends by its time.
            tracing::warn!(?error, "the session before could not be ended");
        }
        Self { entered, cookie }
    }
}

impl IntoResponse for LoggedIn {
    fn into_response(self) -> Response {
        let view = match self.entered {
            Entered::Started(started) => {
                asker::note_account(started.member_id);
                asker::tell("logged in");
                LoginView {
                    token: Some(started.token),
                    first_time_login: started.first_time,
                    password_expired: started.password_expired,
                    two_factor: None,
                }
            }
            Entered::Ticket(ticket) => LoginView {
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
