//! Logging in to the office, being there, and leaving.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use sqlx::Acquire;
use uuid::Uuid;

use super::model::{Actor, IDLE, LIFE, OnDuty, Person, SEEN_EVERY};
use super::proof::{self, Shown};
use super::rights::Right;
use super::socket;
use super::store::{self, CredentialsRow, NewSession, RoleRow, SessionRow};
use super::trail::{self, Deed};
use super::tries::{self, Tries};
use crate::Staff;
use crate::codes;
use platform::asker;
use platform::cookies::BrowserSecret;
use platform::db;
use platform::error::ApiError;
use platform::guessable::is_guessable;
use platform::totp::TotpSecret;

/// A time step before all others: no code has it, and it counts as used.
pub(super) const NO_STEP: i64 = -1;
/// The most sessions that a list shows.
const SESSIONS_MAX: i64 = 100;

/// Somebody who wants to come in.
pub(super) struct Attempt {
    pub(super) username: String,
    pub(super) password: String,
    pub(super) code: String,
    pub(super) address: IpAddr,
    pub(super) agent: Option<String>,
    /// The session that the browser has already.
    pub(super) former: Option<BrowserSecret>,
}

pub(super) fn hash_of(secret: &BrowserSecret) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// What a browser keeps once it is in: the one for the session, the other for what is grave.
pub(super) struct Secrets {
    pub(super) session: BrowserSecret,
    /// Whoever has only the first one proves nothing with it.
    pub(super) proof: Option<BrowserSecret>,
}

/// Lets somebody in who has name, password and code. Which of them was wrong is not told, and a
/// name that nobody has takes every step of one that somebody has, so that the time tells neither.
pub(super) async fn login(
    app: &Staff,
    attempt: Attempt,
    (secret, proof): (&BrowserSecret, &BrowserSecret),
) -> Result<OnDuty, ApiError> {
    tries::take(app, Tries::AtTheDoor(&attempt.username, attempt.address)).await?;
    let refused = || ApiError::new(codes::LOGIN_REFUSED);
    // Usernames are ASCII. The database may fold letters to these that count as others in the budgets of names.
    let found = match attempt.username.is_ascii() {
        true => store::find_credentials(&app.db, &attempt.username).await?,
        false => None,
    };
    if let Some(row) = &found {
        asker::note_account(row.id);
    }
    let hash = found.as_ref().map(|row| row.password_hash.clone());
    let fits = app.passwords.fits(attempt.password.clone(), hash).await?;
    let is_known = found.is_some();
    let row = found.unwrap_or_else(|| nobody(app));
    let step = find_step(app, &row, &attempt.code)?;
    let (token_hash, proof_hash) = (hash_of(secret), hash_of(proof));
    let entered = app.run(move |app| async move {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let step = step.unwrap_or(NO_STEP);
        let is_new_code = store::update_step(&mut tx, &row, step).await?;
        let is_over = row.password_until.is_some_and(|until| until <= now);
        if !(is_known && fits && row.is_active && is_new_code) || is_over {
            tx.rollback().await?;
            note_refusal(&app, (row.id, is_known), attempt.address).await?;
            return Ok(None);
        }
        let person = on_duty(&app, &mut tx, row.id, token_hash, attempt.address).await?;
        let previous_login_at = person.person.last_login_at;
        let session = NewSession {
            previous_login_at,
            token_hash: &token_hash,
            proof_hash: &proof_hash,
            person_id: row.id,
            address: attempt.address.to_string(),
            agent: attempt.agent.as_deref(),
            now,
            ends_at: now + LIFE,
        };
        if let Some(former) = &attempt.former {
            end_former(&app, &mut tx, &person.actor(), former).await?;
        }
        store::insert_session(&mut tx, &session).await?;
        store::update_last_login(&mut tx, row.id, now).await?;
        let deed = Deed::plain("staff.login", subject(row.id));
        trail::record(&app, &mut tx, &person.actor(), deed).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(Some(OnDuty { previous_login_at, ..person }))
    });
    entered.await?.ok_or_else(refused)
}

/// Ends the session of a browser that begins another one, whoever it was.
async fn end_former(
    app: &Staff,
    tx: &mut sqlx::PgTransaction<'_>,
    actor: &Actor,
    secret: &BrowserSecret,
) -> Result<(), ApiError> {
    let Some(person_id) = store::delete_former(tx, &hash_of(secret)).await? else { return Ok(()) };
    let deed = Deed::plain("staff.session_end", subject(person_id));
    trail::record(app, tx, actor, deed).await?;
    Ok(socket::tell_end(app, tx, person_id).await?)
}

