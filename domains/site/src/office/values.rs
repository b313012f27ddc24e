//! The settings as values: read, checked against each other, compared. Nothing here writes.

use std::collections::BTreeMap;

use capiz_rules::money::{Amount, Currency};
use capiz_rules::patterns::{Pattern, Shape};
use chrono_tz::Tz;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use super::hosts::is_host;
use crate::brand::{Brand, are_categories, is_set, is_text};
use crate::codes;
use crate::countries::{is_country, is_dialing_code};
use crate::rules::{FieldRule, Limits, NEVER_EMPTY, known_field, reach};
use crate::switches::{Known, Switch};
use platform::error::{ApiError, Bounds};
use platform::extract::malformed;

/// The most that a new member is given: a million.
const CREDIT_MAX: Amount = Amount::from_units(10_000_000_000);
const SMS_MAX: u32 = 1_000_000;
const PASSWORD_DAYS_MAX: u16 = 3_650;
const NAME_MAX: usize = 64;

/// The merchant's own policy, beside those of countries.
pub(super) const OWN: &str = "*";

/// What is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SettingKind)]
pub(super) enum Kind {
    /// A switch of the whitelabel tree.
    Switch,
    /// The rule of a field of the registration form.
    RegisterRule,
    /// What the law of a country asks; `*` is the merchant's own.
    Policy,
    /// A host that leads to the merchant.
    Host,
    /// What the brand shows.
    Brand,
    /// Whether the site is closed.
    Maintenance,
    /// Name, zone, money and numbers of the merchant.
    Merchant,
}

impl Kind {
    /// As it is stored and on the wire.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::RegisterRule => "register_rule",
            Self::Policy => "policy",
            Self::Host => "host",
            Self::Brand => "brand",
            Self::Maintenance => "maintenance",
            Self::Merchant => "merchant",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        serde_json::from_value(json!(text)).ok()
    }
}

/// Whether a switch is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SwitchValue {
    pub(super) enabled: bool,
}

/// What a field of the registration form may hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RuleValue {
    enabled: bool,
    required: bool,
    /// In characters.
    min_length: usize,
    max_length: usize,
    /// One of the patterns that the field can have.
    pattern_id: String,
}

/// What the law of a place asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PolicyValue {
    /// In years.
    pub(super) minimum_age: u16,
    /// After how many days a password has to be changed, where the switch for it is on.
    pub(super) password_days: Option<u16>,
    /// Of mobile numbers that come without one. Countries have none: numbers are read as the
    /// merchant's members write them, wherever they are.
    pub(super) dialing_code: Option<String>,
    /// Whether nobody there may play: visitors find a page that says so.
    #[serde(default)]
    pub(super) restricted: bool,
    /// Categories of games that are not offered there.
    #[serde(default)]
    pub(super) closed_categories: Vec<String>,
}

/// A host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HostValue {
    /// Whether the header `Merchant` chooses there.
    pub(super) shared: bool,
}

/// Whether the site is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MaintenanceValue {
    pub(super) on: bool,
}

/// Name, zone, money and numbers of a merchant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct MerchantValue {
    pub(super) name: String,
    /// Of the business day and of the site's clock, `Asia/Manila` for example.
    pub(super) time_zone: String,
    /// One of the hosts: links that leave the site lead there.
    pub(super) main_domain: String,
    /// What a new member finds in the wallet.
    #[schema(value_type = String)]
    pub(super) welcome_credit: Amount,
    /// How many minutes a code lives, 60 at most.
    pub(super) code_minutes: u16,
    /// How many text messages the merchant pays for in a day.
    pub(super) sms_per_day: u32,
    /// How many hours a demo account outlives its session, 8,760 at most.
    pub(super) trial_hours: u16,
}

/// All settings of a merchant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) id: Uuid,
    pub(super) code: String,
    pub(super) currency: Currency,
    pub(super) merchant: MerchantValue,
    pub(super) maintenance: MaintenanceValue,
    pub(super) switches: BTreeMap<&'static str, bool>,
    pub(super) rules: BTreeMap<&'static str, RuleValue>,
    pub(super) policies: BTreeMap<String, PolicyValue>,
    pub(super) hosts: BTreeMap<String, HostValue>,
    pub(super) brand: Brand,
}

