//! The SQL of staff accounts, roles and sessions.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::model::Person;

/// The credentials that a login is checked against.
pub(super) struct CredentialsRow {
    pub(super) id: Uuid,
    pub(super) password_hash: String,
    pub(super) factor: Vec<u8>,
    pub(super) is_active: bool,
    /// When a temporary password expires; `None` for the person's own password.
    pub(super) password_until: Option<DateTime<Utc>>,
}

pub(super) async fn find_credentials(
    db: &PgPool,
    username: &str,
) -> Result<Option<CredentialsRow>, sqlx::Error> {
    sqlx::query_as!(
        CredentialsRow,
        "select id, password_hash, factor, is_active, password_until from staff_people
         where lower(username) = lower($1)",
        username,
    )
    .fetch_optional(db)
    .await
}

pub(super) async fn find_credentials_of(
    db: &PgPool,
    id: Uuid,
) -> Result<Option<CredentialsRow>, sqlx::Error> {
    sqlx::query_as!(
        CredentialsRow,
        "select id, password_hash, factor, is_active, password_until from staff_people
         where id = $1",
        id,
    )
    .fetch_optional(db)
    .await
}

/// Marks the time step of a TOTP code as used. False if this or a later step was used before
/// (replay), or if the password hash is no longer the one compared, because a colleague reset it
/// meanwhile.
pub(super) async fn update_step(
    tx: &mut PgTransaction<'_>,
    compared: &CredentialsRow,
    step: i64,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update staff_people set factor_step = $2
         where id = $1 and factor_step < $2 and password_hash = $3",
        compared.id,
        step,
        compared.password_hash,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() > 0)
}

pub(super) async fn update_last_login(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!("update staff_people set last_login_at = $2 where id = $1", id, now)
        .execute(&mut **tx)
        .await
        .map(drop)
}

pub(super) async fn update_password(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    hash: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update staff_people set password_hash = $2, password_until = null where id = $1",
        id,
        hash,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A new session.
pub(super) struct NewSession<'a> {
    pub(super) token_hash: &'a [u8],
    pub(super) proof_hash: &'a [u8],
    pub(super) person_id: Uuid,
    pub(super) address: String,
    pub(super) agent: Option<&'a str>,
    pub(super) previous_login_at: Option<DateTime<Utc>>,
    pub(super) now: DateTime<Utc>,
    pub(super) ends_at: DateTime<Utc>,
}

pub(super) async fn insert_session(
    tx: &mut PgTransaction<'_>,
    session: &NewSession<'_>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into staff_sessions
            (token_hash, person_id, address, agent, previous_login_at, started_at, seen_at, proved_at, ends_at,
             proof_hash)
         values ($1, $2, $3, $4, $5, $6, $6, $6, $7, $8)",
        session.token_hash,
        session.person_id,
        session.address,
        session.agent,
        session.previous_login_at,
        session.now,
        session.ends_at,
        session.proof_hash,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A session as it is stored.
pub(super) struct SessionRow {
    pub(super) token_hash: Vec<u8>,
    pub(super) person_id: Uuid,
    pub(super) address: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) previous_login_at: Option<DateTime<Utc>>,
    pub(super) started_at: DateTime<Utc>,
    pub(super) seen_at: DateTime<Utc>,
    pub(super) proved_at: Option<DateTime<Utc>>,
    /// The hash of the re-authentication secret in the browser's cookie.
    pub(super) proof_hash: Option<Vec<u8>>,
    pub(super) ends_at: DateTime<Utc>,
}

pub(super) async fn find_session(
    db: &PgPool,
    token_hash: &[u8],
) -> Result<Option<SessionRow>, sqlx::Error> {
    sqlx::query_as!(
        SessionRow,
        "select token_hash, person_id, address, agent, previous_login_at, started_at, seen_at,
            proved_at, proof_hash, ends_at
         from staff_sessions where token_hash = $1",
        token_hash,
    )
    .fetch_optional(db)
    .await
}

