//! A provider that speaks OAuth 2 and tells who somebody is by a call of its own.

use serde::Deserialize;
use serde_json::Value;

use super::Departure;
use super::Exchange;
use super::Person;
use crate::settings::OauthSettings;
use platform::outside::{Outside, OutsideError};

pub(super) struct Oauth {
    settings: OauthSettings,
    outside: Outside,
}

#[derive(Deserialize)]
struct Tokens {
    access_token: String,
}

impl Oauth {
    pub(super) fn new(settings: OauthSettings, outside: Outside) -> Self {
        Self { settings, outside }
    }

    pub(super) fn name(&self) -> &str {
        &self.settings.name
    }

    pub(super) fn address(&self, departure: &Departure<'_>) -> String {
        self.settings.authorize_url.with_query(&[
            ("response_type", "code"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", departure.redirect_uri),
            ("scope", &self.settings.scope),
            ("state", departure.state),
            ("code_challenge", departure.challenge),
            ("code_challenge_method", "S256"),
        ])
    }

    /// Shows the provider a code that nobody has. It reads who we are before it refuses the code.
    pub(super) async fn try_out(&self) -> Result<(), OutsideError> {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", "a code that nobody has"),
            ("redirect_uri", "https://capiz.invalid/"),
            ("client_id", &self.settings.client_id),
            ("client_secret", self.settings.client_secret.reveal()),
        ];
        let answered: Result<Value, _> =
            self.outside.post_form(&self.settings.token_url, &form, None).await;
        match answered {
            // Some providers say no with a 200.
            Ok(_) | Err(OutsideError::Refused(400)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn person(&self, exchange: &Exchange<'_>) -> Result<Person, OutsideError> {
        let form = [
            ("grant_type", "authorization_code"),
            ("code", exchange.code),
            ("redirect_uri", exchange.redirect_uri),
            ("code_verifier", exchange.verifier),
            // In the body: the header is what plain providers often do not take.
            ("client_id", &self.settings.client_id),
            ("client_secret", self.settings.client_secret.reveal()),
        ];
        let tokens: Tokens = self.outside.post_form(&self.settings.token_url, &form, None).await?;
        let token = Some(tokens.access_token.as_str());
        let user: Value = self.outside.get_json(&self.settings.user_url, token).await?;
        let subject = text_at(&user, &self.settings.fields.id)
            .filter(|subject| (1..=255).contains(&subject.chars().count()))
            .ok_or_else(|| OutsideError::Unreadable("a user without an id".into()))?;
        let fields = &self.settings.fields;
        let is_verified = value_at(&user, &fields.email_verified) == Some(&Value::Bool(true));
        let email = text_at(&user, &fields.email).filter(|_| is_verified);
        let issuer = self.settings.user_url.origin();
        Ok(Person { issuer, subject, name: text_at(&user, &fields.name), email })
    }
}

/// The value at a place; a dot leads into an object.
fn value_at<'a>(user: &'a Value, place: &str) -> Option<&'a Value> {
    place.split('.').try_fold(user, |value, name| value.get(name))
}

/// The text or the whole number at a place.
fn text_at(user: &Value, place: &str) -> Option<String> {
    match value_at(user, place)? {
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
            .map(|place| text_at(&user, place));
        let expected = [Some("24"), Some("x-1"), None, None, None, None, None];
        assert_eq!(found, expected.map(|text| text.map(str::to_owned)));
    }
}
