//! Endpoints of the back office for affiliate applications.

use std::collections::HashMap;

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::model::{ContactKind, Status};
use super::ops::{self, Decision};
use super::store::{self, Filter, Row};
use crate::Agents;
use crate::codes;
use crate::rights::{AffiliatesRead, AffiliatesWrite};
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path, Query};
use staff::Allowed;

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;

/// Filter of the application list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ApplicationsQuery {
    /// `OPEN`, `ACCEPTED` or `REFUSED`; all if absent.
    #[param(inline)]
    status: Option<Status>,
    /// Only applications older than the one with this id.
    before: Option<Uuid>,
    /// Maximum number of applications, 200 at most.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<i64>,
}

/// An application as the office sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Application {
    id: Uuid,
    /// Name of the site whose affiliate the applicant wants to become.
    merchant: String,
    /// The member who applied; null for a visitor.
    #[schema(required)]
    member_id: Option<Uuid>,
    #[schema(required)]
    account: Option<String>,
    name: String,
    #[schema(value_type = ContactKind)]
    contact_kind: String,
    contact: String,
    audience: String,
    message: String,
    #[schema(required)]
    affiliate_code: Option<String>,
    #[schema(required)]
    referral_code: Option<String>,
    /// The language of the applicant's page.
    language: String,
    #[schema(value_type = Status)]
    status: String,
    #[schema(required)]
    answer: Option<String>,
    #[schema(required)]
    decided_at: Option<DateTime<Utc>>,
    /// The staff member who decided.
    #[schema(required)]
    decided_by: Option<String>,
    created_at: DateTime<Utc>,
}

/// Adds the names of sites and members to the rows.
async fn to_applications(app: &Agents, rows: Vec<Row>) -> Result<Vec<Application>, ApiError> {
    let applicant_ids: Vec<_> = rows.iter().filter_map(|row| row.asked_by).collect();
    let mut db = app.db.acquire().await?;
    let named = members::list_named(&mut db, &applicant_ids).await?;
    let accounts: HashMap<_, _> =
        named.into_iter().map(|named| (named.member_id, named.account)).collect();
    let merchants = app.site.sites.all(&app.db).await?;
    let site = |id| merchants.iter().find(|merchant| merchant.id == id);
    let applications = rows.into_iter().map(|row| Application {
        id: row.id,
        merchant: site(row.merchant_id).map_or_else(String::new, |site| site.name.clone()),
        account: row.asked_by.and_then(|id| accounts.get(&id).cloned()),
        member_id: row.asked_by,
        name: row.name,
        contact_kind: row.contact_kind,
        contact: row.contact,
        audience: row.audience,
        message: row.message,
        affiliate_code: row.affiliate_code,
        referral_code: row.referral_code,
        language: row.language,
        status: row.status,
        answer: row.answer,
        decided_at: row.decided_at,
        decided_by: row.decided_by,
        created_at: row.created_at,
    });
    Ok(applications.collect())
}

/// Lists affiliate applications, the latest first.
#[utoipa::path(get, path = "/office/api/affiliates", tag = "agents", operation_id = "office_list_affiliates",
    params(ApplicationsQuery), security(("office" = ["affiliates.read"])),
    responses((status = 200, body = Envelope<Vec<Application>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list(
    _: Allowed<AffiliatesRead>,
    State(app): State<Agents>,
    Query(query): Query<ApplicationsQuery>,
) -> Answer<Vec<Application>> {
    let limit = query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX);
    let filter = Filter { status: query.status, before: query.before, id: None };
    answer(to_applications(&app, store::list(&app.db, filter, limit).await?).await?)
}

/// A decision about an application.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DecideApplication {
    accepted: bool,
    /// The answer, which the applicant can read.
    #[schema(min_length = 1, max_length = 2000)]
    answer: String,
}

/// Accepts or refuses an application. An application is decided once.
#[utoipa::path(post, path = "/office/api/affiliates/{id}/decide", tag = "agents",
    operation_id = "office_decide_affiliate", params(("id" = Uuid, Path)),
    request_body = DecideApplication, security(("office" = ["affiliates.write"])),
    responses((status = 200, body = Envelope<Application>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn decide(
    Allowed(person, ..): Allowed<AffiliatesWrite>,
    State(app): State<Agents>,
    Path(id): Path<Uuid>,
    Json(body): Json<DecideApplication>,
) -> Answer<Application> {
    let DecideApplication { accepted, answer: text } = body;
    ops::decide(&app, person.actor(), id, Decision { accepted, answer: text }).await?;
    let filter = Filter { id: Some(id), ..Filter::default() };
    let application = to_applications(&app, store::list(&app.db, filter, 1).await?).await?.pop();
    answer(application.ok_or_else(|| ApiError::new(codes::UNKNOWN))?)
}

/// The domain's routes in the back office.
pub fn routes() -> OpenApiRouter<Agents> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(decide))
}
