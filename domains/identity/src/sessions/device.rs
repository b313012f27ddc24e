//! The device secret: a cookie that no script can read, shared by the tabs of a browser.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};

use crate::Identity;
use platform::cookies::{BrowserSecret, SecretCookie};
use platform::error::ApiError;

const COOKIE: SecretCookie = SecretCookie { name: "capiz-device", life_s: 400 * 86_400 };

/// The device of a request.
pub(crate) struct Device {
    secret: Option<BrowserSecret>,
    is_secure: bool,
}

impl FromRequestParts<Identity> for Device {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        Ok(Self::of(&parts.headers, app.is_secure(parts)))
    }
}

impl Device {
    /// The device that the headers name, on a page that browsers call secure or not.
    pub(crate) fn of(headers: &HeaderMap, is_secure: bool) -> Self {
        Self { secret: COOKIE.find(headers, is_secure), is_secure }
    }

    /// The hash of the secret, if the browser has one.
    pub(crate) fn hash(&self) -> Option<[u8; 32]> {
        self.secret.map(|secret| Sha256::digest(secret).into())
    }

    /// The secret's hash for a login on this device, and the cookie where it is a new one.
    pub(crate) fn enrol(self) -> ([u8; 32], Option<HeaderValue>) {
        if let Some(hash) = self.hash() {
            return (hash, None);
        }
        let (secret, cookie) = COOKIE.make(self.is_secure);
        (Sha256::digest(secret).into(), cookie)
    }
}
