//! Staff accounts and roles: adding and changing accounts, resetting secrets, changing rights.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgTransaction;
use uuid::Uuid;

use super::audit_log::{self, AuditEntry};
use super::finding::ids_of;
use super::model::{Actor, FIRST_PASSWORD, InitialSecrets, Person, StaffSession};
use super::ops::subject;
use super::rights::Right;
use super::socket;
use super::store::{self, NewPerson, RoleRow};
use crate::Staff;
use crate::codes;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::secret::random_bytes;
use platform::totp::TotpSecret;

/// The editable fields of a staff account, and the reason for the change.
#[derive(Clone)]
pub(super) struct PersonInput {
    pub(super) name: String,
    pub(super) roles: Vec<String>,
    pub(super) is_active: bool,
    pub(super) reason: String,
}

impl PersonInput {
    fn check(&self) -> Result<(), ApiError> {
        let length = self.name.trim().chars().count();
        if !(1..=64).contains(&length) {
            return Err(ApiError::fields([("name", "length")]));
        }
        audit_log::check_reason(&self.reason)
    }
}

/// Usernames are 3 to 32 ASCII letters, digits, dots, dashes and underscores.
fn check_username(username: &str) -> Result<(), ApiError> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    match (3..=32).contains(&username.len()) && username.bytes().all(is_plain) {
        true => Ok(()),
        false => Err(ApiError::fields([("username", "pattern")])),
    }
}

/// An account as the audit log stores it.
fn audit_value(person: &Person) -> Value {
    json!({
        "username": person.username,
        "name": person.name,
        "roles": person.roles,
        "isActive": person.is_active,
    })
}

/// New secrets of an account, in plain text and in stored form.
struct FreshSecrets {
    id: Uuid,
    username: String,
    secrets: InitialSecrets,
    password_hash: String,
    /// When the password expires, if it is temporary.
    password_until: Option<DateTime<Utc>>,
    factor: Vec<u8>,
}

impl FreshSecrets {
    /// Random secrets with a temporary password.
    async fn generate(app: &Staff, id: Uuid, username: &str) -> Result<Self, ApiError> {
        let password = hex::encode(random_bytes::<16>());
        let fresh = Self::of(app, (id, username), password, TotpSecret::generate()).await?;
        Ok(Self { password_until: Some(app.clock.now() + FIRST_PASSWORD), ..fresh })
    }

    /// The given secrets, hashed and encrypted.
    async fn of(
        app: &Staff,
        (id, username): (Uuid, &str),
        password: String,
        factor: TotpSecret,
    ) -> Result<Self, ApiError> {
        let url = factor.url("Capiz office", username)?;
        let secrets = InitialSecrets { password: password.clone(), secret: factor.text(), url };
        let stored = app.keys.factors.lock(id.as_bytes(), factor.as_bytes());
        Ok(Self {
            id,
            username: username.to_owned(),
            secrets,
            password_hash: app.passwords.hash(password).await?,
            password_until: None,
            factor: stored.map_err(ApiError::internal)?,
        })
    }
}

/// Adds a staff account with random secrets, which are shown once.
pub(super) async fn add(
    app: &Staff,
    actor: Actor,
    username: String,
    input: PersonInput,
) -> Result<(Uuid, InitialSecrets), ApiError> {
    check_username(&username)?;
    input.check()?;
    let id = new_id(app.clock.now());
    let fresh = FreshSecrets::generate(app, id, &username).await?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        insert(&app, &mut tx, &actor, &input, &fresh).await?;
        db::commit(tx).await?;
        Ok((id, fresh.secrets))
    })
    .await
}

/// Adds a staff account with given secrets, for the demo.
pub(super) async fn add_known(
    app: &Staff,
    username: &'static str,
    input: PersonInput,
    password: &'static str,
    factor: TotpSecret,
) -> Result<(), ApiError> {
    let id = new_id(app.clock.now());
    let fresh = FreshSecrets::of(app, (id, username), password.to_owned(), factor).await?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        insert(&app, &mut tx, &Actor::server(), &input, &fresh).await?;
        db::commit(tx).await
    })
    .await
}

