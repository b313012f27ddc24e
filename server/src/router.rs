//! The HTTP routers of the players' site and the back office, one for each listener.

use std::sync::{Arc, OnceLock};

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
use utoipa::openapi::{ObjectBuilder, Type};
use utoipa_axum::router::OpenApiRouter;

use crate::App;
use crate::{front, modules};
use platform::error::ApiError;
use platform::layers::{self, Limits};
use platform::push::{Identify, SocketKind};
use platform::serve::Tls;
use platform::{push, telemetry};
use site::AnyMerchant;

/// The API routes of both listeners, with their parts of the OpenAPI document.
struct Api {
    site: OpenApiRouter,
    office: OpenApiRouter,
}

/// Merges the API routes of all modules.
fn api(app: &App) -> Api {
    let mut api = Api {
        site: OpenApiRouter::with_openapi(Document::openapi()),
        office: OpenApiRouter::new(),
    };
    for module in modules::list(app) {
        api.site = api.site.merge(module.site);
        api.office = api.office.merge(module.office);
    }
    api.office = api.office.layer(middleware::from_fn(staff::require_own_page));
    api
}

#[derive(OpenApi)]
#[openapi(info(
    title = "Capiz",
    description = "All answers use the same envelope; see docs/api.md."
))]
struct Document;

/// The OpenAPI document of both listeners, as committed in `openapi.json`.
pub fn api_document(app: &App) -> utoipa::openapi::OpenApi {
    let Api { site, office } = api(app);
    let mut document = site.merge(office).into_openapi();
    let Some(components) = document.components.as_mut() else { return document };
    let codes = modules::error_codes(app);
    let codes = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(codes.iter().map(|code| code.text())));
    components.schemas.insert("ErrorCode".to_owned(), codes.into());
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    components.add_security_scheme("token", SecurityScheme::Http(bearer));
    let cookie = ApiKey::Cookie(ApiKeyValue::new("__Host-capiz-office"));
    components.add_security_scheme("office", SecurityScheme::ApiKey(cookie));
    let proof = "A second cookie, set by a login or re-authentication with password and code. It is valid \
         for ten minutes, and required for sensitive actions";
    let proof = ApiKeyValue::with_description("__Host-capiz-office-proof", proof);
    components.add_security_scheme("office_proof", SecurityScheme::ApiKey(ApiKey::Cookie(proof)));
    document
}

/// The OpenAPI document as served. All applications of a build have the same.
static DOCUMENT: OnceLock<Arc<str>> = OnceLock::new();

async fn get_document(State(app): State<App>) -> Response {
    let document = DOCUMENT.get_or_init(|| api_document(&app).to_json().unwrap_or_default().into());
    ([("content-type", "application/json")], document.to_string()).into_response()
}

/// The router of the players' site: API, push, HTML documents and assets.
pub fn site(app: &App) -> Router {
    let (api, _) = api(app).site.split_for_parts();
    let router = Router::new()
        .route("/wps/push", get(open_socket))
        .route("/openapi.json", get(get_document))
        .fallback(front::documents);
    finish(api, router, app, &[])
}

/// The router of the back office. It is another origin, so a vulnerability of the players' site
/// (XSS for example) does not reach it.
pub fn office(app: &App) -> Router {
    let (api, _) = api(app).office.split_for_parts();
    let router =
        Router::new().route("/office/push", get(open_office_socket)).fallback(front::office);
    finish(api, router, app, layers::OFFICE)
}

fn finish(
    api: Router,
    router: Router<App>,
    app: &App,
    wide: &'static [layers::PathLimits],
) -> Router {
    let router = router
        .route("/healthz", get(async || "ok"))
        .route("/readyz", get(get_ready))
        .with_state(app.clone())
        .merge(api)
        .merge(content::files(&app.content))
        .method_not_allowed_fallback(layers::method_not_allowed);
    // No HSTS for self-signed certificates: browsers would enforce HTTPS for a year, with no way
    // back.
    let has_real_certificate = matches!(app.config.platform.tls, Tls::Files { .. });
    let limits =
        Limits { wide, request_time: app.config.platform.timeouts.request(), ..Limits::default() };
    let peer_app = app.clone();
    let note_peer = move |request: &Request| peer_app.note_peer(request);
    layers::wrap(router, limits, has_real_certificate, note_peer)
}

/// Readiness probe: whether this node can serve requests.
async fn get_ready(State(app): State<App>) -> Result<&'static str, (StatusCode, &'static str)> {
    let ready = telemetry::check_ready(&app.db, &app.shutdown).await;
    ready.map(|()| "ready").map_err(|reason| (StatusCode::SERVICE_UNAVAILABLE, reason))
}

/// Opens the push WebSocket of a page of the players' site.
async fn open_socket(State(app): State<App>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let merchant = match AnyMerchant::from_request_parts(&mut parts, &app).await {
        Ok(AnyMerchant(merchant)) => merchant,
        Err(error) => return error.into_response(),
    };
    let identity = Arc::new(identity::SocketIdentity::new(&app.identity, merchant.id, &parts));
    upgrade(&app, parts, SocketKind::Site(merchant.id), identity).await
}

/// Opens the push WebSocket of a page of the back office; refused without a session.
async fn open_office_socket(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let identity = staff::SocketIdentity::new(&app.staff, &parts);
    match identity.identify(None, &parts.headers).await {
        Ok(Some(_)) => upgrade(&app, parts, SocketKind::Office, Arc::new(identity)).await,
        Ok(None) => ApiError::new(platform::codes::SESSION_REQUIRED).into_response(),
        Err(error) => error.into_response(),
    }
}

async fn upgrade(
    app: &App,
    mut parts: Parts,
    kind: SocketKind,
    identity: Arc<dyn Identify>,
) -> Response {
    match WebSocketUpgrade::from_request_parts(&mut parts, app).await {
        Ok(upgrade) => {
            push::serve_socket(upgrade, parts.headers, kind, Arc::clone(&app.push), identity)
        }
        Err(rejection) => {
            let refused = ApiError::new(platform::codes::REQUEST_MALFORMED);
            refused.message(rejection.body_text()).into_response()
        }
    }
}
