//! Security headers on every response.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Set unless the response already has them.
static DEFAULTS: [(HeaderName, HeaderValue); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static(
            "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
             magnetometer=(), microphone=(), midi=(), payment=(), usb=(), fullscreen=(self)",
        ),
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
    // Not cacheable by default: most responses are one member's private data.
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
];
/// The Content-Security-Policy of JSON responses: nothing may run if one is opened as a page.
const DATA_ONLY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);
const HSTS: &str = "max-age=31536000";

/// Adds the security headers to a response. `hsts`: the site is only reachable over TLS with a
/// certificate that browsers trust.
pub fn decorate(headers: &mut HeaderMap, hsts: bool) {
    for (name, value) in &DEFAULTS {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    // Cached documents set this header themselves, because searching their CSP on each request is
    // slow.
    let is_set = headers.contains_key(header::X_FRAME_OPTIONS);
    if !is_set && is_of_type(headers, "text/html") && !may_be_framed(headers) {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    if is_of_type(headers, "application/json") {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(DATA_ONLY);
    }
    if hsts {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
}

fn is_of_type(headers: &HeaderMap, media_type: &str) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(media_type.as_bytes()))
}

/// Whether the CSP lets our own pages embed the document, as that of the game frame does.
fn may_be_framed(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_SECURITY_POLICY)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|policy| policy.contains("frame-ancestors 'self'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers_of(given: &[(&'static str, &'static str)], hsts: bool) -> HeaderMap {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let mut headers = given.iter().map(pair).collect();
        decorate(&mut headers, hsts);
        headers
    }

    #[test]
    fn answers_are_not_kept_or_sniffed() {
        let headers = headers_of(&[("content-type", "application/json")], false);
        assert_eq!(headers[header::CACHE_CONTROL], "no-store");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(headers["cross-origin-resource-policy"], "same-origin");
        assert!(!headers.contains_key(header::X_FRAME_OPTIONS));
        assert!(!headers.contains_key(header::STRICT_TRANSPORT_SECURITY));
        assert_eq!(headers[header::CONTENT_SECURITY_POLICY], DATA_ONLY);
        let asset = headers_of(&[("cache-control", "public")], false);
        assert_eq!(asset[header::CACHE_CONTROL], "public");
        let unknown = headers_of(&[], true);
        assert_eq!(unknown[header::REFERRER_POLICY], "same-origin");
        assert_eq!(unknown[header::STRICT_TRANSPORT_SECURITY], HSTS);
    }

    #[test]
    fn documents_cannot_be_framed_but_the_frame_can() {
        let html = ("content-type", "text/html; charset=utf-8");
        let framed = ("content-security-policy", "sandbox; frame-ancestors 'self'");
        assert_eq!(headers_of(&[html], false)[header::X_FRAME_OPTIONS], "DENY");
        assert!(!headers_of(&[html, framed], false).contains_key(header::X_FRAME_OPTIONS));
    }
}
