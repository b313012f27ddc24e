//! What members change of their own accounts: passwords, profile, icon, language.

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
use super::step_up::{ReauthRequest, require_password, verify_password};
use super::store;
use crate::Members;
use crate::codes;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::passwords::StoredHash;
use site::Merchant;

/// How many of the latest passwords cannot be reused, the current one included.
const PASSWORD_HISTORY: i64 = 5;

/// Wrong tries before the transaction password is locked, and how long it stays locked.
const PAYMENT_TRIES: i32 = 5;
const PAYMENT_LOCK: Duration = Duration::minutes(30);

/// Ids of the icons that a member can choose; the page draws them.
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

/// A change of the login password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordChange {
    old_password: String,
    new_password: String,
    confirm_new_password: String,
    /// A code of the authenticator app, or a recovery code. Required if the member has a second
    /// factor, except for a change that the login enforces.
    pub two_factor_code: Option<String>,
}

/// A new password from a member who was authenticated without the current one.
pub struct NewPassword {
    /// The password.
    pub text: String,
    /// The password typed again, if the page asks for it.
    pub again: Option<String>,
}

/// A validated password change.
pub struct ReadyChange {
    member_id: Uuid,
    /// None if the member had no password.
    old: Option<PasswordRow>,
    hash: String,
}

/// Validates a change: the current password is correct, the new one follows the rules and was not
/// used recently.
pub async fn check_password_change(
    app: &Members,
    merchant: &Merchant,
    check: ReauthRequest,
    change: PasswordChange,
) -> Result<ReadyChange, ApiError> {
    let member_id = check.member_id;
    let account = account_of(app, member_id).await?;
    let mut checker = Checker::new(merchant, app.clock.now());
    if change.old_password.is_empty() {
        checker.fault("oldPassword", FieldCode::Required);
    }
    checker.secret("newPassword", &change.new_password, &[&account]);
    checker.same("confirmNewPassword", &change.new_password, &change.confirm_new_password);
    checker.finish()?;
    let old = verify_password(app, check, change.old_password).await?;
    prepare_change(app, (member_id, Some(old)), change.new_password).await
}

/// Checks a new password without looking up the member. `names` are words that an attacker would
/// try first, such as the username.
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

/// Validates a new password from a member who does not give the current one.
pub async fn check_new_password(
    app: &Members,
    merchant: &Merchant,
    member_id: Uuid,
    password: NewPassword,
) -> Result<ReadyChange, ApiError> {
    let account = account_of(app, member_id).await?;
    check_password_shape(app, merchant, &password, &[&account])?;
    let old = secrets_store::find_password(&app.db, member_id).await?;
    prepare_change(app, (member_id, old), password.text).await
}

/// Refuses a recently used password and hashes any other.
async fn prepare_change(
    app: &Members,
    (member_id, old): (Uuid, Option<PasswordRow>),
    password: String,
) -> Result<ReadyChange, ApiError> {
    let mut used =
        secrets_store::list_old_passwords(&app.db, member_id, PASSWORD_HISTORY - 1).await?;
    used.extend(old.as_ref().map(PasswordRow::stored));
    if app.passwords.fits_any(password.clone(), used).await? {
        return Err(ApiError::fields([("newPassword", FieldCode::Used.as_str())]));
    }
    Ok(ReadyChange { member_id, old, hash: app.passwords.hash(password).await? })
}

/// Stores a validated change; false if the password was changed since the validation.
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
    secrets_store::insert_old_password(tx, old, new_id(now), PASSWORD_HISTORY - 1).await?;
    Ok(true)
}

async fn account_of(app: &Members, member_id: Uuid) -> Result<String, ApiError> {
    let mut connection = app.db.acquire().await?;
    let profile = store::find_profile(&mut connection, member_id).await?;
    let gone = || ApiError::new(platform::codes::SESSION_REQUIRED);
    profile.map(|profile| profile.account).ok_or_else(gone)
}

/// A new transaction password, the first one or a change.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentPasswordChange {
    /// The login password.
    password: String,
    /// The current transaction password; required if there is one.
    #[serde(default)]
    old_payment_password: Option<String>,
    payment_password: String,
    confirm_payment_password: String,
    /// A code of the authenticator app, or a recovery code. Required if the member has a second
    /// factor.
    pub two_factor_code: Option<String>,
}

