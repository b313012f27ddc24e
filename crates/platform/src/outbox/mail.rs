//! E-mail by SMTP.

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

/// How long each step of the conversation may take.
const STEP_TIME: Duration = Duration::from_secs(5);
/// How long the whole of it may take.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Where e-mail is handed in, and who it is from.
#[derive(Clone)]
pub struct MailSettings {
    transport: AsyncSmtpTransportBuilder,
    from: Mailbox,
}

/// The rest of it holds a password.
impl fmt::Debug for MailSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MailSettings").field("from", &self.from).finish_non_exhaustive()
    }
}

impl MailSettings {
    /// Reads the URL and the sender. Encrypted, or to this machine itself: `smtps://`, or
    /// `smtp://…?tls=required`, or `smtp://` on loopback.
    pub fn new(url: &Secret, from: &str) -> Result<Self, String> {
        let from = from.parse();
        let from: Mailbox = from.map_err(|_| {
            "CAPIZ_MAIL_FROM: expected an address such as `Capiz <no-reply@capiz.example>`"
                .to_owned()
        })?;
        // The URL holds a password, so it is not repeated in the mistake.
        let expected = "CAPIZ_SMTP_URL: expected smtps://user:password@host, smtp://user:password@host?tls=required, or smtp:// on loopback";
        match Transport::from_url(url.reveal()) {
            Ok(transport) if is_allowed(url.reveal()) => Ok(Self { transport, from }),
            _ => Err(expected.to_owned()),
        }
    }

    /// Who the mail is from.
    pub fn sender(&self) -> String {
        self.from.email.to_string()
    }
}

fn is_allowed(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("smtp://") else { return url.starts_with("smtps://") };
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let is_encrypted = query.split('&').any(|pair| pair == "tls=required");
    let authority = place.split('/').next().unwrap_or("");
    let host = authority.rsplit('@').next().unwrap_or("");
    let host = match host.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => host,
        _ => host,
    };
    is_encrypted || super::sms::is_loopback(host)
}

/// Hands e-mail to an SMTP server.
pub struct SmtpMail {
    transport: Transport,
    from: Mailbox,
}

impl SmtpMail {
    /// A client for the server.
    pub fn new(settings: MailSettings) -> Self {
        let transport = settings.transport.timeout(Some(STEP_TIME)).build();
        Self { transport, from: settings.from }
    }

    fn message(&self, id: Uuid, letter: &Letter) -> Result<Message, DeliveryError> {
        let never = |reason: &str| DeliveryError::Never(reason.to_owned());
        let to: Mailbox = letter.to.parse().map_err(|_| never("the address cannot be read"))?;
        // Every attempt has the same id, so that the other side can tell a repetition.
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
                // What the server says may repeat the address, so only its kind is told.
                Err(error) if error.is_permanent() => {
                    Err(DeliveryError::Never("the server refused it for good".to_owned()))
                }
                Err(error) => {
                    let status = error.status().map(|status| status.to_string());
                    let reason = status.unwrap_or_else(|| "no conversation".to_owned());
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
