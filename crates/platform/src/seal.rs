//! Sealed payloads: JSON bodies encrypted with HPKE (RFC 9180), so that passwords appear in no log
//! or TLS-terminating proxy.
//!
//! One key pair per day is derived from the installation's root key, so all nodes share it; the
//! previous day's key is still accepted. A payload can be opened once (nonce), within a minute, and
//! only for the method and path that it was sealed for. Every failure gives the same error.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{FromRef, FromRequest, OriginalUri, Request};
use axum::http::{HeaderMap, Method, header};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use hpke::aead::AesGcm256;
use hpke::kdf::HkdfSha256;
use hpke::kem::DhP256HkdfSha256;
use hpke::{Deserializable, Kem, OpModeR, OpModeS, Serializable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::ToSchema;

use super::clock::Clock;
use super::error::ApiError;
use super::extract::malformed;
use super::secret::RootKey;
use crate::Core;
use crate::codes;
use crate::jobs::{Bounds, Registry};

/// The media type of sealed bodies.
pub const MEDIA_TYPE: &str = "application/sealed+json";

/// The maximum difference between a payload's time and ours, in milliseconds.
pub const WINDOW_MS: i64 = 60_000;

const INFO: &[u8] = b"capiz/1";
const DAY_S: i64 = 86_400;
const NONCE_LENGTHS: std::ops::RangeInclusive<usize> = 16..=64;

/// The number of cached key pairs: today's and yesterday's.
const CACHED_DAYS: usize = 2;

type PrivateKey = <DhP256HkdfSha256 as Kem>::PrivateKey;
type PublicKey = <DhP256HkdfSha256 as Kem>::PublicKey;
type EncappedKey = <DhP256HkdfSha256 as Kem>::EncappedKey;
type KeyPair = (PrivateKey, PublicKey);

/// The public key for sealing, and the server's time, with which clients correct their clock.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SealKey {
    /// The key id, which is sent along with a payload sealed to it.
    pub kid: String,
    /// Uncompressed P-256 point, base64url without padding.
    pub public_key: String,
    /// The server's time in milliseconds.
    pub now: i64,
}

/// A sealed body on the wire. Byte fields are base64url without padding.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SealedBody {
    /// The id of the key that it is sealed to.
    pub kid: String,
    /// The encapsulated key.
    pub enc: String,
    /// The ciphertext with its tag.
    pub ct: String,
    /// When it was sealed, in milliseconds.
    pub at: i64,
    /// A random value, accepted only once.
    pub nonce: String,
}

/// The endpoint that a payload is bound to.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    /// The HTTP method.
    pub method: &'a str,
    /// The path without its query.
    pub path: &'a str,
}

/// A payload cannot be opened. The reason is not revealed.
#[derive(Debug, PartialEq, Eq)]
pub struct SealInvalid;

/// The daily key pairs.
#[derive(Clone)]
pub struct SealKeys {
    root: RootKey,
    /// Key pairs by day. Deriving one costs about as much as opening a payload.
    cached: Arc<Mutex<BTreeMap<i64, KeyPair>>>,
}

impl SealKeys {
    /// The keys of an installation.
    pub fn new(root: RootKey) -> Self {
        Self { root, cached: Arc::default() }
    }

    /// Today's public key.
    pub fn current(&self, now: DateTime<Utc>) -> SealKey {
        let day = day_of(now);
        let (_, public) = self.pair(day);
        SealKey {
            kid: kid_of(day),
            public_key: BASE64_URL_SAFE_NO_PAD.encode(public.to_bytes()),
            now: now.timestamp_millis(),
        }
    }

    /// Decrypts a payload sealed to today's or yesterday's key. The caller must check the nonce.
    pub fn open(
        &self,
        target: Target<'_>,
        body: &SealedBody,
        now: DateTime<Utc>,
    ) -> Result<Vec<u8>, SealInvalid> {
        let age_ms = now.timestamp_millis().checked_sub(body.at).ok_or(SealInvalid)?;
        if age_ms.checked_abs().is_none_or(|age| age > WINDOW_MS) || !is_nonce(&body.nonce) {
            return Err(SealInvalid);
        }
        let today = day_of(now);
        let day = [today, today - 1].into_iter().find(|day| kid_of(*day) == body.kid);
        let (private, _) = self.pair(day.ok_or(SealInvalid)?);
        open_with(&private, target, body)
    }

