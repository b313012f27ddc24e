//! Starting and ending sessions.

use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

use crate::Identity;
use crate::sessions::arrival::Visit;
use crate::sessions::device::Device;
use crate::sessions::known;
use crate::sessions::live::Key;
use crate::sessions::model::{DeviceId, Factor, HANDING_OVER, Method, SEEN_EVERY, Session, Token};
use crate::sessions::store;
use members::{MemberKind, Profile};
use platform::asker;
use platform::codes::ErrorCode;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};

/// A session that has just begun.
pub struct Started {
    /// The token for the page.
    pub token: String,
    /// Whether the member had never logged in before.
    pub first_time: bool,
    /// Whether the password has to be changed before anything else.
    pub password_expired: bool,
    /// Whose session it is.
    pub member_id: Uuid,
}

/// What a first factor leads to.
pub enum Entered {
    /// A session.
    Started(Started),
    /// A ticket: the member has a second factor.
    Ticket(String),
}

/// Ends a session and tells the member's open pages.
pub(crate) async fn logout(app: &Identity, token: Token) -> Result<(), ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        // Not while another change locks the member's sessions in another order.
        members::hold_state(&mut tx, token.member_id).await?;
        let now = app.clock.now();
        let hashes = store::update_ended(&mut tx, &token, now).await?;
        record_end(&mut tx, token.member_id, None, now).await?;
        let committed = db::commit(tx).await;
        Ended::of(token.member_id, hashes).forget(&app);
        committed
    })
    .await
}

/// Ends the session of a page that has begun another one. A demo's is left to its time: its page hears of
/// the end before it has the new token, and would go back to the log-in.
pub(crate) async fn end_former(
    app: &Identity,
    token: Token,
    device_hash: [u8; 32],
) -> Result<(), ApiError> {
    let session = store::find_session(&app.db, &token, &device_hash, app.clock.now()).await?;
    match session {
        Some(session) if session.kind != MemberKind::Trial => logout(app, token).await,
        Some(_) | None => Ok(()),
    }
}

/// Tells a member's open pages that one of its sessions has ended; each looks whether it is its own,
/// and may say why.
async fn record_end(
    tx: &mut sqlx::PgTransaction<'static>,
    member_id: Uuid,
    why: Option<ErrorCode>,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let topic = Topic::Member(member_id).key();
    let event = match why {
        Some(code) => json!({ "type": "session_ended", "why": code }),
        None => json!({ "type": "session_ended" }),
    };
    Ok(push::record(tx, new_id(now), &topic, &event, now).await?)
}

/// Sessions that a transaction ends; to be forgotten whatever becomes of its commit.
#[must_use]
pub(crate) struct Ended(Vec<Key>);

impl Ended {
    fn of(member_id: Uuid, hashes: Vec<[u8; 32]>) -> Self {
        Self(hashes.into_iter().map(|hash| (member_id, hash)).collect())
    }

    /// Makes this node ask the database about them, and open pages hear of it.
    pub(crate) fn forget(self, app: &Identity) {
        for key in self.0 {
            app.live_sessions.forget_key(key);
        }
        app.push.wake();
    }
}

/// Ends all sessions of a token's member but the token's own.
pub(crate) async fn end_others(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    token: &Token,
) -> Result<Ended, ApiError> {
    let now = app.clock.now();
    let hashes = store::update_others_ended(tx, token, now).await?;
    record_end(tx, token.member_id, None, now).await?;
    Ok(Ended::of(token.member_id, hashes))
}

/// Gives a session another token, so that one that somebody has copied is worth nothing.
pub(crate) async fn renew_token(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    old: &Token,
) -> Result<Token, ApiError> {
    let new = Token::new(old.member_id);
    match store::replace_token(tx, old, &new, app.clock.now() + HANDING_OVER).await? {
        true => Ok(new),
        false => Err(ApiError::new(platform::codes::SESSION_REQUIRED)),
    }
}

/// Ends all sessions of a token's member but the token's own, in a transaction of its own.
pub(crate) async fn end_all_others(app: &Identity, token: Token) -> Result<(), ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        // Two who end each other's sessions take turns.
        members::hold_alone(&mut tx, token.member_id).await?;
        require_current(&mut tx, &token).await?;
        let ended = end_others(&app, &mut tx, &token).await?;
        let committed = db::commit(tx).await;
        ended.forget(&app);
        committed
    })
    .await
}

/// Ends all sessions of a member; its open pages are told why, where they can say more than that
/// the session is over.
pub(crate) async fn end_all(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    member_id: Uuid,
    why: Option<ErrorCode>,
) -> Result<Ended, ApiError> {
    let now = app.clock.now();
    let hashes = store::update_all_ended(tx, member_id, now).await?;
    record_end(tx, member_id, why, now).await?;
    Ok(Ended::of(member_id, hashes))
}

