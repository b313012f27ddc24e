//! The re-authentication API, and the extractor for sensitive actions.

use std::marker::PhantomData;

use axum::extract::{FromRef, FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::http::{Allowed, IsSecure, PROOF_COOKIE, require, with_cookies};
use super::model::StaffSession;
use super::reauthentication::{self, Credentials};
use super::rights::RequiredRight;
use crate::Staff;
use platform::error::{ApiError, Envelope, Refusal, answer};
use platform::extract::Json;

/// Extractor for sensitive actions: a session with the right `R` that authenticated in this browser
/// within the last ten minutes. In the API document such calls have the security scheme
/// `office_proof` besides `office`.
pub struct RecentlyAuthenticated<R>(pub StaffSession, pub PhantomData<R>);

impl<S, R: RequiredRight> FromRequestParts<S> for RecentlyAuthenticated<R>
where
    S: Send + Sync,
    Staff: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = &Staff::from_ref(state);
        let Allowed(person, right) = Allowed::<R>::from_request_parts(parts, state).await?;
        person.require_recent_authentication(app.clock.now())?;
        Ok(Self(person, right))
    }
}

/// The credentials that confirm a person's identity again.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct StaffProof {
    password: String,
    /// Six digits from the authenticator.
    code: String,
}

/// Re-authenticates with password and code. For ten minutes, as after the login, the session may
/// then take sensitive actions, in the browser that gets the answer: the answer sets a second
/// cookie.
#[utoipa::path(post, path = "/office/api/session/proof", tag = "staff", operation_id = "office_prove", request_body = StaffProof,
    security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn prove(
    person: StaffSession,
    State(app): State<Staff>,
    secure: IsSecure,
    Json(body): Json<StaffProof>,
) -> Result<Response, ApiError> {
    let StaffProof { password, code } = body;
    require(&[("password", &password), ("code", &code)])?;
    let (secret, cookie) = PROOF_COOKIE.make(secure.0);
    reauthentication::reauthenticate(&app, &person, Credentials { password, code, secret }).await?;
    Ok(with_cookies(answer(true), [cookie]))
}

pub(super) fn routes() -> OpenApiRouter<Staff> {
    OpenApiRouter::new().routes(routes!(prove))
}
