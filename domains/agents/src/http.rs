//! Endpoints of the site for affiliate applications.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::model::{ContactKind, NewApplication, Status};
use super::{ops, store};
use crate::Agents;
use identity::{CurrentMember, Sender};
use platform::error::{Answer, Envelope, Refusal, answer};
use platform::extract::Json;
use site::OpenMerchant;

/// An application to become an affiliate.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ApplyAsAffiliate {
    #[schema(min_length = 2, max_length = 80)]
    name: String,
    contact_kind: ContactKind,
    #[schema(min_length = 3, max_length = 120)]
    contact: String,
    /// The audience that the applicant reaches.
    #[schema(min_length = 2, max_length = 500)]
    audience: String,
    #[schema(max_length = 1000)]
    message: String,
    /// The invitation code in the link that the applicant followed.
    #[schema(max_length = 32)]
    affiliate_code: Option<String>,
    /// The code of the member who sent that link.
    #[schema(max_length = 32)]
    referral_code: Option<String>,
    /// The solved proof-of-work challenge, `{challenge, solution}` in base64. Required of visitors
    /// and demo accounts.
    human: Option<String>,
}

/// The id of the new application.
#[derive(Serialize, ToSchema)]
struct ApplicationId {
    id: Uuid,
}

/// Applies to become an affiliate. Visitors and demo accounts pass the human check. A member has at
/// most one open application.
#[utoipa::path(put, path = "/wps/agent/affiliate", tag = "agents", security((), ("token" = [])),
    responses((status = 200, body = Envelope<ApplicationId>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn apply(
    OpenMerchant(merchant): OpenMerchant,
    sender: Sender,
    State(app): State<Agents>,
    Json(body): Json<ApplyAsAffiliate>,
) -> Answer<ApplicationId> {
    let application = NewApplication {
        merchant_id: merchant.id,
        asked_by: sender.member_id,
        name: body.name,
        contact_kind: body.contact_kind,
        contact: body.contact,
        audience: body.audience,
        message: body.message,
        affiliate_code: body.affiliate_code,
        referral_code: body.referral_code,
        language: sender.visitor.language,
    };
    // Validate before the human check, so that a typo does not spend the proof of work.
    let application = application.checked()?;
    sender.require_human(&app.identity, body.human.as_deref()).await?;
    let id = ops::apply(&app, application, Some(sender.visitor.address_key())).await?;
    answer(ApplicationId { id })
}

/// The member's own application, with its status and answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnApplication {
    id: Uuid,
    #[schema(value_type = Status)]
    status: String,
    #[schema(required)]
    answer: Option<String>,
    created_at: DateTime<Utc>,
}

/// The member's latest application, if there is one.
#[utoipa::path(get, path = "/wps/agent/affiliate", tag = "agents", security(("token" = [])),
    responses((status = 200, body = Envelope<Option<OwnApplication>>),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_application(
    State(app): State<Agents>,
    member: CurrentMember,
) -> Answer<Option<OwnApplication>> {
    let latest = store::find_latest(&app.db, member.id).await?;
    answer(latest.map(|row| OwnApplication {
        id: row.id,
        status: row.status,
        answer: row.answer,
        created_at: row.created_at,
    }))
}

/// The domain's routes on the site.
pub fn routes() -> OpenApiRouter<Agents> {
    OpenApiRouter::new().routes(routes!(apply, get_application))
}
