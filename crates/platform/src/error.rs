//! The API's one error type and the envelope that every JSON answer wears.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::codes;
use crate::codes::ErrorCode;

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// A failed request: what the client is told, and the cause that only the log sees.
#[derive(Debug)]
pub struct ApiError {
    /// The catalogue's code; it decides the HTTP status.
    pub code: ErrorCode,
    message: Option<Cow<'static, str>>,
    faults: BTreeMap<String, Fault>,
    retry_after_s: Option<u32>,
    asks_captcha: bool,
    challenge: Option<Box<Value>>,
    suggestions: Box<[String]>,
    /// In a box, as every result has room for one of these.
    account: Option<Box<Uuid>>,
    cause: Option<Cause>,
}

/// What is wrong with one field of the input.
#[derive(Debug)]
struct Fault {
    code: String,
    bounds: Option<Bounds>,
}

/// How many characters a field may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Bounds {
    /// The fewest.
    pub min: usize,
    /// The most.
    pub max: usize,
}

impl ApiError {
    /// An error with the catalogue's own sentence.
    pub fn new(code: ErrorCode) -> Self {
        Self {
            code,
            message: None,
            faults: BTreeMap::new(),
            retry_after_s: None,
            asks_captcha: false,
            challenge: None,
            suggestions: Box::default(),
            account: None,
            cause: None,
        }
    }

    /// One or more fields of the input are wrong; each has a short code such as `too_short`.
    pub fn fields<N: Into<String>, C: Into<String>>(
        fields: impl IntoIterator<Item = (N, C)>,
    ) -> Self {
        let fields = fields.into_iter().map(|(name, code)| (name, code, None));
        Self::new(codes::INPUT_INVALID).naming(fields)
    }

    /// Names the fields that it is about: each with a short code, and with its bounds where it
    /// has some.
    #[must_use]
    pub fn naming<N: Into<String>, C: Into<String>>(
        mut self,
        fields: impl IntoIterator<Item = (N, C, Option<Bounds>)>,
    ) -> Self {
        for (name, code, bounds) in fields {
            self.faults.insert(name.into(), Fault { code: code.into(), bounds });
        }
        self
    }

    /// A bug or a broken part of ours. The cause goes to the log and nowhere else.
    pub fn internal(cause: impl Into<Cause>) -> Self {
        Self::new(codes::SERVER_INTERNAL).caused_by(cause)
    }

    /// Something that may pass: the client is told when to try again.
    pub fn unavailable(cause: impl Into<Cause>) -> Self {
        let mut error = Self::new(codes::SERVER_UNAVAILABLE).caused_by(cause);
        error.retry_after_s = Some(1);
        error
    }

    /// Says in how many seconds it is worth to try again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// Says that the next try needs a captcha.
    #[must_use]
    pub fn asking_captcha(mut self) -> Self {
        self.asks_captcha = true;
        self
    }

    /// Brings the work that the next try has to prove.
    #[must_use]
    pub fn asking_work(mut self, challenge: Value) -> Self {
        self.challenge = Some(Box::new(challenge));
        self
    }

    /// Names what could be had instead.
    #[must_use]
    pub fn suggesting(mut self, suggestions: impl IntoIterator<Item = String>) -> Self {
        self.suggestions = suggestions.into_iter().collect();
        self
    }

    /// Replaces the catalogue's sentence by a more exact one.
    #[must_use]
    pub fn message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Says to the log whose account it was, where that is known. The client is not told.
    #[must_use]
    pub fn about(mut self, account: Option<Uuid>) -> Self {
        self.account = self.account.or(account.map(Box::new));
        self
    }

    /// Attaches the cause for the log.
    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Cause>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    fn log(&self) {
        let Some(cause) = &self.cause else { return };
        let code = self.code.text();
        if self.code.status().is_server_error() {
            tracing::error!(code, %cause, "request failed");
        } else {
            tracing::debug!(code, %cause, "request refused");
        }
    }
}

/// The shape of a refusal on the wire.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// Always false.
    #[schema(example = false)]
    pub success: bool,
    /// What went wrong, for the web to translate.
    pub code: ErrorCode,
    /// The same in English, for people and logs.
    pub message: String,
    /// The fields that it is about: name → short code.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub fields: BTreeMap<String, String>,
    /// How many characters those of them may have whose length has bounds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub bounds: BTreeMap<String, Bounds>,
    /// What could be had instead: codes of games, where one is under maintenance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub suggestions: Vec<String>,
    /// What the next try needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub value: Option<Demand>,
}

/// What the next try needs.
#[derive(Serialize, ToSchema)]
pub struct Demand {
    /// The answer to a captcha.
    pub captcha: bool,
    /// The solution of this challenge, which is like those of `GET /wps/captcha/challenge`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Object)]
    pub challenge: Option<Box<Value>>,
}

/// Goes along with a refusal that has a line in the log.
#[derive(Clone, Copy)]
pub struct Noted {
    /// Why.
    pub code: ErrorCode,
    /// Whose account it was about.
    pub account: Option<Uuid>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        let status = self.code.status();
        let message = self.message.unwrap_or(Cow::Borrowed(self.code.sentence())).into_owned();
        let bounded = self.faults.iter().filter_map(|(name, fault)| Some((name, fault.bounds?)));
        let bounds = bounded.map(|(name, bounds)| (name.clone(), bounds)).collect();
        let fields = self.faults.into_iter().map(|(name, fault)| (name, fault.code)).collect();
        let (captcha, challenge) = (self.asks_captcha, self.challenge);
        let value = (captcha || challenge.is_some()).then_some(Demand { captcha, challenge });
        let suggestions = self.suggestions.into_vec();
        let refusal = Refusal {
            success: false,
            code: self.code,
            message,
            fields,
            bounds,
            suggestions,
            value,
        };
        let mut response = (status, Json(refusal)).into_response();
        if self.code.is_noted() {
            response
                .extensions_mut()
                .insert(Noted { code: self.code, account: self.account.map(|id| *id) });
        }
        if let Some(seconds) = self.retry_after_s {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::Protocol(_)
            | sqlx::Error::Io(_) => Self::unavailable(error),
            sqlx::Error::Database(ref db) if db.code().is_some_and(|code| may_pass(&code)) => {
                Self::unavailable(error)
            }
            // 22021: a text that no database can hold, such as one with a NUL in it.
            sqlx::Error::Database(ref db) if db.code().as_deref() == Some("22021") => {
                Self::new(codes::REQUEST_MALFORMED).caused_by(error)
            }
            other => Self::internal(other),
        }
    }
}

/// Failures of the database that are over when the request is made again: lost connections
/// (08), transactions to be repeated (40) or timed out while idle (25P03), no resources (53),
/// a lock that did not come (55P03), a database that shuts down or cancels (57).
fn may_pass(code: &str) -> bool {
    let is_class = ["08", "40", "53", "57"].iter().any(|class| code.starts_with(class));
    is_class || ["25P03", "55P03"].contains(&code)
}

/// The shape of an accepted request's answer on the wire.
#[derive(Serialize, ToSchema)]
pub struct Envelope<T> {
    /// Always true.
    #[schema(example = true)]
    pub success: bool,
    /// The answer itself.
    pub value: T,
    /// Always null.
    #[schema(value_type = Option<String>)]
    pub message: Option<()>,
}

/// What a handler gives back.
pub type Answer<T> = Result<Envelope<T>, ApiError>;

/// Wraps a value for the wire.
pub fn answer<T>(value: T) -> Answer<T> {
    Ok(Envelope { success: true, value, message: None })
}

impl<T: Serialize> IntoResponse for Envelope<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}
