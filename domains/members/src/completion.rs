//! Completes the registration of members who signed up through a social provider. They have filled
//! in no registration form, so before they play they give the data and confirmations that it
//! requires.

use capiz_rules::names::FieldCode;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use sqlx::PgTransaction;
use utoipa::ToSchema;
use uuid::Uuid;

use super::claims::{self, Claim, ContactKey};
use super::form::{Checker, Registration, RemainingFields};
use super::model::{GivenNumber, Links};
use super::store::Standing;
use super::{contacts_store, ops, secrets_store, store};
use crate::Members;
use crate::codes;
use platform::error::ApiError;
use platform::rate_limit::RateLimit;
use site::Merchant;

/// How many invitation codes one member may try, against guessing.
const CODES: RateLimit = RateLimit {
    name: "members.affiliate.member",
    limit: 20,
    window: std::time::Duration::from_secs(3_600),
};

/// The fields that a social sign-up has left open: all that the rules of
/// `GET /wps/system/setting/register` require and that are not known yet, and always the birth date.
/// Username, password and known fields are ignored.
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

/// A validated completion.
pub struct ReadyCompletion {
    merchant_id: Uuid,
    member_id: Uuid,
    fields: RemainingFields,
    /// Hash of the transaction password.
    hash: Option<String>,
    links: Links,
}

impl ReadyCompletion {
    /// The mobile number, if the form requires one.
    pub fn number(&self) -> Option<&GivenNumber> {
        self.fields.number.as_ref()
    }
}

/// Validates the completion of a registration.
pub async fn check_completion(
    app: &Members,
    merchant: &Merchant,
    member_id: Uuid,
    given: Completion,
) -> Result<ReadyCompletion, ApiError> {
    let known = find_incomplete(app, member_id).await?;
    let mut checker = Checker::new(merchant, app.clock.now());
    for (field, ticked) in [("isAdult", given.is_adult), ("acceptsTerms", given.accepts_terms)] {
        if !ticked {
            checker.fault(field, FieldCode::Required);
        }
    }
    let mut fields = given.form.remaining(&mut checker, &known);
    checker.finish()?;
    let links = find_links(app, merchant, member_id, &fields).await?;
    let hash = match fields.payment_password.take() {
        Some(password) => Some(app.passwords.hash(password).await?),
        None => None,
    };
    Ok(ReadyCompletion { merchant_id: merchant.id, member_id, fields, hash, links })
}

/// Looks up the agent and the recommender; members cannot name themselves.
async fn find_links(
    app: &Members,
    merchant: &Merchant,
    member_id: Uuid,
    fields: &RemainingFields,
) -> Result<Links, ApiError> {
    let upline = match &fields.affiliate_code {
        Some(code) => Some(find_upline(app, merchant, member_id, code).await?),
        None => None,
    };
    // The member may have become an agent meanwhile and name its own code.
    if upline.as_ref().is_some_and(|(agent_id, _)| *agent_id == member_id) {
        return Err(ops::wrong_code());
    }
    let recommender = match &fields.recommender {
        Some(name) => Some(ops::find_recommender(app, merchant.id, name).await?),
        None => None,
    };
    if recommender == Some(member_id) {
        return Err(ApiError::fields([("recommenderId", FieldCode::Invalid.as_str())]));
    }
    Ok(Links { upline, recommender })
}

/// The agent of an invitation code, with a rate limit against guessing.
async fn find_upline(
    app: &Members,
    merchant: &Merchant,
    member_id: Uuid,
    code: &str,
) -> Result<(Uuid, String), ApiError> {
    let mut db = app.db.acquire().await?;
    app.rate_limits.take(&mut db, &CODES, &member_id.to_string(), app.clock.now()).await?;
    drop(db);
    ops::find_upline(app, merchant.id, code).await
}

/// The known data of a member whose registration is incomplete; fails if it is complete.
async fn find_incomplete(app: &Members, member_id: Uuid) -> Result<Standing, ApiError> {
    let already_set = || ApiError::new(codes::ALREADY_SET);
    let mut db = app.db.acquire().await?;
    let profile = store::find_profile(&mut db, member_id).await?;
    if !profile.is_some_and(|profile| profile.to_complete) {
        return Err(already_set());
    }
    store::find_standing(&mut db, member_id).await?.ok_or_else(already_set)
}

/// Completes a registration, once. `is_mobile_verified` says whether the member has verified the
/// number.
pub async fn complete(
    app: &Members,
    tx: &mut PgTransaction<'static>,
    ready: &ReadyCompletion,
    is_mobile_verified: bool,
) -> Result<(), ApiError> {
    let (id, fields, now) = (ready.member_id, &ready.fields, app.clock.now());
    // Lock order: the profile row before the details row, as in `lock_state_shared`. Concurrent changes of
    // one member are serialized.
    if !store::update_completed(tx, id).await? {
        return Err(ApiError::new(codes::ALREADY_SET));
    }
    claim(tx, ready, is_mobile_verified, now).await?;
    let id_number = match &fields.person.id_number {
        Some(number) => Some((
            app.vault.lock(id, number).map_err(ApiError::internal)?,
            app.vault.fingerprint(ready.merchant_id, number),
        )),
        None => None,
    };
    let verified_at = is_mobile_verified.then_some(now);
    let is_written = store::update_person(tx, id, &fields.person).await?
        && contacts_store::update_remaining(tx, id, fields, id_number, verified_at).await?;
    if !is_written {
        return Err(ApiError::new(codes::ALREADY_SET));
    }
    if let Some(nickname) = &fields.nickname {
        store::update_nickname(tx, id, nickname).await?;
    }
    if let Some(hash) = &ready.hash {
        secrets_store::insert_payment_password(tx, id, hash, now).await?;
    }
    Ok(store::insert_links(tx, id, &ready.links, now).await?)
}

/// Reserves the number and the address. Unverified ones can be taken by a member who verifies them.
async fn claim(
    tx: &mut PgTransaction<'static>,
    ready: &ReadyCompletion,
    is_mobile_verified: bool,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let owner = (ready.merchant_id, ready.member_id);
    let mobile = ready.number().map(|number| Claim {
        contact: ContactKey::Mobile(number.mobile.clone()),
        is_verified: is_mobile_verified,
    });
    let email =
        ready.fields.email.as_deref().map(|email| ContactKey::Email(email.to_ascii_lowercase()));
    let email = email.map(|contact| Claim { contact, is_verified: false });
    let claims: Vec<_> = mobile.into_iter().chain(email).collect();
    let holders = claims::lock(tx, owner.0, &claims, Some(owner.1)).await?;
    for claim in &claims {
        if !claims::take(tx, owner, claim, &holders, now).await? {
            let (field, code) = match claim.contact {
                ContactKey::Mobile(_) => ("mobileNum", codes::MOBILE_TAKEN),
                ContactKey::Email(_) => ("email", codes::EMAIL_TAKEN),
            };
            let named = [(field, FieldCode::Taken.as_str(), None)];
            return Err(ApiError::new(code).naming(named));
        }
    }
    Ok(())
}

/// Fails if the member's registration is incomplete.
pub async fn require_complete(app: &Members, member_id: Uuid) -> Result<(), ApiError> {
    let profile = store::find_profile(&mut *app.db.acquire().await?, member_id).await?;
    match profile.is_some_and(|profile| profile.to_complete) {
        true => Err(ApiError::new(codes::TO_COMPLETE)),
        false => Ok(()),
    }
}
