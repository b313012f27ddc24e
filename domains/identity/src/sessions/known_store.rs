//! All SQL of known devices.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Stores that a member has logged in on a device.
pub(crate) async fn upsert_known_device(
    db: &mut PgConnection,
    member_id: Uuid,
    device_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into sessions_known_devices (member_id, device_hash, seen_at) values ($1, $2, $3)
         on conflict (member_id, device_hash) do update set seen_at = excluded.seen_at",
        member_id,
        device_hash,
        now,
    )
    .execute(db)
    .await
    .map(drop)
}

/// Whether a member has logged in on a device since a time.
pub(crate) async fn is_known_device(
    db: &mut PgConnection,
    member_id: Uuid,
    device_hash: &[u8; 32],
    since: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select from sessions_known_devices
            where member_id = $1 and device_hash = $2 and seen_at > $3
         ) as "known!""#,
        member_id,
        device_hash,
        since,
    )
    .fetch_one(db)
    .await
}