async fn insert(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    actor: &Actor,
    input: &PersonInput,
    fresh: &FreshSecrets,
) -> Result<(), ApiError> {
    let id = fresh.id;
    require_roles(tx, &input.roles).await?;
    let person = NewPerson {
        id,
        username: &fresh.username,
        name: input.name.trim(),
        password_hash: &fresh.password_hash,
        password_until: fresh.password_until,
        factor: &fresh.factor,
    };
    if !store::insert_person(tx, &person, app.clock.now()).await? {
        return Err(ApiError::new(platform::codes::NAME_TAKEN));
    }
    store::replace_duties(tx, id, &input.roles).await?;
    let after = store::find_person(tx, id).await?.as_ref().map(audit_value);
    let reason = Some(input.reason.as_str());
    let entry =
        AuditEntry { action: "staff.add", subject: subject(id), before: None, after, reason };
    audit_log::record(app, tx, actor, entry).await
}

async fn require_roles(tx: &mut PgTransaction<'_>, names: &[String]) -> Result<(), ApiError> {
    let roles = store::list_roles(tx).await?;
    let exists = |name: &String| roles.iter().any(|role| role.name == *name);
    match names.iter().all(exists) {
        true => Ok(()),
        false => Err(ApiError::fields([("roles", "unknown")])),
    }
}

/// Nobody may change their own account, so that nobody can raise their own rights.
fn require_other(person: &StaffSession, id: Uuid) -> Result<(), ApiError> {
    match person.person.id == id {
        true => Err(ApiError::new(codes::NOT_YOURSELF)),
        false => Ok(()),
    }
}

/// Changes name and roles of another account, and closes or reopens it. The sessions of a closed
/// account end at once.
pub(super) async fn change(
    app: &Staff,
    person: &StaffSession,
    id: Uuid,
    input: PersonInput,
) -> Result<Person, ApiError> {
    require_other(person, id)?;
    input.check()?;
    let actor = person.actor();
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        require_roles(&mut tx, &input.roles).await?;
        let before = require_person(&mut tx, id).await?;
        store::update_person(&mut tx, id, input.name.trim(), input.is_active).await?;
        store::replace_duties(&mut tx, id, &input.roles).await?;
        if !input.is_active {
            store::delete_sessions(&mut tx, id, None).await?;
        }
        let after = require_person(&mut tx, id).await?;
        let entry = AuditEntry {
            action: "staff.change",
            subject: subject(id),
            before: Some(audit_value(&before)),
            after: Some(audit_value(&after)),
            reason: Some(&input.reason),
        };
        audit_log::record(&app, &mut tx, &actor, entry).await?;
        match input.is_active {
            true => socket::push_rights_changed(&app, &mut tx, Some(id)).await?,
            false => socket::push_session_ended(&app, &mut tx, id).await?,
        }
        db::commit(tx).await?;
        app.push.wake();
        Ok(after)
    })
    .await
}

async fn require_person(tx: &mut PgTransaction<'_>, id: Uuid) -> Result<Person, ApiError> {
    let person = store::find_person(tx, id).await?;
    person.ok_or_else(|| ApiError::new(codes::UNKNOWN))
}

/// New secrets for an account whose temporary password has expired. `None` if another node was
/// first.
pub(super) async fn renew_expired(
    app: &Staff,
    (id, username): (Uuid, String),
) -> Result<Option<InitialSecrets>, ApiError> {
    let fresh = FreshSecrets::generate(app, id, &username).await?;
    let reason = "nobody had a password of their own before it was over".to_owned();
    let expired_by = Some(app.clock.now());
    renew(app, Actor::server(), fresh, Renewal { reason, expired_by }).await
}

