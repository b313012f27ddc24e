//! All SQL of social sign-in.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::Person;
use super::Provider;
use crate::sessions::model::Token;

/// A sign-in in progress.
pub(super) struct StateRow<'a> {
    pub(super) state_hash: &'a [u8; 32],
    pub(super) merchant_id: Uuid,
    pub(super) provider: Provider,
    pub(super) browser_hash: &'a [u8; 32],
    pub(super) device_hash: &'a [u8; 32],
    pub(super) sealed: &'a [u8],
    pub(super) ends_at: DateTime<Utc>,
}

pub(super) async fn insert_state(db: &PgPool, row: &StateRow<'_>) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into sessions_social_states
            (state_hash, merchant_id, provider, browser_hash, device_hash, sealed, ends_at)
         values ($1, $2, $3, $4, $5, $6, $7)",
        row.state_hash,
        row.merchant_id,
        row.provider.text(),
        row.browser_hash,
        row.device_hash,
        row.sealed,
        row.ends_at,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Deletes a state and returns its device hash and encrypted flow state. Of several requests from
/// the browser that started it, one gets them.
pub(super) async fn take_state(
    db: &PgPool,
    state_hash: &[u8; 32],
    (merchant_id, provider): (Uuid, Provider),
    browser_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<([u8; 32], Vec<u8>)>, sqlx::Error> {
    let row = sqlx::query!(
        "delete from sessions_social_states
         where state_hash = $1 and merchant_id = $2 and provider = $3 and browser_hash = $4
           and ends_at > $5
         returning device_hash, sealed",
        state_hash,
        merchant_id,
        provider.text(),
        browser_hash,
        now,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        let device = row.device_hash.try_into();
        Ok((device.map_err(|_| sqlx::Error::Decode("a hash of 32 bytes".into()))?, row.sealed))
    })
    .transpose()
}

/// The member that a user of a provider is linked to.
pub(super) async fn find_identity(
    db: &mut PgConnection,
    (merchant_id, provider): (Uuid, Provider),
    person: &Person,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select member_id from sessions_identities
         where merchant_id = $1 and provider = $2 and issuer = $3 and subject = $4",
        merchant_id,
        provider.text(),
        person.issuer,
        person.subject,
    )
    .fetch_optional(db)
    .await
}

/// Finds a member that was linked before issuers were stored, and stores the issuer.
pub(super) async fn update_issuer(
    db: &mut PgConnection,
    (merchant_id, provider): (Uuid, Provider),
    person: &Person,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "update sessions_identities set issuer = $3
         where merchant_id = $1 and provider = $2 and issuer = '' and subject = $4
         returning member_id",
        merchant_id,
        provider.text(),
        person.issuer,
        person.subject,
    )
    .fetch_optional(db)
    .await
}

/// Links a user to a member; false if the user is linked already.
pub(super) async fn insert_identity(
    tx: &mut PgTransaction<'_>,
    (merchant_id, provider): (Uuid, Provider),
    person: &Person,
    member_id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into sessions_identities
            (merchant_id, provider, issuer, subject, member_id, linked_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing",
        merchant_id,
        provider.text(),
        person.issuer,
        person.subject,
        member_id,
        now,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// A ticket for the page.
pub(super) struct TicketRow<'a> {
    pub(super) ticket: &'a Token,
    pub(super) merchant_id: Uuid,
    pub(super) provider: Provider,
    pub(super) device_hash: &'a [u8; 32],
    pub(super) ends_at: DateTime<Utc>,
}

pub(super) async fn insert_ticket(
    db: &mut PgConnection,
    row: &TicketRow<'_>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into sessions_social_tickets
            (member_id, ticket_hash, merchant_id, provider, device_hash, ends_at)
         values ($1, $2, $3, $4, $5, $6)",
        row.ticket.member_id,
        row.ticket.hash(),
        row.merchant_id,
        row.provider.text(),
        row.device_hash,
        row.ends_at,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Deletes a ticket and returns its provider. Of several requests from its device, one gets it.
pub(super) async fn take_ticket(
    tx: &mut PgTransaction<'_>,
    ticket: &Token,
    merchant_id: Uuid,
    device_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "delete from sessions_social_tickets
         where member_id = $1 and ticket_hash = $2 and merchant_id = $3 and device_hash = $4
           and ends_at > $5
         returning provider",
        ticket.member_id,
        ticket.hash(),
        merchant_id,
        device_hash,
        now,
    )
    .fetch_optional(&mut **tx)
    .await
}
