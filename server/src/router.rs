//! The routers: the players' site and the office, each for its own listener.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use utoipa::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::codes::ErrorCode;
use crate::config::Tls;
use crate::platform::error::ApiError;
use crate::platform::layers::{self, Limits};
use crate::platform::push::{Door, Identify};
use crate::platform::{push, telemetry};
use crate::site::AnyMerchant;
use crate::{
    agents, find, front, games, inbox, members, service, sessions, site, staff, studio, subjects,
    wallet,
};

#[derive(OpenApi)]
#[openapi(
    info(title = "Capiz", description = "Every answer wears the envelope; see docs/api.md."),
    components(schemas(
        sessions::StepUp,
        sessions::ConfirmFactor,
        sessions::ProveFactor,
        members::Registration,
        members::PasswordChange,
        members::PaymentPasswordChange,
        members::ProfileChange,
        members::Completion,
        sessions::Login,
        sessions::FreePlay,
        sessions::LinkLook,
        sessions::LinkReset,
        sessions::CodeReset,
        sessions::BindMobile,
        sessions::BindEmail,
        sessions::LoginBySocial,
        sessions::phone::LoginByPhone
    ))
)]
struct Document;

fn site_api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(site::routes())
        .merge(members::routes())
        .merge(sessions::routes())
        .merge(wallet::routes())
        .merge(games::routes())
        .merge(studio::routes())
        .merge(inbox::routes())
        .merge(agents::routes())
        .merge(front::routes())
}

/// The office's calls: those of the office itself, and what each domain lets it do.
fn office_api() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(staff::routes())
        .merge(site::office_routes())
        .merge(service::office_routes())
        .merge(members::office_routes())
        .merge(sessions::office_routes())
        .merge(wallet::office_routes())
        .merge(studio::office_routes())
        .merge(find::routes())
        .merge(subjects::routes())
        .merge(games::office_routes())
        .merge(inbox::office_routes())
        .merge(agents::office_routes())
        .layer(middleware::from_fn(staff::require_own_page))
}

/// The whole API, both listeners, as it is committed in `openapi.json`.
pub fn api_document() -> utoipa::openapi::OpenApi {
    let mut document = site_api().merge(office_api()).into_openapi();
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    if let Some(components) = document.components.as_mut() {
        components.add_security_scheme("token", SecurityScheme::Http(bearer));
        let cookie = ApiKey::Cookie(ApiKeyValue::new("__Host-capiz-office"));
        components.add_security_scheme("office", SecurityScheme::ApiKey(cookie));
        let proved = "A second cookie of the browser whose owner has logged in, or shown password and code \
             once more, within the last ten minutes";
        let proved = ApiKeyValue::with_description("__Host-capiz-office-proof", proved);
        let proved = SecurityScheme::ApiKey(ApiKey::Cookie(proved));
        components.add_security_scheme("office_proof", proved);
    }
    document
}

static DOCUMENT: LazyLock<Arc<str>> =
    LazyLock::new(|| api_document().to_json().unwrap_or_default().into());

async fn get_document() -> Response {
    ([("content-type", "application/json")], DOCUMENT.to_string()).into_response()
}

/// The players' site: the API, push, documents and assets.
pub fn site(app: &App) -> Router {
    let (api, _) = site_api().split_for_parts();
    let router = api
        .route("/wps/push", get(open_socket))
        .route("/openapi.json", get(get_document))
        .route("/downloads/ios.mobileconfig", get(site::get_profile))
        .route("/downloads/ios-lite.mobileconfig", get(site::get_lite_profile))
        .fallback(front::documents);
    finish(router, app, &[])
}

/// The office: another origin, so that a hole in the players' page does not open it.
pub fn office(app: &App) -> Router {
    let (api, _) = office_api().split_for_parts();
    let router = api.route("/office/push", get(open_office_socket)).fallback(front::office);
    finish(router, app, layers::OFFICE)
}

fn finish(router: Router<App>, app: &App, wide: &'static [layers::Wide]) -> Router {
    let router = router
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(get_ready))
        .route("/files/{name}", get(site::get_file))
        .method_not_allowed_fallback(layers::method_not_allowed);
    // A browser that believes a self-signed certificate for a year could not be told otherwise.
    let has_real_certificate = matches!(app.config.tls, Tls::Files { .. });
    let limits = Limits { wide, request_time: app.config.patience.request(), ..Limits::default() };
    let greeter = app.clone();
    let greet = move |request: &Request| greeter.note_peer(request);
    layers::wrap(router, limits, has_real_certificate, greet).with_state(app.clone())
}

/// Whether this node can serve.
async fn get_ready(State(app): State<App>) -> Result<&'static str, (StatusCode, &'static str)> {
    let ready = telemetry::check_ready(&app.db, &app.shutdown).await;
    ready.map(|()| "ready").map_err(|reason| (StatusCode::SERVICE_UNAVAILABLE, reason))
}

/// Opens the push socket of a page.
async fn open_socket(State(app): State<App>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let merchant = match AnyMerchant::from_request_parts(&mut parts, &app).await {
        Ok(AnyMerchant(merchant)) => merchant,
        Err(error) => return error.into_response(),
    };
    let identity = Arc::new(sessions::SocketIdentity::new(&app, merchant.id, &parts));
    upgrade(&app, parts, Door::Site(merchant.id), identity).await
}

/// Opens the push socket of a page of the office, for those who are logged in.
async fn open_office_socket(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let identity = staff::SocketIdentity::new(&app, &parts);
    match identity.identify(None, &parts.headers).await {
        Ok(Some(_)) => upgrade(&app, parts, Door::Office, Arc::new(identity)).await,
        Ok(None) => ApiError::new(ErrorCode::SessionRequired).into_response(),
        Err(error) => error.into_response(),
    }
}

async fn upgrade(app: &App, mut parts: Parts, door: Door, identity: Arc<dyn Identify>) -> Response {
    match WebSocketUpgrade::from_request_parts(&mut parts, app).await {
        Ok(upgrade) => {
            push::serve_socket(upgrade, parts.headers, door, Arc::clone(&app.push), identity)
        }
        Err(rejection) => {
            let refused = ApiError::new(ErrorCode::RequestMalformed);
            refused.message(rejection.body_text()).into_response()
        }
    }
}
