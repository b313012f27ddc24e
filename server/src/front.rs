//! The HTML documents of the players' site and the back office: which document a path gets, its
//! boot data, and its cache.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::App;
use identity::phone;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::language::Language;
use platform::pages::{self, DocumentRequest, Rendered, Sources};
use site::{AnyMerchant, Merchant};

mod head;
mod kept;
mod paths;
mod share;

use kept::CacheInputs;
pub use kept::Documents;
use paths::{Page, is_child, page_of};

/// Video services that pages may embed, for the Content Security Policy.
const VIDEO_ORIGINS: &[&str] = &["https://www.youtube-nocookie.com", "https://player.vimeo.com"];
/// The analytics script, for merchants with an analytics id.
const ANALYTICS_SCRIPT: &str = "https://www.googletagmanager.com";
/// The origins that the analytics script sends data to.
const ANALYTICS_ORIGINS: &[&str] =
    &[ANALYTICS_SCRIPT, "https://*.google-analytics.com", "https://*.analytics.google.com"];

/// Fallback of the players' site for all paths outside the API: a document, an asset, or a 404.
pub async fn documents(State(app): State<App>, request: Request) -> Response {
    // The `Parts` extractor would copy the parts.
    let (mut parts, _) = request.into_parts();
    let path = parts.uri.path().to_owned();
    if let Some(refused) = refuse(&parts, &path) {
        return refused;
    }
    if let Some(file) = app.build.pages.asset(&parts) {
        return file;
    }
    match AnyMerchant::from_request_parts(&mut parts, &app).await {
        Ok(AnyMerchant(merchant)) => {
            let language = merchant.language_of(&parts.headers);
            if let Some(file) = share::file(&app, &merchant, &path, language) {
                return file;
            }
            document(&app, &merchant, (&path, language), &parts).await.into_response()
        }
        Err(error) if error.code == site::codes::UNKNOWN_HOST => {
            app.build.pages.domain(Language::of(&parts.headers).tag(), &parts)
        }
        Err(error) => error.into_response(),
    }
}

/// The pages of the back office. All of them get the same document.
const OFFICE_PAGES: &[&str] = &[
    "/",
    "/members",
    "/approvals",
    "/settings",
    "/service",
    "/staff",
    "/roles",
    "/trail",
    "/games",
    "/content",
    "/feedback",
    "/affiliates",
];

/// Detail pages of the back office: a path below one of these.
const OFFICE_DETAIL_PAGES: &[&str] = &["/members/", "/rounds/"];

/// Fallback of the back office: its document, and assets.
pub async fn office(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let path = parts.uri.path();
    if let Some(refused) = refuse(&parts, path) {
        return refused;
    }
    if let Some(file) = app.build.pages.asset(&parts) {
        return file;
    }
    let is_known = OFFICE_PAGES.contains(&path)
        || OFFICE_DETAIL_PAGES.iter().any(|parent| is_child(path, parent));
    let status = if is_known { StatusCode::OK } else { StatusCode::NOT_FOUND };
    app.build.pages.office(status, &parts)
}

/// Refuses unknown API paths with 404, and methods other than GET and HEAD with 405.
fn refuse(parts: &Parts, path: &str) -> Option<Response> {
    if ["/wps/", "/lgw/", "/office/"].iter().any(|prefix| path.starts_with(prefix)) {
        return Some(ApiError::new(platform::codes::REQUEST_NOT_FOUND).into_response());
    }
    if parts.method == Method::GET || parts.method == Method::HEAD {
        return None;
    }
    let mut response = ApiError::new(platform::codes::REQUEST_METHOD).into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    Some(response)
}

async fn document(
    app: &App,
    merchant: &Arc<Merchant>,
    (path, language): (&str, Language),
    parts: &Parts,
) -> Result<Response, ApiError> {
    if let Some(code) = path.strip_prefix("/game/") {
        return match app.games.catalogue.find(&app.db, code).await? {
            Some(_) => Ok(app.build.pages.game_frame(parts)),
            None => Err(ApiError::new(games::codes::UNKNOWN_GAME)),
        };
    }
    let status = match page_of(path) {
        Page::Home | Page::Shell => StatusCode::OK,
        Page::Unknown => StatusCode::NOT_FOUND,
    };
    let rendered = match paths::static_path(path) {
        Some(path) => cached_document(app, merchant, (path, language)).await?,
        None => render(app, merchant, (path, language)).await?,
    };
    Ok(match rendered {
        Some(rendered) => rendered.answer(parts, status),
        None => pages::not_built(StatusCode::SERVICE_UNAVAILABLE),
    })
}

