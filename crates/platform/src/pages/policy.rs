//! The Content-Security-Policies of documents, with the hashes of their inline scripts and styles.

use axum::http::HeaderValue;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// External sources that a merchant's pages may use, besides the site itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sources {
    /// Sources of images.
    pub images: Vec<String>,
    /// Sources of frames: vendors' games, videos.
    pub frames: Vec<String>,
    /// Sources of analytics scripts.
    pub scripts: Vec<String>,
    /// Endpoints of analytics services.
    pub connections: Vec<String>,
}

/// The kind of document, which decides its policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy<'a> {
    Player(&'a Sources),
    Frame,
    Office,
    Domain,
}

/// The sources of a list, each with a leading space. Sources with characters that could end the
/// directive are dropped (header injection).
fn listed(sources: &[String]) -> String {
    let is_plain = |source: &&String| !source.contains([';', ',', ' ', '\'', '"']);
    sources.iter().filter(is_plain).map(|source| format!(" {source}")).collect()
}

const VARY_PLAYER: &str = "Cookie, Accept-Language, Accept-Encoding";
const VARY_PLAIN: &str = "Accept-Encoding";

impl Policy<'_> {
    /// The `Vary` header: the request headers that decide which document is sent.
    pub fn vary(self) -> &'static str {
        match self {
            Self::Player(_) | Self::Domain => VARY_PLAYER,
            Self::Frame | Self::Office => VARY_PLAIN,
        }
    }

    /// The `Cross-Origin-Opener-Policy`, where it differs from the default.
    pub fn opener(self) -> Option<HeaderValue> {
        match self {
            // Social login opens a popup, which must be able to reach its opener.
            Self::Player(_) => Some(HeaderValue::from_static("same-origin-allow-popups")),
            // With any other value browsers refuse to open a sandboxed document directly.
            Self::Frame => Some(HeaderValue::from_static("unsafe-none")),
            Self::Office | Self::Domain => None,
        }
    }

    /// Whether our own pages may embed the document in a frame.
    pub fn may_be_framed(self) -> bool {
        matches!(self, Self::Frame)
    }

    /// The Content-Security-Policy of a document of the build.
    pub fn header(self, html: &str) -> Option<HeaderValue> {
        let scripts = hashes(html, "script", is_code);
        let styles = hashes(html, "style", |_| true);
        let text = match self {
            Self::Player(extra) => format!(
                "default-src 'none'; script-src 'self'{scripts}{}; style-src 'self'{styles}; \
                 img-src 'self' data:{}; font-src 'self'; connect-src 'self'{}; \
                 frame-src 'self'{}; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
                 frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; \
                 trusted-types capiz-worker capiz-analytics dompurify",
                listed(&extra.scripts),
                listed(&extra.images),
                listed(&extra.connections),
                listed(&extra.frames),
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
                 trusted-types dompurify"
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

/// The hash sources of all inline elements of a kind, each with a leading space.
fn hashes(html: &str, element: &str, is_included: impl Fn(&str) -> bool) -> String {
    let (start, end) = (format!("<{element}"), format!("</{element}"));
    let mut sources = String::new();
    let mut remaining = html;
    while let Some((_, after)) = remaining.split_once(&start) {
        let Some((attributes, content)) = after.split_once('>') else { break };
        let Some((content, after)) = content.split_once(&end) else { break };
        // `<styled-thing>` is another element.
        let exact = attributes.is_empty() || attributes.starts_with(char::is_whitespace);
        if exact && is_included(attributes) && !content.is_empty() {
            let hash = STANDARD.encode(Sha256::digest(content.as_bytes()));
            sources.push_str(&format!(" 'sha256-{hash}'"));
        }
        remaining = after;
    }
    sources
}

/// Whether a script element is inline code, not an external script or a data block.
fn is_code(attributes: &str) -> bool {
    let words = || attributes.split_whitespace();
    let loaded = words().any(|word| word == "src" || word.starts_with("src="));
    let data = words().any(|word| word.replace('"', "").starts_with("type=application/"));
    !loaded && !data
}
