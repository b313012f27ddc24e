//! Password hashing: argon2id with a pepper, on few threads that give way to everything else.

use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

use super::error::ApiError;
use super::line::{Line, Turn};
use super::workers::{self, Workers};

const MEMORY_KIB: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// How long somebody may have to wait before the hash begins.
const PATIENCE: Duration = Duration::from_secs(5);
/// A hash takes 19 MiB, and a core for so long.
const USUAL: Duration = Duration::from_millis(50);

/// A hash as it is stored.
#[derive(Clone)]
pub struct StoredHash {
    /// In PHC form.
    pub hash: String,
    /// Hashes that came from elsewhere were made without our pepper.
    pub peppered: bool,
}

/// How those who wait for a password to be compared or hashed do.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// How many stand in line, or wait behind it.
    pub queue: u32,
    /// How long somebody waits who comes now, about.
    pub wait: Duration,
    /// How long a hash takes, of late.
    pub each: Duration,
    /// The threads that hash.
    pub threads: u32,
    /// How long somebody may have to wait.
    pub patience: Duration,
}

/// Hashes and checks passwords without letting them take the machine.
#[derive(Clone)]
pub struct Passwords {
    pepper: Arc<[u8; 32]>,
    workers: Arc<Workers>,
    line: Arc<Line>,
    /// Checked when no such member exists, so that both answers take equally long.
    decoy: Arc<str>,
}

impl Passwords {
    /// A pool that peppers with a key kept outside the database.
    pub fn new(pepper: [u8; 32]) -> Self {
        let decoy = hash(&pepper, "no member has this password").unwrap_or_default();
        Self {
            pepper: Arc::new(pepper),
            workers: Arc::new(Workers::new("passwords", at_once(), PATIENCE, USUAL)),
            // As many again as are hashed: they ask the database, before or after.
            line: Arc::new(Line::new(at_once() * 2, USUAL)),
            decoy: decoy.into(),
        }
    }

    /// How those who wait do.
    pub fn pulse(&self) -> Pulse {
        let workers::Pulse { jobs, each, threads, wait, patience } = self.workers.pulse();
        let (queue, wait) = (jobs.max(self.line.standing()), wait.max(self.line.wait()));
        Pulse { queue, wait, each, threads, patience }
    }

    /// Waits for one's turn to have a password compared, with all that belongs to it.
    pub async fn turn(&self) -> Result<Turn, ApiError> {
        self.line.turn(PATIENCE).await
    }

    /// The hash to be stored.
    pub async fn hash(&self, password: String) -> Result<String, ApiError> {
        let pepper = Arc::clone(&self.pepper);
        self.workers.run(move || hash(&pepper, &password)).await?.map_err(ApiError::internal)
    }

    /// Whether a password fits a hash that was made here; without one it takes as long and is
    /// false.
    pub async fn fits(&self, password: String, hash: Option<String>) -> Result<bool, ApiError> {
        let stored = hash.map(|hash| StoredHash { hash, peppered: true });
        self.verify(password, stored).await
    }

    /// Whether a password fits a stored hash; without one it takes as long and is false.
    pub async fn verify(
        &self,
        password: String,
        stored: Option<StoredHash>,
    ) -> Result<bool, ApiError> {
        let known = stored.is_some();
        let decoy = || StoredHash { hash: self.decoy.to_string(), peppered: true };
        let fits = self.fits_any(password, vec![stored.unwrap_or_else(decoy)]).await?;
        Ok(known && fits)
    }

    /// Whether a password fits any of some hashes, one after the other in one place of the pool.
    pub async fn fits_any(
        &self,
        password: String,
        stored: Vec<StoredHash>,
    ) -> Result<bool, ApiError> {
        let pepper = Arc::clone(&self.pepper);
        let fits = move || stored.iter().any(|stored| verify(&pepper, &password, stored));
        self.workers.run(fits).await
    }
}

/// How many hashes run at once: on half of the cores, so that the other half plays on.
fn at_once() -> u32 {
    let cores = available_parallelism().map_or(1, NonZero::get);
    u32::try_from(cores.div_ceil(2)).unwrap_or(u32::MAX)
}

fn hasher(pepper: &[u8; 32]) -> Result<Argon2<'_>, String> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|error| error.to_string())?;
    Argon2::new_with_secret(pepper, Algorithm::Argon2id, Version::V0x13, params)
        .map_err(|error| error.to_string())
}

fn hash(pepper: &[u8; 32], password: &str) -> Result<String, String> {
    let hashed = hasher(pepper)?.hash_password(what_counts(password));
    Ok(hashed.map_err(|error| error.to_string())?.to_string())
}

fn verify(pepper: &[u8; 32], password: &str, stored: &StoredHash) -> bool {
    let hasher = if stored.peppered { hasher(pepper) } else { Ok(Argon2::default()) };
    let Ok(hasher) = hasher else { return false };
    let Ok(parsed) = PasswordHash::new(&stored.hash) else { return false };
    hasher.verify_password(what_counts(password), &parsed).is_ok()
}

/// What of a password counts. Spaces around it come from copying; they count neither where it is
/// chosen nor where it is asked for.
fn what_counts(password: &str) -> &[u8] {
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
