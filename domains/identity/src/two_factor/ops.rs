//! Sets up and removes a second factor, and completes logins with it.

use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::codes::{recovery_codes, recovery_hash};
use super::shown::{PresentedCode, find_step, has_factor};
use super::store::{self, NewTicket, PresentedTicket};
use super::tries::{AttemptContext, CodeAttempt};
use crate::Identity;
use crate::codes;
use crate::gates;
use crate::sessions::arrival::Visit;
use crate::sessions::model::{Method, Token};
use crate::sessions::ops::{self, Started};
use members::{Notice, Profile, ReauthRequest};
use platform::db;
use platform::error::ApiError;
use platform::request_context;
use site::{Merchant, Switch};

/// How long an offered secret can be confirmed.
const OFFER_LIFE: Duration = Duration::minutes(30);
/// How long a login ticket is valid.
const TICKET_LIFE: Duration = Duration::minutes(5);
/// Attempts per ticket.
const TICKET_TRIES: i16 = 5;

/// A secret for an authenticator app, not yet confirmed.
pub(super) struct Offer {
    pub(super) secret: String,
    pub(super) url: String,
}

/// Offers a member a secret, against the password: an open page alone is no proof of the owner.
pub(super) async fn offer(
    app: &Identity,
    merchant: &Merchant,
    request: ReauthRequest,
    password: String,
) -> Result<Offer, ApiError> {
    members::require_password(&app.members, request, password).await?;
    let member_id = request.member_id;
    let profile = members::find_profile(&mut *app.db.acquire().await?, member_id).await?;
    let profile = profile.ok_or_else(|| ApiError::new(platform::codes::SESSION_REQUIRED))?;
    let (shared, stored) = app.factors.generate(member_id)?;
    if !store::upsert_offer(&app.db, member_id, &stored, app.clock.now()).await? {
        return Err(ApiError::new(codes::FACTOR_SET));
    }
    Ok(Offer { secret: shared.text(), url: shared.url(&merchant.name, &profile.account)? })
}

/// Confirms an offer with a first code and returns the recovery codes. The other sessions of the
/// member end, because they were started without the second factor; this one gets a new token.
pub(super) async fn confirm(
    app: &Identity,
    (merchant, token): (Arc<Merchant>, Token),
    code: String,
) -> Result<(Vec<String>, Token), ApiError> {
    let member_id = token.member_id;
    app.run(move |app| async move {
        // Count the attempt, so that somebody at an open page cannot guess a code of an offer that
        // the owner abandoned.
        let attempt = CodeAttempt::take(&app, member_id, AttemptContext::Session, &code).await?;
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        // Exclusive lock: no login without the second factor can run meanwhile.
        members::lock_state_exclusive(&mut tx, member_id).await?;
        let offered = store::find_factor(&mut tx, member_id).await?;
        let offered = offered.ok_or_else(|| ApiError::new(codes::FACTOR_MISSING))?;
        if offered.confirmed {
            return Err(ApiError::new(codes::FACTOR_SET));
        }
        if offered.offered_at + OFFER_LIFE < now {
            return Err(ApiError::new(codes::FACTOR_MISSING));
        }
        let step = find_step(&app, member_id, &offered, &code, now)?;
        let step = step.ok_or_else(|| ApiError::new(codes::FACTOR_INVALID))?;
        if !store::update_confirmed(&mut tx, member_id, (&offered.secret, step), now).await? {
            return Err(ApiError::new(codes::FACTOR_SET));
        }
        attempt.clear(&app, &mut tx).await?;
        let codes = write_recovery_codes(&mut tx, member_id).await?;
        let owner = (&*merchant, member_id);
        members::notify(&app.members, &mut tx, owner, Notice::FactorOn).await?;
        let ended = ops::end_others(&app, &mut tx, &token).await?;
        let new = ops::renew_token(&app, &mut tx, &token).await?;
        let committed = db::commit(tx).await;
        app.live_sessions.forget(&token);
        ended.forget(&app);
        committed?;
        Ok((codes, new))
    })
    .await
}

/// Removes the second factor, against password and code.
pub(super) async fn remove(
    app: &Identity,
    merchant: Arc<Merchant>,
    request: ReauthRequest,
    (password, code): (String, String),
) -> Result<(), ApiError> {
    let mut code = step_up(app, &merchant, request, (password, code)).await?;
    app.run(move |app| async move {
        let removed = remove_with(&app, &merchant, &mut code).await;
        code.settle(&app, removed).await
    })
    .await
}

async fn remove_with(
    app: &Identity,
    merchant: &Merchant,
    code: &mut PresentedCode,
) -> Result<(), ApiError> {
    let member_id = code.member_id;
    let mut tx = app.db.begin().await?;
    members::lock_state_shared(&mut tx, member_id).await?;
    code.spend(app, &mut tx).await?;
    store::delete_factor(&mut tx, member_id).await?;
    members::notify(&app.members, &mut tx, (merchant, member_id), Notice::FactorOff).await?;
    db::commit(tx).await
}

/// Replaces the recovery codes, against password and code. The old ones become invalid.
pub(super) async fn renew_recovery_codes(
    app: &Identity,
    merchant: Arc<Merchant>,
    request: ReauthRequest,
    (password, code): (String, String),
) -> Result<Vec<String>, ApiError> {
    let mut code = step_up(app, &merchant, request, (password, code)).await?;
    app.run(move |app| async move {
        let renewed = renew_with(&app, &merchant, &mut code).await;
        code.settle(&app, renewed).await
    })
    .await
}

