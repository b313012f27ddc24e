//! Security headers on everything that leaves the server.

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;

/// Set unless the answer has decided otherwise.
const DEFAULTS: &[(&str, &str)] = &[
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    (
        "permissions-policy",
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
         magnetometer=(), microphone=(), midi=(), payment=(), usb=(), fullscreen=(self)",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    // What nobody said may be kept is not kept: most answers are one member's own.
    ("cache-control", "no-store"),
];
const HSTS: &str = "max-age=31536000";

/// Lays the security headers over a router. `hsts` says that the site is only ever reached
/// over TLS with a certificate that browsers trust.
pub fn wrap<S: Clone + Send + Sync + 'static>(router: Router<S>, hsts: bool) -> Router<S> {
    router.layer(from_fn(move |request: Request, next: Next| async move {
        let mut response: Response = next.run(request).await;
        decorate(response.headers_mut(), hsts);
        response
    }))
}

fn decorate(headers: &mut HeaderMap, hsts: bool) {
    for (name, value) in DEFAULTS {
        headers.entry(HeaderName::from_static(name)).or_insert(HeaderValue::from_static(value));
    }
    if is_document(headers) && !may_be_framed(headers) {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    if hsts {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
}

fn is_document(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"text/html"))
}

/// The game frame says by its policy that our own pages may hold it.
fn may_be_framed(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_SECURITY_POLICY)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|policy| policy.contains("frame-ancestors 'self'"))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::response::Html;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    async fn headers_of(path: &str, hsts: bool) -> HeaderMap {
        let framed = [(header::CONTENT_SECURITY_POLICY, "sandbox; frame-ancestors 'self'")];
        let router = Router::new()
            .route("/api", get(|| async { "{}" }))
            .route("/asset", get(|| async { ([(header::CACHE_CONTROL, "public")], "x") }))
            .route("/page", get(|| async { Html("<p>") }))
            .route("/frame", get(move || async move { (framed, Html("<p>")) }));
        let request = Request::get(path).body(Body::empty()).unwrap();
        wrap(router, hsts).oneshot(request).await.unwrap().headers().clone()
    }

    #[tokio::test]
    async fn answers_are_not_kept_or_sniffed() {
        let headers = headers_of("/api", false).await;
        assert_eq!(headers[header::CACHE_CONTROL], "no-store");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(headers["cross-origin-resource-policy"], "same-origin");
        assert!(!headers.contains_key(header::X_FRAME_OPTIONS));
        assert!(!headers.contains_key(header::STRICT_TRANSPORT_SECURITY));
        assert_eq!(headers_of("/asset", false).await[header::CACHE_CONTROL], "public");
        let unknown = headers_of("/nowhere", true).await;
        assert_eq!(unknown[header::REFERRER_POLICY], "same-origin");
        assert_eq!(unknown[header::STRICT_TRANSPORT_SECURITY], HSTS);
    }

    #[tokio::test]
    async fn documents_cannot_be_framed_but_the_frame_can() {
        assert_eq!(headers_of("/page", false).await[header::X_FRAME_OPTIONS], "DENY");
        assert!(!headers_of("/frame", false).await.contains_key(header::X_FRAME_OPTIONS));
    }
}
