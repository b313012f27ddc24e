//! Office endpoints for content.

use axum::extract::{DefaultBodyLimit, State};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::ops::{self, ChangeContext};
use super::store::{self, Row, Version};
use super::values::ContentValue;
use crate::Content;
use crate::model::{Kind, Texts};
use crate::rights::{ContentRead, ContentWrite};
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path, Query};
use platform::html;
use platform::layers::CONTENT_BYTES;
use staff::Allowed;

/// Whether visitors see a content item now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ContentState {
    Live,
    Scheduled,
    Over,
    Hidden,
}

impl ContentState {
    fn of(row: &Row, now: DateTime<Utc>) -> Self {
        if !row.is_shown {
            Self::Hidden
        } else if row.ends_at.is_some_and(|end| end <= now) {
            Self::Over
        } else if row.starts_at.is_some_and(|start| now < start) {
            Self::Scheduled
        } else {
            Self::Live
        }
    }
}

/// A content item in the office.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OfficeContent {
    id: Uuid,
    #[schema(value_type = Kind)]
    kind: String,
    slot: String,
    position: i32,
    is_shown: bool,
    starts_at: Option<DateTime<Utc>>,
    ends_at: Option<DateTime<Utc>>,
    /// The fields of its kind, besides texts.
    #[schema(value_type = BTreeMap<String, Value>)]
    data: Value,
    /// Texts: language → field → text.
    #[schema(value_type = BTreeMap<String, BTreeMap<String, String>>)]
    texts: Texts,
    version: i32,
    updated_at: DateTime<Utc>,
    updated_by: String,
    state: ContentState,
}

impl OfficeContent {
    fn new(row: Row, now: DateTime<Utc>) -> Self {
        Self {
            state: ContentState::of(&row, now),
            id: row.id,
            kind: row.kind,
            slot: row.slot,
            position: row.position,
            is_shown: row.is_shown,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            data: row.data,
            texts: row.texts.0,
            version: row.version,
            updated_at: row.updated_at,
            updated_by: row.updated_by,
        }
    }
}

