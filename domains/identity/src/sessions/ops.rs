//! Starts, renews, finds and ends sessions.

use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

use crate::Identity;
use crate::sessions::arrival::Visit;
use crate::sessions::device::Device;
use crate::sessions::known;
use crate::sessions::live::Key;
use crate::sessions::model::{DeviceId, Factor, Method, SEEN_EVERY, Session, TOKEN_GRACE, Token};
use crate::sessions::store;
use members::{MemberKind, Profile};
use platform::codes::ErrorCode;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};
use platform::request_context;

/// A session that has just started.
pub struct Started {
    /// The session token for the page.
    pub token: String,
    /// Whether it is the first login of the member.
    pub first_time: bool,
    /// Whether the password must be changed before anything else.
    pub password_expired: bool,
    /// The member of the session.
    pub member_id: Uuid,
}

/// The outcome of a right first factor.
pub enum LoginOutcome {
    /// A started session.
    Started(Started),
    /// A ticket for the second step, because the member has a second factor.
    Ticket(String),
}

/// Ends a session and notifies the member's open pages.
pub(crate) async fn logout(app: &Identity, token: Token) -> Result<(), ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        // Lock the profile row first, so that concurrent changes lock the member's sessions in one
        // order and cannot deadlock.
        members::lock_state_shared(&mut tx, token.member_id).await?;
        let now = app.clock.now();
        let hashes = store::update_ended(&mut tx, &token, now).await?;
        record_end(&mut tx, token.member_id, None, now).await?;
        let committed = db::commit(tx).await;
        Ended::of(token.member_id, hashes).forget(&app);
        committed
    })
    .await
}

/// Ends the previous session of a page that has started a new one. The session of a demo account is
/// left to time out: its page would receive the event before the new token and return to the login
/// page.
pub(crate) async fn end_previous_session(
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

/// Records a push event that a session of the member has ended. Each open page checks whether it is
/// its own session; `why` is a reason to show.
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

/// Sessions that a transaction ends. They must be removed from the cache whether its commit
/// succeeds or fails.
#[must_use]
pub(crate) struct Ended(Vec<Key>);

impl Ended {
    fn of(member_id: Uuid, hashes: Vec<[u8; 32]>) -> Self {
        Self(hashes.into_iter().map(|hash| (member_id, hash)).collect())
    }

    /// Removes the sessions from the cache of this node and wakes the push relay.
    pub(crate) fn forget(self, app: &Identity) {
        for key in self.0 {
            app.live_sessions.forget_key(key);
        }
        app.push.wake();
    }
}

/// Ends all sessions of the token's member except the token's own.
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

/// Replaces the token of a session, so that a stolen token becomes useless.
pub(crate) async fn renew_token(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    old: &Token,
) -> Result<Token, ApiError> {
    let new = Token::new(old.member_id);
    match store::replace_token(tx, old, &new, app.clock.now() + TOKEN_GRACE).await? {
        true => Ok(new),
        false => Err(ApiError::new(platform::codes::SESSION_REQUIRED)),
    }
}

/// Like [`end_others`], in a transaction of its own.
pub(crate) async fn end_all_others(app: &Identity, token: Token) -> Result<(), ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        // Lock the profile row exclusively: two sessions that end each other run one after the
        // other.
        members::lock_state_exclusive(&mut tx, token.member_id).await?;
        require_current(&mut tx, &token).await?;
        let ended = end_others(&app, &mut tx, &token).await?;
        let committed = db::commit(tx).await;
        ended.forget(&app);
        committed
    })
    .await
}

/// Ends all sessions of a member. The push event carries the reason, if there is one to show.
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

/// Refuses a replaced token in its grace period: a stolen old token must not end the session that
/// continues with the new one.
async fn require_current(
    tx: &mut sqlx::PgTransaction<'static>,
    token: &Token,
) -> Result<(), ApiError> {
    match store::is_current(tx, token).await? {
        true => Ok(()),
        false => Err(ApiError::new(platform::codes::SESSION_REQUIRED)),
    }
}

/// Ends one session of the token's member; false if there is no such live session.
pub(crate) async fn end_device(
    app: &Identity,
    token: Token,
    device: DeviceId,
) -> Result<bool, ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        // Lock the profile row, so that the token cannot be replaced by an uncommitted transaction
        // meanwhile.
        members::lock_state_shared(&mut tx, token.member_id).await?;
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

/// Like [`end_device`], in the caller's transaction.
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

/// Starts a session in a transaction, unless the account is frozen or closed.
pub(crate) async fn start(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    profile: &Profile,
    login: (Method, Visit),
    must_change: bool,
) -> Result<Started, ApiError> {
    request_context::set_account(profile.id);
    members::lock_state_shared(tx, profile.id).await?.require_active()?;
    begin(app, tx, profile, (login, None), must_change).await
}

/// Starts a session and records the login. The transaction must hold the profile row of an active
/// account.
pub(crate) async fn begin(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    profile: &Profile,
    ((method, visit), factor): ((Method, Visit), Option<Factor>),
    must_change: bool,
) -> Result<Started, ApiError> {
    // The new password is required only after a login by password: members who logged in otherwise
    // may have forgotten it.
    let must_renew = matches!(method, Method::Username)
        && members::is_asked_for_password(tx, profile.id).await?;
    let must_change = must_change || must_renew;
    let now = app.clock.now();
    let token = Token::new(profile.id);
    let session =
        store::NewSession { profile, token: &token, visit: &visit, must_change, method, factor };
    let first_time = store::insert_session(tx, &session, now).await?;
    if profile.kind != MemberKind::Trial {
        known::remember_login(app, tx, profile.id, &visit, now).await?;
    }
    let (token, member_id) = (token.text(), profile.id);
    Ok(Started { token, first_time, password_expired: must_change, member_id })
}

/// The live session of a token and a device cookie on a merchant's site, read from the database. It
/// does not extend the session.
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

/// The live session of a request; the request extends it.
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

/// The live session of a token on its device, from the cache or the database.
async fn find_recent(
    app: &Identity,
    token: &Token,
    device_hash: [u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<Session>, ApiError> {
    let cached = app.live_sessions.find(token, &device_hash);
    if let Some(session) = cached.filter(|session| session.is_live(now)) {
        return Ok(Some(session));
    }
    let reading = app.live_sessions.begin_reading(token);
    let session = store::find_session(&app.db, token, &device_hash, now).await?;
    if let Some(session) = session {
        app.live_sessions.keep(token, device_hash, session, &reading);
    }
    Ok(session)
}
