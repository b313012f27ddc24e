//! The proof of who one is on the wire, and what asks for it.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, State};
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
use crate::app::App;
use crate::platform::error::{ApiError, Envelope, Refusal, answer};
use crate::platform::extract::Json;

/// Somebody who has a right, and has shown within the last minutes in this browser who they are: for what is grave.
/// Such a call has `office_proof` beside `office` in the API document.
pub struct Proved<R>(pub OnDuty, pub PhantomData<R>);

impl<R: Asked> FromRequestParts<App> for Proved<R> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Allowed(person, right) = Allowed::<R>::from_request_parts(parts, app).await?;
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
    State(app): State<App>,
    secure: IsSecure,
    Json(body): Json<StaffProof>,
) -> Result<Response, ApiError> {
    let StaffProof { password, code } = body;
    require(&[("password", &password), ("code", &code)])?;
    let (secret, cookie) = PROOF_COOKIE.make(secure.0);
    proof::prove(&app, &person, Shown { password, code, secret }).await?;
    Ok(with_cookies(answer(true), [cookie]))
}

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(prove))
}
