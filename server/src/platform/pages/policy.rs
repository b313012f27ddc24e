//! Content-Security-Policies, with the hashes of what a document has inline.

use axum::http::HeaderValue;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Which document it is, and so what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    Player,
    Frame,
    Office,
    Domain,
}

impl Policy {
    /// The header for a document as it stands in the build.
    pub fn header(self, html: &str) -> Option<HeaderValue> {
        let scripts = hashes(html, "script", is_code);
        let styles = hashes(html, "style", |_| true);
        let text = match self {
            Self::Player => format!(
                "default-src 'none'; script-src 'self'{scripts}; style-src 'self'{styles}; \
                 img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; \
                 manifest-src 'self'; base-uri 'none'; form-action 'self'; \
                 frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; \
                 trusted-types capiz-worker"
            ),
            Self::Frame => format!(
                "sandbox allow-scripts; default-src 'none'; script-src 'self'{scripts}; \
                 style-src 'self'{styles}; img-src 'self' data: blob:; font-src 'self'; \
                 connect-src 'none'; base-uri 'none'; form-action 'none'; \
                 frame-ancestors 'self'; object-src 'none'"
            ),
            Self::Office => format!(
                "default-src 'none'; script-src 'self'{scripts}; style-src 'self'{styles}; \
                 img-src 'self' data:; font-src 'self'; connect-src 'self'; \
                 manifest-src 'self'; base-uri 'none'; form-action 'self'; \
                 frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; \
                 trusted-types 'none'"
            ),
            Self::Domain => format!(
                "default-src 'none'; script-src 'self'{scripts}; style-src 'self'{styles}; \
                 img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; \
                 frame-ancestors 'none'; object-src 'none'"
            ),
        };
        HeaderValue::from_str(&text).ok()
    }
}

/// The sources of all inline elements of a kind, each with a space before it.
fn hashes(html: &str, element: &str, wanted: impl Fn(&str) -> bool) -> String {
    let (start, end) = (format!("<{element}"), format!("</{element}"));
    let mut sources = String::new();
    let mut rest = html;
    while let Some((_, after)) = rest.split_once(&start) {
        let Some((attributes, content)) = after.split_once('>') else { break };
        let Some((content, after)) = content.split_once(&end) else { break };
        // `<styled-thing>` is another element.
        let exact = attributes.is_empty() || attributes.starts_with(char::is_whitespace);
        if exact && wanted(attributes) && !content.is_empty() {
            let hash = STANDARD.encode(Sha256::digest(content.as_bytes()));
            sources.push_str(&format!(" 'sha256-{hash}'"));
        }
        rest = after;
    }
    sources
}

/// Inline and not mere data.
fn is_code(attributes: &str) -> bool {
    let words = || attributes.split_whitespace();
    let loaded = words().any(|word| word == "src" || word.starts_with("src="));
    let data = words().any(|word| word.replace('"', "").starts_with("type=application/"));
    !loaded && !data
}
