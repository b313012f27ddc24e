//! Collects the health of all parts of the installation.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::checks::{self, Check};
use super::findings::{self, Finding};
use super::store::CheckRow;
use crate::Service;
use platform::database_stats::{self, DatabaseStats, Sizes};
use platform::jobs::{self, Overview};
use platform::passwords;
use platform::push;

/// The measurements, each with the finding derived from it. A check also has a flag: whether its
/// job is queued or running.
pub(super) struct Health {
    pub(super) at: DateTime<Utc>,
    pub(super) ledger: (Finding, Option<CheckRow>, bool),
    pub(super) audit_log: (Finding, Option<CheckRow>, bool),
    pub(super) rounds: (Finding, Option<CheckRow>, bool),
    pub(super) writer: (Finding, wallet::Stats),
    pub(super) push: (Finding, push::Stats),
    pub(super) database: (Finding, DatabaseStats, Arc<Sizes>),
    pub(super) passwords: (Finding, passwords::Stats),
    pub(super) jobs: (Finding, Overview),
}

impl Health {
    /// The findings of all parts.
    pub(super) fn findings(&self) -> [Finding; 8] {
        [
            self.ledger.0,
            self.audit_log.0,
            self.rounds.0,
            self.writer.0,
            self.push.0,
            self.database.0,
            self.passwords.0,
            self.jobs.0,
        ]
    }
}

/// Collects all measurements, with a handful of queries that read a few rows each.
pub(super) async fn collect(app: &Service) -> Result<Health, sqlx::Error> {
    let now = app.clock.now();
    let (ledger, ledger_waits) = checks::latest(app, Check::Ledger).await?;
    let (audit_log, audit_log_waits) = checks::latest(app, Check::AuditLog).await?;
    let (rounds, rounds_wait) = checks::latest(app, Check::Rounds).await?;
    let writer = app.studio.rounds.stats();
    let push = app.push.stats(now).await?;
    let database = database_stats::read_database(&app.db).await?;
    let sizes = app.sizes.read(&app.db).await?;
    let passwords = app.passwords.stats();
    let jobs = jobs::overview(&app.db, now).await?;
    Ok(Health {
        at: now,
        ledger: (findings::of_check(ledger.as_ref(), now, findings::LEDGER), ledger, ledger_waits),
        audit_log: (
            findings::of_check(audit_log.as_ref(), now, findings::AUDIT_LOG),
            audit_log,
            audit_log_waits,
        ),
        rounds: (findings::of_check(rounds.as_ref(), now, findings::ROUNDS), rounds, rounds_wait),
        writer: (findings::of_writer(&writer), writer),
        push: (findings::of_push(&push), push),
        database: (findings::of_database(&database), database, sizes),
        passwords: (findings::of_passwords(&passwords), passwords),
        jobs: (findings::of_jobs(jobs.dead, jobs.due_since, now), jobs),
    })
}
