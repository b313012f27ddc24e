//! Removal of demo accounts.

use chrono::{DateTime, Utc};
use sqlx::PgTransaction;
use uuid::Uuid;

/// Locks demo accounts that were registered up to `before`, the oldest first, skipping rows that
/// are locked already.
pub async fn lock_trials(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    before: DateTime<Utc>,
    limit: i64,
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select member_id from members_profiles
         where merchant_id = $1 and kind = 4 and registered_at <= $2
         order by registered_at limit $3 for update skip locked",
        merchant_id,
        before,
        limit,
    )
    .fetch_all(&mut **tx)
    .await
}

/// Deletes demo accounts and ignores others. Their rows in the ledger and the games stay and
/// identify no person.
pub async fn remove_trials(
    tx: &mut PgTransaction<'_>,
    member_ids: &[Uuid],
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from members_profiles where member_id = any($1) and kind = 4", member_ids,)
        .execute(&mut **tx)
        .await
        .map(drop)
}