/// Resets another account: a new temporary password and a new TOTP secret. Its sessions end at
/// once.
pub(super) async fn reset(
    app: &Staff,
    person: &StaffSession,
    id: Uuid,
    reason: String,
) -> Result<InitialSecrets, ApiError> {
    require_other(person, id)?;
    audit_log::check_reason(&reason)?;
    let mut connection = app.db.acquire().await?;
    let other = store::find_person(&mut connection, id).await?;
    let other = other.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
    drop(connection);
    let fresh = FreshSecrets::generate(app, id, &other.username).await?;
    let renewed = renew(app, person.actor(), fresh, Renewal { reason, expired_by: None }).await?;
    renewed.ok_or_else(|| ApiError::new(codes::UNKNOWN))
}

/// Why and when secrets are renewed.
struct Renewal {
    reason: String,
    /// If given, renews only if the temporary password has expired by this time.
    expired_by: Option<DateTime<Utc>>,
}

async fn renew(
    app: &Staff,
    actor: Actor,
    fresh: FreshSecrets,
    Renewal { reason, expired_by }: Renewal,
) -> Result<Option<InitialSecrets>, ApiError> {
    app.run(move |app| async move {
        let (id, until) = (fresh.id, app.clock.now() + FIRST_PASSWORD);
        let secrets = (fresh.password_hash.as_str(), fresh.factor.as_slice());
        let mut tx = app.db.begin().await?;
        if !store::update_secrets(&mut tx, id, secrets, until, expired_by).await? {
            return Ok(None);
        }
        store::delete_sessions(&mut tx, id, None).await?;
        let entry =
            AuditEntry { reason: Some(&reason), ..AuditEntry::plain("staff.reset", subject(id)) };
        audit_log::record(&app, &mut tx, &actor, entry).await?;
        socket::push_session_ended(&app, &mut tx, id).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(Some(fresh.secrets))
    })
    .await
}

/// Changes the rights of a role. A role with all rights cannot be changed, so that somebody can
/// always correct a mistake; nor can a role that one holds oneself.
pub(super) async fn change_role(
    app: &Staff,
    person: &StaffSession,
    name: String,
    rights: Vec<String>,
    reason: String,
) -> Result<RoleRow, ApiError> {
    audit_log::check_reason(&reason)?;
    let find = |name: &String| app.rights().iter().copied().find(|right| right.text() == name);
    let mut rights: Vec<Right> = match rights.iter().map(find).collect() {
        Some(rights) => rights,
        None => return Err(ApiError::fields([("rights", "unknown")])),
    };
    rights.sort_unstable_by_key(|right| right.text());
    rights.dedup();
    let rights: Vec<String> = rights.into_iter().map(|right| right.text().to_owned()).collect();
    if person.person.roles.contains(&name) {
        return Err(ApiError::new(codes::NOT_YOURSELF));
    }
    let actor = person.actor();
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let before = store::lock_role(&mut tx, &name).await?;
        let before = before.filter(|role| !role.has_all);
        let before = before.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
        store::update_role(&mut tx, &name, &rights).await?;
        let entry = AuditEntry {
            action: "staff.role",
            subject: format!("role:{name}"),
            before: Some(json!(before.rights)),
            after: Some(json!(rights)),
            reason: Some(&reason),
        };
        audit_log::record(&app, &mut tx, &actor, entry).await?;
        socket::push_rights_changed(&app, &mut tx, None).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(RoleRow { name, has_all: false, rights })
    })
    .await
}

/// Records the export of the staff list in the audit log.
pub(super) async fn record_export(app: &Staff, actor: Actor) -> Result<(), ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let entry = AuditEntry::plain("staff.export", "staff:people".to_owned());
        audit_log::record(&app, &mut tx, &actor, entry).await?;
        db::commit(tx).await
    })
    .await
}

/// The display names of staff accounts, for the audit log.
pub(super) async fn name(app: &Staff, ids: &[&str]) -> Result<HashMap<String, String>, ApiError> {
    let found = store::list_names(&app.db, &ids_of(ids)).await?;
    Ok(found.into_iter().map(|(id, name)| (id.to_string(), name)).collect())
}
