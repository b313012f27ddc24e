//! The back office's search palette: finds members, rounds, transfers and approval requests by
//! typed or pasted text, within the person's rights. It asks the finders of all modules.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;
use platform::error::{Answer, Envelope, Refusal, answer};
use platform::extract::Json;
use staff::{FoundThing, StaffSession};

/// The shortest search text: shorter ones would match too much.
const TEXT_MIN: usize = 2;

/// A search in the palette.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindThings {
    /// Text that identifies a member, the id of a round or approval request, or a transfer as
    /// `MEMBER:NUMBER`.
    q: String,
}

/// Finds what matches a text, within the caller's rights.
#[utoipa::path(post, path = "/office/api/find", tag = "staff", operation_id = "office_find",
    request_body = FindThings, security(("office" = [])),
    responses((status = 200, body = Envelope<Vec<FoundThing>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find(
    person: StaffSession,
    State(app): State<App>,
    Json(query): Json<FindThings>,
) -> Answer<Vec<FoundThing>> {
    let text = query.q.trim();
    let mut found = Vec::new();
    if text.chars().count() >= TEXT_MIN {
        for finder in app.finders() {
            found.extend(finder.find(&person, text).await?);
        }
    }
    answer(found)
}

/// The route of the palette.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(find))
}
