//! Background job of the wallet: the daily proof of liabilities.

use std::time::Duration;

use chrono::{DateTime, Days, Utc};
use chrono_tz::Tz;
use platform::jobs::{Bounds, JobFailure, Registry};

use super::{Wallet, proofs};

pub(super) fn register(registry: &mut Registry, app: &Wallet) {
    let long = Bounds { attempts: 3, time_limit: Duration::from_secs(1800) };
    let app = app.clone();
    registry.handle("wallet.proofs", long, move |run| {
        let app = app.clone();
        async move { publish_proofs(&app, run.now).await }
    });
    registry.schedule("wallet.proofs", Duration::from_secs(300));
}

/// Publishes, for every merchant, the proof of what it owed at the end of yesterday in its time
/// zone. Days that are published already are skipped, so the job can run often.
pub async fn publish_proofs(app: &Wallet, now: DateTime<Utc>) -> Result<(), JobFailure> {
    for merchant in app.site.sites.all(&app.db).await? {
        let zone: Tz = merchant.time_zone.parse()?;
        let today = now.with_timezone(&zone).date_naive();
        let Some(day) = today.checked_sub_days(Days::new(1)) else { continue };
        let owner = (merchant.id, merchant.currency);
        proofs::publish_proofs(&app.db, &app.prover, owner, day, now).await?;
    }
    Ok(())
}
