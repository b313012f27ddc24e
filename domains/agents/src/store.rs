//! SQL for affiliate applications.

use chrono::{DateTime, Utc};
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::model::{NewApplication, Status};

/// Inserts an application; false if the member has an open one.
pub(super) async fn insert(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    application: &NewApplication,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into agents_applications
            (id, merchant_id, asked_by, name, contact_kind, contact, audience, message,
             affiliate_code, referral_code, language, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
         on conflict do nothing",
        id,
        application.merchant_id,
        application.asked_by,
        application.name,
        application.contact_kind.text(),
        application.contact,
        application.audience,
        application.message,
        application.affiliate_code,
        application.referral_code,
        application.language.code(),
        now,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// An application in a list of the office.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) asked_by: Option<Uuid>,
    pub(super) name: String,
    pub(super) contact_kind: String,
    pub(super) contact: String,
    pub(super) audience: String,
    pub(super) message: String,
    pub(super) affiliate_code: Option<String>,
    pub(super) referral_code: Option<String>,
    pub(super) language: String,
    pub(super) created_at: DateTime<Utc>,
    pub(super) status: String,
    pub(super) answer: Option<String>,
    pub(super) decided_at: Option<DateTime<Utc>>,
    pub(super) decided_by: Option<String>,
}

/// An application as its member sees it.
pub(super) struct OwnRow {
    pub(super) id: Uuid,
    pub(super) status: String,
    pub(super) answer: Option<String>,
    pub(super) created_at: DateTime<Utc>,
}

/// A member's latest application.
pub(super) async fn find_latest(
    db: &PgPool,
    member_id: Uuid,
) -> Result<Option<OwnRow>, sqlx::Error> {
    sqlx::query_as!(
        OwnRow,
        "select id, status, answer, created_at from agents_applications
         where asked_by = $1 order by id desc limit 1",
        member_id,
    )
    .fetch_optional(db)
    .await
}

/// Filter of [`list`].
#[derive(Clone, Copy, Default)]
pub(super) struct Filter {
    pub(super) status: Option<Status>,
    /// Only applications older than the one with this id.
    pub(super) before: Option<Uuid>,
    pub(super) id: Option<Uuid>,
}

/// Applications, the latest first.
pub(super) async fn list(db: &PgPool, filter: Filter, limit: i64) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "select id, merchant_id, asked_by, name, contact_kind, contact, audience, message,
            affiliate_code, referral_code, language, created_at, status, answer, decided_at,
            decided_by
         from agents_applications
         where ($1::text is null or status = $1) and ($2::uuid is null or id < $2)
           and ($3::uuid is null or id = $3)
         order by id desc limit $4",
        filter.status.map(Status::text),
        filter.before,
        filter.id,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Locks an application and returns its applicant and status. The row lock serializes two
/// decisions.
pub(super) async fn lock(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
) -> Result<Option<(Option<Uuid>, String)>, sqlx::Error> {
    let row = sqlx::query!(
        "select asked_by, status from agents_applications where id = $1 for update",
        id,
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(row.map(|row| (row.asked_by, row.status)))
}

pub(super) async fn update_decided(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    (status, answer): (Status, &str),
    decided_by: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update agents_applications
         set status = $2, answer = $3, decided_by = $4, decided_at = $5
         where id = $1 and status = 'OPEN'",
        id,
        status.text(),
        answer,
        decided_by,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}
