//! Mails recovery links and sets new passwords by link or code.

use std::sync::Arc;
use std::time::Duration;

use sqlx::PgTransaction;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::store;
use super::texts;
use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::human;
use crate::login::enter;
use crate::login::guard;
use crate::login::remember_store;
use crate::sessions::arrival::Visit;
use crate::sessions::known;
use crate::sessions::model::{Method, Token};
use crate::sessions::ops::{self, Ended, LoginOutcome};
use crate::two_factor;
use crate::verify::{self, Destination, Purpose, Requester};
use members::{NewPassword, Notice, ReadyChange, Recipient};
use platform::db;
use platform::error::ApiError;
use platform::outbox::{Channel, Message};
use platform::phone::Mobile;
use platform::rate_limit::RateLimit;
use platform::request_context;
use site::{Merchant, Switch};

const LINK_LIFE: chrono::Duration = chrono::Duration::minutes(30);

const HOUR: Duration = Duration::from_secs(3_600);
const PER_ADDRESS: RateLimit =
    RateLimit { name: "sessions.recovery.address", limit: 10, window: HOUR };
/// Per username and e-mail address together, whether they belong to a member or not: somebody who
/// does not know the address can neither use up the mails of the owner nor learn who is a member.
const PER_PAIR: RateLimit = RateLimit { name: "sessions.recovery.pair", limit: 5, window: HOUR };

/// Checks of recovery links, per IP address.
const LINK_CHECKS: RateLimit =
    RateLimit { name: "sessions.recovery.looks", limit: 60, window: HOUR };

/// With uniform answers, the time of every answer: longer than writing a mail takes, so timing does
/// not reveal who is a member.
const EVEN_ANSWER: Duration = Duration::from_millis(500);

/// Mails a link to the member with this username and e-mail address.
pub(super) async fn mail_link(
    app: &Identity,
    visitor: &Visitor,
    (username, email): (&str, &str),
) -> Result<(), ApiError> {
    let earliest = Instant::now() + EVEN_ANSWER;
    take_rate_limits(app, visitor, (username, email)).await?;
    let merchant = &visitor.merchant;
    let recipient = members::find_recipient(&app.members, merchant, username, email).await?;
    if merchant.allows(Switch::UniformRecovery) {
        // No failure is counted here: harder challenges would reveal that there is no such member.
        if let Some(recipient) = recipient {
            send_link(app, visitor, recipient).await?;
        }
        sleep_until(earliest).await;
        return Ok(());
    }
    match recipient {
        Some(recipient) => send_link(app, visitor, recipient).await,
        None => {
            human::note_failure(app, visitor).await?;
            members::check_username(merchant, username)?;
            Err(ApiError::new(members::codes::UNKNOWN))
        }
    }
}

async fn take_rate_limits(
    app: &Identity,
    visitor: &Visitor,
    (username, email): (&str, &str),
) -> Result<(), ApiError> {
    let now = app.clock.now();
    let merchant = &visitor.merchant;
    let (name, email) = (members::login_key(merchant, username), email.trim().to_lowercase());
    let pair = format!("{} {name} {email}", merchant.id);
    let mut db = app.db.acquire().await?;
    app.rate_limits.take(&mut db, &PER_ADDRESS, &visitor.address_key(), now).await?;
    app.rate_limits.take(&mut db, &PER_PAIR, &pair, now).await?;
    Ok(())
}

async fn send_link(
    app: &Identity,
    visitor: &Visitor,
    recipient: Recipient,
) -> Result<(), ApiError> {
    let visitor = visitor.clone();
    app.run(move |app| async move {
        let now = app.clock.now();
        let expires_at = now + LINK_LIFE;
        let merchant = &visitor.merchant;
        let token = Token::new(recipient.member_id);
        // Browsers do not send the URL fragment to servers, so the token is in no access log.
        let link = format!("{}/login#recover={}", merchant.origin(&app), token.text());
        let content = (link.as_str(), LINK_LIFE.num_minutes());
        let (subject, text) =
            texts::write(visitor.language, &merchant.name, &recipient.account, content);
        let message = Message {
            merchant_id: merchant.id,
            purpose: "sessions.recovery",
            channel: Channel::Mail,
            to: recipient.email,
            subject,
            text,
            deadline: Some(expires_at),
        };
        let mut tx = app.db.begin().await?;
        store::insert_link(&mut tx, &token, merchant.id, expires_at).await?;
        app.outbox.send(&mut tx, message, now).await?;
        db::commit(tx).await
    })
    .await
}

fn invalid_link() -> ApiError {
    ApiError::new(codes::LINK_OVER)
}

/// Parses a link and checks that it is valid on the merchant's site.
async fn require_valid_link(
    app: &Identity,
    merchant: &Merchant,
    link: &str,
) -> Result<Token, ApiError> {
    let link = Token::parse(link).ok_or_else(invalid_link)?;
    if !store::has_link(&app.db, &link, merchant.id, app.clock.now()).await? {
        return Err(invalid_link());
    }
    request_context::set_account(link.member_id);
    Ok(link)
}

