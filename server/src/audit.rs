//! The whole audit: the ledger, and the records of the domains that it paid for; and the daily
//! proof of what the house owes.

use std::time::Instant;

use chrono::{DateTime, Days, Utc};
use chrono_tz::Tz;
use sqlx::PgPool;

use crate::app::App;
use crate::games;
use crate::platform::jobs::JobFailure;
use crate::studio;
use crate::wallet::{self, AuditError, Audited};

/// Checks every invariant on a live database, in one snapshot, and tells the first offence.
pub async fn run(db: &PgPool) -> Result<Audited, AuditError> {
    wallet::audit(db, |db, members, money| {
        Box::pin(async move {
            games::check_rounds(db, members, money).await?;
            studio::check_pairs(db, members).await
        })
    })
    .await
}

/// The same with its result in the metrics. An offence is told there and in the log; to try
/// again would not mend it.
pub async fn run_and_measure(db: &PgPool) -> Result<(), JobFailure> {
    let began = Instant::now();
    let audited = run(db).await;
    metrics::gauge!("wallet_audit_seconds").set(began.elapsed().as_secs_f64());
    match audited {
        Ok(audited) => {
            metrics::gauge!("wallet_audit_sound").set(1.0);
            let transfers = u32::try_from(audited.transfers).unwrap_or(u32::MAX);
            metrics::gauge!("wallet_audit_transfers").set(f64::from(transfers));
            tracing::info!(transfers = audited.transfers, "the ledger is sound");
            Ok(())
        }
        Err(AuditError::Database(error)) => Err(error.into()),
        Err(offence) => {
            metrics::gauge!("wallet_audit_sound").set(0.0);
            tracing::error!(%offence, "THE LEDGER IS NOT SOUND");
            Ok(())
        }
    }
}

/// Publishes, for every merchant, what it owed when its last day ended, unless that was done.
pub async fn publish_proofs(app: &App, now: DateTime<Utc>) -> Result<(), JobFailure> {
    for merchant in app.sites.all(&app.db).await? {
        let zone: Tz = merchant.time_zone.parse()?;
        let today = now.with_timezone(&zone).date_naive();
        let Some(day) = today.checked_sub_days(Days::new(1)) else { continue };
        let of = (merchant.id, merchant.currency);
        wallet::publish_proofs(&app.db, &app.prover, of, day, now).await?;
    }
    Ok(())
}
