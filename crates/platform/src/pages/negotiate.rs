//! Content negotiation: encodings, conditional requests (ETag, 304) and HEAD.

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

/// The method and headers of a request, which decide how a page or file is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestInfo<'a> {
    pub method: &'a Method,
    headers: &'a HeaderMap,
}

impl<'a> RequestInfo<'a> {
    pub fn of(request: &'a Parts) -> Self {
        Self { method: &request.method, headers: &request.headers }
    }

    /// Whether the client accepts a content coding, by name or `*`, and not with `q=0`.
    pub fn accepts(&self, coding: &str) -> bool {
        let mut any = false;
        for (name, accepted) in self.listed(header::ACCEPT_ENCODING).map(parse_coding) {
            if name.eq_ignore_ascii_case(coding) {
                return accepted;
            }
            any |= name == "*" && accepted;
        }
        any
    }

    /// The status for a representation with this ETag: 304 if the client already has it.
    pub fn status(&self, etag: &str, status: StatusCode) -> StatusCode {
        match status == StatusCode::OK && self.has(etag) {
            true => StatusCode::NOT_MODIFIED,
            false => status,
        }
    }

    fn has(&self, etag: &str) -> bool {
        self.listed(header::IF_NONE_MATCH)
            .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == etag)
    }

    /// The comma-separated members of a header, over all its lines.
    fn listed(&self, name: HeaderName) -> impl Iterator<Item = &'a str> {
        self.headers
            .get_all(name)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|line| line.split(','))
            .map(str::trim)
            .filter(|member| !member.is_empty())
    }
}

/// Parses a coding and whether it is accepted: `br`, `gzip;q=0.5`, `identity;q=0`.
fn parse_coding(member: &str) -> (&str, bool) {
    let mut parts = member.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let refused = parts
        .filter_map(|part| part.split_once('='))
        .filter(|(key, _)| key.trim().eq_ignore_ascii_case("q"))
        .any(|(_, quality)| !quality.contains(|digit: char| ('1'..='9').contains(&digit)));
    (name, !refused)
}

/// One representation of a page or file: its body in one encoding.
pub(super) struct Representation {
    pub body: Bytes,
    pub encoding: Option<&'static str>,
    pub etag: String,
    pub content_type: &'static str,
    pub cache_control: &'static str,
    pub vary: &'static str,
}

impl Representation {
    /// The response headers; for a 304 only those that it may carry.
    pub fn headers(&self, is_not_modified: bool) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        headers.insert(header::VARY, HeaderValue::from_static(self.vary));
        if let Ok(etag) = HeaderValue::from_str(&self.etag) {
            headers.insert(header::ETAG, etag);
        }
        if is_not_modified {
            return headers;
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(self.body.len()));
        if let Some(encoding) = self.encoding {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        headers
    }
}

/// Responds with a representation: a 304 if the client already has it, no body for HEAD.
pub(super) fn respond(
    info: &RequestInfo<'_>,
    representation: Representation,
    status: StatusCode,
) -> Response {
    let status = info.status(&representation.etag, status);
    let headers = representation.headers(status == StatusCode::NOT_MODIFIED);
    answer(info, status, headers, representation.body)
}

/// Builds a response. It has no body for HEAD and for 304.
pub(super) fn answer(
    info: &RequestInfo<'_>,
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let is_empty = status == StatusCode::NOT_MODIFIED || *info.method == Method::HEAD;
    let mut response = Response::new(if is_empty { Body::empty() } else { Body::from(body) });
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}
