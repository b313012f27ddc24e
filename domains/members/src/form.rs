//! The registration form: validated under the merchant's rules, with all errors reported together.
//!
//! A field that the rules have switched off is ignored: its value is neither checked nor stored,
//! because the merchant does not want the data.

use capiz_rules::names::FieldCode;
use capiz_rules::patterns::{self, Day, Pattern, Shape};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::Deserialize;
use utoipa::ToSchema;

use super::model::{GivenNumber, Newcomer, Origin, Person};
use super::store::Standing;
use platform::error::{ApiError, Bounds};
use platform::guessable::is_guessable;
use platform::phone::{self, Mobile};
use site::{Merchant, Switch};

/// Maximum length of a page's URL, in characters.
const URL_MAX: usize = 1024;
/// Birth dates that make a person older than this are invalid.
const AGE_MAX: u32 = 130;

/// How a member registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistrationMethod {
    /// With a username and a password.
    Username,
    /// With a mobile number, which becomes the username.
    Mobile,
}

/// How a registration verifies the mobile number.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Channel {
    /// With a code that was sent to the number.
    Sms,
    /// With the ID token of the phone service.
    Service,
}

/// Registration. The rules of `GET /wps/system/setting/register` decide which fields are read and
/// which are required.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    username: Option<String>,
    password: Option<String>,
    confirm_password: Option<String>,
    mobile_num: Option<String>,
    /// The dialing code of the mobile number, with or without `+`; by default that of the
    /// merchant's country.
    country_dialing_code: Option<String>,
    email: Option<String>,
    nickname: Option<String>,
    /// The real name.
    payee_name: Option<String>,
    /// The transaction password.
    payment_password: Option<String>,
    /// The invitation code of an agent.
    affiliate_code: Option<String>,
    /// The username of the member who recommended the site.
    recommender_id: Option<String>,
    /// The code of the referral link by which the page was opened.
    referral_code: Option<String>,
    captcha: Option<String>,
    /// The solved proof-of-work challenge, `{challenge, solution}` in base64.
    human: Option<String>,
    /// The code that was sent to the mobile number; required with a number if the site sends codes.
    verification_code: Option<String>,
    /// The ID token of the phone service, in place of a code; ignored unless the service is
    /// switched on.
    id_token: Option<String>,
    /// Whether the code or the ID token verifies the number; by default the ID token, if there is
    /// one.
    channel: Option<Channel>,
    qq_num: Option<String>,
    whatsapp: Option<String>,
    facebook: Option<String>,
    telegram: Option<String>,
    zalo: Option<String>,
    line: Option<String>,
    wechat: Option<String>,
    id_number: Option<String>,
    birthday: Option<String>,
    address: Option<String>,
    nationality: Option<String>,
    occupation: Option<String>,
    source_of_income: Option<String>,
    domain: Option<String>,
    register_url: Option<String>,
    /// `WEB`.
    register_method: Option<String>,
    /// The member confirms being 18 or older.
    #[serde(default)]
    adult: bool,
    /// The member confirms having reached the minimum age; required with a birth date.
    #[serde(default)]
    of_age: bool,
    /// The member agrees to the terms and the privacy policy.
    #[serde(default)]
    terms: bool,
}

impl Registration {
    /// A form with no more than the required fields.
    pub fn by_username(username: &str, password: &str) -> Self {
        let password = Some(password.to_owned());
        Self {
            username: Some(username.to_owned()),
            confirm_password: password.clone(),
            password,
            birthday: Some("1990-01-01".to_owned()),
            of_age: true,
            adult: true,
            terms: true,
            ..Self::default()
        }
    }

    /// Validates everything that needs no look-up in the database.
    pub fn check(
        mut self,
        method: RegistrationMethod,
        merchant: &Merchant,
        now: DateTime<Utc>,
    ) -> Result<Newcomer, ApiError> {
        let mut checker = Checker::new(merchant, now);
        for (field, ticked) in [("adult", self.adult), ("terms", self.terms)] {
            if !ticked {
                checker.fault(field, FieldCode::Required);
            }
        }
        let number = self.number(&mut checker, method == RegistrationMethod::Mobile);
        let account = match method {
            RegistrationMethod::Username => checker.username(self.username.take()),
            RegistrationMethod::Mobile => {
                number.as_ref().map(|it| it.mobile.clone()).unwrap_or_default()
            }
        };
        let asks_password = method == RegistrationMethod::Username
            || merchant.allows(Switch::MobileRegistrationPassword);
        let known = [&account, self.mobile_num.as_deref().unwrap_or_default()];
        let password = asks_password.then(|| {
            checker.repeated((self.password.take(), self.confirm_password.take()), &known)
        });
        let newcomer = Newcomer {
            account,
            password,
            payment_password: checker.payment_password(self.payment_password.take()),
            nickname: checker.take("nickname", self.nickname.take()),
            number,
            email: checker.take("email", self.email.take()),
            affiliate_code: checker.take("affiliateCode", self.affiliate_code.take()),
            referral_code: checker.referral_code(self.referral_code.take()),
            recommender: checker.take("recommenderId", self.recommender_id.take()),
            captcha: checker.captcha(self.captcha.take()),
            human: self.human.take(),
            person: self.person(&mut checker),
            origin: checker.origin(self.domain, self.register_url, self.register_method),
        };
        checker.finish().map(|()| newcomer)
    }

