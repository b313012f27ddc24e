//! The calls that issue captchas and proof-of-work challenges.

use axum::extract::State;
use axum::http::header;
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Kind;
use super::Viewer;
use super::draw;
use crate::Identity;
use crate::gates::{AnyVisitor, Visitor};
use crate::human;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Query;

/// The kind of captcha.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CaptchaQuery {
    /// `image`, or `question` for people who cannot see the picture.
    #[serde(default)]
    #[param(inline)]
    kind: KindName,
}

#[derive(Deserialize, ToSchema, Default)]
#[serde(rename_all = "lowercase")]
enum KindName {
    #[default]
    Image,
    Question,
}

/// Returns a captcha: a PNG of five characters in base64, or a question in words. It is bound to
/// the browser by a cookie, expires after five minutes and can be answered once. A new one can be
/// requested once per second.
#[utoipa::path(get, path = "/wps/captcha", tag = "sessions", params(CaptchaQuery),
    responses((status = 200, body = Envelope<String>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_captcha(
    visitor: Visitor,
    State(app): State<Identity>,
    viewer: Viewer,
    Query(query): Query<CaptchaQuery>,
) -> Result<Response, ApiError> {
    let kind = match query.kind {
        KindName::Image => Kind::Picture,
        KindName::Question => Kind::Question,
    };
    let drawn = draw(&app, &visitor, viewer, kind).await?;
    let cookie = drawn.cookie.map(|cookie| (header::SET_COOKIE, cookie));
    Ok((AppendHeaders(cookie), answer(drawn.content)).into_response())
}

/// A challenge of the ALTCHA protocol, version 2.
#[derive(Serialize, ToSchema)]
struct ChallengeView {
    parameters: ChallengeParameters,
    /// The signature of the parameters.
    signature: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChallengeParameters {
    /// `PBKDF2/SHA-256`.
    algorithm: String,
    /// Iterations of one try.
    cost: u32,
    /// Signed data that binds the challenge to its merchant.
    #[schema(value_type = Object)]
    data: serde_json::Value,
    /// In seconds since 1970.
    expires_at: i64,
    key_length: usize,
    /// The prefix that the derived key must have, in hexadecimal.
    key_prefix: String,
    key_signature: String,
    nonce: String,
    salt: String,
}

impl From<altcha::Challenge> for ChallengeView {
    fn from(challenge: altcha::Challenge) -> Self {
        let parameters = challenge.parameters;
        Self {
            parameters: ChallengeParameters {
                algorithm: parameters.algorithm,
                cost: parameters.cost,
                data: parameters.data.into_iter().flatten().collect(),
                expires_at: parameters.expires_at.unwrap_or_default(),
                key_length: parameters.key_length,
                key_prefix: parameters.key_prefix,
                key_signature: parameters.key_signature.unwrap_or_default(),
                nonce: parameters.nonce,
                salt: parameters.salt,
            },
            signature: challenge.signature.unwrap_or_default(),
        }
    }
}

/// Issues a challenge for the human check. Its solution, `{challenge, solution}` in base64, can be
/// used once within ten minutes. Challenges get harder after failures from the same address.
#[utoipa::path(get, path = "/wps/captcha/challenge", tag = "sessions",
    responses((status = 200, body = Envelope<ChallengeView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_challenge(
    AnyVisitor(visitor): AnyVisitor,
    State(app): State<Identity>,
) -> Answer<ChallengeView> {
    answer(human::issue(&app, &visitor).await?.into())
}

/// The routes of captchas.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(get_captcha)).routes(routes!(get_challenge))
}
