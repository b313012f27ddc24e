//! The checks of the ledger, the audit log and rounds. Jobs run them; the results are stored here.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::store::{self, CheckRow};
use crate::Service;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::jobs::{self, Bounds, Job, JobFailure, Registry};
use staff::{Actor, AuditEntry, Broken};

/// The job that audits the ledger.
pub const LEDGER_JOB: &str = "wallet.audit";
/// The job that verifies the audit log.
pub const AUDIT_LOG_JOB: &str = "service.trail";
/// The job that replays a sample of rounds.
pub const ROUNDS_JOB: &str = "studio.replay";

const AUDIT_LOG_EVERY: Duration = Duration::from_secs(3600);
/// The time limit of the job: a long audit log takes a while to verify.
const AUDIT_LOG_TIME: Duration = Duration::from_secs(600);
/// How long results are stored.
const RETENTION: chrono::Duration = chrono::Duration::days(30);

/// A kind of check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ServiceCheck)]
pub enum Check {
    /// The ledger: every hash chain, balance and round.
    Ledger,
    /// The audit log of the back office.
    #[serde(rename = "trail")]
    AuditLog,
    /// A sample of rounds, replayed from their seeds.
    Rounds,
}

impl Check {
    fn text(self) -> &'static str {
        match self {
            Self::Ledger => "ledger",
            Self::AuditLog => "trail",
            Self::Rounds => "rounds",
        }
    }

    /// The kind of the job that runs the check.
    fn job(self) -> &'static str {
        match self {
            Self::Ledger => LEDGER_JOB,
            Self::AuditLog => AUDIT_LOG_JOB,
            Self::Rounds => ROUNDS_JOB,
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Found {
    /// When it began.
    pub began_at: DateTime<Utc>,
    /// How long it took.
    pub took: Duration,
    /// The number of rows checked.
    pub rows: u64,
    /// The fault found, if any.
    pub fault: Option<String>,
}

/// Stores the result of a check.
pub async fn store_check(app: &Service, check: Check, found: &Found) -> Result<(), sqlx::Error> {
    let row = CheckRow {
        began_at: found.began_at,
        took_ms: i64::try_from(found.took.as_millis()).unwrap_or(i64::MAX),
        rows: i64::try_from(found.rows).unwrap_or(i64::MAX),
        fault: found.fault.clone(),
    };
    let id = new_id(app.clock.now());
    store::insert_check(&app.db, (id, check.text()), &row, found.began_at - RETENTION).await
}

/// The latest result of a check, and whether its job is queued or running.
pub(super) async fn latest(
    app: &Service,
    check: Check,
) -> Result<(Option<CheckRow>, bool), sqlx::Error> {
    let row = store::find_check(&app.db, check.text()).await?;
    Ok((row, jobs::is_waiting(&app.db, check.job()).await?))
}

/// Queues the job of a check to run now, unless it is already waiting.
pub(super) async fn ask(
    app: &Service,
    actor: Actor,
    check: Check,
    reason: String,
) -> Result<(), ApiError> {
    staff::check_reason(&reason)?;
    app.run(move |app| async move {
        let now = app.clock.now();
        let is_waiting = jobs::is_waiting(&app.db, check.job()).await?;
        let mut tx = app.db.begin().await?;
        if !is_waiting {
            let job =
                Job { kind: check.job(), payload: Value::Null, due_at: now, unique_key: None };
            jobs::enqueue(&mut tx, job, now).await?;
        }
        let entry = AuditEntry {
            after: Some(json!({ "what": check })),
            reason: Some(&reason),
            ..AuditEntry::plain("service.check", format!("service:{}", check.text()))
        };
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        db::commit(tx).await
    })
    .await
}

/// Registers the hourly verification of the audit log.
pub fn register_jobs(registry: &mut Registry, app: &Service) {
    let app = app.clone();
    let bounds = Bounds { attempts: 3, time_limit: AUDIT_LOG_TIME };
    registry.handle(AUDIT_LOG_JOB, bounds, move |_| {
        let app = app.clone();
        async move { check_audit_log(&app).await }
    });
    registry.schedule(AUDIT_LOG_JOB, AUDIT_LOG_EVERY);
}

async fn check_audit_log(app: &Service) -> Result<(), JobFailure> {
    let (began, began_at) = (Instant::now(), app.clock.now());
    let (rows, fault) = match staff::check_audit_log(&app.staff).await {
        Ok(checked) => (checked.rows, None),
        Err(Broken::Database(error)) => return Err(error.into()),
        Err(broken) => {
            tracing::error!(%broken, "the audit log is not valid: keep the database as it is and investigate");
            (0, Some(broken.to_string()))
        }
    };
    let rows = u64::try_from(rows).unwrap_or(0);
    let found = Found { began_at, took: began.elapsed(), rows, fault };
    Ok(store_check(app, Check::AuditLog, &found).await?)
}
