//! Outside services (text messages, e-mail, phone verification, social login, GeoIP): whether each
//! is configured, and tests of them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Service;
use crate::codes;
use platform::error::ApiError;
use platform::http_client::HttpError;
use platform::ids::new_id;
use platform::outbox::{Channel, DeliveryError, Letter};
use platform::phone::Mobile;

/// The longest e-mail address.
const ADDRESS_MAX: usize = 254;
const SUBJECT: &str = "A test · Pagsubok";
const TEXT: &str = "This is a test of our messages. Nothing needs to be done. · \
                    Pagsubok ito ng aming mga mensahe. Wala kang kailangang gawin.";

/// An outside service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = OutsideService)]
pub(super) enum OutsideService {
    /// Text messages.
    Sms,
    /// E-mail.
    Mail,
    /// Verification of phone numbers.
    Phone,
    /// Social login by OpenID Connect.
    Oidc,
    /// Social login by OAuth 2.
    Oauth,
    /// GeoIP: the country of an IP address.
    Countries,
}

impl OutsideService {
    pub(super) const ALL: [Self; 6] =
        [Self::Sms, Self::Mail, Self::Phone, Self::Oidc, Self::Oauth, Self::Countries];

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Sms => "sms",
            Self::Mail => "mail",
            Self::Phone => "phone",
            Self::Oidc => "oidc",
            Self::Oauth => "oauth",
            Self::Countries => "countries",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|service| service.text() == text)
    }

    /// The host of the service, or our sender address there; nothing secret. `None` if the service
    /// is not configured.
    pub(super) fn location(self, app: &Service) -> Option<String> {
        let config = &app.config;
        match self {
            Self::Sms => config.sms.as_ref().map(|sms| sms.host().to_owned()),
            Self::Mail => config.mail.as_ref().map(|mail| mail.sender()),
            Self::Phone => {
                app.identity.settings.phone.as_ref().map(|phone| phone.keys_url.host().to_owned())
            }
            Self::Oidc => {
                app.identity.settings.oidc.as_ref().map(|oidc| oidc.issuer_url.host().to_owned())
            }
            Self::Oauth => {
                app.identity.settings.oauth.as_ref().map(|oauth| oauth.token_url.host().to_owned())
            }
            Self::Countries => config.geoip.is_open().then(String::new),
        }
    }
}

/// The outcome of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OutsideOutcome)]
pub(super) enum Outcome {
    /// The service accepted the message.
    Taken,
    /// The service's public keys were fetched.
    Keys,
    /// The service answered as expected.
    Answered,
    /// A country was found for the address.
    Country,
    /// No country is known for the address.
    NoCountry,
    /// The service refused our credentials.
    Credentials,
    /// The service refused the request.
    Refused,
    /// A temporary failure: the service may accept the message later.
    Later,
    /// The service could not be reached.
    Unreachable,
    /// The request timed out.
    Slow,
    /// The answer could not be parsed.
    Unreadable,
}

impl Outcome {
    pub(super) fn is_good(self) -> bool {
        matches!(self, Self::Taken | Self::Keys | Self::Answered | Self::Country)
    }
}

/// The outcome of a test, with details.
pub(super) struct TestResult {
    pub(super) outcome: Outcome,
    pub(super) detail: Option<String>,
}

impl TestResult {
    fn new(outcome: Outcome, detail: impl ToString) -> Self {
        Self { outcome, detail: Some(detail.to_string()) }
    }

    fn failed(error: &HttpError) -> Self {
        match error {
            HttpError::Unreachable(_) => Self::new(Outcome::Unreachable, error),
            HttpError::Slow => Self { outcome: Outcome::Slow, detail: None },
            HttpError::Refused(status @ (401 | 403)) => Self::new(Outcome::Credentials, status),
            HttpError::Refused(status) => Self::new(Outcome::Refused, status),
            HttpError::Unreadable(_) | HttpError::Unfit => Self::new(Outcome::Unreadable, error),
        }
    }
}

