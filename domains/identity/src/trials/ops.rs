//! Opens demo accounts, within rate limits.

use std::time::Duration;

use crate::Identity;
use crate::gates::Visitor;
use crate::sessions::arrival::Visit;
use crate::sessions::model::Method;
use crate::sessions::ops::{Started, start};
use platform::db;
use platform::error::ApiError;
use platform::rate_limit::{self, RateLimit};

/// Demo accounts per address. Many people may share one, so the limit is high.
const TRIALS_PER_ADDRESS: RateLimit =
    RateLimit { name: "sessions.trials.address", limit: 600, window: Duration::from_secs(60 * 60) };
/// Demo accounts per network and day: one person may use all of it, but must not use up the limit
/// of the site.
const TRIALS_PER_NETWORK: RateLimit = RateLimit {
    name: "sessions.trials.network",
    limit: 2_000,
    window: Duration::from_secs(24 * 60 * 60),
};
/// Demo accounts per site and day: each leaves rows in the ledger, which are never deleted.
const TRIALS_PER_SITE: RateLimit = RateLimit {
    name: "sessions.trials.site",
    limit: 50_000,
    window: Duration::from_secs(24 * 60 * 60),
};

/// Creates a demo account for a visitor and starts its session.
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
        app.members.run_registered_hooks(&mut tx, &member).await?;
        let login = (Method::FreePlay, visit);
        let started = start(&app, &mut tx, &member.profile, login, false).await?;
        db::commit(tx).await?;
        Ok(started)
    })
    .await
}

/// Counts a demo account, or refuses it. It is a transaction of its own that does not wait for the
/// disk, so concurrent requests do not wait for each other on the counters.
async fn take_trial(app: &Identity, visitor: &Visitor) -> Result<(), ApiError> {
    let (address, site) = (visitor.address_key(), visitor.merchant.id.to_string());
    let network = rate_limit::network_key(visitor.address);
    let limits = [
        (&TRIALS_PER_ADDRESS, address.as_str()),
        (&TRIALS_PER_NETWORK, &network),
        (&TRIALS_PER_SITE, &site),
    ];
    let taken = app.rate_limits.take_in_order(&app.db, limits, app.clock.now()).await?;
    taken.map_err(|(_, wait)| wait.into())
}
