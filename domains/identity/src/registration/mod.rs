//! Registration of members, by username or by mobile number.

pub(crate) mod evidence;

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::Identity;
use crate::captcha;
use crate::gates;
use crate::gates::Visitor;
use crate::human;
use crate::registration::evidence::Evidence;
use crate::sessions::arrival::{LoginContext, Visit};
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::sessions::model::Method;
use crate::sessions::ops::{self, LoginOutcome, Started};
use members::{Links, NewAccount, Newcomer, Registration, RegistrationMethod};
use platform::db;
use platform::error::{ApiError, Envelope, Refusal};
use platform::language::Language;
use platform::seal::{Sealed, SealedBody};
use site::{Merchant, Switch};

/// A visitor who registers, with the browser that a captcha was shown to.
#[derive(FromRequestParts)]
#[from_request(state(Identity))]
struct Guest {
    visitor: Visitor,
    captcha: captcha::Viewer,
}

/// Registers a member by username and logs the member in. The sealed plaintext is `Registration`.
#[utoipa::path(put, path = "/wps/member/register", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn register_by_username(
    guest: Guest,
    State(app): State<Identity>,
    context: LoginContext,
    Sealed(form): Sealed<Registration>,
) -> Result<LoggedIn, ApiError> {
    let (visit, browser_update) = context.into_visit();
    let started = register_guest(&app, guest, RegistrationMethod::Username, form, visit).await?;
    Ok(LoggedIn::new(&app, LoginOutcome::Started(started), browser_update).await)
}

/// Registers a member by mobile number, which becomes the username, and logs the member in. The
/// sealed plaintext is `Registration`.
#[utoipa::path(put, path = "/wps/member/register/mobile", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn register_by_mobile(
    guest: Guest,
    State(app): State<Identity>,
    context: LoginContext,
    Sealed(form): Sealed<Registration>,
) -> Result<LoggedIn, ApiError> {
    let (visit, browser_update) = context.into_visit();
    let started = register_guest(&app, guest, RegistrationMethod::Mobile, form, visit).await?;
    Ok(LoggedIn::new(&app, LoginOutcome::Started(started), browser_update).await)
}

/// Registers a member from a form and starts a session, without human check, captcha or code. For
/// demo data.
pub async fn register(
    app: &Identity,
    merchant: Arc<Merchant>,
    method: RegistrationMethod,
    form: Registration,
    visit: Visit,
) -> Result<Started, ApiError> {
    let newcomer = read(app, &merchant, method, form)?;
    let links = look_up(app, &merchant, &newcomer).await?;
    create(app, merchant, (newcomer, links, None, None), visit).await
}

/// Registers a visitor, with human check, captcha and code.
async fn register_guest(
    app: &Identity,
    guest: Guest,
    method: RegistrationMethod,
    form: Registration,
    visit: Visit,
) -> Result<Started, ApiError> {
    let Guest { visitor, captcha } = guest;
    let merchant = Arc::clone(&visitor.merchant);
    // Validate the form first, so that a typing error does not cost the proof of work. The lookups
    // reveal who is a member, so they come after the proof.
    let newcomer = read(app, &merchant, method, form)?;
    human::check(app, &visitor, newcomer.human.as_deref()).await?;
    if newcomer.captcha.is_some() {
        captcha::check(app, &visitor, &captcha, newcomer.captcha.as_deref()).await?;
    }
    let links = match look_up(app, &merchant, &newcomer).await {
        Err(refused) if is_taken(&refused) => {
            // Counted as a failure, because repeated lookups would reveal who is a member.
            human::note_failure(app, &visitor).await?;
            return Err(refused);
        }
        links => links?,
    };
    let evidence = match &newcomer.number {
        Some(number) => Evidence::check(app, (&visitor, visit.device_hash), number).await?,
        None => None,
    };
    create(app, merchant, (newcomer, links, evidence, Some(visitor.language)), visit).await
}

/// Checks that the merchant allows this kind of registration, and validates the form.
fn read(
    app: &Identity,
    merchant: &Merchant,
    method: RegistrationMethod,
    form: Registration,
) -> Result<Newcomer, ApiError> {
    gates::require(merchant, Switch::Registration)?;
    gates::require(
        merchant,
        match method {
            RegistrationMethod::Username => Switch::UsernameRegistration,
            RegistrationMethod::Mobile => Switch::MobileRegistration,
        },
    )?;
    form.check(method, merchant, app.clock.now())
}

/// Finds the upline and recommender that a newcomer names, and checks that username, number and
/// address are free.
async fn look_up(
    app: &Identity,
    merchant: &Merchant,
    newcomer: &Newcomer,
) -> Result<Links, ApiError> {
    let links = members::find_links(&app.members, merchant, newcomer).await?;
    members::require_free(&app.members, merchant.id, newcomer).await?;
    Ok(links)
}

fn is_taken(refused: &ApiError) -> bool {
    use members::codes::{EMAIL_TAKEN, MOBILE_TAKEN};
    use platform::codes::NAME_TAKEN;
    matches!(refused.code, NAME_TAKEN | MOBILE_TAKEN | EMAIL_TAKEN)
}

/// Creates the member and starts a session. The evidence is spent in the same transaction, so a
/// request that loses the race for a username can use its evidence again.
async fn create(
    app: &Identity,
    merchant: Arc<Merchant>,
    (mut newcomer, links, evidence, language): (
        Newcomer,
        Links,
        Option<Evidence>,
        Option<Language>,
    ),
    visit: Visit,
) -> Result<Started, ApiError> {
    let hashes = members::hash_secrets(&app.members, &mut newcomer).await?;
    let account = NewAccount {
        newcomer,
        hashes,
        links,
        is_mobile_verified: evidence.is_some(),
        is_email_verified: false,
        to_complete: false,
        language,
    };
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let member = members::create(&app.members, &mut tx, &merchant, account).await?;
        if let Some(evidence) = evidence {
            evidence.spend(&mut tx).await?;
        }
        app.members.run_registered_hooks(&mut tx, &member).await?;
        let login = (Method::Register, visit);
        let started = ops::start(&app, &mut tx, &member.profile, login, false).await?;
        db::commit(tx).await?;
        Ok(started)
    })
    .await
}

/// The routes of registration.
pub(super) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(register_by_username)).routes(routes!(register_by_mobile))
}
