//! Cookies: reading them, and those that hold a secret of the browser.

use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use super::secret::random_bytes;

const SECRET_BYTES: usize = 32;

/// What a browser keeps for us and shows to no script.
pub type BrowserSecret = [u8; SECRET_BYTES];

/// A cookie that holds a random secret.
///
/// Browsers accept the prefix `__Host-` only with Secure, Path=/ and no Domain, so nobody else
/// can plant it; they keep Secure cookies of TLS and loopback pages only. Elsewhere the plain
/// name is used, and only there: a planted plain cookie must not stand in for the real one.
pub struct SecretCookie {
    /// The name without a prefix.
    pub name: &'static str,
    /// How long the browser keeps it.
    pub life_s: u32,
}

impl SecretCookie {
    fn full_name(&self, is_secure: bool) -> String {
        let prefix = if is_secure { "__Host-" } else { "" };
        format!("{prefix}{}", self.name)
    }

    /// The secret that a browser sent, on a page that it calls secure or not.
    pub fn find(&self, headers: &HeaderMap, is_secure: bool) -> Option<BrowserSecret> {
        find(headers, &self.full_name(is_secure)).and_then(decode)
    }

    /// A new secret, and the header that hands it to the browser.
    pub fn make(&self, is_secure: bool) -> (BrowserSecret, Option<HeaderValue>) {
        let secret: BrowserSecret = random_bytes();
        let header = self.header(&secret, "Strict", is_secure);
        (secret, header)
    }

    /// The header that makes the browser forget its secret.
    pub fn forget(&self, is_secure: bool) -> Option<HeaderValue> {
        Self { life_s: 0, ..*self }.write("", "Strict", is_secure)
    }

    /// The header that hands a secret to the browser which has to come along when another site
    /// sends the visitor to us; the cookies of [`SecretCookie::make`] stay away then.
    pub fn hand_across(&self, secret: &BrowserSecret, is_secure: bool) -> Option<HeaderValue> {
        self.header(secret, "Lax", is_secure)
    }

    fn header(&self, secret: &BrowserSecret, site: &str, is_secure: bool) -> Option<HeaderValue> {
        self.write(&BASE64_URL_SAFE_NO_PAD.encode(secret), site, is_secure)
    }

    fn write(&self, text: &str, site: &str, is_secure: bool) -> Option<HeaderValue> {
        let (name, life_s) = (self.full_name(is_secure), self.life_s);
        let secure = if is_secure { "; Secure" } else { "" };
        let cookie =
            format!("{name}={text}; Path=/; HttpOnly; SameSite={site}; Max-Age={life_s}{secure}");
        HeaderValue::from_str(&cookie).ok()
    }
}

fn decode(text: &str) -> Option<BrowserSecret> {
    // The decoder asks for whole groups of three bytes.
    let mut bytes = [0; SECRET_BYTES.next_multiple_of(3)];
    let length = BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
    bytes[..length].try_into().ok()
}

/// The first cookie of a name. HTTP/2 may hand cookies over in several headers.
pub fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|text| text.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(found, value)| (found == name).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_its_exact_length() {
        let text = |length: usize| BASE64_URL_SAFE_NO_PAD.encode(vec![5; length]);
        assert_eq!(decode(&text(SECRET_BYTES)), Some([5; SECRET_BYTES]));
        for wrong in [text(0), text(31), text(33), text(34), text(5_000), "*".repeat(43)] {
            assert_eq!(decode(&wrong), None, "{wrong}");
        }
    }

    #[test]
    fn finds_cookies_in_one_header_or_in_several() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, "a=1; lang=TY;;".parse().unwrap());
        headers.append(header::COOKIE, "b=2=3".parse().unwrap());
        let found = ["a", "lang", "b", "c", ""].map(|name| find(&headers, name));
        assert_eq!(found, [Some("1"), Some("TY"), Some("2=3"), None, None]);
    }
}