async fn renew_with(
    app: &Identity,
    merchant: &Merchant,
    code: &mut PresentedCode,
) -> Result<Vec<String>, ApiError> {
    let member_id = code.member_id;
    let mut tx = app.db.begin().await?;
    members::lock_state_shared(&mut tx, member_id).await?;
    code.spend(app, &mut tx).await?;
    let codes = write_recovery_codes(&mut tx, member_id).await?;
    members::notify(&app.members, &mut tx, (merchant, member_id), Notice::RecoveryCodes).await?;
    db::commit(tx).await?;
    Ok(codes)
}

async fn write_recovery_codes(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Vec<String>, ApiError> {
    let codes = recovery_codes();
    let hashes: Vec<_> = codes.iter().map(|code| recovery_hash(member_id, code).to_vec()).collect();
    store::replace_recovery_codes(db, member_id, &hashes).await?;
    Ok(codes)
}

/// Checks the password of a member and counts the attempt at a code.
async fn step_up(
    app: &Identity,
    merchant: &Arc<Merchant>,
    request: ReauthRequest,
    (password, code): (String, String),
) -> Result<PresentedCode, ApiError> {
    members::require_password(&app.members, request, password).await?;
    let member_id = request.member_id;
    if !has_factor(&mut *app.db.acquire().await?, member_id).await? {
        return Err(ApiError::new(codes::FACTOR_MISSING));
    }
    PresentedCode::count(app, (Arc::clone(merchant), member_id), AttemptContext::Session, code)
        .await
}

/// Issues a ticket for a login whose first factor was right.
pub(crate) async fn issue_ticket(
    db: &mut PgConnection,
    profile: &Profile,
    (method, visit): &(Method, Visit),
    must_change: bool,
    now: DateTime<Utc>,
) -> Result<String, sqlx::Error> {
    let token = Token::new(profile.id);
    let ticket = NewTicket {
        member_id: profile.id,
        merchant_id: profile.merchant_id,
        hash: token.hash(),
        device_hash: &visit.device_hash,
        method: method.as_str(),
        must_change,
        expires_at: now + TICKET_LIFE,
    };
    store::insert_ticket(db, &ticket).await?;
    Ok(token.text())
}

/// Refuses a login method that was switched off while the second factor was pending.
fn require_open(app: &Identity, method: Method, merchant: &Merchant) -> Result<(), ApiError> {
    match method {
        Method::Username => gates::require(merchant, Switch::UsernameLogin),
        Method::Sms => gates::require(merchant, Switch::MobileLogin),
        Method::Phone => gates::require(merchant, Switch::MobileLogin)
            .and_then(|()| gates::require(merchant, Switch::PhoneService)),
        Method::Social => app.social.require_some(merchant),
        Method::Register | Method::FreePlay | Method::Recovery => Ok(()),
    }
}

/// Starts the session of a ticket, against a code.
pub(super) async fn redeem(
    app: &Identity,
    merchant: Arc<Merchant>,
    visit: Visit,
    ticket: &str,
    code: String,
) -> Result<Started, ApiError> {
    let invalid = || ApiError::new(codes::TICKET_OVER);
    let token = Token::parse(ticket).ok_or_else(invalid)?;
    app.run(move |app| async move {
        let presented = PresentedTicket {
            member_id: token.member_id,
            merchant_id: merchant.id,
            hash: token.hash(),
            device_hash: &visit.device_hash,
        };
        // Counted outside the transaction of the login, so that a wrong attempt stays counted.
        let ticket =
            store::update_tries(&app.db, &presented, TICKET_TRIES, app.clock.now()).await?;
        let ticket = ticket.ok_or_else(invalid)?;
        request_context::set_account(presented.member_id);
        let method = Method::parse(&ticket.method).unwrap_or(Method::Username);
        require_open(&app, method, &merchant)?;
        let context = AttemptContext::Login(presented.device_hash);
        let mut code =
            PresentedCode::count(&app, (merchant, presented.member_id), context, code).await?;
        let login = ((method, visit.clone()), ticket.must_change);
        let started = start_session(&app, &presented, login, &mut code).await;
        code.settle(&app, started).await
    })
    .await
}

/// Starts the session and uses up ticket and code.
async fn start_session(
    app: &Identity,
    ticket: &PresentedTicket<'_>,
    (login, must_change): ((Method, Visit), bool),
    code: &mut PresentedCode,
) -> Result<Started, ApiError> {
    let invalid = || ApiError::new(codes::TICKET_OVER);
    let mut tx = app.db.begin().await?;
    let state = members::lock_state_shared(&mut tx, ticket.member_id).await?;
    let factor = code.spend(app, &mut tx).await?;
    // A frozen account is reported only after a right code.
    state.require_active()?;
    if !store::delete_ticket(&mut tx, ticket).await? {
        return Err(invalid());
    }
    let profile = members::find_profile(&mut tx, ticket.member_id).await?;
    let profile = profile.ok_or_else(invalid)?;
    let started = ops::begin(app, &mut tx, &profile, (login, Some(factor)), must_change).await?;
    db::commit(tx).await?;
    Ok(started)
}