/// The file name of a page's document in the web build.
fn document_name(path: &str, language: Language) -> &'static str {
    match (page_of(path), language) {
        (Page::Home, Language::English) => "home.en.html",
        (Page::Home, Language::Tagalog) => "home.fil.html",
        (Page::Shell | Page::Unknown, Language::English) => "shell.en.html",
        (Page::Shell | Page::Unknown, Language::Tagalog) => "shell.fil.html",
    }
}

/// The document from the cache, or rendered again if one of its inputs has changed.
async fn cached_document(
    app: &App,
    merchant: &Arc<Merchant>,
    (path, language): (&'static str, Language),
) -> Result<Option<Arc<Rendered>>, ApiError> {
    let inputs = CacheInputs::of(app, merchant, language, document_name(path, language)).await?;
    if let Some(cached) = app.documents.find(&inputs, language, path) {
        return Ok(Some(cached));
    }
    let rendered = render(app, merchant, (path, language)).await?;
    if let Some(document) = &rendered {
        app.documents.insert(&inputs, language, path, document);
    }
    Ok(rendered)
}

/// Renders the document of a page, with its boot data and head.
async fn render(
    app: &App,
    merchant: &Merchant,
    (path, language): (&str, Language),
) -> Result<Option<Arc<Rendered>>, ApiError> {
    let boot = boot_data(app, merchant, language).await?;
    let (name, sources) = (document_name(path, language), sources(merchant));
    let mut head = head::head(app, merchant, path, language);
    if page_of(path) == Page::Home && !head::has_built_banner(app, name, &boot) {
        head.push_str(head::OTHER_BANNER);
    }
    Ok(app.build.pages.document(&DocumentRequest {
        name,
        boot: &boot,
        head: &head,
        sources: &sources,
    }))
}

/// The external origins that a merchant's pages may use, for the Content Security Policy.
fn sources(merchant: &Merchant) -> Sources {
    let brand = &merchant.brand;
    let has_analytics = brand.analytics_id.is_some();
    let only_with_analytics = |origins: &[&str]| -> Vec<String> {
        origins.iter().filter(|_| has_analytics).map(|origin| (*origin).to_owned()).collect()
    };
    let videos = VIDEO_ORIGINS.iter().map(|origin| (*origin).to_owned());
    let analytics = only_with_analytics(ANALYTICS_ORIGINS);
    Sources {
        images: brand.image_cdns.iter().cloned().chain(analytics.iter().cloned()).collect(),
        frames: videos.chain(brand.launch_game_cdns.iter().cloned()).collect(),
        scripts: only_with_analytics(&[ANALYTICS_SCRIPT]),
        connections: analytics,
    }
}

/// The boot data of a page: what it knows before its first request. It is cached, so it contains
/// nothing personal.
async fn boot_data(app: &App, merchant: &Merchant, language: Language) -> Result<Value, ApiError> {
    let mut boot = json!({
        "lang": language.code(),
        "merchant": {
            "code": merchant.code,
            "name": merchant.name,
            "currency": merchant.currency.code(),
            "timeZone": merchant.time_zone,
            "dialingCode": merchant.policy.dialing_code,
            "languages": merchant.brand.languages,
        },
        "status": merchant.status(),
        "switches": merchant.flat_switches(),
        "phoneService": phone::page_of(&app.identity, merchant),
        "links": links(merchant),
        "games": games::popular(&app.games, merchant, language).await?,
        "hot": games::hot(&app.games, merchant, language).await?,
        "newGames": games::newest(&app.games, merchant, language).await?,
        "jackpotGames": games::with_jackpot(&app.games, merchant, language).await?,
        "menus": games::menus(&app.games, merchant).await?,
        "centers": merchant.brand.center_game_list,
        "analyticsId": merchant.brand.analytics_id,
        "imageCDNs": merchant.brand.image_cdns,
        "minimumAge": merchant.policy.minimum_age,
    });
    for (name, value) in content::boot(&app.content, merchant, language).await? {
        boot[name] = value;
    }
    Ok(boot)
}

/// The brand's links: customer service and social media.
fn links(merchant: &Merchant) -> Value {
    let brand = &merchant.brand;
    let social = brand.resources.iter().map(
        |link| json!({ "label": link.label_name_en, "url": link.url, "type": link.resource_type }),
    );
    json!({ "service": brand.customer_service, "social": social.collect::<Vec<_>>() })
}

/// The boot data of a document.
#[derive(Serialize, ToSchema)]
#[schema(value_type = Object)]
struct Boot(Value);

/// Returns the boot data again, for open pages that get the push event of changed settings.
#[utoipa::path(get, path = "/wps/system/boot", tag = "site",
    responses((status = 200, body = Envelope<Boot>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_boot(
    AnyMerchant(merchant): AnyMerchant,
    State(app): State<App>,
    headers: HeaderMap,
) -> Answer<Boot> {
    let language = merchant.language_of(&headers);
    answer(Boot(boot_data(&app, &merchant, language).await?))
}

/// The route of the boot data.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_boot))
}
