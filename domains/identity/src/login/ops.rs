//! Checks the credentials of a login: by username and password, or by SMS code.

use super::enter::complete_first_factor;
use super::guard::Guard;
use crate::Identity;
use crate::captcha;
use crate::codes;
use crate::gates::Visitor;
use crate::gates::require;
use crate::human;
use crate::sessions::arrival::Visit;
use crate::sessions::model::Method;
use crate::sessions::ops::LoginOutcome;
use crate::verify::{self, Destination, Purpose, Requester};
use members::{Claimed, MemberKind, Profile, VerifiedLogin};
use platform::admission::Permit;
use platform::db;
use platform::error::ApiError;
use platform::request_context;
use site::Switch;

/// The page that a member logs in on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Players,
    Agents,
}

/// A login by username.
pub(super) struct ByUsername {
    /// Upper and lower case do not matter.
    pub(super) username: String,
    pub(super) password: String,
    /// The proof of work.
    pub(super) human: Option<String>,
    pub(super) captcha: Option<String>,
    pub(super) page: Page,
}

/// Logs a member in by username and password. All wrong credentials give the same error.
pub(super) async fn by_username(
    app: &Identity,
    visitor: &Visitor,
    (credentials, slot): (ByUsername, Permit),
    (visit, viewer): (Visit, captcha::Viewer),
) -> Result<LoginOutcome, ApiError> {
    require(&visitor.merchant, Switch::UsernameLogin)?;
    let work = human::check(app, visitor, credentials.human.as_deref()).await?;
    let (claimed, guard) = load_guard(app, visitor, &credentials.username, &visit).await?;
    if let Some(id) = claimed.member_id() {
        request_context::set_account(id);
    }
    // Check the level only if no captcha is missing: otherwise the visitor would do the proof of
    // work twice.
    if !guard.asks_captcha || credentials.captcha.is_some() {
        work.require(app, visitor, guard.work_level)?;
    }
    if guard.asks_captcha {
        let checked = captcha::check(app, visitor, &viewer, credentials.captcha.as_deref()).await;
        checked.map_err(ApiError::with_captcha_required)?;
    }
    let (visitor, password, page) = (visitor.clone(), credentials.password, credentials.page);
    // The attempt runs in its own task, so it is counted as right or wrong even if the client
    // disconnects.
    app.run(move |app| async move {
        let _slot = slot;
        let found = try_password(&app, &visitor, &guard, (claimed, password)).await?;
        complete_login(&app, found, page, visit).await
    })
    .await
}

/// Completes the login of a member whose password was right.
async fn complete_login(
    app: &Identity,
    found: VerifiedLogin,
    page: Page,
    visit: Visit,
) -> Result<LoginOutcome, ApiError> {
    let mut tx = app.db.begin().await?;
    let profile = members::find_profile(&mut tx, found.member_id).await?;
    let profile = profile.ok_or_else(wrong_credentials)?;
    check_page(&profile, page)?;
    let login = (Method::Username, visit);
    let outcome = complete_first_factor(app, &mut tx, &profile, login, found.must_change).await?;
    if !found.is_still_right(&mut tx).await? {
        return Err(wrong_credentials());
    }
    db::commit(tx).await?;
    Ok(outcome)
}

/// Finds the member of a username and loads the limits for the attempt.
async fn load_guard(
    app: &Identity,
    visitor: &Visitor,
    username: &str,
    visit: &Visit,
) -> Result<(Claimed, Guard), ApiError> {
    let mut db = app.db.acquire().await?;
    let claimed = members::find_login_candidate(&mut db, &visitor.merchant, username).await?;
    let name = (username, claimed.member_id());
    let guard = Guard::load(app, &mut db, visitor, name, Some(visit.device_hash)).await?;
    Ok((claimed, guard))
}

/// Counts the attempt and compares the password.
async fn try_password(
    app: &Identity,
    visitor: &Visitor,
    guard: &Guard,
    (claimed, password): (Claimed, String),
) -> Result<VerifiedLogin, ApiError> {
    guard.take(app).await?;
    let found = members::verify_login(&app.members, &visitor.merchant, claimed, password).await;
    if found.is_err() {
        guard.give_back(app).await?;
    }
    if let Some(found) = found? {
        guard.forget(app).await?;
        return Ok(found);
    }
    human::note_failure(app, visitor).await?;
    let asks_captcha = guard.note_failure(app).await?;
    Err(if asks_captcha {
        wrong_credentials().with_captcha_required()
    } else {
        wrong_credentials()
    })
}

fn wrong_credentials() -> ApiError {
    ApiError::new(codes::WRONG_CREDENTIALS)
}

/// A login by SMS code.
pub(super) struct BySms {
    pub(super) mobile_num: String,
    pub(super) country_dialing_code: String,
    pub(super) verification_code: Option<String>,
    pub(super) page: Page,
}

/// Logs in the member of a mobile number by a code that was sent there.
pub(super) async fn by_sms(
    app: &Identity,
    visitor: &Visitor,
    credentials: BySms,
    visit: Visit,
) -> Result<LoginOutcome, ApiError> {
    require(&visitor.merchant, Switch::MobileLogin)?;
    let mobile = verify::read_mobile(&credentials.country_dialing_code, &credentials.mobile_num)?;
    let destination = Destination::Mobile(mobile.clone());
    let code = credentials.verification_code.as_deref();
    let id = members::find_by_mobile(&app.db, visitor.merchant.id, &mobile).await?;
    if let Some(id) = id {
        request_context::set_account(id);
    }
    let request = (Purpose::Login, Requester::Browser(visit.device_hash));
    let proof = verify::check(app, visitor, request, &destination, code).await?;
    let invalid = || ApiError::new(codes::VERIFICATION_CODE_INVALID);
    let id = id.ok_or_else(invalid)?;
    let profile = members::find_profile(&mut *app.db.acquire().await?, id).await?;
    let profile = profile.ok_or_else(invalid)?;
    check_page(&profile, credentials.page)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        verify::spend(&mut tx, proof).await?;
        let outcome =
            complete_first_factor(&app, &mut tx, &profile, (Method::Sms, visit), false).await?;
        db::commit(tx).await?;
        Ok(outcome)
    })
    .await
}

/// Refuses members who are not agents on the agents' page, and demo accounts everywhere.
pub(crate) fn check_page(profile: &Profile, page: Page) -> Result<(), ApiError> {
    match (profile.kind, page) {
        (MemberKind::Trial, _) => Err(ApiError::new(codes::NOT_MEMBER)),
        (MemberKind::Member, Page::Agents) => Err(ApiError::new(codes::NOT_AGENT)),
        (MemberKind::Member, Page::Players) | (MemberKind::Agent(_), _) => Ok(()),
    }
}
