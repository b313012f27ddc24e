//! Feedback: its fields, status and validation.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use platform::error::{ApiError, Bounds};
use platform::language::Language;
use platform::text;

/// Length of feedback, in characters.
const CONTENT: Bounds = Bounds { min: 10, max: 1_000 };
/// Length of a contact, in characters.
const CONTACT: Bounds = Bounds { min: 3, max: 120 };
/// Length of an answer, in characters.
const ANSWER: Bounds = Bounds { min: 1, max: 2_000 };

/// What feedback is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = QuestionType)]
pub enum Question {
    /// The account: login, profile, security.
    Account,
    /// A deposit.
    Deposit,
    /// A withdrawal.
    Withdrawal,
    /// A game or a round.
    Game,
    /// A promotion.
    Promotion,
    /// A technical problem.
    Technical,
    /// A complaint.
    Complaint,
    /// Anything else.
    Other,
}

impl Question {
    /// As it is stored and on the wire.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Account => "ACCOUNT",
            Self::Deposit => "DEPOSIT",
            Self::Withdrawal => "WITHDRAWAL",
            Self::Game => "GAME",
            Self::Promotion => "PROMOTION",
            Self::Technical => "TECHNICAL",
            Self::Complaint => "COMPLAINT",
            Self::Other => "OTHER",
        }
    }
}

/// The status of feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = FeedbackStatus)]
pub(super) enum Status {
    /// Not answered yet.
    Open,
    /// Answered.
    Answered,
    /// Closed; it gets no further answer.
    Closed,
}

impl Status {
    /// As it is stored and on the wire.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Open => "OPEN",
            Self::Answered => "ANSWERED",
            Self::Closed => "CLOSED",
        }
    }
}

/// New feedback.
pub struct NewFeedback {
    /// The merchant on whose site it was written.
    pub merchant_id: Uuid,
    /// The member who writes; none for a visitor.
    pub written_by: Option<Uuid>,
    /// The topic.
    pub question: Question,
    /// The text.
    pub content: String,
    /// A contact for the answer, if the writer gave one.
    pub contact: Option<String>,
    /// The language of the writer's page.
    pub language: Language,
}

impl NewFeedback {
    /// The validated and normalized feedback.
    pub(super) fn checked(self) -> Result<Self, ApiError> {
        let contact = text::optional_line("contact", self.contact.as_deref(), CONTACT)?;
        let content = text::lines("content", &self.content, CONTENT)?;
        Ok(Self { contact, content, ..self })
    }
}

/// Validates an answer to feedback.
pub(super) fn check_answer(answer: &str) -> Result<String, ApiError> {
    text::lines("answer", answer, ANSWER)
}
