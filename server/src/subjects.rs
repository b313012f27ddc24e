//! What the rows of the trail are about, by its name. The trail itself keeps ids, so that nobody's
//! name stands in it for ever; who may know a name is told it when they read.

use std::collections::HashMap;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::App;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Json;
use staff::{Allowed, OnDuty, Right, asked::TrailRead};

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
    let by_id = names_by_id(&app, &person, &wanted.subjects).await?;
    let mut told = Vec::new();
    for subject in wanted.subjects {
        let name = match by_id.get(&subject) {
            Some(name) => Some(name.clone()),
            None => name_in_catalogue(&app, &subject).await?,
        };
        told.extend(name.map(|name| SubjectName { subject, name }));
    }
    answer(told)
}

/// The ids among the subjects that are of one kind.
fn ids_of(subjects: &[String], kind: &str) -> Vec<Uuid> {
    let named = subjects.iter().filter_map(|subject| subject.split_once(':'));
    named.filter(|(one, _)| *one == kind).filter_map(|(_, id)| id.parse().ok()).collect()
}

/// Names of people and members, each kind by one question.
async fn names_by_id(
    app: &App,
    person: &OnDuty,
    subjects: &[String],
) -> Result<HashMap<String, String>, ApiError> {
    let mut names = HashMap::new();
    let people = ids_of(subjects, "person");
    if !people.is_empty() && person.may(Right::StaffRead) {
        let found = staff::list_names(&app.db, &people).await?;
        names.extend(found.into_iter().map(|(id, name)| (format!("person:{id}"), name)));
    }
    let accounts = ids_of(subjects, "member");
    if !accounts.is_empty() && person.may(Right::MembersRead) {
        let found = members::list_named(&mut *app.db.acquire().await?, &accounts).await?;
        let named = found.into_iter().map(|one| (format!("member:{}", one.member_id), one.account));
        names.extend(named);
    }
    Ok(names)
}

/// What is in the catalogue everybody knows: a game, or a merchant's offer of it, and a vendor.
async fn name_in_catalogue(app: &App, subject: &str) -> Result<Option<String>, ApiError> {
    Ok(match subject.split_once(':') {
        Some(("game", game)) => {
            let code = game.rsplit('/').next().unwrap_or(game);
            app.games.catalogue.find(&app.db, code).await?.map(|game| game.name.clone())
        }
        Some(("vendor", vassalage)) => app.games.catalogue.vendor_name(&app.db, vassalage).await?,
        _ => None,
    })
}

/// The trail's call for names.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(names))
}
