//! Login and registration with the phone service: an external service verifies a phone number and
//! confirms it in an id token.
//!
//! The visitor opens the service's page in a separate window. OpenID Connect's implicit flow
//! redirects the window to [`return_from_phone`], which passes the token to the page that opened
//! it.
//!
//! A token is accepted for ten minutes after it was issued, and once: the transaction that uses the
//! verified number also spends the token.

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
use crate::sessions::arrival::{LoginContext, Visit};
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::sessions::model::Method;
use crate::sessions::ops::LoginOutcome;
use crate::sessions::store;
use crate::settings::PhoneSettings;
use crate::window::Window;
use platform::db;
use platform::error::{ApiError, Envelope, Refusal};
use platform::http_client::{HttpClient, HttpError};
use platform::language::Language;
use platform::phone::Mobile;
use platform::seal::{Sealed, SealedBody};
use site::{Merchant, OpenMerchant, Switch};

/// How long after it was issued a token is accepted.
const TOKEN_AGE_MAX: Duration = Duration::minutes(10);

/// The configured phone service.
pub struct PhoneService {
    settings: PhoneSettings,
    keys: KeySet,
}

impl PhoneService {
    /// The service with its settings.
    pub fn new(settings: PhoneSettings, http_client: HttpClient) -> Self {
        Self { keys: KeySet::new(settings.keys_url.clone(), http_client), settings }
    }

    /// Tests the connection: refetches the service's key set and returns the number of keys.
    pub async fn try_out(&self) -> Result<usize, HttpError> {
        self.keys.refetch().await
    }
}

/// What a page needs to send a visitor to the service.
#[derive(Serialize)]
pub struct PhonePage<'a> {
    /// The URL of the service's page.
    page: &'a str,
    /// Our client id at the service.
    client: &'a str,
}

/// The service's page, if a service is configured and the merchant's switch is on.
pub fn page_of<'a>(app: &'a Identity, merchant: &Merchant) -> Option<PhonePage<'a>> {
    let service = app.phone.as_ref().filter(|_| merchant.allows(Switch::PhoneService))?;
    let PhoneSettings { page_url, audience, .. } = &service.settings;
    Some(PhonePage { page: page_url.as_str(), client: audience })
}

/// A phone number that its holder has just proved to own.
#[derive(Debug)]
pub struct VerifiedNumber {
    /// The number.
    pub mobile: Mobile,
    token_hash: [u8; 32],
    ends_at: DateTime<Utc>,
}

/// Verifies an id token and returns its phone number. The caller must call [`spend`] in the
/// transaction that uses the number.
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
    if claims.iat < (now - TOKEN_AGE_MAX).timestamp() {
        return Err(unverified("the phone token is too old"));
    }
    // The claim is optional. A service that sends it may also issue tokens for unverified numbers.
    if claims.more.get("phone_number_verified") == Some(&Value::Bool(false)) {
        return Err(unverified("the number in the phone token is not verified"));
    }
    let number = claims.more.get("phone_number").and_then(Value::as_str);
    let mobile = number.and_then(|number| Mobile::from_e164(number).ok());
    Ok(VerifiedNumber {
        mobile: mobile.ok_or_else(|| unverified("the phone token has no mobile number"))?,
        token_hash: Sha256::digest(signed_part(id_token)).into(),
        ends_at: claims.ends_at(),
    })
}

/// Spends the token of a verified number, so it cannot be used again.
pub async fn spend(tx: &mut PgTransaction<'_>, verified: &VerifiedNumber) -> Result<(), ApiError> {
    if store::insert_phone_token(tx, &verified.token_hash, verified.ends_at).await? {
        Ok(())
    } else {
        Err(ApiError::new(codes::PHONE_UNVERIFIED).caused_by("the phone token was used before"))
    }
}

fn refused(error: TokenError) -> ApiError {
    match error {
        TokenError::Http(error) => ApiError::unavailable(error),
        TokenError::Refused(_) => ApiError::new(codes::PHONE_UNVERIFIED).caused_by(error),
    }
}

/// The signed part of a token, which identifies it. The signature is left out: anybody can rewrite
/// an ES256 signature into another valid one, and the token would count as new.
fn signed_part(token: &str) -> &str {
    token.rsplit_once('.').map_or(token, |(signed, _)| signed)
}

/// Reads the token from the URL fragment, which browsers do not send to servers, removes it from
/// the address and posts it to the opener. If the browser has cut the opener relation, it
/// broadcasts to all pages of this site in this browser; the page that knows the `state` takes it.
const SCRIPT: &str = r#"
const params = new URLSearchParams(window.location.hash.slice(1));
window.history.replaceState(null, "", window.location.pathname);
const outcome = { state: params.get("state"), idToken: params.get("id_token") };
if (window.opener) {
  window.opener.postMessage(outcome, window.location.origin);
} else {
  const channel = new BroadcastChannel("capiz-phone");
  channel.postMessage(outcome);
  channel.close();
}
setTimeout(() => window.close(), 100);
"#;

/// Redirect target of the phone service: a page that posts `{state, idToken}` to its opener.
#[utoipa::path(get, path = "/wps/session/phone/return", tag = "sessions",
    responses((status = 200, description = "A page that posts `{state, idToken}` to its opener", content_type = "text/html", body = String),
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
    /// The id token that the service sent to the page.
    id_token: String,
    /// Whether it is a login on the agents' page.
    #[serde(default)]
    agent_page: bool,
}

/// Logs in the member with the verified phone number. The sealed plaintext is `LoginByPhone`.
#[utoipa::path(post, path = "/wps/session/login/phone", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
pub(super) async fn login_by_phone(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Identity>,
    context: LoginContext,
    Sealed(body): Sealed<LoginByPhone>,
) -> Result<LoggedIn, ApiError> {
    // The service replaces SMS codes, so it needs the switch for login by SMS code too.
    gates::require(&merchant, Switch::MobileLogin)?;
    let verified = verify(&app, &merchant, &body.id_token).await?;
    let (visit, browser_update) = context.into_visit();
    let page = if body.agent_page { Page::Agents } else { Page::Players };
    let outcome = login(&app, merchant, verified, page, visit).await?;
    Ok(LoggedIn::new(&app, outcome, browser_update).await)
}

async fn login(
    app: &Identity,
    merchant: Arc<Merchant>,
    verified: VerifiedNumber,
    page: Page,
    visit: Visit,
) -> Result<LoginOutcome, ApiError> {
    app.run(move |app| async move {
        let unknown = || ApiError::new(codes::NUMBER_UNKNOWN);
        let member_id = members::find_by_mobile(&app.db, merchant.id, &verified.mobile).await?;
        let mut tx = app.db.begin().await?;
        let profile = members::find_profile(&mut tx, member_id.ok_or_else(unknown)?).await?;
        let profile = profile.ok_or_else(unknown)?;
        check_page(&profile, page)?;
        // Refusals above do not spend the token, so it can still be used to register.
        spend(&mut tx, &verified).await?;
        let login = (Method::Phone, visit);
        let outcome = enter::complete_first_factor(&app, &mut tx, &profile, login, false).await?;
        db::commit(tx).await?;
        Ok(outcome)
    })
    .await
}
