//! Freezing, opening and closing accounts, asking for passwords, ending sessions: each with its
//! reason, its row in the trail and its consequences in one transaction.

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
use staff::{Actor, Deed};

/// Something that staff do to an account.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Freeze,
    Unfreeze,
    Close,
}

impl Step {
    /// Where it leads from a state; nowhere from some.
    fn from(self, state: MemberState) -> Option<MemberState> {
        match (self, state) {
            (Self::Freeze, MemberState::Active) => Some(MemberState::Frozen),
            (Self::Unfreeze, MemberState::Frozen) => Some(MemberState::Active),
            (Self::Close, MemberState::Active | MemberState::Frozen) => Some(MemberState::Closed),
            _ => None,
        }
    }

    fn action(self) -> &'static str {
        match self {
            Self::Freeze => "members.freeze",
            Self::Unfreeze => "members.unfreeze",
            Self::Close => "members.close",
        }
    }
}

/// Who does something to whom, and why.
pub(super) struct Order {
    pub(super) actor: Actor,
    pub(super) member_id: Uuid,
    pub(super) reason: String,
}

impl Order {
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
        let deed = Deed { action, subject: self.subject(), before, after, reason };
        staff::record(&app.staff, tx, &self.actor, deed).await
    }

    /// Locks the account; nobody comes in or has its state changed until the transaction ends.
    async fn lock(&self, tx: &mut PgTransaction<'_>) -> Result<MemberState, ApiError> {
        let state = members::lock_state(tx, self.member_id).await?;
        state.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))
    }
}

/// Brings an account into another state. One that is not active any more loses its sessions and
/// every way back at once, on all nodes.
pub(super) async fn take_step(app: &Identity, order: Order, step: Step) -> Result<(), ApiError> {
    staff::check_reason(&order.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let before = order.lock(&mut tx).await?;
        let after = step.from(before);
        let after = after.ok_or_else(|| ApiError::new(members::codes::OTHER_STATE))?;
        let change = StateChange {
            member_id: order.member_id,
            state: after,
            reason: order.reason.trim().to_owned(),
            by: order.actor.name().to_owned(),
            at: app.clock.now(),
        };
        members::change_state(&app.members, &mut tx, &change).await?;
        let ended = match after.refusal() {
            Some(code) => Some(shut_out(&app, &mut tx, order.member_id, code).await?),
            None => None,
        };
        let states = [before, after].map(|state| Some(json!({ "state": state.name() })));
        order.record(&app, &mut tx, step.action(), states.into()).await?;
        finish(&app, tx, ended).await
    })
    .await
}

/// Ends every session, and takes away what would begin another without a log-in.
async fn shut_out(
    app: &Identity,
    tx: &mut PgTransaction<'static>,
    member_id: Uuid,
    why: ErrorCode,
) -> Result<Ended, ApiError> {
    recovery::close_ways_back(tx, member_id).await?;
    ops::end_all(app, tx, member_id, Some(why)).await
}

async fn finish(
    app: &Identity,
    tx: PgTransaction<'static>,
    ended: Option<Ended>,
) -> Result<(), ApiError> {
    let committed = db::commit(tx).await;
    // Whatever became of the commit, the database is asked next.
    if let Some(ended) = ended {
        ended.forget(app);
    }
    committed
}

/// Asks for another password: the sessions end, and whoever next logs in with the
/// password has to choose one.
pub(super) async fn ask_for_password(app: &Identity, order: Order) -> Result<(), ApiError> {
    staff::check_reason(&order.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        order.lock(&mut tx).await?;
        recovery::close_ways_back(&mut tx, order.member_id).await?;
        if !members::ask_for_password(&mut tx, order.member_id).await? {
            return Err(ApiError::new(members::codes::NO_PASSWORD));
        }
        let ended = ops::end_all(&app, &mut tx, order.member_id, None).await?;
        order.record(&app, &mut tx, "members.password", (None, None)).await?;
        finish(&app, tx, Some(ended)).await
    })
    .await
}

/// Ends one of a member's sessions, or all.
pub(super) async fn end_sessions(
    app: &Identity,
    order: Order,
    session: Option<DeviceId>,
) -> Result<(), ApiError> {
    staff::check_reason(&order.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        order.lock(&mut tx).await?;
        let (ended, action) = match session {
            Some(device) => {
                let ended = ops::end_device_in(&app, &mut tx, order.member_id, device).await?;
                let unknown = || ApiError::new(platform::codes::SESSION_UNKNOWN);
                (ended.ok_or_else(unknown)?, "members.session_end")
            }
            None => {
                let ended = ops::end_all(&app, &mut tx, order.member_id, None).await?;
                (ended, "members.sessions_end")
            }
        };
        order.record(&app, &mut tx, action, (None, None)).await?;
        finish(&app, tx, Some(ended)).await
    })
    .await
}
