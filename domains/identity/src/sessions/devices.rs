//! Where a member is logged in, and when it was before.

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
use platform::asker;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query};

/// The most sessions and log-ins that a list shows.
const LIST_MAX: i64 = 100;
const LIST_USUAL: i64 = 20;

/// A live session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeviceView {
    /// Names the session; good for nothing but ending it.
    id: String,
    /// Whether it is the one that asks.
    is_current: bool,
    started_at: DateTime<Utc>,
    seen_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    /// From where it was begun.
    address: Option<String>,
    /// What the browser calls itself.
    user_agent: Option<String>,
}

/// Where the member is logged in, the latest seen first; at most 100.
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

/// Ends one of the member's sessions. Its open pages learn of it at once.
#[utoipa::path(delete, path = "/wps/member/devices/{id}", tag = "sessions",
    security(("token" = [])), params(("id" = String, Path, description = "From the list.")),
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
            asker::tell("ended a session");
            answer(None)
        }
        false => Err(unknown()),
    }
}

/// Ends all of the member's sessions but this one. Their open pages learn of it at once.
#[utoipa::path(delete, path = "/wps/member/devices", tag = "sessions", security(("token" = [])),
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn end_other_devices(
    State(app): State<Identity>,
    member: CurrentMember,
) -> Answer<Option<String>> {
    member.require_real()?;
    ops::end_all_others(&app, member.token).await?;
    asker::tell("ended all other sessions");
    answer(None)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LoginsQuery {
    /// How many, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
    /// The id of the last entry of the page before.
    before: Option<Uuid>,
}

/// A log-in.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LoginEntry {
    id: Uuid,
    at: DateTime<Utc>,
    /// `register`, `username`, `freeplay`, `sms`, `recovery`, `social` or `phone`.
    method: String,
    /// How the second factor was shown, `app` or `recovery`; nothing where none was asked for.
    factor: Option<String>,
    address: Option<String>,
    user_agent: Option<String>,
}

/// A page of log-ins.
#[derive(Serialize, ToSchema)]
struct LoginPage {
    logins: Vec<LoginEntry>,
    /// For `before`, where there may be more.
    next: Option<Uuid>,
}

/// The member's log-ins, the latest first.
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
    let limit = query.limit.unwrap_or(LIST_USUAL);
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

/// The routes of devices and log-ins.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(list_devices, end_other_devices))
        .routes(routes!(end_device))
        .routes(routes!(list_logins))
}