    fn pair(&self, day: i64) -> KeyPair {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pair) = cached.get(&day) {
            return pair.clone();
        }
        let pair = DhP256HkdfSha256::derive_keypair(&self.root.derive(&format!("seal/{day}")));
        cached.insert(day, pair.clone());
        while cached.len() > CACHED_DAYS {
            cached.pop_first();
        }
        pair
    }
}

fn is_nonce(text: &str) -> bool {
    NONCE_LENGTHS.contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn day_of(now: DateTime<Utc>) -> i64 {
    now.timestamp().div_euclid(DAY_S)
}

fn kid_of(day: i64) -> String {
    format!("d{day}")
}

fn associated_data(target: Target<'_>, kid: &str, at: i64, nonce: &str) -> Vec<u8> {
    format!("{}\n{}\n{kid}\n{at}\n{nonce}", target.method, target.path).into_bytes()
}

/// Decrypts a payload with a given private key.
pub fn open_with(
    private: &PrivateKey,
    target: Target<'_>,
    body: &SealedBody,
) -> Result<Vec<u8>, SealInvalid> {
    let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).map_err(|_| SealInvalid);
    let encapped = EncappedKey::from_bytes(&decode(&body.enc)?).map_err(|_| SealInvalid)?;
    let data = associated_data(target, &body.kid, body.at, &body.nonce);
    hpke::single_shot_open::<AesGcm256, HkdfSha256, DhP256HkdfSha256>(
        &OpModeR::Base,
        private,
        &encapped,
        INFO,
        &decode(&body.ct)?,
        &data,
    )
    .map_err(|_| SealInvalid)
}

/// Seals a payload as clients do. For tests, benchmarks and tools.
pub fn seal_to(
    key: &SealKey,
    target: Target<'_>,
    nonce: &str,
    plaintext: &[u8],
) -> Result<SealedBody, SealInvalid> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(&key.public_key).map_err(|_| SealInvalid)?;
    let public = PublicKey::from_bytes(&bytes).map_err(|_| SealInvalid)?;
    let data = associated_data(target, &key.kid, key.now, nonce);
    let (encapped, ciphertext) = hpke::single_shot_seal::<AesGcm256, HkdfSha256, DhP256HkdfSha256>(
        &OpModeS::Base,
        &public,
        INFO,
        plaintext,
        &data,
    )
    .map_err(|_| SealInvalid)?;
    Ok(SealedBody {
        kid: key.kid.clone(),
        enc: BASE64_URL_SAFE_NO_PAD.encode(encapped.to_bytes()),
        ct: BASE64_URL_SAFE_NO_PAD.encode(ciphertext),
        at: key.now,
        nonce: nonce.to_owned(),
    })
}

/// Opens sealed requests: decrypts them, checks their time, and spends their nonce.
#[derive(Clone)]
pub struct SealGate {
    /// The daily keys.
    pub keys: SealKeys,
    /// The database with the used nonces.
    pub db: PgPool,
    /// The injected clock.
    pub clock: Clock,
}

impl SealGate {
    /// The gate of an installation.
    pub fn of(core: &Core) -> Self {
        Self { keys: core.seal.clone(), db: core.db.clone(), clock: core.clock.clone() }
    }

    async fn open(&self, target: Target<'_>, body: &SealedBody) -> Result<Vec<u8>, ApiError> {
        let now = self.clock.now();
        let invalid = || ApiError::new(codes::SEAL_INVALID);
        let plaintext = self.keys.open(target, body, now).map_err(|_| invalid())?;
        if self.spend_nonce(&body.nonce, now).await? { Ok(plaintext) } else { Err(invalid()) }
    }

