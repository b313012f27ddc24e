//! The proof of who one is on the wire, and what asks for it.

use std::marker::PhantomData;

use axum::extract::{FromRef, FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::http::{Allowed, IsSecure, PROOF_COOKIE, require, with_cookies};
use super::model::OnDuty;
use super::proof::{self, Shown};
use super::rights::Asked;
use crate::Staff;
use platform::error::{ApiError, Envelope, Refusal, answer};
use platform::extract::Json;

/// Somebody who has a right, and has shown within the last minutes in this browser who they are: for what is grave.
/// Such a call has `office_proof` beside `office` in the API document.
pub struct Proved<R>(pub OnDuty, pub PhantomData<R>);

impl<S, R: Asked> FromRequestParts<S> for Proved<R>
where
    S: Send + Sync,
    Staff: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = &Staff::from_ref(state);
        let Allowed(person, right) = Allowed::<R>::from_request_parts(parts, state).await?;
        person.require_proof(app.clock.now())?;
        Ok(Self(person, right))
    }
}

/// What shows that it is still the person who has logged in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct StaffProof {
    password: String,
    /// Six digits from the authenticator.
    code: String,
}

/// Shows once more who one is. For ten minutes this session is then good for what is grave, as it is after the log-in,
/// in the browser that gets the answer: it comes with a cookie of its own.
#[utoipa::path(post, path = "/office/api/session/proof", tag = "staff", operation_id = "office_prove", request_body = StaffProof,
    security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn prove(
    person: OnDuty,
    State(app): State<Staff>,
    secure: IsSecure,
    Json(body): Json<StaffProof>,
) -> Result<Response, ApiError> {
    let StaffProof { password, code } = body;
    require(&[("password", &password), ("code", &code)])?;
    let (secret, cookie) = PROOF_COOKIE.make(secure.0);
    proof::prove(&app, &person, Shown { password, code, secret }).await?;
    Ok(with_cookies(answer(true), [cookie]))
}

pub(super) fn routes() -> OpenApiRouter<Staff> {
    OpenApiRouter::new().routes(routes!(prove))
}