/// Refuses a token that was replaced: whoever has copied it must not end the session that goes on
/// with the new one.
async fn require_current(
    tx: &mut sqlx::PgTransaction<'static>,
    token: &Token,
) -> Result<(), ApiError> {
    match store::is_current(tx, token).await? {
        true => Ok(()),
        false => Err(ApiError::new(platform::codes::SESSION_REQUIRED)),
    }
}

/// Ends one of the sessions of a token's member; false where there is no such live one.
pub(crate) async fn end_device(
    app: &Identity,
    token: Token,
    device: DeviceId,
) -> Result<bool, ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        // Not between another's change of the token and its commit.
        members::hold_state(&mut tx, token.member_id).await?;
        require_current(&mut tx, &token).await?;
        let Some(ended) = end_device_in(&app, &mut tx, token.member_id, device).await? else {
            return Ok(false);
        };
        let committed = db::commit(tx).await;
        ended.forget(&app);
        committed?;
        Ok(true)
    })
    .await
}

/// The same in a transaction.
pub(crate) async fn end_device_in(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    member_id: Uuid,
    device: DeviceId,
) -> Result<Option<Ended>, ApiError> {
    let now = app.clock.now();
    let hashes = store::update_device_ended(tx, member_id, &device, now).await?;
    if hashes.is_empty() {
        return Ok(None);
    }
    record_end(tx, member_id, None, now).await?;
    Ok(Some(Ended::of(member_id, hashes)))
}

/// Begins a session in a transaction, unless the account is frozen or closed.
pub(crate) async fn start(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    profile: &Profile,
    way: (Method, Visit),
    must_change: bool,
) -> Result<Started, ApiError> {
    asker::note_account(profile.id);
    members::hold_state(tx, profile.id).await?.require_active()?;
    begin(app, tx, profile, (way, None), must_change).await
}

/// Begins the session of an account that the transaction holds active, and notes the log-in.
pub(crate) async fn begin(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    profile: &Profile,
    ((method, visit), factor): ((Method, Visit), Option<Factor>),
    must_change: bool,
) -> Result<Started, ApiError> {
    // Whoever came without the password may have forgotten it.
    let is_asked = matches!(method, Method::Username)
        && members::is_asked_for_password(tx, profile.id).await?;
    let must_change = must_change || is_asked;
    let now = app.clock.now();
    let token = Token::new(profile.id);
    let session =
        store::NewSession { profile, token: &token, visit: &visit, must_change, method, factor };
    let first_time = store::insert_session(tx, &session, now).await?;
    if profile.kind != MemberKind::Trial {
        known::note_arrival(app, tx, profile.id, &visit, now).await?;
    }
    let (token, member_id) = (token.text(), profile.id);
    Ok(Started { token, first_time, password_expired: must_change, member_id })
}

/// The live session that a token and the device's cookie make together on a merchant's site,
/// as the database has it now. Looking does not prolong it.
pub(crate) async fn find_live(
    app: &Identity,
    token: &Token,
    device: &Device,
    merchant_id: Uuid,
) -> Result<Option<Session>, ApiError> {
    let Some(device_hash) = device.hash() else { return Ok(None) };
    let session = store::find_session(&app.db, token, &device_hash, app.clock.now()).await?;
    Ok(session.filter(|session| session.merchant_id == merchant_id))
}

/// The live session of a request, which counts as a sign of life.
pub(crate) async fn find_and_touch(
    app: &Identity,
    token: &Token,
    device: &Device,
    merchant_id: Uuid,
) -> Result<Option<Session>, ApiError> {
    let Some(device_hash) = device.hash() else { return Ok(None) };
    let now = app.clock.now();
    let session = find_recent(app, token, device_hash, now).await?;
    let Some(session) = session.filter(|session| session.merchant_id == merchant_id) else {
        return Ok(None);
    };
    if now - session.seen_at > SEEN_EVERY {
        store::update_seen(&app.db, token, now).await?;
        app.live_sessions.touch(token, now);
    }
    Ok(Some(session))
}

/// The live session of a token on its device, as this node has read it within the last second.
async fn find_recent(
    app: &Identity,
    token: &Token,
    device_hash: [u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<Session>, ApiError> {
    let known = app.live_sessions.find(token, &device_hash);
    if let Some(session) = known.filter(|session| session.is_live(now)) {
        return Ok(Some(session));
    }
    let reading = app.live_sessions.begin_reading(token);
    let session = store::find_session(&app.db, token, &device_hash, now).await?;
    if let Some(session) = session {
        app.live_sessions.keep(token, device_hash, session, &reading);
    }
    Ok(session)
}
