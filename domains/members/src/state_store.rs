//! SQL for the state of accounts.

use sqlx::PgTransaction;
use uuid::Uuid;

use super::state::{MemberState, StateChange};

fn parse(name: &str) -> Result<MemberState, sqlx::Error> {
    MemberState::parse(name).ok_or_else(|| sqlx::Error::Decode("unknown account state".into()))
}

/// The state of an account, under a shared row lock.
pub(super) async fn share_state(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<Option<MemberState>, sqlx::Error> {
    let state = sqlx::query_scalar!(
        "select state from members_profiles where member_id = $1 for share",
        member_id,
    )
    .fetch_optional(&mut **tx)
    .await?;
    state.as_deref().map(parse).transpose()
}

/// The state of an account, under an exclusive row lock. `for no key update` does not block inserts
/// of rows that reference the profile.
pub(super) async fn lock_state(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<Option<MemberState>, sqlx::Error> {
    let state = sqlx::query_scalar!(
        "select state from members_profiles where member_id = $1 for no key update",
        member_id,
    )
    .fetch_optional(&mut **tx)
    .await?;
    state.as_deref().map(parse).transpose()
}

pub(super) async fn update_state(
    tx: &mut PgTransaction<'_>,
    change: &StateChange,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update members_profiles
         set state = $2, state_reason = $3, state_by = $4, state_at = $5 where member_id = $1",
        change.member_id,
        change.state.name(),
        change.reason,
        change.by,
        change.at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Requires a new password at the next login; false if the member has no password.
pub(super) async fn update_must_change(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "update members_passwords set must_change = true where member_id = $1",
        member_id,
    )
    .execute(&mut **tx)
    .await?;
    Ok(updated.rows_affected() == 1)
}

pub(super) async fn find_must_change(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    let must_change = sqlx::query_scalar!(
        "select must_change from members_passwords where member_id = $1",
        member_id,
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(must_change.unwrap_or_default())
}