    /// The form's mobile number with its evidence: a code if the site requires one, or an ID token
    /// of the phone service in its place. The evidence is required with an invalid number, too: the
    /// form shows both fields together, so all errors are reported at once.
    fn number(&mut self, checker: &mut Checker<'_>, by_mobile: bool) -> Option<GivenNumber> {
        let mobile = checker.mobile(self, by_mobile);
        if mobile.is_none() && !checker.is_faulty("mobileNum") {
            return None;
        }
        let merchant = checker.merchant;
        let by_service =
            merchant.allows(Switch::PhoneService) && self.channel != Some(Channel::Sms);
        let id_token = self.id_token.take().filter(|token| by_service && !token.is_empty());
        let needs_code = id_token.is_none() && merchant.requires_registration_code(by_mobile);
        let code =
            needs_code.then(|| checker.need("verificationCode", self.verification_code.take()));
        mobile.map(|mobile| GivenNumber { mobile, code, id_token })
    }

    /// The fields that a member has yet to fill in: each by its rule, except those that are known.
    pub(super) fn remaining(
        mut self,
        checker: &mut Checker<'_>,
        known: &Standing,
    ) -> RemainingFields {
        for (field, is_known) in [
            ("mobileNum", known.mobile.is_some()),
            ("email", known.email.is_some()),
            ("payeeName", known.payee_name.is_some()),
            ("idNumber", known.has_id_number),
            ("address", known.address.is_some()),
            ("nationality", known.nationality.is_some()),
            ("occupation", known.occupation.is_some()),
            ("sourceOfIncome", known.source_of_income.is_some()),
            ("birthday", known.has_birthday),
        ] {
            if is_known {
                checker.known.push(field);
            }
        }
        let payment_password = match known.has_payment_password {
            true => None,
            false => checker.payment_password(self.payment_password.take()),
        };
        RemainingFields {
            number: self.number(checker, false),
            email: checker.take("email", self.email.take()),
            payment_password,
            nickname: checker.take("nickname", self.nickname.take()),
            affiliate_code: checker.take("affiliateCode", self.affiliate_code.take()),
            recommender: checker.take("recommenderId", self.recommender_id.take()),
            person: self.person(checker),
        }
    }

    fn person(&mut self, checker: &mut Checker<'_>) -> Person {
        Person {
            payee_name: checker.take("payeeName", self.payee_name.take()),
            birthday: checker.need_birthday(self.birthday.take(), self.of_age),
            id_number: checker.take("idNumber", self.id_number.take()),
            contacts: [
                checker.take("qqNum", self.qq_num.take()),
                checker.take("whatsapp", self.whatsapp.take()),
                checker.take("facebook", self.facebook.take()),
                checker.take("telegram", self.telegram.take()),
                checker.take("zalo", self.zalo.take()),
                checker.take("line", self.line.take()),
                checker.take("wechat", self.wechat.take()),
            ],
            address: checker.take("address", self.address.take()),
            nationality: checker.take("nationality", self.nationality.take()),
            occupation: checker.take("occupation", self.occupation.take()),
            source_of_income: checker.take("sourceOfIncome", self.source_of_income.take()),
        }
    }
}

/// The fields with which a member completes a registration.
pub(super) struct RemainingFields {
    pub(super) number: Option<GivenNumber>,
    /// As typed; not verified.
    pub(super) email: Option<String>,
    pub(super) payment_password: Option<String>,
    pub(super) nickname: Option<String>,
    pub(super) affiliate_code: Option<String>,
    pub(super) recommender: Option<String>,
    pub(super) person: Person,
}

