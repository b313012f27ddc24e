//! Request extractors that reject bad input with the API's error envelope.

use axum::extract::rejection::{FormRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::HeaderName;
use axum::http::request::Parts;
use chrono::{DateTime, Datelike, Utc};
use serde::de::DeserializeOwned;

use super::error::ApiError;
use crate::codes;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// A JSON body.
pub struct Json<T>(pub T);

/// A form-encoded body (`application/x-www-form-urlencoded`).
pub struct Form<T>(pub T);

/// The query string.
pub struct Query<T>(pub T);

/// The path parameters.
pub struct Path<T>(pub T);

/// The header `Idempotency-Key`. The client makes one per intent and reuses it for retries.
pub struct IdempotencyKey(pub String);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match axum::Json::<T>::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(rejection) => Err(json_error(rejection)),
        }
    }
}

fn json_error(rejection: JsonRejection) -> ApiError {
    let code = match &rejection {
        JsonRejection::MissingJsonContentType(_) => codes::REQUEST_MEDIA_TYPE,
        JsonRejection::BytesRejection(inner) if inner.status() == 413 => codes::REQUEST_TOO_LARGE,
        _ => codes::REQUEST_MALFORMED,
    };
    match code {
        codes::REQUEST_MALFORMED => malformed(rejection.body_text()),
        code => ApiError::new(code),
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match axum::Form::<T>::from_request(request, state).await {
            Ok(axum::Form(body)) => Ok(Self(body)),
            Err(rejection) => Err(form_error(rejection)),
        }
    }
}

fn form_error(rejection: FormRejection) -> ApiError {
    match &rejection {
        FormRejection::InvalidFormContentType(_) => ApiError::new(codes::REQUEST_MEDIA_TYPE),
        FormRejection::BytesRejection(inner) if inner.status() == 413 => {
            ApiError::new(codes::REQUEST_TOO_LARGE)
        }
        _ => malformed(rejection.body_text()),
    }
}

/// The error for a body or query that cannot be parsed; the reason names the position.
pub fn malformed(reason: String) -> ApiError {
    ApiError::new(codes::REQUEST_MALFORMED).message(reason)
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|query| Self(query.0))
            .map_err(|rejection: QueryRejection| malformed(rejection.body_text()))
    }
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Self(path.0)).map_err(|rejection: PathRejection| {
            ApiError::new(codes::REQUEST_NOT_FOUND).caused_by(rejection)
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let key = parts.headers.get(IDEMPOTENCY_KEY).and_then(|value| value.to_str().ok());
        match key {
            Some(key) if is_client_key(key) => Ok(Self(key.to_owned())),
            _ => Err(ApiError::new(codes::IDEMPOTENCY_KEY_MISSING)),
        }
    }
}

/// Checks that a time is within the years 1 to 9999: chrono accepts years that PostgreSQL cannot
/// store.
pub fn usable_time(
    field: &'static str,
    time: Option<DateTime<Utc>>,
) -> Result<Option<DateTime<Utc>>, ApiError> {
    match time {
        Some(time) if !(1..=9999).contains(&time.year()) => {
            Err(ApiError::fields([(field, "invalid")]))
        }
        time => Ok(time),
    }
}

/// 8 to 64 visible ASCII characters. The prefix `capiz:` is reserved for the server's own
/// transfers.
fn is_client_key(key: &str) -> bool {
    (8..=64).contains(&key.len())
        && key.bytes().all(|byte| byte.is_ascii_graphic())
        && !key.starts_with("capiz:")
}
