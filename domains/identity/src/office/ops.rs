//! Freezes, unfreezes and closes accounts, requires new passwords and ends sessions. Each action
//! writes its reason to the audit log and takes effect in one transaction.

use serde_json::{Value, json};
use sqlx::PgTransaction;
use uuid::Uuid;

use crate::Identity;
use crate::recovery;
use crate::sessions::model::DeviceId;
use crate::sessions::ops::{self, Ended};
use members::{MemberState, StateChange};
use platform::codes::ErrorCode;
use platform::db;
use platform::error::ApiError;
use staff::{Actor, AuditEntry};

/// An action that changes the state of an account.
#[derive(Clone, Copy, Debug)]
pub(super) enum StateAction {
    Freeze,
    Unfreeze,
    Close,
}

impl StateAction {
    /// The new state; none if the action is not allowed in the current state.
    fn new_state(self, state: MemberState) -> Option<MemberState> {
        match (self, state) {
            (Self::Freeze, MemberState::Active) => Some(MemberState::Frozen),
            (Self::Unfreeze, MemberState::Frozen) => Some(MemberState::Active),
            (Self::Close, MemberState::Active | MemberState::Frozen) => Some(MemberState::Closed),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Freeze => "members.freeze",
            Self::Unfreeze => "members.unfreeze",
            Self::Close => "members.close",
        }
    }
}

/// An action of staff on a member: who, on whom, and why.
pub(super) struct StaffAction {
    pub(super) actor: Actor,
    pub(super) member_id: Uuid,
    pub(super) reason: String,
}

impl StaffAction {
    fn subject(&self) -> String {
        format!("member:{}", self.member_id)
    }

    async fn record(
        &self,
        app: &Identity,
        tx: &mut PgTransaction<'_>,
        action: &'static str,
        (before, after): (Option<Value>, Option<Value>),
    ) -> Result<(), ApiError> {
        let reason = Some(self.reason.trim());
        let entry = AuditEntry { action, subject: self.subject(), before, after, reason };
        staff::record(&app.staff, tx, &self.actor, entry).await
    }

    /// Locks the profile row: until the transaction ends nobody can log in or change the state.
    async fn lock(&self, tx: &mut PgTransaction<'_>) -> Result<MemberState, ApiError> {
        let state = members::lock_state(tx, self.member_id).await?;
        state.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))
    }
}

/// Changes the state of an account. An account that is not active any more loses its sessions,
/// recovery links, remembered passwords and pending logins at once, on all nodes.
pub(super) async fn change_state(
    app: &Identity,
    request: StaffAction,
    action: StateAction,
) -> Result<(), ApiError> {
    staff::check_reason(&request.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let before = request.lock(&mut tx).await?;
        let after = action.new_state(before);
        let after = after.ok_or_else(|| ApiError::new(members::codes::OTHER_STATE))?;
        let change = StateChange {
            member_id: request.member_id,
            state: after,
            reason: request.reason.trim().to_owned(),
            by: request.actor.name().to_owned(),
            at: app.clock.now(),
        };
        members::change_state(&app.members, &mut tx, &change).await?;
        let ended = match after.refusal() {
            Some(code) => Some(revoke_access(&app, &mut tx, request.member_id, code).await?),
            None => None,
        };
        let states = [before, after].map(|state| Some(json!({ "state": state.name() })));
        request.record(&app, &mut tx, action.name(), states.into()).await?;
        finish(&app, tx, ended).await
    })
    .await
}

/// Ends every session and deletes what would allow a new one without a login.
async fn revoke_access(
    app: &Identity,
    tx: &mut PgTransaction<'static>,
    member_id: Uuid,
    reason: ErrorCode,
) -> Result<Ended, ApiError> {
    recovery::revoke_pending_access(tx, member_id).await?;
    ops::end_all(app, tx, member_id, Some(reason)).await
}

async fn finish(
    app: &Identity,
    tx: PgTransaction<'static>,
    ended: Option<Ended>,
) -> Result<(), ApiError> {
    let committed = db::commit(tx).await;
    // A failed commit may have happened, so drop the cached sessions in any case; the next request
    // reads the database.
    if let Some(ended) = ended {
        ended.forget(app);
    }
    committed
}

/// Requires a new password: all sessions end, and after the next login with the password the member
/// has to choose a new one.
pub(super) async fn require_new_password(
    app: &Identity,
    request: StaffAction,
) -> Result<(), ApiError> {
    staff::check_reason(&request.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        request.lock(&mut tx).await?;
        recovery::revoke_pending_access(&mut tx, request.member_id).await?;
        if !members::require_new_password(&mut tx, request.member_id).await? {
            return Err(ApiError::new(members::codes::NO_PASSWORD));
        }
        let ended = ops::end_all(&app, &mut tx, request.member_id, None).await?;
        request.record(&app, &mut tx, "members.password", (None, None)).await?;
        finish(&app, tx, Some(ended)).await
    })
    .await
}

/// Ends one session or all sessions of a member.
pub(super) async fn end_sessions(
    app: &Identity,
    request: StaffAction,
    session: Option<DeviceId>,
) -> Result<(), ApiError> {
    staff::check_reason(&request.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        request.lock(&mut tx).await?;
        let (ended, action) = match session {
            Some(device) => {
                let ended = ops::end_device_in(&app, &mut tx, request.member_id, device).await?;
                let unknown = || ApiError::new(platform::codes::SESSION_UNKNOWN);
                (ended.ok_or_else(unknown)?, "members.session_end")
            }
            None => {
                let ended = ops::end_all(&app, &mut tx, request.member_id, None).await?;
                (ended, "members.sessions_end")
            }
        };
        request.record(&app, &mut tx, action, (None, None)).await?;
        finish(&app, tx, Some(ended)).await
    })
    .await
}
