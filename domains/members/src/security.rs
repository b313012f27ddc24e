//! What members change of their own accounts: passwords, profile, icon.

use std::sync::Arc;

use capiz_rules::names::FieldCode;
use chrono::Duration;
use serde::Deserialize;
use sqlx::PgTransaction;
use utoipa::ToSchema;
use uuid::Uuid;

use super::form::Checker;
use super::model::Person;
use super::notices::{self, Notice};
use super::secrets_store::{self, PasswordRow};
use super::step_up::{Asked, require_password, show_password};
use super::store;
use crate::Members;
use crate::codes;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::passwords::StoredHash;
use site::Merchant;

/// How many of the last passwords may not come back, the present one included.
const REMEMBERED: i64 = 5;

/// Tries at the transaction password before it is locked, and for how long it then is.
const PAYMENT_TRIES: i32 = 5;
const PAYMENT_LOCK: Duration = Duration::minutes(30);

/// The icons that a member can choose from; the page draws them.
pub const ICONS: &[&str] = &[
    "capiz",
    "pearl",
    "bangka",
    "parol",
    "sampaguita",
    "mango",
    "buko",
    "anahaw",
    "tarsier",
    "carabao",
    "maya",
    "jeepney",
];

/// A new password in place of the present one.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordChange {
    old_password: String,
    new_password: String,
    confirm_new_password: String,
    /// Of the app, or a recovery code; needed of those who have a second factor, but not for the
    /// change that a log-in asks for.
    pub two_factor_code: Option<String>,
}

/// A password for somebody who has shown by other means who it is.
pub struct NewPassword {
    /// The password.
    pub text: String,
    /// The same once more, where the page asked for it.
    pub again: Option<String>,
}

/// A password change that may be made.
pub struct ReadyChange {
    member_id: Uuid,
    /// None where the member had no password.
    old: Option<PasswordRow>,
    hash: String,
}

/// Checks a change: the present password is right, the new one is good and was not used lately.
pub async fn check_password_change(
    app: &Members,
    merchant: &Merchant,
    asked: Asked,
    change: PasswordChange,
) -> Result<ReadyChange, ApiError> {
    let member_id = asked.member_id;
    let account = account_of(app, member_id).await?;
    let mut checker = Checker::new(merchant, app.clock.now());
    if change.old_password.is_empty() {
        checker.fault("oldPassword", FieldCode::Required);
    }
    checker.secret("newPassword", &change.new_password, &[&account]);
    checker.same("confirmNewPassword", &change.new_password, &change.confirm_new_password);
    checker.finish()?;
    let old = show_password(app, asked, change.old_password).await?;
    make_ready(app, (member_id, Some(old)), change.new_password).await
}

/// Checks what can be told of a new password without its member. The names are what somebody who
/// guesses would try.
pub fn check_password_shape(
    app: &Members,
    merchant: &Merchant,
    password: &NewPassword,
    names: &[&str],
) -> Result<(), ApiError> {
    let mut checker = Checker::new(merchant, app.clock.now());
    checker.secret("newPassword", &password.text, names);
    if let Some(again) = &password.again {
        checker.same("confirmNewPassword", &password.text, again);
    }
    checker.finish()
}

/// Checks a new password of a member who does not show the present one.
pub async fn check_new_password(
    app: &Members,
    merchant: &Merchant,
    member_id: Uuid,
    password: NewPassword,
) -> Result<ReadyChange, ApiError> {
    let account = account_of(app, member_id).await?;
    check_password_shape(app, merchant, &password, &[&account])?;
    let old = secrets_store::find_password(&app.db, member_id).await?;
    make_ready(app, (member_id, old), password.text).await
}

/// Refuses a password that was used lately, and hashes any other.
async fn make_ready(
    app: &Members,
    (member_id, old): (Uuid, Option<PasswordRow>),
    password: String,
) -> Result<ReadyChange, ApiError> {
    let mut used = secrets_store::list_old_passwords(&app.db, member_id, REMEMBERED - 1).await?;
    used.extend(old.as_ref().map(PasswordRow::stored));
    if app.passwords.fits_any(password.clone(), used).await? {
        return Err(ApiError::fields([("newPassword", FieldCode::Used.as_str())]));
    }
    Ok(ReadyChange { member_id, old, hash: app.passwords.hash(password).await? })
}

