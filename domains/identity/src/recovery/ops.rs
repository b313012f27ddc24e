//! Mailing links, and setting passwords by them or by codes.

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
use crate::sessions::ops::{self, Ended, Entered};
use crate::two_factor;
use crate::verify::{self, Asker, Destination, Purpose};
use members::{NewPassword, Notice, ReadyChange, Recipient};
use platform::asker;
use platform::budget::Budget;
use platform::db;
use platform::error::ApiError;
use platform::outbox::{Channel, Message};
use platform::phone::Mobile;
use site::{Merchant, Switch};

const LINK_LIFE: chrono::Duration = chrono::Duration::minutes(30);

const HOUR: Duration = Duration::from_secs(3_600);
const PER_ADDRESS: Budget = Budget { name: "sessions.recovery.address", limit: 10, window: HOUR };
/// Of a name and an address together, whether they are a member's or not: who does not know the
/// address cannot use up the owner's mails, and learns nothing about members.
const PER_PAIR: Budget = Budget { name: "sessions.recovery.pair", limit: 5, window: HOUR };

/// Of looks at links, by whoever they came to.
const LOOKS: Budget = Budget { name: "sessions.recovery.looks", limit: 60, window: HOUR };

/// Where all answers are the same they also come at the same time, which is longer than writing a
/// mail takes.
const EVEN_ANSWER: Duration = Duration::from_millis(500);

/// Mails a link to the member whose username and address these are.
pub(super) async fn mail_link(
    app: &Identity,
    visitor: &Visitor,
    (username, email): (&str, &str),
) -> Result<(), ApiError> {
    let earliest = Instant::now() + EVEN_ANSWER;
    take_budgets(app, visitor, (username, email)).await?;
    let merchant = &visitor.merchant;
    let found = members::find_recipient(&app.members, merchant, username, email).await?;
    if merchant.allows(Switch::UniformRecovery) {
        // No failure is noted either: harder challenges would tell of it.
        if let Some(recipient) = found {
            send_link(app, visitor, recipient).await?;
        }
        sleep_until(earliest).await;
        return Ok(());
    }
    match found {
        Some(recipient) => send_link(app, visitor, recipient).await,
        None => {
            human::note_failure(app, visitor).await?;
            members::check_username(merchant, username)?;
            Err(ApiError::new(members::codes::UNKNOWN))
        }
    }
}

async fn take_budgets(
    app: &Identity,
    visitor: &Visitor,
    (username, email): (&str, &str),
) -> Result<(), ApiError> {
    let now = app.clock.now();
    let merchant = &visitor.merchant;
    let (name, email) = (members::login_key(merchant, username), email.trim().to_lowercase());
    let pair = format!("{} {name} {email}", merchant.id);
    let mut db = app.db.acquire().await?;
    app.budgets.take(&mut db, &PER_ADDRESS, &visitor.address_key(), now).await?;
    app.budgets.take(&mut db, &PER_PAIR, &pair, now).await?;
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
        // What is behind the # is sent to nobody, so no server on the way writes it down.
        let link = format!("{}/login#recover={}", merchant.origin(&app), token.text());
        let shown = (link.as_str(), LINK_LIFE.num_minutes());
        let (subject, text) =
            texts::write(visitor.language, &merchant.name, &recipient.account, shown);
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

fn link_over() -> ApiError {
    ApiError::new(codes::LINK_OVER)
}

/// A link that is good now on a merchant's site.
async fn living_link(app: &Identity, merchant: &Merchant, link: &str) -> Result<Token, ApiError> {
    let link = Token::parse(link).ok_or_else(link_over)?;
    if !store::has_link(&app.db, &link, merchant.id, app.clock.now()).await? {
        return Err(link_over());
    }
    asker::note_account(link.member_id);
    Ok(link)
}

/// Whether a link is good, and no more: it is not used up, and nothing is said of its member.
pub(super) async fn look_at_link(
    app: &Identity,
    visitor: &Visitor,
    link: &str,
) -> Result<(), ApiError> {
    let mut db = app.db.acquire().await?;
    app.budgets.take(&mut db, &LOOKS, &visitor.address_key(), app.clock.now()).await?;
    drop(db);
    living_link(app, &visitor.merchant, link).await.map(drop)
}

/// Sets the password of the member to whom a link was mailed. A password that is refused does not
/// cost the link.
pub(super) async fn reset_by_link(
    app: &Identity,
    merchant: Arc<Merchant>,
    link: &str,
    password: NewPassword,
    visit: Visit,
) -> Result<(), ApiError> {
    // Looked at first: hashing is not done for whoever has no link.
    let link = living_link(app, &merchant, link).await?;
    let change =
        members::check_new_password(&app.members, &merchant, link.member_id, password).await?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let state = members::hold_alone(&mut tx, link.member_id).await?;
        if !store::delete_link(&mut tx, &link, merchant.id, app.clock.now()).await? {
            return Err(link_over());
        }
        state.require_active()?;
        let ended = set_password(&app, &mut tx, (&merchant, link.member_id), &change).await?;
        if let Some(profile) = members::find_profile(&mut tx, link.member_id).await? {
            let name = (&*merchant, profile.account.as_str());
            guard::forget_tries(&app, &mut tx, name, &visit).await?;
        }
        // Whoever reads the member's mail is the owner: the login that follows is no stranger's. With a
        // second factor that is not known yet, and a known device would have tries of its own at it.
        if !two_factor::has_factor(&mut tx, link.member_id).await? {
            known::note_arrival(&app, &mut tx, link.member_id, &visit, app.clock.now()).await?;
        }
        let committed = db::commit(tx).await;
        ended.forget(&app);
        committed
    })
    .await
}

