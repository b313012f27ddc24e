//! Static files of the built web: assets, images, fonts and the files of the root.

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::dist::Dist;
use super::negotiate::{self, Representation, RequestInfo};
use crate::codes;
use crate::error::ApiError;

const MAX_NAME_LENGTH: usize = 200;
/// For files whose names contain a hash of their content.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// The policy of a file that is opened directly. Files loaded by a document follow the document's
/// policy.
const FILE_CSP: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The policy of scripts: a web worker uses the policy of its own response and may import other
/// scripts.
const SCRIPT_CSP: &str = "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";
/// The policy of SVG images, whose inline styles some browsers apply only if it allows them.
const SVG_CSP: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";
const SHORT_CACHE: &str = "public, max-age=300, stale-while-revalidate=86400";

pub(super) fn file(dist: &Dist, request: &Parts) -> Option<Response> {
    let info = RequestInfo::of(request);
    let name = request.uri.path().strip_prefix('/').filter(|name| is_plain(name))?;
    let content_type = content_type(name)?;
    let plain = dist.get(name)?;
    if !matches!(*info.method, Method::GET | Method::HEAD) {
        return Some(method_not_allowed());
    }
    let compressed = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(coding, _)| info.accepts(coding))
        .find_map(|(coding, extension)| Some((coding, dist.get(&format!("{name}.{extension}"))?)));
    let (encoding, chosen) = match compressed {
        Some((coding, file)) => (Some(coding), file),
        None => (None, plain),
    };
    let representation = Representation {
        body: chosen.data,
        encoding,
        // Compressed files have their own hash, and so their own ETag.
        etag: format!("\"{}\"", hex::encode(&chosen.hash[..12])),
        content_type,
        cache_control: if name.starts_with("assets/") { IMMUTABLE } else { SHORT_CACHE },
        vary: "Accept-Encoding",
    };
    let mut response = negotiate::respond(&info, representation, StatusCode::OK);
    allow_all_origins(&mut response);
    let policy = HeaderValue::from_static(policy_of(content_type));
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Some(response)
}

/// Allows cross-origin requests: the sandboxed game frame has an opaque origin, and files are
/// public.
fn allow_all_origins(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let anyone = HeaderValue::from_static("cross-origin");
    headers.insert("cross-origin-resource-policy", anyone);
}

fn policy_of(content_type: &str) -> &'static str {
    match content_type {
        "text/javascript; charset=utf-8" => SCRIPT_CSP,
        "image/svg+xml" => SVG_CSP,
        _ => FILE_CSP,
    }
}

fn method_not_allowed() -> Response {
    let mut response = ApiError::new(codes::REQUEST_METHOD).into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
    response
}

/// Whether a name can be one of the build's. Prevents path traversal in debug builds, which read
/// from disk.
fn is_plain(name: &str) -> bool {
    name.len() <= MAX_NAME_LENGTH
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte))
        && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

/// The media type. None for files that are not served by name: documents, compressed variants,
/// source maps.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    // Downloadable HTML is sent as a download, so that it never runs on the site's origin.
    if name.starts_with("downloads/") && extension == "html" {
        return Some("application/octet-stream");
    }
    Some(match extension {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        "xml" => "application/xml",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "avif" => "image/avif",
        "gif" => "image/gif",
        "ico" => "image/x-icon",
        "mp3" => "audio/mpeg",
        "webm" => "video/webm",
        _ => return None,
    })
}
