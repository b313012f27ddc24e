//! The calls of the second factor.

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
use crate::sessions::arrival::Arrival;
use crate::sessions::current::CurrentMember;
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::sessions::ops::Entered;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::seal::{Sealed, SealedBody};

/// What proves that the member itself sits there: the password, and a code where there is a
/// factor already.
#[derive(Deserialize, ToSchema)]
pub struct StepUp {
    password: String,
    /// Of the app, or a recovery code.
    code: Option<String>,
}

/// The first code of a new factor.
#[derive(Deserialize, ToSchema)]
pub struct ConfirmFactor {
    code: String,
}

/// The second step of a login.
#[derive(Deserialize, ToSchema)]
pub struct ProveFactor {
    /// What the login answered.
    ticket: String,
    /// Of the app, or a recovery code.
    code: String,
}

/// A secret for an authenticator app.
#[derive(Serialize, ToSchema)]
struct FactorOffer {
    /// For those who type it.
    secret: String,
    /// For the picture that the app reads.
    url: String,
}

/// Codes for the day when the app is lost; shown this once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecoveryCodes {
    recovery_codes: Vec<String>,
}

/// A second factor that is turned on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FactorOn {
    recovery_codes: Vec<String>,
    /// The session's new token; the old one is good for ten seconds more.
    token: String,
}

/// Offers a second factor. The sealed plaintext is `StepUp` without a code.
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
    let offer = ops::offer(&app, &member.merchant, member.asked(), body.password).await?;
    answer(FactorOffer { secret: offer.secret, url: offer.url })
}

/// Confirms the offered factor. The sealed plaintext is `ConfirmFactor`.
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
    let whose = (member.merchant, member.token);
    let (recovery_codes, token) = ops::confirm(&app, whose, body.code).await?;
    answer(FactorOn { recovery_codes, token: token.text() })
}

/// Takes the second factor away. The sealed plaintext is `StepUp`.
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
    let (asked, shown) = (member.asked(), (body.password, body.code.unwrap_or_default()));
    ops::remove(&app, member.merchant, asked, shown).await?;
    answer(None)
}

/// Makes new recovery codes. The sealed plaintext is `StepUp`.
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
    let (asked, shown) = (member.asked(), (body.password, body.code.unwrap_or_default()));
    let recovery_codes = ops::renew_recovery_codes(&app, member.merchant, asked, shown).await?;
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
    arrival: Arrival,
    Sealed(body): Sealed<ProveFactor>,
) -> Result<LoggedIn, ApiError> {
    let (visit, changeover) = arrival.enrol();
    let merchant = Arc::clone(&visitor.merchant);
    let started = match ops::redeem(&app, merchant, visit, &body.ticket, body.code).await {
        Err(error) if error.code == codes::FACTOR_INVALID => {
            human::note_failure(&app, &visitor).await?;
            return Err(error);
        }
        started => started?,
    };
    Ok(LoggedIn::new(&app, Entered::Started(started), changeover).await)
}

/// The routes of the second factor.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(offer, confirm, remove))
        .routes(routes!(renew_recovery_codes))
        .routes(routes!(prove))
}
