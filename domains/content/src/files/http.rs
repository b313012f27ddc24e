//! Endpoints for uploading files, serving them and the iOS profiles.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::kinds::FileKind;
use super::profile::WebClip;
use super::store::{self, File, NewFile};
use crate::Content;
use crate::rights::ContentWrite;
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query};
use platform::layers::FILE_BYTES;
use platform::tagged::Known;
use site::AnyMerchant;
use site::Merchant;
use staff::{Actor, Allowed, AuditEntry};

/// The most bytes that all stored files may take together.
const TOTAL_BYTES: i64 = 2 * 1024 * 1024 * 1024;
const NAME_MAX: usize = 120;
/// Limits concurrent uploads to 2, because a file is held in memory while it is validated.
static UPLOADS: Semaphore = Semaphore::const_new(2);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct UploadQuery {
    /// The original name of the file.
    #[param(min_length = 1, max_length = 120)]
    name: String,
}

/// A stored file.
#[derive(Serialize, ToSchema)]
struct UploadedFile {
    /// The path of the file, the same on every site.
    url: String,
    bytes: usize,
    kind: FileKind,
}

/// Uploads a file: an image (PNG, JPEG, WebP) of at most 2 MB, or an Android app (APK) of at most
/// 100 MB. Uploading the same file again gives the stored one.
#[utoipa::path(post, path = "/office/api/files", tag = "content", operation_id = "office_upload_file",
    params(UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    security(("office" = ["content.write"])),
    responses((status = 200, body = Envelope<UploadedFile>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn upload_file(
    Allowed(person, ..): Allowed<ContentWrite>,
    State(app): State<Content>,
    Query(query): Query<UploadQuery>,
    body: Body,
) -> Answer<UploadedFile> {
    let name = query.name.trim().to_owned();
    if name.is_empty() || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        return Err(ApiError::fields([("name", "invalid")]));
    }
    let busy = |_| ApiError::unavailable("too many uploads at once");
    let _permit = UPLOADS.try_acquire().map_err(busy)?;
    let content = to_bytes(body, FILE_BYTES).await;
    let content = content
        .map_err(|error| ApiError::new(platform::codes::REQUEST_TOO_LARGE).caused_by(error))?;
    let actor = person.actor();
    app.run(move |app| async move { save(&app, actor, name, content).await }).await
}

async fn save(app: &Content, actor: Actor, name: String, content: Bytes) -> Answer<UploadedFile> {
    let copy = content.clone();
    let kind = tokio::task::spawn_blocking(move || FileKind::of(&copy)).await;
    let kind = kind.map_err(ApiError::internal)?.map_err(|code| match code {
        "unknown" => ApiError::new(platform::codes::REQUEST_MEDIA_TYPE),
        "too_large" => ApiError::new(platform::codes::REQUEST_TOO_LARGE),
        code => ApiError::fields([("file", code)]),
    })?;
    let hash = hex::encode(&Sha256::digest(&content)[..20]);
    let bytes = content.len();
    let mut tx = app.db.begin().await?;
    let free = TOTAL_BYTES - store::total(&mut tx).await?;
    if i64::try_from(bytes).is_ok_and(|bytes| free < bytes) {
        return Err(ApiError::fields([("file", "no_room")]));
    }
    let file = NewFile {
        hash: &hash,
        kind: kind.text(),
        name: &name,
        content: &content,
        uploaded_by: actor.name(),
        now: app.clock.now(),
    };
    if store::insert(&mut tx, &file).await? {
        let subject = format!("file:{hash}.{}", kind.text());
        let after = Some(json!({ "name": name, "bytes": bytes }));
        let entry =
            AuditEntry { action: "content.file", subject, before: None, after, reason: None };
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        db::commit(tx).await?;
    }
    answer(UploadedFile { url: format!("/files/{hash}.{}", kind.text()), bytes, kind })
}

/// The office route for uploads.
pub fn office_routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new().routes(routes!(upload_file)).layer(DefaultBodyLimit::max(FILE_BYTES))
}

/// Serves a file by its name `HASH.KIND`. Its content never changes, so clients may cache it
/// forever.
pub async fn get_file(
    State(app): State<Content>,
    Path(name): Path<String>,
    known: Known,
) -> Result<Response, ApiError> {
    let unknown = || ApiError::new(platform::codes::REQUEST_NOT_FOUND);
    let (hash, kind) = name.split_once('.').ok_or_else(unknown)?;
    let kind = FileKind::parse(kind).ok_or_else(unknown)?;
    let file = store::find(&app.db, hash).await?.filter(|file| file.kind == kind.text());
    let file = file.ok_or_else(unknown)?;
    let etag = format!("\"{hash}\"");
    let is_known = known.has(&etag);
    let mut headers = headers_of(&file, kind);
    headers.insert(header::ETAG, HeaderValue::try_from(etag).map_err(ApiError::internal)?);
    if is_known {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(file.bytes));
    Ok((headers, body_of(app, hash.to_owned())).into_response())
}

fn headers_of(file: &File, kind: FileKind) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind.media_type()));
    let immutable = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(header::CACHE_CONTROL, immutable);
    let policy = HeaderValue::from_static(
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    );
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if kind == FileKind::Apk {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || "._-".contains(*c);
        let name: String = file.name.chars().filter(is_plain).collect();
        let name = name.trim_matches('.').trim_end_matches(".apk");
        let name = if name.is_empty() { "app" } else { name };
        let disposition = format!("attachment; filename=\"{name}.apk\"");
        let disposition = HeaderValue::try_from(disposition);
        let disposition = disposition.unwrap_or(HeaderValue::from_static("attachment"));
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    headers
}

/// Streams the parts of a file from the database, each when the client has taken the one before.
fn body_of(app: Content, hash: String) -> Body {
    let parts = stream::try_unfold((app, hash, 0), async |(app, hash, part)| {
        let content = store::find_part(&app.db, &hash, part).await?;
        Ok::<_, sqlx::Error>(content.map(|content| (content, (app, hash, part + 1))))
    });
    Body::from_stream(parts)
}

/// The site's icon on a home screen, a file of the web build.
const ICON: &str = "icons/apple-touch-180.png";

fn profile(app: &Content, merchant: &Merchant, is_lite: bool) -> Response {
    let icon = app.build.pages.bytes(ICON);
    let clip = WebClip {
        id: merchant.id,
        code: &merchant.code,
        name: &merchant.name,
        url: &format!("{}/", merchant.origin(app)),
        icon: icon.as_deref(),
        is_lite,
    };
    let headers = [
        (header::CONTENT_TYPE, "application/x-apple-aspen-config"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"site.mobileconfig\""),
    ];
    (headers, clip.profile()).into_response()
}

/// Serves the iOS profile that puts the site on the home screen as a full-screen app.
pub async fn get_profile(
    AnyMerchant(merchant): AnyMerchant,
    State(app): State<Content>,
) -> Response {
    profile(&app, &merchant, false)
}

/// Serves the lite iOS profile, whose web clip opens in Safari.
pub async fn get_lite_profile(
    AnyMerchant(merchant): AnyMerchant,
    State(app): State<Content>,
) -> Response {
    profile(&app, &merchant, true)
}
