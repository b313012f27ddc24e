//! What an application is.

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
/// More characters than any code has.
const CODE_MAX: usize = 32;

/// How an applicant is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum ContactKind {
    /// By e-mail.
    Email,
    /// By phone.
    Mobile,
    /// By its name there.
    Telegram,
    /// By its number there.
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

    /// Whether somebody could be reached so. A slip of the finger is found; nothing is proved.
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

/// What became of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = ApplicationStatus)]
pub(super) enum Status {
    /// Nobody has decided.
    Open,
    /// The house wants to work with the applicant.
    Accepted,
    /// It does not.
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

/// An application that somebody makes.
pub struct NewApplication {
    /// Whose affiliate the applicant wants to be.
    pub merchant_id: Uuid,
    /// The member who asks; nobody's where it is a visitor.
    pub asked_by: Option<Uuid>,
    /// What the applicant is called.
    pub name: String,
    /// How the applicant is reached.
    pub contact_kind: ContactKind,
    /// Where.
    pub contact: String,
    /// Whom the applicant reaches.
    pub audience: String,
    /// What the applicant wants to say besides.
    pub message: String,
    /// The invitation code in the link that the applicant came by.
    pub affiliate_code: Option<String>,
    /// The code of the member who sent that link.
    pub referral_code: Option<String>,
    /// What the applicant reads.
    pub language: Language,
}

impl NewApplication {
    /// The same as it is kept, if it can be.
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

/// A code of a link, as codes are written. Whether it is anybody's is for the office to see; what can
/// be no code came from a mangled link, which the applicant cannot mend.
fn code(code: Option<&str>) -> Option<String> {
    let is_code = |code: &&str| {
        (1..=CODE_MAX).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    code.map(str::trim).filter(is_code).map(str::to_ascii_uppercase)
}

/// An answer, as it is kept; whoever is accepted may be told in person.
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
