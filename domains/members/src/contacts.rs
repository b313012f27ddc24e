//! Contacts of members: mobile numbers and e-mail addresses, their verification and change.

use capiz_rules::names::FieldCode;
use chrono::{DateTime, Utc};
use sqlx::PgTransaction;
use uuid::Uuid;

use super::claims::{self, Claim, ContactKey};
use super::contacts_store::{self, Recipient};
use super::form::Checker;
use super::notices::Notice;
use super::ops::names_of;
use super::secrets_store;
use super::step_up::{ReauthRequest, require_password};
use crate::Members;
use crate::codes;
use platform::error::ApiError;
use platform::phone::Mobile;
use site::Merchant;

/// A mobile number or an e-mail address.
#[derive(Clone, Debug)]
pub enum Contact {
    /// A mobile number.
    Mobile(Mobile),
    /// A well-formed e-mail address.
    Email(String),
}

/// A validated change of a contact; the reservation still decides whether it is free.
pub struct ReadyContact {
    member_id: Uuid,
    old: Option<String>,
    new: Contact,
}

impl ReadyContact {
    /// Whether the member has the contact already; e-mail addresses are compared without case.
    fn is_held(&self) -> bool {
        let Some(old) = &self.old else { return false };
        match &self.new {
            Contact::Mobile(mobile) => old == mobile.e164(),
            Contact::Email(email) => old.eq_ignore_ascii_case(email),
        }
    }
}

impl ReadyContact {
    /// The security notice for the change; none if the member only verifies the present contact.
    pub fn told(&self) -> Option<Notice> {
        let change = match (&self.new, &self.old) {
            (Contact::Mobile(_), None) => Notice::MobileAdded,
            (Contact::Mobile(_), Some(_)) => Notice::Mobile,
            (Contact::Email(_), None) => Notice::EmailAdded,
            (Contact::Email(_), Some(_)) => Notice::Email,
        };
        (!self.is_held()).then_some(change)
    }
}

/// Reads an e-mail address under the merchant's rules.
pub fn read_email(merchant: &Merchant, text: &str, now: DateTime<Utc>) -> Result<String, ApiError> {
    let mut checker = Checker::new(merchant, now);
    let text = text.trim();
    checker.test("email", text);
    checker.finish().map(|()| text.to_owned())
}

/// Checks whether a member may set a contact. A change needs the password, because a contact is a
/// way into the account; verifying the present contact does not.
pub async fn check_contact(
    app: &Members,
    check: ReauthRequest,
    new: Contact,
    password: Option<String>,
) -> Result<ReadyContact, ApiError> {
    let member_id = check.member_id;
    let held = contacts_store::find_contacts(&app.db, member_id).await?;
    let (mobile, email) = held.ok_or_else(|| ApiError::new(codes::TRIAL_ACCOUNT))?;
    let old = match &new {
        Contact::Mobile(_) => mobile,
        Contact::Email(_) => email,
    };
    let change = ReadyContact { member_id, old, new };
    // A member without a password (social or SMS sign-up) needs none for a first contact.
    let needs_password = !change.is_held()
        && (change.old.is_some()
            || secrets_store::find_password(&app.db, member_id).await?.is_some());
    if needs_password {
        let missing = || ApiError::fields([("password", FieldCode::Required.as_str())]);
        let password = password.filter(|password| !password.is_empty()).ok_or_else(missing)?;
        require_password(app, check, password).await?;
    }
    Ok(change)
}

/// Assigns a contact that was verified by a code, and releases the old one. Another member who
/// holds the contact unverified loses it.
pub async fn bind_contact(
    tx: &mut PgTransaction<'static>,
    merchant_id: Uuid,
    change: &ReadyContact,
    now: DateTime<Utc>,
) -> Result<(), ApiError> {
    let (id, old) = (change.member_id, change.old.as_deref());
    let claims = [Claim { contact: ContactKey::of(&change.new), is_verified: true }];
    let [claim] = &claims;
    // The member's own details row is locked, too: concurrent changes of one member are serialized.
    let holders = claims::lock(tx, merchant_id, &claims, Some(id)).await?;
    let is_written = match &change.new {
        Contact::Mobile(mobile) => {
            contacts_store::update_mobile(tx, id, (old, mobile.e164()), now).await?
        }
        Contact::Email(email) => contacts_store::update_email(tx, id, (old, email), now).await?,
    };
    if !is_written {
        return Err(ApiError::unavailable("the contact was changed at the same time"));
    }
    let owner = (merchant_id, id);
    let is_assigned = match change.is_held() {
        true => claims::mark_verified(tx, owner, &claim.contact).await?,
        false => claims::take(tx, owner, claim, &holders, now).await?,
    };
    if !is_assigned {
        return Err(taken_error(&change.new));
    }
    match (&change.new, old.filter(|_| !change.is_held())) {
        (_, None) => {}
        (Contact::Mobile(_), Some(old)) => {
            contacts_store::delete_mobile(tx, merchant_id, old, id).await?;
        }
        (Contact::Email(_), Some(old)) => {
            contacts_store::delete_email(tx, merchant_id, &old.to_ascii_lowercase(), id).await?;
        }
    }
    Ok(())
}

fn taken_error(contact: &Contact) -> ApiError {
    let (field, code) = match contact {
        Contact::Mobile(_) => ("mobileNum", codes::MOBILE_TAKEN),
        Contact::Email(_) => ("email", codes::EMAIL_TAKEN),
    };
    ApiError::new(code).naming([(field, FieldCode::Taken.as_str(), None)])
}

/// The member with this username and this verified e-mail address, both without regard to case.
pub async fn find_recipient(
    app: &Members,
    merchant: &Merchant,
    username: &str,
    email: &str,
) -> Result<Option<Recipient>, ApiError> {
    let names = names_of(username, merchant);
    let found = contacts_store::find_recipient(&app.db, merchant.id, &names).await?;
    Ok(found.filter(|found| found.email.eq_ignore_ascii_case(email)))
}
