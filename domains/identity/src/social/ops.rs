//! The steps of a social sign-in: authorize, callback, signup and login by ticket.

use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::Duration;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::AuthorizationRequest;
use super::Exchange;
use super::Person;
use super::Provider;
use super::flow_state::FlowState;
use super::store::{self, StateRow, TicketRow};
use crate::Identity;
use crate::codes;
use crate::gates;
use crate::gates::Visitor;
use crate::login::enter;
use crate::login::{Page, check_page};
use crate::sessions::arrival::Visit;
use crate::sessions::model::{Method, Token};
use crate::sessions::ops::LoginOutcome;
use members::{Hashes, Links, NewAccount, SocialSignup};
use platform::db;
use platform::error::ApiError;
use platform::language::Language;
use platform::rate_limit::RateLimit;
use platform::secret::random_bytes;
use site::{Merchant, Switch};

/// How long a visitor may take at the provider.
pub(super) const STATE_LIFE: Duration = Duration::minutes(10);

/// How long the page may take to use its ticket.
const TICKET_LIFE: Duration = Duration::minutes(1);

/// Sign-ins that one address may start: each is a row until it expires.
const AUTHORIZATIONS: RateLimit = RateLimit {
    name: "sessions.social.departures",
    limit: 120,
    window: std::time::Duration::from_secs(600),
};

/// How often a signup is tried if its username or e-mail address was taken meanwhile.
const SIGNUP_TRIES: usize = 4;

/// The browser that a sign-in belongs to, by the hashes of its two cookies.
pub(super) struct Browser {
    pub(super) browser_hash: [u8; 32],
    pub(super) device_hash: [u8; 32],
}

/// What a provider sent back in its redirect.
pub(super) struct AuthorizationResponse {
    pub(super) state: String,
    pub(super) code: String,
    /// The issuer, if the response has one.
    pub(super) issuer: Option<String>,
}

/// Starts a sign-in and returns the URL of the provider.
pub(super) async fn authorize(
    app: &Identity,
    visitor: &Visitor,
    provider: Provider,
    browser: &Browser,
    redirect_uri: String,
) -> Result<String, ApiError> {
    let merchant = &visitor.merchant;
    app.social.require(provider, merchant)?;
    let mut connection = app.db.acquire().await?;
    let now = app.clock.now();
    app.rate_limits.take(&mut connection, &AUTHORIZATIONS, &visitor.address_key(), now).await?;
    // Discovery may be slow: return the connection to the pool first.
    drop(connection);
    let [state, nonce, verifier] = [secret_text(), secret_text(), secret_text()];
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
    let request = AuthorizationRequest {
        state: &state,
        challenge: &challenge,
        nonce: &nonce,
        redirect_uri: &redirect_uri,
    };
    let url = app.social.authorize_url(provider, &request).await?;
    let state_hash = hash(&state);
    let flow_state = FlowState { nonce, verifier, redirect_uri };
    let flow_row = StateRow {
        state_hash: &state_hash,
        merchant_id: merchant.id,
        provider,
        browser_hash: &browser.browser_hash,
        device_hash: &browser.device_hash,
        sealed: &app.social.vault.lock(&state_hash, &flow_state)?,
        ends_at: app.clock.now() + STATE_LIFE,
    };
    store::insert_state(&app.db, &flow_row).await?;
    Ok(url)
}

/// Finishes the redirect from a provider and returns the ticket for the page.
pub(super) async fn complete_callback(
    app: &Identity,
    Visitor { merchant, language, .. }: Visitor,
    provider: Provider,
    browser_hash: Option<[u8; 32]>,
    response: AuthorizationResponse,
) -> Result<String, ApiError> {
    app.social.require(provider, &merchant)?;
    let failed = |reason| ApiError::new(codes::SOCIAL_FAILED).caused_by(reason);
    let browser_hash = browser_hash.ok_or_else(|| failed("the browser has no flow cookie"))?;
    let (now, state_hash) = (app.clock.now(), hash(&response.state));
    let scope = (merchant.id, provider);
    let row = store::take_state(&app.db, &state_hash, scope, &browser_hash, now).await?;
    let (device_hash, sealed) = row.ok_or_else(|| failed("the sign-in is unknown or expired"))?;
    if !app.social.is_from(provider, response.issuer.as_deref()) {
        return Err(failed("the response has the wrong issuer"));
    }
    let flow_state = app.social.vault.open(&state_hash, &sealed)?;
    let exchange = Exchange {
        code: &response.code,
        verifier: &flow_state.verifier,
        nonce: &flow_state.nonce,
        redirect_uri: &flow_state.redirect_uri,
    };
    let person = app.social.person(provider, &exchange, now).await?;
    app.run(move |app| async move {
        let member_id = find_or_register(&app, (&merchant, provider), &person, language).await?;
        give_ticket(&app, (merchant.id, provider), member_id, &device_hash).await
    })
    .await
}

