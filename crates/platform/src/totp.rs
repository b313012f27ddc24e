//! Codes that change with the time, shared with an authenticator app.

use totp_rs::{Builder, Secret, Totp, TotpError};

use super::error::ApiError;
use super::secret::random_bytes;

/// Twenty bytes, as RFC 4226 asks for.
const SECRET_BYTES: usize = 20;

/// A secret that is shared with an app.
pub struct TotpSecret(Vec<u8>);

impl TotpSecret {
    /// A new one.
    pub fn generate() -> Self {
        Self(random_bytes::<SECRET_BYTES>().to_vec())
    }

    /// One that was kept.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// To be kept where nobody reads it.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

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
    pub fn find_step(&self, code: &str, now_s: u64) -> Result<Option<i64>, ApiError> {
        let totp = self.totp("capiz", "account").map_err(ApiError::internal)?;
        let step = totp.check(code, now_s);
        step.map(i64::try_from).transpose().map_err(ApiError::internal)
    }

    /// The address that apps read from a picture. A colon would end the site's name in it.
    pub fn url(&self, site: &str, account: &str) -> Result<String, ApiError> {
        let plain = |text: &str| text.replace(':', " ");
        let totp = self.totp(&plain(site), &plain(account)).map_err(ApiError::internal)?;
        totp.to_url().map_err(ApiError::internal)
    }

    /// The secret for those who type it.
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
