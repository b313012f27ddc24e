//! The API of the audit log: search, verification and export.

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::http::Allowed;
use super::super::rights::{AuditLogExport, AuditLogRead};
use super::store::{self, Filter, Row};
use super::{AuditEntry, Broken, check, record};
use crate::Staff;
use platform::csv::Csv;
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, usable_time};

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;
/// The most entries of one export.
const EXPORT_MAX: i64 = 50_000;

/// A search in the audit log.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindRows {
    /// The username of the actor.
    actor: Option<String>,
    /// A prefix of the action, for example `staff.`.
    action: Option<String>,
    /// A prefix of the subject, for example `person:`.
    subject: Option<String>,
    /// Only entries at or after this time.
    from: Option<DateTime<Utc>>,
    /// Only entries before this time.
    until: Option<DateTime<Utc>>,
    /// Only entries with a smaller sequence number, for paging.
    before: Option<i64>,
    /// The number of entries, at most 200.
    limit: Option<i64>,
}

impl FindRows {
    fn filter(&self) -> Result<Filter<'_>, ApiError> {
        let is_set =
            |text: &'_ Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
        Ok(Filter {
            actor: self.actor.as_deref().filter(|_| is_set(&self.actor)),
            action: self.action.as_deref().filter(|_| is_set(&self.action)),
            subject: self.subject.as_deref().filter(|_| is_set(&self.subject)),
            from: usable_time("from", self.from)?,
            until: usable_time("until", self.until)?,
            before: self.before,
        })
    }
}

/// An entry of the audit log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TrailRow {
    seq: i64,
    at: DateTime<Utc>,
    actor: String,
    action: String,
    subject: String,
    /// The value before, as JSON.
    before: Option<String>,
    /// The value after, as JSON.
    after: Option<String>,
    reason: Option<String>,
    address: Option<String>,
}

impl From<Row> for TrailRow {
    fn from(row: Row) -> Self {
        Self {
            seq: row.seq,
            at: row.at,
            actor: row.actor,
            action: row.action,
            subject: row.subject,
            before: row.before,
            after: row.after,
            reason: row.reason,
            address: row.address,
        }
    }
}

/// Searches the audit log, newest entries first.
#[utoipa::path(post, path = "/office/api/trail/find", tag = "staff", operation_id = "trail_find", request_body = FindRows,
    security(("office" = ["trail.read"])),
    responses((status = 200, body = Envelope<Vec<TrailRow>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find(
    _: Allowed<AuditLogRead>,
    State(app): State<Staff>,
    Json(query): Json<FindRows>,
) -> Answer<Vec<TrailRow>> {
    let limit = query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX);
    let rows = store::list(&app.db, &query.filter()?, limit).await?;
    answer(rows.into_iter().map(TrailRow::from).collect())
}

/// The result of a verification of the audit log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TrailCheck {
    /// Whether the hash chain is intact.
    is_whole: bool,
    /// The number of valid entries.
    rows: i64,
    /// The first entry that cannot be trusted.
    broken_at: Option<i64>,
}

/// Verifies the hash chain of the whole audit log.
#[utoipa::path(get, path = "/office/api/trail/check", tag = "staff", operation_id = "trail_check_whole",
    security(("office" = ["trail.read"])),
    responses((status = 200, body = Envelope<TrailCheck>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn check_whole(_: Allowed<AuditLogRead>, State(app): State<Staff>) -> Answer<TrailCheck> {
    let checked = app.run(|app| async move {
        match check(&app).await {
            Ok(checked) => Ok(TrailCheck { is_whole: true, rows: checked.rows, broken_at: None }),
            Err(Broken::At(seq)) => {
                Ok(TrailCheck { is_whole: false, rows: seq - 1, broken_at: Some(seq) })
            }
            Err(Broken::Database(error)) => Err(error.into()),
        }
    });
    answer(checked.await?)
}

/// Exports the matching entries as a CSV file. The export is itself recorded in the audit log.
#[utoipa::path(post, path = "/office/api/trail/export", tag = "staff", operation_id = "trail_export", request_body = FindRows,
    security(("office" = ["trail.export"])),
    responses((status = 200, content_type = "text/csv", body = String),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn export(
    Allowed(person, ..): Allowed<AuditLogExport>,
    State(app): State<Staff>,
    Json(query): Json<FindRows>,
) -> Result<Response, ApiError> {
    let rows = store::list(&app.db, &query.filter()?, EXPORT_MAX).await?;
    let actor = person.actor();
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let entry = AuditEntry::plain("trail.export", "trail:rows".to_owned());
        record(&app, &mut tx, &actor, entry).await?;
        db::commit(tx).await
    })
    .await?;
    Ok(csv(&rows).answer("trail"))
}

fn csv(rows: &[Row]) -> Csv {
    let columns =
        ["seq", "at", "actor", "action", "subject", "before", "after", "reason", "address"];
    let mut file = Csv::new(&columns);
    for row in rows {
        file.line(&[
            &row.seq.to_string(),
            &row.at.to_rfc3339(),
            &row.actor,
            &row.action,
            &row.subject,
            row.before.as_deref().unwrap_or_default(),
            row.after.as_deref().unwrap_or_default(),
            row.reason.as_deref().unwrap_or_default(),
            row.address.as_deref().unwrap_or_default(),
        ]);
    }
    file
}

pub(crate) fn routes() -> OpenApiRouter<Staff> {
    OpenApiRouter::new().routes(routes!(find)).routes(routes!(check_whole)).routes(routes!(export))
}
