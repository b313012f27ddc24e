//! The full audit: the ledger, and the rounds and jackpots that it paid for. Also the hourly jobs
//! that audit the ledger and replay rounds.

use std::time::{Duration, Instant};

use sqlx::PgPool;

use crate::App;
use platform::jobs::{Bounds, JobFailure, Registry};
use service::Found;
use wallet::{AuditError, AuditTotals};

/// Checks all invariants on a live database, in one snapshot, and returns the first violation.
pub async fn run(db: &PgPool) -> Result<AuditTotals, AuditError> {
    wallet::audit(db, |db, members, money| {
        Box::pin(async move {
            let open = studio::list_open_stakes(db, members).await?;
            games::check_rounds(db, members, money, open).await?;
            studio::check_pairs(db, members).await?;
            // The last call has no members; it is for checks that concern no single member.
            match members.is_empty() {
                true => studio::check_jackpots(db).await,
                false => Ok(()),
            }
        })
    })
    .await
}

/// Registers the hourly jobs that audit the ledger and replay a sample of rounds.
pub(crate) fn register_jobs(registry: &mut Registry, app: &App) {
    let long = Bounds { attempts: 3, time_limit: Duration::from_secs(1800) };
    let (audit_app, replay_app) = (app.clone(), app.clone());
    registry.handle(service::LEDGER_JOB, long, move |_| {
        let app = audit_app.clone();
        async move { run_and_measure(&app).await }
    });
    registry.schedule(service::LEDGER_JOB, Duration::from_secs(3600));
    registry.handle(service::ROUNDS_JOB, Bounds::default(), move |_| {
        let app = replay_app.clone();
        async move { replay_and_measure(&app).await }
    });
    registry.schedule(service::ROUNDS_JOB, Duration::from_secs(3600));
}

/// Runs the audit, and publishes the result in the metrics, the log and the back office. A
/// violation is no job failure: a retry would not repair it.
pub async fn run_and_measure(app: &App) -> Result<(), JobFailure> {
    let (began, began_at) = (Instant::now(), app.clock.now());
    let audited = run(&app.db).await;
    let took = began.elapsed();
    metrics::gauge!("wallet_audit_seconds").set(took.as_secs_f64());
    let store_result = async |rows: u64, fault: Option<String>| {
        let found = Found { began_at, took, rows, fault };
        service::store_check(&app.service, service::Check::Ledger, &found).await
    };
    match audited {
        Ok(audited) => {
            metrics::gauge!("wallet_audit_sound").set(1.0);
            let transfers = u32::try_from(audited.transfers).unwrap_or(u32::MAX);
            metrics::gauge!("wallet_audit_transfers").set(f64::from(transfers));
            tracing::info!(transfers = audited.transfers, "the ledger audit passed");
            Ok(store_result(audited.transfers, None).await?)
        }
        Err(AuditError::Database(error)) => Err(error.into()),
        Err(offence) => {
            metrics::gauge!("wallet_audit_sound").set(0.0);
            tracing::error!(
                %offence,
                "the ledger audit failed: stop payouts and keep the database as it is"
            );
            Ok(store_result(0, Some(offence.to_string())).await?)
        }
    }
}

/// Replays a sample of rounds, and publishes the result in the metrics, the log and the back
/// office.
pub async fn replay_and_measure(app: &App) -> Result<(), JobFailure> {
    let (began, began_at) = (Instant::now(), app.clock.now());
    let replayed =
        studio::replay_sample(&app.studio).await.map_err(|error| format!("{error:?}"))?;
    let is_fair = replayed.fault.is_none();
    metrics::gauge!("studio_replay_fair").set(if is_fair { 1.0 } else { 0.0 });
    if let Some(fault) = &replayed.fault {
        tracing::error!(fault, "a replayed round differs from its record");
    }
    let studio::Replayed { rounds: rows, fault } = replayed;
    let found = Found { began_at, took: began.elapsed(), rows, fault };
    Ok(service::store_check(&app.service, service::Check::Rounds, &found).await?)
}
