//! People and roles: who works here, and what they may do.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgTransaction;
use uuid::Uuid;

use super::finding::ids_of;
use super::model::{Actor, FIRST_PASSWORD, NewcomerSecrets, OnDuty, Person};
use super::ops::subject;
use super::rights::Right;
use super::socket;
use super::store::{self, NewPerson, RoleRow};
use super::trail::{self, Deed};
use crate::Staff;
use crate::codes;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::secret::random_bytes;
use platform::totp::TotpSecret;

/// What is said of somebody who is added or changed.
#[derive(Clone)]
pub(super) struct Card {
    pub(super) name: String,
    pub(super) roles: Vec<String>,
    pub(super) is_active: bool,
    pub(super) reason: String,
}

impl Card {
    fn check(&self) -> Result<(), ApiError> {
        let length = self.name.trim().chars().count();
        if !(1..=64).contains(&length) {
            return Err(ApiError::fields([("name", "length")]));
        }
        trail::check_reason(&self.reason)
    }
}

/// Letters, digits, dot, dash and underscore.
fn check_username(username: &str) -> Result<(), ApiError> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    match (3..=32).contains(&username.len()) && username.bytes().all(is_plain) {
        true => Ok(()),
        false => Err(ApiError::fields([("username", "pattern")])),
    }
}

/// What the trail shows of a person.
fn shown(person: &Person) -> Value {
    json!({
        "username": person.username,
        "name": person.name,
        "roles": person.roles,
        "isActive": person.is_active,
    })
}

/// Secrets for somebody, and how they are stored.
struct Fresh {
    id: Uuid,
    username: String,
    secrets: NewcomerSecrets,
    password_hash: String,
    /// Until when it is good, where it is not to last.
    password_until: Option<DateTime<Utc>>,
    factor: Vec<u8>,
}

impl Fresh {
    async fn generate(app: &Staff, id: Uuid, username: &str) -> Result<Self, ApiError> {
        let password = hex::encode(random_bytes::<16>());
        let fresh = Self::of(app, (id, username), password, TotpSecret::generate()).await?;
        Ok(Self { password_until: Some(app.clock.now() + FIRST_PASSWORD), ..fresh })
    }

    async fn of(
        app: &Staff,
        (id, username): (Uuid, &str),
        password: String,
        factor: TotpSecret,
    ) -> Result<Self, ApiError> {
        let url = factor.url("Capiz office", username)?;
        let secrets = NewcomerSecrets { password: password.clone(), secret: factor.text(), url };
        let stored = app.office.factors.lock(id.as_bytes(), factor.as_bytes());
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

/// Adds somebody, whose secrets are shown once.
pub(super) async fn add(
    app: &Staff,
    actor: Actor,
    username: String,
    card: Card,
) -> Result<(Uuid, NewcomerSecrets), ApiError> {
    check_username(&username)?;
    card.check()?;
    let id = new_id(app.clock.now());
    let fresh = Fresh::generate(app, id, &username).await?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        insert(&app, &mut tx, &actor, &card, &fresh).await?;
        db::commit(tx).await?;
        Ok((id, fresh.secrets))
    })
    .await
}

/// Adds somebody whose secrets are known beforehand: the demo's people.
pub(super) async fn add_known(
    app: &Staff,
    username: &'static str,
    card: Card,
    password: &'static str,
    factor: TotpSecret,
) -> Result<(), ApiError> {
    let id = new_id(app.clock.now());
    let fresh = Fresh::of(app, (id, username), password.to_owned(), factor).await?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        insert(&app, &mut tx, &Actor::server(), &card, &fresh).await?;
        db::commit(tx).await
    })
    .await
}

async fn insert(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    actor: &Actor,
    card: &Card,
    fresh: &Fresh,
) -> Result<(), ApiError> {
    let id = fresh.id;
    require_roles(tx, &card.roles).await?;
    let person = NewPerson {
        id,
        username: &fresh.username,
        name: card.name.trim(),
        password_hash: &fresh.password_hash,
        password_until: fresh.password_until,
        factor: &fresh.factor,
    };
    if !store::insert_person(tx, &person, app.clock.now()).await? {
        return Err(ApiError::new(platform::codes::NAME_TAKEN));
    }
    store::replace_duties(tx, id, &card.roles).await?;
    let after = store::find_person(tx, id).await?.as_ref().map(shown);
    let reason = Some(card.reason.as_str());
    let deed = Deed { action: "staff.add", subject: subject(id), before: None, after, reason };
    trail::record(app, tx, actor, deed).await
}

async fn require_roles(tx: &mut PgTransaction<'_>, names: &[String]) -> Result<(), ApiError> {
    let roles = store::list_roles(tx).await?;
    let exists = |name: &String| roles.iter().any(|role| role.name == *name);
    match names.iter().all(exists) {
        true => Ok(()),
        false => Err(ApiError::fields([("roles", "unknown")])),
    }
}

