//! The secrets of members' authenticator apps, and codes on paper.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use platform::error::ApiError;
use platform::secret::{RootKey, random_bytes};
use platform::totp::TotpSecret;
use platform::vault::Vault;

/// How many recovery codes a member gets.
const RECOVERY_CODES: usize = 10;
/// Without letters that look like digits: whoever types one means the digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Twenty-eight characters of 5 bits are 140 bits: too many to try, so a plain hash will do.
const RECOVERY_LENGTH: usize = 28;
/// What codes had that were given before these. They are good until they are used or replaced.
const SHORTEST: usize = 16;

/// Keeps the secrets that are shared with authenticator apps.
#[derive(Clone)]
pub struct FactorKeys {
    vault: Vault,
}

impl FactorKeys {
    /// The keys of an installation.
    pub fn new(root: &RootKey) -> Self {
        Self { vault: Vault::new(root, "sessions/factors") }
    }

    /// A new secret: as the app takes it, and as it is stored.
    pub(super) fn generate(&self, member_id: Uuid) -> Result<(TotpSecret, Vec<u8>), ApiError> {
        let secret = TotpSecret::generate();
        let stored = self.vault.lock(member_id.as_bytes(), secret.as_bytes());
        Ok((secret, stored.map_err(ApiError::internal)?))
    }

    /// The secret of a member's row.
    pub(super) fn open(&self, member_id: Uuid, stored: &[u8]) -> Result<TotpSecret, ApiError> {
        let secret = self.vault.open(member_id.as_bytes(), stored);
        secret.map(TotpSecret::from_bytes).map_err(ApiError::internal)
    }
}

/// Whether a text is as long as a recovery code, and so none of the app's.
pub(super) fn is_recovery_code(text: &str) -> bool {
    text.chars().filter(char::is_ascii_alphanumeric).count() >= SHORTEST
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

/// The hash that a recovery code is stored as, however it was typed.
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
        assert!(is_recovery_code("0123-4567-89ab-cdef"), "those of before had sixteen");
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
