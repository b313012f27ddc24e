//! Coming in, and who is in: the office's session on the wire.

use std::marker::PhantomData;
use std::net::IpAddr;

use axum::extract::{FromRef, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::model::OnDuty;
use super::ops::{self, Attempt, Secrets};
use super::proof::Shown;
use super::rights::{Asked, Right};
use crate::Staff;
use crate::codes;
use platform::ClientIp;
use platform::cookies::SecretCookie;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path};

/// Kept as long as a session may last.
pub(super) const COOKIE: SecretCookie = SecretCookie { name: "capiz-office", life_s: 12 * 3_600 };

/// Kept as long as a proof of who one is counts. The session's cookie alone opens nothing that is grave.
pub(super) const PROOF_COOKIE: SecretCookie =
    SecretCookie { name: "capiz-office-proof", life_s: 600 };

/// How many characters of a browser's name for itself are kept.
const AGENT_MAX: usize = 256;

const OFFICE_PAGE: HeaderName = HeaderName::from_static("x-office-page");
/// A page that asks by itself, while nobody touches it, says so: the session's idle time runs on.
const BY_ITSELF: HeaderName = HeaderName::from_static("x-office-by-itself");

/// Pages of other origins cannot send this header without asking first, and are never allowed to.
/// The cookie alone would come along with what a page on another port of this host sends.
pub async fn require_own_page(request: Request, next: Next) -> Response {
    if request.method().is_safe() || request.headers().contains_key(OFFICE_PAGE) {
        return next.run(request).await;
    }
    ApiError::new(platform::codes::REQUEST_FOREIGN_ORIGIN).into_response()
}

/// Somebody who is in, though perhaps with a password that was given: for what leads to one's own.
struct AtTheDesk(OnDuty);

impl<S> FromRequestParts<S> for AtTheDesk
where
    S: Send + Sync,
    Staff: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = &Staff::from_ref(state);
        let ClientIp(address) = ClientIp::from_request_parts(parts, app).await?;
        let is_secure = app.is_secure(parts);
        let session = COOKIE.find(&parts.headers, is_secure);
        let session = session.ok_or_else(|| ApiError::new(platform::codes::SESSION_REQUIRED))?;
        let proof = PROOF_COOKIE.find(&parts.headers, is_secure);
        let is_use = !parts.headers.contains_key(BY_ITSELF);
        ops::find_on_duty(app, &Secrets { session, proof }, address, is_use).await.map(Self)
    }
}

impl<S> FromRequestParts<S> for OnDuty
where
    S: Send + Sync,
    Staff: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let AtTheDesk(person) = AtTheDesk::from_request_parts(parts, state).await?;
        match person.person.must_change {
            true => Err(ApiError::new(codes::NOT_ALLOWED)),
            false => Ok(person),
        }
    }
}

/// Somebody on duty who has a right; everybody else is refused.
pub struct Allowed<R>(pub OnDuty, pub PhantomData<R>);

impl<S, R: Asked> FromRequestParts<S> for Allowed<R>
where
    S: Send + Sync,
    Staff: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let person = OnDuty::from_request_parts(parts, state).await?;
        match person.may(R::RIGHT) {
            true => Ok(Self(person, PhantomData)),
            false => Err(ApiError::new(codes::NOT_ALLOWED)),
        }
    }
}

/// Login to the office.
#[derive(Deserialize, ToSchema)]
struct StaffLogin {
    username: String,
    password: String,
    /// Six digits from the authenticator.
    code: String,
}

/// Who is logged in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Me {
    id: Uuid,
    username: String,
    name: String,
    roles: Vec<String>,
    /// What the person may do, as `domain.action`.
    #[schema(value_type = Vec<String>)]
    rights: Vec<Right>,
    /// The login before this one.
    last_login_at: Option<DateTime<Utc>>,
    /// Whether the password was given to the person: until another is chosen there are no rights.
    must_change_password: bool,
}

impl From<&OnDuty> for Me {
    fn from(person: &OnDuty) -> Self {
        let OnDuty { person, rights, previous_login_at, .. } = person;
        Self {
            id: person.id,
            username: person.username.clone(),
            name: person.name.clone(),
            roles: person.roles.clone(),
            rights: rights.clone(),
            last_login_at: *previous_login_at,
            must_change_password: person.must_change,
        }
    }
}

