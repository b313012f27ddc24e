//! TOTP (RFC 6238): time-based codes from an authenticator app, for two-factor login.

use totp_rs::{Builder, Secret, Totp, TotpError};

use super::error::ApiError;
use super::secret::random_bytes;

/// 20 bytes, as RFC 4226 recommends.
const SECRET_BYTES: usize = 20;

/// A TOTP secret, shared with the authenticator app.
pub struct TotpSecret(Vec<u8>);

impl TotpSecret {
    /// Generates a random secret.
    pub fn generate() -> Self {
        Self(random_bytes::<SECRET_BYTES>().to_vec())
    }

    /// Restores a stored secret.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The secret as bytes. Must be stored encrypted.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn totp(&self, site: &str, account: &str) -> Result<Totp, TotpError> {
        // The defaults that every app supports: 6 digits, 30 seconds, SHA-1, and one step of clock
        // skew either way.
        Builder::new()
            .with_secret(Secret::from(self.0.as_slice()))
            .with_issuer(Some(site.to_owned()))
            .with_account_name(account.to_owned())
            .build()
    }

    /// The time step for which a code is valid now; None if the code is wrong.
    pub fn find_step(&self, code: &str, now_s: u64) -> Result<Option<i64>, ApiError> {
        let totp = self.totp("capiz", "account").map_err(ApiError::internal)?;
        let step = totp.check(code, now_s);
        step.map(i64::try_from).transpose().map_err(ApiError::internal)
    }

    /// The `otpauth://` URL for the QR code. Colons are replaced, because a colon ends the issuer
    /// in it.
    pub fn url(&self, site: &str, account: &str) -> Result<String, ApiError> {
        let plain = |text: &str| text.replace(':', " ");
        let totp = self.totp(&plain(site), &plain(account)).map_err(ApiError::internal)?;
        totp.to_url().map_err(ApiError::internal)
    }

    /// The secret in base32, for manual entry.
    pub fn text(&self) -> String {
        Secret::from(self.0.as_slice()).to_base32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6238, appendix B, cut to six digits.
    #[test]
    fn codes_are_those_of_the_standard() {
        let secret = TotpSecret::from_bytes(b"12345678901234567890".to_vec());
        for (time, code) in [(59, "287082"), (1_111_111_109, "081804"), (20_000_000_000, "353130")]
        {
            let step = i64::try_from(time / 30).unwrap();
            assert_eq!(secret.find_step(code, time).unwrap(), Some(step));
            assert_eq!(secret.find_step(code, time + 30).unwrap(), Some(step));
            assert_eq!(secret.find_step(code, time + 90).unwrap(), None);
        }
        for wrong in ["", "287083", "28708", "2870820", "٢٨٧٠٨٢", "      "] {
            assert_eq!(secret.find_step(wrong, 59).unwrap(), None, "{wrong}");
        }
    }

    #[test]
    fn the_address_names_site_and_account() {
        let secret = TotpSecret::from_bytes(b"12345678901234567890".to_vec());
        let url = secret.url("Capiz: Demo", "juan").unwrap();
        assert!(url.starts_with("otpauth://totp/Capiz%20%20Demo:juan?"), "{url}");
        assert!(url.contains(&format!("secret={}", secret.text())), "{url}");
    }
}
