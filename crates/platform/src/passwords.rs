//! Password hashing: argon2id with a pepper, on few threads and behind bounded queues.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::task::spawn_blocking;

use super::admission::{Admission, Limits, Permit};
use super::error::ApiError;

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// The longest that a request waits in a queue.
const MAX_WAIT: Duration = Duration::from_secs(5);
/// How many wait in a queue for each hashing thread: about what it can do within `MAX_WAIT`.
const WAITING_PER_THREAD: u32 = 100;
/// The estimated time of a hash until it has been measured. Each hash uses 19 MiB and one core.
const EXPECTED_HASH_TIME: Duration = Duration::from_millis(50);

/// A stored password hash.
#[derive(Clone)]
pub struct StoredHash {
    /// The PHC string.
    pub hash: String,
    /// False for imported hashes, which were made without our pepper.
    pub peppered: bool,
}

/// Statistics of the password queue.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// Requests that are hashing or waiting.
    pub queue: u32,
    /// The estimated wait of a new request.
    pub wait: Duration,
    /// The recent average time of a hash.
    pub each: Duration,
    /// The number of hashing threads.
    pub threads: u32,
    /// The longest allowed wait; a longer estimate is answered 503.
    pub max_wait: Duration,
}

/// Hashes and verifies passwords, with bounds on how many run and wait.
#[derive(Clone)]
pub struct Passwords {
    pepper: Arc<[u8; 32]>,
    hashes: Arc<Admission>,
    logins: Arc<Admission>,
    /// A dummy hash, verified when the member does not exist, so that the response time does not
    /// reveal which usernames exist.
    dummy: Arc<str>,
}

impl Passwords {
    /// Uses a pepper, which is derived from a key outside the database.
    pub fn new(pepper: [u8; 32]) -> Self {
        let dummy = hash(&pepper, "no member has this password").unwrap_or_default();
        let threads = max_parallel();
        let queue = |name, running| {
            let limits =
                Limits { running, waiting: threads * WAITING_PER_THREAD, max_wait: MAX_WAIT };
            Arc::new(Admission::new(name, limits, EXPECTED_HASH_TIME))
        };
        Self {
            pepper: Arc::new(pepper),
            hashes: queue("passwords", threads),
            // Twice the number of threads, as the other half waits for the database before or after
            // its hash.
            logins: queue("logins", threads * 2),
            dummy: dummy.into(),
        }
    }

    /// The current statistics of the queues.
    pub fn stats(&self) -> Stats {
        let (hashes, logins) = (self.hashes.load(), self.logins.load());
        Stats {
            queue: hashes.jobs.max(logins.jobs),
            wait: hashes.wait.max(logins.wait),
            each: hashes.each,
            threads: max_parallel(),
            max_wait: MAX_WAIT,
        }
    }

    /// Waits in the queue of logins. The whole login runs under the permit, not only the hash, so
    /// that a burst waits where it costs nothing.
    pub async fn admit_login(&self) -> Result<Permit, ApiError> {
        self.logins.admit().await
    }

    /// Runs a hash on a blocking thread. The thread holds the permit, so a caller that goes away
    /// does not let another hash run beside its own.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let permit = self.hashes.admit().await?;
        let hashing = spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        hashing.await.map_err(ApiError::internal)
    }

    /// Hashes a password, for storing.
    pub async fn hash(&self, password: String) -> Result<String, ApiError> {
        let pepper = Arc::clone(&self.pepper);
        self.run(move || hash(&pepper, &password)).await?.map_err(ApiError::internal)
    }

    /// Verifies a password against a peppered hash. Without a hash it takes the same time and is
    /// false.
    pub async fn fits(&self, password: String, hash: Option<String>) -> Result<bool, ApiError> {
        let stored = hash.map(|hash| StoredHash { hash, peppered: true });
        self.verify(password, stored).await
    }

    /// Verifies a password against a stored hash. Without a hash it takes the same time and is
    /// false.
    pub async fn verify(
        &self,
        password: String,
        stored: Option<StoredHash>,
    ) -> Result<bool, ApiError> {
        let known = stored.is_some();
        let dummy = || StoredHash { hash: self.dummy.to_string(), peppered: true };
        let fits = self.fits_any(password, vec![stored.unwrap_or_else(dummy)]).await?;
        Ok(known && fits)
    }

    /// Whether a password matches any of several hashes, verified one after the other in one job.
    pub async fn fits_any(
        &self,
        password: String,
        stored: Vec<StoredHash>,
    ) -> Result<bool, ApiError> {
        let pepper = Arc::clone(&self.pepper);
        let fits = move || stored.iter().any(|stored| verify(&pepper, &password, stored));
        self.run(fits).await
    }
}

