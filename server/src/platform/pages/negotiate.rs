//! What the client accepts, what it has already, and the answer that follows from it.

use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;

/// The part of a request that decides how a page or file is sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub method: &'a Method,
    headers: &'a HeaderMap,
}

impl<'a> Asked<'a> {
    pub fn of(request: &'a Parts) -> Self {
        Self { method: &request.method, headers: &request.headers }
    }

    /// Whether the client takes a content coding: named or by `*`, and not with `q=0`.
    pub fn accepts(&self, coding: &str) -> bool {
        let mut any = false;
        for (name, wanted) in self.listed(header::ACCEPT_ENCODING.as_str()).map(parse_coding) {
            if name.eq_ignore_ascii_case(coding) {
                return wanted;
            }
            any |= name == "*" && wanted;
        }
        any
    }

    fn has(&self, etag: &str) -> bool {
        self.listed(header::IF_NONE_MATCH.as_str())
            .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == etag)
    }

    /// The comma-separated members of a header, over all its lines.
    fn listed(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.headers
            .get_all(name)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|line| line.split(','))
            .map(str::trim)
            .filter(|member| !member.is_empty())
    }
}

/// A coding and whether it is wanted: `br`, `gzip;q=0.5`, `identity;q=0`.
fn parse_coding(member: &str) -> (&str, bool) {
    let mut parts = member.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let refused = parts
        .filter_map(|part| part.split_once('='))
        .filter(|(key, _)| key.trim().eq_ignore_ascii_case("q"))
        .any(|(_, quality)| !quality.contains(|digit: char| ('1'..='9').contains(&digit)));
    (name, !refused)
}

/// One form of a page or file.
pub(super) struct Representation {
    pub body: Bytes,
    pub encoding: Option<&'static str>,
    pub etag: String,
    pub content_type: &'static str,
    pub cache_control: &'static str,
    pub vary: &'static str,
}

/// Answers 304 to whoever has it already, and without a body to HEAD.
pub(super) fn respond(
    asked: &Asked<'_>,
    representation: Representation,
    status: StatusCode,
) -> Response {
    let known = status == StatusCode::OK && asked.has(&representation.etag);
    let length = representation.body.len();
    let silent = known || *asked.method == Method::HEAD;
    let body = if silent { Body::empty() } else { Body::from(representation.body) };
    let mut response = Response::new(body);
    *response.status_mut() = if known { StatusCode::NOT_MODIFIED } else { status };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(representation.cache_control));
    headers.insert(header::VARY, HeaderValue::from_static(representation.vary));
    if let Ok(etag) = HeaderValue::from_str(&representation.etag) {
        headers.insert(header::ETAG, etag);
    }
    if known {
        return response;
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(representation.content_type));
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    if let Some(encoding) = representation.encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}
