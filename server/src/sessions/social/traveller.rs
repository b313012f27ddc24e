//! The browser of a sign-in that is under way.
//!
//! The device cookie is `SameSite=Strict`: it stays away when another site sends the visitor
//! back. This one is `Lax` and comes along. It lives as long as a sign-in may take, and nothing
//! but the callback reads it.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::ops::STATE_LIFE;
use crate::app::App;
use crate::platform::cookies;
use crate::platform::error::ApiError;
use crate::platform::secret::random_bytes;

/// As with the device cookie: the prefix where browsers keep it, and only one of the names is
/// read, so that nobody plants the other.
const SECURE_NAME: &str = "__Host-capiz-social";
const PLAIN_NAME: &str = "capiz-social";

const SECRET_BYTES: usize = 32;

pub(super) struct Traveller {
    secret: Option<[u8; SECRET_BYTES]>,
    is_secure: bool,
}

impl FromRequestParts<App> for Traveller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(Self::of(&parts.headers, app.is_secure(parts)))
    }
}

impl Traveller {
    fn of(headers: &HeaderMap, is_secure: bool) -> Self {
        let name = if is_secure { SECURE_NAME } else { PLAIN_NAME };
        let text = cookies::find(headers, name);
        let bytes = text
            .filter(|text| text.len() <= 64)
            .and_then(|text| BASE64_URL_SAFE_NO_PAD.decode(text).ok());
        Self { secret: bytes.and_then(|bytes| bytes.try_into().ok()), is_secure }
    }

    /// The hash of the secret, if the browser has one.
    pub(super) fn hash(&self) -> Option<[u8; 32]> {
        self.secret.map(|secret| Sha256::digest(secret).into())
    }

    /// The secret's hash, and the cookie that keeps it a while longer. Two windows of one
    /// browser share it, so that neither puts the other out.
    pub(super) fn enrol(self) -> ([u8; 32], Option<HeaderValue>) {
        let secret = self.secret.unwrap_or_else(random_bytes);
        let (name, secure) =
            if self.is_secure { (SECURE_NAME, "; Secure") } else { (PLAIN_NAME, "") };
        let text = BASE64_URL_SAFE_NO_PAD.encode(secret);
        let life_s = STATE_LIFE.num_seconds();
        let cookie =
            format!("{name}={text}; Path=/; HttpOnly; SameSite=Lax; Max-Age={life_s}{secure}");
        (Sha256::digest(secret).into(), HeaderValue::from_str(&cookie).ok())
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::*;

    fn with(cookie: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, cookie.parse().unwrap())])
    }

    #[test]
    fn the_secret_comes_back_in_its_own_cookie_only() {
        let (hash, cookie) = Traveller::of(&HeaderMap::new(), true).enrol();
        let pair = cookie.unwrap().to_str().unwrap().split(';').next().unwrap().to_owned();
        assert_eq!(Traveller::of(&with(&pair), true).hash(), Some(hash));
        assert_eq!(Traveller::of(&with(&pair), false).hash(), None);
        assert_eq!(Traveller::of(&with(&pair), true).enrol().0, hash);
        let planted = pair.replace("__Host-", "");
        assert_eq!(Traveller::of(&with(&planted), true).hash(), None);
        for wrong in ["__Host-capiz-social=", "__Host-capiz-social=AAAA", "__Host-capiz-social=*"] {
            assert_eq!(Traveller::of(&with(wrong), true).hash(), None, "{wrong}");
        }
    }
}
