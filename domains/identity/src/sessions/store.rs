//! All SQL of sessions.

use capiz_rules::money::Currency;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use crate::sessions::arrival::Visit;
use crate::sessions::model::{DeviceId, Factor, IDLE, LIFE, Method, Session, Token};
use members::{MemberKind, Profile};
use platform::ids::new_id;

/// A session to insert.
pub(crate) struct NewSession<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) token: &'a Token,
    pub(crate) visit: &'a Visit,
    pub(crate) must_change: bool,
    pub(crate) method: Method,
    pub(crate) factor: Option<Factor>,
}

/// Inserts a session and adds it to the member's login history; true if it is the member's first
/// login.
pub(crate) async fn insert_session(
    tx: &mut PgTransaction<'_>,
    session: &NewSession<'_>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let NewSession { profile, visit, .. } = session;
    let before = sqlx::query_scalar!(
        "with token as (
            insert into sessions_tokens
                (member_id, token_hash, merchant_id, device_hash, kind, currency,
                 started_at, seen_at, ends_at, address, agent, to_complete, must_change)
            values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10, $11, $12)
         ), entry as (
            insert into sessions_entries (member_id, id, at, method, factor, address, agent)
            values ($1, $13, $7, $14, $15, $9, $10)
         )
         insert into sessions_logins (member_id, at) values ($1, $7)
         on conflict (member_id) do update set before_at = sessions_logins.at, at = excluded.at
         returning before_at",
        profile.id,
        session.token.hash(),
        profile.merchant_id,
        &visit.device_hash,
        profile.kind.number(),
        profile.currency.code(),
        now,
        now + LIFE,
        visit.address.map(|address| address.to_string()),
        visit.agent.as_deref(),
        profile.to_complete,
        session.must_change,
        new_id(now),
        session.method.as_str(),
        session.factor.map(Factor::as_str),
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(before.is_none())
}

/// Replaces the token of a session and lets the old one expire at `until`; false if the old one has
/// ended or was replaced already.
pub(crate) async fn replace_token(
    tx: &mut PgTransaction<'_>,
    old: &Token,
    new: &Token,
    until: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let replaced = sqlx::query!(
        "with old as (
            select * from sessions_tokens
            where member_id = $1 and token_hash = $2 and ended_at is null and replaced_until is null
            for update
         ), replaced as (
            update sessions_tokens t
            set replaced_until = $4, ends_at = least(t.ends_at, $4)
            from old where t.member_id = old.member_id and t.token_hash = old.token_hash
         )
         insert into sessions_tokens
            (member_id, token_hash, merchant_id, device_hash, kind, currency,
             started_at, seen_at, ends_at, address, agent, to_complete, must_change)
         select member_id, $3, merchant_id, device_hash, kind, currency,
             started_at, seen_at, ends_at, address, agent, to_complete, must_change
         from old",
        old.member_id,
        old.hash(),
        new.hash(),
        until,
    )
    .execute(&mut **tx)
    .await?;
    Ok(replaced.rows_affected() == 1)
}

/// Whether a token is the session's current one and has not been replaced.
pub(crate) async fn is_current(
    tx: &mut PgTransaction<'_>,
    token: &Token,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select from sessions_tokens
            where member_id = $1 and token_hash = $2 and ended_at is null
                and replaced_until is null
           ) as "is_current!""#,
        token.member_id,
        token.hash(),
    )
    .fetch_one(&mut **tx)
    .await
}