/// Sets the password of the member whose phone got a code, and logs it in.
pub(super) async fn reset_by_code(
    app: &Identity,
    visitor: &Visitor,
    (mobile, code): (Mobile, Option<&str>),
    password: NewPassword,
    visit: Visit,
) -> Result<Entered, ApiError> {
    let merchant = &visitor.merchant;
    // Whatever can be told before costs no try at the code.
    members::check_password_shape(&app.members, merchant, &password, &[mobile.e164()])?;
    let to = Destination::Mobile(mobile.clone());
    let found = members::find_by_mobile(&app.db, merchant.id, &mobile).await?;
    if let Some(id) = found {
        asker::note_account(id);
    }
    let wanted = (Purpose::Recovery, Asker::Browser(visit.device_hash));
    let proof = verify::check(app, visitor, wanted, &to, code).await?;
    let gone = || ApiError::new(codes::VERIFICATION_CODE_INVALID);
    let member_id = found.ok_or_else(gone)?;
    let change = members::check_new_password(&app.members, merchant, member_id, password).await?;
    let merchant = Arc::clone(merchant);
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        verify::spend(&mut tx, proof).await?;
        members::hold_alone(&mut tx, member_id).await?.require_active()?;
        let ended = set_password(&app, &mut tx, (&merchant, member_id), &change).await?;
        let profile = members::find_profile(&mut tx, member_id).await?.ok_or_else(gone)?;
        let name = (&*merchant, profile.account.as_str());
        guard::forget_tries(&app, &mut tx, name, &visit).await?;
        let way = (Method::Recovery, visit);
        let entered = enter::enter_in(&app, &mut tx, &profile, way, false).await?;
        let committed = db::commit(tx).await;
        ended.forget(&app);
        committed?;
        Ok(entered)
    })
    .await
}

/// Sets a password for somebody who may be anywhere: every session of the member ends.
async fn set_password(
    app: &Identity,
    tx: &mut PgTransaction<'static>,
    (merchant, member_id): (&Merchant, Uuid),
    change: &ReadyChange,
) -> Result<Ended, ApiError> {
    close_ways_back(tx, member_id).await?;
    if !members::change_password(&app.members, tx, change).await? {
        return Err(ApiError::unavailable("the password was changed at the same time"));
    }
    members::notify(&app.members, tx, (merchant, member_id), Notice::Password).await?;
    ops::end_all(app, tx, member_id, None).await
}

/// Takes away what the old password, or the lack of it, has led to: links, remembered passwords,
/// log-ins that wait for their second factor. Comes before the password itself is written, always,
/// so that two changes do not wait for each other in a circle.
pub(crate) async fn close_ways_back(
    tx: &mut PgTransaction<'static>,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    store::delete_links(tx, member_id).await?;
    remember_store::delete_shares(tx, member_id).await?;
    two_factor::drop_tickets(tx, member_id).await
}