/// Checks whether a link is valid. It does not use the link and reveals nothing about the member.
pub(super) async fn look_at_link(
    app: &Identity,
    visitor: &Visitor,
    link: &str,
) -> Result<(), ApiError> {
    let mut db = app.db.acquire().await?;
    app.rate_limits.take(&mut db, &LINK_CHECKS, &visitor.address_key(), app.clock.now()).await?;
    drop(db);
    require_valid_link(app, &visitor.merchant, link).await.map(drop)
}

/// Sets the password of the member to whom a link was mailed. A refused password does not use up
/// the link.
pub(super) async fn reset_by_link(
    app: &Identity,
    merchant: Arc<Merchant>,
    link: &str,
    password: NewPassword,
    visit: Visit,
) -> Result<(), ApiError> {
    // Check the link first: password hashing is expensive.
    let link = require_valid_link(app, &merchant, link).await?;
    let change =
        members::check_new_password(&app.members, &merchant, link.member_id, password).await?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let state = members::lock_state_exclusive(&mut tx, link.member_id).await?;
        if !store::delete_link(&mut tx, &link, merchant.id, app.clock.now()).await? {
            return Err(invalid_link());
        }
        state.require_active()?;
        let ended = set_password(&app, &mut tx, (&merchant, link.member_id), &change).await?;
        if let Some(profile) = members::find_profile(&mut tx, link.member_id).await? {
            let name = (&*merchant, profile.account.as_str());
            guard::clear_attempts(&app, &mut tx, name, &visit).await?;
        }
        // The reader of the mail is the owner, so the device becomes a known device, and the login
        // that follows gets its own attempt limits. With a second factor that is not proven yet,
        // and a known device would get its own attempts at the code, so the device is not stored.
        if !two_factor::has_factor(&mut tx, link.member_id).await? {
            known::remember_login(&app, &mut tx, link.member_id, &visit, app.clock.now()).await?;
        }
        let committed = db::commit(tx).await;
        ended.forget(&app);
        committed
    })
    .await
}

/// Sets the password of the member whose phone got a code, and logs the member in.
pub(super) async fn reset_by_code(
    app: &Identity,
    visitor: &Visitor,
    (mobile, code): (Mobile, Option<&str>),
    password: NewPassword,
    visit: Visit,
) -> Result<LoginOutcome, ApiError> {
    let merchant = &visitor.merchant;
    // Validate the password first, so that a refusal costs no attempt at the code.
    members::check_password_shape(&app.members, merchant, &password, &[mobile.e164()])?;
    let to = Destination::Mobile(mobile.clone());
    let member_id = members::find_by_mobile(&app.db, merchant.id, &mobile).await?;
    if let Some(id) = member_id {
        request_context::set_account(id);
    }
    let request = (Purpose::Recovery, Requester::Browser(visit.device_hash));
    let proof = verify::check(app, visitor, request, &to, code).await?;
    let invalid = || ApiError::new(codes::VERIFICATION_CODE_INVALID);
    let member_id = member_id.ok_or_else(invalid)?;
    let change = members::check_new_password(&app.members, merchant, member_id, password).await?;
    let merchant = Arc::clone(merchant);
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        verify::spend(&mut tx, proof).await?;
        members::lock_state_exclusive(&mut tx, member_id).await?.require_active()?;
        let ended = set_password(&app, &mut tx, (&merchant, member_id), &change).await?;
        let profile = members::find_profile(&mut tx, member_id).await?.ok_or_else(invalid)?;
        let name = (&*merchant, profile.account.as_str());
        guard::clear_attempts(&app, &mut tx, name, &visit).await?;
        let login = (Method::Recovery, visit);
        let outcome = enter::complete_first_factor(&app, &mut tx, &profile, login, false).await?;
        let committed = db::commit(tx).await;
        ended.forget(&app);
        committed?;
        Ok(outcome)
    })
    .await
}

/// Sets a password and ends every session of the member, because an attacker may hold one.
async fn set_password(
    app: &Identity,
    tx: &mut PgTransaction<'static>,
    (merchant, member_id): (&Merchant, Uuid),
    change: &ReadyChange,
) -> Result<Ended, ApiError> {
    revoke_pending_access(tx, member_id).await?;
    if !members::change_password(&app.members, tx, change).await? {
        return Err(ApiError::unavailable("the password was changed at the same time"));
    }
    members::notify(&app.members, tx, (merchant, member_id), Notice::Password).await?;
    ops::end_all(app, tx, member_id, None).await
}

/// Deletes what gives access without the new password: recovery links, remembered passwords and
/// pending two-factor tickets. It must run before the password is written: two concurrent changes
/// then lock rows in the same order and cannot deadlock.
pub(crate) async fn revoke_pending_access(
    tx: &mut PgTransaction<'static>,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    store::delete_links(tx, member_id).await?;
    remember_store::delete_shares(tx, member_id).await?;
    two_factor::delete_tickets(tx, member_id).await
}
