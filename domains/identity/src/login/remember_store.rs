//! The SQL of remembered passwords.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

/// A share to store.
pub(crate) struct NewShare<'a> {
    pub(crate) member_id: Uuid,
    pub(crate) device_hash: &'a [u8; 32],
    pub(crate) merchant_id: Uuid,
    /// Encrypted.
    pub(crate) share: &'a [u8],
    pub(crate) expires_at: DateTime<Utc>,
}

/// Stores a share and deletes the device's other shares on the merchant's site.
pub(crate) async fn replace_share(
    tx: &mut PgTransaction<'_>,
    new: &NewShare<'_>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from sessions_shares
         where device_hash = $1 and merchant_id = $2 and member_id <> $3",
        new.device_hash,
        new.merchant_id,
        new.member_id,
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into sessions_shares (member_id, device_hash, merchant_id, share, expires_at)
         values ($1, $2, $3, $4, $5)
         on conflict (member_id, device_hash) do update
         set merchant_id = excluded.merchant_id, share = excluded.share,
             expires_at = excluded.expires_at",
        new.member_id,
        new.device_hash,
        new.merchant_id,
        new.share,
        new.expires_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// The encrypted share of a device on a merchant's site.
pub(crate) async fn find_share(
    db: &PgPool,
    device_hash: &[u8; 32],
    merchant_id: Uuid,
    now: DateTime<Utc>,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar!(
        "select share from sessions_shares
         where device_hash = $1 and merchant_id = $2 and expires_at > $3
         order by expires_at desc limit 1",
        device_hash,
        merchant_id,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Deletes the shares of a device on a merchant's site.
pub(crate) async fn delete_share(
    db: &PgPool,
    device_hash: &[u8; 32],
    merchant_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from sessions_shares where device_hash = $1 and merchant_id = $2",
        device_hash,
        merchant_id,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Deletes all shares of a member.
pub(crate) async fn delete_shares(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sessions_shares where member_id = $1", member_id)
        .execute(db)
        .await
        .map(drop)
}