fn rows(app: &Content, rows: Vec<Row>) -> Vec<OfficeContent> {
    let now = app.clock.now();
    rows.into_iter().map(|row| OfficeContent::new(row, now)).collect()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ContentQuery {
    /// Only this kind.
    #[param(inline)]
    kind: Option<Kind>,
}

/// Lists the content of a merchant in display order.
#[utoipa::path(get, path = "/office/api/content/{merchantId}", tag = "content", operation_id = "office_list_content",
    params(("merchantId" = Uuid, Path), ContentQuery), security(("office" = ["content.read"])),
    responses((status = 200, body = Envelope<Vec<OfficeContent>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_content(
    _: Allowed<ContentRead>,
    State(app): State<Content>,
    Path(merchant_id): Path<Uuid>,
    Query(query): Query<ContentQuery>,
) -> Answer<Vec<OfficeContent>> {
    let mut db = app.db.acquire().await?;
    let found = store::list(&mut db, merchant_id, query.kind).await?;
    answer(rows(&app, found))
}

/// A new content item.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewContent {
    kind: Kind,
    #[serde(flatten)]
    value: ContentValue,
    /// The reason, for the audit log.
    reason: String,
}

/// Adds a content item after the others of its kind.
#[utoipa::path(post, path = "/office/api/content/{merchantId}", tag = "content", operation_id = "office_add_content",
    params(("merchantId" = Uuid, Path)), request_body = NewContent,
    security(("office" = ["content.write"])),
    responses((status = 200, body = Envelope<OfficeContent>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn add_content(
    Allowed(person, ..): Allowed<ContentWrite>,
    State(app): State<Content>,
    Path(merchant_id): Path<Uuid>,
    Json(body): Json<NewContent>,
) -> Answer<OfficeContent> {
    let context = ChangeContext { actor: person.actor(), merchant_id, reason: body.reason };
    let row = ops::add(&app, context, body.kind, body.value).await?;
    answer(OfficeContent::new(row, app.clock.now()))
}

/// A change of a content item.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeContent {
    /// The version that the editor saw.
    seen_version: i32,
    #[serde(flatten)]
    value: ContentValue,
    /// The reason, for the audit log.
    reason: String,
}

/// Changes a content item. Refused if somebody else has changed it meanwhile.
#[utoipa::path(put, path = "/office/api/content/{merchantId}/{id}", tag = "content", operation_id = "office_change_content",
    params(("merchantId" = Uuid, Path), ("id" = Uuid, Path)), request_body = ChangeContent,
    security(("office" = ["content.write"])),
    responses((status = 200, body = Envelope<OfficeContent>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_content(
    Allowed(person, ..): Allowed<ContentWrite>,
    State(app): State<Content>,
    Path((merchant_id, id)): Path<(Uuid, Uuid)>,
    Json(body): Json<ChangeContent>,
) -> Answer<OfficeContent> {
    let context = ChangeContext { actor: person.actor(), merchant_id, reason: body.reason };
    let row = ops::change(&app, context, id, body.seen_version, body.value).await?;
    answer(OfficeContent::new(row, app.clock.now()))
}

/// The deletion of a content item.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DeleteContent {
    /// The version that the editor saw.
    seen_version: i32,
    /// The reason, for the audit log.
    reason: String,
}

/// Deletes a content item. Its versions stay, so it can be restored.
#[utoipa::path(delete, path = "/office/api/content/{merchantId}/{id}", tag = "content", operation_id = "office_delete_content",
    params(("merchantId" = Uuid, Path), ("id" = Uuid, Path)), request_body = DeleteContent,
    security(("office" = ["content.write"])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn delete_content(
    Allowed(person, ..): Allowed<ContentWrite>,
    State(app): State<Content>,
    Path((merchant_id, id)): Path<(Uuid, Uuid)>,
    Json(body): Json<DeleteContent>,
) -> Answer<bool> {
    let context = ChangeContext { actor: person.actor(), merchant_id, reason: body.reason };
    ops::delete(&app, context, id, body.seen_version).await?;
    answer(true)
}

/// A new order of content items.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct OrderContent {
    kind: Kind,
    /// The slot within the kind.
    #[serde(default)]
    slot: String,
    /// All items of this kind and slot, in the new order.
    #[schema(max_items = 2000)]
    ids: Vec<Uuid>,
}

/// Sets the order of content items.
#[utoipa::path(post, path = "/office/api/content/{merchantId}/order", tag = "content", operation_id = "office_order_content",
    params(("merchantId" = Uuid, Path)), request_body = OrderContent,
    security(("office" = ["content.write"])),
    responses((status = 200, body = Envelope<Vec<OfficeContent>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn order_content(
    Allowed(person, ..): Allowed<ContentWrite>,
    State(app): State<Content>,
    Path(merchant_id): Path<Uuid>,
    Json(body): Json<OrderContent>,
) -> Answer<Vec<OfficeContent>> {
    let list = (body.kind, body.slot);
    let ordered = ops::order(&app, person.actor(), merchant_id, list, body.ids).await?;
    answer(rows(&app, ordered))
}

/// A version of a content item.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ContentVersion {
    version: i32,
    /// The value of this version; absent if the version is a deletion.
    value: Option<ContentValue>,
    actor: String,
    reason: String,
    at: DateTime<Utc>,
}

impl From<Version> for ContentVersion {
    fn from(version: Version) -> Self {
        Self {
            version: version.version,
            value: version.value.map(|value| value.0),
            actor: version.actor,
            reason: version.reason,
            at: version.at,
        }
    }
}

/// Lists the versions of a content item, newest first, at most 100.
#[utoipa::path(get, path = "/office/api/content/{merchantId}/{id}/versions", tag = "content", operation_id = "office_list_content_versions",
    params(("merchantId" = Uuid, Path), ("id" = Uuid, Path)), security(("office" = ["content.read"])),
    responses((status = 200, body = Envelope<Vec<ContentVersion>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_versions(
    _: Allowed<ContentRead>,
    State(app): State<Content>,
    Path((merchant_id, id)): Path<(Uuid, Uuid)>,
) -> Answer<Vec<ContentVersion>> {
    let mut db = app.db.acquire().await?;
    let versions = store::list_versions(&mut db, merchant_id, id).await?;
    answer(versions.into_iter().map(ContentVersion::from).collect())
}

/// A request to restore a version.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RestoreContent {
    /// The version to restore.
    version: i32,
    /// The newest version that the editor saw.
    seen_version: i32,
    /// The reason, for the audit log.
    reason: String,
}

/// Restores a version of a content item, even after it was deleted.
#[utoipa::path(post, path = "/office/api/content/{merchantId}/{id}/restore", tag = "content", operation_id = "office_restore_content",
    params(("merchantId" = Uuid, Path), ("id" = Uuid, Path)), request_body = RestoreContent,
    security(("office" = ["content.write"])),
    responses((status = 200, body = Envelope<OfficeContent>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn restore_content(
    Allowed(person, ..): Allowed<ContentWrite>,
    State(app): State<Content>,
    Path((merchant_id, id)): Path<(Uuid, Uuid)>,
    Json(body): Json<RestoreContent>,
) -> Answer<OfficeContent> {
    let RestoreContent { version, seen_version, reason } = body;
    let context = ChangeContext { actor: person.actor(), merchant_id, reason };
    let row = ops::restore(&app, context, id, version, seen_version).await?;
    answer(OfficeContent::new(row, app.clock.now()))
}

/// HTML to preview.
#[derive(Serialize, Deserialize, ToSchema)]
struct Preview {
    html: String,
}

/// Gives the sanitized HTML, as visitors would see it.
#[utoipa::path(post, path = "/office/api/content/preview", tag = "content", operation_id = "office_preview_content",
    request_body = Preview, security(("office" = ["content.read"])),
    responses((status = 200, body = Envelope<Preview>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn preview_content(_: Allowed<ContentRead>, Json(body): Json<Preview>) -> Answer<Preview> {
    let refused = |error: html::Refused| ApiError::fields([("html", error.code())]);
    answer(Preview { html: html::clean(&body.html).map_err(refused)? })
}

/// The office routes for content.
pub fn office_routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new()
        .routes(routes!(list_content, add_content))
        .routes(routes!(change_content, delete_content))
        .routes(routes!(order_content))
        .routes(routes!(list_versions))
        .routes(routes!(restore_content))
        .routes(routes!(preview_content))
        .layer(DefaultBodyLimit::max(CONTENT_BYTES))
}