/// One setting: which, and how it is or shall be. What can be added and removed may be nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Setting {
    Switch(&'static str, SwitchValue),
    RegisterRule(&'static str, RuleValue),
    Policy(String, Option<PolicyValue>),
    Host(String, Option<HostValue>),
    Brand(Box<Brand>),
    Maintenance(MaintenanceValue),
    Merchant(MerchantValue),
}

fn unknown_name() -> ApiError {
    ApiError::fields([("name", "unknown")])
}

/// A value of the shape that its kind has. Lists would be taken for fields in their order.
fn read<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    if !value.is_object() {
        return Err(malformed("value: not an object".to_owned()));
    }
    serde_json::from_value(value).map_err(|error| malformed(format!("value: {error}")))
}

/// A value of a setting that is always there.
fn need<T: DeserializeOwned>(value: Option<Value>) -> Result<T, ApiError> {
    read(value.ok_or_else(|| ApiError::fields([("value", "required")]))?)
}

impl Setting {
    /// Reads a setting of a kind and a name. Kinds that a merchant has one of have no name.
    pub(super) fn read(kind: Kind, name: &str, value: Option<Value>) -> Result<Self, ApiError> {
        let is_nameless = matches!(kind, Kind::Brand | Kind::Maintenance | Kind::Merchant);
        if is_nameless && !name.is_empty() {
            return Err(unknown_name());
        }
        Ok(match kind {
            Kind::Switch => {
                let known = Known::find(name).ok_or_else(unknown_name)?;
                Self::Switch(known.mod_id, need(value)?)
            }
            Kind::RegisterRule => {
                Self::RegisterRule(known_field(name).ok_or_else(unknown_name)?, need(value)?)
            }
            Kind::Policy if name == OWN || is_country(name) => {
                Self::Policy(name.to_owned(), value.map(read).transpose()?)
            }
            Kind::Host if is_host(name) => {
                Self::Host(name.to_owned(), value.map(read).transpose()?)
            }
            Kind::Policy | Kind::Host => return Err(unknown_name()),
            Kind::Brand => Self::Brand(need(value)?),
            Kind::Maintenance => Self::Maintenance(need(value)?),
            Kind::Merchant => Self::Merchant(need(value)?),
        })
    }

    /// Reads a setting as the history has it; a brand of before may lack what came since.
    pub(super) fn recall(kind: Kind, name: &str, value: Option<Value>) -> Result<Self, ApiError> {
        let value = match kind {
            Kind::Brand => value.map(Brand::completed),
            _ => value,
        };
        Self::read(kind, name, value)
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Switch(..) => Kind::Switch,
            Self::RegisterRule(..) => Kind::RegisterRule,
            Self::Policy(..) => Kind::Policy,
            Self::Host(..) => Kind::Host,
            Self::Brand(_) => Kind::Brand,
            Self::Maintenance(_) => Kind::Maintenance,
            Self::Merchant(_) => Kind::Merchant,
        }
    }

    /// Which of its kind; empty where a merchant has one.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Switch(name, _) | Self::RegisterRule(name, _) => name,
            Self::Policy(name, _) | Self::Host(name, _) => name,
            Self::Brand(_) | Self::Maintenance(_) | Self::Merchant(_) => "",
        }
    }

    /// Its value as JSON.
    pub(super) fn value(&self) -> Option<Value> {
        match self {
            Self::Switch(_, value) => Some(json!(value)),
            Self::RegisterRule(_, value) => Some(json!(value)),
            Self::Policy(_, value) => value.as_ref().map(|value| json!(value)),
            Self::Host(_, value) => value.as_ref().map(|value| json!(value)),
            Self::Brand(value) => Some(json!(value)),
            Self::Maintenance(value) => Some(json!(value)),
            Self::Merchant(value) => Some(json!(value)),
        }
    }

    /// The same setting as a merchant has it.
    pub(super) fn in_force(&self, settings: &Settings) -> Option<Value> {
        match self {
            Self::Switch(name, _) => {
                settings.switches.get(name).map(|enabled| json!(SwitchValue { enabled: *enabled }))
            }
            Self::RegisterRule(name, _) => settings.rules.get(name).map(|rule| json!(rule)),
            Self::Policy(name, _) => settings.policies.get(name).map(|policy| json!(policy)),
            Self::Host(name, _) => settings.hosts.get(name).map(|host| json!(host)),
            Self::Brand(_) => Some(json!(settings.brand)),
            Self::Maintenance(_) => Some(json!(settings.maintenance)),
            Self::Merchant(_) => Some(json!(settings.merchant)),
        }
    }

    /// Whether a merchant may have it so.
    pub(super) fn check(&self, settings: &Settings) -> Result<(), ApiError> {
        match self {
            Self::Switch(name, value) => check_switch(name, *value, settings),
            Self::RegisterRule(field, rule) => rule.check(field, settings),
            Self::Policy(name, value) => check_policy(name, value.as_ref()),
            Self::Host(name, value) => check_host(name, value.as_ref(), settings),
            Self::Brand(brand) => named(brand.faults()),
            Self::Maintenance(_) => Ok(()),
            Self::Merchant(value) => value.check(settings),
        }
    }
}

