//! Amounts of money, exact to the ten-thousandth of a unit, and the currencies.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// The number of decimals of an amount.
const DECIMALS: usize = 4;
/// Ten-thousandths in one unit.
const SCALE: i64 = 10_000;

/// An amount in ten-thousandths of the currency's unit. It is written as a decimal string, in JSON
/// too, and never becomes a float.
///
/// It has no operators: every operation that can overflow returns a [`Result`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "sqlx", derive(sqlx::Type))]
#[cfg_attr(feature = "sqlx", sqlx(transparent))]
pub struct Amount(i64);

/// The result is not an amount: it is out of range, or a divisor or unit is not positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the amount is out of range")]
pub struct Overflow;

impl Amount {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// The largest amount.
    pub const MAX: Self = Self(i64::MAX);
    /// The smallest amount.
    pub const MIN: Self = Self(i64::MIN);

    /// An amount in ten-thousandths.
    pub const fn from_units(ten_thousandths: i64) -> Self {
        Self(ten_thousandths)
    }

    /// An amount without decimals.
    pub const fn from_whole(whole: i64) -> Result<Self, Overflow> {
        match whole.checked_mul(SCALE) {
            Some(units) => Ok(Self(units)),
            None => Err(Overflow),
        }
    }

    /// The amount in ten-thousandths.
    pub const fn units(self) -> i64 {
        self.0
    }

    /// Whether it is above zero.
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Result<Self, Overflow> {
        self.0.checked_add(other.0).map(Self).ok_or(Overflow)
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Result<Self, Overflow> {
        self.0.checked_sub(other.0).map(Self).ok_or(Overflow)
    }

    /// The product with a fraction, rounded down: the house keeps the remainder.
    pub fn times_floor(self, numerator: i64, denominator: i64) -> Result<Self, Overflow> {
        if denominator <= 0 {
            return Err(Overflow);
        }
        // The product of two 64-bit factors always fits 128 bits.
        let exact = i128::from(self.0) * i128::from(numerator);
        let floor = exact.div_euclid(i128::from(denominator));
        i64::try_from(floor).map(Self).map_err(|_| Overflow)
    }

    /// The greatest multiple of `unit` that is not above this amount.
    pub fn floor_to(self, unit: Self) -> Result<Self, Overflow> {
        if unit.0 <= 0 {
            return Err(Overflow);
        }
        self.0.checked_sub(self.0.rem_euclid(unit.0)).map(Self).ok_or(Overflow)
    }

    /// Whether it is an integer multiple of `unit`.
    pub fn is_multiple_of(self, unit: Self) -> bool {
        self.floor_to(unit) == Ok(self)
    }
}

impl fmt::Display for Amount {
    /// The canonical text: no `+`, no unnecessary zeros, `0` for zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = SCALE.unsigned_abs();
        let (whole, part) = (self.0.unsigned_abs() / scale, self.0.unsigned_abs() % scale);
        let sign = if self.0 < 0 { "-" } else { "" };
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        let decimals = format!("{part:0DECIMALS$}");
        write!(f, "{sign}{whole}.{}", decimals.trim_end_matches('0'))
    }
}

/// Why a text is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseAmountError {
    /// Not `-?digits(.digits{1,4})?`.
    #[error("an amount is digits with at most four decimals, such as 1250.5")]
    Form,
    /// Well-formed, but too large to be represented.
    #[error("the amount is out of range")]
    Range,
}

impl FromStr for Amount {
    type Err = ParseAmountError;

    fn from_str(text: &str) -> Result<Self, ParseAmountError> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (whole, decimals) = match digits.split_once('.') {
            Some((_, "")) => return Err(ParseAmountError::Form),
            Some((whole, decimals)) => (whole, decimals),
            None => (digits, ""),
        };
        let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || decimals.len() > DECIMALS || !plain(whole) || !plain(decimals) {
            return Err(ParseAmountError::Form);
        }
        let padding = std::iter::repeat_n(b'0', DECIMALS - decimals.len());
        // Accumulated as a negative number, because the range of `i64` reaches one further below
        // zero.
        let below =
            whole.bytes().chain(decimals.bytes()).chain(padding).try_fold(0_i64, |sum, digit| {
                sum.checked_mul(10)?.checked_sub(i64::from(digit - b'0'))
            });
        let units = if negative { below } else { below.and_then(i64::checked_neg) };
        units.map(Self).ok_or(ParseAmountError::Range)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Amount;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount as a string, such as \"1250.5\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Amount, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Text)
    }
}

/// The currency of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, PartialOrd, Ord)]
#[serde(rename_all = "UPPERCASE")]
#[cfg_attr(feature = "sqlx", derive(sqlx::Type))]
#[cfg_attr(feature = "sqlx", sqlx(type_name = "text", rename_all = "UPPERCASE"))]
pub enum Currency {
    /// Philippine peso.
    Php,
    /// Demo money.
    Fun,
    /// Points.
    Pts,
}

impl Currency {
    /// All currencies.
    pub const ALL: [Self; 3] = [Self::Php, Self::Fun, Self::Pts];

    /// The code on the wire and in the database.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Php => "PHP",
            Self::Fun => "FUN",
            Self::Pts => "PTS",
        }
    }

    /// The smallest amount that is paid out.
    pub const fn payable_unit(self) -> Amount {
        match self {
            Self::Php | Self::Fun => Amount(SCALE / 100),
            Self::Pts => Amount(SCALE),
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// No currency has this code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the currency is unknown")]
pub struct UnknownCurrency;

impl FromStr for Currency {
    type Err = UnknownCurrency;

    fn from_str(code: &str) -> Result<Self, UnknownCurrency> {
        Self::ALL.into_iter().find(|currency| currency.code() == code).ok_or(UnknownCurrency)
    }
}