/// Nobody changes their own account: what one may do is for others to say.
fn require_other(person: &OnDuty, id: Uuid) -> Result<(), ApiError> {
    match person.person.id == id {
        true => Err(ApiError::new(codes::NOT_YOURSELF)),
        false => Ok(()),
    }
}

/// Changes somebody's name and roles, closes the account or opens it again. A closed account's
/// sessions end at once.
pub(super) async fn change(
    app: &Staff,
    person: &OnDuty,
    id: Uuid,
    card: Card,
) -> Result<Person, ApiError> {
    require_other(person, id)?;
    card.check()?;
    let actor = person.actor();
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        require_roles(&mut tx, &card.roles).await?;
        let before = require_person(&mut tx, id).await?;
        store::update_person(&mut tx, id, card.name.trim(), card.is_active).await?;
        store::replace_duties(&mut tx, id, &card.roles).await?;
        if !card.is_active {
            store::delete_sessions(&mut tx, id, None).await?;
        }
        let after = require_person(&mut tx, id).await?;
        let deed = Deed {
            action: "staff.change",
            subject: subject(id),
            before: Some(shown(&before)),
            after: Some(shown(&after)),
            reason: Some(&card.reason),
        };
        trail::record(&app, &mut tx, &actor, deed).await?;
        match card.is_active {
            true => socket::tell_rights(&app, &mut tx, Some(id)).await?,
            false => socket::tell_end(&app, &mut tx, id).await?,
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

/// New secrets for somebody whose given password is over; none where another node was first.
pub(super) async fn renew_over(
    app: &Staff,
    (id, username): (Uuid, String),
) -> Result<Option<NewcomerSecrets>, ApiError> {
    let fresh = Fresh::generate(app, id, &username).await?;
    let reason = "nobody had a password of their own before it was over".to_owned();
    let over_by = Some(app.clock.now());
    renew(app, Actor::server(), fresh, Renewal { reason, over_by }).await
}

/// Gives somebody a new password and a new secret for the app; the sessions end at once.
pub(super) async fn reset(
    app: &Staff,
    person: &OnDuty,
    id: Uuid,
    reason: String,
) -> Result<NewcomerSecrets, ApiError> {
    require_other(person, id)?;
    trail::check_reason(&reason)?;
    let mut connection = app.db.acquire().await?;
    let other = store::find_person(&mut connection, id).await?;
    let other = other.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
    drop(connection);
    let fresh = Fresh::generate(app, id, &other.username).await?;
    let renewed = renew(app, person.actor(), fresh, Renewal { reason, over_by: None }).await?;
    renewed.ok_or_else(|| ApiError::new(codes::UNKNOWN))
}

/// Why somebody is given other secrets.
struct Renewal {
    reason: String,
    /// By when the given password has to be over, where only then.
    over_by: Option<DateTime<Utc>>,
}

async fn renew(
    app: &Staff,
    actor: Actor,
    fresh: Fresh,
    Renewal { reason, over_by }: Renewal,
) -> Result<Option<NewcomerSecrets>, ApiError> {
    app.run(move |app| async move {
        let (id, until) = (fresh.id, app.clock.now() + FIRST_PASSWORD);
        let secrets = (fresh.password_hash.as_str(), fresh.factor.as_slice());
        let mut tx = app.db.begin().await?;
        if !store::update_secrets(&mut tx, id, secrets, until, over_by).await? {
            return Ok(None);
        }
        store::delete_sessions(&mut tx, id, None).await?;
        let deed = Deed { reason: Some(&reason), ..Deed::plain("staff.reset", subject(id)) };
        trail::record(&app, &mut tx, &actor, deed).await?;
        socket::tell_end(&app, &mut tx, id).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(Some(fresh.secrets))
    })
    .await
}

/// Changes what a role may do. A role with all rights stays as it is: somebody must be able to
/// mend every mistake.
pub(super) async fn change_role(
    app: &Staff,
    person: &OnDuty,
    name: String,
    rights: Vec<String>,
    reason: String,
) -> Result<RoleRow, ApiError> {
    trail::check_reason(&reason)?;
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
        let deed = Deed {
            action: "staff.role",
            subject: format!("role:{name}"),
            before: Some(json!(before.rights)),
            after: Some(json!(rights)),
            reason: Some(&reason),
        };
        trail::record(&app, &mut tx, &actor, deed).await?;
        socket::tell_rights(&app, &mut tx, None).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(RoleRow { name, has_all: false, rights })
    })
    .await
}

/// Somebody takes the list of people away.
pub(super) async fn note_export(app: &Staff, actor: Actor) -> Result<(), ApiError> {
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let deed = Deed::plain("staff.export", "staff:people".to_owned());
        trail::record(&app, &mut tx, &actor, deed).await?;
        db::commit(tx).await
    })
    .await
}

/// The names of some people.
pub(super) async fn name(app: &Staff, ids: &[&str]) -> Result<HashMap<String, String>, ApiError> {
    let found = store::list_names(&app.db, &ids_of(ids)).await?;
    Ok(found.into_iter().map(|(id, name)| (id.to_string(), name)).collect())
}
