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
use super::ops::{self, Browser, Return};
use super::page;
use super::traveller::Traveller;
use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::login::Page;
use crate::sessions::arrival::{Arrival, Changeover};
use crate::sessions::logged_in::LoggedIn;
use crate::sessions::logged_in::LoginView;
use crate::window;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query};
use platform::seal::{Sealed, SealedBody};
use site::OpenMerchant;

/// A browser that is about to leave.
struct Leaving {
    browser: Browser,
    /// What it has to keep for its way back.
    cookies: Vec<HeaderValue>,
    /// Where this very site stands, as the browser calls it.
    origin: String,
}

impl FromRequestParts<Identity> for Leaving {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let (visit, changeover) = Arrival::from_request_parts(parts, app).await?.enrol();
        let (browser_hash, traveller) = Traveller::from_request_parts(parts, app).await?.enrol();
        Ok(Self {
            browser: Browser { browser_hash, device_hash: visit.device_hash },
            cookies: [changeover.cookie, traveller].into_iter().flatten().collect(),
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

/// A way to sign in through somebody else.
#[derive(Serialize, ToSchema)]
struct SocialProvider {
    /// As it stands in addresses.
    provider: Provider,
    /// What its button says.
    name: String,
}

/// The social providers that are open: configured, and switched on.
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

/// Sends a window to a provider. A failure is a page that tells its opener `{error}`.
#[utoipa::path(get, path = "/wps/session/social/{provider}/start", tag = "sessions",
    params(("provider" = Provider, Path, description = "One of `GET /wps/session/social`")),
    responses((status = 303, description = "To the provider"),
        (status = "4XX",
            description = "A page that tells its opener `{error}`",
            content((String = "text/html"), (Refusal = "application/json"))),
        (status = "5XX",
            description = "A page that tells its opener `{error}`",
            content((String = "text/html"), (Refusal = "application/json")))))]
async fn start_social(
    visitor: Visitor,
    State(app): State<Identity>,
    Path(provider): Path<Provider>,
    Leaving { browser, cookies, origin }: Leaving,
) -> Response {
    let back = format!("{origin}/wps/session/social/{}/callback", provider.text());
    match ops::depart(&app, &visitor, provider, &browser, back).await {
        Err(error) => page::show(visitor.language, Err(error)),
        Ok(address) => {
            let cookies = cookies.into_iter().map(|cookie| (header::SET_COOKIE, cookie));
            let place = [(header::LOCATION, address)];
            let answer = (StatusCode::SEE_OTHER, AppendHeaders(cookies), place);
            let mut response = answer.into_response();
            window::keep_opener(&mut response);
            response
        }
    }
}

/// What a provider adds to the address that it sends the visitor back to.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Callback {
    /// What `start` sent.
    state: Option<String>,
    /// What becomes a token.
    code: Option<String>,
    /// Why there is no code.
    error: Option<String>,
    /// The provider's name of itself.
    iss: Option<String>,
}

impl Callback {
    fn read(self) -> Result<Return, ApiError> {
        let failed = || ApiError::new(codes::SOCIAL_FAILED);
        match (self.error.as_deref(), self.state, self.code) {
            // Others than the visitor's own refusal are ours or the provider's fault.
            (Some("access_denied"), ..) => Err(ApiError::new(codes::SOCIAL_CANCELLED)),
            (None, Some(state), Some(code)) => Ok(Return { state, code, issuer: self.iss }),
            (error, ..) => Err(failed().caused_by(format!("the provider said {error:?}"))),
        }
    }
}

/// Takes a window back from a provider: a page that tells its opener `{ticket}` or `{error}`.
#[utoipa::path(get, path = "/wps/session/social/{provider}/callback", tag = "sessions",
    params(("provider" = Provider, Path, description = "The provider"), Callback),
    responses((status = 200, description = "A page that tells its opener `{ticket}`", content_type = "text/html", body = String),
        (status = "4XX",
            description = "A page that tells its opener `{error}`",
            content((String = "text/html"), (Refusal = "application/json"))),
        (status = "5XX",
            description = "A page that tells its opener `{error}`",
            content((String = "text/html"), (Refusal = "application/json")))))]
async fn finish_social(
    visitor: Visitor,
    State(app): State<Identity>,
    Path(provider): Path<Provider>,
    traveller: Traveller,
    query: Result<Query<Callback>, ApiError>,
) -> Response {
    let language = visitor.language;
    let outcome = match query.and_then(|Query(query)| query.read()) {
        Ok(back) => ops::arrive(&app, visitor, provider, traveller.hash(), back).await,
        // Whatever came back, the switch decides first what is said.
        Err(error) => app.social.require(provider, &visitor.merchant).and(Err(error)),
    };
    page::show(language, outcome)
}

/// Login by a ticket of social sign-in.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginBySocial {
    /// What the window told the page.
    ticket: String,
    /// Whether the page is the agents' own.
    #[serde(default)]
    agent_page: bool,
}

/// Begins the session of a social sign-in. The sealed plaintext is `LoginBySocial`.
#[utoipa::path(post, path = "/wps/session/login/social", tag = "sessions",
    request_body(content = SealedBody, content_type = "application/sealed+json"),
    responses((status = 200, body = Envelope<LoginView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn login_by_social(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Identity>,
    arrival: Arrival,
    Sealed(body): Sealed<LoginBySocial>,
) -> Result<LoggedIn, ApiError> {
    // A browser without the cookie gets none here: the ticket is another device's anyway.
    let (visit, changeover) = arrival.enrol();
    let page = if body.agent_page { Page::Agents } else { Page::Players };
    let entered = ops::login_by_ticket(&app, merchant, (&body.ticket, page), visit).await?;
    Ok(LoggedIn::new(&app, entered, Changeover { cookie: None, ..changeover }).await)
}

/// The routes of social sign-in.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(list_social))
        .routes(routes!(start_social))
        .routes(routes!(finish_social))
        .routes(routes!(login_by_social))
}
