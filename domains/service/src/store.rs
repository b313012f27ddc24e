//! The SQL of check results (`service_checks`).

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use uuid::Uuid;

/// The result of a check.
pub(super) struct CheckRow {
    pub(super) began_at: DateTime<Utc>,
    pub(super) took_ms: i64,
    pub(super) rows: i64,
    pub(super) fault: Option<String>,
}

/// Inserts the result of a check, and deletes results that began before `delete_before`.
pub(super) async fn insert_check(
    db: &PgPool,
    (id, what): (Uuid, &str),
    check: &CheckRow,
    delete_before: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into service_checks (id, what, began_at, took_ms, rows, fault)
         values ($1, $2, $3, $4, $5, $6)",
        id,
        what,
        check.began_at,
        check.took_ms,
        check.rows,
        check.fault,
    )
    .execute(db)
    .await?;
    sqlx::query!(
        "delete from service_checks where what = $1 and began_at < $2",
        what,
        delete_before
    )
    .execute(db)
    .await
    .map(drop)
}

/// The latest result of a kind of check.
pub(super) async fn find_check(db: &PgPool, what: &str) -> Result<Option<CheckRow>, sqlx::Error> {
    sqlx::query_as!(
        CheckRow,
        "select began_at, took_ms, rows, fault from service_checks
         where what = $1 order by began_at desc, id desc limit 1",
        what,
    )
    .fetch_optional(db)
    .await
}
