//! Renders HTML documents: inserts boot data and head, compresses them, adds an ETag, and caches
//! them.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header, request};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::super::headers;
use super::super::telemetry::REQUEST_ID;
use super::negotiate::{self, Representation, RequestInfo};
use super::policy::Policy;

/// The placeholder for boot data in a document of the build.
const BOOT_PLACEHOLDER: &str = "__BOOT__";
/// The markers around the part of the head that is replaced per page.
const HEAD_MARKERS: (&str, &str) = ("<!--head-->", "<!--/head-->");
/// The cache size, for merchants × languages × documents. The oldest entry is evicted.
const CACHE_ENTRIES: usize = 64;

pub(super) type Key = [u8; 32];

/// A rendered document, uncompressed and gzipped.
pub struct Rendered {
    plain: Form,
    gzip: Form,
}

impl Rendered {
    /// The response to a request for it.
    pub fn answer(&self, request: &request::Parts, status: StatusCode) -> Response {
        let info = RequestInfo::of(request);
        let form = if info.accepts("gzip") { &self.gzip } else { &self.plain };
        let status = info.status(&form.etag, status);
        let headers = match status {
            StatusCode::NOT_MODIFIED => &form.headers_not_modified,
            _ => &form.headers,
        };
        negotiate::answer(&info, status, headers.clone(), form.body.clone())
    }
}

/// A document in one encoding, with prepared headers, which are the same for every request.
struct Form {
    body: Bytes,
    etag: String,
    headers: HeaderMap,
    /// The headers of a 304.
    headers_not_modified: HeaderMap,
}

impl Form {
    fn new(
        body: Bytes,
        is_gzip: bool,
        tag: &str,
        (policy, csp): (Policy<'_>, &HeaderValue),
    ) -> Self {
        let representation = Representation {
            body,
            encoding: is_gzip.then_some("gzip"),
            etag: format!("\"{tag}{}\"", if is_gzip { "-gz" } else { "" }),
            content_type: "text/html; charset=utf-8",
            cache_control: "no-cache",
            vary: policy.vary(),
        };
        let headers = |is_not_modified: bool| {
            let mut headers = representation.headers(is_not_modified);
            headers.insert(header::CONTENT_SECURITY_POLICY, csp.clone());
            if let Some(opener) = policy.opener() {
                headers.insert("cross-origin-opener-policy", opener);
            }
            if !is_not_modified && !policy.may_be_framed() {
                headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
            }
            // Reserves entries for headers that every response gets, so that a clone need not grow.
            headers::decorate(&mut headers, false);
            headers.insert(REQUEST_ID, HeaderValue::from_static(""));
            headers
        };
        let (headers, headers_not_modified) = (headers(false), headers(true));
        let Representation { body, etag, .. } = representation;
        Self { body, etag, headers, headers_not_modified }
    }
}

/// The most recently rendered documents.
#[derive(Default)]
pub(super) struct Cache(VecDeque<(Key, Arc<Rendered>)>);

impl Cache {
    pub fn find(&self, key: &Key) -> Option<Arc<Rendered>> {
        self.0.iter().find(|(cached, _)| cached == key).map(|(_, rendered)| Arc::clone(rendered))
    }

    pub fn insert(&mut self, key: Key, rendered: Arc<Rendered>) {
        if self.find(&key).is_some() {
            return;
        }
        if self.0.len() >= CACHE_ENTRIES {
            self.0.pop_front();
        }
        self.0.push_back((key, rendered));
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Serializes JSON for a script element, escaped so that it cannot end the element.
pub(super) fn escape(boot: &Value) -> String {
    let json = boot.to_string();
    let mut escaped = String::with_capacity(json.len() + 64);
    for character in json.chars() {
        // In JSON these characters occur only in strings, where the escape is equivalent.
        match character {
            '<' => escaped.push_str("\\u003c"),
            '>' => escaped.push_str("\\u003e"),
            '&' => escaped.push_str("\\u0026"),
            '\u{2028}' => escaped.push_str("\\u2028"),
            '\u{2029}' => escaped.push_str("\\u2029"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The parts that are inserted into a document of the build.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts<'a> {
    /// Boot data, escaped.
    pub boot: Option<&'a str>,
    /// The HTML of the head.
    pub head: Option<&'a str>,
}

/// The cache key and ETag of a document: a hash of all its inputs.
pub(super) fn key(name: &str, source: &[u8; 32], parts: Parts<'_>, policy: Policy<'_>) -> Key {
    let mut hash = Sha256::new();
    hash.update(source);
    for part in [name, parts.boot.unwrap_or_default(), parts.head.unwrap_or_default()] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.update(format!("{policy:?}").as_bytes());
    hash.finalize().into()
}

/// Renders a document. None if the source is not UTF-8.
pub(super) fn render(
    source: &[u8],
    parts: Parts<'_>,
    key: &Key,
    policy: Policy<'_>,
) -> Option<Rendered> {
    let html = std::str::from_utf8(source).ok()?;
    let csp = policy.header(html)?;
    let html = with_head(html, parts.head);
    let document = match (parts.boot, html.split_once(BOOT_PLACEHOLDER)) {
        (Some(boot), Some((before, after))) => [before, boot, after].concat(),
        (Some(_), None) => {
            tracing::error!("a document has no placeholder for boot data");
            html.into_owned()
        }
        (None, _) => html.into_owned(),
    };
    let gzip = compress(document.as_bytes()).ok()?;
    let tag = hex::encode(&key[..12]);
    Some(Rendered {
        plain: Form::new(document.into(), false, &tag, (policy, &csp)),
        gzip: Form::new(gzip.into(), true, &tag, (policy, &csp)),
    })
}

/// Replaces the head, if the document has the markers for it.
fn with_head<'a>(html: &'a str, head: Option<&str>) -> Cow<'a, str> {
    let split = || {
        let (before, remaining) = html.split_once(HEAD_MARKERS.0)?;
        let (_, after) = remaining.split_once(HEAD_MARKERS.1)?;
        Some((before, after))
    };
    match (head, split()) {
        (Some(head), Some((before, after))) => [before, head, after].concat().into(),
        _ => html.into(),
    }
}

fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