/// A validated transaction password.
pub struct ReadyPaymentPassword {
    member_id: Uuid,
    old: Option<String>,
    hash: String,
}

/// Validates a new transaction password: the login password and the current transaction password
/// are correct, and the new one follows the rules.
pub async fn check_payment_password(
    app: &Members,
    merchant: &Merchant,
    check: ReauthRequest,
    change: PaymentPasswordChange,
) -> Result<ReadyPaymentPassword, ApiError> {
    let member_id = check.member_id;
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
    require_password(app, check, change.password).await?;
    if let (Some(_), Some(given)) = (&old, given) {
        require_payment_password(app, member_id, given).await?;
    }
    let hash = app.passwords.hash(change.payment_password).await?;
    Ok(ReadyPaymentPassword { member_id, old: old.map(|(hash, _)| hash), hash })
}

/// Stores a validated transaction password and sends the member a security notice.
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

/// Verifies a member's transaction password. Five wrong ones in a row lock it for 30 minutes.
pub async fn require_payment_password(
    app: &Members,
    member_id: Uuid,
    password: String,
) -> Result<(), ApiError> {
    let wrong = || ApiError::new(codes::WRONG_PAYMENT_PASSWORD);
    // Runs in its own task, so that a client cannot undo a counted try by disconnecting.
    app.run(move |app| async move {
        let now = app.clock.now();
        let times = (now, now + PAYMENT_LOCK);
        let counted =
            secrets_store::update_payment_try(&app.db, member_id, PAYMENT_TRIES, times).await?;
        let Some(hash) = counted else { return Err(no_try_error(&app, member_id).await?) };
        let stored = StoredHash { hash, peppered: true };
        if !app.passwords.verify(password, Some(stored)).await? {
            return Err(wrong());
        }
        Ok(secrets_store::reset_payment_failures(&app.db, member_id).await?)
    })
    .await
}

/// The error when no try was counted: the transaction password is locked, or there is none.
async fn no_try_error(app: &Members, member_id: Uuid) -> Result<ApiError, ApiError> {
    let mut connection = app.db.acquire().await?;
    let found = secrets_store::find_payment_password(&mut connection, member_id).await?;
    let Some((_, Some(until))) = found else {
        return Ok(ApiError::new(codes::WRONG_PAYMENT_PASSWORD));
    };
    let seconds = (until - app.clock.now()).num_seconds().max(1);
    let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
    Ok(ApiError::new(codes::PAYMENT_LOCKED).retry_after(seconds))
}

/// A change of the member's profile. Absent fields stay. An empty address, nationality, occupation
/// or source of income is removed.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileChange {
    nickname: Option<String>,
    /// Can be set once; afterwards only customer service changes it.
    birthday: Option<String>,
    /// The member confirms having reached the minimum age; required with a birth date.
    #[serde(default)]
    of_age: bool,
    /// The real name. Can be set once; afterwards only customer service changes it.
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
    let mut validated = |field, given: Option<String>| {
        let text = given?.trim().to_owned();
        checker.test(field, &text).then_some(text)
    };
    let nickname = validated("nickname", change.nickname);
    let payee_name = validated("payeeName", change.payee_name);
    let birthday = validated("birthday", change.birthday);
    let birthday = birthday.and_then(|text| checker.birthday(&text, change.of_age));
    let mut clearable = |field, given: Option<String>| {
        let text = given?.trim().to_owned();
        (text.is_empty() || checker.test(field, &text)).then_some(text)
    };
    let person = Person {
        payee_name,
        birthday,
        address: clearable("address", change.address),
        nationality: clearable("nationality", change.nationality),
        occupation: clearable("occupation", change.occupation),
        source_of_income: clearable("sourceOfIncome", change.source_of_income),
        ..Person::default()
    };
    checker.finish()?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        // Lock order: the profile row before the details row, as in `lock_state_shared`.
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

/// Sets a member's icon, one of [`ICONS`].
pub async fn choose_icon(app: &Members, member_id: Uuid, icon: &str) -> Result<(), ApiError> {
    if !ICONS.contains(&icon) {
        return Err(ApiError::fields([("icon", FieldCode::Invalid.as_str())]));
    }
    Ok(store::update_icon(&app.db, member_id, icon).await?)
}

/// Sets a member's language, one of the brand's.
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
