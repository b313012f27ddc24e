//! Becoming a member: by username or by mobile number.

use std::sync::Arc;

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::arrival::{Arrival, Visit};
use super::http::{LoggedIn, LoginView};
use super::model::Method;
use super::ops::{self, Entered, Started};
use crate::app::App;
use crate::codes::ErrorCode;
use crate::members::{self, NewAccount, Newcomer, Registration, Way};
use crate::platform::db;
use crate::platform::error::{ApiError, Envelope, Refusal};
use crate::platform::seal::{Sealed, SealedBody};
use crate::site::{Merchant, OpenMerchant, Switch};

/// Registers a member by username and logs it in. The sealed plaintext is `Registration`.
#[utoipa::path(put, path = "/wps/member/register", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn register_by_username(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<App>,
    arrival: Arrival,
    Sealed(form): Sealed<Registration>,
) -> Result<LoggedIn, ApiError> {
    let (visit, cookie) = arrival.enrol();
    let started = register(&app, merchant, Way::Username, form, visit).await?;
    Ok(LoggedIn { entered: Entered::Started(started), cookie })
}

/// Registers a member by mobile number, which becomes its username, and logs it in. The sealed
/// plaintext is `Registration`.
#[utoipa::path(put, path = "/wps/member/register/mobile", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn register_by_mobile(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<App>,
    arrival: Arrival,
    Sealed(form): Sealed<Registration>,
) -> Result<LoggedIn, ApiError> {
    let (visit, cookie) = arrival.enrol();
    let started = register(&app, merchant, Way::Mobile, form, visit).await?;
    Ok(LoggedIn { entered: Entered::Started(started), cookie })
}

/// Makes a member of whoever filled in a form rightly, and logs it in.
pub async fn register(
    app: &App,
    merchant: Arc<Merchant>,
    way: Way,
    form: Registration,
    visit: Visit,
) -> Result<Started, ApiError> {
    ops::require(&merchant, Switch::Registration)?;
    ops::require(
        &merchant,
        match way {
            Way::Username => Switch::UsernameRegistration,
            Way::Mobile => Switch::MobileRegistration,
        },
    )?;
    let mut newcomer = form.check(way, &merchant, app.clock.now())?;
    let links = members::find_links(app, merchant.id, &newcomer).await?;
    members::require_free(app, merchant.id, &newcomer).await?;
    // A code is spent when it is looked at, so that comes after all that may still be wrong.
    let is_mobile_verified = pass_gates(app, &merchant, &newcomer).await?;
    let hashes = members::hash_secrets(app, &mut newcomer).await?;
    let account = NewAccount { newcomer, hashes, links, is_mobile_verified };
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let member = members::create(&app, &mut tx, &merchant, account).await?;
        ops::tell_listeners(&app, &mut tx, &member).await?;
        let started = ops::start(&app, &mut tx, &member.profile, (Method::Register, visit)).await?;
        db::commit(tx).await?;
        Ok(started)
    })
    .await
}

/// Asks the gates that the merchant has put up: the captcha's picture, and the code that was sent
/// to the mobile number. True when the number is verified by it. Where no gate is up, nothing is
/// asked; where one is up that this server cannot ask, nobody passes.
async fn pass_gates(
    _app: &App,
    merchant: &Merchant,
    newcomer: &Newcomer,
) -> Result<bool, ApiError> {
    let asks_code = merchant.allows(Switch::RegistrationCode);
    if asks_code || newcomer.captcha.is_some() {
        return Err(ApiError::new(ErrorCode::SiteSwitchedOff));
    }
    Ok(false)
}

/// The routes of registration.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(register_by_username)).routes(routes!(register_by_mobile))
}
