//! Configuration of the identity providers: OpenID Connect, OAuth 2 and phone verification.

use identity::{OauthSettings, OidcSettings, PhoneSettings, UserFields};

use super::Reader;
use platform::http_client::ServiceUrl;
use platform::secret::Secret;

/// The required variables of each provider; all or none must be set.
pub(super) const OIDC: [&str; 4] =
    ["CAPIZ_OIDC_NAME", "CAPIZ_OIDC_ISSUER", "CAPIZ_OIDC_CLIENT_ID", "CAPIZ_OIDC_CLIENT_SECRET"];
pub(super) const OAUTH: [&str; 6] = [
    "CAPIZ_OAUTH_NAME",
    "CAPIZ_OAUTH_AUTHORIZE_URL",
    "CAPIZ_OAUTH_TOKEN_URL",
    "CAPIZ_OAUTH_USER_URL",
    "CAPIZ_OAUTH_CLIENT_ID",
    "CAPIZ_OAUTH_CLIENT_SECRET",
];
pub(super) const PHONE: [&str; 4] =
    ["CAPIZ_PHONE_ISSUER", "CAPIZ_PHONE_AUDIENCE", "CAPIZ_PHONE_KEYS_URL", "CAPIZ_PHONE_PAGE_URL"];

impl Reader<'_> {
    pub(super) fn oidc(&mut self) -> Option<OidcSettings> {
        let [name, issuer, client_id, client_secret] = self.all_or_none(OIDC)?;
        Some(OidcSettings {
            name,
            issuer_url: self.service_url(OIDC[1], &issuer)?,
            issuer,
            client_id,
            client_secret: Secret::new(client_secret),
        })
    }

    pub(super) fn oauth(&mut self) -> Option<OauthSettings> {
        let [name, authorize, token, user, client_id, client_secret] = self.all_or_none(OAUTH)?;
        let authorize_url = self.service_url(OAUTH[1], &authorize);
        let token_url = self.service_url(OAUTH[2], &token);
        let user_url = self.service_url(OAUTH[3], &user);
        Some(OauthSettings {
            name,
            authorize_url: authorize_url?,
            token_url: token_url?,
            user_url: user_url?,
            client_id,
            client_secret: Secret::new(client_secret),
            scope: self.text_or("CAPIZ_OAUTH_SCOPE", "profile email"),
            fields: UserFields {
                id: self.text_or("CAPIZ_OAUTH_ID_FIELD", "id"),
                name: self.text_or("CAPIZ_OAUTH_NAME_FIELD", "name"),
                email: self.text_or("CAPIZ_OAUTH_EMAIL_FIELD", "email"),
                email_verified: self.text_or("CAPIZ_OAUTH_VERIFIED_FIELD", "email_verified"),
            },
        })
    }

    pub(super) fn phone(&mut self) -> Option<PhoneSettings> {
        let [issuer, audience, keys, page] = self.all_or_none(PHONE)?;
        let keys_url = self.service_url(PHONE[2], &keys);
        let page_url = self.service_url(PHONE[3], &page);
        Some(PhoneSettings { issuer, audience, keys_url: keys_url?, page_url: page_url? })
    }

    /// Reads variables that must be set together: all of them, or none.
    fn all_or_none<const N: usize>(&mut self, names: [&str; N]) -> Option<[String; N]> {
        let values = names.map(|name| (self.lookup)(name).map(|text| text.trim().to_owned()));
        if values.iter().all(Option::is_none) {
            return None;
        }
        let missing = names.iter().zip(&values).filter(|(_, value)| value.is_none());
        let missing: Vec<_> = missing.map(|(name, _)| *name).collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            self.mistakes.push(format!(
                "{missing}: required, since other variables of this provider are set"
            ));
            return None;
        }
        Some(values.map(Option::unwrap_or_default))
    }

    fn service_url(&mut self, name: &str, text: &str) -> Option<ServiceUrl> {
        let url = ServiceUrl::parse(text);
        url.map_err(|mistake| self.mistakes.push(format!("{name}={text}: {mistake}"))).ok()
    }

    fn text_or(&self, name: &str, default: &str) -> String {
        (self.lookup)(name).map_or_else(|| default.to_owned(), |text| text.trim().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Config, ConfigErrors};

    fn parse(pairs: &[(&str, &str)]) -> Result<Config, ConfigErrors> {
        Config::parse(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn a_provider_is_named_whole_or_not_at_all() {
        let none = parse(&[]).unwrap();
        assert!(
            none.identity.oidc.is_none()
                && none.identity.oauth.is_none()
                && none.identity.phone.is_none()
        );
        let errors = parse(&[
            ("CAPIZ_OIDC_ISSUER", "https://id.example"),
            ("CAPIZ_OAUTH_NAME", "Fisherfolk"),
            ("CAPIZ_PHONE_ISSUER", "https://phone.example"),
            ("CAPIZ_PHONE_AUDIENCE", "capiz"),
            ("CAPIZ_PHONE_KEYS_URL", "http://phone.example/keys"),
            ("CAPIZ_PHONE_PAGE_URL", "javascript:alert(1)"),
        ])
        .unwrap_err();
        assert_eq!(errors.0.len(), 4, "{errors}");
        assert!(errors.0[0].contains("CAPIZ_OIDC_CLIENT_SECRET"), "{errors}");
    }

    #[test]
    fn a_whole_provider_is_read_and_hides_its_secret() {
        let config = parse(&[
            ("CAPIZ_OIDC_NAME", "Harbor"),
            ("CAPIZ_OIDC_ISSUER", "https://id.example"),
            ("CAPIZ_OIDC_CLIENT_ID", "capiz"),
            ("CAPIZ_OIDC_CLIENT_SECRET", "oyster-secret"),
        ])
        .unwrap();
        assert_eq!(config.identity.oidc.as_ref().unwrap().issuer, "https://id.example");
        assert!(!format!("{config:?}").contains("oyster"));
    }
}
