//! The calls of those who forgot their password.

use axum::extract::State;
use axum::http::header;
use axum::response::{AppendHeaders, IntoResponse, Response};
use capiz_rules::names::FieldCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ops;
use crate::Identity;
use crate::gates::Visitor;
use crate::gates::require;
use crate::human;
use crate::sessions::arrival::Arrival;
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::verify::read_mobile;
use members::NewPassword;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Form;
use platform::seal::{Sealed, SealedBody};
use site::{OpenMerchant, Switch};

/// Who forgot the password.
#[derive(Deserialize, ToSchema)]
struct Forgotten {
    #[serde(default)]
    username: String,
    /// As it was given to the site, in any case.
    #[serde(default)]
    email: String,
    /// The solved challenge, `{challenge, solution}` in base64.
    human: Option<String>,
}

impl Forgotten {
    fn check(&self) -> Result<(&str, &str), ApiError> {
        let given = (self.username.trim(), self.email.trim());
        let empty = [("username", given.0), ("email", given.1)];
        let mut empty = empty.into_iter().filter(|(_, text)| text.is_empty()).peekable();
        match empty.peek() {
            None => Ok(given),
            Some(_) => {
                Err(ApiError::fields(empty.map(|(name, _)| (name, FieldCode::Required.as_str()))))
            }
        }
    }
}

/// Mails a link for choosing a new password. Who is no member is told so, unless the switch
/// `UNIFORMRECOVERY3` makes all answers the same.
#[utoipa::path(post, path = "/wps/member/password/email", tag = "sessions",
    request_body(content = Forgotten, content_type = "application/x-www-form-urlencoded"),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn mail_link(
    visitor: Visitor,
    State(app): State<Identity>,
    Form(body): Form<Forgotten>,
) -> Answer<Option<String>> {
    let given = body.check()?;
    human::check(&app, &visitor, body.human.as_deref()).await?;
    ops::mail_link(&app, &visitor, given).await?;
    answer(None)
}

/// The link that somebody has followed.
#[derive(Deserialize, ToSchema)]
pub struct LinkLook {
    /// The link's `recover`.
    #[serde(default)]
    token: String,
}

/// Says whether a link that was mailed is still good, without using it: whoever comes too late need
/// not think of a password first. The sealed plaintext is `LinkLook`.
#[utoipa::path(post, path = "/wps/member/password/link/look", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn look_at_link(
    visitor: Visitor,
    State(app): State<Identity>,
    Sealed(body): Sealed<LinkLook>,
) -> Answer<Option<String>> {
    ops::look_at_link(&app, &visitor, &body.token).await?;
    answer(None)
}

/// A new password for whoever got a link.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkReset {
    /// The link's `recover`.
    #[serde(default)]
    token: String,
    #[serde(default)]
    new_password: String,
    /// Compared where it is there.
    confirm_new_password: Option<String>,
}

/// Sets a new password by a link that was mailed, and ends all sessions of the member. The sealed
/// plaintext is `LinkReset`.
#[utoipa::path(post, path = "/wps/member/password/link", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn reset_by_link(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Identity>,
    arrival: Arrival,
    Sealed(body): Sealed<LinkReset>,
) -> Result<Response, ApiError> {
    let password = NewPassword { text: body.new_password, again: body.confirm_new_password };
    let (visit, changeover) = arrival.enrol();
    ops::reset_by_link(&app, merchant, &body.token, password, visit).await?;
    let cookie = changeover.cookie.map(|cookie| (header::SET_COOKIE, cookie));
    Ok((AppendHeaders(cookie), answer(None::<String>)).into_response())
}

/// A new password for whoever got a code.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeReset {
    /// `63`, with or without `+`.
    #[serde(default)]
    country_dialing_code: String,
    /// As people write it.
    #[serde(default)]
    mobile_num: String,
    /// From `POST /wps/verification/sms/recovery`.
    verification_code: Option<String>,
    #[serde(default)]
    new_password: String,
    /// Compared where it is there.
    confirm_new_password: Option<String>,
}

/// Sets a new password by a code that was sent to the phone, ends all other sessions of the
/// member, and logs it in. The sealed plaintext is `CodeReset`.
#[utoipa::path(post, path = "/wps/member/password/verification", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn reset_by_code(
    visitor: Visitor,
    State(app): State<Identity>,
    arrival: Arrival,
    Sealed(body): Sealed<CodeReset>,
) -> Result<LoggedIn, ApiError> {
    require(&visitor.merchant, Switch::MobileRecovery)?;
    let mobile = read_mobile(&body.country_dialing_code, &body.mobile_num)?;
    let password = NewPassword { text: body.new_password, again: body.confirm_new_password };
    let (visit, changeover) = arrival.enrol();
    let shown = (mobile, body.verification_code.as_deref());
    let entered = ops::reset_by_code(&app, &visitor, shown, password, visit).await?;
    Ok(LoggedIn::new(&app, entered, changeover).await)
}

/// The routes of recovery.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(mail_link))
        .routes(routes!(look_at_link))
        .routes(routes!(reset_by_link))
        .routes(routes!(reset_by_code))
}
