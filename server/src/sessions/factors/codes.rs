//! Codes that change with the time, and codes on paper.

use sha2::{Digest, Sha256};
use totp_rs::{Builder, Secret, Totp, TotpError};
use uuid::Uuid;

use crate::platform::error::ApiError;
use crate::platform::secret::{RootKey, random_bytes};
use crate::platform::vault::Vault;

/// Twenty bytes, as RFC 4226 asks for.
const SECRET_BYTES: usize = 20;
/// How many recovery codes a member gets.
const RECOVERY_CODES: usize = 10;
/// Without letters that look like digits: whoever types one means the digit.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Sixteen characters of 5 bits are 80 bits: too many to try, so a plain hash will do.
const RECOVERY_LENGTH: usize = 16;

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
    pub(super) fn generate(&self, member_id: Uuid) -> Result<(Shared, Vec<u8>), ApiError> {
        let secret: [u8; SECRET_BYTES] = random_bytes();
        let stored = self.vault.lock(member_id.as_bytes(), &secret);
        Ok((Shared(secret.to_vec()), stored.map_err(ApiError::internal)?))
    }

    /// The secret of a member's row.
    pub(super) fn open(&self, member_id: Uuid, stored: &[u8]) -> Result<Shared, ApiError> {
        let secret = self.vault.open(member_id.as_bytes(), stored);
        secret.map(Shared).map_err(ApiError::internal)
    }
}

/// A secret that is shared with an app.
pub(super) struct Shared(Vec<u8>);

impl Shared {
    fn totp(&self, site: &str, account: &str) -> Result<Totp, TotpError> {
        // Six digits, thirty seconds, one step of grace to either side, SHA-1: what every
        // app understands.
        Builder::new()
            .with_secret(Secret::from(self.0.as_slice()))
            .with_issuer(Some(site.to_owned()))
            .with_account_name(account.to_owned())
            .build()
    }

    /// The time step of a code that is right now.
    pub(super) fn find_step(&self, code: &str, now_s: u64) -> Result<Option<i64>, ApiError> {
        let totp = self.totp("capiz", "member").map_err(ApiError::internal)?;
        let step = totp.check(code, now_s);
        step.map(i64::try_from).transpose().map_err(ApiError::internal)
    }

    /// The address that apps read from a picture. A colon would end the site's name in it.
    pub(super) fn url(&self, site: &str, account: &str) -> Result<String, ApiError> {
        let plain = |text: &str| text.replace(':', " ");
        let totp = self.totp(&plain(site), &plain(account)).map_err(ApiError::internal)?;
        totp.to_url().map_err(ApiError::internal)
    }

    /// The secret for those who type it.
    pub(super) fn text(&self) -> String {
        Secret::from(self.0.as_slice()).to_base32()
    }
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

    /// RFC 6238, appendix B, cut to six digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let shared = Shared(b"12345678901234567890".to_vec());
        for (time, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")]
        {
            let step = i64::try_from(time / 30).unwrap();
            assert_eq!(shared.find_step(code, time).unwrap(), Some(step));
            assert_eq!(shared.find_step(code, time + 30).unwrap(), Some(step));
            assert_eq!(shared.find_step(code, time + 90).unwrap(), None);
        }
        for wrong in ["", "287083", "28708", "2870820", "٢٨٧٠٨٢", "      "] {
            assert_eq!(shared.find_step(wrong, 59).unwrap(), None, "{wrong}");
        }
    }

    #[test]
    fn the_address_names_site_and_account() {
        let shared = Shared(b"12345678901234567890".to_vec());
        let url = shared.url("Capiz: Demo", "juan").unwrap();
        assert!(url.starts_with("otpauth://totp/Capiz%20%20Demo:juan?"), "{url}");
        assert!(url.contains(&format!("secret={}", shared.text())), "{url}");
    }

    #[test]
    fn a_recovery_code_may_be_typed_without_its_dashes() {
        let codes = recovery_codes();
        let member = Uuid::from_u128(4);
        assert_eq!(codes.len(), RECOVERY_CODES);
        for code in &codes {
            assert_eq!(code.len(), 19);
            let typed = code.replace('-', " ").to_uppercase();
            assert_eq!(recovery_hash(member, &typed), recovery_hash(member, code));
        }
        assert_ne!(recovery_hash(member, &codes[0]), recovery_hash(member, &codes[1]));
        assert_ne!(recovery_hash(member, &codes[0]), recovery_hash(Uuid::nil(), &codes[0]));
    }
}
