//! Affiliate applications: their fields, status and validation.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use platform::error::{ApiError, Bounds};
use platform::language::Language;
use platform::text;

const NAME: Bounds = Bounds { min: 2, max: 80 };
const CONTACT: Bounds = Bounds { min: 3, max: 120 };
const AUDIENCE: Bounds = Bounds { min: 2, max: 500 };
const MESSAGE: Bounds = Bounds { min: 0, max: 1_000 };
const ANSWER: Bounds = Bounds { min: 1, max: 2_000 };
/// Maximum length of an invitation or referral code.
const CODE_MAX: usize = 32;

/// How an applicant can be contacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum ContactKind {
    /// By e-mail.
    Email,
    /// By phone.
    Mobile,
    /// By the Telegram name.
    Telegram,
    /// By the WhatsApp number.
    Whatsapp,
}

impl ContactKind {
    /// As it is stored and on the wire.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Email => "EMAIL",
            Self::Mobile => "MOBILE",
            Self::Telegram => "TELEGRAM",
            Self::Whatsapp => "WHATSAPP",
        }
    }

    /// Whether the contact has the form of its kind. This finds typos and does not verify the
    /// contact.
    fn fits(self, contact: &str) -> bool {
        match self {
            Self::Email => contact.split_once('@').is_some_and(|(local, host)| {
                !local.is_empty() && host.contains('.') && !contact.contains(char::is_whitespace)
            }),
            Self::Mobile | Self::Whatsapp => {
                let digits = contact.bytes().filter(u8::is_ascii_digit).count();
                let is_part = |byte: u8| byte.is_ascii_digit() || b"+-() .".contains(&byte);
                (7..=15).contains(&digits) && contact.bytes().all(is_part)
            }
            Self::Telegram => !contact.contains(char::is_whitespace),
        }
    }
}

/// The status of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = ApplicationStatus)]
pub(super) enum Status {
    /// Not decided yet.
    Open,
    /// The office has accepted the application.
    Accepted,
    /// The office has refused the application.
    Refused,
}

impl Status {
    /// As it is stored and on the wire.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Open => "OPEN",
            Self::Accepted => "ACCEPTED",
            Self::Refused => "REFUSED",
        }
    }
}

/// A new application.
pub struct NewApplication {
    /// The merchant whose affiliate the applicant wants to become.
    pub merchant_id: Uuid,
    /// The member who applies; none for a visitor.
    pub asked_by: Option<Uuid>,
    /// The applicant's name.
    pub name: String,
    /// The kind of contact.
    pub contact_kind: ContactKind,
    /// The e-mail address, number or name of the contact.
    pub contact: String,
    /// The audience that the applicant reaches.
    pub audience: String,
    /// A free message; may be empty.
    pub message: String,
    /// The invitation code in the link that the applicant followed.
    pub affiliate_code: Option<String>,
    /// The code of the member who sent that link.
    pub referral_code: Option<String>,
    /// The language of the applicant's page.
    pub language: Language,
}

impl NewApplication {
    /// The validated and normalized application.
    pub(super) fn checked(self) -> Result<Self, ApiError> {
        let contact = text::line("contact", &self.contact, CONTACT)?;
        if !self.contact_kind.fits(&contact) {
            return Err(ApiError::fields([("contact", "pattern")]));
        }
        Ok(Self {
            name: text::line("name", &self.name, NAME)?,
            audience: text::lines("audience", &self.audience, AUDIENCE)?,
            message: text::lines("message", &self.message, MESSAGE)?,
            affiliate_code: code(self.affiliate_code.as_deref()),
            referral_code: code(self.referral_code.as_deref()),
            contact,
            ..self
        })
    }
}

/// Normalizes a code from a link. It is not looked up: the office sees whether it belongs to a
/// member. A malformed code is dropped, because it comes from a broken link that the applicant
/// cannot correct.
fn code(code: Option<&str>) -> Option<String> {
    let is_code = |code: &&str| {
        (1..=CODE_MAX).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    code.map(str::trim).filter(is_code).map(str::to_ascii_uppercase)
}

/// Validates an answer to an applicant.
pub(super) fn check_answer(answer: &str) -> Result<String, ApiError> {
    text::lines("answer", answer, ANSWER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_fit_their_kind() {
        for (kind, contact, fits) in [
            (ContactKind::Email, "ana@example.com", true),
            (ContactKind::Email, "ana example.com", false),
            (ContactKind::Email, "ana@example", false),
            (ContactKind::Mobile, "+63 917 123 4567", true),
            (ContactKind::Mobile, "call me", false),
            (ContactKind::Whatsapp, "12345", false),
            (ContactKind::Telegram, "@ana_reyes", true),
            (ContactKind::Telegram, "ana reyes", false),
        ] {
            assert_eq!(kind.fits(contact), fits, "{contact}");
        }
    }
}
