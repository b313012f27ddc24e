//! The character patterns that form fields may require, by id.
//!
//! Each pattern is one pass over the characters, so no input is slow. The character sets are
//! written out instead of taken from a Unicode table, because the web has its own implementation
//! (`web/src/lib/patterns`), and `vectors/patterns.json` keeps both equal.

use crate::names::FieldCode;

/// A kind of text that a field may require.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Any text.
    Any,
    /// English letters and digits.
    Alphanumeric,
    /// English letters and digits, beginning with a letter.
    LetterFirst,
    /// Chinese characters and digits.
    ChineseDigits,
    /// An e-mail address.
    Email,
    /// Digits.
    Digits,
    /// At least one uppercase letter.
    OneUppercase,
    /// Uppercase letters only.
    Uppercase,
    /// At least one uppercase letter, one lowercase letter, one digit and one symbol.
    Mixed,
    /// Two parts with one space between them.
    FullName,
    /// No white space of any kind.
    NoSpaces,
    /// English letters and spaces.
    English,
    /// A date as yyyy-MM-dd.
    DateYmd,
    /// A date as MM-dd-yyyy.
    DateMdy,
    /// Korean letters.
    Korean,
    /// Thai letters and their marks.
    Thai,
    /// Kanji.
    Kanji,
    /// Hiragana.
    Hiragana,
    /// Full-width Japanese characters.
    FullWidth,
    /// A mobile number without its dialing code: digits.
    Mobile,
}

use Pattern::{
    Alphanumeric, Any, ChineseDigits, DateMdy, DateYmd, Digits, Email, English, FullName,
    FullWidth, Hiragana, Kanji, Korean, LetterFirst, Mixed, Mobile, NoSpaces, OneUppercase, Thai,
    Uppercase,
};

/// One row per pattern: its id, and a regular expression for clients that cannot do better, written
/// for the flags `su`. Those of dates are weaker than the patterns: they do not check the days of a
/// month.
const TABLE: &[(Pattern, &str, &str)] = &[
    (Any, "any", "*"),
    (Alphanumeric, "alphanumeric", "^[A-Za-z0-9]+$"),
    (LetterFirst, "letter_first", "^[A-Za-z][A-Za-z0-9]*$"),
    (ChineseDigits, "chinese_digits", r"^[0-9\u3400-\u4DBF\u4E00-\u9FFF]+$"),
    (Email, "email", EMAIL),
    (Digits, "digits", "^[0-9]+$"),
    (OneUppercase, "one_uppercase", "[A-Z]"),
    (Uppercase, "uppercase", "^[A-Z]+$"),
    (Mixed, "mixed", r"^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[!-\/:-@\[-`\{-~])"),
    (FullName, "full_name", FULL_NAME),
    (NoSpaces, "no_spaces", NO_SPACES),
    (English, "english", "^[A-Za-z ]+$"),
    (DateYmd, "date_ymd", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
    (DateMdy, "date_mdy", "^[0-9]{2}-[0-9]{2}-[0-9]{4}$"),
    (Korean, "korean", r"^[\u1100-\u11FF\u3131-\u318E\uAC00-\uD7A3]+$"),
    (Thai, "thai", r"^[\u0E01-\u0E3A\u0E40-\u0E4E]+$"),
    (Kanji, "kanji", r"^[\u3005\u3007\u3400-\u4DBF\u4E00-\u9FFF\u{20000}-\u{2A6DF}]+$"),
    (Hiragana, "hiragana", r"^[\u3041-\u3096\u309D\u309E\u30FC]+$"),
    (FullWidth, "full_width", FULL_WIDTH),
    (Mobile, "mobile", "^[0-9]+$"),
];

const EMAIL: &str = r"^(?=.{3,254}$)(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+\/=?^_`\{\|\}~\-]+(?:\.[A-Za-z0-9!#$%&'*+\/=?^_`\{\|\}~\-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$";
const FULL_NAME: &str = r"^[A-Za-z'.\-\u00A1-\u167F\u1681-\u1FFF\u2C00-\u2FFF\u3001-\uD7FF\uF900-\uFEFE\u{10000}-\u{10FFFF}]+ [A-Za-z'.\-\u00A1-\u167F\u1681-\u1FFF\u2C00-\u2FFF\u3001-\uD7FF\uF900-\uFEFE\u{10000}-\u{10FFFF}]+$";
const NO_SPACES: &str =
    r"^[^\u0009-\u000D \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+$";
const FULL_WIDTH: &str = r"^[\u3000-\u3096\u309B-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uFF01-\uFF60\uFFE0-\uFFE6\u{20000}-\u{2A6DF}]+$";

impl Pattern {
    /// Every pattern.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(pattern, ..)| *pattern)
    }

    /// The pattern with this id.
    pub fn find(id: &str) -> Option<Self> {
        TABLE.iter().find(|(_, known, _)| *known == id).map(|(pattern, ..)| *pattern)
    }

    fn row(self) -> (&'static str, &'static str) {
        let row = TABLE.iter().find(|(pattern, ..)| *pattern == self);
        row.map_or(("any", "*"), |(_, id, form)| (id, form))
    }

    /// The id on the wire.
    pub fn id(self) -> &'static str {
        self.row().0
    }

    /// The regular expression for clients; `*` stands for any text.
    pub fn form(self) -> &'static str {
        self.row().1
    }

    /// Whether a text matches the pattern. Only `Any` matches the empty text.
    pub fn fits(self, text: &str) -> bool {
        let every = |is_good: fn(char) -> bool| !text.is_empty() && text.chars().all(is_good);
        match self {
            Any => true,
            Alphanumeric => every(|c| c.is_ascii_alphanumeric()),
            LetterFirst => {
                text.starts_with(|c: char| c.is_ascii_alphabetic())
                    && every(|c| c.is_ascii_alphanumeric())
            }
            ChineseDigits => every(|c| c.is_ascii_digit() || is_ideograph(c)),
            Email => is_email(text),
            Digits | Mobile => every(|c| c.is_ascii_digit()),
            OneUppercase => text.bytes().any(|byte| byte.is_ascii_uppercase()),
            Uppercase => every(|c| c.is_ascii_uppercase()),
            Mixed => is_mixed(text),
            FullName => is_full_name(text),
            NoSpaces => every(|c| !is_space(c)),
            English => every(|c| c.is_ascii_alphabetic() || c == ' '),
            DateYmd => date_ymd(text).is_some(),
            DateMdy => date_mdy(text).is_some(),
            Korean => every(
                |c| matches!(c, '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}' | '가'..='힣'),
            ),
            Thai => every(|c| matches!(c, '\u{0E01}'..='\u{0E3A}' | '\u{0E40}'..='\u{0E4E}')),
            Kanji => every(is_kanji),
            Hiragana => {
                every(|c| matches!(c, '\u{3041}'..='\u{3096}' | '\u{309D}' | '\u{309E}' | 'ー'))
            }
            FullWidth => every(is_full_width),
        }
    }
}

