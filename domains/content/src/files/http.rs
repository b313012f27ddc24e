//! Uploading files, and giving them out.

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
use staff::{Actor, Allowed, Deed};

/// What all files together may take.
const TOTAL_BYTES: i64 = 2 * 1024 * 1024 * 1024;
const NAME_MOST: usize = 120;
/// A file is held in memory while it is looked at: so many at once.
static UPLOADS: Semaphore = Semaphore::const_new(2);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct UploadQuery {
    /// What the file is called where it comes from.
    #[param(min_length = 1, max_length = 120)]
    name: String,
}

/// A file that is kept.
#[derive(Serialize, ToSchema)]
struct UploadedFile {
    /// Where it is, on every site.
    url: String,
    bytes: usize,
    kind: FileKind,
}

/// Uploads a file: a picture (PNG, JPEG, WebP) of at most 2 MB, or an app for Android of at most
/// 100 MB. The same file twice is one file.
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
    if name.is_empty() || name.chars().count() > NAME_MOST || name.chars().any(char::is_control) {
        return Err(ApiError::fields([("name", "invalid")]));
    }
    let busy = |_| ApiError::unavailable("other files are being uploaded");
    let _turn = UPLOADS.try_acquire().map_err(busy)?;
    let content = to_bytes(body, FILE_BYTES).await;
    let content = content
        .map_err(|error| ApiError::new(platform::codes::REQUEST_TOO_LARGE).caused_by(error))?;
    let actor = person.actor();
    app.run(move |app| async move { keep(&app, actor, name, content).await }).await
}

async fn keep(app: &Content, actor: Actor, name: String, content: Bytes) -> Answer<UploadedFile> {
    let looked_at = content.clone();
    let kind = tokio::task::spawn_blocking(move || FileKind::of(&looked_at)).await;
    let kind = kind.map_err(ApiError::internal)?.map_err(|code| match code {
        "unknown" => ApiError::new(platform::codes::REQUEST_MEDIA_TYPE),
        "too_large" => ApiError::new(platform::codes::REQUEST_TOO_LARGE),
        code => ApiError::fields([("file", code)]),
    })?;
    let hash = hex::encode(&Sha256::digest(&content)[..20]);
    let bytes = content.len();
    let mut tx = app.db.begin().await?;
    let room = TOTAL_BYTES - store::total(&mut tx).await?;
    if i64::try_from(bytes).is_ok_and(|bytes| room < bytes) {
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
        let deed = Deed { action: "content.file", subject, before: None, after, reason: None };
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
        db::commit(tx).await?;
    }
    answer(UploadedFile { url: format!("/files/{hash}.{}", kind.text()), bytes, kind })
}

/// The office's call about files.
pub fn office_routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new().routes(routes!(upload_file)).layer(DefaultBodyLimit::max(FILE_BYTES))
}

/// A file, `HASH.KIND`. It never changes, so whoever has it has it for good.
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
    let for_ever = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(header::CACHE_CONTROL, for_ever);
    let nothing = HeaderValue::from_static(
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    );
    headers.insert(header::CONTENT_SECURITY_POLICY, nothing);
    if kind == FileKind::Apk {
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || "._-".contains(*c);
        let name: String = file.name.chars().filter(is_plain).collect();
        let name = name.trim_matches('.').trim_end_matches(".apk");
        let name = if name.is_empty() { "app" } else { name };
        let attached = format!("attachment; filename=\"{name}.apk\"");
        let attached = HeaderValue::try_from(attached);
        let attached = attached.unwrap_or(HeaderValue::from_static("attachment"));
        headers.insert(header::CONTENT_DISPOSITION, attached);
    }
    headers
}

/// Piece after piece, as fast as the client takes them.
fn body_of(app: Content, hash: String) -> Body {
    let pieces = stream::try_unfold((app, hash, 0), async |(app, hash, part)| {
        let content = store::find_part(&app.db, &hash, part).await?;
        Ok::<_, sqlx::Error>(content.map(|content| (content, (app, hash, part + 1))))
    });
    Body::from_stream(pieces)
}

/// The picture of the site on a home screen, as the web has it.
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

/// The profile that puts the site on an iPhone's home screen like an app.
pub async fn get_profile(
    AnyMerchant(merchant): AnyMerchant,
    State(app): State<Content>,
) -> Response {
    profile(&app, &merchant, false)
}

/// The lite one, which opens in Safari.
pub async fn get_lite_profile(
    AnyMerchant(merchant): AnyMerchant,
    State(app): State<Content>,
) -> Response {
    profile(&app, &merchant, true)
}
