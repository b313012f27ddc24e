//! Settings as typed values: parsing, validation against each other and comparison. No SQL.

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
use crate::brand::{Brand, are_categories, are_unique, is_text};
use crate::codes;
use crate::countries::{is_country, is_dialing_code};
use crate::rules::{FieldRule, Limits, NEVER_EMPTY, known_field, pattern_lengths};
use crate::switches::{KnownSwitch, Switch};
use platform::error::{ApiError, Bounds};
use platform::extract::malformed;

/// The largest welcome credit: a million.
const CREDIT_MAX: Amount = Amount::from_units(10_000_000_000);
const SMS_MAX: u32 = 1_000_000;
const PASSWORD_DAYS_MAX: u16 = 3_650;
const NAME_MAX: usize = 64;

/// The name of the merchant's own policy; the other policies have a country code.
pub(super) const OWN: &str = "*";

/// The kind of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SettingKind)]
pub(super) enum Kind {
    /// A switch of the whitelabel tree.
    Switch,
    /// The rule of a field of the registration form.
    RegisterRule,
    /// The legal policy of a country; `*` is the merchant's own.
    Policy,
    /// A host that leads to the merchant.
    Host,
    /// The brand's configuration.
    Brand,
    /// Whether the site is closed for maintenance.
    Maintenance,
    /// Name, time zone, main domain, welcome credit and limits of the merchant.
    Merchant,
}

impl Kind {
    /// The name in the database and in the API.
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

/// The rule of a field of the registration form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RuleValue {
    enabled: bool,
    required: bool,
    /// Minimum length in characters.
    min_length: usize,
    /// Maximum length in characters.
    max_length: usize,
    /// The name of one of the patterns that the field can have.
    pattern_id: String,
}

/// What the law of a country requires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PolicyValue {
    /// The minimum age of members, in years.
    pub(super) minimum_age: u16,
    /// After how many days a password expires, if the switch `PWDEXPIRY3` is on.
    pub(super) password_days: Option<u16>,
    /// The dialing code of mobile numbers that are entered without one. Only the merchant's own
    /// policy has it, because numbers are read the same way in every country.
    pub(super) dialing_code: Option<String>,
    /// Whether nobody in the country may play. Visitors then see a page that says so.
    #[serde(default)]
    pub(super) restricted: bool,
    /// Categories of games that are not offered in the country.
    #[serde(default)]
    pub(super) closed_categories: Vec<String>,
}

/// A host that leads to the merchant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HostValue {
    /// Whether the header `Merchant` may choose another merchant on this host.
    pub(super) shared: bool,
}

/// Whether the site is closed for maintenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MaintenanceValue {
    pub(super) on: bool,
}

/// Name, time zone, main domain, welcome credit and limits of a merchant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct MerchantValue {
    pub(super) name: String,
    /// The IANA time zone of the business day and of the site's clock, such as `Asia/Manila`.
    pub(super) time_zone: String,
    /// The domain in links that are sent out. It must be one of the hosts.
    pub(super) main_domain: String,
    /// The credit in the wallet of a new member.
    #[schema(value_type = String)]
    pub(super) welcome_credit: Amount,
    /// How many minutes a verification code is valid, at most 10.
    pub(super) code_minutes: u16,
    /// The daily limit of text messages (SMS) that the merchant pays for.
    pub(super) sms_per_day: u32,
    /// How many hours a demo account is kept after its session ends, at most 8,760.
    pub(super) trial_hours: u16,
}

/// All current settings of a merchant.
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

/// One setting with its name and value. `None` means that the policy or host is absent or removed.
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

/// Parses a value. Only objects are accepted, because serde would read an array as the fields of a
/// struct in order.
fn read<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    if !value.is_object() {
        return Err(malformed("value: not an object".to_owned()));
    }
    serde_json::from_value(value).map_err(|error| malformed(format!("value: {error}")))
}

/// Parses the value of a setting that cannot be removed.
fn read_required<T: DeserializeOwned>(value: Option<Value>) -> Result<T, ApiError> {
    read(value.ok_or_else(|| ApiError::fields([("value", "required")]))?)
}

