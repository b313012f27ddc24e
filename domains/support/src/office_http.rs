//! Endpoints of the back office for feedback.

use std::collections::HashMap;

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::model::{Question, Status};
use super::ops;
use super::store::{self, Row};
use crate::Support;
use crate::codes;
use crate::rights::{FeedbackRead, FeedbackWrite};
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path, Query};
use staff::Allowed;

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;

/// Filter of the feedback list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct FeedbackQuery {
    /// `OPEN`, `ANSWERED` or `CLOSED`; all if absent.
    #[param(inline)]
    status: Option<Status>,
    /// Only feedback older than the one with this id.
    before: Option<Uuid>,
    /// Maximum number of entries, 200 at most.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<i64>,
}

/// Feedback as the office sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    id: Uuid,
    /// Name of the site on which it was written.
    merchant: String,
    /// The member who wrote it; null for a visitor.
    #[schema(required)]
    member_id: Option<Uuid>,
    #[schema(required)]
    account: Option<String>,
    #[schema(value_type = Question)]
    question_type: String,
    content: String,
    /// A contact for the answer, if the writer gave one.
    #[schema(required)]
    contact: Option<String>,
    /// The language of the writer's page.
    language: String,
    #[schema(value_type = Status)]
    status: String,
    #[schema(required)]
    answer: Option<String>,
    #[schema(required)]
    answered_at: Option<DateTime<Utc>>,
    /// The staff member who answered.
    #[schema(required)]
    answered_by: Option<String>,
    created_at: DateTime<Utc>,
}

/// Adds the names of sites and members to the rows.
async fn to_feedback(app: &Support, rows: Vec<Row>) -> Result<Vec<Feedback>, ApiError> {
    let writer_ids: Vec<_> = rows.iter().filter_map(|row| row.written_by).collect();
    let mut db = app.db.acquire().await?;
    let named = members::list_named(&mut db, &writer_ids).await?;
    let accounts: HashMap<_, _> =
        named.into_iter().map(|named| (named.member_id, named.account)).collect();
    let merchants = app.site.sites.all(&app.db).await?;
    let site = |id| merchants.iter().find(|merchant| merchant.id == id);
    let feedback = rows.into_iter().map(|row| Feedback {
        id: row.id,
        merchant: site(row.merchant_id).map_or_else(String::new, |site| site.name.clone()),
        account: row.written_by.and_then(|id| accounts.get(&id).cloned()),
        member_id: row.written_by,
        question_type: row.question_type,
        content: row.content,
        contact: row.contact,
        language: row.language,
        status: row.status,
        answer: row.answer,
        answered_at: row.answered_at,
        answered_by: row.answered_by,
        created_at: row.created_at,
    });
    Ok(feedback.collect())
}

async fn find_feedback(app: &Support, id: Uuid) -> Result<Feedback, ApiError> {
    let row = store::find(&app.db, id).await?;
    let feedback = to_feedback(app, row.into_iter().collect()).await?.pop();
    feedback.ok_or_else(|| ApiError::new(codes::UNKNOWN))
}

/// Lists the feedback of members and visitors, the latest first.
#[utoipa::path(get, path = "/office/api/feedback", tag = "inbox", operation_id = "office_list_feedback",
    params(FeedbackQuery), security(("office" = ["feedback.read"])),
    responses((status = 200, body = Envelope<Vec<Feedback>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list(
    _: Allowed<FeedbackRead>,
    State(app): State<Support>,
    Query(query): Query<FeedbackQuery>,
) -> Answer<Vec<Feedback>> {
    let limit = query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX);
    let rows = store::list(&app.db, query.status, query.before, limit).await?;
    answer(to_feedback(&app, rows).await?)
}

/// An answer to feedback.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AnswerFeedback {
    /// The answer, which the writer can read.
    #[schema(min_length = 1, max_length = 2000)]
    answer: String,
}

/// Answers feedback. Feedback is answered once.
#[utoipa::path(post, path = "/office/api/feedback/{id}/answer", tag = "inbox",
    operation_id = "office_answer_feedback", params(("id" = Uuid, Path)),
    request_body = AnswerFeedback, security(("office" = ["feedback.write"])),
    responses((status = 200, body = Envelope<Feedback>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn answer_feedback(
    Allowed(person, ..): Allowed<FeedbackWrite>,
    State(app): State<Support>,
    Path(id): Path<Uuid>,
    Json(body): Json<AnswerFeedback>,
) -> Answer<Feedback> {
    ops::answer(&app, person.actor(), id, body.answer).await?;
    answer(find_feedback(&app, id).await?)
}

/// The reason for closing feedback.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CloseFeedback {
    /// Recorded in the audit log.
    #[schema(min_length = 3, max_length = 500)]
    reason: String,
}

/// Closes feedback that needs no answer or no further answer.
#[utoipa::path(post, path = "/office/api/feedback/{id}/close", tag = "inbox",
    operation_id = "office_close_feedback", params(("id" = Uuid, Path)),
    request_body = CloseFeedback, security(("office" = ["feedback.write"])),
    responses((status = 200, body = Envelope<Feedback>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn close_feedback(
    Allowed(person, ..): Allowed<FeedbackWrite>,
    State(app): State<Support>,
    Path(id): Path<Uuid>,
    Json(body): Json<CloseFeedback>,
) -> Answer<Feedback> {
    ops::close(&app, person.actor(), id, body.reason).await?;
    answer(find_feedback(&app, id).await?)
}

/// The domain's routes in the back office.
pub fn routes() -> OpenApiRouter<Support> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(answer_feedback))
        .routes(routes!(close_feedback))
}