/// The length of a text, in characters, and its pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The minimum length.
    pub min: usize,
    /// The maximum length.
    pub max: usize,
    /// The pattern that the text must match.
    pub pattern: Pattern,
}

impl Shape {
    /// Checks that a text is not empty, then its length, then its pattern.
    pub fn check(self, text: &str) -> Result<(), FieldCode> {
        match text.chars().count() {
            0 => Err(FieldCode::Required),
            count if count < self.min => Err(FieldCode::TooShort),
            count if count > self.max => Err(FieldCode::TooLong),
            _ if self.pattern.fits(text) => Ok(()),
            _ => Err(FieldCode::Pattern),
        }
    }
}

/// A calendar date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// The year, 1 to 9999.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month.
    pub day: u8,
}

/// Parses a date written as yyyy-MM-dd.
pub fn date_ymd(text: &str) -> Option<Day> {
    let bytes: &[u8; 10] = text.as_bytes().try_into().ok()?;
    let dashed = bytes[4] == b'-' && bytes[7] == b'-';
    let day = day_of(&bytes[..4], &bytes[5..7], &bytes[8..])?;
    dashed.then_some(day)
}

/// Parses a date written as MM-dd-yyyy.
pub fn date_mdy(text: &str) -> Option<Day> {
    let bytes: &[u8; 10] = text.as_bytes().try_into().ok()?;
    let dashed = bytes[2] == b'-' && bytes[5] == b'-';
    let day = day_of(&bytes[6..], &bytes[..2], &bytes[3..5])?;
    dashed.then_some(day)
}

