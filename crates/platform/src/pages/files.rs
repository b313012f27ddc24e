//! Assets, art, fonts and the files of the root.

use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::dist::Dist;
use super::negotiate::{self, Asked, Representation};
use crate::codes;
use crate::error::ApiError;

const LONGEST_NAME: usize = 200;
/// Their names hold a hash of what is in them.
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// For who opens a file by itself. Documents have policies of their own, which hold for what they load.
const ALONE: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// A script may be a worker, which has the policy that it came with, and may be made of several.
const SCRIPT: &str = "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";
/// A picture's own styles hold in some browsers only where its policy says so.
const PICTURE: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";
const SHORT: &str = "public, max-age=300, stale-while-revalidate=86400";

pub(super) fn file(dist: &Dist, request: &Parts) -> Option<Response> {
    let asked = Asked::of(request);
    let name = request.uri.path().strip_prefix('/').filter(|name| is_plain(name))?;
    let content_type = content_type(name)?;
    let plain = dist.get(name)?;
    if !matches!(*asked.method, Method::GET | Method::HEAD) {
        return Some(method_not_allowed());
    }
    let packed = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .filter(|(coding, _)| asked.accepts(coding))
        .find_map(|(coding, end)| Some((coding, dist.get(&format!("{name}.{end}"))?)));
    let (encoding, chosen) = match packed {
        Some((coding, file)) => (Some(coding), file),
        None => (None, plain),
    };
    let representation = Representation {
        body: chosen.data,
        encoding,
        // The packed bytes have a hash, and so a tag, of their own.
        etag: format!("\"{}\"", hex::encode(&chosen.hash[..12])),
        content_type,
        cache_control: if name.starts_with("assets/") { IMMUTABLE } else { SHORT },
        vary: "Accept-Encoding",
    };
    let mut response = negotiate::respond(&asked, representation, StatusCode::OK);
    share(&mut response);
    let policy = HeaderValue::from_static(policy_of(content_type));
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Some(response)
}

/// Files are the same for everyone, and the game's frame, being sandboxed, is of no origin.
fn share(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let anyone = HeaderValue::from_static("cross-origin");
    headers.insert("cross-origin-resource-policy", anyone);
}

fn policy_of(content_type: &str) -> &'static str {
    match content_type {
        "text/javascript; charset=utf-8" => SCRIPT,
        "image/svg+xml" => PICTURE,
        _ => ALONE,
    }
}

fn method_not_allowed() -> Response {
    let mut response = ApiError::new(codes::REQUEST_METHOD).into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
    response
}

/// The build makes no other names, so nothing else can be asked of the disk.
fn is_plain(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte))
        && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

/// None for what is not served by name: documents, packed forms, source maps.
fn content_type(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    // Pages to keep are saved by the browser and never run at the site's own address.
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
