//! Completing a registration. Who came through a social provider has filled in no form: before such
//! a member plays it tells what everybody tells who registers, and confirms the same.

use capiz_rules::names::FieldCode;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use sqlx::PgTransaction;
use utoipa::ToSchema;
use uuid::Uuid;

use super::claims::{self, Claim, Wish};
use super::form::{Checker, Registration, Rest};
use super::model::{GivenNumber, Links};
use super::store::Standing;
use super::{contacts_store, ops, secrets_store, store};
use crate::Members;
use crate::codes;
use platform::budget::Budget;
use platform::error::ApiError;
use site::Merchant;

/// Invitation codes that one member may try.
const CODES: Budget = Budget {
    name: "members.affiliate.member",
    limit: 20,
    window: std::time::Duration::from_secs(3_600),
};

/// What a social sign-in has left open: everything that the rules of
/// `GET /wps/system/setting/register` require and that is not known, and always the birth
/// date. Username, password and whatever else is known are not looked at.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// The member confirms being 18 or older.
    #[serde(default)]
    is_adult: bool,
    /// The member agrees to the terms and the privacy policy.
    #[serde(default)]
    accepts_terms: bool,
    #[serde(flatten)]
    form: Registration,
}

/// A completion that was found to be right.
pub struct ReadyCompletion {
    merchant_id: Uuid,
    member_id: Uuid,
    rest: Rest,
    /// Of the transaction password.
    hash: Option<String>,
    links: Links,
}

impl ReadyCompletion {
    /// The mobile number, if one was asked for.
    pub fn number(&self) -> Option<&GivenNumber> {
        self.rest.number.as_ref()
    }
}

/// Checks what a member completes its registration with.
pub async fn check_completion(
    app: &Members,
    merchant: &Merchant,
    member_id: Uuid,
    given: Completion,
) -> Result<ReadyCompletion, ApiError> {
    let known = find_open(app, member_id).await?;
    let mut checker = Checker::new(merchant, app.clock.now());
    for (field, ticked) in [("isAdult", given.is_adult), ("acceptsTerms", given.accepts_terms)] {
        if !ticked {
            checker.fault(field, FieldCode::Required);
        }
    }
    let mut rest = given.form.rest(&mut checker, &known);
    checker.finish()?;
    let links = find_links(app, merchant, member_id, &rest).await?;
    let hash = match rest.payment_password.take() {
        Some(password) => Some(app.passwords.hash(password).await?),
        None => None,
    };
    Ok(ReadyCompletion { merchant_id: merchant.id, member_id, rest, hash, links })
}

/// Looks up whom the member names; nobody is above or recommended by itself.
async fn find_links(
    app: &Members,
    merchant: &Merchant,
    member_id: Uuid,
    rest: &Rest,
) -> Result<Links, ApiError> {
    let upline = match &rest.affiliate_code {
        Some(code) => Some(find_upline(app, merchant, member_id, code).await?),
        None => None,
    };
    // Whoever became an agent meanwhile has a code, too.
    if upline.as_ref().is_some_and(|(agent_id, _)| *agent_id == member_id) {
        return Err(ops::wrong_code());
    }
    let recommender = match &rest.recommender {
        Some(name) => Some(ops::find_recommender(app, merchant.id, name).await?),
        None => None,
    };
    if recommender == Some(member_id) {
        return Err(ApiError::fields([("recommenderId", FieldCode::Invalid.as_str())]));
    }
    Ok(Links { upline, recommender })
}

/// The agent of a code; a member who tries too many is guessing.
async fn find_upline(
    app: &Members,
    merchant: &Merchant,
    member_id: Uuid,
    code: &str,
) -> Result<(Uuid, String), ApiError> {
    let mut db = app.db.acquire().await?;
    app.budgets.take(&mut db, &CODES, &member_id.to_string(), app.clock.now()).await?;
    drop(db);
    ops::find_upline(app, merchant.id, code).await
}

/// What is known of a member whose registration is open.
async fn find_open(app: &Members, member_id: Uuid) -> Result<Standing, ApiError> {
    let already_set = || ApiError::new(codes::ALREADY_SET);
    let mut db = app.db.acquire().await?;
    let profile = store::find_profile(&mut db, member_id).await?;
    if !profile.is_some_and(|profile| profile.to_complete) {
        return Err(already_set());
    }
    store::find_standing(&mut db, member_id).await?.ok_or_else(already_set)
}

/// Completes a registration, once. The number is the member's own where that was proved.
pub async fn complete(
    app: &Members,
    tx: &mut PgTransaction<'static>,
    ready: &ReadyCompletion,
    is_mobile_verified: bool,
) -> Result<(), ApiError> {
    let (id, rest, now) = (ready.member_id, &ready.rest, app.clock.now());
    // The profile before the details, as whoever holds the member's state: two changes of one member
    // take turns.
    if !store::update_completed(tx, id).await? {
        return Err(ApiError::new(codes::ALREADY_SET));
    }
    claim(tx, ready, is_mobile_verified, now).await?;
    let id_number = match &rest.person.id_number {
        Some(number) => Some((
            app.vault.lock(id, number).map_err(ApiError::internal)?,
            app.vault.fingerprint(ready.merchant_id, number),
        )),
        None => None,
    };
    let verified_at = is_mobile_verified.then_some(now);
    let is_written = store::update_person(tx, id, &rest.person).await?
        && contacts_store::update_rest(tx, id, rest, id_number, verified_at).await?;
    if !is_written {
        return Err(ApiError::new(codes::ALREADY_SET));
    }
    if let Some(nickname) = &rest.nickname {
        store::update_nickname(tx, id, nickname).await?;
    }
    if let Some(hash) = &ready.hash {
        secrets_store::insert_payment_password(tx, id, hash, now).await?;
    }
    Ok(store::insert_links(tx, id, &ready.links, now).await?)
}

/// Takes the number and the address that the member has typed: unless they are proved they yield to
/// whoever proves to hold them.
async fn claim(
    tx: &mut PgTransaction<'static>,
    ready: &ReadyCompletion,
    is_mobile_verified: bool,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let whose = (ready.merchant_id, ready.member_id);
    let mobile = ready.number().map(|number| Claim {
        wish: Wish::Mobile(number.mobile.clone()),
        is_proved: is_mobile_verified,
    });
    let email = ready.rest.email.as_deref().map(|email| Wish::Email(email.to_ascii_lowercase()));
    let email = email.map(|wish| Claim { wish, is_proved: false });
    let claims: Vec<_> = mobile.into_iter().chain(email).collect();
    let holders = claims::lock(tx, whose.0, &claims, Some(whose.1)).await?;
    for claim in &claims {
        if !claims::take(tx, whose, claim, &holders, now).await? {
            let (field, code) = match claim.wish {
                Wish::Mobile(_) => ("mobileNum", codes::MOBILE_TAKEN),
                Wish::Email(_) => ("email", codes::EMAIL_TAKEN),
            };
            let named = [(field, FieldCode::Taken.as_str(), None)];
            return Err(ApiError::new(code).naming(named));
        }
    }
    Ok(())
}

/// Refuses a member whose registration is open.
pub async fn require_complete(app: &Members, member_id: Uuid) -> Result<(), ApiError> {
    let profile = store::find_profile(&mut *app.db.acquire().await?, member_id).await?;
    match profile.is_some_and(|profile| profile.to_complete) {
        true => Err(ApiError::new(codes::TO_COMPLETE)),
        false => Ok(()),
    }
}
