//! The calls for a forgotten password.

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
use crate::sessions::arrival::LoginContext;
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::verify::read_mobile;
use members::NewPassword;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Form;
use platform::seal::{Sealed, SealedBody};
use site::{OpenMerchant, Switch};

/// A request for a recovery link.
#[derive(Deserialize, ToSchema)]
struct Forgotten {
    #[serde(default)]
    username: String,
    /// The e-mail address of the account; upper and lower case do not matter.
    #[serde(default)]
    email: String,
    /// The solved challenge, `{challenge, solution}` in base64.
    human: Option<String>,
}

impl Forgotten {
    fn check(&self) -> Result<(&str, &str), ApiError> {
        let filled = (self.username.trim(), self.email.trim());
        let empty = [("username", filled.0), ("email", filled.1)];
        let mut empty = empty.into_iter().filter(|(_, text)| text.is_empty()).peekable();
        match empty.peek() {
            None => Ok(filled),
            Some(_) => {
                Err(ApiError::fields(empty.map(|(name, _)| (name, FieldCode::Required.as_str()))))
            }
        }
    }
}

/// Mails a link for choosing a new password. Unknown accounts are refused, unless the switch
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
    let account = body.check()?;
    human::check(&app, &visitor, body.human.as_deref()).await?;
    ops::mail_link(&app, &visitor, account).await?;
    answer(None)
}

/// A recovery link to check.
#[derive(Deserialize, ToSchema)]
pub struct LinkLook {
    /// The value of `recover` in the link.
    #[serde(default)]
    token: String,
}

/// Checks whether a recovery link is still valid, without using it, so that the page can say so
/// before the member chooses a password. The sealed plaintext is `LinkLook`.
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

/// A new password, by a recovery link.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LinkReset {
    /// The value of `recover` in the link.
    #[serde(default)]
    token: String,
    #[serde(default)]
    new_password: String,
    /// If present, it must be equal to `newPassword`.
    confirm_new_password: Option<String>,
}

/// Sets a new password by a recovery link and ends all sessions of the member. The sealed plaintext
/// is `LinkReset`.
#[utoipa::path(post, path = "/wps/member/password/link", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn reset_by_link(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Identity>,
    context: LoginContext,
    Sealed(body): Sealed<LinkReset>,
) -> Result<Response, ApiError> {
    let password = NewPassword { text: body.new_password, again: body.confirm_new_password };
    let (visit, browser_update) = context.into_visit();
    ops::reset_by_link(&app, merchant, &body.token, password, visit).await?;
    let cookie = browser_update.cookie.map(|cookie| (header::SET_COOKIE, cookie));
    Ok((AppendHeaders(cookie), answer(None::<String>)).into_response())
}

/// A new password, by a code that was sent to the phone.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeReset {
    /// `63`, with or without `+`.
    #[serde(default)]
    country_dialing_code: String,
    /// The phone number as people write it.
    #[serde(default)]
    mobile_num: String,
    /// The code from `POST /wps/verification/sms/recovery`.
    verification_code: Option<String>,
    #[serde(default)]
    new_password: String,
    /// If present, it must be equal to `newPassword`.
    confirm_new_password: Option<String>,
}

/// Sets a new password by a code that was sent to the phone, ends all other sessions of the member,
/// and logs the member in. The sealed plaintext is `CodeReset`.
#[utoipa::path(post, path = "/wps/member/password/verification", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn reset_by_code(
    visitor: Visitor,
    State(app): State<Identity>,
    context: LoginContext,
    Sealed(body): Sealed<CodeReset>,
) -> Result<LoggedIn, ApiError> {
    require(&visitor.merchant, Switch::MobileRecovery)?;
    let mobile = read_mobile(&body.country_dialing_code, &body.mobile_num)?;
    let password = NewPassword { text: body.new_password, again: body.confirm_new_password };
    let (visit, browser_update) = context.into_visit();
    let code = (mobile, body.verification_code.as_deref());
    let outcome = ops::reset_by_code(&app, &visitor, code, password, visit).await?;
    Ok(LoggedIn::new(&app, outcome, browser_update).await)
}

/// The routes of recovery.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(mail_link))
        .routes(routes!(look_at_link))
        .routes(routes!(reset_by_link))
        .routes(routes!(reset_by_code))
}
