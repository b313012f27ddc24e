//! The front: the documents of the players' site: which page a path gets, and its boot data.

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
use platform::pages::{self, Rendered, Sources, Wanted};
use site::{AnyMerchant, Merchant};

mod head;
mod kept;
mod paths;
mod share;

pub use kept::Documents;
use kept::Makings;
use paths::{Page, is_one_below, page_of};

/// Where videos are shown from: services that stand for what is theirs.
const VIDEOS: &[&str] = &["https://www.youtube-nocookie.com", "https://player.vimeo.com"];
/// Where the service comes from that counts visits, for merchants that have an id there.
const COUNTER: &str = "https://www.googletagmanager.com";
const COUNTED_AT: &[&str] =
    &[COUNTER, "https://*.google-analytics.com", "https://*.analytics.google.com"];

/// Whatever is no call of the API: a document, an asset, or an honest 404.
pub async fn documents(State(app): State<App>, request: Request) -> Response {
    // To ask for the parts alone would copy them.
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

/// The pages of the office. The document is the same for all of them.
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

/// Those that show one of many: something stands behind the last stroke.
const OFFICE_FILES: &[&str] = &["/members/", "/rounds/"];

/// The office's one document, and the assets it needs.
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
        || OFFICE_FILES.iter().any(|parent| is_one_below(path, parent));
    let status = if is_known { StatusCode::OK } else { StatusCode::NOT_FOUND };
    app.build.pages.office(status, &parts)
}

/// Paths of the API have no page, and pages have no other method.
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
    let rendered = match paths::lasting(path) {
        Some(path) => kept_or_made(app, merchant, (path, language)).await?,
        None => make(app, merchant, (path, language)).await?,
    };
    Ok(match rendered {
        Some(rendered) => rendered.answer(parts, status),
        None => pages::not_built(StatusCode::SERVICE_UNAVAILABLE),
    })
}

/// As the build calls the document of a page.
fn document_name(path: &str, language: Language) -> &'static str {
    match (page_of(path), language) {
        (Page::Home, Language::English) => "home.en.html",
        (Page::Home, Language::Tagalog) => "home.fil.html",
        (Page::Shell | Page::Unknown, Language::English) => "shell.en.html",
        (Page::Shell | Page::Unknown, Language::Tagalog) => "shell.fil.html",
    }
}

/// The document as it was made last, while it would be made alike.
async fn kept_or_made(
    app: &App,
    merchant: &Arc<Merchant>,
    (path, language): (&'static str, Language),
) -> Result<Option<Arc<Rendered>>, ApiError> {
    let makings = Makings::of(app, merchant, language, document_name(path, language)).await?;
    if let Some(kept) = app.documents.find(&makings, language, path) {
        return Ok(Some(kept));
    }
    let made = make(app, merchant, (path, language)).await?;
    if let Some(made) = &made {
        app.documents.keep(&makings, language, path, made);
    }
    Ok(made)
}

async fn make(
    app: &App,
    merchant: &Merchant,
    (path, language): (&str, Language),
) -> Result<Option<Arc<Rendered>>, ApiError> {
    let boot = boot_data(app, merchant, language).await?;
    let (name, sources) = (document_name(path, language), sources(merchant));
    let mut head = head::head(app, merchant, path, language);
    if page_of(path) == Page::Home && !head::shows_banner(app, name, &boot) {
        head.push_str(head::OTHER_BANNER);
    }
    Ok(app.build.pages.document(&Wanted { name, boot: &boot, head: &head, sources: &sources }))
}

/// What the pages of a merchant may use from outside.
fn sources(merchant: &Merchant) -> Sources {
    let brand = &merchant.brand;
    let counted = brand.analytics_id.is_some();
    let only = |places: &[&str]| -> Vec<String> {
        places.iter().filter(|_| counted).map(|place| (*place).to_owned()).collect()
    };
    let videos = VIDEOS.iter().map(|place| (*place).to_owned());
    let counters = only(COUNTED_AT);
    Sources {
        images: brand.image_cdns.iter().cloned().chain(counters.iter().cloned()).collect(),
        frames: videos.chain(brand.launch_game_cdns.iter().cloned()).collect(),
        scripts: only(&[COUNTER]),
        connections: counters,
    }
}

/// What the page knows before its first request. Nothing personal: it is cached.
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

/// Where the brand is found outside its site: what a link says, and where it leads.
fn links(merchant: &Merchant) -> Value {
    let brand = &merchant.brand;
    let social = brand.resources.iter().map(|place| {
        json!({ "label": place.label_name_en, "url": place.url, "type": place.resource_type })
    });
    json!({ "service": brand.customer_service, "social": social.collect::<Vec<_>>() })
}

/// The boot data of a document.
#[derive(Serialize, ToSchema)]
#[schema(value_type = Object)]
struct Boot(Value);

/// What a page knows at its start, once more: for pages that hear that settings were changed.
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

/// The front's one call.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_boot))
}
