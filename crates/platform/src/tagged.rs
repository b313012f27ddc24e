//! Conditional responses: JSON with a strong ETag, answered with 304 when `If-None-Match` has that
//! tag.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::error::{ApiError, answer};

/// Extractor for the ETags in `If-None-Match`.
#[derive(Debug, Default)]
pub struct Known(Vec<String>);

impl<S: Send + Sync> FromRequestParts<S> for Known {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let lines = parts.headers.get_all(header::IF_NONE_MATCH).iter();
        let tags = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
        let plain = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        Ok(Self(tags.map(plain).filter(|tag| !tag.is_empty()).collect()))
    }
}

impl Known {
    /// Whether the client already has the response with this ETag.
    pub fn has(&self, etag: &str) -> bool {
        self.0.iter().any(|tag| tag == "*" || tag == etag)
    }
}

/// The return type of a handler with an ETag.
pub type TaggedAnswer = Result<Response, ApiError>;

/// Wraps a value in the success envelope, with a hash of the body as its ETag. `Vary` includes the
/// language, and the header `merchant` for hosts with several merchants.
pub fn tagged<T: Serialize>(known: &Known, value: T) -> TaggedAnswer {
    let body = serde_json::to_vec(&answer(value)?).map_err(ApiError::internal)?;
    let etag = format!("\"{}\"", hex::encode(&Sha256::digest(&body)[..12]));
    let is_known = known.has(&etag);
    let etag = HeaderValue::try_from(etag).map_err(ApiError::internal)?;
    let headers = [
        (header::ETAG, etag),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static("merchant, cookie, accept-language")),
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
    ];
    Ok(match is_known {
        true => (StatusCode::NOT_MODIFIED, headers, Body::empty()).into_response(),
        false => (headers, body).into_response(),
    })
}
