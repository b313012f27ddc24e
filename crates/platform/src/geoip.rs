//! GeoIP: the country of an IP address, from a MaxMind-format database that the operator provides.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use maxminddb::{MaxMindDbError, PathElement, Reader};

/// A country code of two letters (ISO 3166-1 alpha-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Country([u8; 2]);

impl Country {
    /// Parses two capital letters.
    pub fn parse(text: &str) -> Option<Self> {
        let letters: [u8; 2] = text.as_bytes().try_into().ok()?;
        letters.iter().all(u8::is_ascii_uppercase).then_some(Self(letters))
    }
}

impl fmt::Display for Country {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(std::str::from_utf8(&self.0).unwrap_or_default())
    }
}

/// Paths of the country code in a record: country-only databases, then MaxMind's own databases.
const CODE_PATHS: [&[PathElement<'static>]; 2] = [
    &[PathElement::Key("country_code")],
    &[PathElement::Key("country"), PathElement::Key("iso_code")],
];

/// A GeoIP database, or none. The country is unknown without a database, for addresses that it does
/// not list, and for private addresses.
#[derive(Clone, Default)]
pub struct GeoIp(Option<Arc<Reader<Vec<u8>>>>);

impl GeoIp {
    /// Whether a database is loaded.
    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Loads a database in MaxMind format into memory.
    pub fn open(path: &Path) -> Result<Self, MaxMindDbError> {
        Ok(Self(Some(Arc::new(Reader::open_readfile(path)?))))
    }

    /// The country of an address, if it is known.
    pub fn country(&self, address: IpAddr) -> Option<Country> {
        let address = Some(address.to_canonical()).filter(is_public)?;
        let record = self.0.as_ref()?.lookup(address).ok()?;
        let code = |path: &&[PathElement<'_>]| record.decode_path::<&str>(path).ok().flatten();
        CODE_PATHS.iter().find_map(code).and_then(Country::parse)
    }
}

/// Whether an address is public. Some databases assign private ranges to the country that uses them
/// most.
fn is_public(address: &IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            let is_shared = first == 100 && (64..128).contains(&second);
            !(address.is_private()
                || address.is_loopback()
                || address.is_link_local()
                || address.is_unspecified()
                || is_shared)
        }
        IpAddr::V6(address) => {
            !(address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local())
        }
    }
}

impl fmt::Debug for GeoIp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "GeoIp(open)" } else { "GeoIp(none)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_has_two_capital_letters() {
        assert!(Country::parse("PH").is_some());
        for text in ["", "P", "PHL", "ph", "P1", "*", "É"] {
            assert_eq!(Country::parse(text), None, "{text}");
        }
    }

    #[test]
    fn networks_at_home_are_nowhere() {
        for text in ["127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.1.1", "100.64.0.1", "::1"] {
            assert!(!is_public(&text.parse().unwrap()), "{text}");
        }
        for text in ["fd00::1", "fe80::1", "0.0.0.0"] {
            assert!(!is_public(&text.parse().unwrap()), "{text}");
        }
        for text in ["112.198.0.1", "100.63.0.1", "100.128.0.1", "2001:4450::1"] {
            assert!(is_public(&text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn nothing_is_known_without_a_database() {
        assert_eq!(GeoIp::default().country("112.198.0.1".parse().unwrap()), None);
        assert!(GeoIp::open(Path::new("/nowhere.mmdb")).is_err());
    }
}
