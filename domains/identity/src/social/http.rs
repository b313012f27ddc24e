//! The calls of social sign-in.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Provider;
use super::flow_cookie::FlowCookie;
use super::ops::{self, AuthorizationResponse, Browser};
use super::page;
use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::login::Page;
use crate::sessions::arrival::{BrowserUpdate, LoginContext};
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::window;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query};
use platform::seal::{Sealed, SealedBody};
use site::OpenMerchant;

/// The extractor of a request that starts a sign-in: its browser, cookies and origin.
struct SignInRequest {
    browser: Browser,
    /// The device cookie and the flow cookie to set.
    cookies: Vec<HeaderValue>,
    /// The origin of this site as the browser sees it, for the redirect URI.
    origin: String,
}

impl FromRequestParts<Identity> for SignInRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let (visit, browser_update) =
            LoginContext::from_request_parts(parts, app).await?.into_visit();
        let (browser_hash, flow_cookie) = FlowCookie::from_request_parts(parts, app).await?.enrol();
        Ok(Self {
            browser: Browser { browser_hash, device_hash: visit.device_hash },
            cookies: [browser_update.cookie, flow_cookie].into_iter().flatten().collect(),
            origin: origin(app, parts),
        })
    }
}

fn origin(app: &Identity, parts: &Parts) -> String {
    let authority = match parts.uri.authority() {
        Some(authority) => authority.as_str(),
        None => parts.headers.get(header::HOST).and_then(|v| v.to_str().ok()).unwrap_or(""),
    };
    let scheme = if app.is_encrypted(parts) { "https" } else { "http" };
    format!("{scheme}://{authority}")
}

/// A social provider.
#[derive(Serialize, ToSchema)]
struct SocialProvider {
    /// The provider as it is written in URLs.
    provider: Provider,
    /// The label of its button.
    name: String,
}

/// Lists the social providers that are configured and switched on.
#[utoipa::path(get, path = "/wps/session/social", tag = "sessions",
    responses((status = 200, body = Envelope<Vec<SocialProvider>>),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_social(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Identity>,
) -> Answer<Vec<SocialProvider>> {
    let open = Provider::ALL.into_iter().filter_map(|provider| {
        let name = app.social.name(provider, &merchant)?.to_owned();
        Some(SocialProvider { provider, name })
    });
    answer(open.collect())
}

/// Redirects a window to a provider. A failure is a page that posts `{error}` to its opener.
#[utoipa::path(get, path = "/wps/session/social/{provider}/start", tag = "sessions",
    params(("provider" = Provider, Path, description = "A provider from `GET /wps/session/social`")),
    responses((status = 303, description = "Redirect to the provider"),
        (status = "4XX",
            description = "A page that posts `{error}` to its opener",
            content((String = "text/html"), (Refusal = "application/json"))),
        (status = "5XX",
            description = "A page that posts `{error}` to its opener",
            content((String = "text/html"), (Refusal = "application/json")))))]
async fn start_social(
    visitor: Visitor,
    State(app): State<Identity>,
    Path(provider): Path<Provider>,
    SignInRequest { browser, cookies, origin }: SignInRequest,
) -> Response {
    let redirect_uri = format!("{origin}/wps/session/social/{}/callback", provider.text());
    match ops::authorize(&app, &visitor, provider, &browser, redirect_uri).await {
        Err(error) => page::show(visitor.language, Err(error)),
        Ok(url) => {
            let cookies = cookies.into_iter().map(|cookie| (header::SET_COOKIE, cookie));
            let location = [(header::LOCATION, url)];
            let answer = (StatusCode::SEE_OTHER, AppendHeaders(cookies), location);
            let mut response = answer.into_response();
            window::keep_opener(&mut response);
            response
        }
    }
}

/// The query parameters of the redirect from a provider.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Callback {
    /// The `state` that was sent to the provider.
    state: Option<String>,
    /// The authorization code.
    code: Option<String>,
    /// The error code, if there is no authorization code.
    error: Option<String>,
    /// The issuer of the response.
    iss: Option<String>,
}

impl Callback {
    fn read(self) -> Result<AuthorizationResponse, ApiError> {
        let failed = || ApiError::new(codes::SOCIAL_FAILED);
        match (self.error.as_deref(), self.state, self.code) {
            // All other errors are our fault or the provider's, not a refusal by the visitor.
            (Some("access_denied"), ..) => Err(ApiError::new(codes::SOCIAL_CANCELLED)),
            (None, Some(state), Some(code)) => {
                Ok(AuthorizationResponse { state, code, issuer: self.iss })
            }
            (error, ..) => {
                Err(failed().caused_by(format!("the provider returned the error {error:?}")))
            }
        }
    }
}

/// Redirect target of a provider: a page that posts `{ticket}` or `{error}` to its opener.
#[utoipa::path(get, path = "/wps/session/social/{provider}/callback", tag = "sessions",
    params(("provider" = Provider, Path, description = "The provider"), Callback),
    responses((status = 200, description = "A page that posts `{ticket}` to its opener", content_type = "text/html", body = String),
        (status = "4XX",
            description = "A page that posts `{error}` to its opener",
            content((String = "text/html"), (Refusal = "application/json"))),
        (status = "5XX",
            description = "A page that posts `{error}` to its opener",
            content((String = "text/html"), (Refusal = "application/json")))))]
async fn finish_social(
    visitor: Visitor,
    State(app): State<Identity>,
    Path(provider): Path<Provider>,
    flow_cookie: FlowCookie,
    query: Result<Query<Callback>, ApiError>,
) -> Response {
    let language = visitor.language;
    let outcome = match query.and_then(|Query(query)| query.read()) {
        Ok(response) => {
            ops::complete_callback(&app, visitor, provider, flow_cookie.hash(), response).await
        }
        // A provider that is switched off gives that error, whatever its redirect contains.
        Err(error) => app.social.require(provider, &visitor.merchant).and(Err(error)),
    };
    page::show(language, outcome)
}

/// Login by a ticket from social sign-in.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginBySocial {
    /// The ticket that the window posted to the page.
    ticket: String,
    /// Whether it is a login on the agents' page.
    #[serde(default)]
    agent_page: bool,
}

/// Starts the session of a social sign-in. The sealed plaintext is `LoginBySocial`.
#[utoipa::path(post, path = "/wps/session/login/social", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn login_by_social(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Identity>,
    context: LoginContext,
    Sealed(body): Sealed<LoginBySocial>,
) -> Result<LoggedIn, ApiError> {
    // A browser without a device cookie gets none here: the ticket is bound to another device and
    // is refused anyway.
    let (visit, browser_update) = context.into_visit();
    let page = if body.agent_page { Page::Agents } else { Page::Players };
    let outcome = ops::login_by_ticket(&app, merchant, (&body.ticket, page), visit).await?;
    Ok(LoggedIn::new(&app, outcome, BrowserUpdate { cookie: None, ..browser_update }).await)
}

/// The routes of social sign-in.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(list_social))
        .routes(routes!(start_social))
        .routes(routes!(finish_social))
        .routes(routes!(login_by_social))
}
