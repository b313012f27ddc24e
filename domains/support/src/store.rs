//! SQL for feedback.

use chrono::{DateTime, Utc};
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::model::{NewFeedback, Status};

pub(super) async fn insert(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    feedback: &NewFeedback,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into inbox_feedback
            (id, merchant_id, written_by, question_type, content, contact, language, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        feedback.merchant_id,
        feedback.written_by,
        feedback.question.text(),
        feedback.content,
        feedback.contact,
        feedback.language.code(),
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Feedback with its status and answer.
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) written_by: Option<Uuid>,
    pub(super) question_type: String,
    pub(super) content: String,
    pub(super) contact: Option<String>,
    pub(super) language: String,
    pub(super) created_at: DateTime<Utc>,
    pub(super) status: String,
    pub(super) answer: Option<String>,
    pub(super) answered_at: Option<DateTime<Utc>>,
    pub(super) answered_by: Option<String>,
}

/// A member's own feedback, the latest first.
pub(super) async fn list_written(
    db: &PgPool,
    member_id: Uuid,
    limit: i64,
) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "select id, merchant_id, written_by, question_type, content, contact, language, created_at,
            status, answer, answered_at, answered_by
         from inbox_feedback where written_by = $1 order by id desc limit $2",
        member_id,
        limit,
    )
    .fetch_all(db)
    .await
}

/// All feedback, the latest first, optionally of one status and older than the one with the id
/// `before`.
pub(super) async fn list(
    db: &PgPool,
    status: Option<Status>,
    before: Option<Uuid>,
    limit: i64,
) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "select id, merchant_id, written_by, question_type, content, contact, language, created_at,
            status, answer, answered_at, answered_by
         from inbox_feedback
         where ($1::text is null or status = $1) and ($2::uuid is null or id < $2)
         order by id desc limit $3",
        status.map(Status::text),
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

pub(super) async fn find(db: &PgPool, id: Uuid) -> Result<Option<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        "select id, merchant_id, written_by, question_type, content, contact, language, created_at,
            status, answer, answered_at, answered_by
         from inbox_feedback where id = $1",
        id,
    )
    .fetch_optional(db)
    .await
}

/// Locked feedback, with the fields needed to answer or close it.
pub(super) struct Locked {
    pub(super) merchant_id: Uuid,
    pub(super) written_by: Option<Uuid>,
    pub(super) status: String,
    pub(super) language: String,
}

/// Locks feedback. The row lock serializes concurrent answers.
pub(super) async fn lock(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
) -> Result<Option<Locked>, sqlx::Error> {
    sqlx::query_as!(
        Locked,
        "select merchant_id, written_by, status, language from inbox_feedback
         where id = $1 for update",
        id,
    )
    .fetch_optional(&mut **tx)
    .await
}

pub(super) async fn update_answered(
    tx: &mut PgTransaction<'_>,
    id: Uuid,
    (answer, answered_by): (&str, &str),
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update inbox_feedback
         set status = 'ANSWERED', answer = $2, answered_by = $3, answered_at = $4
         where id = $1 and status = 'OPEN'",
        id,
        answer,
        answered_by,
        now,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

pub(super) async fn update_closed(tx: &mut PgTransaction<'_>, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("update inbox_feedback set status = 'CLOSED' where id = $1", id)
        .execute(&mut **tx)
        .await
        .map(drop)
}
