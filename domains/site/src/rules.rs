//! What the registration form asks, field by field, and what the law of a place adds.

use std::collections::BTreeMap;

use capiz_rules::patterns::{Pattern, Shape};
use serde::Serialize;
use utoipa::ToSchema;

/// What one field of the registration form may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldRule {
    /// Whether the form has the field. What comes in a disabled field is not looked at.
    pub enabled: bool,
    /// Whether it must be filled in.
    pub required: bool,
    /// Its length and pattern.
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
/// Switched off; where the operator switches it on, it may stay empty.
const OFF: (bool, bool) = (false, false);
/// Switched off; where the operator switches it on, it must be filled in.
const OFF_MUST: (bool, bool) = (false, true);

/// The rules that a merchant begins with. The migrations of the table have the same.
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

/// Fields that must be filled in wherever a form has them, whatever an operator would like: how old
/// members are is not left to a tick (every form asks for it), an empty captcha keeps nobody out, and
/// no transaction is confirmed by an empty password.
pub(super) const NEVER_EMPTY: &[&str] = &["birthday", "captcha", "paymentPassword"];

/// How far an operator may go with a field: the lengths that its column, or what reads it, can
/// hold, and the patterns that make sense of it; none named are all.
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
    /// Those of a field.
    pub(super) fn of(field: &str) -> Self {
        match field {
            // Names are read aloud to customer service, and shown in tables.
            "username" => limits(3, 32, &[]),
            // Nobody may be allowed a shorter one, and hashing a longer one costs.
            "password" | "confirmPassword" => limits(8, 128, &[]),
            "mobileNum" => limits(5, 15, &[Pattern::Mobile]),
            "email" => limits(6, 254, &[Pattern::Email]),
            "paymentPassword" => limits(6, 32, &[]),
            // As invitation codes are made.
            "affiliateCode" | "referralCode" => limits(4, 16, CODES),
            "captcha" => limits(4, 8, CODES),
            "verificationCode" | "address" | "domain" => limits(1, 255, &[]),
            "birthday" => limits(10, 10, &[Pattern::DateYmd, Pattern::DateMdy]),
            _ => limits(1, 64, &[]),
        }
    }

    /// The patterns that make sense of the field.
    pub(super) fn patterns(&self) -> Vec<Pattern> {
        match self.patterns {
            [] => Pattern::all().collect(),
            named => named.to_vec(),
        }
    }
}

/// The lengths of the shortest and the longest text that a pattern takes.
pub(super) fn reach(pattern: Pattern) -> (usize, usize) {
    match pattern {
        Pattern::Email => (6, 254),
        Pattern::FullName => (3, 1024),
        Pattern::Mixed => (4, 1024),
        Pattern::DateYmd | Pattern::DateMdy => (10, 10),
        _ => (1, 1024),
    }
}

/// The field of a name, as every form has it.
pub(super) fn known_field(name: &str) -> Option<&'static str> {
    DEFAULTS.iter().map(|(field, _)| *field).find(|field| *field == name)
}

impl Default for RegisterRules {
    fn default() -> Self {
        Self(DEFAULTS.iter().copied().collect())
    }
}

impl RegisterRules {
    /// The rule of a field; none but the known fields is ever enabled.
    pub fn of(&self, field: &str) -> FieldRule {
        self.0.get(field).copied().unwrap_or(rule(OFF, (1, 1), Pattern::Any))
    }

    /// Every field with its rule.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, FieldRule)> {
        self.0.iter().map(|(field, rule)| (*field, *rule))
    }

    /// Replaces the rule of a field; fields that no form has are passed over.
    pub(super) fn set(&mut self, field: &str, rule: FieldRule) {
        if let Some(known) = self.0.get_mut(field) {
            *known = rule;
        }
    }

    pub(super) fn view(&self) -> BTreeMap<String, RegisterRule> {
        self.iter().map(|(field, rule)| (field.to_owned(), rule.into())).collect()
    }
}

/// What the law of a place asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The youngest that may be a member, in years.
    pub minimum_age: u32,
    /// After how many days a password has to be changed, where the switch for it is on.
    pub password_days: Option<u16>,
    /// The dialing code of mobile numbers that come without one.
    pub dialing_code: String,
    /// Whether nobody there may play: the site shows a page that says so.
    pub restricted: bool,
    /// Categories of games that are not offered there.
    pub closed_categories: Vec<String>,
}

impl Policy {
    /// This policy in the place of the merchant's own. Numbers are read as the merchant's members
    /// write them wherever they are, or a traveller's username would be another one.
    pub(super) fn over(self, own: &Self) -> Self {
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

/// The rule of one field of the registration form.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct RegisterRule {
    enabled: bool,
    required: bool,
    min_length: usize,
    max_length: usize,
    /// Which pattern it must have; `vectors/patterns.json` says exactly what each means.
    pattern_id: String,
    /// The same as a regular expression; `*` is anything.
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
            let (shortest, longest) = reach(shape.pattern);
            assert!(shortest <= shape.max && shape.min <= longest, "{field}");
        }
    }
}
