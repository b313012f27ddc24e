//! Encrypts recipients and texts, so that the database reveals no codes and no phone numbers.

use uuid::Uuid;

use super::Letter;
use crate::secret::RootKey;
use crate::vault::{self, Unreadable};

#[derive(Clone)]
pub(super) struct Vault(vault::Vault);

impl Vault {
    pub(super) fn new(root: &RootKey) -> Self {
        Self(vault::Vault::new(root, "platform/outbox"))
    }

    /// Encrypts a letter. It can be decrypted only for the row with this id.
    pub(super) fn lock(&self, id: Uuid, letter: &Letter) -> Result<Vec<u8>, Unreadable> {
        let text = serde_json::to_vec(letter).map_err(|_| Unreadable)?;
        self.0.lock(id.as_bytes(), &text)
    }

    pub(super) fn open(&self, id: Uuid, sealed: &[u8]) -> Result<Letter, Unreadable> {
        let text = self.0.open(id.as_bytes(), sealed)?;
        serde_json::from_slice(&text).map_err(|_| Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;

    #[test]
    fn a_letter_opens_in_its_own_row_and_with_its_own_key() {
        let vault = |letter: &str| Vault::new(&RootKey::new(&Secret::new(letter.repeat(32))));
        let letter = Letter { to: "+63".into(), subject: String::new(), text: "123456".into() };
        let id = Uuid::from_u128(1);
        let sealed = vault("a").lock(id, &letter).unwrap();
        assert_eq!(vault("a").open(id, &sealed), Ok(letter));
        assert_eq!(vault("a").open(Uuid::from_u128(2), &sealed), Err(Unreadable));
        assert_eq!(vault("b").open(id, &sealed), Err(Unreadable));
        assert_eq!(vault("a").open(id, &sealed[..5]), Err(Unreadable));
        assert!(!sealed.windows(6).any(|part| part == b"123456"));
    }
}