fn day_of(year: &[u8], month: &[u8], day: &[u8]) -> Option<Day> {
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0_u16, |sum, digit| {
            digit.is_ascii_digit().then(|| sum * 10 + u16::from(digit - b'0'))
        })
    };
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => return None,
    };
    let is_real = year > 0 && (1..=last).contains(&day);
    let day = Day { year, month: u8::try_from(month).ok()?, day: u8::try_from(day).ok()? };
    is_real.then_some(day)
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}')
}

fn is_kanji(c: char) -> bool {
    is_ideograph(c) || matches!(c, '々' | '〇' | '\u{20000}'..='\u{2A6DF}')
}

fn is_full_width(c: char) -> bool {
    is_kanji(c)
        || matches!(
            c,
            // Punctuation and Hiragana, marks and Katakana, full-width forms of ASCII, full-width
            // signs.
            '\u{3000}'..='\u{3096}'
                | '\u{309B}'..='\u{30FF}'
                | '\u{FF01}'..='\u{FF60}'
                | '\u{FFE0}'..='\u{FFE6}'
        )
}

/// Unicode's white space.
fn is_space(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{D}'
            | ' '
            | '\u{85}'
            | '\u{A0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200A}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202F}'
            | '\u{205F}'
            | '\u{3000}'
    )
}

fn is_mixed(text: &str) -> bool {
    let has = |is_kind: fn(&u8) -> bool| text.as_bytes().iter().any(is_kind);
    has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_punctuation)
}

fn is_full_name(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.chars().all(is_of_name);
    text.split_once(' ').is_some_and(|(given, family)| is_part(given) && is_part(family))
}

/// English letters, the punctuation of names, and the letters of all other scripts. General
/// punctuation, symbols, private use and the like are in none of the ranges.
fn is_of_name(c: char) -> bool {
    c.is_ascii_alphabetic()
        || matches!(
            c,
            '\'' | '.'
                | '-'
                | '\u{A1}'..='\u{167F}'
                | '\u{1681}'..='\u{1FFF}'
                | '\u{2C00}'..='\u{2FFF}'
                | '\u{3001}'..='\u{D7FF}'
                | '\u{F900}'..='\u{FEFE}'
                | '\u{10000}'..='\u{10FFFF}'
        )
}

/// Common ASCII addresses: a dotted local part and a host name with a top-level domain of letters.
/// No quotes, comments or address literals.
fn is_email(text: &str) -> bool {
    let Some((local, host)) = text.split_once('@') else { return false };
    text.len() <= 254 && local.len() <= 64 && local.split('.').all(is_atom) && is_host(host)
}

fn is_atom(atom: &str) -> bool {
    !atom.is_empty()
        && atom.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&b))
}

fn is_host(host: &str) -> bool {
    let Some((names, top)) = host.rsplit_once('.') else { return false };
    let is_top = (2..=63).contains(&top.len()) && top.bytes().all(|b| b.is_ascii_alphabetic());
    is_top && names.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_has_one_row_and_one_id() {
        for pattern in Pattern::all() {
            assert_eq!(Pattern::find(pattern.id()), Some(pattern));
        }
        assert_eq!(Pattern::all().count(), 20);
        assert_eq!(Pattern::find("unknown"), None);
    }

    #[test]
    fn a_shape_names_the_first_fault() {
        let shape = Shape { min: 4, max: 6, pattern: LetterFirst };
        let cases = [
            ("", Err(FieldCode::Required)),
            ("abc", Err(FieldCode::TooShort)),
            ("abcd", Ok(())),
            ("abcdef", Ok(())),
            ("abcdefg", Err(FieldCode::TooLong)),
            ("1bcd", Err(FieldCode::Pattern)),
        ];
        for (text, expected) in cases {
            assert_eq!(shape.check(text), expected, "{text:?}");
        }
        let four = Shape { min: 4, max: 4, pattern: Any };
        assert_eq!(four.check("😀é가ก"), Ok(()), "characters are counted, not bytes");
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        let day = Day { year: 2004, month: 2, day: 29 };
        assert_eq!((date_ymd("2004-02-29"), date_mdy("02-29-2004")), (Some(day), Some(day)));
        for wrong in ["2005-02-29", "1900-02-29", "2004-13-01", "2004-00-01", "2004-04-31"] {
            assert_eq!(date_ymd(wrong), None, "{wrong}");
        }
        for wrong in ["0000-01-01", "2004-2-29", "2004/02/29", "+004-02-29", "２004-02-2"] {
            assert_eq!(date_ymd(wrong), None, "{wrong}");
        }
        assert!(date_ymd("2000-02-29").is_some());
    }
}
