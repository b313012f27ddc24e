//! The e-mail channel: delivery by SMTP.

use std::fmt;
use std::time::Duration;

use futures_util::future::BoxFuture;
use lettre::message::header::ContentType;
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use uuid::Uuid;

use super::{Deliver, DeliveryError, Letter};
use crate::secret::Secret;

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// The timeout of each SMTP command.
const STEP_TIME: Duration = Duration::from_secs(5);
/// The timeout of a whole delivery.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// The SMTP server and the sender address.
#[derive(Clone)]
pub struct MailSettings {
    transport: AsyncSmtpTransportBuilder,
    from: Mailbox,
}

/// Shows only the sender, because the transport holds a password.
impl fmt::Debug for MailSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MailSettings").field("from", &self.from).finish_non_exhaustive()
    }
}

impl MailSettings {
    /// Parses the URL and the sender. Only TLS or loopback, because messages contain codes:
    /// `smtps://`, `smtp://…?tls=required`, or `smtp://` to loopback.
    pub fn new(url: &Secret, from: &str) -> Result<Self, String> {
        let from = from.parse();
        let from: Mailbox = from.map_err(|_| {
            "CAPIZ_MAIL_FROM: expected an address such as `Capiz <no-reply@capiz.example>`"
                .to_owned()
        })?;
        // The error does not repeat the URL, because it holds a password.
        let expected = "CAPIZ_SMTP_URL: expected smtps://user:password@host, smtp://user:password@host?tls=required, or smtp:// on loopback";
        match Transport::from_url(url.reveal()) {
            Ok(transport) if is_allowed(url.reveal()) => Ok(Self { transport, from }),
            _ => Err(expected.to_owned()),
        }
    }

    /// The sender's e-mail address.
    pub fn sender(&self) -> String {
        self.from.email.to_string()
    }
}

fn is_allowed(url: &str) -> bool {
    let Some(address) = url.strip_prefix("smtp://") else { return url.starts_with("smtps://") };
    let (location, query) = address.split_once('?').unwrap_or((address, ""));
    let is_encrypted = query.split('&').any(|pair| pair == "tls=required");
    let authority = location.split('/').next().unwrap_or("");
    let host = authority.rsplit('@').next().unwrap_or("");
    let host = match host.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => host,
        _ => host,
    };
    is_encrypted || super::sms::is_loopback(host)
}

/// Delivers e-mail to an SMTP server.
pub struct SmtpMail {
    transport: Transport,
    from: Mailbox,
}

impl SmtpMail {
    /// A client for the configured server.
    pub fn new(settings: MailSettings) -> Self {
        let transport = settings.transport.timeout(Some(STEP_TIME)).build();
        Self { transport, from: settings.from }
    }

    fn message(&self, id: Uuid, letter: &Letter) -> Result<Message, DeliveryError> {
        let never = |reason: &str| DeliveryError::Never(reason.to_owned());
        let to: Mailbox = letter.to.parse().map_err(|_| never("the address cannot be read"))?;
        // The Message-ID is the same in every attempt, so that the recipient's server can
        // deduplicate.
        let message_id = format!("<{id}@{}>", self.from.email.domain());
        Message::builder()
            .from(self.from.clone())
            .to(to)
            .message_id(Some(message_id))
            .subject(letter.subject.clone())
            .header(ContentType::TEXT_PLAIN)
            .body(letter.text.clone())
            .map_err(|_| never("the message cannot be written"))
    }
}

impl Deliver for SmtpMail {
    fn deliver<'a>(
        &'a self,
        id: Uuid,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<(), DeliveryError>> {
        Box::pin(async move {
            let message = self.message(id, letter)?;
            let late = |_| DeliveryError::Later("the server took too long".to_owned());
            let sent = tokio::time::timeout(TIME_LIMIT, self.transport.send(message)).await;
            match sent.map_err(late)? {
                Ok(_) => Ok(()),
                // The server's reply may contain the recipient's address, so it is not logged.
                Err(error) if error.is_permanent() => {
                    Err(DeliveryError::Never("the server rejected it permanently".to_owned()))
                }
                Err(error) => {
                    let status = error.status().map(|status| status.to_string());
                    let reason = status.unwrap_or_else(|| "no SMTP status".to_owned());
                    Err(DeliveryError::Later(reason))
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(url: &str, from: &str) -> Result<MailSettings, String> {
        MailSettings::new(&Secret::new(url.to_owned()), from)
    }

    #[test]
    fn codes_leave_the_machine_only_encrypted() {
        let from = "Capiz <no-reply@capiz.example>";
        for good in [
            "smtps://u:p@mail.example",
            "smtp://u:p@mail.example:587?tls=required",
            "smtp://127.0.0.1:2525",
            "smtp://localhost",
        ] {
            assert!(settings(good, from).is_ok(), "{good}");
        }
        for bad in [
            "smtp://u:p@mail.example",
            "smtp://mail.example?tls=opportunistic",
            "smtp://127.0.0.1@mail.example",
            "https://mail.example",
        ] {
            let mistake = settings(bad, from).unwrap_err();
            assert!(!mistake.contains("u:p@mail.example"), "{mistake}");
        }
        assert!(settings("smtp://localhost", "nobody").is_err());
    }
}
