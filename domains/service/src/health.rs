//! How everything does, gathered in one look.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::checks::{self, Check};
use super::findings::{self, Finding};
use super::store::CheckRow;
use crate::Service;
use platform::jobs::{self, Overview};
use platform::passwords;
use platform::push;
use platform::vitals::{self, DatabaseVitals, Sizes};

/// What was measured, and what is thought of it.
pub(super) struct Health {
    pub(super) at: DateTime<Utc>,
    pub(super) ledger: (Finding, Option<CheckRow>, bool),
    pub(super) trail: (Finding, Option<CheckRow>, bool),
    pub(super) rounds: (Finding, Option<CheckRow>, bool),
    pub(super) writer: (Finding, wallet::Pulse),
    pub(super) push: (Finding, push::Pulse),
    pub(super) database: (Finding, DatabaseVitals, Arc<Sizes>),
    pub(super) passwords: (Finding, passwords::Pulse),
    pub(super) jobs: (Finding, Overview),
}

impl Health {
    /// What was found, part by part.
    pub(super) fn findings(&self) -> [Finding; 8] {
        [
            self.ledger.0,
            self.trail.0,
            self.rounds.0,
            self.writer.0,
            self.push.0,
            self.database.0,
            self.passwords.0,
            self.jobs.0,
        ]
    }
}

/// Looks at everything. A handful of queries that read a few rows each.
pub(super) async fn look(app: &Service) -> Result<Health, sqlx::Error> {
    let now = app.clock.now();
    let (ledger, ledger_waits) = checks::latest(app, Check::Ledger).await?;
    let (trail, trail_waits) = checks::latest(app, Check::Trail).await?;
    let (rounds, rounds_wait) = checks::latest(app, Check::Rounds).await?;
    let writer = app.studio.rounds.pulse();
    let push = app.push.pulse(now).await?;
    let database = vitals::read_database(&app.db).await?;
    let sizes = app.sizes.read(&app.db).await?;
    let passwords = app.passwords.pulse();
    let jobs = jobs::overview(&app.db, now).await?;
    Ok(Health {
        at: now,
        ledger: (findings::of_check(ledger.as_ref(), now, findings::LEDGER), ledger, ledger_waits),
        trail: (findings::of_check(trail.as_ref(), now, findings::TRAIL), trail, trail_waits),
        rounds: (findings::of_check(rounds.as_ref(), now, findings::ROUNDS), rounds, rounds_wait),
        writer: (findings::of_writer(&writer), writer),
        push: (findings::of_push(&push), push),
        database: (findings::of_database(&database), database, sizes),
        passwords: (findings::of_passwords(&passwords), passwords),
        jobs: (findings::of_jobs(jobs.dead, jobs.due_since, now), jobs),
    })
}
