//! What the environment decides: social providers and the phone service. The server reads it, once.

use platform::outside::OutsideUrl;
use platform::secret::Secret;

/// Who else may say who somebody is.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// A social provider that speaks OpenID Connect.
    pub oidc: Option<OidcSettings>,
    /// A social provider that speaks OAuth 2.
    pub oauth: Option<OauthSettings>,
    /// A service that verifies phone numbers.
    pub phone: Option<PhoneSettings>,
}

/// A provider that speaks OpenID Connect.
#[derive(Clone, Debug)]
pub struct OidcSettings {
    /// What its button says.
    pub name: String,
    /// The issuer as its tokens write it, to the letter.
    pub issuer: String,
    /// The same as an address.
    pub issuer_url: OutsideUrl,
    /// Who we are to it.
    pub client_id: String,
    /// And how we prove it.
    pub client_secret: Secret,
}

/// A provider that speaks OAuth 2 and tells who somebody is by a call of its own.
#[derive(Clone, Debug)]
pub struct OauthSettings {
    /// What its button says.
    pub name: String,
    /// Where the visitor is sent.
    pub authorize_url: OutsideUrl,
    /// Where a code becomes a token.
    pub token_url: OutsideUrl,
    /// Where a token tells who its owner is.
    pub user_url: OutsideUrl,
    /// Who we are to it.
    pub client_id: String,
    /// And how we prove it.
    pub client_secret: Secret,
    /// What we ask for.
    pub scope: String,
    /// Which fields of the answer matter.
    pub fields: UserFields,
}

/// Places in the answer about a user; a dot leads into an object.
#[derive(Clone, Debug)]
pub struct UserFields {
    /// The id that never changes.
    pub id: String,
    /// A name for people.
    pub name: String,
    /// The e-mail address.
    pub email: String,
    /// Whether the address was verified. Where a provider does not say, it was not.
    pub email_verified: String,
}

/// A service that verifies phone numbers and says so in id tokens.
#[derive(Clone, Debug)]
pub struct PhoneSettings {
    /// The issuer as its tokens write it.
    pub issuer: String,
    /// Whom its tokens must be meant for.
    pub audience: String,
    /// Where its keys are.
    pub keys_url: OutsideUrl,
    /// Where the visitor is sent: the service's page that speaks OpenID Connect's implicit flow.
    pub page_url: OutsideUrl,
}
