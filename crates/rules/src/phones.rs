//! The one form in which mobile numbers are compared.

/// The most digits of a number with its dialing code, by E.164.
const DIGITS_MAX: usize = 15;
/// The fewest digits that any country's mobile numbers have.
const NATIONAL_MIN: usize = 4;

/// The number as `+` and digits, from a dialing code (`63`, `+63`, `0063`) and the number as
/// it was typed. Zeros before the number are the trunk prefix of a call inside the country.
/// None where no telephone has such a number.
pub fn international(dialing_code: &str, number: &str) -> Option<String> {
    let code = dialing_code.strip_prefix('+').unwrap_or(dialing_code).trim_start_matches('0');
    let national = number.trim_start_matches('0');
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = (1..=3).contains(&code.len())
        && national.len() >= NATIONAL_MIN
        && code.len() + national.len() <= DIGITS_MAX
        && is_digits(code)
        && is_digits(national);
    is_number.then(|| format!("+{code}{national}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_has_one_form() {
        for (code, number) in [("63", "9171234567"), ("+63", "09171234567"), ("0063", "9171234567")]
        {
            assert_eq!(international(code, number).as_deref(), Some("+639171234567"));
        }
    }

    #[test]
    fn what_is_no_number_has_none() {
        for (code, number) in [
            ("", "9171234567"),
            ("+", "9171234567"),
            ("6363", "9171234567"),
            ("63", ""),
            ("63", "0"),
            ("63", "000123"),
            ("63", "12345678901234"),
            ("63", "917 123 4567"),
            ("63", "+639171234567"),
            ("6x", "9171234567"),
            ("63", "９171234567"),
        ] {
            assert_eq!(international(code, number), None, "{code} {number}");
        }
    }
}
