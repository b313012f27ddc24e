//! Leaving for a provider, coming back, and beginning the session.

use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::Duration;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Departure;
use super::Exchange;
use super::Person;
use super::Provider;
use super::store::{self, StateRow, TicketRow};
use super::vault::Luggage;
use crate::Identity;
use crate::codes;
use crate::gates;
use crate::gates::Visitor;
use crate::login::enter;
use crate::login::{Page, check_page};
use crate::sessions::arrival::Visit;
use crate::sessions::model::{Method, Token};
use crate::sessions::ops::Entered;
use members::{Hashes, Links, NewAccount, Stranger};
use platform::budget::Budget;
use platform::db;
use platform::error::ApiError;
use platform::language::Language;
use platform::secret::random_bytes;
use site::{Merchant, Switch};

/// How long the visitor may stay at the provider.
pub(super) const STATE_LIFE: Duration = Duration::minutes(10);

/// How long the page may take to use its ticket.
const TICKET_LIFE: Duration = Duration::minutes(1);

/// How many sign-ins may leave from one address: each is a row until its time is over.
const DEPARTURES: Budget = Budget {
    name: "sessions.social.departures",
    limit: 120,
    window: std::time::Duration::from_secs(600),
};

/// How often a stranger is introduced whose name was taken meanwhile.
const INTRODUCTIONS: usize = 4;

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
    app.budgets.take(&mut connection, &DEPARTURES, &visitor.address_key(), now).await?;
    // The provider may take its time; the connection is for others meanwhile.
    drop(connection);
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
    app: &Identity,
    Visitor { merchant, language, .. }: Visitor,
    provider: Provider,
    browser_hash: Option<[u8; 32]>,
    back: Return,
) -> Result<String, ApiError> {
    app.social.require(provider, &merchant)?;
    let failed = |reason| ApiError::new(codes::SOCIAL_FAILED).caused_by(reason);
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
        let member_id = find_or_register(&app, (&merchant, provider), &person, language).await?;
        give_ticket(&app, (merchant.id, provider), member_id, &device_hash).await
    })
    .await
}

/// The member that a person is; who comes for the first time becomes one.
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
    for _ in 0..INTRODUCTIONS {
        match register(app, (merchant, provider), person, language).await {
            // Somebody took the name or the address between the look and the reservation.
            Err(error) if is_taken(&error) => {}
            other => return other,
        }
    }
    Err(ApiError::unavailable("every name was taken meanwhile"))
}

fn is_taken(error: &ApiError) -> bool {
    [platform::codes::NAME_TAKEN, members::codes::EMAIL_TAKEN].contains(&error.code)
}

/// Makes a member of a person, as a form would.
async fn register(
    app: &Identity,
    (merchant, provider): (&Arc<Merchant>, Provider),
    person: &Person,
    language: Language,
) -> Result<Uuid, ApiError> {
    let name = person.name.as_deref().unwrap_or_default();
    let stranger = Stranger { name, email: person.email.as_deref() };
    let account = NewAccount {
        newcomer: members::introduce(&app.members, merchant, &stranger).await?,
        hashes: Hashes::default(),
        links: Links::default(),
        is_mobile_verified: false,
        is_email_verified: true,
        to_complete: true,
        language: Some(language),
    };
    let (now, whose) = (app.clock.now(), (merchant.id, provider));
    let mut tx = app.db.begin().await?;
    let member = members::create(&app.members, &mut tx, merchant, account).await?;
    let id = member.profile.id;
    if !store::insert_identity(&mut tx, whose, person, id, now).await? {
        // The same person came twice at once, and the other visit was first.
        tx.rollback().await?;
        let found = find(app, whose, person).await?;
        return found.ok_or_else(|| ApiError::unavailable("an identity that came and went"));
    }
    app.members.tell_registered(&mut tx, &member).await?;
    db::commit(tx).await?;
    Ok(id)
}

async fn find(
    app: &Identity,
    whose: (Uuid, Provider),
    person: &Person,
) -> Result<Option<Uuid>, ApiError> {
    let mut connection = app.db.acquire().await?;
    if let Some(id) = store::find_identity(&mut connection, whose, person).await? {
        return Ok(Some(id));
    }
    if let Some(id) = store::update_issuer(&mut connection, whose, person).await? {
        return Ok(Some(id));
    }
    // Another visit may have noted the issuer in between.
    Ok(store::find_identity(&mut connection, whose, person).await?)
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

/// Lets in the member whom a ticket stands for: one of all who bring it, from its device.
pub(super) async fn login_by_ticket(
    app: &Identity,
    merchant: Arc<Merchant>,
    (ticket, page): (&str, Page),
    visit: Visit,
) -> Result<Entered, ApiError> {
    let over = || ApiError::new(codes::TICKET_OVER);
    let ticket = Token::parse(ticket).ok_or_else(over)?;
    app.run(move |app| async move {
        let (now, device) = (app.clock.now(), &visit.device_hash);
        let mut tx = app.db.begin().await?;
        let taken = store::take_ticket(&mut tx, &ticket, merchant.id, device, now).await?;
        let provider = taken.as_deref().and_then(Provider::parse).ok_or_else(over)?;
        app.social.require(provider, &merchant)?;
        let profile = members::find_profile(&mut tx, ticket.member_id).await?.ok_or_else(over)?;
        check_page(&profile, page)?;
        let way = (Method::Social, visit);
        let entered = enter::enter_in(&app, &mut tx, &profile, way, false).await?;
        db::commit(tx).await?;
        Ok(entered)
    })
    .await
}

/// 256 random bits as text: long enough for a state, a nonce and a PKCE verifier alike.
fn secret_text() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(random_bytes::<32>())
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}
