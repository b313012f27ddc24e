//! Verifies id tokens (JWT) of external issuers: signature, key set (JWKS) and claims.
//!
//! Only RS256 and ES256 are implemented, so a token cannot choose a weaker algorithm such as `none`
//! or a symmetric one. Expiry is compared with the injected clock.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use platform::cache::Cache;
use platform::http_client::{HttpClient, HttpError, ServiceUrl};

/// The longest token that is parsed, in bytes.
const TOKEN_MAX: usize = 16 * 1024;

/// The clock skew that is accepted, in seconds.
const LEEWAY_S: i64 = 60;

/// How long the key set is cached.
const KEYS_LIFE: Duration = Duration::from_secs(3600);

/// An unknown key id triggers a refetch of the key set, but not more often than this: tokens with
/// invented key ids cost nothing to make.
const REFETCH_INTERVAL: Duration = Duration::from_secs(2);

/// Why a token is rejected.
#[derive(Debug, thiserror::Error)]
pub(super) enum TokenError {
    /// The key set could not be fetched.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// The token itself is invalid.
    #[error("the id token was refused: {0}")]
    Refused(&'static str),
}

/// What the claims of a token must match.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) audience: &'a str,
    /// The nonce of the authorization request, if one was sent.
    pub(super) nonce: Option<&'a str>,
}

/// The claims of a verified token.
#[derive(Deserialize)]
pub(super) struct Claims {
    iss: String,
    aud: Audience,
    azp: Option<String>,
    #[serde(deserialize_with = "seconds")]
    exp: i64,
    #[serde(default, deserialize_with = "optional_seconds")]
    nbf: Option<i64>,
    nonce: Option<String>,
    /// When the token was issued, in seconds since 1970.
    #[serde(deserialize_with = "seconds")]
    pub(super) iat: i64,
    /// The issuer's id of the user.
    pub(super) sub: String,
    /// All other claims.
    #[serde(flatten)]
    pub(super) more: Map<String, Value>,
}

/// A time of the standard: a number of seconds, which may have a fraction.
#[derive(Deserialize)]
#[serde(untagged)]
enum Seconds {
    Whole(i64),
    Fraction(f64),
}

impl Seconds {
    /// Without the fraction. A time out of range becomes the first or the last one.
    #[expect(
        clippy::as_conversions,
        reason = "no other conversion from f64, and this one saturates"
    )]
    #[expect(clippy::cast_possible_truncation, reason = "the fraction is not needed")]
    fn whole(self) -> i64 {
        match self {
            Self::Whole(seconds) => seconds,
            Self::Fraction(seconds) => seconds.floor() as i64,
        }
    }
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    Seconds::deserialize(from).map(Seconds::whole)
}

fn optional_seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    Ok(Option::<Seconds>::deserialize(from)?.map(Seconds::whole))
}