pub(super) async fn update_seen(
    db: &PgPool,
    token_hash: &[u8],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!("update staff_sessions set seen_at = $2 where token_hash = $1", token_hash, now)
        .execute(db)
        .await
        .map(drop)
}

/// Marks a session as recently authenticated, with the hash of its new re-authentication secret.
/// False if the session no longer exists.
pub(super) async fn update_reauthenticated(
    tx: &mut PgTransaction<'_>,
    token_hash: &[u8],
    proof_hash: &[u8],
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update staff_sessions set proved_at = $2, proof_hash = $3 where token_hash = $1",
        token_hash,
        now,
        proof_hash,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() > 0)
}

/// A person's live sessions, the most recently used first.
pub(super) async fn list_sessions(
    db: &PgPool,
    person_id: Uuid,
    (idle_since, now): (DateTime<Utc>, DateTime<Utc>),
    limit: i64,
) -> Result<Vec<SessionRow>, sqlx::Error> {
    sqlx::query_as!(
        SessionRow,
        "select token_hash, person_id, address, agent, previous_login_at, started_at, seen_at,
            proved_at, proof_hash, ends_at
         from staff_sessions
         where person_id = $1 and seen_at > $2 and ends_at > $3
         order by seen_at desc limit $4",
        person_id,
        idle_since,
        now,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Deletes the person's session whose token hash starts with `half_hash`. False if there is none.
pub(super) async fn delete_session(
    tx: &mut PgTransaction<'_>,
    person_id: Uuid,
    half_hash: &[u8],
) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from staff_sessions
         where person_id = $1 and substring(token_hash from 1 for 16) = $2",
        person_id,
        half_hash,
    )
    .execute(&mut **tx)
    .await?;
    Ok(deleted.rows_affected() > 0)
}

/// Deletes a session, and returns the id of its account.
pub(super) async fn delete_former(
    tx: &mut PgTransaction<'_>,
    token_hash: &[u8],
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "delete from staff_sessions where token_hash = $1 returning person_id",
        token_hash,
    )
    .fetch_optional(&mut **tx)
    .await
}

/// Deletes all sessions of a person, except one if given.
pub(super) async fn delete_sessions(
    tx: &mut PgTransaction<'_>,
    person_id: Uuid,
    except: Option<&[u8]>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from staff_sessions
         where person_id = $1 and ($2::bytea is null or token_hash <> $2)",
        person_id,
        except,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Deletes expired sessions.
pub(super) async fn delete_expired(
    db: &PgPool,
    (idle_since, now): (DateTime<Utc>, DateTime<Utc>),
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from staff_sessions where seen_at <= $1 or ends_at <= $2",
        idle_since,
        now,
    )
    .execute(db)
    .await?;
    Ok(deleted.rows_affected())
}

/// The first administrator whose temporary password has expired, if no other administrator can log
/// in and reset it.
pub(super) async fn find_expired_administrator(
    db: &PgPool,
    now: DateTime<Utc>,
) -> Result<Option<(Uuid, String)>, sqlx::Error> {
    let row = sqlx::query!(
        "with masters as (
            select id, username, password_until, created_at from staff_people p
            where is_active and exists (
                select from staff_duties d join staff_roles r on r.name = d.role
                where d.person_id = p.id and r.has_all
            )
         )
         select id, username from masters
         where password_until <= $1
            and not exists (select from masters where password_until is null or password_until > $1)
         order by created_at, id limit 1",
        now,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.id, row.username)))
}

/// The display names of staff accounts, by id.
pub async fn list_names(db: &PgPool, ids: &[Uuid]) -> Result<Vec<(Uuid, String)>, sqlx::Error> {
    let rows = sqlx::query!("select id, name from staff_people where id = any($1)", ids)
        .fetch_all(db)
        .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}

