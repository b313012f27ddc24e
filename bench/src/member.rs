//! Demo players: a sealed login for each, and rounds of dice with a new idempotency key each.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hpke::aead::AesGcm256;
use hpke::kdf::HkdfSha256;
use hpke::kem::DhP256HkdfSha256;
use hpke::{Deserializable, Kem, OpModeS, Serializable, single_shot_seal};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::Failure;
use crate::client::{Answer, Connection, Request};

const LOGIN_PATH: &str = "/wps/session/login/freeplay";
/// How often a rate-limited login is tried again.
const LOGIN_TRIES: usize = 5;

/// A logged-in demo player.
pub struct Member {
    token: String,
    cookies: String,
}

impl Member {
    /// Logs in this many players, one after the other.
    pub async fn log_in_many(address: SocketAddr, count: usize) -> Result<Vec<Self>, Failure> {
        let mut connection = Connection::open(address).await?;
        let host = address.to_string();
        let mut members = Vec::with_capacity(count);
        for _ in 0..count {
            members.push(Self::log_in(&mut connection, &host).await?);
        }
        Ok(members)
    }

    async fn log_in(connection: &mut Connection, host: &str) -> Result<Self, Failure> {
        let key = connection.exchange(&Request::get("/wps/system/key", host)).await?;
        let key = value_of("/wps/system/key", &key)?;
        for _ in 0..LOGIN_TRIES {
            let body = sealed_login(&key)?;
            let headers = [("Content-Type", "application/sealed+json")];
            let request = Request::new("POST", LOGIN_PATH, host, &headers, &body);
            let answer = connection.exchange(&request).await?;
            if answer.status == 429 {
                let wait = answer.headers("retry-after").next().and_then(|text| text.parse().ok());
                sleep(Duration::from_secs(wait.unwrap_or(1).min(60))).await;
                continue;
            }
            let value = value_of(LOGIN_PATH, &answer)?;
            let token = text(&value, "token")?.to_owned();
            let cookies: Vec<&str> =
                answer.headers("set-cookie").filter_map(|line| line.split(';').next()).collect();
            return Ok(Self { token, cookies: cookies.join("; ") });
        }
        Err("the rate limit for demo logins is reached (429)".into())
    }

    /// The cookies that the player's browser sends.
    pub fn cookies(&self) -> &str {
        &self.cookies
    }

    /// A new round with the smallest stake and the best chance, so that no player runs out of
    /// money.
    pub fn play(&self, path: &str, host: &str) -> Request {
        let authorization = format!("Bearer {}", self.token);
        let key = new_key();
        let headers = [
            ("Authorization", authorization.as_str()),
            ("Cookie", self.cookies.as_str()),
            ("Idempotency-Key", key.as_str()),
            ("Content-Type", "application/json"),
        ];
        let body = r#"{"stake":"1","choice":{"target":9800,"direction":"under"}}"#;
        Request::new("POST", path, host, &headers, body)
    }
}

/// A key, in the form of a UUID, that no other round of this run has; the database is new.
fn new_key() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{:08x}-0000-4000-8000-{:012x}", number >> 48, number & 0xffff_ffff_ffff)
}

/// The body of a login, encrypted to the server's public key.
fn sealed_login(key: &Value) -> Result<String, Failure> {
    let (kid, public_key) = (text(key, "kid")?, text(key, "publicKey")?);
    let at = key["now"].as_u64().ok_or("the server's key has no time")?;
    let mut random = [0; 32];
    getrandom::fill(&mut random)?;
    let nonce = URL_SAFE_NO_PAD.encode(&random[..16]);
    let login = json!({
        "os": "bench",
        "platform": "W",
        "random": URL_SAFE_NO_PAD.encode(&random[16..]),
        "gatewayVersion": 3,
    });
    let public_key = URL_SAFE_NO_PAD.decode(public_key)?;
    let public_key = <DhP256HkdfSha256 as Kem>::PublicKey::from_bytes(&public_key)
        .map_err(|error| format!("the server's key is unusable: {error}"))?;
    let (enc, ct) = single_shot_seal::<AesGcm256, HkdfSha256, DhP256HkdfSha256>(
        &OpModeS::Base,
        &public_key,
        b"capiz/1",
        login.to_string().as_bytes(),
        format!("POST\n{LOGIN_PATH}\n{kid}\n{at}\n{nonce}").as_bytes(),
    )
    .map_err(|error| format!("sealing failed: {error}"))?;
    let sealed = json!({
        "kid": kid,
        "enc": URL_SAFE_NO_PAD.encode(enc.to_bytes()),
        "ct": URL_SAFE_NO_PAD.encode(ct),
        "at": at,
        "nonce": nonce,
    });
    Ok(sealed.to_string())
}

/// The value in a successful envelope.
pub fn value_of(path: &str, answer: &Answer) -> Result<Value, Failure> {
    let wrong = || {
        let body = String::from_utf8_lossy(&answer.body);
        format!("{path} answered {}: {body}", answer.status)
    };
    let mut envelope: Value = serde_json::from_slice(&answer.body).map_err(|_| wrong())?;
    if answer.status == 200 && envelope["success"] == json!(true) {
        Ok(envelope["value"].take())
    } else {
        Err(wrong().into())
    }
}

/// A string field of a response.
pub fn text<'a>(value: &'a Value, name: &str) -> Result<&'a str, Failure> {
    value[name].as_str().ok_or_else(|| format!("the answer has no {name}").into())
}
