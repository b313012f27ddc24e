//! The API's error type, and the envelope around every JSON response.

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

/// A failed request: the error response, and an internal cause that is only logged.
#[derive(Debug)]
pub struct ApiError {
    /// The error code, which decides the HTTP status.
    pub code: ErrorCode,
    message: Option<Cow<'static, str>>,
    faults: BTreeMap<String, Fault>,
    retry_after_s: Option<u32>,
    asks_captcha: bool,
    challenge: Option<Box<Value>>,
    suggestions: Box<[String]>,
    /// Boxed to keep the error small, as every `Result` reserves space for it.
    account: Option<Box<Uuid>>,
    cause: Option<Cause>,
}

/// What is wrong with one field of the input.
#[derive(Debug)]
struct Fault {
    code: String,
    bounds: Option<Bounds>,
}

/// The allowed length of a field, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Bounds {
    /// The minimum.
    pub min: usize,
    /// The maximum.
    pub max: usize,
}

impl ApiError {
    /// An error with the default sentence of its code.
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

    /// A validation error (`input.invalid`): field names with short codes such as `too_short`.
    pub fn fields<N: Into<String>, C: Into<String>>(
        fields: impl IntoIterator<Item = (N, C)>,
    ) -> Self {
        let fields = fields.into_iter().map(|(name, code)| (name, code, None));
        Self::new(codes::INPUT_INVALID).naming(fields)
    }

    /// Adds the invalid fields, each with a short code and its length bounds if it has any.
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

    /// An internal error (500). The cause is logged and not sent to the client.
    pub fn internal(cause: impl Into<Cause>) -> Self {
        Self::new(codes::SERVER_INTERNAL).caused_by(cause)
    }

    /// A temporary failure (503) with `Retry-After: 1`.
    pub fn unavailable(cause: impl Into<Cause>) -> Self {
        let mut error = Self::new(codes::SERVER_UNAVAILABLE).caused_by(cause);
        error.retry_after_s = Some(1);
        error
    }

    /// Sets the `Retry-After` header, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// Tells the client that the next attempt needs a captcha.
    #[must_use]
    pub fn with_captcha_required(mut self) -> Self {
        self.asks_captcha = true;
        self
    }

    /// Adds a proof-of-work challenge that the next attempt must solve.
    #[must_use]
    pub fn with_challenge(mut self, challenge: Value) -> Self {
        self.challenge = Some(Box::new(challenge));
        self
    }

    /// Adds alternatives, such as the codes of other games when one is under maintenance.
    #[must_use]
    pub fn suggesting(mut self, suggestions: impl IntoIterator<Item = String>) -> Self {
        self.suggestions = suggestions.into_iter().collect();
        self
    }

    /// Replaces the default sentence by a more specific one.
    #[must_use]
    pub fn message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Adds the account id to the log line, unless it has one. It is not sent to the client.
    #[must_use]
    pub fn about(mut self, account: Option<Uuid>) -> Self {
        self.account = self.account.or(account.map(Box::new));
        self
    }

    /// Attaches the cause, for the log.
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

/// The body of an error response.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// Always false.
    #[schema(example = false)]
    pub success: bool,
    /// The error code, which the web translates.
    pub code: ErrorCode,
    /// The English sentence, for people and logs.
    pub message: String,
    /// The invalid fields: name → short code.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub fields: BTreeMap<String, String>,
    /// The allowed lengths of those fields that have bounds: name → bounds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    pub bounds: BTreeMap<String, Bounds>,
    /// Alternatives, such as the codes of other games when one is under maintenance.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub suggestions: Vec<String>,
    /// What the next attempt must include.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub value: Option<Demand>,
}

/// What the next attempt must include.
#[derive(Serialize, ToSchema)]
pub struct Demand {
    /// Whether a solved captcha is required.
    pub captcha: bool,
    /// The proof-of-work challenge to solve, as from `GET /wps/captcha/challenge`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Object)]
    pub challenge: Option<Box<Value>>,
}

/// Response extension that makes the telemetry layer log a denied request.
#[derive(Clone, Copy)]
pub struct Noted {
    /// The error code.
    pub code: ErrorCode,
    /// The account that the request was about, if known.
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
            sqlx::Error::Database(ref db) if db.code().is_some_and(|code| is_temporary(&code)) => {
                Self::unavailable(error)
            }
            // 22021: text that PostgreSQL cannot store, such as one with a NUL character.
            sqlx::Error::Database(ref db) if db.code().as_deref() == Some("22021") => {
                Self::new(codes::REQUEST_MALFORMED).caused_by(error)
            }
            other => Self::internal(other),
        }
    }
}

/// Whether a SQLSTATE is temporary, so that a retry may work: connection errors (08), serialization
/// failures and deadlocks (40), idle-in-transaction timeout (25P03), insufficient resources (53),
/// lock timeout (55P03), shutdown or cancelled query (57).
fn is_temporary(code: &str) -> bool {
    let is_class = ["08", "40", "53", "57"].iter().any(|class| code.starts_with(class));
    is_class || ["25P03", "55P03"].contains(&code)
}

/// The body of a successful response.
#[derive(Serialize, ToSchema)]
pub struct Envelope<T> {
    /// Always true.
    #[schema(example = true)]
    pub success: bool,
    /// The result of the call.
    pub value: T,
    /// Always null.
    #[schema(value_type = Option<String>)]
    pub message: Option<()>,
}

/// The return type of a handler.
pub type Answer<T> = Result<Envelope<T>, ApiError>;

/// Wraps a value in the success envelope.
pub fn answer<T>(value: T) -> Answer<T> {
    Ok(Envelope { success: true, value, message: None })
}

impl<T: Serialize> IntoResponse for Envelope<T> {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}