/// The member of a user; a new user is registered.
async fn find_or_register(
    app: &Identity,
    (merchant, provider): (&Arc<Merchant>, Provider),
    person: &Person,
    language: Language,
) -> Result<Uuid, ApiError> {
    if let Some(id) = find(app, (merchant.id, provider), person).await? {
        return Ok(id);
    }
    gates::require(merchant, Switch::Registration)?;
    for _ in 0..SIGNUP_TRIES {
        match register(app, (merchant, provider), person, language).await {
            // The username or the address was taken between the lookup and the reservation: try
            // again.
            Err(error) if is_taken(&error) => {}
            other => return other,
        }
    }
    Err(ApiError::unavailable("each username or address was taken meanwhile"))
}

fn is_taken(error: &ApiError) -> bool {
    [platform::codes::NAME_TAKEN, members::codes::EMAIL_TAKEN].contains(&error.code)
}

/// Registers a user as a new member.
async fn register(
    app: &Identity,
    (merchant, provider): (&Arc<Merchant>, Provider),
    person: &Person,
    language: Language,
) -> Result<Uuid, ApiError> {
    let name = person.name.as_deref().unwrap_or_default();
    let signup = SocialSignup { name, email: person.email.as_deref() };
    let account = NewAccount {
        newcomer: members::social_registration(&app.members, merchant, &signup).await?,
        hashes: Hashes::default(),
        links: Links::default(),
        is_mobile_verified: false,
        is_email_verified: true,
        to_complete: true,
        language: Some(language),
    };
    let (now, scope) = (app.clock.now(), (merchant.id, provider));
    let mut tx = app.db.begin().await?;
    let member = members::create(&app.members, &mut tx, merchant, account).await?;
    let id = member.profile.id;
    if !store::insert_identity(&mut tx, scope, person, id, now).await? {
        // The same user signed in twice at once, and the other request was first.
        tx.rollback().await?;
        let found = find(app, scope, person).await?;
        return found
            .ok_or_else(|| ApiError::unavailable("the identity was linked and removed meanwhile"));
    }
    app.members.run_registered_hooks(&mut tx, &member).await?;
    db::commit(tx).await?;
    Ok(id)
}

async fn find(
    app: &Identity,
    scope: (Uuid, Provider),
    person: &Person,
) -> Result<Option<Uuid>, ApiError> {
    let mut connection = app.db.acquire().await?;
    if let Some(id) = store::find_identity(&mut connection, scope, person).await? {
        return Ok(Some(id));
    }
    if let Some(id) = store::update_issuer(&mut connection, scope, person).await? {
        return Ok(Some(id));
    }
    // Another request may have stored the issuer meanwhile.
    Ok(store::find_identity(&mut connection, scope, person).await?)
}

async fn give_ticket(
    app: &Identity,
    (merchant_id, provider): (Uuid, Provider),
    member_id: Uuid,
    device_hash: &[u8; 32],
) -> Result<String, ApiError> {
    let ticket = Token::new(member_id);
    let ends_at = app.clock.now() + TICKET_LIFE;
    let row = TicketRow { ticket: &ticket, merchant_id, provider, device_hash, ends_at };
    let mut connection = app.db.acquire().await?;
    store::insert_ticket(&mut connection, &row).await?;
    Ok(ticket.text())
}

/// Logs in the member of a ticket. A ticket works once, on its device.
pub(super) async fn login_by_ticket(
    app: &Identity,
    merchant: Arc<Merchant>,
    (ticket, page): (&str, Page),
    visit: Visit,
) -> Result<LoginOutcome, ApiError> {
    let invalid = || ApiError::new(codes::TICKET_OVER);
    let ticket = Token::parse(ticket).ok_or_else(invalid)?;
    app.run(move |app| async move {
        let (now, device) = (app.clock.now(), &visit.device_hash);
        let mut tx = app.db.begin().await?;
        let row = store::take_ticket(&mut tx, &ticket, merchant.id, device, now).await?;
        let provider = row.as_deref().and_then(Provider::parse).ok_or_else(invalid)?;
        app.social.require(provider, &merchant)?;
        let profile =
            members::find_profile(&mut tx, ticket.member_id).await?.ok_or_else(invalid)?;
        check_page(&profile, page)?;
        let login = (Method::Social, visit);
        let outcome = enter::complete_first_factor(&app, &mut tx, &profile, login, false).await?;
        db::commit(tx).await?;
        Ok(outcome)
    })
    .await
}

/// 256 random bits as text, long enough for a state, a nonce and a PKCE verifier.
fn secret_text() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(random_bytes::<32>())
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
