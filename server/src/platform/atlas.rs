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
    /// Reads a database in MaxMind's format into memory.
    pub fn open(path: &Path) -> Result<Self, MaxMindDbError> {
        Ok(Self(Some(Arc::new(Reader::open_readfile(path)?))))
    }

    /// The country of an address, if it is known.
    pub fn country(&self, address: IpAddr) -> Option<Country> {
        let found = self.0.as_ref()?.lookup(address.to_canonical()).ok()?;
        let code = |place: &&[PathElement<'_>]| found.decode_path::<&str>(place).ok().flatten();
        PLACES.iter().find_map(code).and_then(Country::parse)
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
    fn nothing_is_known_without_a_database() {
        assert_eq!(Atlas::default().country("112.198.0.1".parse().unwrap()), None);
        assert!(Atlas::open(Path::new("/nowhere.mmdb")).is_err());
    }
}
