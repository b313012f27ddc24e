//! Health on the wire.

use std::time::Duration;

use axum::extract::State as Axum;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::checks::{self, Check};
use super::findings::{Finding, State};
use super::health::{self, Health};
use super::store::CheckRow;
use crate::Service;
use crate::rights::{ServiceRead, ServiceWrite};
use platform::error::{Answer, Envelope, Refusal, answer};
use platform::extract::Json;
use platform::vitals;
use staff::Allowed;

/// What was found of a part.
#[derive(Serialize, ToSchema)]
struct Verdict {
    state: State,
    finding: Finding,
}

impl From<Finding> for Verdict {
    fn from(finding: Finding) -> Self {
        Self { state: finding.state(), finding }
    }
}

/// A check of every row.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckHealth {
    verdict: Verdict,
    /// When it was last made.
    checked_at: Option<DateTime<Utc>>,
    took_ms: Option<i64>,
    /// How many rows it followed.
    rows: Option<i64>,
    /// What is wrong.
    fault: Option<String>,
    /// Whether another one is on its way.
    is_running: bool,
}

impl From<(Finding, Option<CheckRow>, bool)> for CheckHealth {
    fn from((finding, row, is_running): (Finding, Option<CheckRow>, bool)) -> Self {
        Self {
            verdict: finding.into(),
            checked_at: row.as_ref().map(|row| row.began_at),
            took_ms: row.as_ref().map(|row| row.took_ms),
            rows: row.as_ref().map(|row| row.rows),
            fault: row.and_then(|row| row.fault),
            is_running,
        }
    }
}

/// The writer of the ledger, on this node.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WriterHealth {
    verdict: Verdict,
    lanes: usize,
    failing_lanes: usize,
    queue: usize,
    queue_max: usize,
    /// Since the node was started.
    batches: u64,
    orders: u64,
    /// How long the first order of a batch waits, of late.
    wait_micros: u64,
    /// How long a batch takes up to its commit, of late.
    batch_micros: u64,
}

/// Push, on this node.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PushHealth {
    verdict: Verdict,
    sockets: usize,
    sockets_max: usize,
    /// The number of the last event that was handed out.
    position: i64,
    /// How many were numbered since.
    behind: i64,
    /// For how long the oldest event waits.
    waits_ms: i64,
}

/// A large table.
#[derive(Serialize, ToSchema)]
struct TableHealth {
    name: String,
    bytes: i64,
    /// About.
    rows: i64,
}

/// The database.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DatabaseHealth {
    verdict: Verdict,
    latency_micros: u64,
    connections: i64,
    connections_max: i64,
    /// Of this node.
    pool: u32,
    pool_idle: usize,
    oldest_transaction_ms: i64,
    waiting_for_locks: i64,
    bytes: i64,
    tables: Vec<TableHealth>,
    /// The number of the newest migration.
    migration: i64,
}

/// Where passwords are compared and hashed, on this node.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PasswordsHealth {
    verdict: Verdict,
    /// How many have their turn or wait for it.
    queue: u32,
    threads: u32,
    each_micros: u64,
    /// How long the next one waits, about.
    wait_micros: u64,
}

/// The jobs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct JobsHealth {
    verdict: Verdict,
    dead: i64,
    due: i64,
    due_since: Option<DateTime<Utc>>,
}

/// The node that answers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NodeHealth {
    version: &'static str,
    uptime_s: u64,
    memory_bytes: Option<u64>,
    cores: usize,
}

/// How the house does.
#[derive(Serialize, ToSchema)]
struct HealthView {
    at: DateTime<Utc>,
    /// That of its worst part.
    state: State,
    ledger: CheckHealth,
    trail: CheckHealth,
    rounds: CheckHealth,
    writer: WriterHealth,
    push: PushHealth,
    database: DatabaseHealth,
    passwords: PasswordsHealth,
    jobs: JobsHealth,
    node: NodeHealth,
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn node(app: &Service) -> NodeHealth {
    NodeHealth {
        version: env!("CARGO_PKG_VERSION"),
        uptime_s: app.started.elapsed().as_secs(),
        memory_bytes: vitals::memory_bytes(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

fn database(app: &Service, health: &Health) -> DatabaseHealth {
    let (finding, vitals, sizes) = &health.database;
    let tables = sizes.tables.iter().map(|table| TableHealth {
        name: table.name.clone(),
        bytes: table.bytes,
        rows: table.rows,
    });
    DatabaseHealth {
        verdict: (*finding).into(),
        latency_micros: micros(vitals.latency),
        connections: vitals.connections,
        connections_max: vitals.connections_max,
        pool: vitals.pool.0,
        pool_idle: vitals.pool.1,
        oldest_transaction_ms: vitals.oldest_transaction_ms,
        waiting_for_locks: vitals.waiting_for_locks,
        bytes: sizes.bytes,
        tables: tables.collect(),
        migration: app.build.newest_migration,
    }
}

fn view(app: &Service, health: Health) -> HealthView {
    let worst = health.findings().map(Finding::state).into_iter().max();
    let ((written, writer), (pushed, push)) = (health.writer, health.push);
    let ((hashed, passwords), (worked, jobs)) = (health.passwords, health.jobs);
    HealthView {
        at: health.at,
        state: worst.unwrap_or(State::Well),
        writer: WriterHealth {
            verdict: written.into(),
            lanes: writer.lanes,
            failing_lanes: writer.failing_lanes,
            queue: writer.queue,
            queue_max: writer.queue_max,
            batches: writer.batches,
            orders: writer.orders,
            wait_micros: micros(writer.wait),
            batch_micros: micros(writer.batch),
        },
        push: PushHealth {
            verdict: pushed.into(),
            sockets: push.sockets,
            sockets_max: push.sockets_max,
            position: push.position,
            behind: push.behind,
            waits_ms: push.waits_ms,
        },
        database: database(app, &health),
        passwords: PasswordsHealth {
            verdict: hashed.into(),
            queue: passwords.queue,
            threads: passwords.threads,
            each_micros: micros(passwords.each),
            wait_micros: micros(passwords.wait),
        },
        jobs: JobsHealth {
            verdict: worked.into(),
            dead: jobs.dead,
            due: jobs.due,
            due_since: jobs.due_since,
        },
        node: node(app),
        ledger: health.ledger.into(),
        trail: health.trail.into(),
        rounds: health.rounds.into(),
    }
}

/// How the house does: what was measured, and what is thought of it.
#[utoipa::path(get, path = "/office/api/service/health", tag = "service", operation_id = "service_health",
    security(("office" = ["service.read"])),
    responses((status = 200, body = Envelope<HealthView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_health(_: Allowed<ServiceRead>, Axum(app): Axum<Service>) -> Answer<HealthView> {
    let health = health::look(&app).await?;
    answer(view(&app, health))
}

/// What is to be checked, and why.
#[derive(Deserialize, ToSchema)]
struct AskCheck {
    what: Check,
    /// It stands in the trail.
    reason: String,
}

/// Has the ledger or the trail checked now, row by row, or a sample of rounds. A job does it.
#[utoipa::path(post, path = "/office/api/service/checks", tag = "service", operation_id = "service_check", request_body = AskCheck,
    security(("office" = ["service.write"])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn ask_check(
    Allowed(person, ..): Allowed<ServiceWrite>,
    Axum(app): Axum<Service>,
    Json(body): Json<AskCheck>,
) -> Answer<bool> {
    checks::ask(&app, person.actor(), body.what, body.reason).await?;
    answer(true)
}

pub(super) fn routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new().routes(routes!(get_health)).routes(routes!(ask_check))
}
