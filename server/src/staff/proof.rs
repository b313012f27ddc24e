//! Showing once more who one is. A session that somebody finds open, or whose cookie was stolen, is not enough
//! for what is grave: new accounts and secrets of colleagues, what they may do, settings, codes of members.

use super::model::OnDuty;
use super::ops::{self, NAME_TRIES, NO_STEP, OVERALL_TRIES, subject};
use super::store;
use super::trail::{self, Deed};
use crate::app::App;
use crate::codes::ErrorCode;
use crate::platform::budget::{self, Budget};
use crate::platform::db;
use crate::platform::error::ApiError;

/// Passwords and codes that one person may try while logged in, from wherever.
const STEP_UP_TRIES: Budget =
    Budget { name: "staff.step_up", limit: 10, window: std::time::Duration::from_secs(900) };

/// What somebody shows of oneself.
pub(super) struct Shown {
    pub(super) password: String,
    pub(super) code: String,
}

/// Notes in the session that its owner has shown password and code. Which of them was wrong is not
/// told, and both take the same steps.
pub(super) async fn prove(app: &App, person: &OnDuty, shown: Shown) -> Result<(), ApiError> {
    let over = || ApiError::new(ErrorCode::SessionRequired);
    let id = person.person.id;
    take_tries(app, person).await?;
    let row = store::find_credentials_of(&app.db, id).await?.ok_or_else(over)?;
    let fits = app.passwords.fits(shown.password, Some(row.password_hash.clone())).await?;
    let step = ops::find_step(app, &row, &shown.code)?.unwrap_or(NO_STEP);
    let (actor, token_hash) = (person.actor(), person.token_hash);
    let is_proved = app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let is_new_code = store::update_step(&mut tx, id, step).await?;
        let is_proved = fits && is_new_code;
        if !is_proved {
            // A code that is right is not used up by a wrong password.
            tx.rollback().await?;
            tx = app.db.begin().await?;
        } else if !store::update_proved(&mut tx, &token_hash, app.clock.now()).await? {
            return Err(over());
        }
        let action = if is_proved { "staff.proof" } else { "staff.proof_refused" };
        trail::record(&app, &mut tx, &actor, Deed::plain(action, subject(id))).await?;
        db::commit(tx).await?;
        Ok(is_proved)
    });
    match is_proved.await? {
        true => Ok(()),
        false => Err(ApiError::new(ErrorCode::StaffProofRefused)),
    }
}

/// A try at somebody's password and code within a session. It counts as one at the door as well, so
/// that nobody guesses at both; but not for the address, which a whole office may share.
pub(super) async fn take_tries(app: &App, person: &OnDuty) -> Result<(), ApiError> {
    let now = app.clock.now();
    let OnDuty { person, address, .. } = person;
    let name = person.username.to_lowercase();
    let mut connection = app.db.acquire().await?;
    let tries = [
        (&STEP_UP_TRIES, person.id.to_string()),
        (&NAME_TRIES, format!("{name} {}", budget::address_key(*address))),
        (&OVERALL_TRIES, name),
    ];
    for (budget, key) in tries {
        app.budgets.take(&mut connection, budget, &key, now).await?;
    }
    Ok(())
}
