//! The state of an account. A frozen account cannot log in or move money until staff unfreeze it; a
//! closed account stays closed.
//!
//! The member's profile row holds the state. A login takes a row lock on it first, and a state
//! change ends all sessions under its exclusive row lock. A concurrent login is therefore either
//! refused, or its session is ended with the others.

use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use sqlx::PgTransaction;
use uuid::Uuid;

use super::state_store;
use crate::Members;
use crate::codes;
use platform::Core;
use platform::codes::ErrorCode;
use platform::error::ApiError;

/// The state of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberState {
    /// May log in and move money.
    Active,
    /// May not log in or move money until staff unfreeze it.
    Frozen,
    /// Closed for good.
    Closed,
}

impl MemberState {
    /// All states.
    pub const ALL: [Self; 3] = [Self::Active, Self::Frozen, Self::Closed];

    /// As it is stored and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Frozen => "frozen",
            Self::Closed => "closed",
        }
    }

    /// Parses the name of a state.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// The error code for a login that this state refuses.
    pub fn refusal(self) -> Option<ErrorCode> {
        match self {
            Self::Active => None,
            Self::Frozen => Some(codes::FROZEN),
            Self::Closed => Some(codes::CLOSED),
        }
    }

    /// Fails unless the account is active. Call it only after the password or code was correct, so
    /// that guessing does not reveal which accounts exist.
    pub fn require_active(self) -> Result<(), ApiError> {
        self.refusal().map_or(Ok(()), |code| Err(ApiError::new(code)))
    }
}

/// A change of an account's state.
pub struct StateChange {
    /// The member.
    pub member_id: Uuid,
    /// The new state.
    pub state: MemberState,
    /// The reason that staff gave.
    pub reason: String,
    /// Who changes the state.
    pub by: String,
    /// Time of the change.
    pub at: DateTime<Utc>,
}

/// A hook that runs inside the transaction that changes a state; an error rolls it back.
#[derive(Clone, Copy)]
pub struct OnStateChanged(pub StateChangeHook);

type StateChangeHook = for<'a> fn(
    &'a Core,
    &'a mut PgTransaction<'static>,
    &'a StateChange,
) -> BoxFuture<'a, Result<(), ApiError>>;

/// Reads the state of an account under a shared row lock, so that it stays the same until the
/// transaction ends. Call it before locking other rows of the member: the lock order is the profile
/// before the details.
pub async fn lock_state_shared(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<MemberState, ApiError> {
    let state = state_store::share_state(tx, member_id).await?;
    // A missing member counts as closed: a demo account may have been removed a moment ago.
    Ok(state.unwrap_or(MemberState::Closed))
}

/// Like [`lock_state_shared`] with an exclusive row lock, for changes of what logins depend on, such as
/// the password: no login proceeds until the transaction ends.
pub async fn lock_state_exclusive(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<MemberState, ApiError> {
    Ok(state_store::lock_state(tx, member_id).await?.unwrap_or(MemberState::Closed))
}

/// Reads the state of an account under an exclusive row lock, to change it; none if there is no
/// such member.
pub async fn lock_state(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<Option<MemberState>, sqlx::Error> {
    state_store::lock_state(tx, member_id).await
}

/// Writes the new state and runs every [`OnStateChanged`] hook.
pub async fn change_state(
    app: &Members,
    tx: &mut PgTransaction<'static>,
    change: &StateChange,
) -> Result<(), ApiError> {
    state_store::update_state(tx, change).await?;
    for hook in app.on_state_changed() {
        hook.0(app, tx, change).await?;
    }
    Ok(())
}

/// Requires a new password at the next login with the password; false if the member has none.
pub async fn require_new_password(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    state_store::update_must_change(tx, member_id).await
}

/// Whether staff require a new password of the member.
pub async fn is_asked_for_password(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    state_store::find_must_change(tx, member_id).await
}