/// Validates fields under a merchant's rules and collects the errors.
pub(super) struct Checker<'a> {
    merchant: &'a Merchant,
    today: NaiveDate,
    /// Fields whose values are known already; new values are ignored.
    known: Vec<&'static str>,
    faults: Vec<(&'static str, FieldCode, Option<Bounds>)>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(merchant: &'a Merchant, now: DateTime<Utc>) -> Self {
        let zone: Tz = merchant.time_zone.parse().unwrap_or(Tz::UTC);
        let today = now.with_timezone(&zone).date_naive();
        Self { merchant, today, known: Vec::new(), faults: Vec::new() }
    }

    pub(super) fn fault(&mut self, field: &'static str, code: FieldCode) {
        self.faults.push((field, code, None));
    }

    /// All errors as one response.
    pub(super) fn finish(self) -> Result<(), ApiError> {
        if self.faults.is_empty() {
            return Ok(());
        }
        let faults = self.faults.into_iter();
        let named = faults.map(|(field, code, bounds)| (field, code.as_str(), bounds));
        Err(ApiError::new(platform::codes::INPUT_INVALID).naming(named))
    }

    fn shape(&self, field: &str) -> Shape {
        self.merchant.register_rules.of(field).shape
    }

    /// Whether the form has the field and its value is not known already.
    fn asks(&self, field: &str) -> bool {
        self.merchant.register_rules.of(field).enabled && !self.known.contains(&field)
    }

    /// The text of a field under its rule: none if the field is switched off, or empty and not
    /// required.
    pub(super) fn take(&mut self, field: &'static str, given: Option<String>) -> Option<String> {
        let rule = self.merchant.register_rules.of(field);
        if !self.asks(field) {
            return None;
        }
        let text = given.map(|text| text.trim().to_owned()).unwrap_or_default();
        if text.is_empty() && !rule.required {
            return None;
        }
        self.test(field, &text);
        Some(text)
    }

    /// The text of a field that is required, whatever its rule says.
    fn need(&mut self, field: &'static str, given: Option<String>) -> String {
        let text = given.map(|text| text.trim().to_owned()).unwrap_or_default();
        self.test(field, &text);
        text
    }

    /// Whether a text has the shape of a field. Control characters are never allowed.
    pub(super) fn test(&mut self, field: &'static str, text: &str) -> bool {
        let shape = self.shape(field);
        let shaped = match shape.check(text) {
            Ok(()) if text.chars().any(char::is_control) => Err(FieldCode::Pattern),
            checked => checked,
        };
        if let Err(code) = shaped {
            self.faults.push((field, code, Some(Bounds { min: shape.min, max: shape.max })));
        }
        shaped.is_ok()
    }

    /// The captcha answer, required if the form has a captcha. The rule's length is that of the
    /// image; answers to a question in words are longer, so the length is not checked here.
    fn captcha(&mut self, given: Option<String>) -> Option<String> {
        if !self.merchant.register_rules.of("captcha").enabled {
            return None;
        }
        let text = given.map(|text| text.trim().to_owned()).unwrap_or_default();
        if text.is_empty() {
            self.fault("captcha", FieldCode::Required);
        }
        Some(text)
    }

    fn username(&mut self, given: Option<String>) -> String {
        let name = self.need("username", given);
        // Usernames are compared with ASCII case folding, so other letters with case are refused.
        let is_comparable = name.to_lowercase() == name.to_ascii_lowercase();
        if !is_comparable || !(name.is_empty() || Pattern::NoSpaces.fits(&name)) {
            self.fault_once("username", FieldCode::Pattern);
        }
        name
    }

    /// The code of a referral link. Unless the merchant requires one, nobody has typed it, so a
    /// code from a broken link is dropped and does not block the registration.
    fn referral_code(&mut self, given: Option<String>) -> Option<String> {
        let rule = self.merchant.register_rules.of("referralCode");
        let given = given.filter(|text| rule.required || rule.shape.check(text.trim()).is_ok());
        self.take("referralCode", given)
    }

    /// A new password, typed twice. `names` are words that an attacker would try first.
    fn repeated(
        &mut self,
        (password, again): (Option<String>, Option<String>),
        names: &[&str],
    ) -> String {
        let (password, again) = (password.unwrap_or_default(), again.unwrap_or_default());
        self.secret("password", &password, names);
        self.same("confirmPassword", &password, &again);
        password
    }

    /// Validates a new password; `field` is the name of its field in this form.
    pub(super) fn secret(&mut self, field: &'static str, password: &str, names: &[&str]) {
        let shape = self.shape("password");
        let merchant = [self.merchant.code.as_str(), &self.merchant.name];
        let words: Vec<&str> = names.iter().copied().chain(merchant).collect();
        let password = password.trim();
        match shape.check(password) {
            Err(code) => {
                let bounds = Bounds { min: shape.min, max: shape.max };
                self.faults.push((field, code, Some(bounds)));
            }
            Ok(()) if is_guessable(password, &words) => self.fault(field, FieldCode::Common),
            Ok(()) => {}
        }
    }

    /// Checks that something was typed the same way twice.
    pub(super) fn same(&mut self, field: &'static str, first: &str, again: &str) {
        if again.trim().is_empty() {
            self.fault(field, FieldCode::Required);
        } else if again.trim() != first.trim() {
            self.fault(field, FieldCode::Mismatch);
        }
    }

    /// The transaction password; required if the form has the field.
    fn payment_password(&mut self, given: Option<String>) -> Option<String> {
        let is_shown = self.merchant.register_rules.of("paymentPassword").enabled;
        is_shown.then(|| {
            let password = given.unwrap_or_default();
            self.payment_secret(&password);
            password
        })
    }

    pub(super) fn payment_secret(&mut self, password: &str) {
        let password = password.trim();
        if self.test("paymentPassword", password) && is_guessable(password, &[]) {
            self.fault("paymentPassword", FieldCode::Common);
        }
    }

    /// The mobile number in E.164 form.
    fn mobile(&mut self, form: &Registration, is_needed: bool) -> Option<String> {
        // People type numbers with gaps, which are removed.
        let given = form.mobile_num.as_deref().map(phone::without_gaps);
        let typed = match (given, is_needed) {
            // The rule describes national numbers, so it does not apply to international ones.
            (Some(international), _)
                if international.starts_with('+') && (is_needed || self.asks("mobileNum")) =>
            {
                Some(international)
            }
            (given, true) => Some(self.need("mobileNum", given)),
            (given, false) => self.take("mobileNum", given),
        }?;
        if self.is_faulty("mobileNum") {
            return None;
        }
        let code = form.country_dialing_code.as_deref().map(str::trim).unwrap_or_default();
        let code = if code.is_empty() { &self.merchant.policy.dialing_code } else { code };
        let number = Mobile::parse(code, &typed).ok();
        if number.is_none() {
            self.fault("mobileNum", FieldCode::Invalid);
        }
        number.map(|number| number.e164().to_owned())
    }

    /// The birth date, required whatever the rules say unless it is known: a checkbox alone is no
    /// proof of age.
    fn need_birthday(&mut self, given: Option<String>, of_age: bool) -> Option<NaiveDate> {
        if self.known.contains(&"birthday") {
            return None;
        }
        let text = self.need("birthday", given);
        self.birthday(&text, of_age)
    }

    /// Parses a birth date, and checks the minimum age and the member's confirmation of it.
    pub(super) fn birthday(&mut self, text: &str, of_age: bool) -> Option<NaiveDate> {
        let read = match self.shape("birthday").pattern {
            Pattern::DateMdy => patterns::date_mdy(text),
            _ => patterns::date_ymd(text),
        };
        let Some(Day { year, month, day }) = read else {
            // The rule's pattern has reported the error already, unless it is not a date pattern.
            self.fault_once("birthday", FieldCode::Pattern);
            return None;
        };
        let date = NaiveDate::from_ymd_opt(year.into(), month.into(), day.into())?;
        match self.today.years_since(date) {
            None => self.fault_once("birthday", FieldCode::Invalid),
            Some(age) if age > AGE_MAX => self.fault_once("birthday", FieldCode::Invalid),
            Some(age) if age < self.merchant.policy.minimum_age => {
                self.fault_once("birthday", FieldCode::TooYoung);
            }
            Some(_) if !of_age => self.fault("ofAge", FieldCode::Required),
            Some(_) => {}
        }
        Some(date)
    }

    fn fault_once(&mut self, field: &'static str, code: FieldCode) {
        if !self.is_faulty(field) {
            self.fault(field, code);
        }
    }

    fn is_faulty(&self, field: &str) -> bool {
        self.faults.iter().any(|(faulty, ..)| *faulty == field)
    }

    fn origin(
        &mut self,
        domain: Option<String>,
        url: Option<String>,
        method: Option<String>,
    ) -> Origin {
        if url.as_ref().is_some_and(|url| url.chars().count() > URL_MAX) {
            self.fault("registerUrl", FieldCode::TooLong);
        }
        if method.as_deref().is_some_and(|method| method != "WEB") {
            self.fault("registerMethod", FieldCode::Invalid);
        }
        Origin { domain: self.take("domain", domain), url, method }
    }
}
