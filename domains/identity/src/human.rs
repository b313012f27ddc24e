//! The human check: a proof of work (ALTCHA, version 2). It needs no third party and shows nothing
//! to click. It makes automated attempts expensive; it does not prove that a visitor is human.
//!
//! A challenge hides a number that the server chose, and the browser finds it by trying. The work
//! is therefore bounded, and verifying a solution costs the server two hashes. A challenge belongs
//! to a merchant, expires after minutes, and can be spent once on any node. Challenges get harder
//! for an address whose logins and codes fail, and for a username that is tried repeatedly, whether
//! it exists or not.

use std::collections::BTreeMap;
use std::time::Duration;

use altcha::{Challenge, CreateChallengeOptions, Payload, VerifySolutionOptions};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::gates_store;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::rate_limit::RateLimit;
use platform::secret::{RootKey, random_bytes};

const ALGORITHM: &str = "PBKDF2/SHA-256";
/// PBKDF2 iterations per try: about a millisecond on a phone.
const COST: u32 = 2_000;
/// Tries that the easiest challenge takes: at least this many, and less than twice as many.
const TRIES: u32 = 300;
/// The highest level. Each level doubles the tries.
const LEVEL_MAX: u32 = 4;
/// Failures of an address per level. An address may be shared by a whole network.
const FAILURES_PER_LEVEL: u32 = 5;

const LIFE: chrono::Duration = chrono::Duration::minutes(10);
/// The longest payload that is parsed. A real one has about 900 characters.
const PAYLOAD_MAX: usize = 4_096;

/// Counts the failures of an address; it refuses nothing.
const FAILURES: RateLimit = RateLimit {
    name: "sessions.human.failures",
    limit: u32::MAX,
    window: Duration::from_secs(30 * 60),
};

/// How many challenges an address may request. Making one costs the server one try.
const CHALLENGES: RateLimit =
    RateLimit { name: "sessions.human.challenges", limit: 120, window: Duration::from_secs(60) };

/// The HMAC keys for challenges and for the numbers that they hide.
pub(super) struct HumanKeys {
    challenge: String,
    solution: String,
}

impl HumanKeys {
    pub(super) fn new(root: &RootKey) -> Self {
        Self {
            challenge: hex::encode(root.derive("sessions/human/challenge")),
            solution: hex::encode(root.derive("sessions/human/solution")),
        }
    }
}

/// Data that is part of a challenge and covered by its signature.
struct Terms {
    id: Uuid,
    merchant_id: Uuid,
    level: u32,
}

impl Terms {
    fn to_data(&self) -> BTreeMap<String, Value> {
        BTreeMap::from([
            ("id".to_owned(), self.id.to_string().into()),
            ("merchant".to_owned(), self.merchant_id.to_string().into()),
            ("level".to_owned(), self.level.into()),
        ])
    }

    fn of(challenge: &Challenge) -> Option<Self> {
        let data = challenge.parameters.data.as_ref()?;
        let id = |name: &str| data.get(name)?.as_str()?.parse().ok();
        let level = data.get("level")?.as_u64()?.try_into().ok()?;
        Some(Self { id: id("id")?, merchant_id: id("merchant")?, level })
    }
}

/// A proof of work that was valid and is now spent.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    level: u32,
}

impl Done {
    /// Refuses work below `level`, which depends on the username that is tried. The refusal carries
    /// a harder challenge.
    pub(super) fn require(
        self,
        app: &Identity,
        visitor: &Visitor,
        level: u32,
    ) -> Result<(), ApiError> {
        let level = level.min(LEVEL_MAX);
        if self.level >= level {
            return Ok(());
        }
        let now = app.clock.now();
        let terms = Terms { id: new_id(now), merchant_id: visitor.merchant.id, level };
        let challenge = make(&app.gates.human, &terms, now).map_err(ApiError::internal)?;
        let challenge = serde_json::to_value(challenge).map_err(ApiError::internal)?;
        Err(ApiError::new(codes::HUMAN_CHECK).with_challenge(challenge))
    }
}

/// Issues a challenge for a visitor. Its level depends on the failures of the address.
pub(super) async fn issue(app: &Identity, visitor: &Visitor) -> Result<Challenge, ApiError> {
    let now = app.clock.now();
    let mut db = app.db.acquire().await?;
    app.rate_limits.take(&mut db, &CHALLENGES, &visitor.address_key(), now).await?;
    let level = level_of(app, &mut db, visitor, now).await?;
    let terms = Terms { id: new_id(now), merchant_id: visitor.merchant.id, level };
    make(&app.gates.human, &terms, now).map_err(ApiError::internal)
}

fn make(keys: &HumanKeys, terms: &Terms, now: DateTime<Utc>) -> altcha::Result<Challenge> {
    let tries = TRIES << terms.level.min(LEVEL_MAX);
    altcha::create_challenge(CreateChallengeOptions {
        algorithm: ALGORITHM.to_owned(),
        cost: COST,
        counter: Some(tries + u32::from_be_bytes(random_bytes()) % tries),
        data: Some(terms.to_data()),
        expires_at: Some((now + LIFE).timestamp()),
        hmac_signature_secret: Some(keys.challenge.clone()),
        hmac_key_signature_secret: Some(keys.solution.clone()),
        ..Default::default()
    })
}

