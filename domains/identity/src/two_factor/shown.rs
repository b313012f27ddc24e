//! A code that a member shows: its try is counted before it is compared, and it is used up in the
//! transaction of what it is for.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::codes::recovery_hash;
use super::store::{self, FactorRow};
use super::tries::{Place, Try};
use crate::Identity;
use crate::codes;
use crate::sessions::current::CurrentMember;
use crate::sessions::model::Factor;
use platform::asker;
use platform::error::ApiError;
use site::Merchant;

/// A code whose try is counted.
pub(crate) struct ShownCode {
    pub(super) merchant: Arc<Merchant>,
    pub(super) member_id: Uuid,
    pub(super) code: String,
    tried: Try,
    /// What it was found to be when it was last compared.
    is_right: bool,
}

impl ShownCode {
    /// Counts the try, before the transaction of what the code is for.
    pub(super) async fn count(
        app: &Identity,
        (merchant, member_id): (Arc<Merchant>, Uuid),
        place: Place<'_>,
        code: String,
    ) -> Result<Self, ApiError> {
        let tried = Try::take(app, member_id, place, &code).await?;
        Ok(Self { merchant, member_id, code, tried, is_right: false })
    }

    /// Uses the code up in a transaction that holds the member's state.
    pub(super) async fn spend(
        &mut self,
        app: &Identity,
        tx: &mut PgTransaction<'static>,
    ) -> Result<Factor, ApiError> {
        let used = use_code_up(app, tx, self.member_id, &self.code).await?;
        self.is_right = used.is_some();
        let factor = used.ok_or_else(|| ApiError::new(codes::FACTOR_INVALID))?;
        self.tried.forget(app, tx).await?;
        Ok(factor)
    }

    /// What became of the change, whose transaction is over. A right code was no wrong try, whatever the
    /// change was refused for.
    pub(super) async fn settle<T>(
        &self,
        app: &Identity,
        changed: Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        match &changed {
            Ok(_) => asker::tell("showed a second factor"),
            Err(_) if self.is_right => {
                self.tried.forget(app, &mut *app.db.acquire().await?).await?;
            }
            Err(refusal) if refusal.code == codes::FACTOR_INVALID => {
                self.tried.note_wrong(app, (&self.merchant, self.member_id)).await?;
            }
            Err(_) => {}
        }
        changed
    }
}

/// Uses a code up, of the app or on paper, in the caller's transaction; nothing where it is wrong.
async fn use_code_up(
    app: &Identity,
    db: &mut PgConnection,
    member_id: Uuid,
    code: &str,
) -> Result<Option<Factor>, ApiError> {
    let factor = store::find_factor(db, member_id).await?;
    let factor = factor.filter(|factor| factor.confirmed);
    let factor = factor.ok_or_else(|| ApiError::new(codes::FACTOR_MISSING))?;
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
    app: &Identity,
    member_id: Uuid,
    factor: &FactorRow,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Option<i64>, ApiError> {
    let shared = app.factors.open(member_id, &factor.secret)?;
    shared.find_step(code, u64::try_from(now.timestamp()).unwrap_or(0))
}

/// What is asked for beside the password where a way into the account is changed.
pub(crate) enum Asked {
    /// The factor was shown a moment ago.
    Nothing,
    /// The member has none.
    NoFactor(Uuid),
    /// A code, which is there.
    Code { merchant: Arc<Merchant>, member_id: Uuid, code: String },
}

/// Asks a member who has a second factor for a code of it, and others for nothing.
pub(crate) async fn ask(
    app: &Identity,
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
    ApiError::new(codes::FACTOR_NEEDED)
}

/// Whether a member logs in with a second factor.
pub(crate) async fn has_factor(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    let factor = store::find_factor(db, member_id).await?;
    Ok(factor.is_some_and(|factor| factor.confirmed))
}

impl Asked {
    /// Counts the try, before the transaction of what is changed.
    pub(crate) async fn count(self, app: &Identity) -> Result<Proof, ApiError> {
        Ok(match self {
            Self::Nothing => Proof::Nothing,
            Self::NoFactor(member_id) => Proof::NoFactor(member_id),
            Self::Code { merchant, member_id, code } => {
                let whose = (merchant, member_id);
                Proof::Code(ShownCode::count(app, whose, Place::Session, code).await?)
            }
        })
    }
}

/// The same with the try counted.
pub(crate) enum Proof {
    Nothing,
    NoFactor(Uuid),
    Code(ShownCode),
}

impl Proof {
    /// Refuses a wrong code before anything else that the change costs is tried; a right one is not
    /// used up.
    pub(crate) async fn compare(&mut self, app: &Identity) -> Result<(), ApiError> {
        let Self::Code(code) = self else { return Ok(()) };
        let mut tx = app.db.begin().await?;
        members::hold_state(&mut tx, code.member_id).await?;
        let compared = code.spend(app, &mut tx).await;
        tx.rollback().await?;
        compared.map(drop)
    }

    /// Uses the code up in the transaction of the change, which holds the member's state.
    pub(crate) async fn spend(
        &mut self,
        app: &Identity,
        tx: &mut PgTransaction<'static>,
    ) -> Result<(), ApiError> {
        match self {
            Self::Nothing => Ok(()),
            // It may have been turned on meanwhile.
            Self::NoFactor(member_id) => match has_factor(tx, *member_id).await? {
                true => Err(needed()),
                false => Ok(()),
            },
            Self::Code(code) => code.spend(app, tx).await.map(drop),
        }
    }

    /// What became of the change, whose transaction is over.
    pub(crate) async fn settle<T>(
        &self,
        app: &Identity,
        changed: Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        match self {
            Self::Code(code) => code.settle(app, changed).await,
            Self::Nothing | Self::NoFactor(_) => changed,
        }
    }
}
