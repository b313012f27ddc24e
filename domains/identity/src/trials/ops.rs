//! Opening demo accounts.

use std::time::Duration;

use crate::Identity;
use crate::gates::Visitor;
use crate::sessions::arrival::Visit;
use crate::sessions::model::Method;
use crate::sessions::ops::{Started, start};
use platform::budget::{self, Budget};
use platform::db;
use platform::error::ApiError;

/// Demo accounts that are opened from one address. Many share one, so this is no number for one
/// person.
const TRIALS_PER_ADDRESS: Budget =
    Budget { name: "sessions.trials.address", limit: 600, window: Duration::from_secs(60 * 60) };
/// Those of a day from one network: one person may have all of it, and must not use up the site's.
const TRIALS_PER_NETWORK: Budget = Budget {
    name: "sessions.trials.network",
    limit: 2_000,
    window: Duration::from_secs(24 * 60 * 60),
};
/// Those of a whole site: each leaves rows in the ledger, which forgets nothing.
const TRIALS_PER_SITE: Budget = Budget {
    name: "sessions.trials.site",
    limit: 50_000,
    window: Duration::from_secs(24 * 60 * 60),
};

/// Makes a demo account for a visitor and logs it in on a device.
pub async fn start_trial(
    app: &Identity,
    visitor: Visitor,
    visit: Visit,
) -> Result<Started, ApiError> {
    app.run(move |app| async move {
        let (merchant, now) = (&visitor.merchant, app.clock.now());
        take_trial(&app, &visitor).await?;
        let mut tx = app.db.begin().await?;
        let member = members::create_trial(&mut tx, merchant, now).await?;
        app.members.tell_registered(&mut tx, &member).await?;
        let way = (Method::FreePlay, visit);
        let started = start(&app, &mut tx, &member.profile, way, false).await?;
        db::commit(tx).await?;
        Ok(started)
    })
    .await
}

/// Counts a demo account, or refuses it. Apart from the account's own transaction: those who come
/// at once must not wait for each other's disk.
async fn take_trial(app: &Identity, visitor: &Visitor) -> Result<(), ApiError> {
    let (address, site) = (visitor.address_key(), visitor.merchant.id.to_string());
    let network = budget::network_key(visitor.address);
    let wanted = [
        (&TRIALS_PER_ADDRESS, address.as_str()),
        (&TRIALS_PER_NETWORK, &network),
        (&TRIALS_PER_SITE, &site),
    ];
    let taken = app.budgets.take_in_order(&app.db, wanted, app.clock.now()).await?;
    taken.map_err(|(_, wait)| wait.into())
}
