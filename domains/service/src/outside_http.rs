//! Outside services on the wire.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::outside::{self, Outcome, OutsideService, Tried};
use crate::Service;
use crate::codes;
use crate::rights::{ServiceRead, ServiceWrite};
use platform::budget::Budget;
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path};
use platform::outbox::masked;
use staff::{Actor, Allowed, Deed};

/// Tries of one person: messages cost money.
const TRIES: Budget =
    Budget { name: "service.try", limit: 20, window: std::time::Duration::from_secs(3_600) };

/// An outside service.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OutsideView {
    name: OutsideService,
    is_configured: bool,
    /// Where it is, or who we are to it; nothing of it is secret.
    place: Option<String>,
}

/// The outside services, and whether each is configured.
#[utoipa::path(get, path = "/office/api/service/outside", tag = "service", operation_id = "service_outside",
    security(("office" = ["service.read"])),
    responses((status = 200, body = Envelope<Vec<OutsideView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list(_: Allowed<ServiceRead>, State(app): State<Service>) -> Answer<Vec<OutsideView>> {
    let view = |name: OutsideService| {
        let place = name.place(&app);
        OutsideView {
            name,
            is_configured: place.is_some(),
            place: place.filter(|place| !place.is_empty()),
        }
    };
    answer(OutsideService::ALL.map(view).into())
}

/// How a service is tried.
#[derive(Deserialize, ToSchema)]
struct TryOutside {
    /// Whom a test message goes to, or which address to look up; nothing for the others.
    to: Option<String>,
    /// Why; it stands in the trail.
    reason: String,
}

/// What came of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OutsideTried {
    is_good: bool,
    outcome: Outcome,
    /// What it said: a status, a country, a number of keys.
    detail: Option<String>,
}

/// Tries an outside service: sends a test message, or asks for what it publishes.
#[utoipa::path(post, path = "/office/api/service/outside/{name}/try", tag = "service", operation_id = "service_try_outside", request_body = TryOutside,
    params(("name" = String, Path, description = "As the list names it")),
    security(("office" = ["service.write"])),
    responses((status = 200, body = Envelope<OutsideTried>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn try_out(
    Allowed(person, ..): Allowed<ServiceWrite>,
    State(app): State<Service>,
    Path(name): Path<String>,
    Json(body): Json<TryOutside>,
) -> Answer<OutsideTried> {
    let service = OutsideService::parse(&name);
    let service = service.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
    staff::check_reason(&body.reason)?;
    if service.place(&app).is_none() {
        return Err(ApiError::new(codes::NOT_CONFIGURED));
    }
    let to = outside::read_target(service, body.to.as_deref().unwrap_or_default())?;
    let actor = person.actor();
    let tried = app.run(move |app| async move {
        note(&app, &actor, (service, &to), &body.reason).await?;
        outside::try_out(&app, service, to).await
    });
    let Tried { outcome, detail } = tried.await?;
    answer(OutsideTried { is_good: outcome.is_good(), outcome, detail })
}

/// Writes the try down before it is made: nothing goes out that the trail does not know.
async fn note(
    app: &Service,
    actor: &Actor,
    (service, to): (OutsideService, &str),
    reason: &str,
) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let now = app.clock.now();
    app.budgets.take(&mut tx, &TRIES, actor.name(), now).await?;
    let to = match service {
        OutsideService::Sms | OutsideService::Mail => Some(masked(to)),
        OutsideService::Countries => Some(to.to_owned()),
        OutsideService::Phone | OutsideService::Oidc | OutsideService::Oauth => None,
    };
    let deed = Deed {
        after: Some(json!({ "service": service, "to": to })),
        reason: Some(reason),
        ..Deed::plain("service.try", format!("service:{}", service.text()))
    };
    staff::record(&app.staff, &mut tx, actor, deed).await?;
    db::commit(tx).await
}

pub(super) fn routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(try_out))
}
