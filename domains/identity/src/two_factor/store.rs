//! All SQL of the second factor.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// A member's second factor.
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

/// Stores an offered secret and replaces an earlier offer; false if the second factor is confirmed
/// already, which changes nothing.
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

/// Confirms an offer; false if it was confirmed or replaced since it was read.
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

/// Uses up a TOTP time step; false if this or a later one was used before.
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

/// Deletes a second factor and its recovery codes.
pub(super) async fn delete_factor(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sessions_factors where member_id = $1", member_id)
        .execute(db)
        .await
        .map(drop)
}

/// Replaces all recovery codes.
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

/// Uses up a recovery code; false if there is no such code.
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

/// A ticket whose attempt was counted.
pub(super) struct TicketAttempt {
    pub(super) method: String,
    pub(super) must_change: bool,
}

/// The ticket of a request, with the merchant and device that it must match.
pub(super) struct PresentedTicket<'a> {
    pub(super) member_id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) hash: &'a [u8; 32],
    pub(super) device_hash: &'a [u8; 32],
}

/// Counts an attempt at a live ticket. None if it has expired, was tried too often, or belongs to
/// another merchant or device.
pub(super) async fn update_tries(
    db: &PgPool,
    presented: &PresentedTicket<'_>,
    most: i16,
    now: DateTime<Utc>,
) -> Result<Option<TicketAttempt>, sqlx::Error> {
    sqlx::query_as!(
        TicketAttempt,
        "update sessions_tickets set tries = tries + 1
         where member_id = $1 and ticket_hash = $2 and merchant_id = $3 and device_hash = $4
           and tries < $5 and expires_at > $6
         returning method, must_change",
        presented.member_id,
        presented.hash,
        presented.merchant_id,
        presented.device_hash,
        most,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Uses up a ticket; false if it was used before.
pub(super) async fn delete_ticket(
    db: &mut PgConnection,
    presented: &PresentedTicket<'_>,
) -> Result<bool, sqlx::Error> {
    let used = sqlx::query!(
        "delete from sessions_tickets where member_id = $1 and ticket_hash = $2",
        presented.member_id,
        presented.hash,
    )
    .execute(db)
    .await?;
    Ok(used.rows_affected() == 1)
}

/// Deletes all tickets of a member, because the password behind them has changed.
pub(crate) async fn delete_tickets(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sessions_tickets where member_id = $1", member_id)
        .execute(db)
        .await
        .map(drop)
}
