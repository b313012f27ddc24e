//! Configuration: reads the environment variables once at the start, and reports all mistakes
//! together.

mod providers;

use std::env::VarError;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

use platform::fail::FailPoints;
use platform::geoip::GeoIp;
use platform::outbox::{MailSettings, SmsSettings};
use platform::secret::{SECRET_MIN_LENGTH, Secret};
use platform::serve::Tls;
use platform::settings::Settings;
use platform::timeouts::Timeouts;

/// The configuration from the environment. Settings that change at run time are database rows.
#[derive(Clone, Debug)]
pub struct Config {
    /// The platform's settings.
    pub platform: Settings,
    /// Identity providers: social login and phone verification.
    pub identity: identity::Settings,
    /// The listen address of the back office, which is an origin of its own.
    pub office_listen: SocketAddr,
    /// The listen address of health and metrics, if enabled.
    pub metrics_listen: Option<SocketAddr>,
    /// The data directory: private database, secret, self-signed certificate.
    pub data: PathBuf,
    /// The URL of an external PostgreSQL; without it a private one is started.
    pub database_url: Option<Secret>,
    /// The root of all derived keys. Generated on the first start if the database is private.
    pub secret: Option<Secret>,
    /// The number of parallel lanes of the ledger writer; the default depends on the machine.
    pub lanes: Option<usize>,
    /// Whether an empty private database gets demo data.
    pub demo: bool,
    /// Whether logs are JSON lines instead of text.
    pub log_json: bool,
}

/// All variables that the server reads, for `.env.example` and its test.
pub const VARIABLES: &[&str] = &[
    "CAPIZ_LISTEN",
    "CAPIZ_OFFICE_LISTEN",
    "CAPIZ_METRICS_LISTEN",
    "CAPIZ_DATA",
    "DATABASE_URL",
    "CAPIZ_SECRET",
    "CAPIZ_TRUSTED_PROXIES",
    "CAPIZ_COUNTRIES",
    "CAPIZ_TLS_CERT",
    "CAPIZ_TLS_KEY",
    "CAPIZ_SMS_URL",
    "CAPIZ_SMS_TOKEN",
    "CAPIZ_SMTP_URL",
    "CAPIZ_MAIL_FROM",
    "CAPIZ_OIDC_NAME",
    "CAPIZ_OIDC_ISSUER",
    "CAPIZ_OIDC_CLIENT_ID",
    "CAPIZ_OIDC_CLIENT_SECRET",
    "CAPIZ_OAUTH_NAME",
    "CAPIZ_OAUTH_AUTHORIZE_URL",
    "CAPIZ_OAUTH_TOKEN_URL",
    "CAPIZ_OAUTH_USER_URL",
    "CAPIZ_OAUTH_CLIENT_ID",
    "CAPIZ_OAUTH_CLIENT_SECRET",
    "CAPIZ_OAUTH_SCOPE",
    "CAPIZ_OAUTH_ID_FIELD",
    "CAPIZ_OAUTH_NAME_FIELD",
    "CAPIZ_OAUTH_EMAIL_FIELD",
    "CAPIZ_OAUTH_VERIFIED_FIELD",
    "CAPIZ_PHONE_ISSUER",
    "CAPIZ_PHONE_AUDIENCE",
    "CAPIZ_PHONE_KEYS_URL",
    "CAPIZ_PHONE_PAGE_URL",
    "CAPIZ_PATIENCE",
    "CAPIZ_LANES",
    "CAPIZ_DEMO",
    "CAPIZ_LOG",
    "RUST_LOG",
    "CAPIZ_FAIL",
    "CAPIZ_FAIL_SEED",
];

/// All mistakes in the environment, one sentence each.
#[derive(Debug, thiserror::Error)]
#[error("The environment has mistakes:\n  - {}", .0.join("\n  - "))]
pub struct ConfigErrors(pub Vec<String>);

impl Config {
    /// Reads the configuration from the process environment.
    pub fn from_env() -> Result<Self, ConfigErrors> {
        let unreadable: Vec<_> = VARIABLES
            .iter()
            .filter(|name| matches!(std::env::var(name), Err(VarError::NotUnicode(_))))
            .map(|name| format!("{name}: is not readable text"))
            .collect();
        if !unreadable.is_empty() {
            return Err(ConfigErrors(unreadable));
        }
        Self::parse(|name| std::env::var(name).ok())
    }

