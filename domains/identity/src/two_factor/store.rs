//! All SQL of the second factor.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// A member's factor.
pub(super) struct FactorRow {
    pub(super) secret: Vec<u8>,
    pub(super) confirmed: bool,
    pub(super) offered_at: DateTime<Utc>,
}

pub(super) async fn find_factor(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<FactorRow>, sqlx::Error> {
    sqlx::query_as!(
        FactorRow,
        r#"select secret, confirmed_at is not null as "confirmed!", offered_at
         from sessions_factors where member_id = $1"#,
        member_id,
    )
    .fetch_optional(db)
    .await
}

/// Offers a secret in place of an earlier offer; a confirmed factor stays, and false is given.
pub(super) async fn upsert_offer(
    db: &PgPool,
    member_id: Uuid,
    secret: &[u8],
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let offered = sqlx::query!(
        "insert into sessions_factors as f (member_id, secret, offered_at) values ($1, $2, $3)
         on conflict (member_id) do update
         set secret = excluded.secret, offered_at = excluded.offered_at, last_step = 0
         where f.confirmed_at is null",
        member_id,
        secret,
        now,
    )
    .execute(db)
    .await?;
    Ok(offered.rows_affected() == 1)
}

/// Confirms an offer; false where it was confirmed, or changed, since it was read.
pub(super) async fn update_confirmed(
    db: &mut PgConnection,
    member_id: Uuid,
    (secret, step): (&[u8], i64),
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let confirmed = sqlx::query!(
        "update sessions_factors set confirmed_at = $4, last_step = $3
         where member_id = $1 and secret = $2 and confirmed_at is null",
        member_id,
        secret,
        step,
        now,
    )
    .execute(db)
    .await?;
    Ok(confirmed.rows_affected() == 1)
}

/// Uses up a time step; false where it, or a later one, was used before.
pub(super) async fn update_step(
    db: &mut PgConnection,
    member_id: Uuid,
    step: i64,
) -> Result<bool, sqlx::Error> {
    let used = sqlx::query!(
        "update sessions_factors set last_step = $2
         where member_id = $1 and last_step < $2 and confirmed_at is not null",
        member_id,
        step,
    )
    .execute(db)
    .await?;
    Ok(used.rows_affected() == 1)
}

/// Removes a factor with its recovery codes.
pub(super) async fn delete_factor(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sessions_factors where member_id = $1", member_id)
        .execute(db)
        .await
        .map(drop)
}

/// Puts new recovery codes in the place of all old ones.
pub(super) async fn replace_recovery_codes(
    db: &mut PgConnection,
    member_id: Uuid,
    hashes: &[Vec<u8>],
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sessions_recovery_codes where member_id = $1", member_id)
        .execute(&mut *db)
        .await?;
    sqlx::query!(
        "insert into sessions_recovery_codes (member_id, code_hash)
         select $1, code_hash from unnest($2::bytea[]) as codes (code_hash)",
        member_id,
        hashes,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Uses a recovery code up; false where there is no such one.
pub(super) async fn delete_recovery_code(
    db: &mut PgConnection,
    member_id: Uuid,
    hash: &[u8; 32],
) -> Result<bool, sqlx::Error> {
    let used = sqlx::query!(
        "delete from sessions_recovery_codes where member_id = $1 and code_hash = $2",
        member_id,
        hash,
    )
    .execute(db)
    .await?;
    Ok(used.rows_affected() == 1)
}

/// A login that waits for its second factor.
pub(super) struct NewTicket<'a> {
    pub(super) member_id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) hash: &'a [u8; 32],
    pub(super) device_hash: &'a [u8; 32],
    pub(super) method: &'a str,
    pub(super) must_change: bool,
    pub(super) expires_at: DateTime<Utc>,
}

pub(super) async fn insert_ticket(
    db: &mut PgConnection,
    ticket: &NewTicket<'_>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into sessions_tickets
            (member_id, ticket_hash, merchant_id, device_hash, method, must_change, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        ticket.member_id,
        ticket.hash,
        ticket.merchant_id,
        ticket.device_hash,
        ticket.method,
        ticket.must_change,
        ticket.expires_at,
    )
    .execute(db)
    .await
    .map(drop)
}

/// A ticket as it is tried.
pub(super) struct Tried {
    pub(super) method: String,
    pub(super) must_change: bool,
}

/// What a ticket must be shown with.
pub(super) struct Shown<'a> {
    pub(super) member_id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) hash: &'a [u8; 32],
    pub(super) device_hash: &'a [u8; 32],
}

/// Counts a try of a live ticket. Nothing where it is over, tried too often, or another's.
pub(super) async fn update_tries(
    db: &PgPool,
    shown: &Shown<'_>,
    most: i16,
    now: DateTime<Utc>,
) -> Result<Option<Tried>, sqlx::Error> {
    sqlx::query_as!(
        Tried,
        "update sessions_tickets set tries = tries + 1
         where member_id = $1 and ticket_hash = $2 and merchant_id = $3 and device_hash = $4
           and tries < $5 and expires_at > $6
         returning method, must_change",
        shown.member_id,
        shown.hash,
        shown.merchant_id,
        shown.device_hash,
        most,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Uses a ticket up; false where it was used before.
pub(super) async fn delete_ticket(
    db: &mut PgConnection,
    shown: &Shown<'_>,
) -> Result<bool, sqlx::Error> {
    let used = sqlx::query!(
        "delete from sessions_tickets where member_id = $1 and ticket_hash = $2",
        shown.member_id,
        shown.hash,
    )
    .execute(db)
    .await?;
    Ok(used.rows_affected() == 1)
}

/// Takes all tickets of a member away: the password that they were given for is another now.
pub(crate) async fn drop_tickets(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sessions_tickets where member_id = $1", member_id)
        .execute(db)
        .await
        .map(drop)
}
