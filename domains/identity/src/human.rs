//! The human check: a proof of work (ALTCHA, version 2), which asks for no third party and
//! shows nothing to click. It is a cost, not a proof that somebody is human.
//!
//! A challenge hides a number of the server's choice; the browser finds it by trying. So the
//! time that it takes has a bound, and looking at the result costs the server two hashes. A
//! challenge belongs to a merchant, lives for minutes, and is spent by its first use on any
//! node. It gets harder for an address whose log-ins and codes fail, and for a name that is tried
//! again and again, whether the name exists or not.

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
use platform::budget::Budget;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::secret::{RootKey, random_bytes};

const ALGORITHM: &str = "PBKDF2/SHA-256";
/// Iterations of one try: about a millisecond on a phone.
const COST: u32 = 2_000;
/// Tries of the easiest challenge: from this many up to twice as many.
const TRIES: u32 = 300;
/// Each level doubles the tries.
const HARDEST: u32 = 4;
/// Failures that make it one level harder; whole networks may share an address.
const FAILURES_PER_LEVEL: u32 = 5;

const LIFE: chrono::Duration = chrono::Duration::minutes(10);
/// A payload has some 900 characters.
const LONGEST_PAYLOAD: usize = 4_096;

/// Failures of an address that are remembered.
const FAILURES: Budget = Budget {
    name: "sessions.human.failures",
    limit: u32::MAX,
    window: Duration::from_secs(30 * 60),
};

/// Challenges that an address may ask for; each costs the server one try.
const CHALLENGES: Budget =
    Budget { name: "sessions.human.challenges", limit: 120, window: Duration::from_secs(60) };

/// Signs challenges, and the numbers that they hide.
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

/// What is written into a challenge and signed with it.
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

/// Work that was done and is spent now.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    level: u32,
}

impl Done {
    /// Asks for more where the name that was tried needs it: a refusal with the harder challenge.
    pub(super) fn require(
        self,
        app: &Identity,
        visitor: &Visitor,
        level: u32,
    ) -> Result<(), ApiError> {
        let level = level.min(HARDEST);
        if self.level >= level {
            return Ok(());
        }
        let now = app.clock.now();
        let terms = Terms { id: new_id(now), merchant_id: visitor.merchant.id, level };
        let challenge = make(&app.gates.human, &terms, now).map_err(ApiError::internal)?;
        let challenge = serde_json::to_value(challenge).map_err(ApiError::internal)?;
        Err(ApiError::new(codes::HUMAN_CHECK).asking_work(challenge))
    }
}

/// A new challenge for a visitor, as hard as its address has deserved.
pub(super) async fn issue(app: &Identity, visitor: &Visitor) -> Result<Challenge, ApiError> {
    let now = app.clock.now();
    let mut db = app.db.acquire().await?;
    app.budgets.take(&mut db, &CHALLENGES, &visitor.address_key(), now).await?;
    let level = level_of(app, &mut db, visitor, now).await?;
    let terms = Terms { id: new_id(now), merchant_id: visitor.merchant.id, level };
    make(&app.gates.human, &terms, now).map_err(ApiError::internal)
}

fn make(keys: &HumanKeys, terms: &Terms, now: DateTime<Utc>) -> altcha::Result<Challenge> {
    let tries = TRIES << terms.level.min(HARDEST);
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
    let failures = app.budgets.used(db, &FAILURES, &visitor.address_key(), now).await?;
    Ok((failures / FAILURES_PER_LEVEL).min(HARDEST))
}

/// Notes that something failed which an attacker would try often: a password, a code.
pub async fn note_failure(app: &Identity, visitor: &Visitor) -> Result<(), ApiError> {
    let mut db = app.db.acquire().await?;
    let now = app.clock.now();
    app.budgets.count(&mut db, &FAILURES, &visitor.address_key(), now).await?;
    Ok(())
}

/// Checks a visitor's proof of work and spends it. Whatever is wrong, the answer is the same.
pub async fn check(
    app: &Identity,
    visitor: &Visitor,
    payload: Option<&str>,
) -> Result<Done, ApiError> {
    let refused = || ApiError::new(codes::HUMAN_CHECK);
    let now = app.clock.now();
    let terms = payload.and_then(|text| open(&app.gates.human, text, now)).ok_or_else(refused)?;
    // What was made for a quiet address is worth nothing to a loud one. One level of difference
    // is forgiven: a failure may come between the challenge and its use.
    let mut db = app.db.acquire().await?;
    let asked = level_of(app, &mut db, visitor, now).await?;
    if terms.merchant_id != visitor.merchant.id || terms.level + 1 < asked {
        return Err(refused());
    }
    // Remembered for longer than the challenge lives, for nodes whose clocks differ.
    let is_first = gates_store::insert_spent(db, terms.id, now + LIFE * 2).await?;
    if is_first { Ok(Done { level: terms.level }) } else { Err(refused()) }
}

/// The terms of a payload whose work was done in time.
fn open(keys: &HumanKeys, payload: &str, now: DateTime<Utc>) -> Option<Terms> {
    if payload.len() > LONGEST_PAYLOAD {
        return None;
    }
    let bytes = BASE64_STANDARD.decode(payload).ok()?;
    let Payload { challenge, solution } = serde_json::from_slice(&bytes).ok()?;
    // The library looks at the system's clock; ours is the one that counts.
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