/// Makes a change that was checked; false where the password was changed since.
pub async fn change_password(
    app: &Members,
    tx: &mut PgTransaction<'static>,
    change: &ReadyChange,
) -> Result<bool, ApiError> {
    let now = app.clock.now();
    let Some(old) = &change.old else {
        let first = (change.member_id, change.hash.as_str());
        return Ok(secrets_store::insert_first_password(tx, first, now).await?);
    };
    if !secrets_store::update_password(tx, old, &change.hash, now).await? {
        return Ok(false);
    }
    secrets_store::insert_old_password(tx, old, new_id(now), REMEMBERED - 1).await?;
    Ok(true)
}

async fn account_of(app: &Members, member_id: Uuid) -> Result<String, ApiError> {
    let mut connection = app.db.acquire().await?;
    let profile = store::find_profile(&mut connection, member_id).await?;
    let gone = || ApiError::new(platform::codes::SESSION_REQUIRED);
    profile.map(|profile| profile.account).ok_or_else(gone)
}

/// A transaction password, the first one or another.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentPasswordChange {
    /// The login password.
    password: String,
    /// The transaction password so far; needed where there is one.
    #[serde(default)]
    old_payment_password: Option<String>,
    payment_password: String,
    confirm_payment_password: String,
    /// Of the app, or a recovery code; needed of those who have a second factor.
    pub two_factor_code: Option<String>,
}

/// A transaction password that may be set.
pub struct ReadyPaymentPassword {
    member_id: Uuid,
    old: Option<String>,
    hash: String,
}

/// Checks a transaction password: the login password and the one so far are right, the new one is good.
pub async fn check_payment_password(
    app: &Members,
    merchant: &Merchant,
    asked: Asked,
    change: PaymentPasswordChange,
) -> Result<ReadyPaymentPassword, ApiError> {
    let member_id = asked.member_id;
    let mut checker = Checker::new(merchant, app.clock.now());
    if change.password.is_empty() {
        checker.fault("password", FieldCode::Required);
    }
    checker.payment_secret(&change.payment_password);
    let again = &change.confirm_payment_password;
    checker.same("confirmPaymentPassword", &change.payment_password, again);
    let old = {
        let mut connection = app.db.acquire().await?;
        secrets_store::find_payment_password(&mut connection, member_id).await?
    };
    let given = change.old_payment_password.filter(|given| !given.is_empty());
    if old.is_some() && given.is_none() {
        checker.fault("oldPaymentPassword", FieldCode::Required);
    }
    checker.finish()?;
    require_password(app, asked, change.password).await?;
    if let (Some(_), Some(given)) = (&old, given) {
        require_payment_password(app, member_id, given).await?;
    }
    let hash = app.passwords.hash(change.payment_password).await?;
    Ok(ReadyPaymentPassword { member_id, old: old.map(|(hash, _)| hash), hash })
}

/// Sets a transaction password that was checked, and tells the member.
pub async fn set_payment_password(
    app: &Members,
    tx: &mut PgTransaction<'static>,
    merchant: &Merchant,
    change: &ReadyPaymentPassword,
) -> Result<(), ApiError> {
    let (member_id, now) = (change.member_id, app.clock.now());
    let is_written = match &change.old {
        Some(old) => {
            let pair = (old.as_str(), change.hash.as_str());
            secrets_store::update_payment_password(tx, member_id, pair, now).await?
        }
        None => secrets_store::insert_payment_password(tx, member_id, &change.hash, now).await?,
    };
    if !is_written {
        return Err(ApiError::new(codes::WRONG_PAYMENT_PASSWORD));
    }
    notices::notify(app, tx, (merchant, member_id), Notice::PaymentPassword).await
}

