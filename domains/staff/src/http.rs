//! The session API of the back office, and the extractors for its sessions and rights.

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

use super::model::StaffSession;
use super::ops::{self, LoginRequest, Secrets};
use super::reauthentication::Credentials;
use super::rights::{RequiredRight, Right};
use crate::Staff;
use crate::codes;
use platform::ClientIp;
use platform::cookies::SecretCookie;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path};

/// The session cookie. It lives as long as a session may last.
pub(super) const COOKIE: SecretCookie = SecretCookie { name: "capiz-office", life_s: 12 * 3_600 };

/// The re-authentication cookie, valid for ten minutes. Sensitive actions require it besides the
/// session cookie.
pub(super) const PROOF_COOKIE: SecretCookie =
    SecretCookie { name: "capiz-office-proof", life_s: 600 };

/// How many characters of the `User-Agent` are stored.
const AGENT_MAX: usize = 256;

const OFFICE_PAGE: HeaderName = HeaderName::from_static("x-office-page");
/// A page sends this header with requests that it makes without user activity, so that the
/// session's idle timeout keeps running.
const BY_ITSELF: HeaderName = HeaderName::from_static("x-office-by-itself");

/// CSRF protection: writes need the header `X-Office-Page`, which pages of other origins cannot
/// send without a CORS preflight, and none is granted. `SameSite` cookies alone would not do: a
/// page on another port of this host is the same site, so its requests carry the cookie.
pub async fn require_own_page(request: Request, next: Next) -> Response {
    if request.method().is_safe() || request.headers().contains_key(OFFICE_PAGE) {
        return next.run(request).await;
    }
    ApiError::new(platform::codes::REQUEST_FOREIGN_ORIGIN).into_response()
}

/// Extractor for any staff session, even one with a temporary password. For the few calls that are
/// needed to choose a password.
struct AnyStaffSession(StaffSession);

impl<S> FromRequestParts<S> for AnyStaffSession
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
        let is_activity = !parts.headers.contains_key(BY_ITSELF);
        ops::authenticate(app, &Secrets { session, proof }, address, is_activity).await.map(Self)
    }
}

impl<S> FromRequestParts<S> for StaffSession
where
    S: Send + Sync,
    Staff: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let AnyStaffSession(person) = AnyStaffSession::from_request_parts(parts, state).await?;
        match person.person.must_change {
            true => Err(ApiError::new(codes::NOT_ALLOWED)),
            false => Ok(person),
        }
    }
}

/// Extractor for a staff session with the right `R`; all others are refused.
pub struct Allowed<R>(pub StaffSession, pub PhantomData<R>);

impl<S, R: RequiredRight> FromRequestParts<S> for Allowed<R>
where
    S: Send + Sync,
    Staff: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let person = StaffSession::from_request_parts(parts, state).await?;
        match person.may(R::RIGHT) {
            true => Ok(Self(person, PhantomData)),
            false => Err(ApiError::new(codes::NOT_ALLOWED)),
        }
    }
}

/// The credentials of a login to the back office.
#[derive(Deserialize, ToSchema)]
struct StaffLogin {
    username: String,
    password: String,
    /// Six digits from the authenticator.
    code: String,
}

/// The staff member who is logged in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Me {
    id: Uuid,
    username: String,
    name: String,
    roles: Vec<String>,
    /// The person's rights, as `domain.action`.
    #[schema(value_type = Vec<String>)]
    rights: Vec<Right>,
    /// The time of the login before this one.
    last_login_at: Option<DateTime<Utc>>,
    /// Whether the password is temporary: until it is changed the person has no rights.
    must_change_password: bool,
}

