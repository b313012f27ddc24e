//! The flow cookie: recognizes the browser when a social provider redirects it back.
//!
//! The device cookie is `SameSite=Strict`, so browsers do not send it on a redirect from another
//! site. The flow cookie is `SameSite=Lax` and is sent. It lives as long as a sign-in may take, and
//! only the callback reads it.

use axum::extract::FromRequestParts;
use axum::http::HeaderValue;
use axum::http::request::Parts;
use sha2::{Digest, Sha256};

use crate::Identity;
use platform::cookies::{BrowserSecret, SecretCookie};
use platform::error::ApiError;
use platform::secret::random_bytes;

/// It lives as long as [`super::ops::STATE_LIFE`].
const COOKIE: SecretCookie = SecretCookie { name: "capiz-social", life_s: 600 };

pub(super) struct FlowCookie {
    secret: Option<BrowserSecret>,
    is_secure: bool,
}

impl FromRequestParts<Identity> for FlowCookie {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let is_secure = app.is_secure(parts);
        Ok(Self { secret: COOKIE.find(&parts.headers, is_secure), is_secure })
    }
}

impl FlowCookie {
    /// The hash of the secret in the cookie, if the browser has one.
    pub(super) fn hash(&self) -> Option<[u8; 32]> {
        self.secret.map(|secret| Sha256::digest(secret).into())
    }

    /// The hash of the secret, and the cookie with a new lifetime. Two windows of one browser share
    /// the secret, so neither invalidates the sign-in of the other.
    pub(super) fn enrol(self) -> ([u8; 32], Option<HeaderValue>) {
        let secret = self.secret.unwrap_or_else(random_bytes);
        (Sha256::digest(secret).into(), COOKIE.hand_across(&secret, self.is_secure))
    }
}