fn named(faults: Vec<(&'static str, &'static str)>) -> Result<(), ApiError> {
    match faults.is_empty() {
        true => Ok(()),
        false => Err(ApiError::fields(faults)),
    }
}

/// The fields that the ways of registering cannot do without, as the switches are. None can do without
/// the birth date: how old somebody has to be is law.
fn needed_fields(is_on: impl Fn(Switch) -> bool) -> Vec<&'static str> {
    let mut fields = vec!["birthday"];
    if is_on(Switch::UsernameRegistration) {
        fields.extend(["username", "password", "confirmPassword"]);
    }
    if is_on(Switch::MobileRegistration) {
        fields.push("mobileNum");
        if is_on(Switch::MobileRegistrationPassword) {
            fields.extend(["password", "confirmPassword"]);
        }
    }
    fields
}

/// A way of registering opens only where the form has the fields that it needs.
fn check_switch(name: &str, value: SwitchValue, settings: &Settings) -> Result<(), ApiError> {
    let was_on = |switch: Switch| settings.switches.get(switch.mod_id()) == Some(&true);
    let is_on = |switch: Switch| match switch.mod_id() == name {
        true => value.enabled,
        false => was_on(switch),
    };
    let before = needed_fields(was_on);
    let is_shown = |field: &str| settings.rules.get(field).is_some_and(|rule| rule.enabled);
    match needed_fields(is_on).into_iter().all(|field| before.contains(&field) || is_shown(field)) {
        true => Ok(()),
        false => Err(ApiError::fields([("enabled", "field_off")])),
    }
}

impl RuleValue {
    pub(super) fn new(rule: FieldRule) -> Self {
        Self {
            enabled: rule.enabled,
            required: rule.required,
            min_length: rule.shape.min,
            max_length: rule.shape.max,
            pattern_id: rule.shape.pattern.id().to_owned(),
        }
    }

    /// The rule, if it has a pattern that there is.
    pub(super) fn rule(&self) -> Option<FieldRule> {
        let pattern = Pattern::find(&self.pattern_id)?;
        let shape = Shape { min: self.min_length, max: self.max_length, pattern };
        Some(FieldRule { enabled: self.enabled, required: self.required, shape })
    }

