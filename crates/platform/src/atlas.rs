//! From which country an address comes, as a database of the operator's choice tells.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use maxminddb::{MaxMindDbError, PathElement, Reader};

/// A country by the two letters of ISO 3166.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Country([u8; 2]);

impl Country {
    /// Reads two capital letters.
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

/// Where databases have the code of the country: those that know nothing but countries, and those
/// of the format's inventors.
const PLACES: [&[PathElement<'static>]; 2] = [
    &[PathElement::Key("country_code")],
    &[PathElement::Key("country"), PathElement::Key("iso_code")],
];

/// A database of addresses, or none. Without one, and for addresses that it does not have, private
/// ones for example, the country is not known.
#[derive(Clone, Default)]
pub struct Atlas(Option<Arc<Reader<Vec<u8>>>>);

impl Atlas {
    /// Whether there is a database.
    pub fn is_open(&self) -> bool {
        self.0.is_some()
    }

    /// Reads a database in MaxMind's format into memory.
    pub fn open(path: &Path) -> Result<Self, MaxMindDbError> {
        Ok(Self(Some(Arc::new(Reader::open_readfile(path)?))))
    }

    /// The country of an address, if it is known.
    pub fn country(&self, address: IpAddr) -> Option<Country> {
        let address = Some(address.to_canonical()).filter(is_of_the_world)?;
        let found = self.0.as_ref()?.lookup(address).ok()?;
        let code = |place: &&[PathElement<'_>]| found.decode_path::<&str>(place).ok().flatten();
        PLACES.iter().find_map(code).and_then(Country::parse)
    }
}

/// Whether an address leads to one place in the world: not those of networks at home, which some
/// databases give to whoever uses them most.
fn is_of_the_world(address: &IpAddr) -> bool {
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

impl fmt::Debug for Atlas {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Atlas(open)" } else { "Atlas(none)" })
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
            assert!(!is_of_the_world(&text.parse().unwrap()), "{text}");
        }
        for text in ["fd00::1", "fe80::1", "0.0.0.0"] {
            assert!(!is_of_the_world(&text.parse().unwrap()), "{text}");
        }
        for text in ["112.198.0.1", "100.63.0.1", "100.128.0.1", "2001:4450::1"] {
            assert!(is_of_the_world(&text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn nothing_is_known_without_a_database() {
        assert_eq!(Atlas::default().country("112.198.0.1".parse().unwrap()), None);
        assert!(Atlas::open(Path::new("/nowhere.mmdb")).is_err());
    }
}
