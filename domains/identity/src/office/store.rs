//! The SQL of linked social accounts and the last login, for the office.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// A social account that is linked to a member.
pub(super) struct IdentityRow {
    pub(super) provider: String,
    pub(super) linked_at: DateTime<Utc>,
}

pub(super) async fn list_identities(
    db: &mut PgConnection,
    member_id: Uuid,
    limit: i64,
) -> Result<Vec<IdentityRow>, sqlx::Error> {
    sqlx::query_as!(
        IdentityRow,
        "select provider, linked_at from sessions_identities
         where member_id = $1 order by linked_at limit $2",
        member_id,
        limit,
    )
    .fetch_all(db)
    .await
}

/// When a member last logged in.
pub(super) async fn find_last_login(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!("select at from sessions_logins where member_id = $1", member_id)
        .fetch_optional(db)
        .await
}
