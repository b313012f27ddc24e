//! Staff sessions: login, authentication of requests, logout, and changing one's password.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use sqlx::Acquire;
use uuid::Uuid;

use super::audit_log::{self, AuditEntry};
use super::model::{Actor, IDLE, LIFE, Person, SEEN_EVERY, StaffSession};
use super::reauthentication::{self, Credentials};
use super::rights::Right;
use super::socket;
use super::store::{self, CredentialsRow, NewSession, RoleRow, SessionRow};
use super::tries::{self, Attempt};
use crate::Staff;
use crate::codes;
use platform::cookies::BrowserSecret;
use platform::db;
use platform::error::ApiError;
use platform::guessable::is_guessable;
use platform::request_context;
use platform::totp::TotpSecret;

/// A TOTP time step below all real ones. It stands for a wrong code, since it always counts as
/// used.
pub(super) const NO_STEP: i64 = -1;
/// The most sessions that a list shows.
const SESSIONS_MAX: i64 = 100;

/// A login request.
pub(super) struct LoginRequest {
    pub(super) username: String,
    pub(super) password: String,
    pub(super) code: String,
    pub(super) address: IpAddr,
    pub(super) agent: Option<String>,
    /// The session cookie that the browser already has; the login ends that session.
    pub(super) former: Option<BrowserSecret>,
}

pub(super) fn hash_of(secret: &BrowserSecret) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// The secrets of a browser's cookies: the session token, and the re-authentication secret for
/// sensitive actions.
pub(super) struct Secrets {
    pub(super) session: BrowserSecret,
    /// Missing if the browser has not authenticated recently.
    pub(super) proof: Option<BrowserSecret>,
}

/// Logs in with username, password and TOTP code. The answer does not tell which of them was wrong.
/// An unknown username does the same work as a known one, so that the time does not tell either.
pub(super) async fn login(
    app: &Staff,
    request: LoginRequest,
    (secret, proof): (&BrowserSecret, &BrowserSecret),
) -> Result<StaffSession, ApiError> {
    tries::take(app, Attempt::Login(&request.username, request.address)).await?;
    let refused = || ApiError::new(codes::LOGIN_REFUSED);
    // Usernames are ASCII. The database may fold other letters to ASCII, but the rate limits count
    // them as different names, so such a name would get extra attempts.
    let found = match request.username.is_ascii() {
        true => store::find_credentials(&app.db, &request.username).await?,
        false => None,
    };
    if let Some(row) = &found {
        request_context::set_account(row.id);
    }
    let hash = found.as_ref().map(|row| row.password_hash.clone());
    let is_password = app.passwords.fits(request.password.clone(), hash).await?;
    let is_known = found.is_some();
    let row = found.unwrap_or_else(|| decoy_credentials(app));
    let step = find_step(app, &row, &request.code)?;
    let (token_hash, proof_hash) = (hash_of(secret), hash_of(proof));
    let session = app.run(move |app| async move {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let step = step.unwrap_or(NO_STEP);
        let is_new_code = store::update_step(&mut tx, &row, step).await?;
        let is_expired = row.password_until.is_some_and(|until| until <= now);
        if !(is_known && is_password && row.is_active && is_new_code) || is_expired {
            tx.rollback().await?;
            record_refused_login(&app, (row.id, is_known), request.address).await?;
            return Ok(None);
        }
        let person = load_session(&app, &mut tx, row.id, token_hash, request.address).await?;
        let previous_login_at = person.person.last_login_at;
        let session = NewSession {
            previous_login_at,
            token_hash: &token_hash,
            proof_hash: &proof_hash,
            person_id: row.id,
            address: request.address.to_string(),
            agent: request.agent.as_deref(),
            now,
            ends_at: now + LIFE,
        };
        if let Some(former) = &request.former {
            end_former(&app, &mut tx, &person.actor(), former).await?;
        }
        store::insert_session(&mut tx, &session).await?;
        store::update_last_login(&mut tx, row.id, now).await?;
        let entry = AuditEntry::plain("staff.login", subject(row.id));
        audit_log::record(&app, &mut tx, &person.actor(), entry).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(Some(StaffSession { previous_login_at, ..person }))
    });
    session.await?.ok_or_else(refused)
}

