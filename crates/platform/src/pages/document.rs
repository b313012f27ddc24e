//! Documents put together: boot data spliced in, packed, tagged, kept for the next request.

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
use super::negotiate::{self, Asked, Representation};
use super::policy::Policy;

const PLACE: &str = "__BOOT__";
/// What lies between is what a page says of itself.
const HEAD: (&str, &str) = ("<!--head-->", "<!--/head-->");
/// Merchants × languages × documents; the oldest goes when there are more.
const KEPT: usize = 64;

pub(super) type Key = [u8; 32];

/// A document as it leaves: plain, and packed for those who take it.
pub struct Rendered {
    plain: Form,
    packed: Form,
}

impl Rendered {
    /// The answer to a request for it.
    pub fn answer(&self, request: &request::Parts, status: StatusCode) -> Response {
        let asked = Asked::of(request);
        let form = if asked.accepts("gzip") { &self.packed } else { &self.plain };
        let status = asked.status(&form.etag, status);
        let headers = match status {
            StatusCode::NOT_MODIFIED => &form.headers_if_known,
            _ => &form.headers,
        };
        negotiate::answer(&asked, status, headers.clone(), form.body.clone())
    }
}

/// One form of a document, with its headers ready: they are the same for every request.
struct Form {
    body: Bytes,
    etag: String,
    headers: HeaderMap,
    /// For those who have it already.
    headers_if_known: HeaderMap,
}

impl Form {
    fn new(
        body: Bytes,
        packed: bool,
        tag: &str,
        (policy, said): (Policy<'_>, &HeaderValue),
    ) -> Self {
        let representation = Representation {
            body,
            encoding: packed.then_some("gzip"),
            etag: format!("\"{tag}{}\"", if packed { "-gz" } else { "" }),
            content_type: "text/html; charset=utf-8",
            cache_control: "no-cache",
            vary: policy.vary(),
        };
        let headers = |is_known: bool| {
            let mut headers = representation.headers(is_known);
            headers.insert(header::CONTENT_SECURITY_POLICY, said.clone());
            if let Some(opener) = policy.opener() {
                headers.insert("cross-origin-opener-policy", opener);
            }
            if !is_known && !policy.may_be_framed() {
                headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
            }
            // What every answer gets has its place already: a copy of the map need not grow for it.
            headers::decorate(&mut headers, false);
            headers.insert(REQUEST_ID, HeaderValue::from_static(""));
            headers
        };
        let (headers, headers_if_known) = (headers(false), headers(true));
        let Representation { body, etag, .. } = representation;
        Self { body, etag, headers, headers_if_known }
    }
}

/// The last documents put together.
#[derive(Default)]
pub(super) struct Cache(VecDeque<(Key, Arc<Rendered>)>);

impl Cache {
    pub fn find(&self, key: &Key) -> Option<Arc<Rendered>> {
        self.0.iter().find(|(kept, _)| kept == key).map(|(_, rendered)| Arc::clone(rendered))
    }

    pub fn keep(&mut self, key: Key, rendered: Arc<Rendered>) {
        if self.find(&key).is_some() {
            return;
        }
        if self.0.len() >= KEPT {
            self.0.pop_front();
        }
        self.0.push_back((key, rendered));
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// JSON that cannot end the script element it stands in.
pub(super) fn escape(boot: &Value) -> String {
    let json = boot.to_string();
    let mut escaped = String::with_capacity(json.len() + 64);
    for character in json.chars() {
        // In JSON these occur in strings only, where the escape means the same.
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

/// What is put into a document of the build.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts<'a> {
    /// Boot data, escaped.
    pub boot: Option<&'a str>,
    /// What the page says of itself.
    pub head: Option<&'a str>,
}

/// What a rendered document depends on, and nothing else.
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

/// None when the build holds what is no document.
pub(super) fn render(
    source: &[u8],
    parts: Parts<'_>,
    key: &Key,
    policy: Policy<'_>,
) -> Option<Rendered> {
    let html = std::str::from_utf8(source).ok()?;
    let said = policy.header(html)?;
    let html = with_head(html, parts.head);
    let whole = match (parts.boot, html.split_once(PLACE)) {
        (Some(boot), Some((before, after))) => [before, boot, after].concat(),
        (Some(_), None) => {
            tracing::error!("a document has no place for its boot data");
            html.into_owned()
        }
        (None, _) => html.into_owned(),
    };
    let gzip = compress(whole.as_bytes()).ok()?;
    let tag = hex::encode(&key[..12]);
    Some(Rendered {
        plain: Form::new(whole.into(), false, &tag, (policy, &said)),
        packed: Form::new(gzip.into(), true, &tag, (policy, &said)),
    })
}

/// The document with another head, where it has a place for one.
fn with_head<'a>(html: &'a str, head: Option<&str>) -> Cow<'a, str> {
    let place = || {
        let (before, rest) = html.split_once(HEAD.0)?;
        let (_, after) = rest.split_once(HEAD.1)?;
        Some((before, after))
    };
    match (head, place()) {
        (Some(head), Some((before, after))) => [before, head, after].concat().into(),
        _ => html.into(),
    }
}

fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
