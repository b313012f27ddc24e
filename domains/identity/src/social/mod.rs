//! Social sign-in: an external provider (OpenID Connect or OAuth 2) authenticates a visitor, who
//! logs in to the linked member or registers.
//!
//! The flow of a sign-in, in a separate window:
//!
//! 1. `start` creates state, nonce and PKCE verifier, stores them for ten minutes and redirects the
//!    browser to the provider.
//! 2. The provider redirects back to `callback`. A flow cookie recognizes the browser, because the
//!    device cookie is `SameSite=Strict` and is not sent on a redirect from another site. The state
//!    is used up by the first request that brings it.
//! 3. The server exchanges the code for the user's identity on a connection of its own. The user is
//!    found among the linked identities, or becomes a new member.
//! 4. The window posts a ticket to the page and closes. The ticket is valid for a minute, once, on
//!    this device; the page starts the session with it.
//!
//! Each step is refused while the switch of the provider is off. Secrets are stored hashed, or
//! encrypted if they are needed again.

mod flow_cookie;
mod flow_state;
mod http;
mod oauth;
mod oidc;
mod ops;
mod page;
mod store;

use serde::Deserialize;
use utoipa::ToSchema;

use self::flow_state::Vault;
pub use self::http::LoginBySocial;
pub(super) use self::http::routes;
use self::oauth::Oauth;
use self::oidc::Oidc;
use crate::codes;
use crate::id_token::TokenError;
use crate::settings::Settings;
use platform::error::ApiError;
use platform::http_client::{HttpClient, HttpError};
use platform::secret::RootKey;
use site::{Merchant, Switch};

/// The two protocols; each has at most one provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Provider {
    /// OpenID Connect.
    Oidc,
    /// OAuth 2.
    Oauth,
}

impl Provider {
    const ALL: [Self; 2] = [Self::Oidc, Self::Oauth];

    /// The name in URLs and tables.
    fn text(self) -> &'static str {
        match self {
            Self::Oidc => "oidc",
            Self::Oauth => "oauth",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.text() == text)
    }

    fn switch(self) -> Switch {
        match self {
            Self::Oidc => Switch::SocialOidc,
            Self::Oauth => Switch::SocialOauth,
        }
    }
}

/// A user as identified by a provider.
struct Person {
    /// The issuer of an OpenID provider, or the origin of the user endpoint of a plain OAuth
    /// provider.
    issuer: String,
    /// The user id at the issuer; other issuers may use the same id for somebody else.
    subject: String,
    /// A name to derive a username from.
    name: Option<String>,
    /// An e-mail address, if the provider has verified it.
    email: Option<String>,
}

/// The parameters of the code exchange.
struct Exchange<'a> {
    code: &'a str,
    verifier: &'a str,
    nonce: &'a str,
    redirect_uri: &'a str,
}

/// The parameters of the authorization request.
struct AuthorizationRequest<'a> {
    state: &'a str,
    challenge: &'a str,
    nonce: &'a str,
    redirect_uri: &'a str,
}

/// The configured social providers.
pub struct Social {
    oidc: Option<Oidc>,
    oauth: Option<Oauth>,
    vault: Vault,
}

impl Social {
    /// The providers from the settings.
    pub fn new(config: &Settings, root: &RootKey, http_client: &HttpClient) -> Self {
        let oidc = config.oidc.clone().map(|settings| Oidc::new(settings, http_client.clone()));
        let oauth = config.oauth.clone().map(|settings| Oauth::new(settings, http_client.clone()));
        Self { oidc, oauth, vault: Vault::new(root) }
    }

    /// The button label of a provider, if it is configured and the merchant has switched it on.
    fn name(&self, provider: Provider, merchant: &Merchant) -> Option<&str> {
        let name = match provider {
            Provider::Oidc => self.oidc.as_ref().map(Oidc::name),
            Provider::Oauth => self.oauth.as_ref().map(Oauth::name),
        };
        name.filter(|_| merchant.allows(provider.switch()))
    }

    /// Whether the issuer in a response is the right one, if the response has one. Plain OAuth has
    /// no issuer.
    fn is_from(&self, provider: Provider, issuer: Option<&str>) -> bool {
        match (provider, &self.oidc, issuer) {
            (Provider::Oidc, Some(oidc), Some(issuer)) => oidc.is_issuer(issuer),
            _ => true,
        }
    }

    /// Tests the OpenID provider: fetches its discovery document and key set, and returns the
    /// number of keys.
    pub async fn try_oidc(&self) -> Option<Result<usize, HttpError>> {
        Some(self.oidc.as_ref()?.try_out().await)
    }

    /// Tests the OAuth provider with an invalid code, which it should refuse.
    pub async fn try_oauth(&self) -> Option<Result<(), HttpError>> {
        Some(self.oauth.as_ref()?.try_out().await)
    }

    fn require(&self, provider: Provider, merchant: &Merchant) -> Result<(), ApiError> {
        let open = self.name(provider, merchant).map(drop);
        open.ok_or_else(|| ApiError::new(site::codes::SWITCHED_OFF))
    }

    /// Refuses if no provider is switched on.
    pub(super) fn require_some(&self, merchant: &Merchant) -> Result<(), ApiError> {
        let is_open = |provider: &Provider| self.name(*provider, merchant).is_some();
        let open = Provider::ALL.iter().any(is_open);
        if open { Ok(()) } else { Err(ApiError::new(site::codes::SWITCHED_OFF)) }
    }

    /// The URL that the visitor is redirected to.
    async fn authorize_url(
        &self,
        provider: Provider,
        request: &AuthorizationRequest<'_>,
    ) -> Result<String, ApiError> {
        match (provider, &self.oidc, &self.oauth) {
            (Provider::Oidc, Some(oidc), _) => oidc.authorize_url(request).await.map_err(refused),
            (Provider::Oauth, _, Some(oauth)) => Ok(oauth.authorize_url(request)),
            _ => Err(ApiError::new(site::codes::SWITCHED_OFF)),
        }
    }

    /// Exchanges a code for the identity of the user.
    async fn person(
        &self,
        provider: Provider,
        exchange: &Exchange<'_>,
        now: chrono::DateTime<chrono::Utc>,
    ) -> Result<Person, ApiError> {
        match (provider, &self.oidc, &self.oauth) {
            (Provider::Oidc, Some(oidc), _) => Ok(oidc.person(exchange, now).await?),
            (Provider::Oauth, _, Some(oauth)) => oauth.person(exchange).await.map_err(refused),
            _ => Err(ApiError::new(site::codes::SWITCHED_OFF)),
        }
    }
}

/// The error for a provider that failed: 503 if a retry may help, otherwise a failed sign-in.
fn refused(error: HttpError) -> ApiError {
    match error.is_temporary() {
        true => ApiError::unavailable(error),
        false => ApiError::new(codes::SOCIAL_FAILED).caused_by(error),
    }
}

impl From<TokenError> for ApiError {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Http(error) => refused(error),
            TokenError::Refused(_) => Self::new(codes::SOCIAL_FAILED).caused_by(error),
        }
    }
}
