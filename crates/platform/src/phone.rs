//! Phone numbers: parsing and normalizing to E.164, the form in which they are compared and stored.

use std::fmt;

use phonenumber::metadata::DATABASE;
use phonenumber::{Mode, PhoneNumber, Type};

/// The maximum input length, more than any number has with its separators.
const LONGEST_INPUT: usize = 32;

/// The digits at the end that [`Mobile::prefix`] leaves out.
const BLOCK_DIGITS: usize = 4;

/// A mobile number, which can receive text messages.
#[derive(Clone, PartialEq, Eq)]
pub struct Mobile {
    e164: String,
    dialing_code: u16,
}

/// Masked, because numbers are personal data and must not appear in logs.
impl fmt::Debug for Mobile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Mobile({})", self.masked())
    }
}

/// Why a number is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhoneError {
    /// The number is empty.
    Missing,
    /// Not a valid mobile number.
    Invalid,
}

/// Separators that people write between the digits.
const GAPS: &str = " -().";

impl Mobile {
    /// Parses a dialing code and a number as people write them: with or without `+`, separators,
    /// the national leading zero, or the dialing code repeated.
    pub fn parse(dialing_code: &str, number: &str) -> Result<Self, PhoneError> {
        let (code, number) = (dialing_code.trim(), number.trim());
        if number.is_empty() {
            return Err(PhoneError::Missing);
        }
        let (number, has_code) = digits_of(number)?;
        let (code, _) = digits_of(code)?;
        if code.is_empty() || code.len() > 3 {
            return Err(PhoneError::Invalid);
        }
        let digits = match number.strip_prefix(code.as_str()) {
            Some(national) if has_code => format!("{code}{national}"),
            // An international number of another country than the selected one.
            None if has_code => return Err(PhoneError::Invalid),
            _ => format!("{code}{number}"),
        };
        Self::read(&digits)
    }

    /// Parses a number in E.164 form, such as `+639171234567`.
    pub fn from_e164(text: &str) -> Result<Self, PhoneError> {
        let digits = text.strip_prefix('+').ok_or(PhoneError::Invalid)?;
        let mobile = Self::read(digits)?;
        if mobile.e164 == text { Ok(mobile) } else { Err(PhoneError::Invalid) }
    }

    fn read(digits: &str) -> Result<Self, PhoneError> {
        let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_digits || !(6..=17).contains(&digits.len()) {
            return Err(PhoneError::Invalid);
        }
        let number = phonenumber::parse(None, format!("+{digits}"));
        let number = number.map_err(|_| PhoneError::Invalid)?;
        if !number.is_valid() || !can_text(&number) {
            return Err(PhoneError::Invalid);
        }
        let e164 = number.format().mode(Mode::E164).to_string();
        Ok(Self { e164, dialing_code: number.country().code() })
    }

    /// The E.164 form, such as `+639171234567`.
    pub fn e164(&self) -> &str {
        &self.e164
    }

    /// The dialing code of the country, such as 63.
    pub fn dialing_code(&self) -> u16 {
        self.dialing_code
    }

    /// The number without its last four digits, which identifies its block of 10,000 numbers.
    pub fn prefix(&self) -> &str {
        &self.e164[..self.e164.len() - BLOCK_DIGITS]
    }

    /// The number for display, masked except for the dialing code and the last three digits.
    pub fn masked(&self) -> String {
        let end = &self.e164[self.e164.len() - 3..];
        format!("+{}•••{end}", self.dialing_code)
    }
}

/// Removes separators from a number.
pub fn without_gaps(number: &str) -> String {
    number.trim().replace(|c| GAPS.contains(c), "")
}

/// The digits of a number, and whether it was written with `+`.
fn digits_of(text: &str) -> Result<(String, bool), PhoneError> {
    let (text, has_plus) = match text.strip_prefix('+') {
        Some(after) => (after, true),
        None => (text, false),
    };
    let is_fine = |c: char| c.is_ascii_digit() || GAPS.contains(c);
    if text.len() > LONGEST_INPUT || !text.chars().all(is_fine) {
        return Err(PhoneError::Invalid);
    }
    Ok((text.chars().filter(char::is_ascii_digit).collect(), has_plus))
}

/// Only mobile numbers: landlines cannot receive text messages, and premium numbers are paid for
/// receiving them (SMS pumping fraud).
fn can_text(number: &PhoneNumber) -> bool {
    matches!(number.number_type(&DATABASE), Type::Mobile | Type::FixedLineOrMobile)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn e164(code: &str, number: &str) -> Result<String, PhoneError> {
        Mobile::parse(code, number).map(|mobile| mobile.e164().to_owned())
    }

    #[test]
    fn one_number_has_one_form_however_it_is_written() {
        for (code, number) in [
            ("63", "9171234567"),
            ("+63", "09171234567"),
            ("63", "0917 123 4567"),
            (" 63 ", "(0917) 123-45.67"),
            ("63", "+63 917 123 4567"),
            ("63", "+63 0917 123 4567"),
        ] {
            assert_eq!(e164(code, number).as_deref(), Ok("+639171234567"), "{code} {number}");
        }
        assert_eq!(e164("1", "202-555-0143").as_deref(), Ok("+12025550143"));
        assert_eq!(e164("44", "07400 123456").as_deref(), Ok("+447400123456"));
        assert_eq!(e164("39", "312 345 6789").as_deref(), Ok("+393123456789"));
        assert_eq!(e164("84", "0912 345 678").as_deref(), Ok("+84912345678"));
    }

    #[test]
    fn what_is_no_mobile_number_is_told() {
        assert_eq!(e164("63", " "), Err(PhoneError::Missing));
        for (code, number) in [
            ("63", "91712345"),
            ("63", "91712345678901234567"),
            ("63", "9171234567x"),
            ("63", "+1 202 555 0143"),
            ("63", "2 8123 4567"),
            ("63", "1800 10 123 4567"),
            ("", "9171234567"),
            ("999", "9171234567"),
            ("6363", "9171234567"),
            ("63", "٩١٧١٢٣٤٥٦٧"),
            ("63", "++9171234567"),
        ] {
            assert_eq!(e164(code, number), Err(PhoneError::Invalid), "{code} {number}");
        }
    }

    #[test]
    fn a_number_knows_its_block_and_hides_itself() {
        let mobile = Mobile::parse("63", "9171234567").unwrap();
        assert_eq!((mobile.prefix(), mobile.dialing_code()), ("+63917123", 63));
        assert_eq!(format!("{mobile:?}"), "Mobile(+63•••567)");
        assert_eq!(Mobile::from_e164("+639171234567").as_ref(), Ok(&mobile));
        assert_eq!(Mobile::from_e164("+6309171234567"), Err(PhoneError::Invalid));
    }

    proptest! {
        #[test]
        fn no_input_panics(code in ".{0,8}", number in ".{0,40}") {
            let _ = Mobile::parse(&code, &number);
        }

        #[test]
        fn what_is_read_reads_the_same_again(code in "[1-9][0-9]{0,2}", number in "[0-9]{4,14}") {
            if let Ok(mobile) = Mobile::parse(&code, &number) {
                prop_assert_eq!(Mobile::from_e164(mobile.e164()), Ok(mobile));
            }
        }
    }
}