    /// Reads the configuration through a lookup function; empty values count as absent.
    pub fn parse(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigErrors> {
        let lookup = |name: &str| lookup(name).filter(|value| !value.trim().is_empty());
        let mut reader = Reader { lookup: &lookup, mistakes: Vec::new() };
        let config = Self {
            platform: Settings {
                listen: reader.address("CAPIZ_LISTEN", "127.0.0.1:8080"),
                trusted_proxies: reader.proxies(),
                geoip: reader.geoip(),
                tls: reader.tls(),
                sms: reader.sms(),
                mail: reader.mail(),
                timeouts: reader.timeouts(),
                fail: reader.fail_points(),
            },
            identity: identity::Settings {
                oidc: reader.oidc(),
                oauth: reader.oauth(),
                phone: reader.phone(),
            },
            office_listen: reader.address("CAPIZ_OFFICE_LISTEN", "127.0.0.1:8081"),
            metrics_listen: reader.metrics_address(),
            data: lookup("CAPIZ_DATA").unwrap_or_else(|| "var".to_owned()).into(),
            database_url: lookup("DATABASE_URL").map(Secret::new),
            secret: reader.secret(),
            lanes: reader.lanes(),
            demo: reader.flag("CAPIZ_DEMO", true),
            log_json: reader.log_json(),
        };
        if reader.mistakes.is_empty() { Ok(config) } else { Err(ConfigErrors(reader.mistakes)) }
    }
}

/// Reads and validates variables, and collects the mistakes.
struct Reader<'a> {
    lookup: &'a dyn Fn(&str) -> Option<String>,
    mistakes: Vec<String>,
}

