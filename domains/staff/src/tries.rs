//! Rate limits for attempts at staff passwords and codes, at login and at re-authentication.

use std::net::IpAddr;
use std::time::Duration;

use super::model::StaffSession;
use crate::Staff;
use platform::error::ApiError;
use platform::rate_limit::{self, RateLimit};

const QUARTER: Duration = Duration::from_secs(900);
const DAY: Duration = Duration::from_secs(86_400);

/// Logins per username and address, so that attempts from elsewhere do not lock the owner out.
const NAME: RateLimit = RateLimit { name: "staff.login.name", limit: 10, window: QUARTER };
/// Logins per address.
const ADDRESS: RateLimit = RateLimit { name: "staff.login.address", limit: 60, window: QUARTER };
/// Logins per username from all addresses: a code has a million values, and three are valid at a
/// time.
const OVERALL: RateLimit = RateLimit { name: "staff.login.overall", limit: 300, window: DAY };
/// Re-authentications per person, from all addresses.
const STEP_UP: RateLimit = RateLimit { name: "staff.step_up", limit: 10, window: QUARTER };
/// Re-authentications per person and day.
const STEP_UP_DAY: RateLimit = RateLimit { name: "staff.step_up.day", limit: 100, window: DAY };

/// An attempt at password and code, for the rate limits.
pub(super) enum Attempt<'a> {
    /// A login with this username, from this address.
    Login(&'a str, IpAddr),
    /// A re-authentication or password change in a session.
    Session(&'a StaffSession),
}

/// Counts an attempt, before anything is compared, and refuses it above the limits.
///
/// Attempts in a session also count against the login limits of the username, so a stolen session
/// adds no further attempts; they do not count against the address, which a whole office may share.
/// Used-up login limits do not block re-authentication, so an attacker at the login page cannot
/// lock out a signed-in user.
pub(super) async fn take(app: &Staff, attempt: Attempt<'_>) -> Result<(), ApiError> {
    let now = app.clock.now();
    let (name, address, person) = match attempt {
        Attempt::Login(name, address) => (name, address, None),
        Attempt::Session(StaffSession { person, address, .. }) => {
            (person.username.as_str(), *address, Some(person.id.to_string()))
        }
    };
    let (name, address) = (name.to_lowercase(), rate_limit::address_key(address));
    let name_and_address = format!("{name} {address}");
    let login_limits = [(&NAME, name_and_address.as_str()), (&OVERALL, name.as_str())];
    let mut db = app.db.acquire().await?;
    let Some(person) = person else {
        for (limit, key) in [(&ADDRESS, address.as_str())].into_iter().chain(login_limits) {
            app.rate_limits.take(&mut db, limit, key, now).await?;
        }
        return Ok(());
    };
    for limit in [&STEP_UP, &STEP_UP_DAY] {
        app.rate_limits.take(&mut db, limit, &person, now).await?;
    }
    for (limit, key) in login_limits {
        app.rate_limits.count(&mut db, limit, key, now).await?;
    }
    Ok(())
}
