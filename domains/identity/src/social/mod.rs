//! Social sign-in: a provider says who somebody is, and that is a member here.
//!
//! The way of a sign-in, in a window of its own:
//!
//! 1. `start` makes state, nonce and PKCE verifier, keeps them for ten minutes and sends the
//!    browser to the provider.
//! 2. The provider sends it back to `callback`. The browser that left is known by a cookie of
//!    this way alone: the device cookie is `SameSite=Strict` and stays away when another site
//!    sends the visitor. The state is used up by the first who brings it.
//! 3. The code becomes a person, over a connection of our own to the provider; the person is
//!    found among the identities, or becomes a member.
//! 4. The window hands the page a ticket, good for a minute, once, on this device, and closes.
//!    The page begins the session with it.
//!
//! Each step is closed while the provider's switch is off. Secrets are stored hashed, or
//! encrypted where they are needed again.

mod http;
mod oauth;
mod oidc;
mod ops;
mod page;
mod store;
mod traveller;
mod vault;

use serde::Deserialize;
use utoipa::ToSchema;

pub use self::http::LoginBySocial;
pub(super) use self::http::routes;
use self::oauth::Oauth;
use self::oidc::Oidc;
use self::vault::Vault;
use crate::codes;
use crate::id_token::TokenError;
use crate::settings::Settings;
use platform::error::ApiError;
use platform::outside::{Outside, OutsideError};
use platform::secret::RootKey;
use site::{Merchant, Switch};

/// The two ways to speak with a provider; each has one provider at most.
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

    /// As it stands in addresses and tables.
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

/// Whom a provider has told us of.
struct Person {
    /// Who says so: an OpenID provider's issuer, or where plain OAuth tells of its users.
    issuer: String,
    /// The provider's id of the person; another issuer may give the same to somebody else.
    subject: String,
    /// A name to make a username from.
    name: Option<String>,
    /// An address that the provider has verified.
    email: Option<String>,
}

/// What a code is exchanged with.
struct Exchange<'a> {
    code: &'a str,
    verifier: &'a str,
    nonce: &'a str,
    redirect_uri: &'a str,
}

/// What the visitor is sent to the provider with.
struct Departure<'a> {
    state: &'a str,
    challenge: &'a str,
    nonce: &'a str,
    redirect_uri: &'a str,
}

/// The providers that the environment names.
pub struct Social {
    oidc: Option<Oidc>,
    oauth: Option<Oauth>,
    vault: Vault,
}

impl Social {
    /// As the installation is configured.
    pub fn new(config: &Settings, root: &RootKey, outside: &Outside) -> Self {
        let oidc = config.oidc.clone().map(|settings| Oidc::new(settings, outside.clone()));
        let oauth = config.oauth.clone().map(|settings| Oauth::new(settings, outside.clone()));
        Self { oidc, oauth, vault: Vault::new(root) }
    }

    /// What a provider's button says, where a merchant lets it in.
    fn name(&self, provider: Provider, merchant: &Merchant) -> Option<&str> {
        let name = match provider {
            Provider::Oidc => self.oidc.as_ref().map(Oidc::name),
            Provider::Oauth => self.oauth.as_ref().map(Oauth::name),
        };
        name.filter(|_| merchant.allows(provider.switch()))
    }

    /// Whether an answer that names its issuer names the right one. Plain OAuth has no issuer.
    fn is_from(&self, provider: Provider, issuer: Option<&str>) -> bool {
        match (provider, &self.oidc, issuer) {
            (Provider::Oidc, Some(oidc), Some(issuer)) => oidc.is_issuer(issuer),
            _ => true,
        }
    }

    /// Asks the OpenID provider anew what it says of itself, and for its keys: how many there are.
    pub async fn try_oidc(&self) -> Option<Result<usize, OutsideError>> {
        Some(self.oidc.as_ref()?.try_out().await)
    }

    /// Shows the OAuth provider a code that nobody has: to refuse it is the right answer.
    pub async fn try_oauth(&self) -> Option<Result<(), OutsideError>> {
        Some(self.oauth.as_ref()?.try_out().await)
    }

    fn require(&self, provider: Provider, merchant: &Merchant) -> Result<(), ApiError> {
        let open = self.name(provider, merchant).map(drop);
        open.ok_or_else(|| ApiError::new(site::codes::SWITCHED_OFF))
    }

    /// Refuses where no provider is open.
    pub(super) fn require_some(&self, merchant: &Merchant) -> Result<(), ApiError> {
        let is_open = |provider: &Provider| self.name(*provider, merchant).is_some();
        let open = Provider::ALL.iter().any(is_open);
        if open { Ok(()) } else { Err(ApiError::new(site::codes::SWITCHED_OFF)) }
    }

    /// Where the visitor is sent.
    async fn address(
        &self,
        provider: Provider,
        departure: &Departure<'_>,
    ) -> Result<String, ApiError> {
        match (provider, &self.oidc, &self.oauth) {
            (Provider::Oidc, Some(oidc), _) => oidc.address(departure).await.map_err(refused),
            (Provider::Oauth, _, Some(oauth)) => Ok(oauth.address(departure)),
            _ => Err(ApiError::new(site::codes::SWITCHED_OFF)),
        }
    }

    /// Who the person is that a code was given for.
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

/// What a visitor is told of a provider that did not do its part.
fn refused(error: OutsideError) -> ApiError {
    match error.may_pass() {
        true => ApiError::unavailable(error),
        false => ApiError::new(codes::SOCIAL_FAILED).caused_by(error),
    }
}

impl From<TokenError> for ApiError {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Outside(error) => refused(error),
            TokenError::Refused(_) => Self::new(codes::SOCIAL_FAILED).caused_by(error),
        }
    }
}
