//! The device secret: a cookie that no script can read, shared by the tabs of a browser.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::platform::cookies;
use crate::platform::error::ApiError;
use crate::platform::secret::random_bytes;

/// Browsers accept the prefix only with Secure, Path=/ and no Domain, so nobody else can plant
/// it; they keep Secure cookies of TLS and loopback pages only. Elsewhere the plain name is
/// used, and only there: a planted plain cookie must not stand in for the real one.
const SECURE_NAME: &str = "__Host-capiz-device";
const PLAIN_NAME: &str = "capiz-device";

const LIFE_S: u32 = 400 * 86_400;
const SECRET_BYTES: usize = 32;

/// The device of a request.
pub(super) struct Device {
    secret: Option<[u8; SECRET_BYTES]>,
    is_secure: bool,
}

impl FromRequestParts<App> for Device {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(Self::of(&parts.headers, app.is_secure(parts)))
    }
}

impl Device {
    /// The device that the headers name, on a page that browsers call secure or not.
    pub(super) fn of(headers: &HeaderMap, is_secure: bool) -> Self {
        let name = if is_secure { SECURE_NAME } else { PLAIN_NAME };
        Self { secret: cookies::find(headers, name).and_then(decode), is_secure }
    }

    /// The hash of the secret, if the browser has one.
    pub(super) fn hash(&self) -> Option<[u8; 32]> {
        self.secret.map(|secret| Sha256::digest(secret).into())
    }

    /// The secret's hash for a login on this device, and the cookie where it is a new one.
    pub(super) fn enrol(self) -> ([u8; 32], Option<HeaderValue>) {
        if let Some(hash) = self.hash() {
            return (hash, None);
        }
        let secret: [u8; SECRET_BYTES] = random_bytes();
        let text = BASE64_URL_SAFE_NO_PAD.encode(secret);
        let (name, secure) =
            if self.is_secure { (SECURE_NAME, "; Secure") } else { (PLAIN_NAME, "") };
        let cookie =
            format!("{name}={text}; Path=/; HttpOnly; SameSite=Strict; Max-Age={LIFE_S}{secure}");
        (Sha256::digest(secret).into(), HeaderValue::from_str(&cookie).ok())
    }
}

fn decode(text: &str) -> Option<[u8; SECRET_BYTES]> {
    // The decoder asks for whole groups of three bytes.
    let mut bytes = [0; SECRET_BYTES.next_multiple_of(3)];
    let length = BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
    bytes[..length].try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_its_exact_length() {
        let text = |length: usize| BASE64_URL_SAFE_NO_PAD.encode(vec![5; length]);
        assert_eq!(decode(&text(SECRET_BYTES)), Some([5; SECRET_BYTES]));
        for wrong in [text(0), text(31), text(33), text(34), text(5_000), "*".repeat(43)] {
            assert_eq!(decode(&wrong), None, "{wrong}");
        }
    }
}