/// What a name is held against that nobody has.
fn nobody(app: &Staff) -> CredentialsRow {
    CredentialsRow {
        id: Uuid::nil(),
        password_hash: String::new(),
        password_until: None,
        factor: app.office.decoy.clone(),
        is_active: false,
    }
}

/// Somebody tried a name. Only one that exists stands in the trail, or strangers could fill it; for
/// the others the same is done and taken back.
async fn note_refusal(
    app: &Staff,
    (id, is_known): (Uuid, bool),
    address: IpAddr,
) -> Result<(), ApiError> {
    let actor = Actor { id: None, name: "stranger".to_owned(), address: Some(address) };
    let mut tx = app.db.begin().await?;
    let mut note = tx.begin().await?;
    let deed = Deed::plain("staff.login_refused", subject(id));
    trail::record(app, &mut note, &actor, deed).await?;
    match is_known {
        true => note.commit().await?,
        false => note.rollback().await?,
    }
    db::commit(tx).await
}

pub(super) fn find_step(
    app: &Staff,
    row: &CredentialsRow,
    code: &str,
) -> Result<Option<i64>, ApiError> {
    let secret = app.office.factors.open(row.id.as_bytes(), &row.factor);
    let secret = TotpSecret::from_bytes(secret.map_err(ApiError::internal)?);
    let now_s = u64::try_from(app.clock.now().timestamp()).map_err(ApiError::internal)?;
    secret.find_step(code.trim(), now_s)
}

/// A person in the trail.
pub(super) fn subject(id: Uuid) -> String {
    format!("person:{id}")
}

async fn on_duty(
    app: &Staff,
    db: &mut sqlx::PgConnection,
    id: Uuid,
    token_hash: [u8; 32],
    address: IpAddr,
) -> Result<OnDuty, ApiError> {
    let over = || ApiError::new(platform::codes::SESSION_REQUIRED);
    let person = store::find_person(db, id).await?.ok_or_else(over)?;
    if !person.is_active {
        return Err(over());
    }
    let roles = store::list_roles(db).await?;
    let mut rights = rights_of(app, &person.roles, &roles);
    if person.must_change {
        rights.clear();
    }
    Ok(OnDuty { person, rights, token_hash, proved_at: None, previous_login_at: None, address })
}

/// The union of what some roles may do.
fn rights_of(app: &Staff, names: &[String], roles: &[RoleRow]) -> Vec<Right> {
    let mine: Vec<_> = roles.iter().filter(|role| names.contains(&role.name)).collect();
    let has = |right: &Right| {
        mine.iter().any(|role| role.has_all || role.rights.iter().any(|name| name == right.text()))
    };
    app.rights().iter().copied().filter(has).collect()
}

impl SessionRow {
    /// When it ends if nothing prolongs it.
    fn good_until(&self) -> DateTime<Utc> {
        self.ends_at.min(self.seen_at + IDLE)
    }
}

/// Whose session the secret of a browser stands for, and until when if nothing prolongs it. To
/// look does not.
pub(super) async fn find_live(
    app: &Staff,
    secret: &BrowserSecret,
) -> Result<Option<(Person, DateTime<Utc>)>, ApiError> {
    let session = store::find_session(&app.db, &hash_of(secret)).await?;
    let live = session.filter(|session| session.good_until() > app.clock.now());
    let Some(session) = live else { return Ok(None) };
    let mut connection = app.db.acquire().await?;
    let person = store::find_person(&mut connection, session.person_id).await?;
    Ok(person.map(|person| (person, session.good_until())))
}

/// Who the secrets of a browser stand for. What the page asks by itself is no use of the session.
pub(super) async fn find_on_duty(
    app: &Staff,
    secrets: &Secrets,
    address: IpAddr,
    is_use: bool,
) -> Result<OnDuty, ApiError> {
    let (now, token_hash) = (app.clock.now(), hash_of(&secrets.session));
    let session = store::find_session(&app.db, &token_hash).await?;
    let session = session.filter(|session| session.good_until() > now);
    let session = session.ok_or_else(|| ApiError::new(platform::codes::SESSION_REQUIRED))?;
    if is_use && session.seen_at + SEEN_EVERY <= now {
        store::update_seen(&app.db, &token_hash, now).await?;
    }
    let mut connection = app.db.acquire().await?;
    let person = on_duty(app, &mut connection, session.person_id, token_hash, address).await?;
    asker::note_account(person.person.id);
    let SessionRow { proved_at, proof_hash, previous_login_at, .. } = session;
    let shown = secrets.proof.as_ref().map(|secret| hash_of(secret).to_vec());
    let proved_at = proved_at.filter(|_| shown.is_some() && shown == proof_hash);
    Ok(OnDuty { proved_at, previous_login_at, ..person })
}

