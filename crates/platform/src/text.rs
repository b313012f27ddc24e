//! Validation of free-text input: trimming, length bounds and control characters.

use super::error::{ApiError, Bounds};
use crate::codes;

/// Validates a text of one line and trims it.
pub fn line(name: &'static str, text: &str, bounds: Bounds) -> Result<String, ApiError> {
    let text = text.trim();
    check(name, text, bounds, char::is_control)?;
    Ok(text.to_owned())
}

/// Validates an optional text of one line. An empty one counts as missing.
pub fn optional_line(
    name: &'static str,
    text: Option<&str>,
    bounds: Bounds,
) -> Result<Option<String>, ApiError> {
    match text.map(str::trim) {
        None | Some("") => Ok(None),
        Some(text) => line(name, text, bounds).map(Some),
    }
}

/// Validates a text of several lines, trims it, and normalizes line ends to `\n`.
pub fn lines(name: &'static str, text: &str, bounds: Bounds) -> Result<String, ApiError> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    check(name, text, bounds, |c| c.is_control() && c != '\n' && c != '\t')?;
    Ok(text.to_owned())
}

fn check(
    name: &'static str,
    text: &str,
    bounds: Bounds,
    is_forbidden: impl Fn(char) -> bool,
) -> Result<(), ApiError> {
    let code = match text.chars().count() {
        0 if bounds.min > 0 => "required",
        length if length < bounds.min => "too_short",
        length if length > bounds.max => "too_long",
        _ if text.chars().any(is_forbidden) => return Err(ApiError::fields([(name, "invalid")])),
        _ => return Ok(()),
    };
    Err(ApiError::new(codes::INPUT_INVALID).naming([(name, code, Some(bounds))]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { min: 2, max: 5 };

    #[test]
    fn what_surrounds_a_text_is_no_part_of_it() {
        assert_eq!(line("name", "  ab ", BOUNDS).unwrap(), "ab");
        assert_eq!(lines("name", " a\r\nb\n", BOUNDS).unwrap(), "a\nb");
        assert_eq!(optional_line("name", Some("  "), BOUNDS).unwrap(), None);
        assert_eq!(optional_line("name", Some(" ab"), BOUNDS).unwrap().as_deref(), Some("ab"));
    }

    #[test]
    fn lengths_are_of_characters() {
        assert!(line("name", "ñññññ", BOUNDS).is_ok());
        for text in ["", " a ", "abcdef", "a\nb", "a\u{0}b"] {
            assert!(line("name", text, BOUNDS).is_err(), "{text:?}");
        }
        assert!(lines("name", "a\u{0}b", BOUNDS).is_err());
    }
}
