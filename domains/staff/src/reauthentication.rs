//! Re-authentication: password and code once more, for sensitive actions such as staff accounts,
//! secrets, rights, settings and members' codes.
//!
//! An unattended or stolen session alone does not allow these, not even while its owner's
//! re-authentication is valid: the browser that re-authenticated got a second cookie, which
//! sensitive actions require too.

use uuid::Uuid;

use super::audit_log::{self, AuditEntry};
use super::model::{Actor, StaffSession};
use super::ops::{self, NO_STEP, subject};
use super::store;
use super::tries::{self, Attempt};
use crate::Staff;
use crate::codes;
use platform::cookies::BrowserSecret;
use platform::db;
use platform::error::ApiError;

/// The credentials of a re-authentication.
pub(super) struct Credentials {
    pub(super) password: String,
    pub(super) code: String,
    /// The new value of the re-authentication cookie.
    pub(super) secret: BrowserSecret,
}

/// Checks password and code, and marks the session as recently authenticated. The answer does not
/// tell which of them was wrong, and both cases do the same work.
pub(super) async fn reauthenticate(
    app: &Staff,
    person: &StaffSession,
    credentials: Credentials,
) -> Result<(), ApiError> {
    let no_session = || ApiError::new(platform::codes::SESSION_REQUIRED);
    let id = person.person.id;
    tries::take(app, Attempt::Session(person)).await?;
    let row = store::find_credentials_of(&app.db, id).await?.ok_or_else(no_session)?;
    let fits = app.passwords.fits(credentials.password, Some(row.password_hash.clone())).await?;
    let step = ops::find_step(app, &row, &credentials.code)?.unwrap_or(NO_STEP);
    let (actor, token_hash) = (person.actor(), person.token_hash);
    let proof_hash = ops::hash_of(&credentials.secret);
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let is_new_code = store::update_step(&mut tx, &row, step).await?;
        if !(fits && is_new_code) {
            // The rollback keeps a correct code usable after a wrong password.
            tx.rollback().await?;
            return refuse(&app, &actor, id).await;
        }
        if !store::update_reauthenticated(&mut tx, &token_hash, &proof_hash, app.clock.now())
            .await?
        {
            return Err(no_session());
        }
        audit_log::record(&app, &mut tx, &actor, AuditEntry::plain("staff.proof", subject(id)))
            .await?;
        db::commit(tx).await
    })
    .await
}

/// Records the failed re-authentication in the audit log, and returns the refusal.
pub(super) async fn refuse(app: &Staff, actor: &Actor, id: Uuid) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let entry = AuditEntry::plain("staff.proof_refused", subject(id));
    audit_log::record(app, &mut tx, actor, entry).await?;
    db::commit(tx).await?;
    Err(ApiError::new(codes::PROOF_REFUSED))
}
