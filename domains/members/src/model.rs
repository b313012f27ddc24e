//! What a member is.

use std::sync::Arc;

use capiz_rules::money::Currency;
use chrono::{DateTime, NaiveDate, Utc};
use futures_util::future::BoxFuture;
use sqlx::PgTransaction;
use uuid::Uuid;

use platform::Core;
use platform::error::ApiError;
use site::Merchant;

/// The specification's user types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A player.
    Member,
    /// Leads a team; the number is its exact type.
    Agent(i16),
    /// A free demo account.
    Trial,
}

impl MemberKind {
    /// From the type's number; unknown numbers are plain members.
    pub fn from_number(number: i16) -> Self {
        match number {
            1 | 2 | 41 | 42 => Self::Agent(number),
            4 => Self::Trial,
            _ => Self::Member,
        }
    }

    /// The type's number.
    pub fn number(self) -> i16 {
        match self {
            Self::Member => 0,
            Self::Agent(number) => number,
            Self::Trial => 4,
        }
    }
}

/// A member as others see it; no secrets.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The member's id.
    pub id: Uuid,
    /// Whose member it is.
    pub merchant_id: Uuid,
    /// The username as it was written at registration.
    pub account: String,
    /// How the site calls the member.
    pub nickname: String,
    /// Its type.
    pub kind: MemberKind,
    /// Its one currency.
    pub currency: Currency,
    /// Since when.
    pub registered_at: DateTime<Utc>,
    /// Whether the member came through somebody else and has yet to tell what a form would ask.
    pub to_complete: bool,
    /// The site's code of the language that the member has chosen.
    pub language: Option<String>,
}

/// What a person has told of itself, at registration or later. Nothing here is verified.
#[derive(Clone, Debug, Default)]
pub struct Person {
    /// The real name, as the bank knows it.
    pub payee_name: Option<String>,
    /// The birth date, of somebody who is old enough.
    pub birthday: Option<NaiveDate>,
    /// The number of an identity document; stored encrypted.
    pub id_number: Option<String>,
    /// Where the member can be reached besides: QQ, WhatsApp, Facebook, Telegram, Zalo, LINE,
    /// WeChat, in this order.
    pub contacts: [Option<String>; 7],
    /// Where the member lives.
    pub address: Option<String>,
    /// Of which nation.
    pub nationality: Option<String>,
    /// What the member does for a living.
    pub occupation: Option<String>,
    /// What the member lives on.
    pub source_of_income: Option<String>,
}

/// How somebody came to register.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The site's domain that the page was opened on.
    pub domain: Option<String>,
    /// The page's address.
    pub url: Option<String>,
    /// `WEB`.
    pub method: Option<String>,
}

/// Somebody whose form was found to be right: what the form says, ready to be looked up and stored.
pub struct Newcomer {
    /// The username; by mobile number it is the number.
    pub account: String,
    /// None where members log in by SMS alone.
    pub password: Option<String>,
    /// The transaction password.
    pub payment_password: Option<String>,
    /// How the site calls the member; by default its account, unless that is a number.
    pub nickname: Option<String>,
    /// The mobile number.
    pub number: Option<GivenNumber>,
    /// As it was written.
    pub email: Option<String>,
    /// The invitation code of an agent.
    pub affiliate_code: Option<String>,
    /// The code in the link that a member sent to a friend.
    pub referral_code: Option<String>,
    /// The username of the member who recommended the site.
    pub recommender: Option<String>,
    /// What the captcha's picture says.
    pub captcha: Option<String>,
    /// The proof of work.
    pub human: Option<String>,
    /// What it tells of itself.
    pub person: Person,
    /// How it came.
    pub origin: Origin,
}

/// A mobile number that somebody gives, and what came with it to show that it is its own.
pub struct GivenNumber {
    /// In E.164 form.
    pub mobile: String,
    /// The code that was sent there.
    pub code: Option<String>,
    /// What the phone service says of it, in place of a code.
    pub id_token: Option<String>,
}

impl GivenNumber {
    /// Whether something came with it that shows whose it is.
    pub(super) fn has_evidence(&self) -> bool {
        self.code.is_some() || self.id_token.is_some()
    }
}

impl Newcomer {
    /// The mobile number in E.164 form.
    pub(super) fn mobile(&self) -> Option<&str> {
        self.number.as_ref().map(|number| number.mobile.as_str())
    }

    /// Whether the mobile number is the username.
    pub(super) fn is_by_mobile(&self) -> bool {
        self.mobile() == Some(&self.account)
    }
}

/// Who stands above a new member.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// The agent whose invitation code it was, with the code.
    pub upline: Option<(Uuid, String)>,
    /// The member who recommended the site.
    pub recommender: Option<Uuid>,
}

/// Hashes of what a newcomer chose.
#[derive(Clone, Default)]
pub struct Hashes {
    /// Of the password.
    pub password: Option<String>,
    /// Of the transaction password.
    pub payment_password: Option<String>,
}

/// A member that is being made, for the listeners.
pub struct NewMember {
    /// Its profile.
    pub profile: Profile,
    /// Its merchant.
    pub merchant: Arc<Merchant>,
}

/// Called inside the transaction that makes a member; an error undoes it.
#[derive(Clone, Copy)]
pub struct OnRegistered(pub NewMemberHook);

type NewMemberHook = for<'a> fn(
    &'a Core,
    &'a mut PgTransaction<'static>,
    &'a NewMember,
) -> BoxFuture<'a, Result<(), ApiError>>;