impl From<&StaffSession> for Me {
    fn from(person: &StaffSession) -> Self {
        let StaffSession { person, rights, previous_login_at, .. } = person;
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

/// Logs in with username, password and a code of the authenticator app.
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
    let request = LoginRequest { former, ..login_request(body, address, &headers) };
    let (secret, cookie) = COOKIE.make(secure.0);
    let (proof, proof_cookie) = PROOF_COOKIE.make(secure.0);
    let person = ops::login(&app, request, (&secret, &proof)).await?;
    Ok(with_cookies(answer(Me::from(&person)), [cookie, proof_cookie]))
}

/// Refuses a request with empty fields.
pub(super) fn require(fields: &[(&'static str, &str)]) -> Result<(), ApiError> {
    let missing: Vec<_> = fields.iter().filter(|(_, text)| text.trim().is_empty()).collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(ApiError::fields(missing.into_iter().map(|(name, _)| (*name, "required")))),
    }
}

/// An answer that sets or removes cookies.
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

fn login_request(body: StaffLogin, address: IpAddr, headers: &HeaderMap) -> LoginRequest {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    LoginRequest {
        username: body.username.trim().to_owned(),
        password: body.password,
        code: body.code,
        address,
        agent: agent.map(|agent| agent.chars().take(AGENT_MAX).collect()),
        former: None,
    }
}

/// Extractor: whether the request came over HTTPS, which decides the cookies' `Secure` attribute
/// and prefix.
pub(super) struct IsSecure(pub(super) bool);

impl FromRequestParts<Staff> for IsSecure {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Staff) -> Result<Self, ApiError> {
        Ok(Self(app.is_secure(parts)))
    }
}

/// Returns who is logged in, and their rights.
#[utoipa::path(get, path = "/office/api/session", tag = "staff", operation_id = "office_get_me", security(("office" = [])),
    responses((status = 200, body = Envelope<Me>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_me(AnyStaffSession(person): AnyStaffSession) -> Answer<Me> {
    answer(Me::from(&person))
}

/// Logs out: ends the current session.
#[utoipa::path(post, path = "/office/api/session/logout", tag = "staff", operation_id = "office_logout", security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn logout(
    State(app): State<Staff>,
    secure: IsSecure,
    AnyStaffSession(person): AnyStaffSession,
) -> Result<Response, ApiError> {
    ops::logout(&app, person).await?;
    Ok(with_cookies(answer(true), [PROOF_COOKIE.forget(secure.0)]))
}

/// One of one's own sessions.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StaffSession)]
struct SessionView {
    /// The id of the session, for ending it. It cannot be used to log in.
    id: String,
    /// Whether it is the session of this request.
    is_current: bool,
    started_at: DateTime<Utc>,
    seen_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    address: Option<String>,
    user_agent: Option<String>,
}

/// Lists one's own sessions, the most recently used first; at most 100.
#[utoipa::path(get, path = "/office/api/session/list", tag = "staff", operation_id = "office_list_sessions", security(("office" = [])),
    responses((status = 200, body = Envelope<Vec<SessionView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_sessions(
    State(app): State<Staff>,
    AnyStaffSession(person): AnyStaffSession,
) -> Answer<Vec<SessionView>> {
    let rows = ops::list_sessions(&app, person.person.id).await?;
    let sessions = rows.into_iter().map(|row| SessionView {
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
    params(("id" = String, Path, description = "The id from the list")),
    security(("office" = [])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn end_session(
    State(app): State<Staff>,
    AnyStaffSession(person): AnyStaffSession,
    Path(id): Path<String>,
) -> Answer<bool> {
    let half = hex::decode(&id).map_err(|_| ApiError::new(platform::codes::SESSION_UNKNOWN))?;
    ops::revoke(&app, &person, half).await?;
    answer(true)
}

/// A change of one's own password.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffPassword {
    old_password: String,
    /// Six digits from the authenticator.
    code: String,
    /// At least twelve characters, and not a common password.
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
    AnyStaffSession(person): AnyStaffSession,
    Json(body): Json<StaffPassword>,
) -> Result<Response, ApiError> {
    let (secret, cookie) = PROOF_COOKIE.make(secure.0);
    let StaffPassword { old_password: password, code, new_password } = body;
    ops::change_password(&app, &person, Credentials { password, code, secret }, new_password)
        .await?;
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
