//! Error codes: what went wrong, as the wire says it.
//!
//! Each domain declares its own with [`error_codes!`](crate::error_codes), one row per code with
//! its HTTP status and its English sentence, and lists them in its [`Module`](crate::module::Module).
//! The web translates by code, `docs/api.md` lists all of them, and `openapi.json` carries them as
//! an enum, so that a code without a translation does not compile on the other side.

use axum::http::StatusCode;
use serde::{Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

/// What went wrong, as the web translates it: a row of its domain's catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ErrorCode(&'static Row);

/// A row of a catalogue.
#[doc(hidden)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Row {
    pub text: &'static str,
    pub status: u16,
    pub sentence: &'static str,
    pub noted: bool,
}

impl ErrorCode {
    /// A code; made by [`error_codes!`](crate::error_codes) alone.
    #[doc(hidden)]
    pub const fn new(row: &'static Row) -> Self {
        Self(row)
    }

    /// The code as it stands on the wire, `domain.reason`.
    pub fn text(self) -> &'static str {
        self.0.text
    }

    /// The HTTP status that goes with it.
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The English sentence for people and logs.
    pub fn sentence(self) -> &'static str {
        self.0.sentence
    }

    /// Whether somebody was kept out by it, so that it is noted: whoever looks into an attack asks for
    /// these.
    pub fn is_noted(self) -> bool {
        self.0.noted
            || self.0.status == StatusCode::FORBIDDEN.as_u16()
            || self.0.status == StatusCode::TOO_MANY_REQUESTS.as_u16()
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.text)
    }
}

/// The schema of one module knows no other module's codes: the whole document names them all.
impl utoipa::PartialSchema for ErrorCode {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

impl utoipa::ToSchema for ErrorCode {}

/// Declares error codes as constants, and `ALL` of them in their order. `noted` marks those that
/// are written into the log although their status does not say that somebody was kept out.
#[macro_export]
macro_rules! error_codes {
    ($($name:ident $text:literal $status:ident $($noted:ident)? $sentence:literal)*) => {
        $(
            #[doc = $sentence]
            pub const $name: $crate::codes::ErrorCode = $crate::codes::ErrorCode::new(&$crate::codes::Row {
                text: $text,
                status: $crate::codes::status::$status,
                sentence: $sentence,
                noted: $crate::codes::is_noted!($($noted)?),
            });
        )*

        /// Every code of this domain, in the order of its catalogue.
        pub const ALL: &[$crate::codes::ErrorCode] = &[$($name,)*];
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! is_noted_code {
    () => {
        false
    };
    (noted) => {
        true
    };
}

#[doc(hidden)]
pub use is_noted_code as is_noted;

/// The statuses that codes have, as numbers that a constant can hold.
#[doc(hidden)]
pub mod status {
    pub const BAD_REQUEST: u16 = 400;
    pub const UNAUTHORIZED: u16 = 401;
    pub const FORBIDDEN: u16 = 403;
    pub const NOT_FOUND: u16 = 404;
    pub const METHOD_NOT_ALLOWED: u16 = 405;
    pub const CONFLICT: u16 = 409;
    pub const PAYLOAD_TOO_LARGE: u16 = 413;
    pub const UNSUPPORTED_MEDIA_TYPE: u16 = 415;
    pub const TOO_MANY_REQUESTS: u16 = 429;
    pub const INTERNAL_SERVER_ERROR: u16 = 500;
    pub const SERVICE_UNAVAILABLE: u16 = 503;
}

crate::error_codes! {
    INPUT_INVALID "input.invalid" BAD_REQUEST "Some of the input is not valid"
    REQUEST_MALFORMED "request.malformed" BAD_REQUEST "The request could not be read"
    REQUEST_NOT_FOUND "request.not_found" NOT_FOUND "There is nothing at this address"
    REQUEST_METHOD "request.method_not_allowed" METHOD_NOT_ALLOWED "This address does not take this method"
    REQUEST_TOO_LARGE "request.too_large" PAYLOAD_TOO_LARGE "The request is too large"
    REQUEST_MEDIA_TYPE "request.unsupported_media_type" UNSUPPORTED_MEDIA_TYPE "This content type is not accepted here"
    REQUEST_FOREIGN_ORIGIN "request.foreign_origin" FORBIDDEN "This page may not open a connection here"
    REQUEST_TOO_MANY "request.too_many" TOO_MANY_REQUESTS "too many requests, try again after 5 minutes"
    SEAL_INVALID "seal.invalid" BAD_REQUEST noted "The sealed payload could not be opened"
    SESSION_REQUIRED "session.required" UNAUTHORIZED "You are not logged in, please login"
    SESSION_UNKNOWN "session.unknown" NOT_FOUND "There is no such session"
    NAME_TAKEN "member.name_taken" CONFLICT "This username is taken"
    IDEMPOTENCY_KEY_MISSING "wallet.key_missing" BAD_REQUEST "The header Idempotency-Key is missing or not valid"
    SERVER_UNAVAILABLE "server.unavailable" SERVICE_UNAVAILABLE "The service is busy, please try again in a moment"
    SERVER_INTERNAL "server.internal" INTERNAL_SERVER_ERROR "Unknown error"
}
