//! Codes of field errors, the comparison form of usernames, and the check of client seeds.

/// What is wrong with a field of a form; the web has a text for each code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldCode {
    /// It is empty.
    Required,
    /// Below the minimum length.
    TooShort,
    /// Above the maximum length.
    TooLong,
    /// Contains characters that are not allowed, or in the wrong place.
    Pattern,
    /// Somebody else already uses it.
    Taken,
    /// Differs from the field that it repeats.
    Mismatch,
    /// Not one of the possible values.
    Invalid,
    /// Too easy to guess.
    Common,
    /// It was used before.
    Used,
    /// The birth date is below the minimum age.
    TooYoung,
}

impl FieldCode {
    /// The code on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::TooShort => "too_short",
            Self::TooLong => "too_long",
            Self::Pattern => "pattern",
            Self::Taken => "taken",
            Self::Mismatch => "mismatch",
            Self::Invalid => "invalid",
            Self::Common => "common",
            Self::Used => "used",
            Self::TooYoung => "too_young",
        }
    }
}

/// The maximum length of a client seed, in characters.
pub const CLIENT_SEED_MAX: usize = 64;

/// The form in which usernames are compared: names that differ only in the case of English letters
/// are the same.
pub fn username_key(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// Checks a client seed: printable ASCII, spaces included.
pub fn check_client_seed(seed: &str) -> Result<(), FieldCode> {
    match seed.chars().count() {
        0 => Err(FieldCode::Required),
        count if count > CLIENT_SEED_MAX => Err(FieldCode::TooLong),
        _ if seed.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => Ok(()),
        _ => Err(FieldCode::Pattern),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FieldCode::{Pattern, Required, TooLong};

    #[test]
    fn a_username_is_one_in_any_case() {
        assert_eq!(username_key("MariA1"), "maria1");
    }

    #[test]
    fn client_seeds() {
        assert_eq!(check_client_seed(""), Err(Required));
        assert_eq!(check_client_seed("lucky seed: 7~"), Ok(()));
        assert_eq!(check_client_seed(&"x".repeat(65)), Err(TooLong));
        assert_eq!(check_client_seed("tab\there"), Err(Pattern));
        assert_eq!(check_client_seed("café"), Err(Pattern));
    }
}
