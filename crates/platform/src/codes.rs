//! Error codes: the stable strings that API errors carry, with their HTTP status and sentence.
//!
//! Each domain declares its codes with [`error_codes!`](crate::error_codes) and lists them in its
//! [`Module`](crate::module::Module). The web translates by code, `docs/api.md` lists all codes,
//! and `openapi.json` has them as an enum, so a code without a translation does not compile in the
//! web.

use axum::http::StatusCode;
use serde::{Serialize, Serializer};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};

/// An error code of the API, which the web translates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ErrorCode(&'static Row);

/// What [`error_codes!`](crate::error_codes) declares about one code.
#[doc(hidden)]
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Row {
    pub text: &'static str,
    pub status: u16,
    pub sentence: &'static str,
    pub noted: bool,
}

impl ErrorCode {
    /// Called only by [`error_codes!`](crate::error_codes).
    #[doc(hidden)]
    pub const fn new(row: &'static Row) -> Self {
        Self(row)
    }

    /// The code as sent in responses, `domain.reason`.
    pub fn text(self) -> &'static str {
        self.0.text
    }

    /// The HTTP status of the response.
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The English sentence, for people and logs.
    pub fn sentence(self) -> &'static str {
        self.0.sentence
    }

    /// Whether a response with this code is logged: those that denied access (403, 429, or marked
    /// `noted`), because they are needed to investigate an attack.
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

/// A plain string here: a single module does not know the codes of the others. The server replaces
/// it by an enum of all codes when it merges the API documents.
impl utoipa::PartialSchema for ErrorCode {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).into()
    }
}

impl utoipa::ToSchema for ErrorCode {}

/// Declares error codes as constants, and `ALL` with every one of them in order. `noted` marks
/// codes that are logged although their status is neither 403 nor 429.
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

        /// All error codes of this domain, in the order of declaration.
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

/// HTTP statuses as numbers, for use in constants.
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