/// Clears the flag for an incomplete registration in all sessions of a member.
pub(crate) async fn update_completed(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update sessions_tokens set to_complete = false where member_id = $1 and to_complete",
        member_id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Clears the flag for a required password change in all sessions of a member.
pub(crate) async fn update_password_changed(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update sessions_tokens set must_change = false where member_id = $1 and must_change",
        member_id,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// When the member logged in before the current login.
pub(crate) async fn find_login_before(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!("select before_at from sessions_logins where member_id = $1", member_id)
        .fetch_optional(db)
        .await
        .map(Option::flatten)
}

/// The live session of a token on its device.
pub(crate) async fn find_session(
    db: &PgPool,
    token: &Token,
    device_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<Session>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select merchant_id, kind, currency, to_complete, must_change, started_at, seen_at,
            least(ends_at, replaced_until) as "ends_at!"
         from sessions_tokens
         where member_id = $1 and token_hash = $2 and device_hash = $3
           and ended_at is null and least(ends_at, replaced_until) > $4 and seen_at > $5"#,
        token.member_id,
        token.hash(),
        device_hash,
        now,
        now - IDLE,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(Session {
            merchant_id: row.merchant_id,
            kind: MemberKind::from_number(row.kind),
            currency: row
                .currency
                .parse::<Currency>()
                .map_err(|e| sqlx::Error::Decode(e.into()))?,
            to_complete: row.to_complete,
            must_change: row.must_change,
            started_at: row.started_at,
            seen_at: row.seen_at,
            ends_at: row.ends_at,
        })
    })
    .transpose()
}

