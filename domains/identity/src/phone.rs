//! The phone service: somebody else verifies a phone number, and says so in an id token.
//!
//! The visitor goes to the service's page in a window of its own, which OpenID Connect's implicit
//! flow leads back to [`return_from_phone`]; the window hands the token to the page that opened it.
//!
//! A token is believed for ten minutes after it was made, and opens one door once: whoever acts
//! on it spends it in the same transaction.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::PgTransaction;
use utoipa::ToSchema;

use crate::Identity;
use crate::codes;
use crate::gates;
use crate::id_token::{Expected, KeySet, TokenError};
use crate::login::enter;
use crate::login::{Page, check_page};
use crate::sessions::arrival::{Arrival, Visit};
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::sessions::model::Method;
use crate::sessions::ops::Entered;
use crate::sessions::store;
use crate::settings::PhoneSettings;
use crate::window::Window;
use platform::db;
use platform::error::{ApiError, Envelope, Refusal};
use platform::language::Language;
use platform::outside::{Outside, OutsideError};
use platform::phone::Mobile;
use platform::seal::{Sealed, SealedBody};
use site::{Merchant, OpenMerchant, Switch};

/// How long after it was made a token still proves that somebody holds the phone.
const FRESH: Duration = Duration::minutes(10);

/// The service that the environment names.
pub struct PhoneService {
    settings: PhoneSettings,
    keys: KeySet,
}

impl PhoneService {
    /// As the installation is configured.
    pub fn new(settings: PhoneSettings, outside: Outside) -> Self {
        Self { keys: KeySet::new(settings.keys_url.clone(), outside), settings }
    }

    /// Asks the service for its keys anew: how many there are.
    pub async fn try_out(&self) -> Result<usize, OutsideError> {
        self.keys.ask().await
    }
}

/// What a page sends a visitor to the service with.
#[derive(Serialize)]
pub struct PhonePage<'a> {
    /// Where the service's page is.
    page: &'a str,
    /// Who we are to it.
    client: &'a str,
}

/// The service's page, where there is a service and the merchant's switch is on.
pub fn page_of<'a>(app: &'a Identity, merchant: &Merchant) -> Option<PhonePage<'a>> {
    let service = app.phone.as_ref().filter(|_| merchant.allows(Switch::PhoneService))?;
    let PhoneSettings { page_url, audience, .. } = &service.settings;
    Some(PhonePage { page: page_url.as_str(), client: audience })
}

/// A number that its holder has proved to hold, a moment ago.
#[derive(Debug)]
pub struct VerifiedNumber {
    /// The number.
    pub mobile: Mobile,
    token_hash: [u8; 32],
    ends_at: DateTime<Utc>,
}

/// The number that an id token vouches for. Whoever acts on it calls [`spend`] in the same
/// transaction.
pub async fn verify(
    app: &Identity,
    merchant: &Merchant,
    id_token: &str,
) -> Result<VerifiedNumber, ApiError> {
    gates::require(merchant, Switch::PhoneService)?;
    let service = app.phone.as_ref();
    let service = service.ok_or_else(|| ApiError::new(site::codes::SWITCHED_OFF))?;
    let PhoneSettings { issuer, audience, .. } = &service.settings;
    let expected = Expected { issuer, audience, nonce: None };
    let now = app.clock.now();
    let claims = service.keys.verify(id_token, &expected, now).await.map_err(refused)?;
    let unverified = |reason| ApiError::new(codes::PHONE_UNVERIFIED).caused_by(reason);
    if claims.iat < (now - FRESH).timestamp() {
        return Err(unverified("a phone token that was made too long ago"));
    }
    // Not every service tells it; one that does may also know numbers that nobody has proved.
    if claims.more.get("phone_number_verified") == Some(&Value::Bool(false)) {
        return Err(unverified("a phone token of a number that is not verified"));
    }
    let number = claims.more.get("phone_number").and_then(Value::as_str);
    let mobile = number.and_then(|number| Mobile::from_e164(number).ok());
    Ok(VerifiedNumber {
        mobile: mobile.ok_or_else(|| unverified("a phone token without a mobile number"))?,
        token_hash: Sha256::digest(signed_part(id_token)).into(),
        ends_at: claims.ends_at(),
    })
}

