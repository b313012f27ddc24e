//! What a member is.

use std::sync::Arc;

use capiz_rules::money::Currency;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::PgTransaction;
use uuid::Uuid;

use crate::app::App;
use crate::platform::error::ApiError;
use crate::site::Merchant;

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
}

/// A member that is being made, for the listeners.
pub struct NewMember {
    /// Its profile.
    pub profile: Profile,
    /// Its merchant.
    pub merchant: Arc<Merchant>,
}

/// Called inside the transaction that makes a member; an error undoes it.
pub type OnRegistered = for<'a> fn(
    &'a App,
    &'a mut PgTransaction<'static>,
    &'a NewMember,
) -> BoxFuture<'a, Result<(), ApiError>>;
