//! Content-Security-Policies, with the hashes of what a document has inline.

use axum::http::HeaderValue;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Places outside that a merchant's pages may use, besides the site itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sources {
    /// Where pictures come from.
    pub images: Vec<String>,
    /// Where frames come from: games of vendors, videos.
    pub frames: Vec<String>,
    /// Where scripts of a service that counts visits come from.
    pub scripts: Vec<String>,
    /// Where such a service is told of visits.
    pub connections: Vec<String>,
}

/// Which document it is, and so what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy<'a> {
    Player(&'a Sources),
    Frame,
    Office,
    Domain,
}

/// The sources of a list, each with a space before it. What could end the directive is left out.
fn listed(sources: &[String]) -> String {
    let is_plain = |source: &&String| !source.contains([';', ',', ' ', '\'', '"']);
    sources.iter().filter(is_plain).map(|source| format!(" {source}")).collect()
}

const VARY_PLAYER: &str = "Cookie, Accept-Language, Accept-Encoding";
const VARY_PLAIN: &str = "Accept-Encoding";

impl Policy<'_> {
    /// What of a request decides which document is sent.
    pub fn vary(self) -> &'static str {
        match self {
            Self::Player(_) | Self::Domain => VARY_PLAYER,
            Self::Frame | Self::Office => VARY_PLAIN,
        }
    }

    /// How the document keeps to windows that it opens, where that is not as usual.
    pub fn opener(self) -> Option<HeaderValue> {
        match self {
            // A sign-in through somebody else happens in a window that must find its way back.
            Self::Player(_) => Some(HeaderValue::from_static("same-origin-allow-popups")),
            // With another value browsers refuse to open a sandboxed document by itself.
            Self::Frame => Some(HeaderValue::from_static("unsafe-none")),
            Self::Office | Self::Domain => None,
        }
    }

    /// Whether our own pages may hold the document in a frame.
    pub fn may_be_framed(self) -> bool {
        matches!(self, Self::Frame)
    }

    /// The header for a document as it stands in the build.
    pub fn header(self, html: &str) -> Option<HeaderValue> {
        let scripts = hashes(html, "script", is_code);
        let styles = hashes(html, "style", |_| true);
        let text = match self {
            Self::Player(more) => format!(
                "default-src 'none'; script-src 'self'{scripts}{}; style-src 'self'{styles}; \
                 img-src 'self' data:{}; font-src 'self'; connect-src 'self'{}; \
                 frame-src 'self'{}; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
                 frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'; \
                 trusted-types capiz-worker capiz-analytics dompurify",
                listed(&more.scripts),
                listed(&more.images),
                listed(&more.connections),
                listed(&more.frames),
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