impl Reader<'_> {
    fn address(&mut self, name: &str, default: &str) -> SocketAddr {
        let text = (self.lookup)(name).unwrap_or_else(|| default.to_owned());
        self.parse_address(name, &text)
    }

    fn parse_address(&mut self, name: &str, text: &str) -> SocketAddr {
        text.parse().unwrap_or_else(|_| {
            self.mistakes
                .push(format!("{name}={text}: expected an address such as 127.0.0.1:8080"));
            SocketAddr::from(([127, 0, 0, 1], 0))
        })
    }

    fn metrics_address(&mut self) -> Option<SocketAddr> {
        let name = "CAPIZ_METRICS_LISTEN";
        match (self.lookup)(name).as_deref() {
            None => Some(SocketAddr::from(([127, 0, 0, 1], 9090))),
            Some("off") => None,
            Some(text) => Some(self.parse_address(name, text)),
        }
    }

    fn secret(&mut self) -> Option<Secret> {
        let secret = (self.lookup)("CAPIZ_SECRET");
        match &secret {
            Some(text) if text.len() < SECRET_MIN_LENGTH => self.mistakes.push(format!(
                "CAPIZ_SECRET: at least {SECRET_MIN_LENGTH} characters are needed, for example from `openssl rand -hex 32`"
            )),
            None if (self.lookup)("DATABASE_URL").is_some() => self.mistakes.push(
                "CAPIZ_SECRET: required together with DATABASE_URL, and the same on every node".to_owned(),
            ),
            _ => {}
        }
        secret.map(Secret::new)
    }

    fn proxies(&mut self) -> Vec<IpAddr> {
        let text = (self.lookup)("CAPIZ_TRUSTED_PROXIES").unwrap_or_default();
        let mut addresses = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            match part.parse() {
                Ok(address) => addresses.push(address),
                Err(_) => self
                    .mistakes
                    .push(format!("CAPIZ_TRUSTED_PROXIES: {part} is not an IP address")),
            }
        }
        addresses
    }

    fn timeouts(&mut self) -> Timeouts {
        let name = "CAPIZ_PATIENCE";
        let Some(text) = (self.lookup)(name) else { return Timeouts::default() };
        match text.parse() {
            Ok(seconds @ 1..=600) => Timeouts::of_seconds(seconds),
            _ => {
                self.mistakes.push(format!("{name}={text}: expected 1 to 600 seconds"));
                Timeouts::default()
            }
        }
    }

    fn lanes(&mut self) -> Option<usize> {
        let name = "CAPIZ_LANES";
        let text = (self.lookup)(name)?;
        match text.parse() {
            Ok(lanes @ 1..=64) => Some(lanes),
            _ => {
                self.mistakes.push(format!("{name}={text}: expected 1 to 64"));
                None
            }
        }
    }

    fn geoip(&mut self) -> GeoIp {
        let Some(path) = (self.lookup)("CAPIZ_COUNTRIES") else { return GeoIp::default() };
        GeoIp::open(path.as_ref()).unwrap_or_else(|error| {
            self.mistakes.push(format!("CAPIZ_COUNTRIES={path}: {error}"));
            GeoIp::default()
        })
    }

    fn tls(&mut self) -> Tls {
        match ((self.lookup)("CAPIZ_TLS_CERT"), (self.lookup)("CAPIZ_TLS_KEY")) {
            (None, None) => Tls::Off,
            (Some(cert), None) if cert == "self-signed" => Tls::SelfSigned,
            (Some(cert), Some(key)) => Tls::Files { cert: cert.into(), key: key.into() },
            _ => {
                self.mistakes.push(
                    "CAPIZ_TLS_CERT and CAPIZ_TLS_KEY: give both, or CAPIZ_TLS_CERT=self-signed alone"
                        .to_owned(),
                );
                Tls::Off
            }
        }
    }

    fn sms(&mut self) -> Option<SmsSettings> {
        let token = (self.lookup)("CAPIZ_SMS_TOKEN").map(Secret::new);
        let Some(url) = (self.lookup)("CAPIZ_SMS_URL") else {
            if token.is_some() {
                self.mistakes.push("CAPIZ_SMS_TOKEN: set CAPIZ_SMS_URL too".into());
            }
            return None;
        };
        let settings = SmsSettings::new(&url, token);
        settings.map_err(|mistake| self.mistakes.push(format!("CAPIZ_SMS_URL: {mistake}"))).ok()
    }

    fn mail(&mut self) -> Option<MailSettings> {
        match ((self.lookup)("CAPIZ_SMTP_URL"), (self.lookup)("CAPIZ_MAIL_FROM")) {
            (None, None) => None,
            (Some(url), Some(from)) => {
                let settings = MailSettings::new(&Secret::new(url), &from);
                settings.map_err(|mistake| self.mistakes.push(mistake)).ok()
            }
            _ => {
                self.mistakes.push("CAPIZ_SMTP_URL and CAPIZ_MAIL_FROM: give both".to_owned());
                None
            }
        }
    }

    fn flag(&mut self, name: &str, default: bool) -> bool {
        match (self.lookup)(name).as_deref() {
            None => default,
            Some("1" | "true") => true,
            Some("0" | "false") => false,
            Some(text) => {
                self.mistakes.push(format!("{name}={text}: expected 1 or 0"));
                default
            }
        }
    }

    fn log_json(&mut self) -> bool {
        match (self.lookup)("CAPIZ_LOG").as_deref() {
            None | Some("text") => false,
            Some("json") => true,
            Some(text) => {
                self.mistakes.push(format!("CAPIZ_LOG={text}: expected text or json"));
                false
            }
        }
    }

    fn fail_points(&mut self) -> FailPoints {
        let Some(text) = (self.lookup)("CAPIZ_FAIL") else { return FailPoints::default() };
        let seed = self.fail_seed();
        FailPoints::seeded(&text, seed).unwrap_or_else(|mistake| {
            self.mistakes.push(format!("CAPIZ_FAIL: {mistake}"));
            FailPoints::default()
        })
    }

    fn fail_seed(&mut self) -> u64 {
        let text = (self.lookup)("CAPIZ_FAIL_SEED").unwrap_or_else(|| "0".to_owned());
        text.parse().unwrap_or_else(|_| {
            self.mistakes.push(format!("CAPIZ_FAIL_SEED={text}: expected a number"));
            0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(pairs: &[(&str, &str)]) -> Result<Config, ConfigErrors> {
        Config::parse(|name| {
            pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn defaults_need_nothing() {
        let config = parse(&[]).unwrap();
        assert_eq!(config.platform.listen.to_string(), "127.0.0.1:8080");
        assert!(config.demo && config.database_url.is_none());
    }

    #[test]
    fn all_mistakes_are_reported_at_once() {
        let errors = parse(&[
            ("CAPIZ_LISTEN", "here"),
            ("CAPIZ_DEMO", "maybe"),
            ("DATABASE_URL", "postgres://x"),
            ("CAPIZ_TRUSTED_PROXIES", "10.0.0.1, proxy"),
            ("CAPIZ_COUNTRIES", "/nowhere.mmdb"),
            ("CAPIZ_PATIENCE", "0"),
            ("CAPIZ_LANES", "0"),
            ("CAPIZ_TLS_KEY", "key.pem"),
            ("CAPIZ_LOG", "xml"),
            ("CAPIZ_SMS_URL", "http://sms.example/send"),
            ("CAPIZ_SMTP_URL", "smtp://localhost"),
            ("CAPIZ_FAIL", "wallet.locked=stop"),
            ("CAPIZ_FAIL_SEED", "seven"),
        ])
        .unwrap_err();
        assert_eq!(errors.0.len(), 13, "{errors}");
    }

    #[test]
    fn secrets_do_not_show_in_debug_output() {
        let secret = "0123456789abcdef0123456789abcdef";
        let smtp = format!("smtps://capiz:{secret}@mail.example");
        let config = parse(&[
            ("CAPIZ_SECRET", secret),
            ("CAPIZ_SMS_URL", "https://sms.example/send"),
            ("CAPIZ_SMS_TOKEN", secret),
            ("CAPIZ_SMTP_URL", &smtp),
            ("CAPIZ_MAIL_FROM", "Capiz <no-reply@capiz.example>"),
        ])
        .unwrap();
        assert!(config.platform.sms.is_some() && config.platform.mail.is_some());
        assert!(!format!("{config:?}").contains(secret));
    }
}