    /// Marks a nonce as used; false if it was used before. The commit does not wait for the disk
    /// (`synchronous_commit` off): the request's own transaction commits later and flushes it too,
    /// and if nothing else was committed, a replay does no harm.
    async fn spend_nonce(&self, nonce: &str, now: DateTime<Utc>) -> Result<bool, sqlx::Error> {
        let used = sqlx::query!(
            "insert into platform_seal_nonces (nonce, at)
             select $1, $2 where set_config('synchronous_commit', 'off', true) = 'off'
             on conflict do nothing",
            nonce,
            now,
        )
        .execute(&self.db)
        .await?;
        Ok(used.rows_affected() == 1)
    }

    /// Deletes nonces older than ten times the window, in batches. Payloads that old are rejected
    /// by their time, even on nodes whose clocks differ.
    pub async fn purge(&self) -> Result<(), sqlx::Error> {
        let horizon = self.clock.now() - chrono::Duration::milliseconds(10 * WINDOW_MS);
        loop {
            let purged = sqlx::query!(
                "delete from platform_seal_nonces where nonce in (
                    select nonce from platform_seal_nonces where at < $1 limit 5000
                 )",
                horizon,
            )
            .execute(&self.db)
            .await?;
            if purged.rows_affected() == 0 {
                return Ok(());
            }
        }
    }
}

/// Registers the job that deletes old nonces every five minutes.
pub fn register_purge(registry: &mut Registry, gate: SealGate) {
    registry.handle("platform.seal.purge", Bounds::default(), move |_| {
        let gate = gate.clone();
        async move { Ok(gate.purge().await?) }
    });
    registry.schedule("platform.seal.purge", Duration::from_secs(300));
}

/// Extractor for a sealed body that is not decrypted yet. Opening it costs CPU time and spends its
/// nonce, so a login waits in the admission queue first.
pub struct Unopened {
    method: Method,
    path: String,
    body: SealedBody,
}

impl Unopened {
    /// Decrypts and parses the body. It can be opened only once.
    pub async fn open<T: DeserializeOwned>(self, gate: &SealGate) -> Result<T, ApiError> {
        let target = Target { method: self.method.as_str(), path: &self.path };
        let plaintext = gate.open(target, &self.body).await?;
        // The parser's message is dropped, because it may quote the decrypted body.
        serde_json::from_slice(&plaintext).map_err(|_| {
            malformed("The sealed body does not match the schema of this call".to_owned())
        })
    }
}

impl<S: Send + Sync> FromRequest<S> for Unopened {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if !is_sealed(request.headers()) {
            return Err(ApiError::new(codes::REQUEST_MEDIA_TYPE));
        }
        let method = request.method().clone();
        let path = request.extensions().get::<OriginalUri>().map_or_else(
            || request.uri().path().to_owned(),
            |OriginalUri(uri)| uri.path().to_owned(),
        );
        let bytes = axum::body::Bytes::from_request(request, state).await.map_err(|rejection| {
            let code = match rejection.status().as_u16() {
                413 => codes::REQUEST_TOO_LARGE,
                _ => codes::REQUEST_MALFORMED,
            };
            ApiError::new(code)
        })?;
        let body = serde_json::from_slice(&bytes)
            .map_err(|cause| ApiError::new(codes::SEAL_INVALID).caused_by(cause))?;
        Ok(Self { method, path, body })
    }
}

/// Extractor for a sealed JSON body, decrypted and parsed.
pub struct Sealed<T>(pub T);

impl<S, T> FromRequest<S> for Sealed<T>
where
    S: Send + Sync,
    Core: FromRef<S>,
    T: DeserializeOwned,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let unopened = Unopened::from_request(request, state).await?;
        unopened.open(&SealGate::of(&Core::from_ref(state))).await.map(Self)
    }
}

fn is_sealed(headers: &HeaderMap) -> bool {
    let given = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    given.and_then(|text| text.split(';').next()).map(str::trim) == Some(MEDIA_TYPE)
}

#[cfg(test)]
#[path = "seal_tests.rs"]
mod tests;
