//! Becoming a member: by username or by mobile number.

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
use crate::sessions::arrival::{Arrival, Visit};
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::sessions::model::Method;
use crate::sessions::ops::{self, Entered, Started};
use members::{Links, NewAccount, Newcomer, Registration, Way};
use platform::db;
use platform::error::{ApiError, Envelope, Refusal};
use platform::language::Language;
use platform::seal::{Sealed, SealedBody};
use site::{Merchant, Switch};

/// Somebody who registers over the wire: before the gates, with the browser that a captcha was
/// shown to.
#[derive(FromRequestParts)]
#[from_request(state(Identity))]
struct Guest {
    visitor: Visitor,
    captcha: captcha::Viewer,
}

/// Registers a member by username and logs it in. The sealed plaintext is `Registration`.
#[utoipa::path(put, path = "/wps/member/register", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn register_by_username(
    guest: Guest,
    State(app): State<Identity>,
    arrival: Arrival,
    Sealed(form): Sealed<Registration>,
) -> Result<LoggedIn, ApiError> {
    let (visit, changeover) = arrival.enrol();
    let started = register_guest(&app, guest, Way::Username, form, visit).await?;
    Ok(LoggedIn::new(&app, Entered::Started(started), changeover).await)
}

/// Registers a member by mobile number, which becomes its username, and logs it in. The sealed
/// plaintext is `Registration`.
#[utoipa::path(put, path = "/wps/member/register/mobile", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn register_by_mobile(
    guest: Guest,
    State(app): State<Identity>,
    arrival: Arrival,
    Sealed(form): Sealed<Registration>,
) -> Result<LoggedIn, ApiError> {
    let (visit, changeover) = arrival.enrol();
    let started = register_guest(&app, guest, Way::Mobile, form, visit).await?;
    Ok(LoggedIn::new(&app, Entered::Started(started), changeover).await)
}

/// Makes a member of whoever filled in a form rightly, and logs it in. Nobody stands at the gates:
/// this is for demo data, which comes from ourselves.
pub async fn register(
    app: &Identity,
    merchant: Arc<Merchant>,
    way: Way,
    form: Registration,
    visit: Visit,
) -> Result<Started, ApiError> {
    let newcomer = read(app, &merchant, way, form)?;
    let links = look_up(app, &merchant, &newcomer).await?;
    create(app, merchant, (newcomer, links, None, None), visit).await
}

/// The same for a visitor, who passes the gates.
async fn register_guest(
    app: &Identity,
    guest: Guest,
    way: Way,
    form: Registration,
    visit: Visit,
) -> Result<Started, ApiError> {
    let Guest { visitor, captcha } = guest;
    let merchant = Arc::clone(&visitor.merchant);
    // The form first: a slip of the finger must not cost the proof. What is looked up tells who is
    // a member, so that comes after it.
    let newcomer = read(app, &merchant, way, form)?;
    human::check(app, &visitor, newcomer.human.as_deref()).await?;
    if newcomer.captcha.is_some() {
        captcha::check(app, &visitor, &captcha, newcomer.captcha.as_deref()).await?;
    }
    let links = match look_up(app, &merchant, &newcomer).await {
        Err(refused) if is_taken(&refused) => {
            // Asked often, this tells who is a member.
            human::note_failure(app, &visitor).await?;
            return Err(refused);
        }
        found => found?,
    };
    let evidence = match &newcomer.number {
        Some(number) => Evidence::check(app, (&visitor, visit.device_hash), number).await?,
        None => None,
    };
    create(app, merchant, (newcomer, links, evidence, Some(visitor.language)), visit).await
}

/// Checks a form, where the merchant lets people register in this way.
fn read(
    app: &Identity,
    merchant: &Merchant,
    way: Way,
    form: Registration,
) -> Result<Newcomer, ApiError> {
    gates::require(merchant, Switch::Registration)?;
    gates::require(
        merchant,
        match way {
            Way::Username => Switch::UsernameRegistration,
            Way::Mobile => Switch::MobileRegistration,
        },
    )?;
    form.check(way, merchant, app.clock.now())
}

/// Whom a newcomer names, where what it wants is free.
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

/// Writes a new member and begins its session. The evidence is spent in the same transaction:
/// whoever loses the race for a name keeps it.
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
        app.members.tell_registered(&mut tx, &member).await?;
        let way = (Method::Register, visit);
        let started = ops::start(&app, &mut tx, &member.profile, way, false).await?;
        db::commit(tx).await?;
        Ok(started)
    })
    .await
}

/// The routes of registration.
pub(super) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(register_by_username)).routes(routes!(register_by_mobile))
}
