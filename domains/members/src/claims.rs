//! Contact ownership: which member of a merchant has which mobile number and e-mail address.
//!
//! Each contact belongs to one member of a merchant, and its reservation row decides to whom. An
//! unverified contact goes to the member who verifies it: the previous holder keeps the account and
//! loses the contact, and `revoked_contacts` records it. A verified contact is never taken away.
//!
//! Lock order, to avoid deadlocks: the member's own profile, then the details rows of all members
//! involved by their ids, then the reservations.

use chrono::{DateTime, Utc};
use sqlx::PgTransaction;
use uuid::Uuid;

use super::claims_store as store;
use super::contacts::Contact;
use super::revoked_contacts;

/// A mobile number or an e-mail address in the normalized form in which it is compared.
#[derive(Clone, Debug)]
pub(super) enum ContactKey {
    /// In E.164 form.
    Mobile(String),
    /// In lower case.
    Email(String),
}

impl ContactKey {
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

/// A contact that a member claims, and whether the member has verified it.
pub(super) struct Claim {
    pub(super) contact: ContactKey,
    pub(super) is_verified: bool,
}

/// Members whose contacts may be taken in this transaction, because their rows are locked.
pub(super) struct Holders(Vec<Uuid>);

/// Locks the details rows of the members who hold a contact that is claimed as verified, and of the
/// member itself if it exists.
pub(super) async fn lock(
    tx: &mut PgTransaction<'static>,
    merchant_id: Uuid,
    claims: &[Claim],
    member_id: Option<Uuid>,
) -> Result<Holders, sqlx::Error> {
    let mut ids: Vec<Uuid> = member_id.into_iter().collect();
    for claim in claims.iter().filter(|claim| claim.is_verified) {
        ids.extend(find_holder(tx, merchant_id, &claim.contact).await?);
    }
    if !ids.is_empty() {
        store::lock_details(tx, &ids).await?;
    }
    Ok(Holders(ids))
}

/// Assigns a claimed contact to a member; false if it belongs to another member. This includes a
/// holder who got it after [`lock`], since that holder's row is not locked.
pub(super) async fn take(
    tx: &mut PgTransaction<'static>,
    (merchant_id, member_id): (Uuid, Uuid),
    claim: &Claim,
    holders: &Holders,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let owner = (merchant_id, member_id);
    let is_free = match &claim.contact {
        ContactKey::Mobile(mobile) => {
            store::insert_mobile(tx, owner, mobile, claim.is_verified).await?
        }
        ContactKey::Email(email) => {
            store::insert_email(tx, owner, email, claim.is_verified).await?
        }
    };
    if is_free || !claim.is_verified {
        return Ok(is_free);
    }
    let holder = find_holder(tx, merchant_id, &claim.contact).await?;
    let Some(holder) = holder.filter(|holder| holders.0.contains(holder)) else { return Ok(false) };
    if !reassign(tx, merchant_id, &claim.contact, (holder, member_id)).await? {
        return Ok(false);
    }
    match &claim.contact {
        ContactKey::Mobile(mobile) => store::clear_mobile(tx, holder, mobile).await?,
        ContactKey::Email(email) => store::clear_email(tx, holder, email).await?,
    }
    revoked_contacts::record(tx, (holder, member_id), &claim.contact, now).await?;
    let kind = claim.contact.kind();
    tracing::info!(%holder, taken_by = %member_id, kind, "a contact was taken");
    Ok(true)
}

/// Marks a contact that the member holds as verified; false if the member no longer holds it.
pub(super) async fn mark_verified(
    tx: &mut PgTransaction<'static>,
    (merchant_id, member_id): (Uuid, Uuid),
    contact: &ContactKey,
) -> Result<bool, sqlx::Error> {
    reassign(tx, merchant_id, contact, (member_id, member_id)).await
}

async fn find_holder(
    tx: &mut PgTransaction<'static>,
    merchant_id: Uuid,
    contact: &ContactKey,
) -> Result<Option<Uuid>, sqlx::Error> {
    match contact {
        ContactKey::Mobile(mobile) => store::find_mobile_holder(tx, merchant_id, mobile).await,
        ContactKey::Email(email) => store::find_email_holder(tx, merchant_id, email).await,
    }
}

async fn reassign(
    tx: &mut PgTransaction<'static>,
    merchant_id: Uuid,
    contact: &ContactKey,
    ids: (Uuid, Uuid),
) -> Result<bool, sqlx::Error> {
    match contact {
        ContactKey::Mobile(mobile) => {
            store::update_mobile_holder(tx, (merchant_id, mobile), ids).await
        }
        ContactKey::Email(email) => store::update_email_holder(tx, (merchant_id, email), ids).await,
    }
}
