//! Completing a registration. Who came through a social provider has filled in no form: before such
//! a member plays it tells its birth date, and confirms what everybody confirms who registers.

use capiz_rules::names::FieldCode;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use sqlx::PgTransaction;
use utoipa::ToSchema;
use uuid::Uuid;

use super::form::Checker;
use super::model::{Links, Person};
use super::{ops, store};
use crate::app::App;
use crate::codes::ErrorCode;
use crate::platform::budget::Budget;
use crate::platform::error::ApiError;
use crate::site::Merchant;

/// Invitation codes that one member may try.
const CODES: Budget = Budget {
    name: "members.affiliate.member",
    limit: 20,
    window: std::time::Duration::from_secs(3_600),
};

/// What a social sign-in has left open. The fields follow the rules of
/// `GET /wps/system/setting/register`.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// Needed where the form has the field, unless the birth date is known: then that one stays.
    birthday: Option<String>,
    /// The member confirms being 18 or older.
    #[serde(default)]
    is_adult: bool,
    /// The member agrees to the terms and the privacy policy.
    #[serde(default)]
    accepts_terms: bool,
    nickname: Option<String>,
    /// The invitation code of an agent.
    affiliate_code: Option<String>,
}

/// A completion that was found to be right.
pub struct ReadyCompletion {
    member_id: Uuid,
    person: Person,
    nickname: Option<String>,
    links: Links,
}

/// Checks what a member completes its registration with.
pub async fn check_completion(
    app: &App,
    merchant: &Merchant,
    member_id: Uuid,
    given: Completion,
) -> Result<ReadyCompletion, ApiError> {
    let has_birthday = find_open(app, member_id).await?;
    let mut checker = Checker::new(merchant, app.clock.now());
    for (field, ticked) in [("isAdult", given.is_adult), ("acceptsTerms", given.accepts_terms)] {
        if !ticked {
            checker.fault(field, FieldCode::Required);
        }
    }
    let birthday = match has_birthday {
        true => None,
        false => checker.need_birthday(given.birthday),
    };
    let nickname = checker.take("nickname", given.nickname);
    let code = checker.take("affiliateCode", given.affiliate_code);
    checker.finish()?;
    let upline = match code {
        Some(code) => Some(find_upline(app, merchant, member_id, &code).await?),
        None => None,
    };
    // Whoever became an agent meanwhile has a code, too.
    if upline.as_ref().is_some_and(|(agent_id, _)| *agent_id == member_id) {
        return Err(ops::wrong_code());
    }
    Ok(ReadyCompletion {
        member_id,
        person: Person { birthday, ..Person::default() },
        nickname,
        links: Links { upline, recommender: None },
    })
}

/// The agent of a code; a member who tries too many is guessing.
async fn find_upline(
    app: &App,
    merchant: &Merchant,
    member_id: Uuid,
    code: &str,
) -> Result<(Uuid, String), ApiError> {
    let mut db = app.db.acquire().await?;
    app.budgets.take(&mut db, &CODES, &member_id.to_string(), app.clock.now()).await?;
    drop(db);
    ops::find_upline(app, merchant.id, code).await
}

/// Whether the birth date of a member is known whose registration is open.
async fn find_open(app: &App, member_id: Uuid) -> Result<bool, ApiError> {
    let mut db = app.db.acquire().await?;
    let profile = store::find_profile(&mut db, member_id).await?;
    if !profile.is_some_and(|profile| profile.to_complete) {
        return Err(ApiError::new(ErrorCode::MemberAlreadySet));
    }
    let standing = store::find_standing(&mut db, member_id).await?;
    Ok(standing.is_some_and(|standing| standing.has_birthday))
}

/// Completes a registration, once.
pub async fn complete(
    tx: &mut PgTransaction<'static>,
    ready: &ReadyCompletion,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let id = ready.member_id;
    // The details before the profile, as in a change of the profile.
    let is_written = store::update_person(tx, id, &ready.person).await?
        && store::update_completed(tx, id).await?;
    if !is_written {
        return Err(ApiError::new(ErrorCode::MemberAlreadySet));
    }
    if let Some(nickname) = &ready.nickname {
        store::update_nickname(tx, id, nickname).await?;
    }
    Ok(store::insert_links(tx, id, &ready.links, now).await?)
}

/// Refuses a member whose registration is open.
pub async fn require_complete(app: &App, member_id: Uuid) -> Result<(), ApiError> {
    let profile = store::find_profile(&mut *app.db.acquire().await?, member_id).await?;
    match profile.is_some_and(|profile| profile.to_complete) {
        true => Err(ApiError::new(ErrorCode::MemberToComplete)),
        false => Ok(()),
    }
}
