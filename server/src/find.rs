//! The office's palette: whatever somebody types or pastes leads to members, rounds, transfers and
//! requests, as far as their rights go. The modules do the finding.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;
use platform::error::{Answer, Envelope, Refusal, answer};
use platform::extract::Json;
use staff::{FoundThing, OnDuty};

/// Fewer characters find too much.
const SHORTEST: usize = 2;

/// What is typed into the palette.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindThings {
    /// What finds a member, the number of a round or a request, or a transfer as `MEMBER:NUMBER`.
    q: String,
}

/// What fits a text, as far as one's rights go.
#[utoipa::path(post, path = "/office/api/find", tag = "staff", operation_id = "office_find",
    request_body = FindThings, security(("office" = [])),
    responses((status = 200, body = Envelope<Vec<FoundThing>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find(
    person: OnDuty,
    State(app): State<App>,
    Json(typed): Json<FindThings>,
) -> Answer<Vec<FoundThing>> {
    let text = typed.q.trim();
    let mut found = Vec::new();
    if text.chars().count() >= SHORTEST {
        for finder in app.finders() {
            found.extend(finder.find(&person, text).await?);
        }
    }
    answer(found)
}

/// The palette's call.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(find))
}
