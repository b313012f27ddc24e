//! Making and recognising members.

use std::sync::Arc;

use capiz_rules::money::Currency;
use capiz_rules::names::{self, FieldCode};
use chrono::{DateTime, Duration, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::arrivals;
use super::claims::{self, Claim, Wish};
use super::claims_store::{self, Wanted};
use super::model::{Hashes, Links, MemberKind, NewMember, Newcomer, Profile};
use super::secrets_store::{self, PasswordRow};
use super::store::{self, DetailsRow};
use crate::Members;
use crate::codes;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::language::Language;
use platform::phone::Mobile;
use platform::secret::random_bytes;
use site::{Merchant, Switch};

/// The password that imported members begin with; it is good for nothing but being changed.
const FIRST_PASSWORD: &str = "123456";

/// Letters and digits that nobody mistakes for others: 32 of them.
const CODE_LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH: usize = 8;
/// A code is taken once in a billion; that many in a row are a fault.
const CODE_TRIES: usize = 8;

/// How the usernames begin of those whose number is another's username, and how many are tried.
const NUMBERED: &str = "player";
const NAME_TRIES: usize = 8;

/// Whoever somebody says to be, and the password that would prove it.
pub struct Claimed(Option<PasswordRow>);

impl Claimed {
    /// The member, if there is one.
    pub fn member_id(&self) -> Option<Uuid> {
        self.0.as_ref().map(|row| row.member_id)
    }
}

/// A member whose password was right.
pub struct Recognised {
    /// Who it is.
    pub member_id: Uuid,
    /// Whether the password has to be changed before anything else.
    pub must_change: bool,
    /// Since when the password that was right is the member's.
    password_since: DateTime<Utc>,
}

impl Recognised {
    /// Whether the password that was right still is. Asked by a transaction that holds the member's
    /// state: a new password may have ended all sessions meanwhile, and one more would be left.
    pub async fn is_still_right(&self, tx: &mut PgTransaction<'_>) -> Result<bool, sqlx::Error> {
        let since = secrets_store::find_changed_at(tx, self.member_id).await?;
        Ok(since == Some(self.password_since))
    }
}

/// Everything that a new member is made of.
pub struct NewAccount {
    /// The form.
    pub newcomer: Newcomer,
    /// Of its passwords.
    pub hashes: Hashes,
    /// Who stands above it.
    pub links: Links,
    /// Whether the newcomer has proved to hold the mobile number.
    pub is_mobile_verified: bool,
    /// Whether the address is known to be the newcomer's own.
    pub is_email_verified: bool,
    /// Whether the member has yet to tell what a form would ask.
    pub to_complete: bool,
    /// What the newcomer reads, where there is somebody who reads.
    pub language: Option<Language>,
}

/// Looks up whom a newcomer names: the agent of the invitation code, the recommender.
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

/// The member whose link a newcomer followed. The code came with the link and nobody sees it: a
/// dead one, or one of a merchant that no longer counts them, must not keep a newcomer out.
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

/// The agent whose invitation code a form names, with the code as it is written.
pub(super) async fn find_upline(
    app: &Members,
    merchant_id: Uuid,
    code: &str,
) -> Result<(Uuid, String), ApiError> {
    let found = find_agent_by_code(app, merchant_id, code).await?;
    Ok((found.ok_or_else(wrong_code)?, code.to_ascii_uppercase()))
}

/// The member whose username a form names.
pub(super) async fn find_recommender(
    app: &Members,
    merchant_id: Uuid,
    name: &str,
) -> Result<Uuid, ApiError> {
    let found = store::find_by_name(&app.db, merchant_id, &names::username_key(name)).await?;
    found.ok_or_else(|| ApiError::fields([("recommenderId", FieldCode::Invalid.as_str())]))
}

/// What is said of an invitation code that is nobody's.
pub(super) fn wrong_code() -> ApiError {
    let named = [("affiliateCode", FieldCode::Invalid.as_str(), None)];
    ApiError::new(codes::INVITATION_CODE).naming(named)
}

/// The agent whose invitation code it is, in any case.
pub async fn find_agent_by_code(
    app: &Members,
    merchant_id: Uuid,
    code: &str,
) -> Result<Option<Uuid>, sqlx::Error> {
    let found = store::find_by_code(&app.db, merchant_id, &code.to_ascii_uppercase()).await?;
    Ok(found.filter(|(_, kind)| matches!(kind, MemberKind::Agent(_))).map(|(id, _)| id))
}

/// Refuses a newcomer early whose name, number or address is taken; the reservations decide.
pub async fn require_free(
    app: &Members,
    merchant_id: Uuid,
    newcomer: &Newcomer,
) -> Result<(), ApiError> {
    let name = names::username_key(&newcomer.account);
    let email = newcomer.email.as_deref().map(str::to_ascii_lowercase);
    // Whose a number is is told to nobody who has yet to show that it is the own one.
    let number = newcomer.number.as_ref().filter(|number| !number.has_evidence());
    let wanted = Wanted {
        name: &name,
        mobile: number.map(|number| number.mobile.as_str()),
        email: email.as_deref(),
        proves_email: false,
    };
    let (name, mobile, email) = claims_store::find_taken(&app.db, merchant_id, &wanted).await?;
    // Who proves to hold the number gets another username where somebody else has it as one.
    let name = name && !(newcomer.is_by_mobile() && number.is_none());
    refuse_taken(newcomer, (name, mobile, email))
}

/// Refuses what is taken: the first decides the code, all are named.
fn refuse_taken(
    newcomer: &Newcomer,
    (name, mobile, email): (bool, bool, bool),
) -> Result<(), ApiError> {
    // Who registers by mobile number has typed no username.
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

/// Hashes what a newcomer chose. Hashing is slow, so it is done before the transaction begins.
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

/// The language that messages are written in from the first one on. Whoever reads what everybody does who chose nothing
/// has chosen nothing.
fn told_apart(merchant: &Merchant, language: Language) -> Option<String> {
    let (code, brand) = (language.code(), &merchant.brand);
    let is_offered = brand.languages.iter().any(|offered| offered == code);
    (is_offered && code != brand.default_language).then(|| code.to_owned())
}

/// Makes a member of a merchant.
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
        language: account.language.and_then(|language| told_apart(merchant, language)),
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

/// How the site calls who chose nothing: by its username, unless that is its number, which is nobody
/// else's business.
fn nickname_for(newcomer: &Newcomer, name: &str) -> String {
    if newcomer.mobile() == Some(name) { arrivals::numbered(NUMBERED) } else { name.to_owned() }
}

/// Takes the name, the number and the address, in this order: two who want the same things cannot
/// wait for each other. Gives the name that was taken.
async fn reserve(
    tx: &mut PgTransaction<'static>,
    whose: (Uuid, Uuid),
    account: &NewAccount,
    now: DateTime<Utc>,
) -> Result<String, ApiError> {
    let newcomer = &account.newcomer;
    let mobile = newcomer.mobile().map(|mobile| Claim {
        wish: Wish::Mobile(mobile.to_owned()),
        is_proved: account.is_mobile_verified,
    });
    let email = newcomer.email.as_deref().map(|email| Claim {
        wish: Wish::Email(email.to_ascii_lowercase()),
        is_proved: account.is_email_verified,
    });
    let claims: Vec<Claim> = mobile.into_iter().chain(email).collect();
    let holders = claims::lock(tx, whose.0, &claims, None).await?;
    let name = reserve_name(tx, whose, account).await?;
    let (mut lost_mobile, mut lost_email) = (false, false);
    for claim in &claims {
        let is_lost = !claims::take(tx, whose, claim, &holders, now).await?;
        match claim.wish {
            Wish::Mobile(_) => lost_mobile = is_lost,
            Wish::Email(_) => lost_email = is_lost,
        }
    }
    refuse_taken(newcomer, (name.is_none(), lost_mobile, lost_email))?;
    Ok(name.unwrap_or_default())
}

/// Takes the newcomer's username; none where it is another's. A number that is another's username
/// stays so: who proves to hold the number gets a username that is nobody's.
async fn reserve_name(
    tx: &mut PgTransaction<'static>,
    (merchant_id, id): (Uuid, Uuid),
    account: &NewAccount,
) -> Result<Option<String>, ApiError> {
    let newcomer = &account.newcomer;
    let mut name = newcomer.account.clone();
    let yields = newcomer.is_by_mobile() && account.is_mobile_verified;
    for _ in 0..NAME_TRIES {
        if store::insert_name(tx, merchant_id, &names::username_key(&name), id).await? {
            return Ok(Some(name));
        }
        if !yields {
            return Ok(None);
        }
        name = arrivals::numbered(NUMBERED);
    }
    Err(ApiError::unavailable("no free username was found"))
}

/// Gives a new member a code to invite others with.
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

/// Makes a demo account: nameless, without a password, in demo money.
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

/// The member that somebody means by a username. A name that nobody has costs the same look.
pub async fn find_claimed(
    db: &mut PgConnection,
    merchant: &Merchant,
    username: &str,
) -> Result<Claimed, sqlx::Error> {
    let names = names_of(username.trim(), merchant);
    secrets_store::find_password_by_name(db, merchant.id, &names).await.map(Claimed)
}

/// Whether a password is the claimed member's. Takes equally long whether there is such a member or
/// not.
pub async fn recognise(
    app: &Members,
    merchant: &Merchant,
    Claimed(found): Claimed,
    password: String,
) -> Result<Option<Recognised>, ApiError> {
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
    Ok(Some(Recognised { member_id: row.member_id, must_change, password_since }))
}

/// The one form of whatever somebody typed as a username, of which tries are counted.
pub fn login_key(merchant: &Merchant, username: &str) -> String {
    let username = username.trim();
    number_of(username, merchant)
        .or_else(|| Mobile::from_e164(&format!("+{username}")).ok().map(|it| it.e164().to_owned()))
        .unwrap_or_else(|| names::username_key(username))
}

/// Refuses what was never a username: neither of the shape that the site asks for, nor a mobile
/// number.
pub fn check_username(merchant: &Merchant, username: &str) -> Result<(), ApiError> {
    let username = username.trim();
    if number_of(username, merchant).is_some() {
        return Ok(());
    }
    let checked = merchant.register_rules.of("username").shape.check(username);
    checked.map_err(|code| ApiError::fields([("username", code.as_str())]))
}

/// The mobile number that somebody typed as a username, if it is one.
fn number_of(username: &str, merchant: &Merchant) -> Option<String> {
    let number = Mobile::parse(&merchant.policy.dialing_code, username).ok()?;
    Some(number.e164().to_owned())
}

/// What a username may stand for: itself, or the mobile number that a member registered by.
pub(super) fn names_of(username: &str, merchant: &Merchant) -> Vec<String> {
    let number = number_of(username, merchant);
    let international = (!username.starts_with('+')).then(|| format!("+{username}"));
    [Some(names::username_key(username)), number, international].into_iter().flatten().collect()
}

/// Whether a password is so old that the merchant's policy asks for another.
pub(super) fn is_expired(
    merchant: &Merchant,
    changed_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> bool {
    let days = merchant.policy.password_days.filter(|_| merchant.allows(Switch::PasswordExpiry));
    days.is_some_and(|days| changed_at + Duration::days(days.into()) <= now)
}