/// Ends the session that asks.
pub(super) async fn logout(app: &Staff, person: OnDuty) -> Result<(), ApiError> {
    let half = person.token_hash[..16].to_vec();
    end_session(app, &person, half, "staff.logout").await
}

/// Ends one of the person's own sessions.
pub(super) async fn revoke(app: &Staff, person: &OnDuty, half: Vec<u8>) -> Result<(), ApiError> {
    end_session(app, person, half, "staff.session_end").await
}

async fn end_session(
    app: &Staff,
    person: &OnDuty,
    half: Vec<u8>,
    action: &'static str,
) -> Result<(), ApiError> {
    let (id, actor) = (person.person.id, person.actor());
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        if !store::delete_session(&mut tx, id, &half).await? {
            return Err(ApiError::new(platform::codes::SESSION_UNKNOWN));
        }
        trail::record(&app, &mut tx, &actor, Deed::plain(action, subject(id))).await?;
        socket::tell_end(&app, &mut tx, id).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(())
    })
    .await
}

pub(super) async fn list_sessions(app: &Staff, id: Uuid) -> Result<Vec<SessionRow>, ApiError> {
    let now = app.clock.now();
    Ok(store::list_sessions(&app.db, id, (now - IDLE, now), SESSIONS_MAX).await?)
}

/// A new password, against the old one and a code; all other sessions of the person end. As with a proof, which of both
/// was wrong is not told: with a session of somebody else passwords could be tried without the authenticator.
pub(super) async fn change_password(
    app: &Staff,
    person: &OnDuty,
    Shown { password: old, code, secret }: Shown,
    new: String,
) -> Result<(), ApiError> {
    let id = person.person.id;
    check_password(&new, &person.person.username)?;
    tries::take(app, Tries::Inside(person)).await?;
    let row = store::find_credentials_of(&app.db, id).await?;
    let row = row.ok_or_else(|| ApiError::new(platform::codes::SESSION_REQUIRED))?;
    let fits = app.passwords.fits(old, Some(row.password_hash.clone())).await?;
    let is_used = app.passwords.fits(new.clone(), Some(row.password_hash.clone())).await?;
    let step = find_step(app, &row, &code)?.unwrap_or(NO_STEP);
    let hash = app.passwords.hash(new).await?;
    let (actor, token_hash, proof_hash) = (person.actor(), person.token_hash, hash_of(&secret));
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let is_new_code = store::update_step(&mut tx, &row, step).await?;
        // A colleague's reset meanwhile has ended the session, and what it gave stays.
        if !store::update_proved(&mut tx, &token_hash, &proof_hash, app.clock.now()).await? {
            return Err(ApiError::new(platform::codes::SESSION_REQUIRED));
        }
        if !(fits && is_new_code) {
            tx.rollback().await?;
            return proof::refuse(&app, &actor, id).await;
        }
        // One that was given would be made to last. Only who knows the old one is told.
        if is_used {
            return Err(ApiError::fields([("newPassword", "used")]));
        }
        store::update_password(&mut tx, id, &hash).await?;
        store::delete_sessions(&mut tx, id, Some(&token_hash)).await?;
        trail::record(&app, &mut tx, &actor, Deed::plain("staff.password", subject(id))).await?;
        socket::tell_end(&app, &mut tx, id).await?;
        socket::tell_rights(&app, &mut tx, Some(id)).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(())
    })
    .await
}

const PASSWORD_MIN: usize = 12;
const PASSWORD_MAX: usize = 128;

fn check_password(password: &str, username: &str) -> Result<(), ApiError> {
    // As it is compared: spaces around it count for nothing.
    let password = password.trim();
    let length = password.chars().count();
    let fault = match length {
        0..PASSWORD_MIN => "too_short",
        _ if length > PASSWORD_MAX => "too_long",
        _ if is_guessable(password, &[username]) => "common",
        _ => return Ok(()),
    };
    Err(ApiError::fields([("newPassword", fault)]))
}
