//! Id tokens of others: signatures, key sets, and the claims that must hold.
//!
//! Only RS256 and ES256 are known, so that a token cannot choose a weaker way: `none` and the
//! symmetric algorithms have no code here. Time is the injected clock's.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use platform::cache::Cache;
use platform::outside::{Outside, OutsideError, OutsideUrl};

/// No honest token is longer.
const TOKEN_MAX: usize = 16 * 1024;

/// How far two clocks may be apart.
const LEEWAY_S: i64 = 60;

/// How long keys are believed without asking again.
const KEYS_LIFE: Duration = Duration::from_secs(3600);

/// A key that is not known makes us ask again, but not more often than this: tokens with
/// invented key ids cost nothing to make.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// Why a token is not believed.
#[derive(Debug, thiserror::Error)]
pub(super) enum TokenError {
    /// The keys could not be had.
    #[error(transparent)]
    Outside(#[from] OutsideError),
    /// The token is at fault.
    #[error("an id token was refused: {0}")]
    Refused(&'static str),
}

/// What must be true of a token besides its signature.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) audience: &'a str,
    /// The one that we sent, where we sent one.
    pub(super) nonce: Option<&'a str>,
}

/// What a token says that was found to be true.
#[derive(Deserialize)]
pub(super) struct Claims {
    iss: String,
    aud: Audience,
    azp: Option<String>,
    exp: i64,
    nbf: Option<i64>,
    nonce: Option<String>,
    /// When it was made.
    pub(super) iat: i64,
    /// Whom it speaks of.
    pub(super) sub: String,
    /// Everything else.
    #[serde(flatten)]
    pub(super) more: Map<String, Value>,
}

impl Claims {
    /// When it ends.
    pub(super) fn ends_at(&self) -> DateTime<Utc> {
        let end = self.exp.saturating_add(LEEWAY_S);
        DateTime::from_timestamp(end, 0).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    fn check(&self, expected: &Expected<'_>, now: i64) -> Result<(), TokenError> {
        let audience = expected.audience;
        let rules = [
            (self.iss == expected.issuer, "another issuer"),
            (self.aud.names(audience), "meant for somebody else"),
            (
                self.azp.as_deref().map_or(self.aud.is_one(), |azp| azp == audience),
                "given to somebody else",
            ),
            (now <= self.exp.saturating_add(LEEWAY_S), "expired"),
            (self.iat <= now.saturating_add(LEEWAY_S), "made in the future"),
            (self.nbf.is_none_or(|nbf| nbf <= now.saturating_add(LEEWAY_S)), "not valid yet"),
            (
                expected.nonce.is_none_or(|nonce| self.nonce.as_deref() == Some(nonce)),
                "another nonce",
            ),
            ((1..=255).contains(&self.sub.chars().count()), "no subject"),
        ];
        match rules.iter().find(|(holds, _)| !holds) {
            None => Ok(()),
            Some((_, reason)) => Err(TokenError::Refused(reason)),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Audience {
    fn names(&self, audience: &str) -> bool {
        match self {
            Self::One(one) => one == audience,
            Self::Many(many) => many.iter().any(|one| one == audience),
        }
    }

    fn is_one(&self) -> bool {
        match self {
            Self::One(_) => true,
            Self::Many(many) => many.len() == 1,
        }
    }
}

#[derive(Deserialize)]
struct Header {
    alg: Algorithm,
    kid: Option<String>,
    /// What kind of token it is; an access token says so.
    typ: Option<String>,
    /// Extensions that a reader must understand; we understand none.
    crit: Option<Value>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
enum Algorithm {
    RS256,
    ES256,
}

/// A public key as key sets write it. Keys of other kinds are passed over.
#[derive(Deserialize)]
struct Key {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl Key {
    fn fits(&self, header: &Header) -> bool {
        let (kind, name) = match header.alg {
            Algorithm::RS256 => ("RSA", "RS256"),
            Algorithm::ES256 => ("EC", "ES256"),
        };
        self.kty == kind
            && self.purpose.as_deref().is_none_or(|purpose| purpose == "sig")
            && self.alg.as_deref().is_none_or(|alg| alg == name)
            && (header.kid.is_none() || self.kid == header.kid)
    }

    fn verifies(&self, algorithm: Algorithm, message: &[u8], signature: &[u8]) -> bool {
        match algorithm {
            Algorithm::RS256 => self.rsa().is_some_and(|key| {
                key.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).is_ok()
            }),
            Algorithm::ES256 => self.point().is_some_and(|point| {
                let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
                key.verify(message, signature).is_ok()
            }),
        }
    }

    fn rsa(&self) -> Option<RsaPublicKeyComponents<Vec<u8>>> {
        Some(RsaPublicKeyComponents { n: number(&self.n)?, e: number(&self.e)? })
    }

    fn point(&self) -> Option<Vec<u8>> {
        let (x, y) = (bytes(&self.x)?, bytes(&self.y)?);
        let is_p256 = self.crv.as_deref() == Some("P-256") && x.len() == 32 && y.len() == 32;
        is_p256.then(|| [&[4], x.as_slice(), &y].concat())
    }
}

fn bytes(text: &Option<String>) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(text.as_deref()?).ok()
}

/// A number without the leading zeros that some write and the verifier does not take.
fn number(text: &Option<String>) -> Option<Vec<u8>> {
    let mut number = bytes(text)?;
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    number.drain(..zeros);
    Some(number)
}

#[derive(Deserialize)]
struct Keys {
    keys: Vec<Value>,
}

/// The keys of an issuer, asked for when they are needed.
pub(super) struct KeySet {
    url: OutsideUrl,
    outside: Outside,
    cache: Cache<Vec<Key>>,
    asked: Mutex<Option<Instant>>,
}

impl KeySet {
    pub(super) fn new(url: OutsideUrl, outside: Outside) -> Self {
        Self { url, outside, cache: Cache::new(KEYS_LIFE), asked: Mutex::default() }
    }

    /// The claims of a token that was signed by the issuer and is what we expect.
    pub(super) async fn verify(
        &self,
        token: &str,
        expected: &Expected<'_>,
        now: DateTime<Utc>,
    ) -> Result<Claims, TokenError> {
        let token = Token::split(token)?;
        let mut keys = self.keys().await?;
        if !keys.iter().any(|key| key.fits(&token.header)) && self.may_ask() {
            // The issuer may have begun to sign with another key.
            self.cache.clear();
            keys = self.keys().await?;
        }
        let fitting = keys.iter().filter(|key| key.fits(&token.header));
        let algorithm = token.header.alg;
        let mut verdicts =
            fitting.map(|key| key.verifies(algorithm, token.signed, &token.signature));
        if !verdicts.any(|verdict| verdict) {
            return Err(TokenError::Refused("not signed by the issuer"));
        }
        let claims: Claims = read(token.payload).ok_or(TokenError::Refused("no claims"))?;
        claims.check(expected, now.timestamp())?;
        Ok(claims)
    }

    /// Asks for the keys anew: how many there are.
    pub(super) async fn ask(&self) -> Result<usize, OutsideError> {
        self.cache.clear();
        Ok(self.keys().await?.len())
    }

    async fn keys(&self) -> Result<std::sync::Arc<Vec<Key>>, OutsideError> {
        self.cache
            .get(async || {
                self.note_asked();
                let set: Keys = self.outside.get_json(&self.url, None).await?;
                Ok(set
                    .keys
                    .into_iter()
                    .filter_map(|key| serde_json::from_value(key).ok())
                    .collect())
            })
            .await
    }

    fn note_asked(&self) {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn may_ask(&self) -> bool {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let may = asked.is_none_or(|asked| asked.elapsed() >= ASK_EVERY);
        if may {
            *asked = Some(Instant::now());
        }
        may
    }
}

/// A token taken apart; nothing of it is believed yet.
struct Token<'a> {
    header: Header,
    payload: &'a str,
    signed: &'a [u8],
    signature: Vec<u8>,
}

impl<'a> Token<'a> {
    fn split(text: &'a str) -> Result<Self, TokenError> {
        let malformed = || TokenError::Refused("not a signed token");
        if text.len() > TOKEN_MAX {
            return Err(malformed());
        }
        let (signed, signature) = text.rsplit_once('.').ok_or_else(malformed)?;
        let (head, payload) = signed.split_once('.').ok_or_else(malformed)?;
        let header: Header = read(head).ok_or_else(malformed)?;
        if header.crit.is_some() {
            return Err(TokenError::Refused("asks for an unknown extension"));
        }
        if header.typ.as_ref().is_some_and(|kind| !kind.eq_ignore_ascii_case("JWT")) {
            return Err(TokenError::Refused("of another kind"));
        }
        let signature = BASE64_URL_SAFE_NO_PAD.decode(signature).map_err(|_| malformed())?;
        Ok(Self { header, payload, signed: signed.as_bytes(), signature })
    }
}

fn read<T: serde::de::DeserializeOwned>(part: &str) -> Option<T> {
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const EXPECTED: Expected<'static> =
        Expected { issuer: "https://id.example", audience: "capiz", nonce: Some("n-1") };
    const NOW: i64 = 1_900_000_000;

    fn verdict(change: Value) -> Result<(), String> {
        let mut claims = json!({
            "iss": "https://id.example", "aud": "capiz", "sub": "24", "nonce": "n-1",
            "iat": NOW - 5, "exp": NOW + 300,
        });
        for (name, value) in change.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let claims: Claims = serde_json::from_value(claims).map_err(|error| error.to_string())?;
        claims.check(&EXPECTED, NOW).map_err(|error| error.to_string())
    }

    #[test]
    fn claims_that_hold_are_believed() {
        let good = [
            json!({}),
            json!({ "aud": ["capiz"] }),
            json!({ "aud": ["capiz", "other"], "azp": "capiz" }),
            json!({ "exp": NOW - LEEWAY_S }),
            json!({ "iat": NOW + LEEWAY_S, "nbf": NOW + LEEWAY_S }),
        ];
        for change in good {
            assert_eq!(verdict(change.clone()), Ok(()), "{change}");
        }
    }

    #[test]
    fn each_claim_that_does_not_hold_is_refused() {
        let bad = [
            json!({ "iss": "https://id.example/" }),
            json!({ "aud": "other" }),
            json!({ "aud": ["other"] }),
            json!({ "aud": [] }),
            json!({ "aud": ["capiz", "other"] }),
            json!({ "azp": "other" }),
            json!({ "exp": NOW - LEEWAY_S - 1 }),
            json!({ "exp": i64::MIN }),
            json!({ "exp": "soon" }),
            json!({ "iat": NOW + LEEWAY_S + 1 }),
            json!({ "nbf": NOW + LEEWAY_S + 1 }),
            json!({ "nonce": "n-2" }),
            json!({ "nonce": null }),
            json!({ "sub": "" }),
            json!({ "sub": "x".repeat(256) }),
        ];
        for change in bad {
            assert!(verdict(change.clone()).is_err(), "{change}");
        }
    }

    #[test]
    fn weak_and_unreadable_tokens_are_refused() {
        let head = |header: Value| BASE64_URL_SAFE_NO_PAD.encode(header.to_string());
        let token = |header: Value| format!("{}.e30.AAAA", head(header));
        assert!(Token::split(&token(json!({ "alg": "RS256" }))).is_ok());
        assert!(Token::split(&token(json!({ "alg": "RS256", "typ": "JWT" }))).is_ok());
        let bad = [
            token(json!({ "alg": "none" })),
            token(json!({ "alg": "HS256" })),
            token(json!({ "alg": "rs256" })),
            token(json!({ "alg": "RS256", "typ": "at+jwt" })),
            token(json!({ "alg": "RS256", "crit": ["b64"], "b64": false })),
            token(json!({})),
            "a.b".to_owned(),
            String::new(),
            format!("{}.e30.", "A".repeat(TOKEN_MAX)),
            format!("{}.e30.*", head(json!({ "alg": "RS256" }))),
        ];
        for text in bad {
            assert!(Token::split(&text).is_err(), "{text}");
        }
    }
}