impl Setting {
    /// Parses a setting. Kinds of which a merchant has only one take an empty name.
    pub(super) fn read(kind: Kind, name: &str, value: Option<Value>) -> Result<Self, ApiError> {
        let is_nameless = matches!(kind, Kind::Brand | Kind::Maintenance | Kind::Merchant);
        if is_nameless && !name.is_empty() {
            return Err(unknown_name());
        }
        Ok(match kind {
            Kind::Switch => {
                let known = KnownSwitch::find(name).ok_or_else(unknown_name)?;
                Self::Switch(known.mod_id, read_required(value)?)
            }
            Kind::RegisterRule => {
                let field = known_field(name).ok_or_else(unknown_name)?;
                Self::RegisterRule(field, read_required(value)?)
            }
            Kind::Policy if name == OWN || is_country(name) => {
                Self::Policy(name.to_owned(), value.map(read).transpose()?)
            }
            Kind::Host if is_host(name) => {
                Self::Host(name.to_owned(), value.map(read).transpose()?)
            }
            Kind::Policy | Kind::Host => return Err(unknown_name()),
            Kind::Brand => Self::Brand(read_required(value)?),
            Kind::Maintenance => Self::Maintenance(read_required(value)?),
            Kind::Merchant => Self::Merchant(read_required(value)?),
        })
    }

    /// Parses a setting from the history. An old brand may lack fields, so these get their
    /// defaults.
    pub(super) fn read_stored(
        kind: Kind,
        name: &str,
        value: Option<Value>,
    ) -> Result<Self, ApiError> {
        let value = match kind {
            Kind::Brand => value.map(Brand::with_defaults),
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

    /// Its name within its kind; empty for kinds of which a merchant has only one.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Switch(name, _) | Self::RegisterRule(name, _) => name,
            Self::Policy(name, _) | Self::Host(name, _) => name,
            Self::Brand(_) | Self::Maintenance(_) | Self::Merchant(_) => "",
        }
    }

    /// Its value as JSON; `None` if it is removed.
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

    /// The current value of the same setting, as JSON.
    pub(super) fn current_value(&self, settings: &Settings) -> Option<Value> {
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

    /// Validates the value against the other settings of the merchant.
    pub(super) fn check(&self, settings: &Settings) -> Result<(), ApiError> {
        match self {
            Self::Switch(name, value) => check_switch(name, *value, settings),
            Self::RegisterRule(field, rule) => rule.check(field, settings),
            Self::Policy(name, value) => check_policy(name, value.as_ref()),
            Self::Host(name, value) => check_host(name, value.as_ref(), settings),
            Self::Brand(brand) => no_faults(brand.faults()),
            Self::Maintenance(_) => Ok(()),
            Self::Merchant(value) => value.check(settings),
        }
    }
}

/// Turns validation errors into an API error.
fn no_faults(faults: Vec<(&'static str, &'static str)>) -> Result<(), ApiError> {
    match faults.is_empty() {
        true => Ok(()),
        false => Err(ApiError::fields(faults)),
    }
}

/// The fields that the enabled registration methods need. All need the birth date, because the
/// minimum age is law.
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

/// A registration method can be switched on only if the form has the fields that it needs.
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

    /// The rule, or `None` if its pattern does not exist.
    pub(super) fn rule(&self) -> Option<FieldRule> {
        let pattern = Pattern::find(&self.pattern_id)?;
        let shape = Shape { min: self.min_length, max: self.max_length, pattern };
        Some(FieldRule { enabled: self.enabled, required: self.required, shape })
    }

    fn check(&self, field: &str, settings: &Settings) -> Result<(), ApiError> {
        // The lowest `maxLength` that an operator can set.
        let lowest_max = |field| match field {
            // A passphrase is a good password.
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
        let (shortest, longest) = pattern_lengths(pattern);
        let min = Bounds { min: limits.min, max: limits.max.min(longest) };
        let max = Bounds { min: lowest_max(field).max(shortest), max: limits.max };
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
    let is_valid = match &policy.dialing_code {
        Some(code) => name == OWN && is_dialing_code(code),
        None => name != OWN,
    };
    if !is_valid {
        faults.push(("dialingCode", "unknown"));
    }
    if !are_unique(&policy.closed_categories) || !are_categories(&policy.closed_categories) {
        faults.push(("closedCategories", "unknown"));
    }
    no_faults(faults)
}

/// A merchant must keep at least one host and its main domain.
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
        no_faults(faults)
    }

    /// Validation errors as (field, code), without the check that the main domain is a host.
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
        // At most 10 minutes: a code that is short enough to type can be guessed in time.
        expect((1..=10).contains(&self.code_minutes), "codeMinutes", "range");
        expect(self.sms_per_day <= SMS_MAX, "smsPerDay", "range");
        expect((1..=8_760).contains(&self.trial_hours), "trialHours", "range");
        faults
    }
}
