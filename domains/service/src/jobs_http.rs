//! The jobs API of the back office: schedules, dead jobs, and retries.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::Service;
use crate::codes;
use crate::rights::{ServiceRead, ServiceWrite};
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path, Query};
use platform::jobs::{self, Dead, Kind, KindState};
use staff::{Allowed, AuditEntry};

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;

/// A kind of job, with its schedule and state.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct JobKind {
    /// `domain.work`.
    kind: String,
    /// The interval of the schedule; none if jobs are only queued by other actions.
    every_s: Option<u64>,
    /// The number of failed attempts after which a job is dead.
    attempts: i32,
    /// When the last job succeeded, within the last day.
    done_at: Option<DateTime<Utc>>,
    took_ms: Option<i64>,
    /// When the next job starts.
    next_at: Option<DateTime<Utc>>,
    waiting: i64,
    dead: i64,
    last_error: Option<String>,
}

impl JobKind {
    fn new(kind: &Kind, state: KindState, now: DateTime<Utc>) -> Self {
        Self {
            every_s: kind.every.map(|every| every.as_secs()),
            attempts: kind.bounds.attempts,
            done_at: state.done_at,
            took_ms: state.took_ms,
            next_at: state.due_at.or_else(|| kind.next_at(now)),
            waiting: state.waiting,
            dead: state.dead,
            last_error: state.last_error,
            kind: state.kind,
        }
    }
}

/// Lists the kinds of jobs, by name.
#[utoipa::path(get, path = "/office/api/service/jobs", tag = "service", operation_id = "service_jobs",
    security(("office" = ["service.read"])),
    responses((status = 200, body = Envelope<Vec<JobKind>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_kinds(_: Allowed<ServiceRead>, State(app): State<Service>) -> Answer<Vec<JobKind>> {
    let now = app.clock.now();
    let kinds = app.timetable.kinds();
    let names: Vec<String> = kinds.iter().map(|kind| kind.name.to_owned()).collect();
    let states = jobs::list_kinds(&app.db, &names).await?;
    let views = kinds.iter().zip(states).map(|(kind, state)| JobKind::new(kind, state, now));
    answer(views.collect())
}

/// The page of a list of dead jobs.
#[derive(Deserialize, IntoParams)]
struct DeadQuery {
    /// Only jobs older than this one, for paging.
    before: Option<Uuid>,
    /// The number of jobs, at most 200.
    limit: Option<i64>,
}

/// A dead job: it failed on all of its attempts.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeadJob {
    id: Uuid,
    kind: String,
    /// The parameters of the job, as JSON.
    payload: String,
    attempts: i32,
    last_error: Option<String>,
    created_at: DateTime<Utc>,
    died_at: Option<DateTime<Utc>>,
}

impl From<Dead> for DeadJob {
    fn from(dead: Dead) -> Self {
        Self {
            id: dead.id,
            kind: dead.kind,
            payload: dead.payload.to_string(),
            attempts: dead.attempts,
            last_error: dead.last_error,
            created_at: dead.created_at,
            died_at: dead.finished_at,
        }
    }
}

/// Lists the dead jobs, newest first.
#[utoipa::path(get, path = "/office/api/service/jobs/dead", tag = "service", operation_id = "service_dead_jobs", params(DeadQuery),
    security(("office" = ["service.read"])),
    responses((status = 200, body = Envelope<Vec<DeadJob>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_dead(
    _: Allowed<ServiceRead>,
    State(app): State<Service>,
    Query(query): Query<DeadQuery>,
) -> Answer<Vec<DeadJob>> {
    let limit = query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX);
    let dead = jobs::list_dead(&app.db, query.before, limit).await?;
    answer(dead.into_iter().map(DeadJob::from).collect())
}

/// The retry of a dead job.
#[derive(Deserialize, ToSchema)]
struct RetryJob {
    /// The reason, for the audit log.
    reason: String,
}

/// Retries a dead job, with all of its attempts again.
#[utoipa::path(post, path = "/office/api/service/jobs/{id}/retry", tag = "service", operation_id = "service_retry_job", request_body = RetryJob,
    params(("id" = Uuid, Path)), security(("office" = ["service.write"])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn retry(
    Allowed(person, ..): Allowed<ServiceWrite>,
    State(app): State<Service>,
    Path(id): Path<Uuid>,
    Json(body): Json<RetryJob>,
) -> Answer<bool> {
    staff::check_reason(&body.reason)?;
    let actor = person.actor();
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let dead = jobs::retry(&mut tx, id, app.clock.now()).await?;
        let dead = dead.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
        let entry = AuditEntry {
            before: Some(json!({ "state": "dead", "kind": dead.kind, "tries": dead.attempts })),
            after: Some(json!({ "state": "queued", "kind": dead.kind, "tries": 0 })),
            reason: Some(&body.reason),
            ..AuditEntry::plain("service.retry", format!("job:{id}"))
        };
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        db::commit(tx).await
    })
    .await?;
    answer(true)
}

pub(super) fn routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new()
        .routes(routes!(list_kinds))
        .routes(routes!(list_dead))
        .routes(routes!(retry))
}
