//! What feedback is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use platform::error::{ApiError, Bounds};
use platform::language::Language;
use platform::text;

/// How many characters feedback has.
const CONTENT: Bounds = Bounds { min: 10, max: 1_000 };
/// How many a contact has.
const CONTACT: Bounds = Bounds { min: 3, max: 120 };
/// How many an answer has.
const ANSWER: Bounds = Bounds { min: 1, max: 2_000 };

/// What feedback is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = QuestionType)]
pub enum Question {
    /// The account itself: log-in, profile, security.
    Account,
    /// Money that comes in.
    Deposit,
    /// Money that goes out.
    Withdrawal,
    /// A game or a round.
    Game,
    /// A promotion.
    Promotion,
    /// Something that does not work.
    Technical,
    /// Something that was done wrong.
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

/// What became of feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = FeedbackStatus)]
pub(super) enum Status {
    /// Nobody has answered.
    Open,
    /// Somebody has.
    Answered,
    /// Nobody will any more.
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

/// Feedback that somebody writes.
pub struct NewFeedback {
    /// Whose site it was written on.
    pub merchant_id: Uuid,
    /// The member who writes; nobody's where it is a visitor.
    pub written_by: Option<Uuid>,
    /// What it is about.
    pub question: Question,
    /// What it says.
    pub content: String,
    /// Where the writer wants to be reached.
    pub contact: Option<String>,
    /// What the writer reads.
    pub language: Language,
}

impl NewFeedback {
    /// The same as it is kept, if it can be.
    pub(super) fn checked(self) -> Result<Self, ApiError> {
        let contact = text::optional_line("contact", self.contact.as_deref(), CONTACT)?;
        let content = text::lines("content", &self.content, CONTENT)?;
        Ok(Self { contact, content, ..self })
    }
}

/// An answer, as it is kept.
pub(super) fn check_answer(answer: &str) -> Result<String, ApiError> {
    text::lines("answer", answer, ANSWER)
}
