//! The office's palette: whatever somebody types or pastes leads to members, rounds, transfers and
//! requests, as far as their rights go.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::App;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Json;
use staff::{OnDuty, Right};

/// How many members are offered.
const MEMBERS: i64 = 6;
/// Fewer characters find too much.
const SHORTEST: usize = 2;

/// What is typed into the palette.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindThings {
    /// What finds a member, the number of a round or a request, or a transfer as `MEMBER:NUMBER`.
    q: String,
}

/// Something that was found.
#[derive(Serialize, ToSchema)]
struct FoundThing {
    /// `member`, `round`, `transfer` or `approval`.
    kind: &'static str,
    /// Its id; of a transfer its member.
    id: Uuid,
    /// The transfer's number in the member's record.
    #[schema(required)]
    seq: Option<i64>,
    label: String,
    more: String,
}

impl FoundThing {
    fn new(kind: &'static str, id: Uuid, label: String, more: String) -> Self {
        Self { kind, id, seq: None, label, more }
    }
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
    if text.chars().count() < SHORTEST {
        return answer(found);
    }
    if let Ok(id) = text.parse() {
        found.extend(find_by_id(&app, &person, id).await?);
    }
    found.extend(find_transfer(&app, &person, text).await?);
    if person.may(Right::MembersRead) {
        let members = members::search(&app.members, text, MEMBERS).await?.into_iter();
        found.extend(
            members.map(|one| FoundThing::new("member", one.member_id, one.account, one.more)),
        );
    }
    answer(found)
}

async fn find_by_id(app: &App, person: &OnDuty, id: Uuid) -> Result<Vec<FoundThing>, ApiError> {
    let mut found = Vec::new();
    if person.may(Right::RoundsRead) {
        let round = games::find_anybodys(&mut *app.db.acquire().await?, id).await?;
        found.extend(round.map(|round| {
            let more = format!("{} {}", round.stake, round.currency.code());
            FoundThing::new("round", id, round.game_code.to_string(), more)
        }));
    }
    let kind = staff::find_visible_kind(&app.staff, person, id).await?;
    found.extend(kind.map(|kind| FoundThing::new("approval", id, kind, id.to_string())));
    Ok(found)
}

async fn find_transfer(
    app: &App,
    person: &OnDuty,
    text: &str,
) -> Result<Option<FoundThing>, ApiError> {
    let Some((id, seq)) = text.split_once([':', '#']).filter(|_| person.may(Right::WalletRead))
    else {
        return Ok(None);
    };
    let (Ok(id), Ok(seq)) = (id.trim().parse::<Uuid>(), seq.trim().parse::<i64>()) else {
        return Ok(None);
    };
    let found = wallet::find_transfer(&mut *app.db.acquire().await?, id, seq).await?;
    Ok(found.map(|(amount, currency)| {
        let more = format!("{amount} {currency}");
        FoundThing { seq: Some(seq), ..FoundThing::new("transfer", id, seq.to_string(), more) }
    }))
}

/// The palette's call.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(find))
}
