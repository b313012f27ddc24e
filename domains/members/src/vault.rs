//! Identity numbers at rest: encrypted, with a fingerprint that compares them without decryption.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

use platform::secret::RootKey;
use platform::vault::{self, Unreadable};

/// Encrypts identity numbers with keys that are not in the database.
#[derive(Clone)]
pub struct Vault {
    vault: vault::Vault,
    mac_key: [u8; 32],
}

impl Vault {
    /// Derives the keys from the installation's root key.
    pub fn new(root: &RootKey) -> Self {
        Self {
            vault: vault::Vault::new(root, "members/identity"),
            mac_key: root.derive("members/identity/mac"),
        }
    }

    /// Encrypts a text for a member's row; it cannot be decrypted in another row.
    pub(super) fn lock(&self, member_id: Uuid, text: &str) -> Result<Vec<u8>, Unreadable> {
        self.vault.lock(member_id.as_bytes(), text.as_bytes())
    }

    /// Decrypts the text of a member's row.
    pub fn open(&self, member_id: Uuid, stored: &[u8]) -> Result<String, Unreadable> {
        let bytes = self.vault.open(member_id.as_bytes(), stored)?;
        String::from_utf8(bytes).map_err(|_| Unreadable)
    }

    /// Keyed fingerprint (HMAC) of an identity number. It is equal for the same number of the same
    /// merchant, whatever its spacing and case, and reveals nothing without the key.
    pub(super) fn fingerprint(&self, merchant_id: Uuid, number: &str) -> Vec<u8> {
        let normalized =
            number.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_uppercase);
        let normalized: String = normalized.collect();
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.mac_key).expect("HMAC takes keys of any length");
        mac.update(merchant_id.as_bytes());
        mac.update(normalized.as_bytes());
        mac.finalize().into_bytes().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::secret::Secret;

    #[test]
    fn a_number_opens_in_its_own_row_with_its_own_key() {
        let vault = |secret: &str| Vault::new(&RootKey::new(&Secret::new(secret.repeat(32))));
        let (ours, member) = (vault("a"), Uuid::from_u128(1));
        let stored = ours.lock(member, "A-123 456").unwrap();
        assert!(!stored.windows(5).any(|part| part == b"A-123"));
        assert_eq!(ours.open(member, &stored).as_deref(), Ok("A-123 456"));
        assert_eq!(ours.open(Uuid::from_u128(2), &stored), Err(Unreadable));
        assert_eq!(vault("b").open(member, &stored), Err(Unreadable));
        assert_eq!(ours.open(member, &stored[..5]), Err(Unreadable));
        let merchant = Uuid::from_u128(9);
        assert_eq!(ours.fingerprint(merchant, "a123456"), ours.fingerprint(merchant, "A-123 456"));
        assert_ne!(ours.fingerprint(merchant, "a123456"), ours.fingerprint(member, "a123456"));
        assert_ne!(ours.fingerprint(merchant, "1"), vault("b").fingerprint(merchant, "1"));
    }
}
