//! What a login asks before it lets somebody in.

use super::enter::enter_in;
use super::guard::Guard;
use crate::Identity;
use crate::captcha;
use crate::codes;
use crate::gates::Visitor;
use crate::gates::require;
use crate::human;
use crate::sessions::arrival::Visit;
use crate::sessions::model::Method;
use crate::sessions::ops::Entered;
use crate::verify::{self, Asker, Destination, Purpose};
use members::{Claimed, MemberKind, Profile, Recognised};
use platform::asker;
use platform::db;
use platform::error::ApiError;
use platform::line::Turn;
use site::Switch;

/// Which page the member logs in on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    Players,
    Agents,
}

/// A login by username.
pub(super) struct ByUsername {
    /// In any case.
    pub(super) username: String,
    pub(super) password: String,
    /// The proof of work.
    pub(super) human: Option<String>,
    pub(super) captcha: Option<String>,
    pub(super) page: Page,
}

/// Logs a member in by username and password. Whatever is wrong with them, the answer is one.
pub(super) async fn by_username(
    app: &Identity,
    visitor: &Visitor,
    (given, turn): (ByUsername, Turn),
    (visit, viewer): (Visit, captcha::Viewer),
) -> Result<Entered, ApiError> {
    require(&visitor.merchant, Switch::UsernameLogin)?;
    let work = human::check(app, visitor, given.human.as_deref()).await?;
    let (claimed, guard) = look(app, visitor, &given.username, &visit).await?;
    if let Some(id) = claimed.member_id() {
        asker::note_account(id);
    }
    // Not before a captcha was answered: whoever has to answer one would do the work twice.
    if !guard.asks_captcha || given.captcha.is_some() {
        work.require(app, visitor, guard.work_level)?;
    }
    if guard.asks_captcha {
        let checked = captcha::check(app, visitor, &viewer, given.captcha.as_deref()).await;
        checked.map_err(ApiError::asking_captcha)?;
    }
    let (visitor, password, page) = (visitor.clone(), given.password, given.page);
    // Whoever goes away in the middle has tried all the same: every try ends as right or as wrong.
    app.run(move |app| async move {
        let trying = async {
            let found = try_password(&app, &visitor, &guard, (claimed, password)).await?;
            let_in(&app, found, page, visit).await
        };
        let entered = app.precedence.give_way(trying).await;
        drop(turn);
        entered
    })
    .await
}

/// Lets in whose password was right.
async fn let_in(
    app: &Identity,
    found: Recognised,
    page: Page,
    visit: Visit,
) -> Result<Entered, ApiError> {
    let mut tx = app.db.begin().await?;
    let profile = members::find_profile(&mut tx, found.member_id).await?;
    let profile = profile.ok_or_else(wrong_credentials)?;
    check_page(&profile, page)?;
    let way = (Method::Username, visit);
    let entered = enter_in(app, &mut tx, &profile, way, found.must_change).await?;
    if !found.is_still_right(&mut tx).await? {
        return Err(wrong_credentials());
    }
    db::commit(tx).await?;
    Ok(entered)
}

/// Whom a name means, and what is known of those who tried it.
async fn look(
    app: &Identity,
    visitor: &Visitor,
    username: &str,
    visit: &Visit,
) -> Result<(Claimed, Guard), ApiError> {
    let mut db = app.db.acquire().await?;
    let claimed = members::find_claimed(&mut db, &visitor.merchant, username).await?;
    let tried = (username, claimed.member_id());
    let guard = Guard::look(app, &mut db, visitor, tried, Some(visit.device_hash)).await?;
    Ok((claimed, guard))
}

/// Compares a password, as one of the tries that the guard counts.
async fn try_password(
    app: &Identity,
    visitor: &Visitor,
    guard: &Guard,
    (claimed, password): (Claimed, String),
) -> Result<Recognised, ApiError> {
    guard.take(app).await?;
    let found = members::recognise(&app.members, &visitor.merchant, claimed, password).await;
    if found.is_err() {
        guard.give_back(app).await?;
    }
    if let Some(found) = found? {
        guard.forget(app).await?;
        return Ok(found);
    }
    human::note_failure(app, visitor).await?;
    let asks = guard.note_failure(app).await?;
    Err(if asks { wrong_credentials().asking_captcha() } else { wrong_credentials() })
}

fn wrong_credentials() -> ApiError {
    ApiError::new(codes::WRONG_CREDENTIALS)
}

/// A login by a code.
pub(super) struct BySms {
    pub(super) mobile_num: String,
    pub(super) country_dialing_code: String,
    pub(super) verification_code: Option<String>,
    pub(super) page: Page,
}

/// Logs the member of a mobile number in by a code that was sent there.
pub(super) async fn by_sms(
    app: &Identity,
    visitor: &Visitor,
    given: BySms,
    visit: Visit,
) -> Result<Entered, ApiError> {
    require(&visitor.merchant, Switch::MobileLogin)?;
    let mobile = verify::read_mobile(&given.country_dialing_code, &given.mobile_num)?;
    let destination = Destination::Mobile(mobile.clone());
    let code = given.verification_code.as_deref();
    let id = members::find_by_mobile(&app.db, visitor.merchant.id, &mobile).await?;
    if let Some(id) = id {
        asker::note_account(id);
    }
    let wanted = (Purpose::Login, Asker::Browser(visit.device_hash));
    let proof = verify::check(app, visitor, wanted, &destination, code).await?;
    let unknown = || ApiError::new(codes::VERIFICATION_CODE_INVALID);
    let id = id.ok_or_else(unknown)?;
    let profile = members::find_profile(&mut *app.db.acquire().await?, id).await?;
    let profile = profile.ok_or_else(unknown)?;
    check_page(&profile, given.page)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        verify::spend(&mut tx, proof).await?;
        let entered = enter_in(&app, &mut tx, &profile, (Method::Sms, visit), false).await?;
        db::commit(tx).await?;
        Ok(entered)
    })
    .await
}

/// Agents alone may log in on the agents' page, and demo accounts nowhere.
pub(crate) fn check_page(profile: &Profile, page: Page) -> Result<(), ApiError> {
    match (profile.kind, page) {
        (MemberKind::Trial, _) => Err(ApiError::new(codes::NOT_MEMBER)),
        (MemberKind::Member, Page::Agents) => Err(ApiError::new(codes::NOT_AGENT)),
        (MemberKind::Member, Page::Players) | (MemberKind::Agent(_), _) => Ok(()),
    }
}
