//! From the first factor to a session, or to the second factor.

use crate::Identity;
use crate::sessions::arrival::Visit;
use crate::sessions::model::Method;
use crate::sessions::ops::{Entered, begin};
use crate::two_factor;
use members::Profile;
use platform::asker;
use platform::error::ApiError;

/// Starts the session of a member whose first factor was right, or asks for the second.
pub(crate) async fn enter_in(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    profile: &Profile,
    way: (Method, Visit),
    must_change: bool,
) -> Result<Entered, ApiError> {
    asker::note_account(profile.id);
    // Told here and not after the second factor: whoever is asked for it could come in with it.
    members::hold_state(tx, profile.id).await?.require_active()?;
    if two_factor::has_factor(tx, profile.id).await? {
        let now = app.clock.now();
        let ticket = two_factor::issue_ticket(tx, profile, &way, must_change, now).await?;
        return Ok(Entered::Ticket(ticket));
    }
    Ok(Entered::Started(begin(app, tx, profile, (way, None), must_change).await?))
}
