//! Encrypts what a message says, so that reading the database tells no code and no number.

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit};
use uuid::Uuid;

use super::Letter;
use crate::platform::secret::{RootKey, random_bytes};

const NONCE_BYTES: usize = 12;

/// A stored message that does not open: a wrong key or a changed row.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a stored message cannot be opened with this installation's secret")]
pub(super) struct LetterUnreadable;

#[derive(Clone)]
pub(super) struct Vault {
    cipher: Aes256Gcm,
}

impl Vault {
    pub(super) fn new(root: &RootKey) -> Self {
        Self { cipher: Aes256Gcm::new(&root.derive("platform/outbox").into()) }
    }

    /// Encrypts a letter; it opens only in the row of this id.
    pub(super) fn lock(&self, id: Uuid, letter: &Letter) -> Result<Vec<u8>, LetterUnreadable> {
        let text = serde_json::to_vec(letter).map_err(|_| LetterUnreadable)?;
        let nonce: [u8; NONCE_BYTES] = random_bytes();
        let payload = Payload { msg: &text, aad: id.as_bytes() };
        let sealed = self.cipher.encrypt(&nonce.into(), payload).map_err(|_| LetterUnreadable)?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    pub(super) fn open(&self, id: Uuid, sealed: &[u8]) -> Result<Letter, LetterUnreadable> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or(LetterUnreadable)?;
        let payload = Payload { msg: sealed, aad: id.as_bytes() };
        let text = self.cipher.decrypt(&(*nonce).into(), payload).map_err(|_| LetterUnreadable)?;
        serde_json::from_slice(&text).map_err(|_| LetterUnreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::secret::Secret;

    #[test]
    fn a_letter_opens_in_its_own_row_and_with_its_own_key() {
        let vault = |letter: &str| Vault::new(&RootKey::new(&Secret::new(letter.repeat(32))));
        let letter = Letter { to: "+63".into(), subject: String::new(), text: "123456".into() };
        let id = Uuid::from_u128(1);
        let sealed = vault("a").lock(id, &letter).unwrap();
        assert_eq!(vault("a").open(id, &sealed), Ok(letter));
        assert_eq!(vault("a").open(Uuid::from_u128(2), &sealed), Err(LetterUnreadable));
        assert_eq!(vault("b").open(id, &sealed), Err(LetterUnreadable));
        assert_eq!(vault("a").open(id, &sealed[..5]), Err(LetterUnreadable));
        assert!(!sealed.windows(6).any(|part| part == b"123456"));
    }
}
