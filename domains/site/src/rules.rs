//! The rules of the registration form, field by field, and the legal policy of a country.

use std::collections::BTreeMap;

use capiz_rules::patterns::{Pattern, Shape};
use serde::Serialize;
use utoipa::ToSchema;

/// The rule of one field of the registration form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldRule {
    /// Whether the form has the field. The value of a disabled field is ignored.
    pub enabled: bool,
    /// Whether it must be filled in.
    pub required: bool,
    /// The length and the pattern of its value.
    pub shape: Shape,
}

/// The rules of all fields of a merchant's form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterRules(BTreeMap<&'static str, FieldRule>);

const fn rule(
    (enabled, required): (bool, bool),
    (min, max): (usize, usize),
    pattern: Pattern,
) -> FieldRule {
    FieldRule { enabled, required, shape: Shape { min, max, pattern } }
}

const MUST: (bool, bool) = (true, true);
const MAY: (bool, bool) = (true, false);
/// Off by default, and optional if an operator switches it on.
const OFF: (bool, bool) = (false, false);
/// Off by default, and required if an operator switches it on.
const OFF_MUST: (bool, bool) = (false, true);

/// The rules of a new merchant. Keep them equal to those in the migrations of the table.
const DEFAULTS: &[(&str, FieldRule)] = &[
    ("username", rule(MUST, (4, 16), Pattern::LetterFirst)),
    ("password", rule(MUST, (8, 64), Pattern::Any)),
    ("confirmPassword", rule(MUST, (8, 64), Pattern::Any)),
    ("mobileNum", rule(MAY, (7, 14), Pattern::Mobile)),
    ("email", rule(MAY, (6, 254), Pattern::Email)),
    ("nickname", rule(MAY, (2, 24), Pattern::Any)),
    ("payeeName", rule(MAY, (2, 64), Pattern::Any)),
    ("paymentPassword", rule(OFF_MUST, (6, 6), Pattern::Digits)),
    ("affiliateCode", rule(MAY, (4, 16), Pattern::Alphanumeric)),
    ("recommenderId", rule(OFF, (4, 32), Pattern::NoSpaces)),
    ("referralCode", rule(MAY, (4, 16), Pattern::Alphanumeric)),
    ("captcha", rule(OFF_MUST, (4, 8), Pattern::Alphanumeric)),
    ("verificationCode", rule(MAY, (1, 255), Pattern::Any)),
    ("qqNum", rule(OFF, (5, 12), Pattern::Digits)),
    ("whatsapp", rule(OFF, (3, 32), Pattern::NoSpaces)),
    ("facebook", rule(OFF, (3, 64), Pattern::Any)),
    ("telegram", rule(OFF, (3, 64), Pattern::NoSpaces)),
    ("zalo", rule(OFF, (3, 32), Pattern::NoSpaces)),
    ("line", rule(OFF, (3, 64), Pattern::NoSpaces)),
    ("wechat", rule(OFF, (3, 32), Pattern::NoSpaces)),
    ("idNumber", rule(OFF, (4, 32), Pattern::Any)),
    ("birthday", rule(MUST, (10, 10), Pattern::DateYmd)),
    ("address", rule(OFF, (4, 255), Pattern::Any)),
    ("nationality", rule(OFF, (2, 64), Pattern::Any)),
    ("occupation", rule(OFF, (2, 64), Pattern::Any)),
    ("sourceOfIncome", rule(OFF, (2, 64), Pattern::Any)),
    ("domain", rule(MAY, (1, 255), Pattern::NoSpaces)),
];

/// Fields that an operator cannot make optional. The birth date proves the legal minimum age (every
/// form asks for it), an empty captcha stops no bot, and an empty payment password must not confirm
/// a transaction.
pub(super) const NEVER_EMPTY: &[&str] = &["birthday", "captcha", "paymentPassword"];

/// Limits of what an operator can set for a field: the lengths that its column or its reader can
/// handle, and the patterns that make sense for it. An empty list of patterns allows all.
pub(super) struct Limits {
    pub(super) min: usize,
    pub(super) max: usize,
    pub(super) patterns: &'static [Pattern],
}

const fn limits(min: usize, max: usize, patterns: &'static [Pattern]) -> Limits {
    Limits { min, max, patterns }
}

const CODES: &[Pattern] = &[Pattern::Alphanumeric, Pattern::Digits, Pattern::Uppercase];

