//! The state of an account. A frozen account lets nobody in and moves no money until it is opened
//! again; a closed one stays closed.
//!
//! The member's profile is the one place that says so. Whoever lets somebody in locks that row
//! first, and whoever changes the state ends the sessions while it is locked: a log-in at the same
//! moment is refused, or its session ends with the others.

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

/// What an account is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberState {
    /// Everything.
    Active,
    /// Nothing, until staff open it again.
    Frozen,
    /// Nothing any more.
    Closed,
}

impl MemberState {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Active, Self::Frozen, Self::Closed];

    /// As it is stored and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Frozen => "frozen",
            Self::Closed => "closed",
        }
    }

    /// The state of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// What somebody is told who may not come in.
    pub fn refusal(self) -> Option<ErrorCode> {
        match self {
            Self::Active => None,
            Self::Frozen => Some(codes::FROZEN),
            Self::Closed => Some(codes::CLOSED),
        }
    }

    /// Refuses whoever is not active. To be asked after the secret was right, so that nobody learns
    /// of accounts by guessing.
    pub fn require_active(self) -> Result<(), ApiError> {
        self.refusal().map_or(Ok(()), |code| Err(ApiError::new(code)))
    }
}

/// A state that an account comes into.
pub struct StateChange {
    /// Whose.
    pub member_id: Uuid,
    /// The new one.
    pub state: MemberState,
    /// Why, in the words of whoever does it.
    pub reason: String,
    /// Who does it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// Called inside the transaction that changes a state; an error undoes it.
#[derive(Clone, Copy)]
pub struct OnStateChanged(pub StateChangeHook);

type StateChangeHook = for<'a> fn(
    &'a Core,
    &'a mut PgTransaction<'static>,
    &'a StateChange,
) -> BoxFuture<'a, Result<(), ApiError>>;

/// The state of an account, which stays as it is until the transaction ends. Comes before whatever
/// else a transaction locks of the member: whoever writes both profile and details begins with the
/// profile, too.
pub async fn hold_state(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<MemberState, ApiError> {
    let state = state_store::share_state(tx, member_id).await?;
    // Whoever is gone lets nobody in either: a demo account may have ended a moment ago.
    Ok(state.unwrap_or(MemberState::Closed))
}

/// The same for whoever changes what log-ins rest on: nobody is let in meanwhile.
pub async fn hold_alone(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<MemberState, ApiError> {
    Ok(state_store::lock_state(tx, member_id).await?.unwrap_or(MemberState::Closed))
}

/// The state of an account that is about to be changed; none where there is no such member.
pub async fn lock_state(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<Option<MemberState>, sqlx::Error> {
    state_store::lock_state(tx, member_id).await
}

/// Writes another state, and tells everybody who has to act on it.
pub async fn change_state(
    app: &Members,
    tx: &mut PgTransaction<'static>,
    change: &StateChange,
) -> Result<(), ApiError> {
    state_store::update_state(tx, change).await?;
    for listener in app.on_state_changed() {
        listener.0(app, tx, change).await?;
    }
    Ok(())
}

/// Asks for another password at the next log-in with it; false for a member that has none.
pub async fn ask_for_password(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    state_store::update_must_change(tx, member_id).await
}

/// Whether staff have asked for another password.
pub async fn is_asked_for_password(
    tx: &mut PgTransaction<'_>,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    state_store::find_must_change(tx, member_id).await
}
