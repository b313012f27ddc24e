//! Setting a second factor up, asking for it, and taking it away.

use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::codes::{recovery_codes, recovery_hash};
use super::shown::{ShownCode, find_step, has_factor};
use super::store::{self, NewTicket, Shown};
use super::tries::{Place, Try};
use crate::Identity;
use crate::codes;
use crate::gates;
use crate::sessions::arrival::Visit;
use crate::sessions::model::{Method, Token};
use crate::sessions::ops::{self, Started};
use members::{Asked, Notice, Profile};
use platform::asker;
use platform::db;
use platform::error::ApiError;
use site::{Merchant, Switch};

/// How long an offered secret waits to be confirmed.
const OFFER_LIFE: Duration = Duration::minutes(30);
/// How long a login waits for its second factor.
const TICKET_LIFE: Duration = Duration::minutes(5);
/// How often a ticket may be tried.
const TICKET_TRIES: i16 = 5;

/// A secret for an authenticator app, not yet confirmed.
pub(super) struct Offer {
    pub(super) secret: String,
    pub(super) url: String,
}

/// Offers a member a secret. Whoever only found the page open does not know the password.
pub(super) async fn offer(
    app: &Identity,
    merchant: &Merchant,
    asked: Asked,
    password: String,
) -> Result<Offer, ApiError> {
    members::require_password(&app.members, asked, password).await?;
    let member_id = asked.member_id;
    let profile = members::find_profile(&mut *app.db.acquire().await?, member_id).await?;
    let profile = profile.ok_or_else(|| ApiError::new(platform::codes::SESSION_REQUIRED))?;
    let (shared, stored) = app.factors.generate(member_id)?;
    if !store::upsert_offer(&app.db, member_id, &stored, app.clock.now()).await? {
        return Err(ApiError::new(codes::FACTOR_SET));
    }
    Ok(Offer { secret: shared.text(), url: shared.url(&merchant.name, &profile.account)? })
}

/// Confirms an offer with a first code, and gives the recovery codes. The member's other sessions, which
/// were begun without the factor, end; this one gets another token.
pub(super) async fn confirm(
    app: &Identity,
    (merchant, token): (Arc<Merchant>, Token),
    code: String,
) -> Result<(Vec<String>, Token), ApiError> {
    let member_id = token.member_id;
    app.run(move |app| async move {
        // Whoever has only found the page open, with an offer that its owner gave up, guesses no code.
        let tried = Try::take(&app, member_id, Place::Session, &code).await?;
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        // Nobody is let in without the factor meanwhile.
        members::hold_alone(&mut tx, member_id).await?;
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
        tried.forget(&app, &mut tx).await?;
        let codes = write_recovery_codes(&mut tx, member_id).await?;
        let whose = (&*merchant, member_id);
        members::notify(&app.members, &mut tx, whose, Notice::FactorOn).await?;
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

/// Takes the factor away, against password and code.
pub(super) async fn remove(
    app: &Identity,
    merchant: Arc<Merchant>,
    asked: Asked,
    (password, code): (String, String),
) -> Result<(), ApiError> {
    let mut shown = step_up(app, &merchant, asked, (password, code)).await?;
    app.run(move |app| async move {
        let removed = remove_against(&app, &merchant, &mut shown).await;
        shown.settle(&app, removed).await
    })
    .await
}

async fn remove_against(
    app: &Identity,
    merchant: &Merchant,
    shown: &mut ShownCode,
) -> Result<(), ApiError> {
    let member_id = shown.member_id;
    let mut tx = app.db.begin().await?;
    members::hold_state(&mut tx, member_id).await?;
    shown.spend(app, &mut tx).await?;
    store::delete_factor(&mut tx, member_id).await?;
    members::notify(&app.members, &mut tx, (merchant, member_id), Notice::FactorOff).await?;
    db::commit(tx).await
}

/// Gives new recovery codes, against password and code; the old ones are worth nothing then.
pub(super) async fn renew_recovery_codes(
    app: &Identity,
    merchant: Arc<Merchant>,
    asked: Asked,
    (password, code): (String, String),
) -> Result<Vec<String>, ApiError> {
    let mut shown = step_up(app, &merchant, asked, (password, code)).await?;
    app.run(move |app| async move {
        let renewed = renew_against(&app, &merchant, &mut shown).await;
        shown.settle(&app, renewed).await
    })
    .await
}

async fn renew_against(
    app: &Identity,
    merchant: &Merchant,
    shown: &mut ShownCode,
) -> Result<Vec<String>, ApiError> {
    let member_id = shown.member_id;
    let mut tx = app.db.begin().await?;
    members::hold_state(&mut tx, member_id).await?;
    shown.spend(app, &mut tx).await?;
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

/// Asks a member for its password and counts the try at a code.
async fn step_up(
    app: &Identity,
    merchant: &Arc<Merchant>,
    asked: Asked,
    (password, code): (String, String),
) -> Result<ShownCode, ApiError> {
    members::require_password(&app.members, asked, password).await?;
    let member_id = asked.member_id;
    if !has_factor(&mut *app.db.acquire().await?, member_id).await? {
        return Err(ApiError::new(codes::FACTOR_MISSING));
    }
    ShownCode::count(app, (Arc::clone(merchant), member_id), Place::Session, code).await
}

/// A ticket for a login whose first factor was right.
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

/// Refuses a way in that was closed while its second factor was asked for.
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

/// Starts the session that a ticket stands for, against a code.
pub(super) async fn redeem(
    app: &Identity,
    merchant: Arc<Merchant>,
    visit: Visit,
    ticket: &str,
    code: String,
) -> Result<Started, ApiError> {
    let over = || ApiError::new(codes::TICKET_OVER);
    let token = Token::parse(ticket).ok_or_else(over)?;
    app.run(move |app| async move {
        let shown = Shown {
            member_id: token.member_id,
            merchant_id: merchant.id,
            hash: token.hash(),
            device_hash: &visit.device_hash,
        };
        // Counted apart, so that a wrong try stays counted.
        let tried = store::update_tries(&app.db, &shown, TICKET_TRIES, app.clock.now()).await?;
        let tried = tried.ok_or_else(over)?;
        asker::note_account(shown.member_id);
        let method = Method::parse(&tried.method).unwrap_or(Method::Username);
        require_open(&app, method, &merchant)?;
        let place = Place::Login(shown.device_hash);
        let mut code = ShownCode::count(&app, (merchant, shown.member_id), place, code).await?;
        let way = ((method, visit.clone()), tried.must_change);
        let entered = enter(&app, &shown, way, &mut code).await;
        code.settle(&app, entered).await
    })
    .await
}

/// Lets in whoever shows a ticket and a code, both of which are used up.
async fn enter(
    app: &Identity,
    ticket: &Shown<'_>,
    (way, must_change): ((Method, Visit), bool),
    code: &mut ShownCode,
) -> Result<Started, ApiError> {
    let over = || ApiError::new(codes::TICKET_OVER);
    let mut tx = app.db.begin().await?;
    let state = members::hold_state(&mut tx, ticket.member_id).await?;
    let factor = code.spend(app, &mut tx).await?;
    // Told only to whoever has the code.
    state.require_active()?;
    if !store::delete_ticket(&mut tx, ticket).await? {
        return Err(over());
    }
    let profile = members::find_profile(&mut tx, ticket.member_id).await?;
    let profile = profile.ok_or_else(over)?;
    let started = ops::begin(app, &mut tx, &profile, (way, Some(factor)), must_change).await?;
    db::commit(tx).await?;
    Ok(started)
}