pub(crate) async fn update_seen(
    db: &PgPool,
    token: &Token,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update sessions_tokens set seen_at = greatest(seen_at, $3)
         where member_id = $1 and token_hash = $2",
        token.member_id,
        token.hash(),
        now,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Ends a session and the tokens replaced just before, which belong to the same session, since
/// renewing a token ends all other sessions. Returns the hashes of all of them.
pub(crate) async fn update_ended(
    tx: &mut PgTransaction<'_>,
    token: &Token,
    now: DateTime<Utc>,
) -> Result<Vec<[u8; 32]>, sqlx::Error> {
    let hashes = sqlx::query_scalar!(
        "update sessions_tokens set ended_at = $3
         where member_id = $1 and ended_at is null
           and (token_hash = $2 or replaced_until > $3)
         returning token_hash",
        token.member_id,
        token.hash(),
        now,
    )
    .fetch_all(&mut **tx)
    .await?;
    hashes.into_iter().map(hash_of).collect()
}

/// Sessions that have ended, and tokens that were replaced, since a time: member and token hash.
pub(crate) async fn list_ended(
    db: &PgPool,
    since: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<(Uuid, [u8; 32])>, sqlx::Error> {
    let rows = sqlx::query!(
        "select member_id, token_hash from sessions_tokens
         where ended_at > $1 or replaced_until > $1 limit $2",
        since,
        limit,
    )
    .fetch_all(db)
    .await?;
    let ended = rows.into_iter().map(|row| Ok((row.member_id, hash_of(row.token_hash)?)));
    ended.collect()
}

fn hash_of(bytes: Vec<u8>) -> Result<[u8; 32], sqlx::Error> {
    bytes.try_into().map_err(|_| sqlx::Error::Decode("a hash of 32 bytes".into()))
}

/// Ends all live sessions of the token's member except the token's own; returns their hashes.
pub(crate) async fn update_others_ended(
    tx: &mut PgTransaction<'_>,
    token: &Token,
    now: DateTime<Utc>,
) -> Result<Vec<[u8; 32]>, sqlx::Error> {
    let hashes = sqlx::query_scalar!(
        "update sessions_tokens set ended_at = $3
         where member_id = $1 and token_hash <> $2 and ended_at is null and ends_at > $3
         returning token_hash",
        token.member_id,
        token.hash(),
        now,
    )
    .fetch_all(&mut **tx)
    .await?;
    hashes.into_iter().map(hash_of).collect()
}

/// Ends all live sessions of a member; returns their hashes.
pub(crate) async fn update_all_ended(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<[u8; 32]>, sqlx::Error> {
    let hashes = sqlx::query_scalar!(
        "update sessions_tokens set ended_at = $2
         where member_id = $1 and ended_at is null and ends_at > $2
         returning token_hash",
        member_id,
        now,
    )
    .fetch_all(&mut **tx)
    .await?;
    hashes.into_iter().map(hash_of).collect()
}

/// Ends a live session by its public id, and the tokens replaced just before. Returns the hashes of
/// all of them; none if there is no such session.
pub(crate) async fn update_device_ended(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
    device: &DeviceId,
    now: DateTime<Utc>,
) -> Result<Vec<[u8; 32]>, sqlx::Error> {
    let hashes = sqlx::query_scalar!(
        "with named as (
            select token_hash from sessions_tokens
            where member_id = $1 and substring(token_hash for 16) = $2 and ended_at is null
                and replaced_until is null and ends_at > $3 and seen_at > $4
            for update
         )
         update sessions_tokens set ended_at = $3
         where member_id = $1 and ended_at is null and exists (select from named)
           and (token_hash = (select token_hash from named) or replaced_until > $3)
         returning token_hash",
        member_id,
        device.as_bytes(),
        now,
        now - IDLE,
    )
    .fetch_all(&mut **tx)
    .await?;
    hashes.into_iter().map(hash_of).collect()
}

/// A live session for the member's list.
pub(crate) struct LiveRow {
    pub(crate) token_hash: [u8; 32],
    pub(crate) started_at: DateTime<Utc>,
    pub(crate) seen_at: DateTime<Utc>,
    pub(crate) ends_at: DateTime<Utc>,
    pub(crate) address: Option<String>,
    pub(crate) agent: Option<String>,
}

/// A member's live sessions, last seen first, without replaced tokens.
pub(crate) async fn list_live(
    db: &PgPool,
    member_id: Uuid,
    now: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<LiveRow>, sqlx::Error> {
    let rows = sqlx::query!(
        "select token_hash, started_at, seen_at, ends_at, address, agent from sessions_tokens
         where member_id = $1 and ended_at is null and replaced_until is null
           and ends_at > $2 and seen_at > $3
         order by seen_at desc, started_at desc limit $4",
        member_id,
        now,
        now - IDLE,
        limit,
    )
    .fetch_all(db)
    .await?;
    let live = rows.into_iter().map(|row| {
        Ok(LiveRow {
            token_hash: hash_of(row.token_hash)?,
            started_at: row.started_at,
            seen_at: row.seen_at,
            ends_at: row.ends_at,
            address: row.address,
            agent: row.agent,
        })
    });
    live.collect()
}

/// A login of the history.
pub(crate) struct EntryRow {
    pub(crate) id: Uuid,
    pub(crate) at: DateTime<Utc>,
    pub(crate) method: String,
    pub(crate) factor: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) agent: Option<String>,
}

/// A member's logins before an entry, newest first.
pub(crate) async fn list_entries(
    db: &PgPool,
    member_id: Uuid,
    before: Uuid,
    limit: i64,
) -> Result<Vec<EntryRow>, sqlx::Error> {
    sqlx::query_as!(
        EntryRow,
        "select id, at, method, factor, address, agent from sessions_entries
         where member_id = $1 and id < $2 order by id desc limit $3",
        member_id,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Deletes all sessions and logins of some members.
pub(crate) async fn delete_traces(
    tx: &mut PgTransaction<'_>,
    member_ids: &[Uuid],
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sessions_tokens where member_id = any($1)", member_ids)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from sessions_entries where member_id = any($1)", member_ids)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from sessions_logins where member_id = any($1)", member_ids)
        .execute(&mut **tx)
        .await
        .map(drop)
}

/// Stores that an id token of the phone service was used; false if it was used before.
pub(crate) async fn insert_phone_token(
    tx: &mut PgTransaction<'_>,
    token_hash: &[u8; 32],
    ends_at: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into sessions_phone_tokens (token_hash, ends_at) values ($1, $2)
         on conflict do nothing",
        token_hash,
        ends_at,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}
