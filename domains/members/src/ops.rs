//! Creates members, and identifies them by username and password.

use std::sync::Arc;

use capiz_rules::money::Currency;
use capiz_rules::names::{self, FieldCode};
use chrono::{DateTime, Duration, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::claims::{self, Claim, ContactKey};
use super::claims_store::{self, Identifiers};
use super::model::{Hashes, Links, MemberKind, NewMember, Newcomer, Profile};
use super::secrets_store::{self, PasswordRow};
use super::social_signup;
use super::store::{self, DetailsRow};
use crate::Members;
use crate::codes;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::language::Language;
use platform::phone::Mobile;
use platform::secret::random_bytes;
use site::{Merchant, Switch};

/// The initial password of imported members. A login with it must change it before anything else.
const FIRST_PASSWORD: &str = "123456";

/// The 32 letters and digits of invitation codes, without those that look alike (I, O, 0, 1).
const CODE_LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH: usize = 8;
/// A random code is taken once in a billion, so this many collisions in a row are a fault.
const CODE_TRIES: usize = 8;

/// Prefix of generated usernames and nicknames, and how many usernames are tried.
const GENERATED_PREFIX: &str = "player";
const NAME_TRIES: usize = 8;

/// The member whom a typed username names, with the stored password; empty if there is none.
pub struct Claimed(Option<PasswordRow>);

impl Claimed {
    /// The member, if there is one.
    pub fn member_id(&self) -> Option<Uuid> {
        self.0.as_ref().map(|row| row.member_id)
    }
}

/// A member whose password was correct.
pub struct VerifiedLogin {
    /// The member's id.
    pub member_id: Uuid,
    /// Whether the password has to be changed before anything else.
    pub must_change: bool,
    /// When the verified password was set.
    password_since: DateTime<Utc>,
}

impl VerifiedLogin {
    /// Whether the verified password is still the current one. Check it in the transaction that
    /// holds the member's state: a password change may have ended all sessions since, and a session
    /// begun now would survive it.
    pub async fn is_still_right(&self, tx: &mut PgTransaction<'_>) -> Result<bool, sqlx::Error> {
        let since = secrets_store::find_changed_at(tx, self.member_id).await?;
        Ok(since == Some(self.password_since))
    }
}

/// Everything needed to create a member.
pub struct NewAccount {
    /// The validated registration.
    pub newcomer: Newcomer,
    /// Hashes of the passwords.
    pub hashes: Hashes,
    /// Who referred the member.
    pub links: Links,
    /// Whether the mobile number is verified.
    pub is_mobile_verified: bool,
    /// Whether the e-mail address is verified.
    pub is_email_verified: bool,
    /// Whether the member must still complete the registration form.
    pub to_complete: bool,
    /// The language of the page on which the member registered; none without a page.
    pub language: Option<Language>,
}

/// Looks up the agent of the invitation code and the recommender.
pub async fn find_links(
    app: &Members,
    merchant: &Merchant,
    newcomer: &Newcomer,
) -> Result<Links, ApiError> {
    let mut links = Links::default();
    if let Some(code) = &newcomer.affiliate_code {
        links.upline = Some(find_upline(app, merchant.id, code).await?);
    }
    if let Some(name) = &newcomer.recommender {
        links.recommender = Some(find_recommender(app, merchant.id, name).await?);
    } else if let Some(code) = &newcomer.referral_code {
        links.recommender = find_referrer(app, merchant, code).await?;
    }
    Ok(links)
}

/// The member whose referral link was followed. The code comes from the link and the person does
/// not see it, so an unknown code, or referrals that are switched off, do not block the
/// registration.
async fn find_referrer(
    app: &Members,
    merchant: &Merchant,
    code: &str,
) -> Result<Option<Uuid>, ApiError> {
    if !merchant.allows(Switch::Referral) {
        return Ok(None);
    }
    let found = store::find_by_code(&app.db, merchant.id, &code.to_ascii_uppercase()).await?;
    Ok(found.map(|(member_id, _)| member_id))
}

/// The agent of a form's invitation code, with the code in upper case, as it is stored.
pub(super) async fn find_upline(
    app: &Members,
    merchant_id: Uuid,
    code: &str,
) -> Result<(Uuid, String), ApiError> {
    let found = find_agent_by_code(app, merchant_id, code).await?;
    Ok((found.ok_or_else(wrong_code)?, code.to_ascii_uppercase()))
}

/// The member whom a form names as recommender by username.
pub(super) async fn find_recommender(
    app: &Members,
    merchant_id: Uuid,
    name: &str,
) -> Result<Uuid, ApiError> {
    let found = store::find_by_name(&app.db, merchant_id, &names::username_key(name)).await?;
    found.ok_or_else(|| ApiError::fields([("recommenderId", FieldCode::Invalid.as_str())]))
}

/// The error for an invitation code that belongs to no agent.
pub(super) fn wrong_code() -> ApiError {
    let named = [("affiliateCode", FieldCode::Invalid.as_str(), None)];
    ApiError::new(codes::INVITATION_CODE).naming(named)
}

/// The agent of an invitation code, ignoring case.
pub async fn find_agent_by_code(
    app: &Members,
    merchant_id: Uuid,
    code: &str,
) -> Result<Option<Uuid>, sqlx::Error> {
    let found = store::find_by_code(&app.db, merchant_id, &code.to_ascii_uppercase()).await?;
    Ok(found.filter(|(_, kind)| matches!(kind, MemberKind::Agent(_))).map(|(id, _)| id))
}

/// Refuses a registration early if its username, number or address is taken; the reservations
/// decide later.
pub async fn require_free(
    app: &Members,
    merchant_id: Uuid,
    newcomer: &Newcomer,
) -> Result<(), ApiError> {
    let name = names::username_key(&newcomer.account);
    let email = newcomer.email.as_deref().map(str::to_ascii_lowercase);
    // A number with evidence is skipped: the evidence is not verified yet, and an error would
    // reveal that the number is registered.
    let number = newcomer.number.as_ref().filter(|number| !number.has_evidence());
    let identifiers = Identifiers {
        name: &name,
        mobile: number.map(|number| number.mobile.as_str()),
        email: email.as_deref(),
        is_email_verified: false,
    };
    let (name, mobile, email) =
        claims_store::find_taken(&app.db, merchant_id, &identifiers).await?;
    // If the number to be verified is another member's username, the new member gets a generated
    // one.
    let name = name && !(newcomer.is_by_mobile() && number.is_none());
    refuse_taken(newcomer, (name, mobile, email))
}

/// Fails if anything is taken: the first conflict decides the error code, all fields are named.
fn refuse_taken(
    newcomer: &Newcomer,
    (name, mobile, email): (bool, bool, bool),
) -> Result<(), ApiError> {
    // A registration by mobile number has no username field, so the number is reported instead.
    let (name, mobile) = match newcomer.is_by_mobile() {
        true => (false, name || mobile),
        false => (name, mobile),
    };
    let all = [
        (name, "username", platform::codes::NAME_TAKEN),
        (mobile, "mobileNum", codes::MOBILE_TAKEN),
        (email, "email", codes::EMAIL_TAKEN),
    ];
    let mut found = all.into_iter().filter(|(is_taken, ..)| *is_taken).peekable();
    let Some((_, _, code)) = found.peek().copied() else { return Ok(()) };
    let named = found.map(|(_, field, _)| (field, FieldCode::Taken.as_str(), None));
    Err(ApiError::new(code).naming(named))
}

/// Hashes the chosen passwords. Hashing is slow, so it is done before the transaction begins.
pub async fn hash_secrets(app: &Members, newcomer: &mut Newcomer) -> Result<Hashes, ApiError> {
    let mut hashes = Hashes::default();
    if let Some(password) = newcomer.password.take() {
        hashes.password = Some(app.passwords.hash(password).await?);
    }
    if let Some(password) = newcomer.payment_password.take() {
        hashes.payment_password = Some(app.passwords.hash(password).await?);
    }
    Ok(hashes)
}

/// The language to store for a new member's messages; none if it is the brand's default or not
/// offered.
fn chosen_language(merchant: &Merchant, language: Language) -> Option<String> {
    let (code, brand) = (language.code(), &merchant.brand);
    let is_offered = brand.languages.iter().any(|offered| offered == code);
    (is_offered && code != brand.default_language).then(|| code.to_owned())
}

/// Creates a member of a merchant.
pub async fn create(
    app: &Members,
    tx: &mut PgTransaction<'static>,
    merchant: &Arc<Merchant>,
    account: NewAccount,
) -> Result<NewMember, ApiError> {
    let now = app.clock.now();
    let id = new_id(now);
    let name = reserve(tx, (merchant.id, id), &account, now).await?;
    let NewAccount { newcomer, hashes, links, .. } = &account;
    let profile = Profile {
        id,
        merchant_id: merchant.id,
        nickname: newcomer.nickname.clone().unwrap_or_else(|| nickname_for(newcomer, &name)),
        account: name,
        kind: MemberKind::Member,
        currency: merchant.currency,
        registered_at: now,
        to_complete: account.to_complete,
        language: account.language.and_then(|language| chosen_language(merchant, language)),
    };
    store::insert_profile(tx, &profile).await?;
    if let Some(hash) = &hashes.password {
        secrets_store::insert_password(tx, id, hash, now).await?;
    }
    if let Some(hash) = &hashes.payment_password {
        secrets_store::insert_payment_password(tx, id, hash, now).await?;
    }
    let id_number = match &newcomer.person.id_number {
        Some(number) => Some((
            app.vault.lock(id, number).map_err(ApiError::internal)?,
            app.vault.fingerprint(merchant.id, number),
        )),
        None => None,
    };
    let details = DetailsRow {
        member_id: id,
        affiliate_code: &reserve_code(tx, &profile).await?,
        mobile: newcomer.mobile(),
        mobile_verified_at: account.is_mobile_verified.then_some(now),
        email: newcomer.email.as_deref(),
        email_verified_at: newcomer
            .email
            .as_ref()
            .filter(|_| account.is_email_verified)
            .map(|_| now),
        person: &newcomer.person,
        id_number,
        origin: &newcomer.origin,
    };
    store::insert_details(tx, details).await?;
    store::insert_links(tx, id, links, now).await?;
    Ok(NewMember { profile, merchant: Arc::clone(merchant) })
}

/// The default nickname: the username, unless that is the mobile number, which must stay private.
fn nickname_for(newcomer: &Newcomer, name: &str) -> String {
    if newcomer.mobile() == Some(name) {
        social_signup::with_random_digits(GENERATED_PREFIX)
    } else {
        name.to_owned()
    }
}

/// Reserves the username, the number and the address in this order, so that two registrations that
/// want the same ones cannot deadlock. Returns the reserved username.
async fn reserve(
    tx: &mut PgTransaction<'static>,
    owner: (Uuid, Uuid),
    account: &NewAccount,
    now: DateTime<Utc>,
) -> Result<String, ApiError> {
    let newcomer = &account.newcomer;
    let mobile = newcomer.mobile().map(|mobile| Claim {
        contact: ContactKey::Mobile(mobile.to_owned()),
        is_verified: account.is_mobile_verified,
    });
    let email = newcomer.email.as_deref().map(|email| Claim {
        contact: ContactKey::Email(email.to_ascii_lowercase()),
        is_verified: account.is_email_verified,
    });
    let claims: Vec<Claim> = mobile.into_iter().chain(email).collect();
    let holders = claims::lock(tx, owner.0, &claims, None).await?;
    let name = reserve_name(tx, owner, account).await?;
    let (mut is_mobile_taken, mut is_email_taken) = (false, false);
    for claim in &claims {
        let is_taken = !claims::take(tx, owner, claim, &holders, now).await?;
        match claim.contact {
            ContactKey::Mobile(_) => is_mobile_taken = is_taken,
            ContactKey::Email(_) => is_email_taken = is_taken,
        }
    }
    refuse_taken(newcomer, (name.is_none(), is_mobile_taken, is_email_taken))?;
    Ok(name.unwrap_or_default())
}

/// Reserves the username; none if it is taken. A mobile number that is another member's username
/// stays that member's; the member who verifies the number gets a generated username.
async fn reserve_name(
    tx: &mut PgTransaction<'static>,
    (merchant_id, id): (Uuid, Uuid),
    account: &NewAccount,
) -> Result<Option<String>, ApiError> {
    let newcomer = &account.newcomer;
    let mut name = newcomer.account.clone();
    let may_generate = newcomer.is_by_mobile() && account.is_mobile_verified;
    for _ in 0..NAME_TRIES {
        if store::insert_name(tx, merchant_id, &names::username_key(&name), id).await? {
            return Ok(Some(name));
        }
        if !may_generate {
            return Ok(None);
        }
        name = social_signup::with_random_digits(GENERATED_PREFIX);
    }
    Err(ApiError::unavailable("no free username was found"))
}

/// Reserves an invitation code for a new member.
async fn reserve_code(
    tx: &mut PgTransaction<'static>,
    profile: &Profile,
) -> Result<String, ApiError> {
    for _ in 0..CODE_TRIES {
        let random: [u8; CODE_LENGTH] = random_bytes();
        let letters = random.map(|byte| char::from(CODE_LETTERS[usize::from(byte % 32)]));
        let code = String::from_iter(letters);
        if store::insert_code(tx, profile.merchant_id, &code, profile.id).await? {
            return Ok(code);
        }
    }
    Err(ApiError::internal("no free invitation code was found"))
}

/// Creates a demo account: a generated username, no password, demo money.
pub async fn create_trial(
    tx: &mut PgTransaction<'static>,
    merchant: &Arc<Merchant>,
    now: DateTime<Utc>,
) -> Result<NewMember, ApiError> {
    let id = new_id(now);
    let digits = id.as_simple().to_string();
    let account = format!("demo{}", &digits[digits.len() - 8..]);
    let profile = Profile {
        id,
        merchant_id: merchant.id,
        nickname: account.clone(),
        account,
        kind: MemberKind::Trial,
        currency: Currency::Fun,
        registered_at: now,
        to_complete: false,
        language: None,
    };
    store::insert_profile(tx, &profile).await?;
    Ok(NewMember { profile, merchant: Arc::clone(merchant) })
}

/// Looks up the member of a typed username, for a login. An unknown username costs the same query.
pub async fn find_login_candidate(
    db: &mut PgConnection,
    merchant: &Merchant,
    username: &str,
) -> Result<Claimed, sqlx::Error> {
    let names = names_of(username.trim(), merchant);
    secrets_store::find_password_by_name(db, merchant.id, &names).await.map(Claimed)
}

/// Checks the password of a claimed member. It takes equally long whether the member exists or not,
/// so that timing does not reveal accounts.
pub async fn verify_login(
    app: &Members,
    merchant: &Merchant,
    Claimed(found): Claimed,
    password: String,
) -> Result<Option<VerifiedLogin>, ApiError> {
    let stored = found.as_ref().map(PasswordRow::stored);
    let is_right = app.passwords.verify(password.clone(), stored).await?;
    let Some(row) = found.filter(|_| is_right) else { return Ok(None) };
    let is_first = password.trim() == FIRST_PASSWORD;
    if is_first && !row.imported {
        return Ok(None);
    }
    if !row.peppered {
        let hash = app.passwords.hash(password).await?;
        secrets_store::update_hash(&app.db, &row, &hash).await?;
    }
    let must_change = is_first || is_expired(merchant, row.changed_at, app.clock.now());
    let password_since = row.changed_at;
    Ok(Some(VerifiedLogin { member_id: row.member_id, must_change, password_since }))
}

/// The normalized form of a typed username, used as the key of login rate limits.
pub fn login_key(merchant: &Merchant, username: &str) -> String {
    let username = username.trim();
    number_of(username, merchant)
        .or_else(|| Mobile::from_e164(&format!("+{username}")).ok().map(|it| it.e164().to_owned()))
        .unwrap_or_else(|| names::username_key(username))
}

/// Refuses a text that cannot be a username: it neither fits the merchant's rule nor is a mobile
/// number.
pub fn check_username(merchant: &Merchant, username: &str) -> Result<(), ApiError> {
    let username = username.trim();
    if number_of(username, merchant).is_some() {
        return Ok(());
    }
    let checked = merchant.register_rules.of("username").shape.check(username);
    checked.map_err(|code| ApiError::fields([("username", code.as_str())]))
}

/// The mobile number that was typed as a username, if it is one.
fn number_of(username: &str, merchant: &Merchant) -> Option<String> {
    let number = Mobile::parse(&merchant.policy.dialing_code, username).ok()?;
    Some(number.e164().to_owned())
}

/// The stored usernames that a typed one may mean: itself, or the mobile number that a member
/// registered with.
pub(super) fn names_of(username: &str, merchant: &Merchant) -> Vec<String> {
    let number = number_of(username, merchant);
    let international = (!username.starts_with('+')).then(|| format!("+{username}"));
    [Some(names::username_key(username)), number, international].into_iter().flatten().collect()
}

/// Whether a password is older than the merchant's password policy allows.
pub(super) fn is_expired(
    merchant: &Merchant,
    changed_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> bool {
    let days = merchant.policy.password_days.filter(|_| merchant.allows(Switch::PasswordExpiry));
    days.is_some_and(|days| changed_at + Duration::days(days.into()) <= now)
}
