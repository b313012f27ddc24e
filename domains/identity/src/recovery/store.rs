//! All SQL of recovery links.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use crate::sessions::model::Token;

pub(super) async fn insert_link(
    tx: &mut PgTransaction<'_>,
    link: &Token,
    merchant_id: Uuid,
    expires_at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into sessions_links (member_id, link_hash, merchant_id, expires_at)
         values ($1, $2, $3, $4)",
        link.member_id,
        link.hash(),
        merchant_id,
        expires_at,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Whether a link is valid on a merchant's site.
pub(super) async fn has_link(
    db: &PgPool,
    link: &Token,
    merchant_id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select from sessions_links where member_id = $1 and link_hash = $2
                and merchant_id = $3 and expires_at > $4
         ) as "has!""#,
        link.member_id,
        link.hash(),
        merchant_id,
        now,
    )
    .fetch_one(db)
    .await
}

/// Uses up a link; false if it has expired, was used before or belongs to another merchant.
pub(super) async fn delete_link(
    tx: &mut PgTransaction<'_>,
    link: &Token,
    merchant_id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!(
        "delete from sessions_links where member_id = $1 and link_hash = $2
            and merchant_id = $3 and expires_at > $4",
        link.member_id,
        link.hash(),
        merchant_id,
        now,
    )
    .execute(&mut **tx)
    .await?;
    Ok(deleted.rows_affected() == 1)
}

/// Deletes all links of a member.
pub(crate) async fn delete_links(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from sessions_links where member_id = $1", member_id)
        .execute(db)
        .await
        .map(drop)
}
