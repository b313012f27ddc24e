//! The calls that manage and use the second factor.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::ops;
use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::human;
use crate::sessions::arrival::LoginContext;
use crate::sessions::current::CurrentMember;
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::sessions::ops::LoginOutcome;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::seal::{Sealed, SealedBody};

/// Re-authentication of the member: the password, and a code if the member has a second factor.
#[derive(Deserialize, ToSchema)]
pub struct StepUp {
    password: String,
    /// A code of the authenticator app or a recovery code.
    code: Option<String>,
}

/// The first code of an offered second factor.
#[derive(Deserialize, ToSchema)]
pub struct ConfirmFactor {
    code: String,
}

/// The second step of a login.
#[derive(Deserialize, ToSchema)]
pub struct ProveFactor {
    /// The ticket from the response to the login.
    ticket: String,
    /// A code of the authenticator app or a recovery code.
    code: String,
}

/// A secret for an authenticator app.
#[derive(Serialize, ToSchema)]
struct FactorOffer {
    /// The secret to type into the app.
    secret: String,
    /// The URL for the QR code that the app scans.
    url: String,
}

/// Recovery codes for a lost app; shown only once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecoveryCodes {
    recovery_codes: Vec<String>,
}

/// A second factor that was just turned on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FactorOn {
    recovery_codes: Vec<String>,
    /// The new session token; the old one stays valid for ten more seconds.
    token: String,
}

/// Offers a second factor: creates a secret for an authenticator app. The sealed plaintext is
/// `StepUp` without a code.
#[utoipa::path(post, path = "/wps/member/two-factor", tag = "sessions", security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<FactorOffer>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn offer(
    State(app): State<Identity>,
    member: CurrentMember,
    Sealed(body): Sealed<StepUp>,
) -> Answer<FactorOffer> {
    member.require_real()?;
    let offer = ops::offer(&app, &member.merchant, member.reauth_request(), body.password).await?;
    answer(FactorOffer { secret: offer.secret, url: offer.url })
}

/// Turns the offered second factor on. The sealed plaintext is `ConfirmFactor`.
#[utoipa::path(put, path = "/wps/member/two-factor", tag = "sessions", security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<FactorOn>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn confirm(
    State(app): State<Identity>,
    member: CurrentMember,
    Sealed(body): Sealed<ConfirmFactor>,
) -> Answer<FactorOn> {
    member.require_real()?;
    let session = (member.merchant, member.token);
    let (recovery_codes, token) = ops::confirm(&app, session, body.code).await?;
    answer(FactorOn { recovery_codes, token: token.text() })
}

/// Turns the second factor off. The sealed plaintext is `StepUp`.
#[utoipa::path(delete, path = "/wps/member/two-factor", tag = "sessions", security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn remove(
    State(app): State<Identity>,
    member: CurrentMember,
    Sealed(body): Sealed<StepUp>,
) -> Answer<Option<String>> {
    member.require_real()?;
    let request = member.reauth_request();
    let credentials = (body.password, body.code.unwrap_or_default());
    ops::remove(&app, member.merchant, request, credentials).await?;
    answer(None)
}

/// Replaces the recovery codes. The sealed plaintext is `StepUp`.
#[utoipa::path(post, path = "/wps/member/two-factor/recovery", tag = "sessions",
    security(("token" = [])),
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<RecoveryCodes>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn renew_recovery_codes(
    State(app): State<Identity>,
    member: CurrentMember,
    Sealed(body): Sealed<StepUp>,
) -> Answer<RecoveryCodes> {
    member.require_real()?;
    let request = member.reauth_request();
    let credentials = (body.password, body.code.unwrap_or_default());
    let recovery_codes =
        ops::renew_recovery_codes(&app, member.merchant, request, credentials).await?;
    answer(RecoveryCodes { recovery_codes })
}

/// The second step of a login. The sealed plaintext is `ProveFactor`.
#[utoipa::path(post, path = "/wps/session/login/two-factor", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn prove(
    visitor: Visitor,
    State(app): State<Identity>,
    context: LoginContext,
    Sealed(body): Sealed<ProveFactor>,
) -> Result<LoggedIn, ApiError> {
    let (visit, browser_update) = context.into_visit();
    let merchant = Arc::clone(&visitor.merchant);
    let started = match ops::redeem(&app, merchant, visit, &body.ticket, body.code).await {
        Err(error) if error.code == codes::FACTOR_INVALID => {
            human::note_failure(&app, &visitor).await?;
            return Err(error);
        }
        started => started?,
    };
    Ok(LoggedIn::new(&app, LoginOutcome::Started(started), browser_update).await)
}

/// The routes of the second factor.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(offer, confirm, remove))
        .routes(routes!(renew_recovery_codes))
        .routes(routes!(prove))
}