/// Validates the target of a test: a phone number, an e-mail address or an IP address.
pub(super) fn read_target(service: OutsideService, to: &str) -> Result<String, ApiError> {
    let to = to.trim();
    let wrong = || ApiError::fields([("to", "pattern")]);
    match service {
        OutsideService::Sms => {
            let plain: String = to.chars().filter(|c| !" -().".contains(*c)).collect();
            let mobile = Mobile::from_e164(&plain).map_err(|_| wrong())?;
            Ok(mobile.e164().to_owned())
        }
        OutsideService::Mail => {
            let is_address = to.len() <= ADDRESS_MAX
                && to.split_once('@').is_some_and(|(name, host)| {
                    !name.is_empty() && host.contains('.') && !host.contains('@')
                })
                && !to.contains(char::is_whitespace);
            if is_address { Ok(to.to_owned()) } else { Err(wrong()) }
        }
        OutsideService::Countries => match to.parse::<std::net::IpAddr>() {
            Ok(address) => Ok(address.to_string()),
            Err(_) => Err(wrong()),
        },
        OutsideService::Phone | OutsideService::Oidc | OutsideService::Oauth => Ok(String::new()),
    }
}

/// Tests a service. Every outgoing call has its own timeout.
pub(super) async fn try_out(
    app: &Service,
    service: OutsideService,
    to: String,
) -> Result<TestResult, ApiError> {
    let result = match service {
        OutsideService::Sms => send(app, Channel::Sms, to).await,
        OutsideService::Mail => send(app, Channel::Mail, to).await,
        OutsideService::Phone => match &app.identity.phone {
            Some(phone) => Some(keys(phone.try_out().await)),
            None => None,
        },
        OutsideService::Oidc => app.identity.social.try_oidc().await.map(keys),
        OutsideService::Oauth => {
            app.identity.social.try_oauth().await.map(|answered| match answered {
                Ok(()) => TestResult { outcome: Outcome::Answered, detail: None },
                Err(error) => TestResult::failed(&error),
            })
        }
        OutsideService::Countries => app.config.geoip.is_open().then(|| find_country(app, &to)),
    };
    result.ok_or_else(|| ApiError::new(codes::NOT_CONFIGURED))
}

fn keys(found: Result<usize, HttpError>) -> TestResult {
    match found {
        Ok(count) => TestResult::new(Outcome::Keys, count),
        Err(error) => TestResult::failed(&error),
    }
}

async fn send(app: &Service, channel: Channel, to: String) -> Option<TestResult> {
    let letter = Letter { to, subject: SUBJECT.to_owned(), text: TEXT.to_owned() };
    let sent = app.outbox.try_out(channel, new_id(app.clock.now()), &letter).await?;
    Some(match sent {
        Ok(()) => TestResult { outcome: Outcome::Taken, detail: None },
        Err(DeliveryError::Later(reason)) => TestResult::new(Outcome::Later, reason),
        Err(DeliveryError::Never(reason)) => TestResult::new(Outcome::Refused, reason),
    })
}

fn find_country(app: &Service, address: &str) -> TestResult {
    let country = address.parse().ok().and_then(|address| app.config.geoip.country(address));
    match country {
        Some(country) => TestResult::new(Outcome::Country, country),
        None => TestResult { outcome: Outcome::NoCountry, detail: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_try_is_made_with_is_read_strictly() {
        let read = |service, to| read_target(service, to).ok();
        assert_eq!(read(OutsideService::Sms, "+63 917 123-4567").as_deref(), Some("+639171234567"));
        assert_eq!(read(OutsideService::Mail, " a@b.example ").as_deref(), Some("a@b.example"));
        assert_eq!(read(OutsideService::Countries, "1.1.1.1").as_deref(), Some("1.1.1.1"));
        assert_eq!(read(OutsideService::Oidc, "whatever").as_deref(), Some(""));
        for (service, bad) in [
            (OutsideService::Sms, ""),
            (OutsideService::Sms, "12"),
            (OutsideService::Sms, "a@b.example"),
            (OutsideService::Mail, ""),
            (OutsideService::Mail, "a@b"),
            (OutsideService::Mail, "a@b.example\r\nBcc: c@d.example"),
            (OutsideService::Mail, "@b.example"),
            (OutsideService::Countries, "nowhere"),
        ] {
            assert_eq!(read(service, bad), None, "{service:?} {bad}");
        }
    }
}
