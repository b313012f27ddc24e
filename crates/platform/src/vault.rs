//! Encryption at rest: AES-256-GCM for values whose plain text must not be in the database.

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit};

use super::secret::{RootKey, random_bytes};

const NONCE_BYTES: usize = 12;

/// Encrypts values for one purpose, with a key that is not in the database.
#[derive(Clone)]
pub struct Vault {
    cipher: Aes256Gcm,
}

/// A stored value cannot be decrypted: a wrong key, or a changed row.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a stored value cannot be opened with this installation's secret")]
pub struct Unreadable;

impl Vault {
    /// A vault with a key for one purpose.
    pub fn new(root: &RootKey, purpose: &str) -> Self {
        Self { cipher: Aes256Gcm::new(&root.derive(purpose).into()) }
    }

    /// Encrypts bytes. `bound` identifies the row (associated data), so the value cannot be
    /// decrypted in another row.
    pub fn lock(&self, bound: &[u8], plain: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let nonce: [u8; NONCE_BYTES] = random_bytes();
        let payload = Payload { msg: plain, aad: bound };
        let sealed = self.cipher.encrypt(&nonce.into(), payload).map_err(|_| Unreadable)?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Decrypts a value of the row that `bound` identifies.
    pub fn open(&self, bound: &[u8], stored: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let (nonce, sealed) = stored.split_first_chunk::<NONCE_BYTES>().ok_or(Unreadable)?;
        let payload = Payload { msg: sealed, aad: bound };
        self.cipher.decrypt(&(*nonce).into(), payload).map_err(|_| Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    #[test]
    fn a_value_opens_in_its_own_row_with_its_own_key() {
        let root = |text: &str| RootKey::new(&Secret::new(text.repeat(32)));
        let vault = Vault::new(&root("a"), "one");
        let stored = vault.lock(b"row", b"a word in clear").unwrap();
        assert!(!stored.windows(4).any(|part| part == b"word"));
        assert_eq!(vault.open(b"row", &stored).as_deref(), Ok(b"a word in clear".as_slice()));
        assert_eq!(vault.open(b"other", &stored), Err(Unreadable));
        assert_eq!(Vault::new(&root("a"), "two").open(b"row", &stored), Err(Unreadable));
        assert_eq!(Vault::new(&root("b"), "one").open(b"row", &stored), Err(Unreadable));
        for length in [0, 5, 12, stored.len() - 1] {
            assert_eq!(vault.open(b"row", &stored[..length]), Err(Unreadable));
        }
    }
}
