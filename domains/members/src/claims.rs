//! Who has which number and which address.
//!
//! One member of a merchant has each, and the reservation decides. What was only typed yields to
//! whoever proves to hold it: the member who typed it keeps the account and loses the contact, and a
//! trace of it stays. What is verified yields to nobody.
//!
//! Rows are locked in one order, the member's own profile, members' details by their ids and then
//! reservations, so that two who want the same things do not wait for each other in a circle.

use chrono::{DateTime, Utc};
use sqlx::PgTransaction;
use uuid::Uuid;

use super::claims_store as store;
use super::contacts::Contact;
use super::losses;

/// A number or an address that a member wants, in the one form in which it is compared.
#[derive(Clone, Debug)]
pub(super) enum Wish {
    /// In E.164 form.
    Mobile(String),
    /// In lower case.
    Email(String),
}

impl Wish {
    pub(super) fn of(contact: &Contact) -> Self {
        match contact {
            Contact::Mobile(mobile) => Self::Mobile(mobile.e164().to_owned()),
            Contact::Email(email) => Self::Email(email.to_ascii_lowercase()),
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Mobile(_) => "mobile",
            Self::Email(_) => "email",
        }
    }
}

/// A wish, and whether the member has proved to hold it.
pub(super) struct Claim {
    pub(super) wish: Wish,
    pub(super) is_proved: bool,
}

/// Members whose contacts may be taken in this transaction: their rows are locked.
pub(super) struct Holders(Vec<Uuid>);

/// Locks the rows of those who have what is claimed and has been proved, and of the member itself
/// where it exists.
pub(super) async fn lock(
    tx: &mut PgTransaction<'static>,
    merchant_id: Uuid,
    claims: &[Claim],
    member_id: Option<Uuid>,
) -> Result<Holders, sqlx::Error> {
    let mut ids: Vec<Uuid> = member_id.into_iter().collect();
    for claim in claims.iter().filter(|claim| claim.is_proved) {
        ids.extend(find_holder(tx, merchant_id, &claim.wish).await?);
    }
    if !ids.is_empty() {
        store::lock_details(tx, &ids).await?;
    }
    Ok(Holders(ids))
}

/// Gives a member what it claims; false where that is another's. Who came in after the holders were
/// locked counts as another for this once.
pub(super) async fn take(
    tx: &mut PgTransaction<'static>,
    (merchant_id, member_id): (Uuid, Uuid),
    claim: &Claim,
    holders: &Holders,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let whose = (merchant_id, member_id);
    let is_free = match &claim.wish {
        Wish::Mobile(mobile) => store::insert_mobile(tx, whose, mobile, claim.is_proved).await?,
        Wish::Email(email) => store::insert_email(tx, whose, email, claim.is_proved).await?,
    };
    if is_free || !claim.is_proved {
        return Ok(is_free);
    }
    let holder = find_holder(tx, merchant_id, &claim.wish).await?;
    let Some(holder) = holder.filter(|holder| holders.0.contains(holder)) else { return Ok(false) };
    if !hand_over(tx, merchant_id, &claim.wish, (holder, member_id)).await? {
        return Ok(false);
    }
    match &claim.wish {
        Wish::Mobile(mobile) => store::update_mobile_lost(tx, holder, mobile).await?,
        Wish::Email(email) => store::update_email_lost(tx, holder, email).await?,
    }
    losses::note(tx, (holder, member_id), &claim.wish, now).await?;
    tracing::info!(%holder, taken_by = %member_id, kind = claim.wish.kind(), "a contact was taken");
    Ok(true)
}

/// Notes that a member has proved to hold what it has; false where it has it no more.
pub(super) async fn prove(
    tx: &mut PgTransaction<'static>,
    (merchant_id, member_id): (Uuid, Uuid),
    wish: &Wish,
) -> Result<bool, sqlx::Error> {
    hand_over(tx, merchant_id, wish, (member_id, member_id)).await
}

async fn find_holder(
    tx: &mut PgTransaction<'static>,
    merchant_id: Uuid,
    wish: &Wish,
) -> Result<Option<Uuid>, sqlx::Error> {
    match wish {
        Wish::Mobile(mobile) => store::find_mobile_holder(tx, merchant_id, mobile).await,
        Wish::Email(email) => store::find_email_holder(tx, merchant_id, email).await,
    }
}

async fn hand_over(
    tx: &mut PgTransaction<'static>,
    merchant_id: Uuid,
    wish: &Wish,
    ids: (Uuid, Uuid),
) -> Result<bool, sqlx::Error> {
    match wish {
        Wish::Mobile(mobile) => store::update_mobile_holder(tx, (merchant_id, mobile), ids).await,
        Wish::Email(email) => store::update_email_holder(tx, (merchant_id, email), ids).await,
    }
}
