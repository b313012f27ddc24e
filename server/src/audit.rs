//! The whole audit: the ledger, and the records of the domains that it paid for.

use std::time::{Duration, Instant};

use sqlx::PgPool;

use crate::App;
use platform::jobs::{Bounds, JobFailure, Registry};
use service::Found;
use wallet::{AuditError, Audited};

/// Checks every invariant on a live database, in one snapshot, and tells the first offence.
pub async fn run(db: &PgPool) -> Result<Audited, AuditError> {
    wallet::audit(db, |db, members, money| {
        Box::pin(async move {
            let open = studio::list_open_stakes(db, members).await?;
            games::check_rounds(db, members, money, open).await?;
            studio::check_pairs(db, members).await?;
            // The last call is for no members: what concerns nobody alone is looked at once.
            match members.is_empty() {
                true => studio::check_jackpots(db).await,
                false => Ok(()),
            }
        })
    })
    .await
}

/// The ledger looks at itself every hour, and rounds are played again.
pub(crate) fn register_jobs(registry: &mut Registry, app: &App) {
    let long = Bounds { attempts: 3, time_limit: Duration::from_secs(1800) };
    let (auditor, replays) = (app.clone(), app.clone());
    registry.handle(service::LEDGER_JOB, long, move |_| {
        let app = auditor.clone();
        async move { run_and_measure(&app).await }
    });
    registry.schedule(service::LEDGER_JOB, Duration::from_secs(3600));
    registry.handle(service::ROUNDS_JOB, Bounds::default(), move |_| {
        let app = replays.clone();
        async move { replay_and_measure(&app).await }
    });
    registry.schedule(service::ROUNDS_JOB, Duration::from_secs(3600));
}

/// The same with its result in the metrics and in the office. An offence is told there and in the
/// log; to try again would not mend it.
pub async fn run_and_measure(app: &App) -> Result<(), JobFailure> {
    let (began, began_at) = (Instant::now(), app.clock.now());
    let audited = run(&app.db).await;
    let took = began.elapsed();
    metrics::gauge!("wallet_audit_seconds").set(took.as_secs_f64());
    let note = async |rows: u64, fault: Option<String>| {
        let found = Found { began_at, took, rows, fault };
        service::note_check(&app.service, service::Check::Ledger, &found).await
    };
    match audited {
        Ok(audited) => {
            metrics::gauge!("wallet_audit_sound").set(1.0);
            let transfers = u32::try_from(audited.transfers).unwrap_or(u32::MAX);
            metrics::gauge!("wallet_audit_transfers").set(f64::from(transfers));
            tracing::info!(transfers = audited.transfers, "the ledger is sound");
            Ok(note(audited.transfers, None).await?)
        }
        Err(AuditError::Database(error)) => Err(error.into()),
        Err(offence) => {
            metrics::gauge!("wallet_audit_sound").set(0.0);
            tracing::error!(%offence, "THE LEDGER IS NOT SOUND");
            Ok(note(0, Some(offence.to_string())).await?)
        }
    }
}

/// Plays a sample of rounds again; what it finds is in the metrics and in the office.
pub async fn replay_and_measure(app: &App) -> Result<(), JobFailure> {
    let (began, began_at) = (Instant::now(), app.clock.now());
    let replayed =
        studio::replay_sample(&app.studio).await.map_err(|error| format!("{error:?}"))?;
    let is_fair = replayed.fault.is_none();
    metrics::gauge!("studio_replay_fair").set(if is_fair { 1.0 } else { 0.0 });
    if let Some(fault) = &replayed.fault {
        tracing::error!(fault, "A ROUND IS NOT WHAT ITS SEEDS SAY");
    }
    let studio::Replayed { rounds: rows, fault } = replayed;
    let found = Found { began_at, took: began.elapsed(), rows, fault };
    Ok(service::note_check(&app.service, service::Check::Rounds, &found).await?)
}
