//! Members who come from elsewhere: somebody else says who they are, so they choose neither a
//! username nor a password.

use capiz_rules::patterns::{Pattern, Shape};

use super::claims_store::{self, Wanted};
use super::model::{Newcomer, Origin, Person};
use crate::Members;
use platform::error::ApiError;
use platform::secret::random_bytes;
use site::Merchant;

/// What such a username looks like, whatever the merchant's form asks of those who choose one.
const USERNAME: Shape = Shape { min: 4, max: 16, pattern: Pattern::LetterFirst };

/// Digits that tell namesakes apart.
const DIGITS: usize = 6;

/// How many names are tried. A hundred thousand namesakes are turned away all these times once in
/// a hundred million.
const TRIES: usize = 8;

/// The beginning of a username whose owner has no name that fits.
const NAMELESS: &str = "guest";

/// Whom somebody else has told us of.
pub struct Stranger<'a> {
    /// What others call the person; may be empty.
    pub name: &'a str,
    /// An address that is known to be the person's own.
    pub email: Option<&'a str>,
}

/// The form of a stranger, as if it had been filled in: with a free username made from the name,
/// and with the address if the merchant wants to know it and nobody has verified it. The reservations
/// decide when the member is made; where somebody was faster, introduce the stranger again.
pub async fn introduce(
    app: &Members,
    merchant: &Merchant,
    stranger: &Stranger<'_>,
) -> Result<Newcomer, ApiError> {
    let email = stranger.email.filter(|email| wants(merchant, email)).map(str::to_ascii_lowercase);
    let stem = stem_of(stranger.name);
    let mut username = stem.clone();
    for _ in 0..TRIES {
        let wanted =
            Wanted { name: &username, mobile: None, email: email.as_deref(), proves_email: true };
        let (is_name_taken, _, is_email_taken) =
            claims_store::find_taken(&app.db, merchant.id, &wanted).await?;
        if !is_name_taken && USERNAME.check(&username).is_ok() {
            return Ok(form(username, email.filter(|_| !is_email_taken)));
        }
        username = numbered(&stem);
    }
    Err(ApiError::unavailable("no free username was found"))
}

fn wants(merchant: &Merchant, email: &str) -> bool {
    let rule = merchant.register_rules.of("email");
    rule.enabled && rule.shape.check(email).is_ok() && Pattern::Email.fits(email)
}

fn form(account: String, email: Option<String>) -> Newcomer {
    Newcomer {
        account,
        password: None,
        payment_password: None,
        // What others call the person may be its real name, and nicknames are shown to everybody.
        nickname: None,
        number: None,
        email,
        affiliate_code: None,
        referral_code: None,
        recommender: None,
        captcha: None,
        human: None,
        person: Person::default(),
        origin: Origin { method: Some("SOCIAL".to_owned()), ..Origin::default() },
    }
}

/// The letters and digits of a name in lower case, from the first letter on.
fn stem_of(name: &str) -> String {
    let fitting = name.chars().filter(char::is_ascii_alphanumeric);
    let from_letter = fitting.skip_while(|c| !c.is_ascii_alphabetic());
    let stem: String = from_letter.take(USERNAME.max).collect();
    if stem.is_empty() { NAMELESS.to_owned() } else { stem.to_ascii_lowercase() }
}

/// A username for somebody whose own is taken.
pub(super) fn numbered(stem: &str) -> String {
    let number = u32::from_be_bytes(random_bytes()) % 10_u32.pow(6);
    let stem = &stem[..stem.len().min(USERNAME.max - DIGITS)];
    format!("{stem}{number:0DIGITS$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usernames_are_made_from_any_name() {
        let cases = [
            ("Maria Clara", "mariaclara"),
            ("  José Rizal ", "josrizal"),
            ("42 Juan de la Cruz y Bonifacio", "juandelacruzybon"),
            ("Li", "li"),
            ("李小龍", "guest"),
            ("", "guest"),
            ("123", "guest"),
        ];
        for (name, stem) in cases {
            assert_eq!(stem_of(name), stem, "{name}");
            for _ in 0..100 {
                assert_eq!(USERNAME.check(&numbered(&stem_of(name))), Ok(()), "{name}");
            }
        }
    }
}
