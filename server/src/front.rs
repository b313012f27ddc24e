//! The front: the documents of the players' site: which page a path gets, and its boot data.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::codes::ErrorCode;
use crate::games;
use crate::platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use crate::platform::language::Language;
use crate::sessions::phone;
use crate::site::{AnyMerchant, Merchant};

/// What a path shows.
enum Page {
    Home,
    Shell,
    Unknown,
}

fn page_of(path: &str) -> Page {
    match path {
        "/" | "/index" | "/index.html" | "/home" | "/login" | "/register" => Page::Home,
        "/hot" | "/rng" | "/lott" | "/bingo" | "/fish" | "/pvp" | "/live" | "/sports"
        | "/esports" | "/cockfight" | "/elott" | "/search" | "/favorites" | "/recent" => {
            Page::Shell
        }
        "/verify"
        | "/fairness"
        | "/terms"
        | "/transactionHistory"
        | "/proof"
        | "/securityCenter"
        | "/login/verify" => Page::Shell,
        _ if is_one_below(path, "/play/") || is_one_below(path, "/verify/") => Page::Shell,
        _ => Page::Unknown,
    }
}

fn is_one_below(path: &str, parent: &str) -> bool {
    path.strip_prefix(parent).is_some_and(|rest| !rest.is_empty() && !rest.contains('/'))
}

/// Whatever is no call of the API: a document, an asset, or an honest 404.
pub async fn documents(State(app): State<App>, mut parts: Parts) -> Response {
    let path = parts.uri.path().to_owned();
    if let Some(refused) = refuse(&parts, &path) {
        return refused;
    }
    if let Some(file) = app.pages.asset(&parts) {
        return file;
    }
    match AnyMerchant::from_request_parts(&mut parts, &app).await {
        Ok(AnyMerchant(merchant)) => {
            let language = language_of(&merchant, &parts.headers);
            document(&app, &merchant, (&path, language), &parts).await.into_response()
        }
        Err(error) if error.code == ErrorCode::SiteUnknownHost => {
            app.pages.domain(Language::of(&parts.headers).tag(), &parts)
        }
        Err(error) => error.into_response(),
    }
}

/// The language of a visitor, among those of the brand.
fn language_of(merchant: &Merchant, headers: &HeaderMap) -> Language {
    let brand = &merchant.brand;
    let is_offered =
        |language: Language| brand.languages.iter().any(|code| code == language.code());
    let usual = Language::parse(&brand.default_language).unwrap_or(Language::English);
    Language::among(headers, is_offered, usual)
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
];

/// Those that show one of many: something stands behind the last stroke.
const OFFICE_FILES: &[&str] = &["/members/", "/rounds/"];

/// The office's one document, and the assets it needs.
pub async fn office(State(app): State<App>, parts: Parts) -> Response {
    let path = parts.uri.path();
    if let Some(refused) = refuse(&parts, path) {
        return refused;
    }
    if let Some(file) = app.pages.asset(&parts) {
        return file;
    }
    let is_known = OFFICE_PAGES.contains(&path)
        || OFFICE_FILES.iter().any(|parent| is_one_below(path, parent));
    let status = if is_known { StatusCode::OK } else { StatusCode::NOT_FOUND };
    app.pages.office(status, &parts)
}

/// Paths of the API have no page, and pages have no other method.
fn refuse(parts: &Parts, path: &str) -> Option<Response> {
    if ["/wps/", "/lgw/", "/office/"].iter().any(|prefix| path.starts_with(prefix)) {
        return Some(ApiError::new(ErrorCode::RequestNotFound).into_response());
    }
    if parts.method == Method::GET || parts.method == Method::HEAD {
        return None;
    }
    let mut response = ApiError::new(ErrorCode::RequestMethod).into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    Some(response)
}

async fn document(
    app: &App,
    merchant: &Merchant,
    (path, language): (&str, Language),
    parts: &Parts,
) -> Result<Response, ApiError> {
    if let Some(code) = path.strip_prefix("/game/") {
        return match app.catalogue.find(&app.db, code).await? {
            Some(_) => Ok(app.pages.game_frame(parts)),
            None => Err(ApiError::new(ErrorCode::GamesUnknownGame)),
        };
    }
    let boot = boot_data(app, merchant, language).await?;
    let (name, status) = match page_of(path) {
        Page::Home => ("home", StatusCode::OK),
        Page::Shell => ("shell", StatusCode::OK),
        Page::Unknown => ("shell", StatusCode::NOT_FOUND),
    };
    let name = format!("{name}.{}.html", language.tag());
    Ok(app.pages.document(&name, &boot, status, parts))
}

/// What the page knows before its first request. Nothing personal: it is cached.
async fn boot_data(app: &App, merchant: &Merchant, language: Language) -> Result<Value, ApiError> {
    Ok(json!({
        "lang": language.code(),
        "merchant": {
            "code": merchant.code,
            "name": merchant.name,
            "currency": merchant.currency.code(),
            "timeZone": merchant.time_zone,
            "languages": merchant.brand.languages,
        },
        "status": merchant.status(),
        "switches": merchant.flat_switches(),
        "phoneService": phone::page_of(app, merchant),
        "links": links(merchant),
        "games": games::popular(app, merchant, language).await?,
        "hot": games::hot(app, merchant, language).await?,
        "menus": games::menus(app, merchant).await?,
        "centers": merchant.brand.center_game_list,
    }))
}

/// Where the brand is found outside its site: what a link says, and where it leads.
fn links(merchant: &Merchant) -> Value {
    let brand = &merchant.brand;
    let social = brand.resources.iter().map(|place| (&place.label_name_en, &place.url));
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
    let language = language_of(&merchant, &headers);
    answer(Boot(boot_data(&app, &merchant, language).await?))
}

/// The front's one call.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_boot))
}
