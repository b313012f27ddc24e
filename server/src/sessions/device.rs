//! The device secret: a cookie that no script can read, shared by the tabs of a browser.

use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::platform::secret::random_bytes;

/// Browsers accept the prefix only with Secure, Path=/ and no Domain, and keep Secure cookies
/// of TLS and loopback pages only; elsewhere the plain name is used.
const SECURE_NAME: &str = "__Host-capiz-device";
const PLAIN_NAME: &str = "capiz-device";

const LIFE_S: u32 = 400 * 86_400;
const SECRET_BYTES: usize = 32;

/// The browser's device secret, found or newly made.
pub(super) struct Device {
    secret: [u8; SECRET_BYTES],
    /// Set where the browser has none yet.
    set_cookie: Option<HeaderValue>,
}

impl Device {
    /// The request's device, or a new one whose cookie goes out with the answer.
    pub(super) fn find_or_new(headers: &HeaderMap, tls: bool) -> Self {
        if let Some(secret) = find(headers) {
            return Self { secret, set_cookie: None };
        }
        let secret = random_bytes();
        let text = BASE64_URL_SAFE_NO_PAD.encode(secret);
        let (name, secure) = match tls || is_loopback(headers) {
            true => (SECURE_NAME, "; Secure"),
            false => (PLAIN_NAME, ""),
        };
        let cookie =
            format!("{name}={text}; Path=/; HttpOnly; SameSite=Strict; Max-Age={LIFE_S}{secure}");
        Self { secret, set_cookie: HeaderValue::from_str(&cookie).ok() }
    }

    pub(super) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.secret).into()
    }

    pub(super) fn into_cookie(self) -> Option<HeaderValue> {
        self.set_cookie
    }
}

/// The hash of the request's device secret.
pub(super) fn hash_of(headers: &HeaderMap) -> Option<[u8; 32]> {
    find(headers).map(|secret| Sha256::digest(secret).into())
}

fn find(headers: &HeaderMap) -> Option<[u8; SECRET_BYTES]> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| matches!(*name, SECURE_NAME | PLAIN_NAME))
        .find_map(|(_, value)| BASE64_URL_SAFE_NO_PAD.decode(value).ok()?.try_into().ok())
}

fn is_loopback(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| {
        host.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    })
}
