//! A plain OAuth 2 provider, which returns the user from a separate call.

use serde::Deserialize;
use serde_json::Value;

use super::AuthorizationRequest;
use super::Exchange;
use super::Person;
use crate::settings::OauthSettings;
use platform::http_client::{HttpClient, HttpError};

pub(super) struct Oauth {
    settings: OauthSettings,
    http_client: HttpClient,
}

#[derive(Deserialize)]
struct Tokens {
    access_token: String,
}

impl Oauth {
    pub(super) fn new(settings: OauthSettings, http_client: HttpClient) -> Self {
        Self { settings, http_client }
    }

    pub(super) fn name(&self) -> &str {
        &self.settings.name
    }

    pub(super) fn authorize_url(&self, request: &AuthorizationRequest<'_>) -> String {
        self.settings.authorize_url.with_query(&[
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", request.redirect_uri),
            ("scope", &self.settings.scope),
            ("state", request.state),
            ("code_challenge", request.challenge),
            ("code_challenge_method", "S256"),
        ])
    }

    /// Sends an invalid code. The provider checks our client id and secret before it refuses the
    /// code.
    pub(super) async fn try_out(&self) -> Result<(), HttpError> {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", "a code that nobody has"),
            ("redirect_uri", "https://capiz.invalid/"),
            ("client_id", &self.settings.client_id),
            ("client_secret", self.settings.client_secret.reveal()),
        ];
        let response: Result<Value, _> =
            self.http_client.post_form(&self.settings.token_url, &form, None).await;
        match response {
            // Some providers report the error with status 200.
            Ok(_) | Err(HttpError::Refused(400)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn person(&self, exchange: &Exchange<'_>) -> Result<Person, HttpError> {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", exchange.code),
            ("redirect_uri", exchange.redirect_uri),
            ("code_verifier", exchange.verifier),
            // Credentials in the body: many plain OAuth providers do not accept the `Authorization`
            // header.
            ("client_id", &self.settings.client_id),
            ("client_secret", self.settings.client_secret.reveal()),
        ];
        let tokens: Tokens =
            self.http_client.post_form(&self.settings.token_url, &form, None).await?;
        let token = Some(tokens.access_token.as_str());
        let user: Value = self.http_client.get_json(&self.settings.user_url, token).await?;
        let subject = text_at(&user, &self.settings.fields.id)
            .filter(|subject| (1..=255).contains(&subject.chars().count()))
            .ok_or_else(|| HttpError::Unreadable("a user without an id".into()))?;
        let fields = &self.settings.fields;
        let is_verified = value_at(&user, &fields.email_verified) == Some(&Value::Bool(true));
        let email = text_at(&user, &fields.email).filter(|_| is_verified);
        let issuer = self.settings.user_url.origin();
        Ok(Person { issuer, subject, name: text_at(&user, &fields.name), email })
    }
}

/// The value at a path; a dot separates nested objects.
fn value_at<'a>(user: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(user, |value, name| value.get(name))
}

/// The string or integer at a path.
fn text_at(user: &Value, path: &str) -> Option<String> {
    match value_at(user, path)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_are_found_as_text_or_number_at_any_depth() {
        let user =
            json!({ "id": 24, "data": { "user": { "id": "x-1" } }, "wrong": 1.5, "no": null });
        let found = ["id", "data.user.id", "wrong", "no", "data", "data.none.id", ""]
            .map(|path| text_at(&user, path));
        let expected = [Some("24"), Some("x-1"), None, None, None, None, None];
        assert_eq!(found, expected.map(|text| text.map(str::to_owned)));
    }
}