/// Ends the session that the browser had before this login, whichever account it belonged to.
async fn end_former(
    app: &Staff,
    tx: &mut sqlx::PgTransaction<'_>,
    actor: &Actor,
    secret: &BrowserSecret,
) -> Result<(), ApiError> {
    let Some(person_id) = store::delete_former(tx, &hash_of(secret)).await? else { return Ok(()) };
    let entry = AuditEntry::plain("staff.session_end", subject(person_id));
    audit_log::record(app, tx, actor, entry).await?;
    Ok(socket::push_session_ended(app, tx, person_id).await?)
}

/// Credentials that no password or code matches, for usernames that do not exist.
fn decoy_credentials(app: &Staff) -> CredentialsRow {
    CredentialsRow {
        id: Uuid::nil(),
        password_hash: String::new(),
        password_until: None,
        factor: app.keys.decoy.clone(),
        is_active: false,
    }
}

/// Records a failed login in the audit log. For unknown usernames the entry is written and rolled
/// back, so that strangers cannot fill the log and the time does not tell whether the name exists.
async fn record_refused_login(
    app: &Staff,
    (id, is_known): (Uuid, bool),
    address: IpAddr,
) -> Result<(), ApiError> {
    let actor = Actor { id: None, name: "stranger".to_owned(), address: Some(address) };
    let mut tx = app.db.begin().await?;
    let mut savepoint = tx.begin().await?;
    let entry = AuditEntry::plain("staff.login_refused", subject(id));
    audit_log::record(app, &mut savepoint, &actor, entry).await?;
    match is_known {
        true => savepoint.commit().await?,
        false => savepoint.rollback().await?,
    }
    db::commit(tx).await
}

/// The TOTP time step that a code belongs to, if the code is valid now.
pub(super) fn find_step(
    app: &Staff,
    row: &CredentialsRow,
    code: &str,
) -> Result<Option<i64>, ApiError> {
    let secret = app.keys.factors.open(row.id.as_bytes(), &row.factor);
    let secret = TotpSecret::from_bytes(secret.map_err(ApiError::internal)?);
    let now_s = u64::try_from(app.clock.now().timestamp()).map_err(ApiError::internal)?;
    secret.find_step(code.trim(), now_s)
}

/// The subject of audit entries about a staff account.
pub(super) fn subject(id: Uuid) -> String {
    format!("person:{id}")
}

/// Loads account and rights of a session. A temporary password leaves the session without rights.
async fn load_session(
    app: &Staff,
    db: &mut sqlx::PgConnection,
    id: Uuid,
    token_hash: [u8; 32],
    address: IpAddr,
) -> Result<StaffSession, ApiError> {
    let no_session = || ApiError::new(platform::codes::SESSION_REQUIRED);
    let person = store::find_person(db, id).await?.ok_or_else(no_session)?;
    if !person.is_active {
        return Err(no_session());
    }
    let roles = store::list_roles(db).await?;
    let mut rights = rights_of(app, &person.roles, &roles);
    if person.must_change {
        rights.clear();
    }
    Ok(StaffSession {
        person,
        rights,
        token_hash,
        proved_at: None,
        previous_login_at: None,
        address,
    })
}

/// The union of the rights of some roles.
fn rights_of(app: &Staff, names: &[String], roles: &[RoleRow]) -> Vec<Right> {
    let held: Vec<_> = roles.iter().filter(|role| names.contains(&role.name)).collect();
    let has = |right: &Right| {
        held.iter().any(|role| role.has_all || role.rights.iter().any(|name| name == right.text()))
    };
    app.rights().iter().copied().filter(has).collect()
}

impl SessionRow {
    /// When the session expires if no further request comes.
    fn expires_at(&self) -> DateTime<Utc> {
        self.ends_at.min(self.seen_at + IDLE)
    }
}

/// The account of a session token, and when the session expires if no further request comes. This
/// lookup does not count as activity.
pub(super) async fn find_live_session(
    app: &Staff,
    secret: &BrowserSecret,
) -> Result<Option<(Person, DateTime<Utc>)>, ApiError> {
    let session = store::find_session(&app.db, &hash_of(secret)).await?;
    let live = session.filter(|session| session.expires_at() > app.clock.now());
    let Some(session) = live else { return Ok(None) };
    let mut connection = app.db.acquire().await?;
    let person = store::find_person(&mut connection, session.person_id).await?;
    Ok(person.map(|person| (person, session.expires_at())))
}

