//! What the rows of the trail are about, by its name. The trail itself keeps ids, so that nobody's
//! name stands in it for ever; who may know a name is told it when they read.

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
use staff::rights::TrailRead;

/// As many as a page of the trail has rows.
const SUBJECTS_MAX: usize = 200;

/// What names are asked for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindNames {
    /// As rows of the trail have them, `member:ID` for example; 200 at most.
    subjects: Vec<String>,
}

/// What something is called.
#[derive(Serialize, ToSchema)]
struct SubjectName {
    /// As it was asked for.
    subject: String,
    name: String,
}

/// The names of people, members, games and vendors that rows of the trail are about, as far as one's rights go.
#[utoipa::path(post, path = "/office/api/trail/names", tag = "staff", operation_id = "trail_names",
    request_body = FindNames, security(("office" = ["trail.read"])),
    responses((status = 200, body = Envelope<Vec<SubjectName>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn names(
    Allowed(person, ..): Allowed<TrailRead>,
    State(app): State<App>,
    Json(wanted): Json<FindNames>,
) -> Answer<Vec<SubjectName>> {
    if wanted.subjects.len() > SUBJECTS_MAX {
        return Err(ApiError::fields([("subjects", "too_long")]));
    }
    let mut names = HashMap::new();
    for known in app.names() {
        if known.right.is_some_and(|right| !person.may(right)) {
            continue;
        }
        let subjects = wanted.subjects.iter().filter_map(|subject| subject.split_once(':'));
        let ids: Vec<_> =
            subjects.filter(|(kind, _)| *kind == known.kind).map(|(_, id)| id).collect();
        if !ids.is_empty() {
            let found = known.find(&ids).await?.into_iter();
            names.extend(found.map(|(id, name)| (format!("{}:{id}", known.kind), name)));
        }
    }
    let named = wanted.subjects.into_iter().filter_map(|subject| {
        let name = names.get(&subject)?.clone();
        Some(SubjectName { subject, name })
    });
    answer(named.collect())
}

/// The trail's call for names.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(names))
}