pub(super) async fn is_empty(db: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(r#"select not exists (select from staff_people) as "empty!""#)
        .fetch_one(db)
        .await
}

/// A new staff account.
pub(super) struct NewPerson<'a> {
    pub(super) id: Uuid,
    pub(super) username: &'a str,
    pub(super) name: &'a str,
    pub(super) password_hash: &'a str,
    pub(super) password_until: Option<DateTime<Utc>>,
    pub(super) factor: &'a [u8],
}

/// Inserts a staff account. False if the username is taken.
pub(super) async fn insert_person(
    tx: &mut PgTransaction<'_>,
    person: &NewPerson<'_>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into staff_people
            (id, username, name, password_hash, factor, created_at, password_until)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing",
        person.id,
        person.username,
        person.name,
        person.password_hash,
        person.factor,
        now,
        person.password_until,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() > 0)
}

/// Replaces a person's password and TOTP secret. False if the account does not exist, or if
/// `expired_by` is given and its temporary password is still valid then.
pub(super) async fn update_secrets(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    (password_hash, factor): (&str, &[u8]),
    password_until: DateTime<Utc>,
    expired_by: Option<DateTime<Utc>>,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update staff_people
         set password_hash = $2, factor = $3, factor_step = 0, password_until = $4
         where id = $1 and ($5::timestamptz is null or password_until <= $5)",
        id,
        password_hash,
        factor,
        password_until,
        expired_by,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() > 0)
}

pub(super) async fn update_person(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    name: &str,
    is_active: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update staff_people set name = $2, is_active = $3 where id = $1",
        id,
        name,
        is_active,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

pub(super) async fn replace_duties(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    roles: &[String],
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from staff_duties where person_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!(
        "insert into staff_duties (person_id, role) select $1, unnest($2::text[])",
        id,
        roles,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

pub(super) async fn find_person(
    db: &mut PgConnection,
    id: Uuid,
) -> Result<Option<Person>, sqlx::Error> {
    sqlx::query_as!(
        Person,
        r#"select id, username, name, is_active, created_at, last_login_at,
            password_until is not null as "must_change!",
            array(select role from staff_duties d where d.person_id = p.id order by role) as "roles!"
         from staff_people p where id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await
}

pub(super) async fn list_people(db: &PgPool, limit: i64) -> Result<Vec<Person>, sqlx::Error> {
    sqlx::query_as!(
        Person,
        r#"select id, username, name, is_active, created_at, last_login_at,
            password_until is not null as "must_change!",
            array(select role from staff_duties d where d.person_id = p.id order by role) as "roles!"
         from staff_people p order by lower(username) limit $1"#,
        limit,
    )
    .fetch_all(db)
    .await
}

/// A role as it is stored.
pub(super) struct RoleRow {
    pub(super) name: String,
    pub(super) has_all: bool,
    pub(super) rights: Vec<String>,
}

pub(super) async fn list_roles(db: &mut PgConnection) -> Result<Vec<RoleRow>, sqlx::Error> {
    sqlx::query_as!(
        RoleRow,
        "select name, has_all, rights from staff_roles order by name limit 100"
    )
    .fetch_all(db)
    .await
}

/// Locks a role's row, so that changes of it are serialized.
pub(super) async fn lock_role(
    tx: &mut PgTransaction<'_>,
    name: &str,
) -> Result<Option<RoleRow>, sqlx::Error> {
    sqlx::query_as!(
        RoleRow,
        "select name, has_all, rights from staff_roles where name = $1 for update",
        name,
    )
    .fetch_optional(&mut **tx)
    .await
}

pub(super) async fn update_role(
    tx: &mut PgTransaction<'_>,
    name: &str,
    rights: &[String],
) -> Result<(), sqlx::Error> {
    sqlx::query!("update staff_roles set rights = $2 where name = $1", name, rights)
        .execute(&mut **tx)
        .await
        .map(drop)
}
