//! Captchas: a picture of five characters, or a question in words for people who cannot see it.
//!
//! A captcha is bound to the browser that requested it by an HttpOnly cookie. It can be answered
//! once, rightly or wrongly, within five minutes; only a keyed hash of the answer is stored. A
//! browser has one captcha at a time and gets a new one at most once per second.

mod glyphs;
pub(super) mod http;
mod picture;
mod questions;

use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::HeaderValue;
use axum::http::request::Parts;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::gates_store::{self, NewCaptcha};
use crate::human;
use platform::cookies::{BrowserSecret, SecretCookie};
use platform::error::ApiError;
use platform::rate_limit::{RateLimit, RetryAfter};
use platform::secret::random_bytes;

const COOKIE: SecretCookie = SecretCookie { name: "capiz-visit", life_s: 3_600 };

const LIFE: chrono::Duration = chrono::Duration::minutes(5);
/// The shortest time between two captchas of a browser.
const REFRESH_INTERVAL: chrono::Duration = chrono::Duration::seconds(1);
/// The longest answer that is compared; right answers are shorter.
const ANSWER_MAX: usize = 200;

/// Captchas per address. It also stops clients that send no cookie.
const PER_ADDRESS: RateLimit =
    RateLimit { name: "sessions.captcha.address", limit: 120, window: Duration::from_secs(60) };

/// The browser that a captcha is shown to, known by its own cookie.
pub struct Viewer {
    secret: Option<BrowserSecret>,
    is_secure: bool,
}

impl FromRequestParts<Identity> for Viewer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let is_secure = app.is_secure(parts);
        Ok(Self { secret: COOKIE.find(&parts.headers, is_secure), is_secure })
    }
}

impl Viewer {
    fn enrol(self) -> ([u8; 32], Option<HeaderValue>) {
        match self.secret {
            Some(secret) => (hash_of(secret), None),
            None => {
                let (secret, cookie) = COOKIE.make(self.is_secure);
                (hash_of(secret), cookie)
            }
        }
    }
}

fn hash_of(secret: BrowserSecret) -> [u8; 32] {
    Sha256::digest(secret).into()
}

/// The kind of captcha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Picture,
    Question,
}

/// A captcha for the page (a PNG in base64 or a question), and the cookie of a new browser.
pub(super) struct Drawn {
    pub(super) content: String,
    pub(super) cookie: Option<HeaderValue>,
}

/// Draws a captcha and replaces the browser's previous one.
pub(super) async fn draw(
    app: &Identity,
    visitor: &Visitor,
    viewer: Viewer,
    kind: Kind,
) -> Result<Drawn, ApiError> {
    let now = app.clock.now();
    let mut db = app.db.acquire().await?;
    // The rate limit comes before the work of drawing.
    app.rate_limits.take(&mut db, &PER_ADDRESS, &visitor.address_key(), now).await?;
    let (visit_hash, cookie) = viewer.enrol();
    let (answer, content) = match kind {
        Kind::Picture => {
            let (answer, png) = picture::draw().map_err(ApiError::internal)?;
            (answer, BASE64_STANDARD.encode(png))
        }
        Kind::Question => questions::ask(visitor.language),
    };
    let captcha = NewCaptcha {
        visit_hash,
        merchant_id: visitor.merchant.id,
        answer_hash: answer_hash(app, &visit_hash, &answer),
        expires_at: now + LIFE,
    };
    if !gates_store::upsert_captcha(&mut db, &captcha, now - REFRESH_INTERVAL, now).await? {
        return Err(RetryAfter(1).into());
    }
    Ok(Drawn { content, cookie })
}

/// Checks an answer and uses up the captcha, whether the answer is right or wrong.
pub async fn check(
    app: &Identity,
    visitor: &Visitor,
    viewer: &Viewer,
    input: Option<&str>,
) -> Result<(), ApiError> {
    let refused = || ApiError::new(codes::CAPTCHA);
    let visit_hash = hash_of(viewer.secret.ok_or_else(refused)?);
    let input = input.filter(|input| input.len() <= ANSWER_MAX).ok_or_else(refused)?;
    let mut db = app.db.acquire().await?;
    let now = app.clock.now();
    let taken = gates_store::take_captcha(&mut db, &visit_hash, visitor.merchant.id, now).await?;
    drop(db);
    let given = answer_hash(app, &visit_hash, input);
    if taken.is_some_and(|expected| given.as_slice().ct_eq(&expected).into()) {
        return Ok(());
    }
    human::note_failure(app, visitor).await?;
    Err(refused())
}

/// The keyed hash of an answer. Case, spaces and commas do not matter.
fn answer_hash(app: &Identity, visit_hash: &[u8; 32], answer: &str) -> [u8; 32] {
    let letters = answer.chars().filter(|c| c.is_alphanumeric());
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    app.gates.captchas.of(&[visit_hash, plain.as_bytes()])
}

/// A random number below a bound, from the operating system. The modulo bias does not matter for a
/// captcha.
fn below(bound: usize) -> usize {
    usize::from(u16::from_be_bytes(random_bytes())) % bound
}