impl Claims {
    /// When the token expires, with the accepted clock skew.
    pub(super) fn ends_at(&self) -> DateTime<Utc> {
        let end = self.exp.saturating_add(LEEWAY_S);
        DateTime::from_timestamp(end, 0).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    fn check(&self, expected: &Expected<'_>, now: i64) -> Result<(), TokenError> {
        let audience = expected.audience;
        let rules = [
            (self.iss == expected.issuer, "wrong issuer"),
            (self.aud.names(audience), "wrong audience"),
            (
                self.azp.as_deref().map_or(self.aud.is_one(), |azp| azp == audience),
                "wrong authorized party",
            ),
            (now <= self.exp.saturating_add(LEEWAY_S), "expired"),
            (self.iat <= now.saturating_add(LEEWAY_S), "issued in the future"),
            (self.nbf.is_none_or(|nbf| nbf <= now.saturating_add(LEEWAY_S)), "not valid yet"),
            (
                expected.nonce.is_none_or(|nonce| self.nonce.as_deref() == Some(nonce)),
                "wrong nonce",
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
    /// The token type. Access tokens have another type than `JWT` and are rejected.
    typ: Option<String>,
    /// Extensions that the reader must understand. None are supported.
    crit: Option<Value>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
enum Algorithm {
    RS256,
    ES256,
}

/// A JSON Web Key. Keys of other types are skipped.
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

/// Decodes an integer without leading zero bytes, which some issuers write and the verifier
/// rejects.
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

/// The key set (JWKS) of an issuer, fetched when it is needed and cached.
pub(super) struct KeySet {
    url: ServiceUrl,
    http_client: HttpClient,
    cache: Cache<Vec<Key>>,
    fetched_at: Mutex<Option<Instant>>,
}

impl KeySet {
    pub(super) fn new(url: ServiceUrl, http_client: HttpClient) -> Self {
        Self { url, http_client, cache: Cache::new(KEYS_LIFE), fetched_at: Mutex::default() }
    }

    /// Verifies the signature and the claims of a token and returns the claims.
    pub(super) async fn verify(
        &self,
        token: &str,
        expected: &Expected<'_>,
        now: DateTime<Utc>,
    ) -> Result<Claims, TokenError> {
        let token = Token::split(token)?;
        let mut keys = self.keys().await?;
        if !keys.iter().any(|key| key.fits(&token.header)) && self.may_refetch() {
            // The issuer may have started to sign with a new key.
            self.cache.clear();
            keys = self.keys().await?;
        }
        let fitting = keys.iter().filter(|key| key.fits(&token.header));
        let algorithm = token.header.alg;
        let mut verified =
            fitting.map(|key| key.verifies(algorithm, token.signed, &token.signature));
        if !verified.any(|is_verified| is_verified) {
            return Err(TokenError::Refused("no key of the issuer verifies the signature"));
        }
        let claims: Claims = read(token.payload).ok_or(TokenError::Refused("unreadable claims"))?;
        claims.check(expected, now.timestamp())?;
        Ok(claims)
    }

    /// Refetches the key set and returns the number of keys.
    pub(super) async fn refetch(&self) -> Result<usize, HttpError> {
        self.cache.clear();
        Ok(self.keys().await?.len())
    }

    async fn keys(&self) -> Result<std::sync::Arc<Vec<Key>>, HttpError> {
        self.cache
            .get(async || {
                self.note_fetch();
                let set: Keys = self.http_client.get_json(&self.url, None).await?;
                Ok(set
                    .keys
                    .into_iter()
                    .filter_map(|key| serde_json::from_value(key).ok())
                    .collect())
            })
            .await
    }

    fn note_fetch(&self) {
        *self.fetched_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn may_refetch(&self) -> bool {
        let mut fetched_at = self.fetched_at.lock().unwrap_or_else(PoisonError::into_inner);
        let may_refetch = fetched_at.is_none_or(|at| at.elapsed() >= REFETCH_INTERVAL);
        if may_refetch {
            *fetched_at = Some(Instant::now());
        }
        may_refetch
    }
}

/// The parts of a token, not verified yet.
struct Token<'a> {
    header: Header,
    payload: &'a str,
    signed: &'a [u8],
    signature: Vec<u8>,
}

impl<'a> Token<'a> {
    fn split(text: &'a str) -> Result<Self, TokenError> {
        let malformed = || TokenError::Refused("malformed token");
        if text.len() > TOKEN_MAX {
            return Err(malformed());
        }
        let (signed, signature) = text.rsplit_once('.').ok_or_else(malformed)?;
        let (head, payload) = signed.split_once('.').ok_or_else(malformed)?;
        let header: Header = read(head).ok_or_else(malformed)?;
        if header.crit.is_some() {
            return Err(TokenError::Refused("unknown critical extension"));
        }
        if header.typ.as_ref().is_some_and(|kind| !kind.eq_ignore_ascii_case("JWT")) {
            return Err(TokenError::Refused("wrong token type"));
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
    use ring::signature::RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY;
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
            json!({ "exp": 1_900_000_000.5, "iat": 1_899_999_990.25 }),
            json!({ "nbf": null }),
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

    /// An RSA key of 1024 bits, and its signature of the word `signed`.
    const SHORT_MODULUS: &str = concat!(
        "zD71VwlJa_vE2XNjVV0ypLXhUJlBHqvsIwL20ULbrDaCtbKjqCET5ARxs_RpmeP7EGfw7jzEVFpqhVqFD8cq-c",
        "maB1X55Dhupfa9Jn5F7BYpui9pGfE6fBS-njLWMrsuUm1d_gQhWwE9J6n4qp8MDNieJYX80EmioJ3Cbxsx-Ks",
    );
    const SHORT_SIGNATURE: &str = concat!(
        "kc18grQr5oGY1JWMmZIM-6h071yokbIQtgR6q5YmESvht7l0TPQWa3Wg46YZGovM1bgNiPk62pfT__73dz2O6D",
        "hHkbZRjTtnjVAmJiD1O6vqXGZRmCvog5rdP9l97nXJ7RRnIbhJh78xs6puOsSQmD3cIkKaVWF2KEyeU5flHWo",
    );

    #[test]
    fn signatures_of_short_keys_are_refused() {
        let key = json!({ "kty": "RSA", "n": SHORT_MODULUS, "e": "AQAB" });
        let key: Key = serde_json::from_value(key).unwrap();
        let signature = BASE64_URL_SAFE_NO_PAD.decode(SHORT_SIGNATURE).unwrap();
        let legacy = &RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY;
        assert!(key.rsa().unwrap().verify(legacy, b"signed", &signature).is_ok());
        assert!(!key.verifies(Algorithm::RS256, b"signed", &signature));
    }
}