impl Limits {
    /// The limits of a field.
    pub(super) fn of(field: &str) -> Self {
        match field {
            // Members spell their username to customer service, and tables show it.
            "username" => limits(3, 32, &[]),
            // A shorter password is never safe enough, and hashing a longer one costs CPU time.
            "password" | "confirmPassword" => limits(8, 128, &[]),
            "mobileNum" => limits(5, 15, &[Pattern::Mobile]),
            "email" => limits(6, 254, &[Pattern::Email]),
            "paymentPassword" => limits(6, 32, &[]),
            // The form of the invitation codes that we generate.
            "affiliateCode" | "referralCode" => limits(4, 16, CODES),
            "captcha" => limits(4, 8, CODES),
            "verificationCode" | "address" | "domain" => limits(1, 255, &[]),
            "birthday" => limits(10, 10, &[Pattern::DateYmd, Pattern::DateMdy]),
            _ => limits(1, 64, &[]),
        }
    }

    /// The patterns that an operator can choose for the field.
    pub(super) fn patterns(&self) -> Vec<Pattern> {
        match self.patterns {
            [] => Pattern::all().collect(),
            patterns => patterns.to_vec(),
        }
    }
}

/// The lengths of the shortest and the longest text that a pattern accepts.
pub(super) fn pattern_lengths(pattern: Pattern) -> (usize, usize) {
    match pattern {
        Pattern::Email => (6, 254),
        Pattern::FullName => (3, 1024),
        Pattern::Mixed => (4, 1024),
        Pattern::DateYmd | Pattern::DateMdy => (10, 10),
        _ => (1, 1024),
    }
}

/// The static name of a field, or `None` if the form has no such field.
pub(super) fn known_field(name: &str) -> Option<&'static str> {
    DEFAULTS.iter().map(|(field, _)| *field).find(|field| *field == name)
}

impl Default for RegisterRules {
    fn default() -> Self {
        Self(DEFAULTS.iter().copied().collect())
    }
}

impl RegisterRules {
    /// The rule of a field. An unknown field is disabled.
    pub fn of(&self, field: &str) -> FieldRule {
        self.0.get(field).copied().unwrap_or(rule(OFF, (1, 1), Pattern::Any))
    }

    /// Every field with its rule.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, FieldRule)> {
        self.0.iter().map(|(field, rule)| (*field, *rule))
    }

    /// Replaces the rule of a field. Unknown fields are ignored.
    pub(super) fn set(&mut self, field: &str, rule: FieldRule) {
        if let Some(current) = self.0.get_mut(field) {
            *current = rule;
        }
    }

    pub(super) fn view(&self) -> BTreeMap<String, RegisterRule> {
        self.iter().map(|(field, rule)| (field.to_owned(), rule.into())).collect()
    }
}

/// What the law of a country requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The minimum age of members, in years.
    pub minimum_age: u32,
    /// After how many days a password expires, if the switch `PWDEXPIRY3` is on.
    pub password_days: Option<u16>,
    /// The default dialing code, for mobile numbers that are entered without one.
    pub dialing_code: String,
    /// Whether nobody in the country may play. The site then shows a page that says so.
    pub restricted: bool,
    /// Categories of games that are not offered in the country.
    pub closed_categories: Vec<String>,
}

impl Policy {
    /// This country's policy with the dialing code of the merchant's own policy. Mobile numbers are
    /// read the same way wherever a member is; otherwise a traveller's number would be read as
    /// another username.
    pub(super) fn with_dialing_code_of(self, own: &Self) -> Self {
        Self { dialing_code: own.dialing_code.clone(), ..self }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            minimum_age: 21,
            password_days: None,
            dialing_code: "63".to_owned(),
            restricted: false,
            closed_categories: Vec::new(),
        }
    }
}

/// The rule of one field of the registration form, as clients see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RegisterRule {
    enabled: bool,
    required: bool,
    min_length: usize,
    max_length: usize,
    /// The name of the pattern that the value must match; `vectors/patterns.json` defines each.
    pattern_id: String,
    /// The pattern as a regular expression; `*` accepts anything.
    accepted_pattern: String,
}

impl From<FieldRule> for RegisterRule {
    fn from(rule: FieldRule) -> Self {
        let shape = rule.shape;
        Self {
            enabled: rule.enabled,
            required: rule.required,
            min_length: shape.min,
            max_length: shape.max,
            pattern_id: shape.pattern.id().to_owned(),
            accepted_pattern: shape.pattern.form().to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_merchant_begins_with_is_within_the_limits() {
        for (field, rule) in DEFAULTS {
            assert!(rule.required || !NEVER_EMPTY.contains(field), "{field}");
            let (limits, shape) = (Limits::of(field), rule.shape);
            assert!(limits.min <= shape.min && shape.max <= limits.max, "{field}");
            assert!(limits.patterns().contains(&shape.pattern), "{field}");
            let (shortest, longest) = pattern_lengths(shape.pattern);
            assert!(shortest <= shape.max && shape.min <= longest, "{field}");
        }
    }
}
