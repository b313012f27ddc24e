//! Showing once more who one is. A session that somebody finds open, or whose cookie was stolen, is not enough
//! for what is grave: new accounts and secrets of colleagues, what they may do, settings, codes of members. Nor is it
//! while its owner's proof is good: the browser that showed it got a secret, and what is grave asks for that, too.

use uuid::Uuid;

use super::model::{Actor, OnDuty};
use super::ops::{self, NO_STEP, subject};
use super::store;
use super::trail::{self, Deed};
use super::tries::{self, Tries};
use crate::Staff;
use crate::codes;
use platform::cookies::BrowserSecret;
use platform::db;
use platform::error::ApiError;

/// What somebody shows of oneself.
pub(super) struct Shown {
    pub(super) password: String,
    pub(super) code: String,
    /// What the browser keeps of it.
    pub(super) secret: BrowserSecret,
}

/// Notes in the session that its owner has shown password and code. Which of them was wrong is not
/// told, and both take the same steps.
pub(super) async fn prove(app: &Staff, person: &OnDuty, shown: Shown) -> Result<(), ApiError> {
    let over = || ApiError::new(platform::codes::SESSION_REQUIRED);
    let id = person.person.id;
    tries::take(app, Tries::Inside(person)).await?;
    let row = store::find_credentials_of(&app.db, id).await?.ok_or_else(over)?;
    let fits = app.passwords.fits(shown.password, Some(row.password_hash.clone())).await?;
    let step = ops::find_step(app, &row, &shown.code)?.unwrap_or(NO_STEP);
    let (actor, token_hash) = (person.actor(), person.token_hash);
    let proof_hash = ops::hash_of(&shown.secret);
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let is_new_code = store::update_step(&mut tx, &row, step).await?;
        if !(fits && is_new_code) {
            // A code that is right is not used up by a wrong password.
            tx.rollback().await?;
            return refuse(&app, &actor, id).await;
        }
        if !store::update_proved(&mut tx, &token_hash, &proof_hash, app.clock.now()).await? {
            return Err(over());
        }
        trail::record(&app, &mut tx, &actor, Deed::plain("staff.proof", subject(id))).await?;
        db::commit(tx).await
    })
    .await
}

/// Refuses password and code of somebody who is in, and notes it in the trail.
pub(super) async fn refuse(app: &Staff, actor: &Actor, id: Uuid) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let deed = Deed::plain("staff.proof_refused", subject(id));
    trail::record(app, &mut tx, actor, deed).await?;
    db::commit(tx).await?;
    Err(ApiError::new(codes::PROOF_REFUSED))
}