/// Asks a member for its transaction password. Five wrong ones in a row lock it for a while.
pub async fn require_payment_password(
    app: &Members,
    member_id: Uuid,
    password: String,
) -> Result<(), ApiError> {
    let wrong = || ApiError::new(codes::WRONG_PAYMENT_PASSWORD);
    // In a task of its own: a try that was taken must not be lost with its client.
    app.run(move |app| async move {
        let now = app.clock.now();
        let times = (now, now + PAYMENT_LOCK);
        let tried =
            secrets_store::update_payment_try(&app.db, member_id, PAYMENT_TRIES, times).await?;
        let Some(hash) = tried else { return Err(why_no_try(&app, member_id).await?) };
        let stored = StoredHash { hash, peppered: true };
        if !app.passwords.verify(password, Some(stored)).await? {
            return Err(wrong());
        }
        Ok(secrets_store::update_payment_right(&app.db, member_id).await?)
    })
    .await
}

/// Why no try could be taken: the transaction password is locked, or there is none.
async fn why_no_try(app: &Members, member_id: Uuid) -> Result<ApiError, ApiError> {
    let mut connection = app.db.acquire().await?;
    let found = secrets_store::find_payment_password(&mut connection, member_id).await?;
    let Some((_, Some(until))) = found else {
        return Ok(ApiError::new(codes::WRONG_PAYMENT_PASSWORD));
    };
    let seconds = (until - app.clock.now()).num_seconds().max(1);
    let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
    Ok(ApiError::new(codes::PAYMENT_LOCKED).retry_after(seconds))
}

/// What a member changes of its profile. What is absent stays; an empty text is taken away.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileChange {
    nickname: Option<String>,
    /// Once; afterwards only customer service changes it.
    birthday: Option<String>,
    /// The member confirms having reached the minimum age; needed beside a birth date.
    #[serde(default)]
    of_age: bool,
    /// The real name: once; afterwards only customer service changes it.
    payee_name: Option<String>,
    address: Option<String>,
    nationality: Option<String>,
    occupation: Option<String>,
    source_of_income: Option<String>,
}

/// Changes a member's profile.
pub async fn change_profile(
    app: &Members,
    merchant: &Arc<Merchant>,
    member_id: Uuid,
    change: ProfileChange,
) -> Result<(), ApiError> {
    let mut checker = Checker::new(merchant, app.clock.now());
    let mut fixed = |field, given: Option<String>| {
        let text = given?.trim().to_owned();
        checker.test(field, &text).then_some(text)
    };
    let nickname = fixed("nickname", change.nickname);
    let payee_name = fixed("payeeName", change.payee_name);
    let birthday = fixed("birthday", change.birthday);
    let birthday = birthday.and_then(|text| checker.birthday(&text, change.of_age));
    let mut free = |field, given: Option<String>| {
        let text = given?.trim().to_owned();
        (text.is_empty() || checker.test(field, &text)).then_some(text)
    };
    let person = Person {
        payee_name,
        birthday,
        address: free("address", change.address),
        nationality: free("nationality", change.nationality),
        occupation: free("occupation", change.occupation),
        source_of_income: free("sourceOfIncome", change.source_of_income),
        ..Person::default()
    };
    checker.finish()?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        // The profile before the details, as whoever holds the member's state.
        if let Some(nickname) = nickname {
            store::update_nickname(&mut tx, member_id, &nickname).await?;
        }
        if !store::update_person(&mut tx, member_id, &person).await? {
            return Err(ApiError::new(codes::ALREADY_SET));
        }
        db::commit(tx).await
    })
    .await
}

/// Chooses a member's icon.
pub async fn choose_icon(app: &Members, member_id: Uuid, icon: &str) -> Result<(), ApiError> {
    if !ICONS.contains(&icon) {
        return Err(ApiError::fields([("icon", FieldCode::Invalid.as_str())]));
    }
    Ok(store::update_icon(&app.db, member_id, icon).await?)
}

/// Keeps the language that a member has chosen, one of the brand's.
pub async fn choose_language(
    app: &Members,
    merchant: &Merchant,
    member_id: Uuid,
    language: &str,
) -> Result<(), ApiError> {
    if !merchant.brand.languages.iter().any(|code| code == language) {
        return Err(ApiError::fields([("language", FieldCode::Invalid.as_str())]));
    }
    Ok(store::update_language(&app.db, member_id, language).await?)
}
