//! The checks of the ledger, of the trail and of rounds: made by jobs, remembered here.

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
use staff::{Actor, Broken, Deed};

/// The job that checks the ledger.
pub const LEDGER_JOB: &str = "wallet.audit";
/// The job that checks the trail.
pub const TRAIL_JOB: &str = "service.trail";
/// The job that plays rounds again.
pub const ROUNDS_JOB: &str = "studio.replay";

const TRAIL_EVERY: Duration = Duration::from_secs(3600);
/// Following a long trail takes its time.
const TRAIL_TIME: Duration = Duration::from_secs(600);
/// How long the outcome of a check is remembered.
const MEMORY: chrono::Duration = chrono::Duration::days(30);

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ServiceCheck)]
pub enum Check {
    /// Every chain, balance and round.
    Ledger,
    /// What was done in the office.
    Trail,
    /// A sample of rounds, played again from their seeds.
    Rounds,
}

impl Check {
    fn text(self) -> &'static str {
        match self {
            Self::Ledger => "ledger",
            Self::Trail => "trail",
            Self::Rounds => "rounds",
        }
    }

    /// The job that makes it.
    fn job(self) -> &'static str {
        match self {
            Self::Ledger => LEDGER_JOB,
            Self::Trail => TRAIL_JOB,
            Self::Rounds => ROUNDS_JOB,
        }
    }
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct Found {
    /// When it began.
    pub began_at: DateTime<Utc>,
    /// How long it took.
    pub took: Duration,
    /// How many rows it followed.
    pub rows: u64,
    /// What is wrong, if anything is.
    pub fault: Option<String>,
}

/// Remembers what a check found.
pub async fn note_check(app: &Service, check: Check, found: &Found) -> Result<(), sqlx::Error> {
    let row = CheckRow {
        began_at: found.began_at,
        took_ms: i64::try_from(found.took.as_millis()).unwrap_or(i64::MAX),
        rows: i64::try_from(found.rows).unwrap_or(i64::MAX),
        fault: found.fault.clone(),
    };
    let id = new_id(app.clock.now());
    store::insert_check(&app.db, (id, check.text()), &row, found.began_at - MEMORY).await
}

/// The latest check of a thing, and whether another one is on its way.
pub(super) async fn latest(
    app: &Service,
    check: Check,
) -> Result<(Option<CheckRow>, bool), sqlx::Error> {
    let row = store::find_check(&app.db, check.text()).await?;
    Ok((row, jobs::is_waiting(&app.db, check.job()).await?))
}

/// Has a check made now, by a job. One that is on its way already is enough.
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
        let deed = Deed {
            after: Some(json!({ "what": check })),
            reason: Some(&reason),
            ..Deed::plain("service.check", format!("service:{}", check.text()))
        };
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
        db::commit(tx).await
    })
    .await
}

/// Adds the hourly check of the trail.
pub fn register_jobs(registry: &mut Registry, app: &Service) {
    let app = app.clone();
    let bounds = Bounds { attempts: 3, time_limit: TRAIL_TIME };
    registry.handle(TRAIL_JOB, bounds, move |_| {
        let app = app.clone();
        async move { check_trail(&app).await }
    });
    registry.schedule(TRAIL_JOB, TRAIL_EVERY);
}

async fn check_trail(app: &Service) -> Result<(), JobFailure> {
    let (began, began_at) = (Instant::now(), app.clock.now());
    let (rows, fault) = match staff::check_trail(&app.staff).await {
        Ok(checked) => (checked.rows, None),
        Err(Broken::Database(error)) => return Err(error.into()),
        Err(broken) => {
            tracing::error!(%broken, "THE TRAIL DOES NOT HOLD");
            (0, Some(broken.to_string()))
        }
    };
    let rows = u64::try_from(rows).unwrap_or(0);
    let found = Found { began_at, took: began.elapsed(), rows, fault };
    Ok(note_check(app, Check::Trail, &found).await?)
}
