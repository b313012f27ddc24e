//! TOTP secrets of authenticator apps, and recovery codes.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use platform::error::ApiError;
use platform::secret::{RootKey, random_bytes};
use platform::totp::TotpSecret;
use platform::vault::Vault;

/// How many recovery codes a member gets.
const RECOVERY_CODES: usize = 10;
/// Letters that look like digits are left out; a typed one is read as the digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Characters per recovery code: 28 characters of 5 bits are 140 bits, too many to guess, so a
/// plain hash suffices.
const RECOVERY_LENGTH: usize = 28;
/// The shortest recovery code: codes of an older format have 16 characters and stay valid until
/// they are used or replaced.
const RECOVERY_LENGTH_MIN: usize = 16;

/// Encrypts TOTP secrets for storage.
#[derive(Clone)]
pub struct FactorKeys {
    vault: Vault,
}

impl FactorKeys {
    /// Derives the key from the installation's root key.
    pub fn new(root: &RootKey) -> Self {
        Self { vault: Vault::new(root, "sessions/factors") }
    }

    /// A new secret: in clear for the app, and encrypted for the database.
    pub(super) fn generate(&self, member_id: Uuid) -> Result<(TotpSecret, Vec<u8>), ApiError> {
        let secret = TotpSecret::generate();
        let stored = self.vault.lock(member_id.as_bytes(), secret.as_bytes());
        Ok((secret, stored.map_err(ApiError::internal)?))
    }

    /// Decrypts the stored secret of a member.
    pub(super) fn open(&self, member_id: Uuid, stored: &[u8]) -> Result<TotpSecret, ApiError> {
        let secret = self.vault.open(member_id.as_bytes(), stored);
        secret.map(TotpSecret::from_bytes).map_err(ApiError::internal)
    }
}

/// Whether a text is as long as a recovery code; codes of the app are shorter.
pub(super) fn is_recovery_code(text: &str) -> bool {
    text.chars().filter(char::is_ascii_alphanumeric).count() >= RECOVERY_LENGTH_MIN
}

/// New recovery codes.
pub(super) fn recovery_codes() -> Vec<String> {
    (0..RECOVERY_CODES).map(|_| recovery_code()).collect()
}

fn recovery_code() -> String {
    let bytes: [u8; RECOVERY_LENGTH] = random_bytes();
    let letters: Vec<char> =
        bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join("-")
}

/// The hash under which a recovery code is stored. Case, separators and look-alike letters do not
/// matter.
pub(super) fn recovery_hash(member_id: Uuid, code: &str) -> [u8; 32] {
    let plain = code.chars().filter(char::is_ascii_alphanumeric);
    let plain: String = plain
        .map(|letter| match letter.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            other => other,
        })
        .collect();
    Sha256::new().chain_update(member_id).chain_update(plain).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recovery_code_has_more_bits_than_its_plain_hash_asks_for() {
        let letters = recovery_code().bytes().filter(|letter| ALPHABET.contains(letter)).count();
        assert!(letters * 5 >= 128, "{letters} letters of 5 bits");
        assert!(is_recovery_code("0123-4567-89ab-cdef"), "the older format has 16 characters");
        assert!(is_recovery_code(&recovery_code()) && !is_recovery_code("123456"));
    }

    #[test]
    fn a_recovery_code_may_be_typed_without_its_dashes() {
        let codes = recovery_codes();
        let member = Uuid::from_u128(4);
        assert_eq!(codes.len(), RECOVERY_CODES);
        for code in &codes {
            assert_eq!(code.len(), 34);
            let typed = code.replace('-', " ").to_uppercase();
            assert_eq!(recovery_hash(member, &typed), recovery_hash(member, code));
        }
        assert_ne!(recovery_hash(member, &codes[0]), recovery_hash(member, &codes[1]));
        assert_ne!(recovery_hash(member, &codes[0]), recovery_hash(Uuid::nil(), &codes[0]));
    }
}
