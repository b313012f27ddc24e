//! Display names of the subjects in the audit log. The log itself stores only ids, so that no names
//! remain in it for ever; readers get the names that their rights allow.

use std::collections::HashMap;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Json;
use staff::Allowed;
use staff::rights::AuditLogRead;

/// The most subjects of one request: the size of one page of the audit log.
const SUBJECTS_MAX: usize = 200;

/// A request for the names of subjects.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindNames {
    /// Subjects as in the audit log, for example `member:ID`; at most 200.
    subjects: Vec<String>,
}

/// The name of a subject.
#[derive(Serialize, ToSchema)]
struct SubjectName {
    /// The subject, as requested.
    subject: String,
    name: String,
}

/// Returns the names of staff, members, games and vendors in the audit log, within the caller's
/// rights.
#[utoipa::path(post, path = "/office/api/trail/names", tag = "staff", operation_id = "trail_names",
    request_body = FindNames, security(("office" = ["trail.read"])),
    responses((status = 200, body = Envelope<Vec<SubjectName>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn names(
    Allowed(person, ..): Allowed<AuditLogRead>,
    State(app): State<App>,
    Json(query): Json<FindNames>,
) -> Answer<Vec<SubjectName>> {
    if query.subjects.len() > SUBJECTS_MAX {
        return Err(ApiError::fields([("subjects", "too_long")]));
    }
    let mut names = HashMap::new();
    for lookup in app.names() {
        if lookup.right.is_some_and(|right| !person.may(right)) {
            continue;
        }
        let subjects = query.subjects.iter().filter_map(|subject| subject.split_once(':'));
        let ids: Vec<_> =
            subjects.filter(|(kind, _)| *kind == lookup.kind).map(|(_, id)| id).collect();
        if !ids.is_empty() {
            let found = lookup.find(&ids).await?.into_iter();
            names.extend(found.map(|(id, name)| (format!("{}:{id}", lookup.kind), name)));
        }
    }
    let named = query.subjects.into_iter().filter_map(|subject| {
        let name = names.get(&subject)?.clone();
        Some(SubjectName { subject, name })
    });
    answer(named.collect())
}

/// The route of the audit log's names.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(names))
}
