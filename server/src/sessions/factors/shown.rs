//! A code that a member shows: its try is counted before it is compared, and it is used up in the
//! transaction of what it is for.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::codes::recovery_hash;
use super::store::{self, FactorRow};
use super::tries::{Place, Try};
use crate::app::App;
use crate::codes::ErrorCode;
use crate::members::{self, MemberState};
use crate::platform::asker;
use crate::platform::error::ApiError;
use crate::sessions::http::CurrentMember;
use crate::sessions::model::Factor;
use crate::site::Merchant;

/// A code whose try is counted.
pub(in crate::sessions) struct ShownCode {
    pub(super) merchant: Arc<Merchant>,
    pub(super) member_id: Uuid,
    pub(super) code: String,
    pub(super) tried: Try,
}

/// The transaction that a code was for, which has used it up.
pub(super) struct Begun {
    pub(super) tx: PgTransaction<'static>,
    /// Nobody changes it meanwhile.
    pub(super) state: MemberState,
    pub(super) factor: Factor,
}

impl ShownCode {
    /// Begins the transaction of what the code is for, and uses it up in it.
    pub(super) async fn spend(self, app: &App) -> Result<Begun, ApiError> {
        let mut tx = app.db.begin().await?;
        // Before anything else of the member is locked.
        let state = members::hold_state(&mut tx, self.member_id).await?;
        match self.spend_in(app, &mut tx).await {
            Ok(factor) => Ok(Begun { tx, state, factor }),
            Err(wrong) => {
                tx.rollback().await?;
                self.note_refused(app, &wrong).await?;
                Err(wrong)
            }
        }
    }

    /// Uses the code up in a transaction that holds the member's state.
    async fn spend_in(
        &self,
        app: &App,
        tx: &mut PgTransaction<'static>,
    ) -> Result<Factor, ApiError> {
        let used = use_code_up(app, tx, self.member_id, &self.code).await?;
        let factor = used.ok_or_else(|| ApiError::new(ErrorCode::SessionFactorInvalid))?;
        self.tried.forget(app, tx).await?;
        asker::tell("showed a second factor");
        Ok(factor)
    }

    /// Notes a wrong code, once the transaction that it was for is undone.
    async fn note_refused(&self, app: &App, refusal: &ApiError) -> Result<(), ApiError> {
        match refusal.code {
            ErrorCode::SessionFactorInvalid => {
                self.tried.note_wrong(app, (&self.merchant, self.member_id)).await
            }
            _ => Ok(()),
        }
    }
}

/// Uses a code up, of the app or on paper, in the caller's transaction; nothing where it is wrong.
async fn use_code_up(
    app: &App,
    db: &mut PgConnection,
    member_id: Uuid,
    code: &str,
) -> Result<Option<Factor>, ApiError> {
    let factor = store::find_factor(db, member_id).await?;
    let factor = factor.filter(|factor| factor.confirmed);
    let factor = factor.ok_or_else(|| ApiError::new(ErrorCode::SessionFactorMissing))?;
    Ok(match find_step(app, member_id, &factor, code.trim(), app.clock.now())? {
        Some(step) => store::update_step(db, member_id, step).await?.then_some(Factor::App),
        None => {
            let hash = recovery_hash(member_id, code);
            store::delete_recovery_code(db, member_id, &hash).await?.then_some(Factor::Recovery)
        }
    })
}

/// The time step that a code of the app belongs to.
pub(super) fn find_step(
    app: &App,
    member_id: Uuid,
    factor: &FactorRow,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Option<i64>, ApiError> {
    let shared = app.factors.open(member_id, &factor.secret)?;
    shared.find_step(code, u64::try_from(now.timestamp()).unwrap_or(0))
}

/// What is asked for beside the password where a way into the account is changed.
pub(in crate::sessions) enum Asked {
    /// The factor was shown a moment ago.
    Nothing,
    /// The member has none.
    NoFactor(Uuid),
    /// A code, which is there.
    Code { merchant: Arc<Merchant>, member_id: Uuid, code: String },
}

/// Asks a member who has a second factor for a code of it, and others for nothing.
pub(in crate::sessions) async fn ask(
    app: &App,
    member: &CurrentMember,
    code: Option<String>,
) -> Result<Asked, ApiError> {
    if !has_factor(&mut *app.db.acquire().await?, member.id).await? {
        return Ok(Asked::NoFactor(member.id));
    }
    let code = code.filter(|code| !code.trim().is_empty()).ok_or_else(needed)?;
    Ok(Asked::Code { merchant: Arc::clone(&member.merchant), member_id: member.id, code })
}

fn needed() -> ApiError {
    ApiError::new(ErrorCode::SessionFactorNeeded)
}

/// Whether a member logs in with a second factor.
pub(in crate::sessions) async fn has_factor(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    let factor = store::find_factor(db, member_id).await?;
    Ok(factor.is_some_and(|factor| factor.confirmed))
}

impl Asked {
    /// Counts the try, before the transaction of what is changed.
    pub(in crate::sessions) async fn count(self, app: &App) -> Result<Proof, ApiError> {
        Ok(match self {
            Self::Nothing => Proof::Nothing,
            Self::NoFactor(member_id) => Proof::NoFactor(member_id),
            Self::Code { merchant, member_id, code } => {
                let tried = Try::take(app, member_id, Place::Session, &code).await?;
                Proof::Code(ShownCode { merchant, member_id, code, tried })
            }
        })
    }
}

/// The same with the try counted.
pub(in crate::sessions) enum Proof {
    Nothing,
    NoFactor(Uuid),
    Code(ShownCode),
}

impl Proof {
    /// Uses the code up in the transaction of the change, which holds the member's state.
    pub(in crate::sessions) async fn spend(
        &self,
        app: &App,
        tx: &mut PgTransaction<'static>,
    ) -> Result<(), ApiError> {
        match self {
            Self::Nothing => Ok(()),
            // It may have been turned on meanwhile.
            Self::NoFactor(member_id) => match has_factor(tx, *member_id).await? {
                true => Err(needed()),
                false => Ok(()),
            },
            Self::Code(code) => code.spend_in(app, tx).await.map(drop),
        }
    }

    /// What became of the change, whose transaction is over: a wrong code is noted then.
    pub(in crate::sessions) async fn settle<T>(
        &self,
        app: &App,
        changed: Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        if let (Self::Code(code), Err(refusal)) = (self, &changed) {
            code.note_refused(app, refusal).await?;
        }
        changed
    }
}
