//! Configuration of social providers and the phone service. The server reads it once from
//! environment variables.

use platform::http_client::ServiceUrl;
use platform::secret::Secret;

/// The external identity providers.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The social provider with OpenID Connect.
    pub oidc: Option<OidcSettings>,
    /// The social provider with plain OAuth 2.
    pub oauth: Option<OauthSettings>,
    /// The service that verifies phone numbers.
    pub phone: Option<PhoneSettings>,
}

/// An OpenID Connect provider.
#[derive(Clone, Debug)]
pub struct OidcSettings {
    /// The label of its button.
    pub name: String,
    /// The issuer, exactly as in its tokens.
    pub issuer: String,
    /// The URL of the issuer.
    pub issuer_url: ServiceUrl,
    /// Our client id.
    pub client_id: String,
    /// Our client secret.
    pub client_secret: Secret,
}

/// A plain OAuth 2 provider, which returns the user from a separate call.
#[derive(Clone, Debug)]
pub struct OauthSettings {
    /// The label of its button.
    pub name: String,
    /// The authorization endpoint.
    pub authorize_url: ServiceUrl,
    /// The token endpoint.
    pub token_url: ServiceUrl,
    /// The endpoint that returns the user of an access token.
    pub user_url: ServiceUrl,
    /// Our client id.
    pub client_id: String,
    /// Our client secret.
    pub client_secret: Secret,
    /// The scope that is requested.
    pub scope: String,
    /// Which fields of the user are read.
    pub fields: UserFields,
}

/// Paths of fields in the JSON of a user; a dot separates nested objects.
#[derive(Clone, Debug)]
pub struct UserFields {
    /// The user id, which must never change.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
    /// Whether the address is verified. A missing field means no.
    pub email_verified: String,
}

/// A service that verifies phone numbers and confirms them in id tokens.
#[derive(Clone, Debug)]
pub struct PhoneSettings {
    /// The issuer, exactly as in its tokens.
    pub issuer: String,
    /// The audience that its tokens must have: our client id.
    pub audience: String,
    /// The URL of its key set (JWKS).
    pub keys_url: ServiceUrl,
    /// The service's page, which uses OpenID Connect's implicit flow.
    pub page_url: ServiceUrl,
}
