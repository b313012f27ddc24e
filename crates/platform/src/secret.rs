//! Secrets: values that never appear in logs, and keys derived from the installation's root secret.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// A secret string. Its `Debug` output hides the value.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: String) -> Self {
        Self(text)
    }

    /// The secret in clear text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(hidden)")
    }
}

/// The root key, from which all keys of the installation are derived (HKDF-SHA256). All nodes must
/// use the same one.
#[derive(Clone)]
pub struct RootKey(Hkdf<Sha256>);

impl RootKey {
    /// Derives the root key from the installation's secret.
    pub fn new(secret: &Secret) -> Self {
        Self(Hkdf::new(Some(b"capiz/root/1"), secret.reveal().as_bytes()))
    }

    /// Derives an independent 32-byte key for a purpose.
    pub fn derive(&self, purpose: &str) -> [u8; 32] {
        let mut key = [0; 32];
        self.0.expand(purpose.as_bytes(), &mut key).expect("32 bytes are within HKDF's bound");
        key
    }
}

/// HMAC-SHA256 for low-entropy values (codes, phone numbers, addresses), whose plain hashes could
/// be found by brute force.
#[derive(Clone)]
pub struct KeyedHash(Hmac<Sha256>);

impl KeyedHash {
    /// A keyed hash with a key for one purpose.
    pub fn new(root: &RootKey, purpose: &str) -> Self {
        let key = root.derive(purpose);
        Self(Hmac::new_from_slice(&key).expect("HMAC takes keys of any length"))
    }

    /// Hashes parts in order. Each is prefixed with its length, so that different lists of parts
    /// never have the same input.
    pub fn of(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.0.clone();
        for part in parts {
            mac.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

/// Random bytes from the operating system.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

/// The minimum length of a root secret.
pub const SECRET_MIN_LENGTH: usize = 32;

/// Reads the installation's secret from its file, or creates it at the first start.
pub fn load_or_create(path: &Path) -> io::Result<Secret> {
    match fs::read_to_string(path) {
        Ok(text) if text.trim().len() >= SECRET_MIN_LENGTH => {
            Ok(Secret::new(text.trim().to_owned()))
        }
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{} holds no secret; restore it from a backup", path.display()),
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => create(path),
        Err(error) => Err(error),
    }
}

/// Writes a temporary file and renames it, so that a crash leaves no partial secret.
fn create(path: &Path) -> io::Result<Secret> {
    let text = hex::encode(random_bytes::<32>());
    let temporary = path.with_extension("new");
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&temporary)?;
    writeln!(file, "{text}")?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    Ok(Secret::new(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyed_hash_tells_purposes_and_parts_apart() {
        let root = RootKey::new(&Secret::new("a".repeat(SECRET_MIN_LENGTH)));
        let hash = KeyedHash::new(&root, "one");
        assert_eq!(hash.of(&[b"ab", b"c"]), hash.of(&[b"ab", b"c"]));
        assert_ne!(hash.of(&[b"ab", b"c"]), hash.of(&[b"a", b"bc"]));
        assert_ne!(hash.of(&[b"ab"]), KeyedHash::new(&root, "two").of(&[b"ab"]));
    }

    #[test]
    fn a_secret_is_made_once_and_a_broken_one_is_refused() {
        let folder = std::env::temp_dir().join(format!("capiz-secret-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("secret");
        let first = load_or_create(&path).unwrap();
        assert_eq!(load_or_create(&path).unwrap().reveal(), first.reveal());
        fs::write(&path, "").unwrap();
        assert!(load_or_create(&path).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