/// The number of parallel hashes: half of the cores, so that the other half stays free for rounds.
fn max_parallel() -> u32 {
    let cores = available_parallelism().map_or(1, NonZero::get);
    u32::try_from(cores.div_ceil(2)).unwrap_or(u32::MAX)
}

fn hasher(pepper: &[u8; 32]) -> Result<Argon2<'_>, String> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|error| error.to_string())?;
    Argon2::new_with_secret(pepper, Algorithm::Argon2id, Version::V0x13, params)
        .map_err(|error| error.to_string())
}

fn hash(pepper: &[u8; 32], password: &str) -> Result<String, String> {
    let hashed = hasher(pepper)?.hash_password(trimmed(password));
    Ok(hashed.map_err(|error| error.to_string())?.to_string())
}

fn verify(pepper: &[u8; 32], password: &str, stored: &StoredHash) -> bool {
    let hasher = if stored.peppered { hasher(pepper) } else { Ok(Argon2::default()) };
    let Ok(hasher) = hasher else { return false };
    let Ok(parsed) = PasswordHash::new(&stored.hash) else { return false };
    hasher.verify_password(trimmed(password), &parsed).is_ok()
}

/// The password without surrounding whitespace, which comes from copy and paste. Trimmed when it is
/// set and when it is verified.
fn trimmed(password: &str) -> &[u8] {
    password.trim().as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(hash: String, peppered: bool) -> Option<StoredHash> {
        Some(StoredHash { hash, peppered })
    }

    #[tokio::test]
    async fn verifies_its_own_hashes_only_with_its_pepper() {
        let ours = Passwords::new([1; 32]);
        let hash = ours.hash("mango-riot-7".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        let verify = async |pool: &Passwords, text: &str, hash: Option<StoredHash>| {
            pool.verify(text.to_owned(), hash).await.unwrap()
        };
        assert!(verify(&ours, "mango-riot-7", stored(hash.clone(), true)).await);
        assert!(!verify(&ours, "mango-riot-8", stored(hash.clone(), true)).await);
        assert!(!verify(&ours, "mango-riot-7", stored(hash.clone(), false)).await);
        assert!(!verify(&ours, "mango-riot-7", None).await);
        assert!(!verify(&Passwords::new([2; 32]), "mango-riot-7", stored(hash, true)).await);
    }

    #[tokio::test]
    async fn verifies_hashes_of_others_without_a_pepper() {
        let theirs = Argon2::default().hash_password(b"123456").unwrap().to_string();
        let ours = Passwords::new([1; 32]);
        assert!(ours.verify("123456".to_owned(), stored(theirs.clone(), false)).await.unwrap());
        assert!(!ours.verify("123456".to_owned(), stored(theirs, true)).await.unwrap());
    }

    #[tokio::test]
    async fn spaces_around_a_password_count_for_nothing() {
        let ours = Passwords::new([1; 32]);
        let hash = ours.hash(" mango-riot-7 ".to_owned()).await.unwrap();
        for text in ["mango-riot-7", "\tmango-riot-7", " mango-riot-7 "] {
            let hash = stored(hash.clone(), true);
            assert!(ours.verify(text.to_owned(), hash).await.unwrap(), "{text:?}");
        }
    }
}
