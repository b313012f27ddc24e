//! An OpenID Connect provider: discovery, code exchange and id token.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Map, Value};
use url::form_urlencoded::byte_serialize;

use super::AuthorizationRequest;
use super::Exchange;
use super::Person;
use crate::id_token::{Expected, KeySet, TokenError};
use crate::settings::OidcSettings;
use platform::cache::Cache;
use platform::http_client::{HttpClient, HttpError, ServiceUrl};

/// How long the discovery document is cached.
const DISCOVERY_LIFE: Duration = Duration::from_secs(3600);

const WELL_KNOWN: &str = "/.well-known/openid-configuration";

pub(super) struct Oidc {
    settings: OidcSettings,
    http_client: HttpClient,
    endpoints: Cache<Endpoints>,
}

/// The discovery document of the provider.
#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

struct Endpoints {
    authorize: ServiceUrl,
    token: ServiceUrl,
    user: Option<ServiceUrl>,
    keys: KeySet,
    takes_basic: bool,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    access_token: Option<String>,
}

impl Oidc {
    pub(super) fn new(settings: OidcSettings, http_client: HttpClient) -> Self {
        Self { settings, http_client, endpoints: Cache::new(DISCOVERY_LIFE) }
    }

    pub(super) fn name(&self) -> &str {
        &self.settings.name
    }

    pub(super) async fn authorize_url(
        &self,
        request: &AuthorizationRequest<'_>,
    ) -> Result<String, HttpError> {
        let endpoints = self.discover().await?;
        Ok(endpoints.authorize.with_query(&[
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", request.redirect_uri),
            ("scope", "openid profile email"),
            ("state", request.state),
            ("nonce", request.nonce),
            ("code_challenge", request.challenge),
            ("code_challenge_method", "S256"),
        ]))
    }

    /// Whether `iss` in a response is this provider. A code from another provider must not be
    /// exchanged here (mix-up attack).
    pub(super) fn is_issuer(&self, issuer: &str) -> bool {
        self.settings.issuer == issuer
    }

    pub(super) async fn person(
        &self,
        exchange: &Exchange<'_>,
        now: DateTime<Utc>,
    ) -> Result<Person, TokenError> {
        let endpoints = self.discover().await?;
        let tokens = self.exchange(&endpoints, exchange).await?;
        let expected = Expected {
            issuer: &self.settings.issuer,
            audience: &self.settings.client_id,
            nonce: Some(exchange.nonce),
        };
        let claims = endpoints.keys.verify(&tokens.id_token, &expected, now).await?;
        let mut user = claims.more;
        if name_in(&user).is_none() {
            user = self.fetch_user_info(&endpoints, &tokens, &claims.sub).await.unwrap_or_default();
        }
        let (name, email) = (name_in(&user), email_in(&user));
        Ok(Person { issuer: self.settings.issuer.clone(), subject: claims.sub, name, email })
    }

    /// Fetches the user info: many providers leave the name out of the id token. The name is
    /// optional, so a failure is not retried.
    async fn fetch_user_info(
        &self,
        endpoints: &Endpoints,
        tokens: &Tokens,
        subject: &str,
    ) -> Option<Map<String, Value>> {
        let (url, token) = (endpoints.user.as_ref()?, tokens.access_token.as_deref()?);
        let user: Map<String, Value> = self.http_client.get_json(url, Some(token)).await.ok()?;
        // The `sub` must match the id token: an access token could have been swapped.
        let is_same = user.get("sub").and_then(Value::as_str) == Some(subject);
        is_same.then_some(user)
    }

    async fn exchange(
        &self,
        endpoints: &Endpoints,
        exchange: &Exchange<'_>,
    ) -> Result<Tokens, HttpError> {
        let (id, secret) = (&self.settings.client_id, self.settings.client_secret.reveal());
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", exchange.code),
            ("redirect_uri", exchange.redirect_uri),
            ("code_verifier", exchange.verifier),
        ];
        let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        let basic = BASE64_STANDARD.encode(format!("{}:{}", encode(id), encode(secret)));
        if !endpoints.takes_basic {
            form.extend([("client_id", id.as_str()), ("client_secret", secret)]);
        }
        self.http_client
            .post_form(&endpoints.token, &form, endpoints.takes_basic.then_some(&basic))
            .await
    }

    /// Fetches the discovery document and the key set again, and returns the number of keys.
    pub(super) async fn try_out(&self) -> Result<usize, HttpError> {
        self.fetch_endpoints().await?.keys.refetch().await
    }

    async fn discover(&self) -> Result<Arc<Endpoints>, HttpError> {
        self.endpoints.get(async || self.fetch_endpoints().await).await
    }

    async fn fetch_endpoints(&self) -> Result<Endpoints, HttpError> {
        let issuer = &self.settings.issuer_url;
        let url = format!("{}{WELL_KNOWN}", self.settings.issuer.trim_end_matches('/'));
        let document: Document = self.http_client.get_json(&issuer.refers_to(&url)?, None).await?;
        if document.issuer != self.settings.issuer {
            return Err(HttpError::Unreadable("the discovery document has another issuer".into()));
        }
        let user = document.userinfo_endpoint.map(|url| issuer.refers_to(&url)).transpose()?;
        let methods = document.token_endpoint_auth_methods_supported;
        Ok(Endpoints {
            authorize: issuer.refers_to(&document.authorization_endpoint)?,
            token: issuer.refers_to(&document.token_endpoint)?,
            user,
            keys: KeySet::new(issuer.refers_to(&document.jwks_uri)?, self.http_client.clone()),
            // `client_secret_basic` is the default if the document does not list methods.
            takes_basic: methods
                .is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic")),
        })
    }
}

fn name_in(claims: &Map<String, Value>) -> Option<String> {
    let names = ["preferred_username", "nickname", "given_name", "name"];
    let mut values = names.iter().filter_map(|name| claims.get(*name)?.as_str());
    values.find(|name| !name.is_empty()).map(str::to_owned)
}

/// The e-mail address, if the provider says that it is verified.
fn email_in(claims: &Map<String, Value>) -> Option<String> {
    let is_verified = claims.get("email_verified") == Some(&Value::Bool(true));
    claims.get("email").and_then(Value::as_str).filter(|_| is_verified).map(str::to_owned)
}
