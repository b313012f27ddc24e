//! Captchas: five characters in a picture, or a question in words for those who do not see it.
//!
//! A captcha belongs to the browser that asked for it, by a cookie that no script can read. It
//! is answered once, rightly or wrongly, within five minutes; only a keyed hash of its answer is
//! kept. A browser has one at a time and gets a new one once a second at most.

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
use platform::budget::{Budget, RetryAfter};
use platform::cookies::{BrowserSecret, SecretCookie};
use platform::error::ApiError;
use platform::secret::random_bytes;

const COOKIE: SecretCookie = SecretCookie { name: "capiz-visit", life_s: 3_600 };

const LIFE: chrono::Duration = chrono::Duration::minutes(5);
/// One refresh in this time.
const PAUSE: chrono::Duration = chrono::Duration::seconds(1);
/// More than any right answer has.
const LONGEST_ANSWER: usize = 200;

/// For those who come without a cookie every time.
const DRAWN: Budget =
    Budget { name: "sessions.captcha.address", limit: 120, window: Duration::from_secs(60) };

/// The browser of somebody without a session.
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

/// What the captcha asks with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Picture,
    Question,
}

/// A captcha for the page: a PNG in base64 or a question, and the cookie of a new viewer.
pub(super) struct Drawn {
    pub(super) shown: String,
    pub(super) cookie: Option<HeaderValue>,
}

/// Draws a captcha in the place of the viewer's last one.
pub(super) async fn draw(
    app: &Identity,
    visitor: &Visitor,
    viewer: Viewer,
    kind: Kind,
) -> Result<Drawn, ApiError> {
    let now = app.clock.now();
    let mut db = app.db.acquire().await?;
    // Before there is work to do.
    app.budgets.take(&mut db, &DRAWN, &visitor.address_key(), now).await?;
    let (visit_hash, cookie) = viewer.enrol();
    let (answer, shown) = match kind {
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
    if !gates_store::upsert_captcha(&mut db, &captcha, now - PAUSE, now).await? {
        return Err(RetryAfter(1).into());
    }
    Ok(Drawn { shown, cookie })
}

/// Checks an answer; the captcha is gone whether it was right or not.
pub async fn check(
    app: &Identity,
    visitor: &Visitor,
    viewer: &Viewer,
    input: Option<&str>,
) -> Result<(), ApiError> {
    let refused = || ApiError::new(codes::CAPTCHA);
    let visit_hash = hash_of(viewer.secret.ok_or_else(refused)?);
    let input = input.filter(|input| input.len() <= LONGEST_ANSWER).ok_or_else(refused)?;
    let mut db = app.db.acquire().await?;
    let now = app.clock.now();
    let taken = gates_store::take_captcha(&mut db, &visit_hash, visitor.merchant.id, now).await?;
    drop(db);
    let given = answer_hash(app, &visit_hash, input);
    if taken.is_some_and(|wanted| given.as_slice().ct_eq(&wanted).into()) {
        return Ok(());
    }
    human::note_failure(app, visitor).await?;
    Err(refused())
}

/// Case, spaces and commas do not matter.
fn answer_hash(app: &Identity, visit_hash: &[u8; 32], answer: &str) -> [u8; 32] {
    let letters = answer.chars().filter(|c| c.is_alphanumeric());
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    app.gates.captchas.of(&[visit_hash, plain.as_bytes()])
}

/// A number below a bound, from the operating system. The bias of a byte's remainder does not
/// matter to a picture.
fn below(bound: usize) -> usize {
    usize::from(u16::from_be_bytes(random_bytes())) % bound
}
