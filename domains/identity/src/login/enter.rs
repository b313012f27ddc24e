//! From the first factor of a login to a session or to the second factor.

use crate::Identity;
use crate::sessions::arrival::Visit;
use crate::sessions::model::Method;
use crate::sessions::ops::{LoginOutcome, begin};
use crate::two_factor;
use members::Profile;
use platform::error::ApiError;
use platform::request_context;

/// Starts a session for a member whose first factor was right, or issues a ticket if the member has
/// a second factor.
pub(crate) async fn complete_first_factor(
    app: &Identity,
    tx: &mut sqlx::PgTransaction<'static>,
    profile: &Profile,
    login: (Method, Visit),
    must_change: bool,
) -> Result<LoginOutcome, ApiError> {
    request_context::set_account(profile.id);
    // A frozen account is refused before the second factor is requested: a ticket is issued only if the
    // login can succeed with it.
    members::lock_state_shared(tx, profile.id).await?.require_active()?;
    if two_factor::has_factor(tx, profile.id).await? {
        let now = app.clock.now();
        let ticket = two_factor::issue_ticket(tx, profile, &login, must_change, now).await?;
        return Ok(LoginOutcome::Ticket(ticket));
    }
    Ok(LoginOutcome::Started(begin(app, tx, profile, (login, None), must_change).await?))
}
