//! The calls that send verification codes.

use axum::extract::{FromRequestParts, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Destination;
use super::Purpose;
use super::Requester;
use super::Sent;
use super::read_mobile;
use super::send;
use crate::Identity;
use crate::gates::Visitor;
use crate::gates::require;
use crate::human;
use crate::sessions::current::CurrentMember;
use crate::sessions::device::Device;
use platform::error::{ApiError, Envelope, Refusal, answer};
use platform::extract::Json;
use platform::phone::Mobile;
use site::Switch;

/// A request for a code to a phone number.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CodeToNumber {
    /// `63`, with or without `+`.
    #[serde(default)]
    country_dialing_code: String,
    /// The phone number as people write it.
    #[serde(default, alias = "mobileNo")]
    mobile_num: String,
    /// The solved challenge, `{challenge, solution}` in base64.
    human: Option<String>,
}

/// A request for a registration code to a phone number.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CodeToNewNumber {
    /// `63`, with or without `+`.
    #[serde(default)]
    country_dialing_code: String,
    /// The phone number as people write it.
    #[serde(default, alias = "mobileNum")]
    mobile_no: String,
    /// The solved challenge, `{challenge, solution}` in base64.
    human: Option<String>,
}

/// A code that was sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentView {
    /// How many minutes the code is valid.
    expired_minutes: u16,
}

impl From<Sent> for SentView {
    fn from(sent: Sent) -> Self {
        Self { expired_minutes: sent.expired_minutes }
    }
}

/// Sends a login code, valid in the browser that requested it. The answer is the same whether a
/// member has the number or not.
#[utoipa::path(post, path = "/wps/verification/sms/noLogin", tag = "sessions",
    responses((status = 200, body = Envelope<SentView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn send_login_code(
    visitor: Visitor,
    State(app): State<Identity>,
    device: Device,
    Json(body): Json<CodeToNumber>,
) -> Result<Response, ApiError> {
    require(&visitor.merchant, Switch::MobileLogin)?;
    send_to_member(&app, &visitor, (Purpose::Login, device), body).await
}

/// Sends a recovery code for choosing a new password, valid in the browser that requested it. The
/// answer is the same whether a member has the number or not.
#[utoipa::path(post, path = "/wps/verification/sms/recovery", tag = "sessions",
    responses((status = 200, body = Envelope<SentView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn send_recovery_code(
    visitor: Visitor,
    State(app): State<Identity>,
    device: Device,
    Json(body): Json<CodeToNumber>,
) -> Result<Response, ApiError> {
    require(&visitor.merchant, Switch::MobileRecovery)?;
    send_to_member(&app, &visitor, (Purpose::Recovery, device), body).await
}

/// A visitor who may register: everybody while registration is on, otherwise members who have yet
/// to complete theirs.
struct Registering(Visitor);

impl FromRequestParts<Identity> for Registering {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        if !visitor.merchant.allows(Switch::Registration) {
            let closed = || ApiError::new(site::codes::SWITCHED_OFF);
            match CurrentMember::from_request_parts(parts, app).await {
                Ok(member) if member.to_complete => {}
                Ok(_) => return Err(closed()),
                Err(refusal) if refusal.code == platform::codes::SESSION_REQUIRED => {
                    return Err(closed());
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(Self(visitor))
    }
}

/// Sends a registration code, valid in the browser that requested it. Whether the number is taken
/// is revealed only to somebody who has the code.
#[utoipa::path(post, path = "/wps/verification/sms/register", tag = "sessions",
    responses((status = 200, body = Envelope<SentView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn send_register_code(
    Registering(visitor): Registering,
    State(app): State<Identity>,
    device: Device,
    Json(body): Json<CodeToNewNumber>,
) -> Result<Response, ApiError> {
    let merchant = &visitor.merchant;
    if !merchant.requires_registration_code(merchant.allows(Switch::MobileRegistration)) {
        return Err(ApiError::new(site::codes::SWITCHED_OFF));
    }
    let mobile = read_mobile(&body.country_dialing_code, &body.mobile_no)?;
    human::check(&app, &visitor, body.human.as_deref()).await?;
    send_to_browser(&app, &visitor, (Purpose::Register, device), (mobile, true)).await
}

async fn send_to_member(
    app: &Identity,
    visitor: &Visitor,
    request: (Purpose, Device),
    body: CodeToNumber,
) -> Result<Response, ApiError> {
    let mobile = read_mobile(&body.country_dialing_code, &body.mobile_num)?;
    // Read the number first, so that a typing error does not cost the proof of work.
    human::check(app, visitor, body.human.as_deref()).await?;
    let is_known = is_known(app, visitor, &mobile).await?;
    send_to_browser(app, visitor, request, (mobile, is_known)).await
}

/// Sends a code that is bound to the browser, and sets its device cookie if it has none.
async fn send_to_browser(
    app: &Identity,
    visitor: &Visitor,
    (purpose, device): (Purpose, Device),
    (mobile, is_deliverable): (Mobile, bool),
) -> Result<Response, ApiError> {
    let (device_hash, cookie) = device.enrol();
    let request = (purpose, Requester::Browser(device_hash));
    let sent = send(app, visitor, request, Destination::Mobile(mobile), is_deliverable).await?;
    let cookie = cookie.map(|cookie| (header::SET_COOKIE, cookie));
    Ok((AppendHeaders(cookie), answer(SentView::from(sent))).into_response())
}

async fn is_known(app: &Identity, visitor: &Visitor, mobile: &Mobile) -> Result<bool, ApiError> {
    let member = members::find_by_mobile(&app.db, visitor.merchant.id, mobile).await?;
    Ok(member.is_some())
}

/// The routes of verification codes.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(send_login_code))
        .routes(routes!(send_recovery_code))
        .routes(routes!(send_register_code))
}
