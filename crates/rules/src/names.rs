//! What names, passwords and client seeds may look like.

/// What is wrong with a field of a form; the web has a text for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldCode {
    /// It is empty.
    Required,
    /// Too few characters.
    TooShort,
    /// Too many characters.
    TooLong,
    /// Characters that are not allowed, or in the wrong place.
    Pattern,
    /// Somebody else has it.
    Taken,
    /// It is not the same as the field that it repeats.
    Mismatch,
    /// Not one of the values that are possible.
    Invalid,
    /// Too easily guessed.
    Common,
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
        }
    }
}

/// The fewest characters of a username.
pub const USERNAME_MIN: usize = 4;
/// The most characters of a username.
pub const USERNAME_MAX: usize = 16;
/// The username's form as a regular expression, for the page.
pub const USERNAME_PATTERN: &str = "^[A-Za-z][A-Za-z0-9]*$";
/// The fewest characters of a password.
pub const PASSWORD_MIN: usize = 8;
/// The most characters of a password.
pub const PASSWORD_MAX: usize = 64;
/// The most characters of a client seed.
pub const CLIENT_SEED_MAX: usize = 64;

/// Checks a username: ASCII letters and digits, a letter first. Two names that differ only in
/// case are one name, see [`username_key`].
pub fn check_username(name: &str) -> Result<(), FieldCode> {
    check_length(name, USERNAME_MIN, USERNAME_MAX)?;
    let letter_first = name.starts_with(|c: char| c.is_ascii_alphabetic());
    if letter_first && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        Ok(())
    } else {
        Err(FieldCode::Pattern)
    }
}

/// The form in which usernames are compared.
pub fn username_key(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// Checks a password against its length and the username.
pub fn check_password(password: &str, username: &str) -> Result<(), FieldCode> {
    check_length(password, PASSWORD_MIN, PASSWORD_MAX)?;
    if password.to_lowercase() == username.to_lowercase() {
        return Err(FieldCode::Common);
    }
    Ok(())
}

/// Checks that a password was typed the same way twice.
pub fn check_repeated(password: &str, repeated: &str) -> Result<(), FieldCode> {
    if repeated.is_empty() {
        Err(FieldCode::Required)
    } else if repeated != password {
        Err(FieldCode::Mismatch)
    } else {
        Ok(())
    }
}

/// Checks a client seed: printable ASCII, the space included.
pub fn check_client_seed(seed: &str) -> Result<(), FieldCode> {
    check_length(seed, 1, CLIENT_SEED_MAX)?;
    if seed.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        Ok(())
    } else {
        Err(FieldCode::Pattern)
    }
}

fn check_length(text: &str, min: usize, max: usize) -> Result<(), FieldCode> {
    match text.chars().count() {
        0 => Err(FieldCode::Required),
        count if count < min => Err(FieldCode::TooShort),
        count if count > max => Err(FieldCode::TooLong),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use FieldCode::{Common, Mismatch, Pattern, Required, TooLong, TooShort};

    #[test]
    fn usernames() {
        let cases = [
            ("", Err(Required)),
            ("abc", Err(TooShort)),
            ("abcd", Ok(())),
            ("Maria1990", Ok(())),
            ("abcdefghijklmnop", Ok(())),
            ("abcdefghijklmnopq", Err(TooLong)),
            ("1abc", Err(Pattern)),
            ("ab cd", Err(Pattern)),
            ("mañana", Err(Pattern)),
            ("abc\0", Err(Pattern)),
        ];
        for (name, expected) in cases {
            assert_eq!(check_username(name), expected, "{name:?}");
        }
        assert_eq!(username_key("MariA1"), "maria1");
    }

    #[test]
    fn passwords() {
        assert_eq!(check_password("", "maria"), Err(Required));
        assert_eq!(check_password("1234567", "maria"), Err(TooShort));
        assert_eq!(check_password("12345678", "maria"), Ok(()));
        assert_eq!(check_password(&"é".repeat(64), "maria"), Ok(()));
        assert_eq!(check_password(&"é".repeat(65), "maria"), Err(TooLong));
        assert_eq!(check_password("MariaClara", "mariaclara"), Err(Common));
        assert_eq!(check_repeated("12345678", ""), Err(Required));
        assert_eq!(check_repeated("12345678", "12345679"), Err(Mismatch));
        assert_eq!(check_repeated("12345678", "12345678"), Ok(()));
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
