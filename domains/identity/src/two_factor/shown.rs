//! A two-factor code that a member presents: the attempt is counted before the code is compared,
//! and the code is used up in the transaction that it authorizes.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::codes::recovery_hash;
use super::store::{self, FactorRow};
use super::tries::{AttemptContext, CodeAttempt};
use crate::Identity;
use crate::codes;
use crate::sessions::current::CurrentMember;
use crate::sessions::model::Factor;
use platform::error::ApiError;
use platform::request_context;
use site::Merchant;

/// A code whose attempt is counted.
pub(crate) struct PresentedCode {
    pub(super) merchant: Arc<Merchant>,
    pub(super) member_id: Uuid,
    pub(super) code: String,
    attempt: CodeAttempt,
    /// Whether the code was right when it was last compared.
    is_right: bool,
}

impl PresentedCode {
    /// Counts the attempt, before the transaction that the code authorizes.
    pub(super) async fn count(
        app: &Identity,
        (merchant, member_id): (Arc<Merchant>, Uuid),
        context: AttemptContext<'_>,
        code: String,
    ) -> Result<Self, ApiError> {
        let attempt = CodeAttempt::take(app, member_id, context, &code).await?;
        Ok(Self { merchant, member_id, code, attempt, is_right: false })
    }

    /// Uses up the code in a transaction that holds the lock on the profile row.
    pub(super) async fn spend(
        &mut self,
        app: &Identity,
        tx: &mut PgTransaction<'static>,
    ) -> Result<Factor, ApiError> {
        let used = consume_code(app, tx, self.member_id, &self.code).await?;
        self.is_right = used.is_some();
        let factor = used.ok_or_else(|| ApiError::new(codes::FACTOR_INVALID))?;
        self.attempt.clear(app, tx).await?;
        Ok(factor)
    }

    /// Must be called after the transaction of the change. Clears the attempts if the code was
    /// right, even if the change was refused for another reason, and reports too many wrong codes
    /// to the member.
    pub(super) async fn settle<T>(
        &self,
        app: &Identity,
        changed: Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        match &changed {
            Ok(_) => request_context::log("showed a second factor"),
            Err(_) if self.is_right => {
                self.attempt.clear(app, &mut *app.db.acquire().await?).await?;
            }
            Err(refusal) if refusal.code == codes::FACTOR_INVALID => {
                self.attempt.note_wrong(app, (&self.merchant, self.member_id)).await?;
            }
            Err(_) => {}
        }
        changed
    }
}

/// Uses up an app code or a recovery code in the caller's transaction; none if it is wrong.
async fn consume_code(
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

/// The TOTP time step of an app code.
pub(super) fn find_step(
    app: &Identity,
    member_id: Uuid,
    factor: &FactorRow,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Option<i64>, ApiError> {
    let secret = app.factors.open(member_id, &factor.secret)?;
    secret.find_step(code, u64::try_from(now.timestamp()).unwrap_or(0))
}

/// What a change of the ways to log in requires besides the password.
pub(crate) enum CodeRequirement {
    /// Nothing: the second factor was proven a moment ago.
    Nothing,
    /// Nothing: the member has no second factor.
    NoFactor(Uuid),
    /// A code, which was given.
    Code { merchant: Arc<Merchant>, member_id: Uuid, code: String },
}

/// Requires a code if the member has a second factor.
pub(crate) async fn require_code(
    app: &Identity,
    member: &CurrentMember,
    code: Option<String>,
) -> Result<CodeRequirement, ApiError> {
    if !has_factor(&mut *app.db.acquire().await?, member.id).await? {
        return Ok(CodeRequirement::NoFactor(member.id));
    }
    let code = code.filter(|code| !code.trim().is_empty()).ok_or_else(needed)?;
    Ok(CodeRequirement::Code { merchant: Arc::clone(&member.merchant), member_id: member.id, code })
}

fn needed() -> ApiError {
    ApiError::new(codes::FACTOR_NEEDED)
}

/// Whether a member has a second factor.
pub(crate) async fn has_factor(
    db: &mut PgConnection,
    member_id: Uuid,
) -> Result<bool, sqlx::Error> {
    let factor = store::find_factor(db, member_id).await?;
    Ok(factor.is_some_and(|factor| factor.confirmed))
}

impl CodeRequirement {
    /// Counts the attempt, before the transaction of the change.
    pub(crate) async fn count(self, app: &Identity) -> Result<Proof, ApiError> {
        Ok(match self {
            Self::Nothing => Proof::Nothing,
            Self::NoFactor(member_id) => Proof::NoFactor(member_id),
            Self::Code { merchant, member_id, code } => {
                let owner = (merchant, member_id);
                Proof::Code(PresentedCode::count(app, owner, AttemptContext::Session, code).await?)
            }
        })
    }
}

/// A [`CodeRequirement`] whose attempt is counted.
pub(crate) enum Proof {
    Nothing,
    NoFactor(Uuid),
    Code(PresentedCode),
}

impl Proof {
    /// Refuses a wrong code before anything else of the change is tried, and does not use up a
    /// right one.
    pub(crate) async fn compare(&mut self, app: &Identity) -> Result<(), ApiError> {
        let Self::Code(code) = self else { return Ok(()) };
        let mut tx = app.db.begin().await?;
        members::lock_state_shared(&mut tx, code.member_id).await?;
        let compared = code.spend(app, &mut tx).await;
        tx.rollback().await?;
        compared.map(drop)
    }

    /// Uses up the code in the transaction of the change, which holds the lock on the profile row.
    pub(crate) async fn spend(
        &mut self,
        app: &Identity,
        tx: &mut PgTransaction<'static>,
    ) -> Result<(), ApiError> {
        match self {
            Self::Nothing => Ok(()),
            // The second factor may have been turned on meanwhile.
            Self::NoFactor(member_id) => match has_factor(tx, *member_id).await? {
                true => Err(needed()),
                false => Ok(()),
            },
            Self::Code(code) => code.spend(app, tx).await.map(drop),
        }
    }

    /// Must be called after the transaction of the change.
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
