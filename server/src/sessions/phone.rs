//! The phone service: somebody else verifies a phone number, and says so in an id token.
//!
//! A token is believed for ten minutes after it was made, and opens one door once: whoever acts
//! on it spends it in the same transaction.

use std::sync::Arc;

use axum::extract::State;
use chrono::{DateTime, Duration, Utc};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::PgTransaction;
use utoipa::ToSchema;

use super::arrival::{Arrival, Visit};
use super::http::{LoggedIn, LoginView};
use super::id_token::{Expected, KeySet, TokenError};
use super::login::{Page, check_page};
use super::model::Method;
use super::ops::{self, Entered};
use super::store;
use crate::app::App;
use crate::codes::ErrorCode;
use crate::config::PhoneSettings;
use crate::members;
use crate::platform::db;
use crate::platform::error::{ApiError, Envelope, Refusal};
use crate::platform::outside::Outside;
use crate::platform::phone::Mobile;
use crate::platform::seal::{Sealed, SealedBody};
use crate::site::{Merchant, OpenMerchant, Switch};

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
    app: &App,
    merchant: &Merchant,
    id_token: &str,
) -> Result<VerifiedNumber, ApiError> {
    ops::require(merchant, Switch::PhoneService)?;
    let service = app.phone.as_ref();
    let service = service.ok_or_else(|| ApiError::new(ErrorCode::SiteSwitchedOff))?;
    let PhoneSettings { issuer, audience, .. } = &service.settings;
    let expected = Expected { issuer, audience, nonce: None };
    let now = app.clock.now();
    let claims = service.keys.verify(id_token, &expected, now).await.map_err(refused)?;
    let unverified = |reason| ApiError::new(ErrorCode::SessionPhoneUnverified).caused_by(reason);
    if claims.iat < (now - FRESH).timestamp() {
        return Err(unverified("a phone token that was made too long ago"));
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
        Err(ApiError::new(ErrorCode::SessionPhoneUnverified).caused_by("a phone token used twice"))
    }
}

fn refused(error: TokenError) -> ApiError {
    match error {
        TokenError::Outside(error) => ApiError::unavailable(error),
        TokenError::Refused(_) => ApiError::new(ErrorCode::SessionPhoneUnverified).caused_by(error),
    }
}

/// What was signed. The signature is left out: an ES256 signature can be rewritten into another
/// valid one by anybody, and the token would count as a new one.
fn signed_part(token: &str) -> &str {
    token.rsplit_once('.').map_or(token, |(signed, _)| signed)
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
    State(app): State<App>,
    arrival: Arrival,
    Sealed(body): Sealed<LoginByPhone>,
) -> Result<LoggedIn, ApiError> {
    let verified = verify(&app, &merchant, &body.id_token).await?;
    let (visit, cookie) = arrival.enrol();
    let page = if body.agent_page { Page::Agents } else { Page::Players };
    let entered = login(&app, merchant, verified, page, visit).await?;
    Ok(LoggedIn { entered, cookie })
}

async fn login(
    app: &App,
    merchant: Arc<Merchant>,
    verified: VerifiedNumber,
    page: Page,
    visit: Visit,
) -> Result<Entered, ApiError> {
    app.run(move |app| async move {
        let unknown = || ApiError::new(ErrorCode::SessionNumberUnknown);
        let found = members::find_by_mobile(&app.db, merchant.id, &verified.mobile).await?;
        let mut tx = app.db.begin().await?;
        let profile = members::find_profile(&mut tx, found.ok_or_else(unknown)?).await?;
        let profile = profile.ok_or_else(unknown)?;
        check_page(&profile, page)?;
        // A refusal above leaves the token whole: the same proof may then register a member.
        spend(&mut tx, &verified).await?;
        let way = (Method::Phone, visit);
        let entered = ops::enter_in(&app, &mut tx, &profile, way, false).await?;
        db::commit(tx).await?;
        Ok(entered)
    })
    .await
}