/// Spends the token behind a number, so that it proves nothing again.
pub async fn spend(tx: &mut PgTransaction<'_>, verified: &VerifiedNumber) -> Result<(), ApiError> {
    if store::insert_phone_token(tx, &verified.token_hash, verified.ends_at).await? {
        Ok(())
    } else {
        Err(ApiError::new(codes::PHONE_UNVERIFIED).caused_by("a phone token used twice"))
    }
}

fn refused(error: TokenError) -> ApiError {
    match error {
        TokenError::Outside(error) => ApiError::unavailable(error),
        TokenError::Refused(_) => ApiError::new(codes::PHONE_UNVERIFIED).caused_by(error),
    }
}

/// What was signed. The signature is left out: an ES256 signature can be rewritten into another
/// valid one by anybody, and the token would count as a new one.
fn signed_part(token: &str) -> &str {
    token.rsplit_once('.').map_or(token, |(signed, _)| signed)
}

/// Takes what the service has put behind the `#`, which browsers send to nobody, out of the
/// address and hands it to the opener, or where that tie was cut, to every page of this site in
/// this browser: the one that knows the state takes it.
const SCRIPT: &str = r#"
const told = new URLSearchParams(window.location.hash.slice(1));
window.history.replaceState(null, "", window.location.pathname);
const outcome = { state: told.get("state"), idToken: told.get("id_token") };
if (window.opener) {
  window.opener.postMessage(outcome, window.location.origin);
} else {
  const channel = new BroadcastChannel("capiz-phone");
  channel.postMessage(outcome);
  channel.close();
}
setTimeout(() => window.close(), 100);
"#;

/// Takes a window back from the phone service: a page that tells its opener `{state, idToken}`.
#[utoipa::path(get, path = "/wps/session/phone/return", tag = "sessions",
    responses((status = 200, description = "A page that tells its opener `{state, idToken}`", content_type = "text/html", body = String),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
pub(super) async fn return_from_phone(_: OpenMerchant, language: Language) -> Response {
    let sentence = match language {
        Language::English => "That is all. You can close this window.",
        Language::Tagalog => "Tapos na. Maaari mong isara ang window na ito.",
    };
    let outcome = Value::Null;
    Window { status: StatusCode::OK, sentence, script: SCRIPT, outcome }.show(language)
}

/// Login through the phone service.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginByPhone {
    /// What the service gave the page.
    id_token: String,
    /// Whether the page is the agents' own.
    #[serde(default)]
    agent_page: bool,
}

/// Logs the member of a verified phone number in. The sealed plaintext is `LoginByPhone`.
#[utoipa::path(post, path = "/wps/session/login/phone", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
pub(super) async fn login_by_phone(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Identity>,
    arrival: Arrival,
    Sealed(body): Sealed<LoginByPhone>,
) -> Result<LoggedIn, ApiError> {
    // The service takes the place of codes, so it lets nobody in where codes do not.
    gates::require(&merchant, Switch::MobileLogin)?;
    let verified = verify(&app, &merchant, &body.id_token).await?;
    let (visit, changeover) = arrival.enrol();
    let page = if body.agent_page { Page::Agents } else { Page::Players };
    let entered = login(&app, merchant, verified, page, visit).await?;
    Ok(LoggedIn::new(&app, entered, changeover).await)
}

async fn login(
    app: &Identity,
    merchant: Arc<Merchant>,
    verified: VerifiedNumber,
    page: Page,
    visit: Visit,
) -> Result<Entered, ApiError> {
    app.run(move |app| async move {
        let unknown = || ApiError::new(codes::NUMBER_UNKNOWN);
        let found = members::find_by_mobile(&app.db, merchant.id, &verified.mobile).await?;
        let mut tx = app.db.begin().await?;
        let profile = members::find_profile(&mut tx, found.ok_or_else(unknown)?).await?;
        let profile = profile.ok_or_else(unknown)?;
        check_page(&profile, page)?;
        // A refusal above leaves the token whole: the same proof may then register a member.
        spend(&mut tx, &verified).await?;
        let way = (Method::Phone, visit);
        let entered = enter::enter_in(&app, &mut tx, &profile, way, false).await?;
        db::commit(tx).await?;
        Ok(entered)
    })
    .await
}
