//! The browser of a sign-in that is under way.
//!
//! The device cookie is `SameSite=Strict`: it stays away when another site sends the visitor
//! back. This one is `Lax` and comes along. It lives as long as a sign-in may take, and nothing
//! but the callback reads it.

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

pub(super) struct Traveller {
    secret: Option<BrowserSecret>,
    is_secure: bool,
}

impl FromRequestParts<Identity> for Traveller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let is_secure = app.is_secure(parts);
        Ok(Self { secret: COOKIE.find(&parts.headers, is_secure), is_secure })
    }
}

impl Traveller {
    /// The hash of the secret, if the browser has one.
    pub(super) fn hash(&self) -> Option<[u8; 32]> {
        self.secret.map(|secret| Sha256::digest(secret).into())
    }

    /// The secret's hash, and the cookie that keeps it a while longer. Two windows of one
    /// browser share it, so that neither puts the other out.
    pub(super) fn enrol(self) -> ([u8; 32], Option<HeaderValue>) {
        let secret = self.secret.unwrap_or_else(random_bytes);
        (Sha256::digest(secret).into(), COOKIE.hand_across(&secret, self.is_secure))
    }
}
