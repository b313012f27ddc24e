//! The registration form: read under the merchant's rules, all faults together.
//!
//! A field that the rules have switched off is ignored: whatever comes in it is neither checked
//! nor stored, because the merchant does not want to know it.

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

/// The most characters of a page's address.
const URL_MAX: usize = 1024;
/// Nobody is older.
const AGE_MAX: u32 = 130;

/// By what a member registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By a username and a password.
    Username,
    /// By a mobile number, which becomes the username.
    Mobile,
}

/// How a newcomer has shown whose a mobile number is.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Channel {
    /// By a code that was sent there.
    Sms,
    /// Through the phone service.
    Service,
}

/// Registration. Which fields are looked at, and which must be there, say the rules of
/// `GET /wps/system/setting/register`.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Registration {
    username: Option<String>,
    password: Option<String>,
    confirm_password: Option<String>,
    mobile_num: Option<String>,
    /// Of the mobile number, with or without `+`; the merchant's own country by default.
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
    /// From the page's link.
    referral_code: Option<String>,
    captcha: Option<String>,
    /// The solved challenge, `{challenge, solution}` in base64.
    human: Option<String>,
    /// The code that was sent to the mobile number; needed beside one where the site sends codes.
    verification_code: Option<String>,
    /// What the phone service gave the page, in place of a code; looked at where the service is
    /// switched on.
    id_token: Option<String>,
    /// Which of both shows whose the number is; by default the token, where one came.
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
    /// The member confirms having reached the minimum age; needed beside a birth date.
    #[serde(default)]
    of_age: bool,
    /// The member agrees to the terms and the privacy policy.
    #[serde(default)]
    terms: bool,
}

impl Registration {
    /// The form of somebody who fills in no more than needed.
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

    /// Checks everything that can be checked without looking anything up.
    pub fn check(
        mut self,
        way: Way,
        merchant: &Merchant,
        now: DateTime<Utc>,
    ) -> Result<Newcomer, ApiError> {
        let mut checker = Checker::new(merchant, now);
        for (field, ticked) in [("adult", self.adult), ("terms", self.terms)] {
            if !ticked {
                checker.fault(field, FieldCode::Required);
            }
        }
        let number = self.number(&mut checker, way == Way::Mobile);
        let account = match way {
            Way::Username => checker.username(self.username.take()),
            Way::Mobile => number.as_ref().map(|it| it.mobile.clone()).unwrap_or_default(),
        };
        let asks_password =
            way == Way::Username || merchant.allows(Switch::MobileRegistrationPassword);
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

    /// The form's number, and what shows that it is its owner's: a code where the site asks for one,
    /// or the word of the phone service in its place. That is asked beside every number that was
    /// written down, even one that is wrong: the form shows both fields together.
    fn number(&mut self, checker: &mut Checker<'_>, by_mobile: bool) -> Option<GivenNumber> {
        let mobile = checker.mobile(self, by_mobile);
        if mobile.is_none() && !checker.is_faulty("mobileNum") {
            return None;
        }
        let merchant = checker.merchant;
        let by_service =
            merchant.allows(Switch::PhoneService) && self.channel != Some(Channel::Sms);
        let id_token = self.id_token.take().filter(|token| by_service && !token.is_empty());
        let is_asked = id_token.is_none() && merchant.asks_registration_code(by_mobile);
        let code =
            is_asked.then(|| checker.need("verificationCode", self.verification_code.take()));
        mobile.map(|mobile| GivenNumber { mobile, code, id_token })
    }

    /// What a form asks besides of somebody who is a member already: each field by its rule, but
    /// for what is known.
    pub(super) fn rest(mut self, checker: &mut Checker<'_>, known: &Standing) -> Rest {
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
        Rest {
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

/// What somebody tells who is a member already.
pub(super) struct Rest {
    pub(super) number: Option<GivenNumber>,
    /// As it was written; nobody has verified it.
    pub(super) email: Option<String>,
    pub(super) payment_password: Option<String>,
    pub(super) nickname: Option<String>,
    pub(super) affiliate_code: Option<String>,
    pub(super) recommender: Option<String>,
    pub(super) person: Person,
}

/// Checks fields under a merchant's rules and remembers what is wrong with each.
pub(super) struct Checker<'a> {
    merchant: &'a Merchant,
    today: NaiveDate,
    /// Fields that are known already: what comes in them is not looked at.
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

    /// All faults as one answer.
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

    /// Whether the form has the field, and what it asks is not known already.
    fn asks(&self, field: &str) -> bool {
        self.merchant.register_rules.of(field).enabled && !self.known.contains(&field)
    }

    /// The text of a field that the rules decide about: none where it is switched off, or empty
    /// and not required.
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

    /// The text of a field that must be there, whatever its rule says.
    fn need(&mut self, field: &'static str, given: Option<String>) -> String {
        let text = given.map(|text| text.trim().to_owned()).unwrap_or_default();
        self.test(field, &text);
        text
    }

    /// Whether a text has the shape of a field. No text has control characters.
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

    /// What was read off the captcha, wherever the form has one. Its rule describes the picture;
    /// the answer to a question in words is longer, so that it is not measured here.
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
        // Names are compared by the case of English letters, so no other letters may have one.
        let is_comparable = name.to_lowercase() == name.to_ascii_lowercase();
        if !is_comparable || !(name.is_empty() || Pattern::NoSpaces.fits(&name)) {
            self.fault_once("username", FieldCode::Pattern);
        }
        name
    }

    /// The code of a friend's link. Nobody has typed it unless the site insists on one, so a link
    /// that was cut off or mistyped must not keep a newcomer out.
    fn referral_code(&mut self, given: Option<String>) -> Option<String> {
        let rule = self.merchant.register_rules.of("referralCode");
        let given = given.filter(|text| rule.required || rule.shape.check(text.trim()).is_ok());
        self.take("referralCode", given)
    }

    /// A new password, typed twice. The names are what somebody who guesses would try.
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

    /// Checks a new password under the name that its field has in this form.
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

    /// The transaction password: required wherever the form has it.
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
        // People write a number with gaps, which count for nothing.
        let given = form.mobile_num.as_deref().map(phone::without_gaps);
        let typed = match (given, is_needed) {
            // The rule is about numbers as they are written within a country.
            (Some(whole), _) if whole.starts_with('+') && (is_needed || self.asks("mobileNum")) => {
                Some(whole)
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

    /// A birth date that is not known yet, whatever the rules say: how old members are is not left to a
    /// tick.
    fn need_birthday(&mut self, given: Option<String>, of_age: bool) -> Option<NaiveDate> {
        if self.known.contains(&"birthday") {
            return None;
        }
        let text = self.need("birthday", given);
        self.birthday(&text, of_age)
    }

    /// A birth date of somebody who is old enough and says so.
    pub(super) fn birthday(&mut self, text: &str, of_age: bool) -> Option<NaiveDate> {
        let read = match self.shape("birthday").pattern {
            Pattern::DateMdy => patterns::date_mdy(text),
            _ => patterns::date_ymd(text),
        };
        let Some(Day { year, month, day }) = read else {
            // The rule's own pattern has named the fault, unless it asks for no date at all.
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
