//! Types of members: profile, registration data and the hook that runs for a new member.

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
    /// An agent, who leads a team; the number is the exact type.
    Agent(i16),
    /// A free demo account.
    Trial,
}

impl MemberKind {
    /// Parses the type's number; unknown numbers are plain members.
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

/// A member's profile, without secrets.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The member's id.
    pub id: Uuid,
    /// The merchant that the member belongs to.
    pub merchant_id: Uuid,
    /// The username as typed at registration.
    pub account: String,
    /// The nickname, which the site shows to other members.
    pub nickname: String,
    /// The user type.
    pub kind: MemberKind,
    /// The account's currency; a member has one.
    pub currency: Currency,
    /// When the member registered.
    pub registered_at: DateTime<Utc>,
    /// Whether the member signed up through a social provider and must still complete the
    /// registration form.
    pub to_complete: bool,
    /// Code of the language that the member chose.
    pub language: Option<String>,
}

/// Personal data as the member typed it, at registration or later. Nothing here is verified.
#[derive(Clone, Debug, Default)]
pub struct Person {
    /// The real name, as the bank knows it.
    pub payee_name: Option<String>,
    /// The birth date, already checked against the minimum age.
    pub birthday: Option<NaiveDate>,
    /// The number of an identity document; stored encrypted.
    pub id_number: Option<String>,
    /// Further contacts, in this order: QQ, WhatsApp, Facebook, Telegram, Zalo, LINE, WeChat.
    pub contacts: [Option<String>; 7],
    /// The postal address.
    pub address: Option<String>,
    /// The nationality.
    pub nationality: Option<String>,
    /// The occupation.
    pub occupation: Option<String>,
    /// The source of income.
    pub source_of_income: Option<String>,
}

/// Where a registration came from.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The site's domain on which the page was opened.
    pub domain: Option<String>,
    /// The URL of the page.
    pub url: Option<String>,
    /// `WEB`, or `SOCIAL` for a social sign-up.
    pub method: Option<String>,
}

/// A registration that passed validation; look-ups and reservations follow.
pub struct Newcomer {
    /// The username; the mobile number if the member registers by number.
    pub account: String,
    /// None if members log in by SMS alone.
    pub password: Option<String>,
    /// The transaction password.
    pub payment_password: Option<String>,
    /// The nickname; by default the username, unless that is the mobile number.
    pub nickname: Option<String>,
    /// The mobile number.
    pub number: Option<GivenNumber>,
    /// The e-mail address as typed.
    pub email: Option<String>,
    /// The invitation code of an agent.
    pub affiliate_code: Option<String>,
    /// The code in the referral link that a member sent to a friend.
    pub referral_code: Option<String>,
    /// The username of the member who recommended the site.
    pub recommender: Option<String>,
    /// The answer to the captcha.
    pub captcha: Option<String>,
    /// The solved proof of work.
    pub human: Option<String>,
    /// Personal data.
    pub person: Person,
    /// Where the registration came from.
    pub origin: Origin,
}

/// A mobile number from a form, with the evidence that the sender owns it. The evidence is not
/// verified yet.
pub struct GivenNumber {
    /// In E.164 form.
    pub mobile: String,
    /// The verification code that was sent to the number.
    pub code: Option<String>,
    /// The ID token of the phone service, in place of a code.
    pub id_token: Option<String>,
}

impl GivenNumber {
    /// Whether a code or an ID token came with the number.
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

/// Who referred a new member.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// The agent of the invitation code, with the code.
    pub upline: Option<(Uuid, String)>,
    /// The member who recommended the site.
    pub recommender: Option<Uuid>,
}

/// Password hashes of a new account.
#[derive(Clone, Default)]
pub struct Hashes {
    /// Hash of the login password.
    pub password: Option<String>,
    /// Hash of the transaction password.
    pub payment_password: Option<String>,
}

/// A new member, as the [`OnRegistered`] hooks get it.
pub struct NewMember {
    /// The member's profile.
    pub profile: Profile,
    /// The member's merchant.
    pub merchant: Arc<Merchant>,
}

/// A hook that runs inside the transaction that creates a member; an error rolls it back.
#[derive(Clone, Copy)]
pub struct OnRegistered(pub NewMemberHook);

type NewMemberHook = for<'a> fn(
    &'a Core,
    &'a mut PgTransaction<'static>,
    &'a NewMember,
) -> BoxFuture<'a, Result<(), ApiError>>;
