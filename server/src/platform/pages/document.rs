//! Documents put together: boot data spliced in, packed, tagged, kept for the next request.

use std::collections::VecDeque;
use std::io::Write;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::HeaderValue;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::policy::Policy;

const PLACE: &str = "__BOOT__";
/// Merchants × languages × documents; the oldest goes when there are more.
const KEPT: usize = 64;

pub(super) type Key = [u8; 32];

/// A document as it leaves.
pub(super) struct Rendered {
    pub identity: Bytes,
    pub gzip: Bytes,
    pub tag: String,
    pub policy: HeaderValue,
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

/// What a rendered document depends on, and nothing else.
pub(super) fn key(name: &str, source: &[u8; 32], boot: Option<&str>) -> Key {
    let mut hash = Sha256::new();
    hash.update(source);
    hash.update(name.as_bytes());
    hash.update([0]);
    hash.update(boot.unwrap_or_default().as_bytes());
    hash.finalize().into()
}

/// None when the build holds what is no document.
pub(super) fn render(
    source: &[u8],
    boot: Option<&str>,
    key: &Key,
    policy: Policy,
) -> Option<Rendered> {
    let html = std::str::from_utf8(source).ok()?;
    let policy = policy.header(html)?;
    let whole = match (boot, html.split_once(PLACE)) {
        (Some(boot), Some((before, after))) => [before, boot, after].concat(),
        (Some(_), None) => {
            tracing::error!("a document has no place for its boot data");
            html.to_owned()
        }
        (None, _) => html.to_owned(),
    };
    let gzip = compress(whole.as_bytes()).ok()?;
    Some(Rendered {
        identity: whole.into(),
        gzip: gzip.into(),
        tag: hex::encode(&key[..12]),
        policy,
    })
}

fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
