//! The health API of the back office.

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
use platform::database_stats;
use platform::error::{Answer, Envelope, Refusal, answer};
use platform::extract::Json;
use staff::Allowed;

/// The verdict on one part.
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

/// The latest check of the ledger, the audit log or rounds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CheckHealth {
    verdict: Verdict,
    /// When the last check began.
    checked_at: Option<DateTime<Utc>>,
    took_ms: Option<i64>,
    /// The number of rows checked.
    rows: Option<i64>,
    /// The fault found, if any.
    fault: Option<String>,
    /// Whether another check is queued or running.
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

/// The ledger writer of this node.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WriterHealth {
    verdict: Verdict,
    lanes: usize,
    failing_lanes: usize,
    queue: usize,
    queue_max: usize,
    /// Batches since the node started.
    batches: u64,
    orders: u64,
    /// How long the first order of a batch waits in the queue, recent average.
    wait_micros: u64,
    /// How long a batch takes until its commit, recent average.
    batch_micros: u64,
}

/// Push on this node.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PushHealth {
    verdict: Verdict,
    sockets: usize,
    sockets_max: usize,
    /// The number of the last event that was sent.
    position: i64,
    /// The number of events that are numbered but not yet sent.
    behind: i64,
    /// How long the oldest event has been waiting for its number.
    waits_ms: i64,
}

/// A large table.
#[derive(Serialize, ToSchema)]
struct TableHealth {
    name: String,
    bytes: i64,
    /// Approximate.
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
    /// Connections in the pool of this node, including idle ones.
    pool: u32,
    pool_idle: usize,
    oldest_transaction_ms: i64,
    waiting_for_locks: i64,
    bytes: i64,
    tables: Vec<TableHealth>,
    /// The number of the newest migration.
    migration: i64,
}

/// Password hashing on this node.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PasswordsHealth {
    verdict: Verdict,
    /// The number of hashes running or waiting.
    queue: u32,
    threads: u32,
    each_micros: u64,
    /// The expected wait of the next hash.
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

/// The node that answered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NodeHealth {
    version: &'static str,
    uptime_s: u64,
    memory_bytes: Option<u64>,
    cores: usize,
}

/// The health of the installation.
#[derive(Serialize, ToSchema)]
struct HealthView {
    at: DateTime<Utc>,
    /// The state of the worst part.
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
        memory_bytes: database_stats::memory_bytes(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

fn database(app: &Service, health: &Health) -> DatabaseHealth {
    let (finding, stats, sizes) = &health.database;
    let tables = sizes.tables.iter().map(|table| TableHealth {
        name: table.name.clone(),
        bytes: table.bytes,
        rows: table.rows,
    });
    DatabaseHealth {
        verdict: (*finding).into(),
        latency_micros: micros(stats.latency),
        connections: stats.connections,
        connections_max: stats.connections_max,
        pool: stats.pool.0,
        pool_idle: stats.pool.1,
        oldest_transaction_ms: stats.oldest_transaction_ms,
        waiting_for_locks: stats.waiting_for_locks,
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
        trail: health.audit_log.into(),
        rounds: health.rounds.into(),
    }
}

/// Returns the health of the installation: measurements and findings.
#[utoipa::path(get, path = "/office/api/service/health", tag = "service", operation_id = "service_health",
    security(("office" = ["service.read"])),
    responses((status = 200, body = Envelope<HealthView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_health(_: Allowed<ServiceRead>, Axum(app): Axum<Service>) -> Answer<HealthView> {
    let health = health::collect(&app).await?;
    answer(view(&app, health))
}

/// A request for a check.
#[derive(Deserialize, ToSchema)]
struct AskCheck {
    what: Check,
    /// The reason, for the audit log.
    reason: String,
}

/// Starts a check now: all rows of the ledger or the audit log, or a sample of rounds. A job runs
/// it.
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
