//! How often passwords and codes of the office may be tried, at the door and by somebody who is in.

use std::net::IpAddr;
use std::time::Duration;

use super::model::OnDuty;
use crate::Staff;
use platform::budget::{self, Budget};
use platform::error::ApiError;

const QUARTER: Duration = Duration::from_secs(900);
const DAY: Duration = Duration::from_secs(86_400);

/// Of one name from one address. Others do not lock its owner out.
const NAME: Budget = Budget { name: "staff.login.name", limit: 10, window: QUARTER };
/// From one address.
const ADDRESS: Budget = Budget { name: "staff.login.address", limit: 60, window: QUARTER };
/// Of one name from everywhere: a code has a million values and three are right at once.
const OVERALL: Budget = Budget { name: "staff.login.overall", limit: 300, window: DAY };
/// Of one person who is in, from wherever.
const STEP_UP: Budget = Budget { name: "staff.step_up", limit: 10, window: QUARTER };
/// The same for a day.
const STEP_UP_DAY: Budget = Budget { name: "staff.step_up.day", limit: 100, window: DAY };

/// Who tries.
pub(super) enum Tries<'a> {
    /// Whoever stands at the door and says this name.
    AtTheDoor(&'a str, IpAddr),
    /// Somebody who is in.
    Inside(&'a OnDuty),
}

/// Takes a try, before anything is compared. Tries of somebody who is in count at the door as well, so that
/// what is tried inside is missing there; but not for the address, which a whole office may share. What is used up at the door, by whomever,
/// keeps nobody who is in from showing who they are.
pub(super) async fn take(app: &Staff, tries: Tries<'_>) -> Result<(), ApiError> {
    let now = app.clock.now();
    let (name, address, person) = match tries {
        Tries::AtTheDoor(name, address) => (name, address, None),
        Tries::Inside(OnDuty { person, address, .. }) => {
            (person.username.as_str(), *address, Some(person.id.to_string()))
        }
    };
    let (name, address) = (name.to_lowercase(), budget::address_key(address));
    let here = format!("{name} {address}");
    let door = [(&NAME, here.as_str()), (&OVERALL, name.as_str())];
    let mut db = app.db.acquire().await?;
    let Some(person) = person else {
        for (budget, key) in [(&ADDRESS, address.as_str())].into_iter().chain(door) {
            app.budgets.take(&mut db, budget, key, now).await?;
        }
        return Ok(());
    };
    for budget in [&STEP_UP, &STEP_UP_DAY] {
        app.budgets.take(&mut db, budget, &person, now).await?;
    }
    for (budget, key) in door {
        app.budgets.count(&mut db, budget, key, now).await?;
    }
    Ok(())
}
