//! Reading the trail, checking it, and taking it away.

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::http::Allowed;
use super::super::rights::{TrailExport, TrailRead};
use super::store::{self, Row, Wanted};
use super::{Broken, Deed, check, record};
use crate::Staff;
use platform::csv::Csv;
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, usable_time};

const LIST_USUAL: i64 = 50;
const LIST_MAX: i64 = 200;
/// Rows of one file.
const EXPORT_MAX: i64 = 50_000;

/// What is looked for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindRows {
    /// Who did it: a username.
    actor: Option<String>,
    /// The beginning of an action, `staff.` for example.
    action: Option<String>,
    /// The beginning of a subject, `person:` for example.
    subject: Option<String>,
    /// Not before this moment.
    from: Option<DateTime<Utc>>,
    /// Before this moment.
    until: Option<DateTime<Utc>>,
    /// Only rows with smaller numbers than this.
    before: Option<i64>,
    /// How many, 200 at most.
    limit: Option<i64>,
}

impl FindRows {
    fn wanted(&self) -> Result<Wanted<'_>, ApiError> {
        let given = |text: &'_ Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
        Ok(Wanted {
            actor: self.actor.as_deref().filter(|_| given(&self.actor)),
            action: self.action.as_deref().filter(|_| given(&self.action)),
            subject: self.subject.as_deref().filter(|_| given(&self.subject)),
            from: usable_time("from", self.from)?,
            until: usable_time("until", self.until)?,
            before: self.before,
        })
    }
}

/// A row of the trail.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TrailRow {
    seq: i64,
    at: DateTime<Utc>,
    actor: String,
    action: String,
    subject: String,
    /// How it was, as JSON.
    before: Option<String>,
    /// How it is since, as JSON.
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

/// What was done, the latest first.
#[utoipa::path(post, path = "/office/api/trail/find", tag = "staff", operation_id = "trail_find", request_body = FindRows,
    security(("office" = ["trail.read"])),
    responses((status = 200, body = Envelope<Vec<TrailRow>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find(
    _: Allowed<TrailRead>,
    State(app): State<Staff>,
    Json(asked): Json<FindRows>,
) -> Answer<Vec<TrailRow>> {
    let limit = asked.limit.unwrap_or(LIST_USUAL).clamp(1, LIST_MAX);
    let rows = store::list_wanted(&app.db, &asked.wanted()?, limit).await?;
    answer(rows.into_iter().map(TrailRow::from).collect())
}

/// Whether the trail holds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TrailCheck {
    is_whole: bool,
    /// How many rows it has, up to where it breaks.
    rows: i64,
    /// The first row that cannot be believed.
    broken_at: Option<i64>,
}

/// Follows the whole trail from its first row.
#[utoipa::path(get, path = "/office/api/trail/check", tag = "staff", operation_id = "trail_check_whole",
    security(("office" = ["trail.read"])),
    responses((status = 200, body = Envelope<TrailCheck>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn check_whole(_: Allowed<TrailRead>, State(app): State<Staff>) -> Answer<TrailCheck> {
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

/// The rows that are looked for as a file; that it was taken stands in the trail, too.
#[utoipa::path(post, path = "/office/api/trail/export", tag = "staff", operation_id = "trail_export", request_body = FindRows,
    security(("office" = ["trail.export"])),
    responses((status = 200, content_type = "text/csv", body = String),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn export(
    Allowed(person, ..): Allowed<TrailExport>,
    State(app): State<Staff>,
    Json(asked): Json<FindRows>,
) -> Result<Response, ApiError> {
    let rows = store::list_wanted(&app.db, &asked.wanted()?, EXPORT_MAX).await?;
    let actor = person.actor();
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let deed = Deed::plain("trail.export", "trail:rows".to_owned());
        record(&app, &mut tx, &actor, deed).await?;
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
