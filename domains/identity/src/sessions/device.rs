//! The device secret: an HttpOnly cookie, shared by all tabs of a browser.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};

use crate::Identity;
use platform::cookies::{BrowserSecret, SecretCookie};
use platform::error::ApiError;

const COOKIE: SecretCookie = SecretCookie { name: "capiz-device", life_s: 400 * 86_400 };

/// The device cookie of a request.
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
    /// Reads the device cookie from headers, on a page with or without HTTPS.
    pub(crate) fn of(headers: &HeaderMap, is_secure: bool) -> Self {
        Self { secret: COOKIE.find(headers, is_secure), is_secure }
    }

    /// The hash of the device secret, if the browser has one.
    pub(crate) fn hash(&self) -> Option<[u8; 32]> {
        self.secret.map(|secret| Sha256::digest(secret).into())
    }

    /// The hash of the device secret for a login; creates a secret and its cookie if the browser
    /// has none.
    pub(crate) fn enrol(self) -> ([u8; 32], Option<HeaderValue>) {
        if let Some(hash) = self.hash() {
            return (hash, None);
        }
        let (secret, cookie) = COOKIE.make(self.is_secure);
        (Sha256::digest(secret).into(), cookie)
    }
}