async fn level_of(
    app: &Identity,
    db: &mut PgConnection,
    visitor: &Visitor,
    now: DateTime<Utc>,
) -> Result<u32, sqlx::Error> {
    let failures = app.rate_limits.used(db, &FAILURES, &visitor.address_key(), now).await?;
    Ok((failures / FAILURES_PER_LEVEL).min(LEVEL_MAX))
}

/// Counts a failed attempt (a password, a code) against the address, which makes its next
/// challenges harder.
pub async fn note_failure(app: &Identity, visitor: &Visitor) -> Result<(), ApiError> {
    let mut db = app.db.acquire().await?;
    let now = app.clock.now();
    app.rate_limits.count(&mut db, &FAILURES, &visitor.address_key(), now).await?;
    Ok(())
}

/// Checks a visitor's proof of work and spends it. All failures give the same error.
pub async fn check(
    app: &Identity,
    visitor: &Visitor,
    payload: Option<&str>,
) -> Result<Done, ApiError> {
    let refused = || ApiError::new(codes::HUMAN_CHECK);
    let now = app.clock.now();
    let terms = payload.and_then(|text| open(&app.gates.human, text, now)).ok_or_else(refused)?;
    // A challenge issued to an address without failures is too easy for one with many. One level of
    // difference is allowed, because a failure may happen between a challenge and its use.
    let mut db = app.db.acquire().await?;
    let required = level_of(app, &mut db, visitor, now).await?;
    if terms.merchant_id != visitor.merchant.id || terms.level + 1 < required {
        return Err(refused());
    }
    // Kept for longer than the challenge lives, in case the clocks of two nodes differ.
    let is_first = gates_store::insert_spent(db, terms.id, now + LIFE * 2).await?;
    if is_first { Ok(Done { level: terms.level }) } else { Err(refused()) }
}

/// Verifies a payload and returns its terms; none if it is invalid or expired.
fn open(keys: &HumanKeys, payload: &str, now: DateTime<Utc>) -> Option<Terms> {
    if payload.len() > PAYLOAD_MAX {
        return None;
    }
    let bytes = BASE64_STANDARD.decode(payload).ok()?;
    let Payload { challenge, solution } = serde_json::from_slice(&bytes).ok()?;
    // The library compares the expiry with the system clock, so compare it with the injected clock
    // here.
    challenge.parameters.expires_at.filter(|expires_at| now.timestamp() < *expires_at)?;
    let mut options = VerifySolutionOptions::new(&challenge, &solution, keys.challenge.clone());
    options.hmac_key_signature_secret = Some(keys.solution.clone());
    let result = altcha::verify_solution(options).ok()?;
    if result.verified { Terms::of(&challenge) } else { None }
}

#[cfg(test)]
mod tests {
    use altcha::{SolveChallengeOptions, solve_challenge};
    use serde_json::json;

    use super::*;
    use platform::secret::Secret;

    fn keys() -> HumanKeys {
        HumanKeys::new(&RootKey::new(&Secret::new("s".repeat(32))))
    }

    fn start() -> DateTime<Utc> {
        DateTime::from_timestamp(1_900_000_000, 0).unwrap()
    }

    fn challenge(level: u32) -> Challenge {
        let terms = Terms { id: Uuid::from_u128(1), merchant_id: Uuid::from_u128(2), level };
        make(&keys(), &terms, start()).unwrap()
    }

    fn payload(challenge: &Challenge) -> Value {
        let solution = solve_challenge(SolveChallengeOptions::new(challenge)).unwrap().unwrap();
        json!({ "challenge": challenge, "solution": solution })
    }

    fn opens(payload: &Value, now: DateTime<Utc>) -> bool {
        open(&keys(), &BASE64_STANDARD.encode(payload.to_string()), now).is_some()
    }

    #[test]
    fn work_that_was_done_in_time_opens() {
        let good = payload(&challenge(0));
        assert!(opens(&good, start()));
        assert!(opens(&good, start() + LIFE - chrono::Duration::seconds(1)));
        assert!(!opens(&good, start() + LIFE));
    }

    #[test]
    fn nothing_of_a_challenge_can_be_changed() {
        let good = payload(&challenge(0));
        let changes = [
            ("/challenge/parameters/expiresAt", json!(2_000_000_000)),
            ("/challenge/parameters/cost", json!(1)),
            ("/challenge/parameters/data/level", json!(4)),
            ("/challenge/parameters/data/merchant", json!(Uuid::nil())),
            ("/challenge/parameters/data/id", json!(Uuid::nil())),
            ("/challenge/parameters/keySignature", json!("")),
            ("/challenge/signature", json!("00")),
            ("/solution/derivedKey", json!("00")),
        ];
        for (place, value) in changes {
            let mut bad = good.clone();
            *bad.pointer_mut(place).unwrap() = value;
            assert!(!opens(&bad, start()), "{place}");
        }
        for text in ["", "e30=", "*", &"A".repeat(10_000)] {
            assert!(open(&keys(), text, start()).is_none(), "{text}");
        }
    }

    #[test]
    fn a_higher_level_takes_more_tries() {
        for (level, least) in [(0, TRIES), (2, TRIES * 4)] {
            let solution = payload(&challenge(level))["solution"]["counter"].as_u64().unwrap();
            assert!((u64::from(least)..2 * u64::from(least)).contains(&solution), "{solution}");
        }
    }
}
