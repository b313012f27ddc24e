//! Endpoints of the site for feedback.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::model::{NewFeedback, Question, Status};
use super::ops;
use super::store::{self, Row};
use crate::Support;
use identity::{CurrentMember, Sender};
use platform::error::{Answer, Envelope, Refusal, answer};
use platform::extract::Json;

/// How many of the member's own feedback messages are listed.
const OWN_LIMIT: i64 = 50;

/// New feedback.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WriteFeedback {
    question_type: Question,
    #[schema(min_length = 10, max_length = 1000)]
    content: String,
    /// A contact for the answer, such as an e-mail address.
    #[schema(min_length = 3, max_length = 120)]
    contact: Option<String>,
    /// The solved proof-of-work challenge, `{challenge, solution}` in base64. Required of visitors
    /// and demo accounts.
    human: Option<String>,
}

/// The id of the new feedback.
#[derive(Serialize, ToSchema)]
struct FeedbackId {
    id: Uuid,
}

/// Sends feedback. Visitors and demo accounts pass the human check. Works on closed sites, too.
#[utoipa::path(put, path = "/wps/feedback", tag = "inbox", security((), ("token" = [])),
    responses((status = 200, body = Envelope<FeedbackId>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn write_feedback(
    sender: Sender,
    State(app): State<Support>,
    Json(body): Json<WriteFeedback>,
) -> Answer<FeedbackId> {
    let feedback = NewFeedback {
        merchant_id: sender.visitor.merchant.id,
        written_by: sender.member_id,
        question: body.question_type,
        content: body.content,
        contact: body.contact,
        language: sender.visitor.language,
    };
    // Validate before the human check, so that a typo does not spend the proof of work.
    let feedback = feedback.checked()?;
    sender.require_human(&app.identity, body.human.as_deref()).await?;
    let id = ops::write(&app, feedback, Some(sender.visitor.address_key())).await?;
    answer(FeedbackId { id })
}

/// The member's own feedback, with its status and answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnFeedback {
    id: Uuid,
    #[schema(value_type = Question)]
    question_type: String,
    content: String,
    #[schema(value_type = Status)]
    status: String,
    #[schema(required)]
    answer: Option<String>,
    #[schema(required)]
    answered_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

impl From<Row> for OwnFeedback {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            question_type: row.question_type,
            content: row.content,
            status: row.status,
            answer: row.answer,
            answered_at: row.answered_at,
            created_at: row.created_at,
        }
    }
}

/// Lists the member's own feedback, the latest first; at most 50.
#[utoipa::path(get, path = "/wps/feedback", tag = "inbox", security(("token" = [])),
    responses((status = 200, body = Envelope<Vec<OwnFeedback>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_feedback(
    State(app): State<Support>,
    member: CurrentMember,
) -> Answer<Vec<OwnFeedback>> {
    let rows = store::list_written(&app.db, member.id, OWN_LIMIT).await?;
    answer(rows.into_iter().map(OwnFeedback::from).collect())
}

/// The domain's routes on the site.
pub fn routes() -> OpenApiRouter<Support> {
    OpenApiRouter::new().routes(routes!(write_feedback, list_feedback))
}
