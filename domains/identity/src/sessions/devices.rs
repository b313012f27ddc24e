//! Lists and ends the sessions of a member, and lists its logins.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::Identity;
use crate::sessions::current::CurrentMember;
use crate::sessions::model::DeviceId;
use crate::sessions::ops;
use crate::sessions::store;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query};
use platform::request_context;

/// The longest list of sessions or logins.
const LIST_MAX: i64 = 100;
const LIST_DEFAULT: i64 = 20;

/// A live session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeviceView {
    /// Identifies the session; it can only be used to end it.
    id: String,
    /// Whether it is the session of this request.
    is_current: bool,
    started_at: DateTime<Utc>,
    seen_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    /// The IP address that the session was started from.
    address: Option<String>,
    /// The `User-Agent` of the browser.
    user_agent: Option<String>,
}

/// Lists the live sessions of the member, last seen first; at most 100.
#[utoipa::path(get, path = "/wps/member/devices", tag = "sessions", security(("token" = [])),
    responses((status = 200, body = Envelope<Vec<DeviceView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_devices(
    State(app): State<Identity>,
    member: CurrentMember,
) -> Answer<Vec<DeviceView>> {
    member.require_real()?;
    let current = DeviceId::of(member.token.hash());
    let rows = store::list_live(&app.db, member.id, app.clock.now(), LIST_MAX).await?;
    let devices = rows.into_iter().map(|row| {
        let id = DeviceId::of(&row.token_hash);
        DeviceView {
            is_current: id == current,
            id: id.to_string(),
            started_at: row.started_at,
            seen_at: row.seen_at,
            ends_at: row.ends_at,
            address: row.address,
            user_agent: row.agent,
        }
    });
    answer(devices.collect())
}

/// Ends one session of the member. Its open pages are notified at once.
#[utoipa::path(delete, path = "/wps/member/devices/{id}", tag = "sessions",
    security(("token" = [])), params(("id" = String, Path, description = "The id from the list.")),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn end_device(
    State(app): State<Identity>,
    member: CurrentMember,
    Path(id): Path<String>,
) -> Answer<Option<String>> {
    member.require_real()?;
    let unknown = || ApiError::new(platform::codes::SESSION_UNKNOWN);
    let id: DeviceId = id.parse().map_err(|_| unknown())?;
    match ops::end_device(&app, member.token, id).await? {
        true => {
            request_context::log("ended a session");
            answer(None)
        }
        false => Err(unknown()),
    }
}

/// Ends all sessions of the member except this one. Their open pages are notified at once.
#[utoipa::path(delete, path = "/wps/member/devices", tag = "sessions", security(("token" = [])),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn end_other_devices(
    State(app): State<Identity>,
    member: CurrentMember,
) -> Answer<Option<String>> {
    member.require_real()?;
    ops::end_all_others(&app, member.token).await?;
    request_context::log("ended all other sessions");
    answer(None)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LoginsQuery {
    /// Page size, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// The id of the last entry of the previous page.
    before: Option<Uuid>,
}

/// A login.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LoginEntry {
    id: Uuid,
    at: DateTime<Utc>,
    /// `register`, `username`, `freeplay`, `sms`, `recovery`, `social` or `phone`.
    method: String,
    /// The second factor that was used, `app` or `recovery`; null if none was needed.
    factor: Option<String>,
    address: Option<String>,
    user_agent: Option<String>,
}

/// A page of logins.
#[derive(Serialize, ToSchema)]
struct LoginPage {
    logins: Vec<LoginEntry>,
    /// The value of `before` for the next page, if there may be more.
    next: Option<Uuid>,
}

/// Lists the logins of the member, newest first.
#[utoipa::path(get, path = "/wps/member/logins", tag = "sessions", security(("token" = [])),
    params(LoginsQuery),
    responses((status = 200, body = Envelope<LoginPage>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_logins(
    State(app): State<Identity>,
    member: CurrentMember,
    Query(query): Query<LoginsQuery>,
) -> Answer<LoginPage> {
    member.require_real()?;
    let limit = query.limit.unwrap_or(LIST_DEFAULT);
    if !(1..=LIST_MAX).contains(&limit) {
        return Err(ApiError::fields([("limit", "invalid")]));
    }
    let before = query.before.unwrap_or(Uuid::max());
    let mut rows = store::list_entries(&app.db, member.id, before, limit + 1).await?;
    let has_more = i64::try_from(rows.len()).is_ok_and(|count| count > limit);
    if has_more {
        rows.pop();
    }
    let next = rows.last().filter(|_| has_more).map(|row| row.id);
    let logins = rows.into_iter().map(|row| LoginEntry {
        id: row.id,
        at: row.at,
        method: row.method,
        factor: row.factor,
        address: row.address,
        user_agent: row.agent,
    });
    answer(LoginPage { logins: logins.collect(), next })
}

/// The routes of devices and logins.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(list_devices, end_other_devices))
        .routes(routes!(end_device))
        .routes(routes!(list_logins))
}