    fn check(&self, field: &str, settings: &Settings) -> Result<(), ApiError> {
        let least_room = |field| match field {
            // A sentence is a good password.
            "password" | "confirmPassword" => 64,
            _ => Limits::of(field).min,
        };
        let is_on = |switch: Switch| settings.switches.get(switch.mod_id()) == Some(&true);
        if !self.enabled && needed_fields(is_on).contains(&field) {
            return Err(ApiError::fields([("enabled", "needed")]));
        }
        if !self.required && NEVER_EMPTY.contains(&field) {
            return Err(ApiError::fields([("required", "needed")]));
        }
        let limits = Limits::of(field);
        let pattern = Pattern::find(&self.pattern_id);
        let Some(pattern) = pattern.filter(|pattern| limits.patterns().contains(pattern)) else {
            return Err(ApiError::fields([("patternId", "unknown")]));
        };
        let (shortest, longest) = reach(pattern);
        let min = Bounds { min: limits.min, max: limits.max.min(longest) };
        let max = Bounds { min: least_room(field).max(shortest), max: limits.max };
        let mut faults = Vec::new();
        if !(min.min..=min.max).contains(&self.min_length) {
            faults.push(("minLength", "range", Some(min)));
        }
        if !(max.min..=max.max).contains(&self.max_length) {
            faults.push(("maxLength", "range", Some(max)));
        }
        if self.max_length < self.min_length {
            faults.push(("maxLength", "below_min", None));
        }
        match faults.is_empty() {
            true => Ok(()),
            false => Err(ApiError::new(platform::codes::INPUT_INVALID).naming(faults)),
        }
    }
}

fn check_policy(name: &str, value: Option<&PolicyValue>) -> Result<(), ApiError> {
    let Some(policy) = value else {
        return match name {
            OWN => Err(ApiError::fields([("value", "required")])),
            _ => Ok(()),
        };
    };
    let mut faults = Vec::new();
    if !(18..=99).contains(&policy.minimum_age) {
        faults.push(("minimumAge", "range"));
    }
    if policy.password_days.is_some_and(|days| !(1..=PASSWORD_DAYS_MAX).contains(&days)) {
        faults.push(("passwordDays", "range"));
    }
    let is_good = match &policy.dialing_code {
        Some(code) => name == OWN && is_dialing_code(code),
        None => name != OWN,
    };
    if !is_good {
        faults.push(("dialingCode", "unknown"));
    }
    if !is_set(&policy.closed_categories) || !are_categories(&policy.closed_categories) {
        faults.push(("closedCategories", "unknown"));
    }
    named(faults)
}

/// A merchant keeps a host, and the one that its links lead to.
fn check_host(name: &str, value: Option<&HostValue>, settings: &Settings) -> Result<(), ApiError> {
    let is_needed = settings.hosts.len() < 2 || settings.merchant.main_domain == name;
    match value.is_none() && settings.hosts.contains_key(name) && is_needed {
        true => Err(ApiError::new(codes::HOST_NEEDED)),
        false => Ok(()),
    }
}

impl MerchantValue {
    fn check(&self, settings: &Settings) -> Result<(), ApiError> {
        let mut faults = self.faults(settings.currency);
        if !settings.hosts.contains_key(&self.main_domain) {
            faults.push(("mainDomain", "unknown"));
        }
        named(faults)
    }

    /// What is wrong with it, whatever hosts there are.
    pub(super) fn faults(&self, currency: Currency) -> Vec<(&'static str, &'static str)> {
        let mut faults = Vec::new();
        let mut expect = |is_good: bool, field, code| {
            if !is_good {
                faults.push((field, code));
            }
        };
        expect(is_text(&self.name, NAME_MAX), "name", "length");
        expect(self.time_zone.parse::<Tz>().is_ok(), "timeZone", "unknown");
        let credit = self.welcome_credit;
        expect((Amount::ZERO..=CREDIT_MAX).contains(&credit), "welcomeCredit", "range");
        expect(credit.is_multiple_of(currency.payable_unit()), "welcomeCredit", "pattern");
        // No longer: a code that is short enough to be typed can be guessed.
        expect((1..=10).contains(&self.code_minutes), "codeMinutes", "range");
        expect(self.sms_per_day <= SMS_MAX, "smsPerDay", "range");
        expect((1..=8_760).contains(&self.trial_hours), "trialHours", "range");
        faults
    }
}
