//! Leaving for a provider, coming back, and beginning the session.

use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::Duration;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::super::model::Token;
use super::super::ops::{self as sessions, Started};
use super::store::{self, StateRow, TicketRow};
use super::vault::Luggage;
use super::{Departure, Exchange, Person, Provider};
use crate::app::App;
use crate::codes::ErrorCode;
use crate::members;
use crate::platform::db;
use crate::platform::error::ApiError;
use crate::platform::secret::random_bytes;
use crate::site::{Merchant, Switch};

/// How long the visitor may stay at the provider.
pub(super) const STATE_LIFE: Duration = Duration::minutes(10);

/// How long the page may take to use its ticket.
const TICKET_LIFE: Duration = Duration::minutes(1);

/// How many old rows are removed at once.
const PURGE_BATCH: i64 = 5_000;

/// The browser that a sign-in belongs to, by the hashes of its two cookies.
pub(super) struct Browser {
    pub(super) browser_hash: [u8; 32],
    pub(super) device_hash: [u8; 32],
}

/// What a provider sent the visitor back with.
pub(super) struct Return {
    pub(super) state: String,
    pub(super) code: String,
    /// Who says so, where the provider tells.
    pub(super) issuer: Option<String>,
}

/// Prepares a sign-in; gives the provider's address to send the visitor to.
pub(super) async fn depart(
    app: &App,
    merchant: &Merchant,
    provider: Provider,
    browser: &Browser,
    redirect_uri: String,
) -> Result<String, ApiError> {
    app.social.require(provider, merchant)?;
    let [state, nonce, verifier] = [secret_text(), secret_text(), secret_text()];
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
    let departure = Departure {
        state: &state,
        challenge: &challenge,
        nonce: &nonce,
        redirect_uri: &redirect_uri,
    };
    let address = app.social.address(provider, &departure).await?;
    let state_hash = hash(&state);
    let luggage = Luggage { nonce, verifier, redirect_uri };
    let row = StateRow {
        state_hash: &state_hash,
        merchant_id: merchant.id,
        provider,
        browser_hash: &browser.browser_hash,
        device_hash: &browser.device_hash,
        sealed: &app.social.vault.lock(&state_hash, &luggage)?,
        ends_at: app.clock.now() + STATE_LIFE,
    };
    store::insert_state(&app.db, &row).await?;
    Ok(address)
}

/// Takes a visitor back from a provider; gives the ticket for the page.
pub(super) async fn arrive(
    app: &App,
    merchant: Arc<Merchant>,
    provider: Provider,
    browser_hash: Option<[u8; 32]>,
    back: Return,
) -> Result<String, ApiError> {
    app.social.require(provider, &merchant)?;
    let failed = |reason| ApiError::new(ErrorCode::SessionSocialFailed).caused_by(reason);
    let browser_hash = browser_hash.ok_or_else(|| failed("came back with another browser"))?;
    let (now, state_hash) = (app.clock.now(), hash(&back.state));
    let whose = (merchant.id, provider);
    let taken = store::take_state(&app.db, &state_hash, whose, &browser_hash, now).await?;
    let (device_hash, sealed) = taken.ok_or_else(|| failed("no such sign-in is under way"))?;
    if !app.social.is_from(provider, back.issuer.as_deref()) {
        return Err(failed("another issuer answered"));
    }
    let luggage = app.social.vault.open(&state_hash, &sealed)?;
    let exchange = Exchange {
        code: &back.code,
        verifier: &luggage.verifier,
        nonce: &luggage.nonce,
        redirect_uri: &luggage.redirect_uri,
    };
    let person = app.social.person(provider, &exchange, now).await?;
    app.run(move |app| async move {
        let member_id = find_or_register(&app, &merchant, provider, &person).await?;
        give_ticket(&app, (merchant.id, provider), member_id, &device_hash).await
    })
    .await
}

/// The member that a person is; who comes for the first time becomes one.
async fn find_or_register(
    app: &App,
    merchant: &Arc<Merchant>,
    provider: Provider,
    person: &Person,
) -> Result<Uuid, ApiError> {
    let whose = (merchant.id, provider);
    if let Some(id) = find(app, whose, &person.subject).await? {
        return Ok(id);
    }
    sessions::require(merchant, Switch::Registration)?;
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let name = person.name.as_deref().unwrap_or_default();
    let member = members::create_without_password(&mut tx, merchant, name, now).await?;
    let id = member.profile.id;
    if !store::insert_identity(&mut tx, whose, &person.subject, id, now).await? {
        // The same person came twice at once, and the other visit was first.
        tx.rollback().await?;
        let found = find(app, whose, &person.subject).await?;
        return found.ok_or_else(|| ApiError::unavailable("an identity that came and went"));
    }
    sessions::tell_listeners(app, &mut tx, &member).await?;
    db::commit(tx).await?;
    Ok(id)
}

async fn find(app: &App, whose: (Uuid, Provider), subject: &str) -> Result<Option<Uuid>, ApiError> {
    let mut connection = app.db.acquire().await?;
    Ok(store::find_identity(&mut connection, whose, subject).await?)
}

async fn give_ticket(
    app: &App,
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

/// Begins the session that a ticket stands for.
pub(super) async fn login(
    app: &App,
    merchant: Arc<Merchant>,
    ticket: &str,
    device_hash: Option<[u8; 32]>,
) -> Result<Started, ApiError> {
    let over = || ApiError::new(ErrorCode::SessionTicketOver);
    let ticket = Token::parse(ticket).ok_or_else(over)?;
    let device_hash = device_hash.ok_or_else(over)?;
    app.run(move |app| async move {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let taken = store::take_ticket(&mut tx, &ticket, merchant.id, &device_hash, now).await?;
        let provider = taken.as_deref().and_then(Provider::parse).ok_or_else(over)?;
        app.social.require(provider, &merchant)?;
        let profile = members::find_profile(&mut tx, ticket.member_id).await?.ok_or_else(over)?;
        let started = sessions::start(&app, &mut tx, &profile, &device_hash).await?;
        db::commit(tx).await?;
        Ok(started)
    })
    .await
}

/// Removes sign-ins that were never finished; part of a job.
pub(in crate::sessions) async fn purge(app: &App) -> Result<(), sqlx::Error> {
    while store::delete_over(&app.db, app.clock.now(), PURGE_BATCH).await? > 0 {}
    Ok(())
}

/// 256 random bits as text: long enough for a state, a nonce and a PKCE verifier alike.
fn secret_text() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(random_bytes::<32>())
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
