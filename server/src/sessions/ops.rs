//! Starting and ending sessions.

use std::sync::Arc;

use axum::http::HeaderMap;
use capiz_rules::names;
use futures_util::future::BoxFuture;
use serde_json::json;
use uuid::Uuid;

use super::device::{self, Device};
use super::model::{SEEN_EVERY, Session, Token};
use super::store;
use crate::app::App;
use crate::codes::ErrorCode;
use crate::members::{self, Credentials, NewMember, Profile};
use crate::platform::error::ApiError;
use crate::platform::ids::new_id;
use crate::platform::push::{self, Topic};
use crate::site::{Merchant, Switch};

/// A session that has just begun.
pub struct Started {
    /// The token for the page.
    pub token: String,
    /// Whether the member had never logged in before.
    pub first_time: bool,
    /// Whose session it is.
    pub member_id: Uuid,
}

/// Makes a member and logs it in on a device.
pub async fn register(
    app: &App,
    merchant: Arc<Merchant>,
    given: Credentials,
    device_hash: [u8; 32],
) -> Result<Started, ApiError> {
    for switch in [Switch::Registration, Switch::UsernameRegistration] {
        require(&merchant, switch)?;
    }
    let username = given.username.trim().to_owned();
    check_credentials(&username, &given.password)?;
    let hash = app.passwords.hash(given.password).await?;
    app.run(move |app| async move {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let member =
            members::create_with_password(&mut tx, &merchant, (&username, &hash), now).await?;
        tell_listeners(&app, &mut tx, &member).await?;
        let started = start(&app, &mut tx, &member.profile, &device_hash).await?;
        tx.commit().await?;
        Ok(started)
    })
    .await
}

fn check_credentials(username: &str, password: &str) -> Result<(), ApiError> {
    let mut fields = Vec::new();
    fields.extend(names::check_username(username).err().map(|code| ("username", code.as_str())));
    let checked = names::check_password(password, username);
    fields.extend(checked.err().map(|code| ("password", code.as_str())));
    if fields.is_empty() { Ok(()) } else { Err(ApiError::fields(fields)) }
}

/// Makes a demo account and logs it in on a device.
pub async fn start_trial(
    app: &App,
    merchant: Arc<Merchant>,
    device_hash: [u8; 32],
) -> Result<Started, ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let member = members::create_trial(&mut tx, &merchant, app.clock.now()).await?;
        tell_listeners(&app, &mut tx, &member).await?;
        let started = start(&app, &mut tx, &member.profile, &device_hash).await?;
        tx.commit().await?;
        Ok(started)
    })
    .await
}

/// Logs a member in by username and password.
pub(super) async fn login(
    app: &App,
    merchant: &Merchant,
    given: Credentials,
    device_hash: [u8; 32],
) -> Result<Started, ApiError> {
    require(merchant, Switch::UsernameLogin)?;
    let found = members::find_by_credentials(&app.db, &app.passwords, merchant.id, given).await?;
    let profile = found.ok_or_else(|| ApiError::new(ErrorCode::SessionWrongCredentials))?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let started = start(&app, &mut tx, &profile, &device_hash).await?;
        tx.commit().await?;
        Ok(started)
    })
    .await
}

/// Ends a session and tells the member's open pages.
pub(super) async fn logout(app: &App, token: Token) -> Result<(), ApiError> {
    app.run(move |app| async move {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        store::update_ended(&mut tx, &token, now).await?;
        let topic = Topic::Member(token.member_id).key();
        push::record(&mut tx, new_id(now), &topic, &json!({ "type": "session_ended" }), now)
            .await?;
        tx.commit().await?;
        app.push.wake();
        Ok(())
    })
    .await
}

fn require(merchant: &Merchant, switch: Switch) -> Result<(), ApiError> {
    if merchant.allows(switch) { Ok(()) } else { Err(ApiError::new(ErrorCode::SiteSwitchedOff)) }
}

async fn tell_listeners(
    app: &App,
    tx: &mut sqlx::PgTransaction<'static>,
    member: &NewMember,
) -> Result<(), ApiError> {
    for listener in app.on_registered {
        listener(tx, member).await?;
    }
    Ok(())
}

async fn start(
    app: &App,
    tx: &mut sqlx::PgTransaction<'static>,
    profile: &Profile,
    device_hash: &[u8; 32],
) -> Result<Started, ApiError> {
    let now = app.clock.now();
    let token = Token::new(profile.id);
    store::insert_session(tx, profile, &token, device_hash, now).await?;
    let first_time = store::update_logins(tx, profile.id, now).await?;
    Ok(Started { token: token.text(), first_time, member_id: profile.id })
}

/// The live session that a token and the request's cookie make together.
pub(super) async fn find_live(
    app: &App,
    token: &Token,
    headers: &HeaderMap,
) -> Result<Option<Session>, ApiError> {
    let Some(device_hash) = device::hash_of(headers) else { return Ok(None) };
    let now = app.clock.now();
    let session = store::find_session(&app.db, token, &device_hash, now).await?;
    if let Some(session) = &session
        && now - session.seen_at > SEEN_EVERY
    {
        store::update_seen(&app.db, token, now).await?;
    }
    Ok(session)
}

/// The device of a request, for a login on it.
pub(super) fn device(app: &App, headers: &HeaderMap) -> Device {
    Device::find_or_new(headers, app.speaks_tls())
}

/// Removes sessions whose time is over; a job.
pub async fn purge(app: &App) -> Result<u64, sqlx::Error> {
    store::delete_over(&app.db, app.clock.now()).await
}

/// Tells the push socket whose token it was shown.
pub struct SocketIdentity(pub App);

impl push::Identify for SocketIdentity {
    fn identify<'a>(
        &'a self,
        token: &'a str,
        headers: &'a HeaderMap,
    ) -> BoxFuture<'a, Result<Option<Uuid>, ApiError>> {
        Box::pin(async move {
            let Some(token) = Token::parse(token) else { return Ok(None) };
            let session = find_live(&self.0, &token, headers).await?;
            Ok(session.map(|_| token.member_id))
        })
    }
}