/// Authenticates a request by the secrets of its cookies. Requests that a page makes by itself
/// (`is_activity` false) do not restart the idle timeout.
pub(super) async fn authenticate(
    app: &Staff,
    secrets: &Secrets,
    address: IpAddr,
    is_activity: bool,
) -> Result<StaffSession, ApiError> {
    let (now, token_hash) = (app.clock.now(), hash_of(&secrets.session));
    let session = store::find_session(&app.db, &token_hash).await?;
    let session = session.filter(|session| session.expires_at() > now);
    let session = session.ok_or_else(|| ApiError::new(platform::codes::SESSION_REQUIRED))?;
    if is_activity && session.seen_at + SEEN_EVERY <= now {
        store::update_seen(&app.db, &token_hash, now).await?;
    }
    let mut connection = app.db.acquire().await?;
    let person = load_session(app, &mut connection, session.person_id, token_hash, address).await?;
    request_context::set_account(person.person.id);
    let SessionRow { proved_at, proof_hash, previous_login_at, .. } = session;
    let proof = secrets.proof.as_ref().map(|secret| hash_of(secret).to_vec());
    let proved_at = proved_at.filter(|_| proof.is_some() && proof == proof_hash);
    Ok(StaffSession { proved_at, previous_login_at, ..person })
}

/// Ends the current session.
pub(super) async fn logout(app: &Staff, person: StaffSession) -> Result<(), ApiError> {
    let half = person.token_hash[..16].to_vec();
    end_session(app, &person, half, "staff.logout").await
}

/// Ends one of the person's own sessions, named by the first half of its token hash.
pub(super) async fn revoke(
    app: &Staff,
    person: &StaffSession,
    half: Vec<u8>,
) -> Result<(), ApiError> {
    end_session(app, person, half, "staff.session_end").await
}

async fn end_session(
    app: &Staff,
    person: &StaffSession,
    half: Vec<u8>,
    action: &'static str,
) -> Result<(), ApiError> {
    let (id, actor) = (person.person.id, person.actor());
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        if !store::delete_session(&mut tx, id, &half).await? {
            return Err(ApiError::new(platform::codes::SESSION_UNKNOWN));
        }
        audit_log::record(&app, &mut tx, &actor, AuditEntry::plain(action, subject(id))).await?;
        socket::push_session_ended(&app, &mut tx, id).await?;
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

/// Changes one's own password, which takes the old one and a code; all other sessions end. The
/// answer does not tell which of the two was wrong, or a stolen session could try passwords without
/// the authenticator.
pub(super) async fn change_password(
    app: &Staff,
    person: &StaffSession,
    Credentials { password: old, code, secret }: Credentials,
    new: String,
) -> Result<(), ApiError> {
    let id = person.person.id;
    check_password(&new, &person.person.username)?;
    tries::take(app, Attempt::Session(person)).await?;
    let row = store::find_credentials_of(&app.db, id).await?;
    let row = row.ok_or_else(|| ApiError::new(platform::codes::SESSION_REQUIRED))?;
    let is_password = app.passwords.fits(old, Some(row.password_hash.clone())).await?;
    let is_used = app.passwords.fits(new.clone(), Some(row.password_hash.clone())).await?;
    let step = find_step(app, &row, &code)?.unwrap_or(NO_STEP);
    let hash = app.passwords.hash(new).await?;
    let (actor, token_hash, proof_hash) = (person.actor(), person.token_hash, hash_of(&secret));
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let is_new_code = store::update_step(&mut tx, &row, step).await?;
        // If a colleague reset the account meanwhile, this session has ended and the reset password
        // stays.
        if !store::update_reauthenticated(&mut tx, &token_hash, &proof_hash, app.clock.now())
            .await?
        {
            return Err(ApiError::new(platform::codes::SESSION_REQUIRED));
        }
        if !(is_password && is_new_code) {
            tx.rollback().await?;
            return reauthentication::refuse(&app, &actor, id).await;
        }
        // Otherwise a temporary password could be made permanent. Checked after the old password,
        // so that only its owner learns this.
        if is_used {
            return Err(ApiError::fields([("newPassword", "used")]));
        }
        store::update_password(&mut tx, id, &hash).await?;
        store::delete_sessions(&mut tx, id, Some(&token_hash)).await?;
        audit_log::record(&app, &mut tx, &actor, AuditEntry::plain("staff.password", subject(id)))
            .await?;
        socket::push_session_ended(&app, &mut tx, id).await?;
        socket::push_rights_changed(&app, &mut tx, Some(id)).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(())
    })
    .await
}

const PASSWORD_MIN: usize = 12;
const PASSWORD_MAX: usize = 128;

fn check_password(password: &str, username: &str) -> Result<(), ApiError> {
    // Passwords are compared without surrounding spaces.
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
