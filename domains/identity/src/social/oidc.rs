//! A provider that speaks OpenID Connect: it is discovered, and signs what it says.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Map, Value};
use url::form_urlencoded::byte_serialize;

use super::Departure;
use super::Exchange;
use super::Person;
use crate::id_token::{Expected, KeySet, TokenError};
use crate::settings::OidcSettings;
use platform::cache::Cache;
use platform::outside::{Outside, OutsideError, OutsideUrl};

/// How long a discovery is believed.
const DISCOVERY_LIFE: Duration = Duration::from_secs(3600);

const WELL_KNOWN: &str = "/.well-known/openid-configuration";

pub(super) struct Oidc {
    settings: OidcSettings,
    outside: Outside,
    found: Cache<Found>,
}

/// What the provider says of itself.
#[derive(Deserialize)]
struct Document {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

struct Found {
    authorize: OutsideUrl,
    token: OutsideUrl,
    user: Option<OutsideUrl>,
    keys: KeySet,
    takes_basic: bool,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    access_token: Option<String>,
}

impl Oidc {
    pub(super) fn new(settings: OidcSettings, outside: Outside) -> Self {
        Self { settings, outside, found: Cache::new(DISCOVERY_LIFE) }
    }

    pub(super) fn name(&self) -> &str {
        &self.settings.name
    }

    pub(super) async fn address(&self, departure: &Departure<'_>) -> Result<String, OutsideError> {
        let found = self.discover().await?;
        Ok(found.authorize.with_query(&[
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", departure.redirect_uri),
            ("scope", "openid profile email"),
            ("state", departure.state),
            ("nonce", departure.nonce),
            ("code_challenge", departure.challenge),
            ("code_challenge_method", "S256"),
        ]))
    }

    /// The issuer of an answer, where it names itself: a code of another provider is not ours.
    pub(super) fn is_issuer(&self, issuer: &str) -> bool {
        self.settings.issuer == issuer
    }

    pub(super) async fn person(
        &self,
        exchange: &Exchange<'_>,
        now: DateTime<Utc>,
    ) -> Result<Person, TokenError> {
        let found = self.discover().await?;
        let tokens = self.exchange(&found, exchange).await?;
        let expected = Expected {
            issuer: &self.settings.issuer,
            audience: &self.settings.client_id,
            nonce: Some(exchange.nonce),
        };
        let claims = found.keys.verify(&tokens.id_token, &expected, now).await?;
        let mut about = claims.more;
        if name_in(&about).is_none() {
            about = self.ask_about(&found, &tokens, &claims.sub).await.unwrap_or_default();
        }
        let (name, email) = (name_in(&about), email_in(&about));
        Ok(Person { issuer: self.settings.issuer.clone(), subject: claims.sub, name, email })
    }

    /// Many providers keep the token small and tell names only to who asks. Nothing depends on
    /// a name, so a provider that does not answer is not asked twice.
    async fn ask_about(
        &self,
        found: &Found,
        tokens: &Tokens,
        subject: &str,
    ) -> Option<Map<String, Value>> {
        let (url, token) = (found.user.as_ref()?, tokens.access_token.as_deref()?);
        let user: Map<String, Value> = self.outside.get_json(url, Some(token)).await.ok()?;
        // The answer may be of somebody else, if a token was swapped for another.
        let is_same = user.get("sub").and_then(Value::as_str) == Some(subject);
        is_same.then_some(user)
    }

    async fn exchange(
        &self,
        found: &Found,
        exchange: &Exchange<'_>,
    ) -> Result<Tokens, OutsideError> {
        let (id, secret) = (&self.settings.client_id, self.settings.client_secret.reveal());
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", exchange.code),
            ("redirect_uri", exchange.redirect_uri),
            ("code_verifier", exchange.verifier),
        ];
        let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        let basic = BASE64_STANDARD.encode(format!("{}:{}", encode(id), encode(secret)));
        if !found.takes_basic {
            form.extend([("client_id", id.as_str()), ("client_secret", secret)]);
        }
        self.outside.post_form(&found.token, &form, found.takes_basic.then_some(&basic)).await
    }

    /// Discovers the provider anew; gives how many keys it has.
    pub(super) async fn try_out(&self) -> Result<usize, OutsideError> {
        self.ask().await?.keys.ask().await
    }

    async fn discover(&self) -> Result<Arc<Found>, OutsideError> {
        self.found.get(async || self.ask().await).await
    }

    async fn ask(&self) -> Result<Found, OutsideError> {
        let issuer = &self.settings.issuer_url;
        let place = format!("{}{WELL_KNOWN}", self.settings.issuer.trim_end_matches('/'));
        let document: Document = self.outside.get_json(&issuer.refers_to(&place)?, None).await?;
        if document.issuer != self.settings.issuer {
            return Err(OutsideError::Unreadable("the issuer calls itself otherwise".into()));
        }
        let user = document.userinfo_endpoint.map(|url| issuer.refers_to(&url)).transpose()?;
        let methods = document.token_endpoint_auth_methods_supported;
        Ok(Found {
            authorize: issuer.refers_to(&document.authorization_endpoint)?,
            token: issuer.refers_to(&document.token_endpoint)?,
            user,
            keys: KeySet::new(issuer.refers_to(&document.jwks_uri)?, self.outside.clone()),
            // What a provider that does not say so takes.
            takes_basic: methods
                .is_none_or(|methods| methods.iter().any(|method| method == "client_secret_basic")),
        })
    }
}

fn name_in(claims: &Map<String, Value>) -> Option<String> {
    let names = ["preferred_username", "nickname", "given_name", "name"];
    let mut found = names.iter().filter_map(|name| claims.get(*name)?.as_str());
    found.find(|name| !name.is_empty()).map(str::to_owned)
}

/// The address, if the provider says that it has verified it.
fn email_in(claims: &Map<String, Value>) -> Option<String> {
    let is_verified = claims.get("email_verified") == Some(&Value::Bool(true));
    claims.get("email").and_then(Value::as_str).filter(|_| is_verified).map(str::to_owned)
}
