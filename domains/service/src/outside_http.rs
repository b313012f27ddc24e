//! The API of outside services: which are configured, and tests of them.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::outside::{self, Outcome, OutsideService, TestResult};
use crate::Service;
use crate::codes;
use crate::rights::{ServiceRead, ServiceWrite};
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path};
use platform::outbox::masked;
use platform::rate_limit::RateLimit;
use staff::{Actor, Allowed, AuditEntry};

/// The rate limit of tests per person, since test messages cost money.
const TESTS: RateLimit =
    RateLimit { name: "service.try", limit: 20, window: std::time::Duration::from_secs(3_600) };

/// An outside service.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OutsideView {
    name: OutsideService,
    is_configured: bool,
    /// The host of the service, or our sender address there; nothing secret.
    place: Option<String>,
}

/// Lists the outside services, and whether each is configured.
#[utoipa::path(get, path = "/office/api/service/outside", tag = "service", operation_id = "service_outside",
    security(("office" = ["service.read"])),
    responses((status = 200, body = Envelope<Vec<OutsideView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list(_: Allowed<ServiceRead>, State(app): State<Service>) -> Answer<Vec<OutsideView>> {
    let view = |name: OutsideService| {
        let place = name.location(&app);
        OutsideView {
            name,
            is_configured: place.is_some(),
            place: place.filter(|place| !place.is_empty()),
        }
    };
    answer(OutsideService::ALL.map(view).into())
}

/// A test of an outside service.
#[derive(Deserialize, ToSchema)]
struct TryOutside {
    /// The recipient of a test message, or the IP address to look up; not used for other services.
    to: Option<String>,
    /// The reason, for the audit log.
    reason: String,
}

/// The result of a test.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OutsideTried {
    is_good: bool,
    outcome: Outcome,
    /// Details: an HTTP status, a country, the number of keys.
    detail: Option<String>,
}

/// Tests an outside service: sends a test message, fetches its public data, or looks up an address.
#[utoipa::path(post, path = "/office/api/service/outside/{name}/try", tag = "service", operation_id = "service_try_outside", request_body = TryOutside,
    params(("name" = String, Path, description = "The name from the list")),
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
    if service.location(&app).is_none() {
        return Err(ApiError::new(codes::NOT_CONFIGURED));
    }
    let to = outside::read_target(service, body.to.as_deref().unwrap_or_default())?;
    let actor = person.actor();
    let result = app.run(move |app| async move {
        record_test(&app, &actor, (service, &to), &body.reason).await?;
        outside::try_out(&app, service, to).await
    });
    let TestResult { outcome, detail } = result.await?;
    answer(OutsideTried { is_good: outcome.is_good(), outcome, detail })
}

/// Adds the audit entry before the test, in a transaction of its own, so that nothing is sent that
/// the audit log does not show.
async fn record_test(
    app: &Service,
    actor: &Actor,
    (service, to): (OutsideService, &str),
    reason: &str,
) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let now = app.clock.now();
    app.rate_limits.take(&mut tx, &TESTS, actor.name(), now).await?;
    let to = match service {
        OutsideService::Sms | OutsideService::Mail => Some(masked(to)),
        OutsideService::Countries => Some(to.to_owned()),
        OutsideService::Phone | OutsideService::Oidc | OutsideService::Oauth => None,
    };
    let entry = AuditEntry {
        after: Some(json!({ "service": service, "to": to })),
        reason: Some(reason),
        ..AuditEntry::plain("service.try", format!("service:{}", service.text()))
    };
    staff::record(&app.staff, &mut tx, actor, entry).await?;
    db::commit(tx).await
}

pub(super) fn routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(try_out))
}