/// Logs somebody in by name, password and the authenticator's code.
#[utoipa::path(post, path = "/office/api/session/login", tag = "staff", operation_id = "office_login", request_body = StaffLogin,
    responses((status = 200, body = Envelope<Me>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn login(
    State(app): State<Staff>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
    secure: IsSecure,
    Json(body): Json<StaffLogin>,
) -> Result<Response, ApiError> {
    require(&[("username", &body.username), ("password", &body.password), ("code", &body.code)])?;
    let former = COOKIE.find(&headers, secure.0);
    let attempt = Attempt { former, ..attempt(body, address, &headers) };
    let (secret, cookie) = COOKIE.make(secure.0);
    let (proof, proof_cookie) = PROOF_COOKIE.make(secure.0);
    let person = ops::login(&app, attempt, (&secret, &proof)).await?;
    Ok(with_cookies(answer(Me::from(&person)), [cookie, proof_cookie]))
}

/// Refuses fields that are empty.
pub(super) fn require(given: &[(&'static str, &str)]) -> Result<(), ApiError> {
    let missing: Vec<_> = given.iter().filter(|(_, text)| text.trim().is_empty()).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(ApiError::fields(missing.into_iter().map(|(name, _)| (*name, "required")))),
    }
}

/// An answer after which the browser keeps something, or forgets it.
pub(super) fn with_cookies<T: Serialize>(
    answer: Answer<T>,
    cookies: impl IntoIterator<Item = Option<HeaderValue>>,
) -> Response {
    let mut response = answer.into_response();
    for cookie in cookies.into_iter().flatten() {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

fn attempt(body: StaffLogin, address: IpAddr, headers: &HeaderMap) -> Attempt {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    Attempt {
        username: body.username.trim().to_owned(),
        password: body.password,
        code: body.code,
        address,
        agent: agent.map(|agent| agent.chars().take(AGENT_MAX).collect()),
        former: None,
    }
}

/// Whether browsers call the page secure.
pub(super) struct IsSecure(pub(super) bool);

impl FromRequestParts<Staff> for IsSecure {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Staff) -> Result<Self, ApiError> {
        Ok(Self(app.is_secure(parts)))
    }
}

/// Who is logged in, and what they may do.
#[utoipa::path(get, path = "/office/api/session", tag = "staff", operation_id = "office_get_me", security(("office" = [])),
    responses((status = 200, body = Envelope<Me>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_me(AtTheDesk(person): AtTheDesk) -> Answer<Me> {
    answer(Me::from(&person))
}

/// Ends this session.
#[utoipa::path(post, path = "/office/api/session/logout", tag = "staff", operation_id = "office_logout", security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn logout(
    State(app): State<Staff>,
    secure: IsSecure,
    AtTheDesk(person): AtTheDesk,
) -> Result<Response, ApiError> {
    ops::logout(&app, person).await?;
    Ok(with_cookies(answer(true), [PROOF_COOKIE.forget(secure.0)]))
}

/// A session of one's own.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffSession {
    /// Names the session; good for nothing but ending it.
    id: String,
    /// Whether it is the one that asks.
    is_current: bool,
    started_at: DateTime<Utc>,
    seen_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    address: Option<String>,
    user_agent: Option<String>,
}

/// Where one is logged in, the latest seen first; at most 100.
#[utoipa::path(get, path = "/office/api/session/list", tag = "staff", operation_id = "office_list_sessions", security(("office" = [])),
    responses((status = 200, body = Envelope<Vec<StaffSession>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_sessions(
    State(app): State<Staff>,
    AtTheDesk(person): AtTheDesk,
) -> Answer<Vec<StaffSession>> {
    let rows = ops::list_sessions(&app, person.person.id).await?;
    let sessions = rows.into_iter().map(|row| StaffSession {
        is_current: row.token_hash == person.token_hash,
        id: hex::encode(&row.token_hash[..16]),
        started_at: row.started_at,
        seen_at: row.seen_at,
        ends_at: row.ends_at,
        address: row.address,
        user_agent: row.agent,
    });
    answer(sessions.collect())
}

/// Ends one of one's own sessions.
#[utoipa::path(delete, path = "/office/api/session/list/{id}", tag = "staff", operation_id = "office_end_session",
    params(("id" = String, Path, description = "As the list names it")),
    security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn end_session(
    State(app): State<Staff>,
    AtTheDesk(person): AtTheDesk,
    Path(id): Path<String>,
) -> Answer<bool> {
    let half = hex::decode(&id).map_err(|_| ApiError::new(platform::codes::SESSION_UNKNOWN))?;
    ops::revoke(&app, &person, half).await?;
    answer(true)
}

/// A new password of one's own.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffPassword {
    old_password: String,
    /// Six digits from the authenticator.
    code: String,
    /// At least twelve characters, and none that is tried first.
    new_password: String,
}

/// Changes one's own password; all other sessions end.
#[utoipa::path(post, path = "/office/api/session/password", tag = "staff", operation_id = "office_change_password",
    request_body = StaffPassword, security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_password(
    State(app): State<Staff>,
    secure: IsSecure,
    AtTheDesk(person): AtTheDesk,
    Json(body): Json<StaffPassword>,
) -> Result<Response, ApiError> {
    let (secret, cookie) = PROOF_COOKIE.make(secure.0);
    let StaffPassword { old_password: password, code, new_password } = body;
    ops::change_password(&app, &person, Shown { password, code, secret }, new_password).await?;
    Ok(with_cookies(answer(true), [cookie]))
}

pub(super) fn routes() -> OpenApiRouter<Staff> {
    OpenApiRouter::new()
        .routes(routes!(login))
        .routes(routes!(get_me))
        .routes(routes!(logout))
        .routes(routes!(list_sessions))
        .routes(routes!(end_session))
        .routes(routes!(change_password))
}
