//! Cookies: reading them, and HttpOnly cookies that hold a random secret (device cookie, login
//! flows).

use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use super::secret::random_bytes;

const SECRET_BYTES: usize = 32;

/// The random secret in a [`SecretCookie`]. It is HttpOnly, so scripts cannot read it.
pub type BrowserSecret = [u8; SECRET_BYTES];

/// A cookie that holds a random secret.
///
/// On secure pages (TLS or loopback) its name has the prefix `__Host-`, which browsers accept only
/// with Secure, Path=/ and no Domain, so another host cannot set it. On other pages browsers drop
/// Secure cookies, so the plain name is used. The plain name is never read on secure pages: an
/// attacker could have set it.
pub struct SecretCookie {
    /// The name without the prefix `__Host-`.
    pub name: &'static str,
    /// `Max-Age` in seconds.
    pub life_s: u32,
}

impl SecretCookie {
    fn full_name(&self, is_secure: bool) -> String {
        let prefix = if is_secure { "__Host-" } else { "" };
        format!("{prefix}{}", self.name)
    }

    /// The secret that the browser sent. `is_secure`: the page is on TLS or loopback.
    pub fn find(&self, headers: &HeaderMap, is_secure: bool) -> Option<BrowserSecret> {
        find(headers, &self.full_name(is_secure)).and_then(decode)
    }

    /// A new secret, and the `Set-Cookie` header for it with `SameSite=Strict`.
    pub fn make(&self, is_secure: bool) -> (BrowserSecret, Option<HeaderValue>) {
        let secret: BrowserSecret = random_bytes();
        let header = self.header(&secret, "Strict", is_secure);
        (secret, header)
    }

    /// The `Set-Cookie` header that deletes the cookie.
    pub fn forget(&self, is_secure: bool) -> Option<HeaderValue> {
        Self { life_s: 0, ..*self }.write("", "Strict", is_secure)
    }

    /// The `Set-Cookie` header with `SameSite=Lax`, for a cookie that must be sent when another
    /// site redirects the visitor back to us. `Strict` cookies are not sent then.
    pub fn hand_across(&self, secret: &BrowserSecret, is_secure: bool) -> Option<HeaderValue> {
        self.header(secret, "Lax", is_secure)
    }

    fn header(
        &self,
        secret: &BrowserSecret,
        same_site: &str,
        is_secure: bool,
    ) -> Option<HeaderValue> {
        self.write(&BASE64_URL_SAFE_NO_PAD.encode(secret), same_site, is_secure)
    }

    fn write(&self, value: &str, same_site: &str, is_secure: bool) -> Option<HeaderValue> {
        let (name, life_s) = (self.full_name(is_secure), self.life_s);
        let secure = if is_secure { "; Secure" } else { "" };
        let cookie = format!(
            "{name}={value}; Path=/; HttpOnly; SameSite={same_site}; Max-Age={life_s}{secure}"
        );
        HeaderValue::from_str(&cookie).ok()
    }
}

fn decode(text: &str) -> Option<BrowserSecret> {
    // The decoder needs a buffer of whole 3-byte groups.
    let mut bytes = [0; SECRET_BYTES.next_multiple_of(3)];
    let length = BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
    bytes[..length].try_into().ok()
}

/// The first cookie with this name. HTTP/2 may split cookies over several headers.
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
