//! Social sign-up: the social provider says who the person is, so the person fills in no form and
//! chooses neither a username nor a password.

use capiz_rules::patterns::{Pattern, Shape};

use super::claims_store::{self, Identifiers};
use super::model::{Newcomer, Origin, Person};
use crate::Members;
use platform::error::ApiError;
use platform::secret::random_bytes;
use site::Merchant;

/// The shape of generated usernames, whatever the merchant's form requires of typed ones.
const USERNAME: Shape = Shape { min: 4, max: 16, pattern: Pattern::LetterFirst };

/// How many random digits are appended to a username that is taken.
const DIGITS: usize = 6;

/// How many usernames are tried. With 100,000 members of the same name, all tries fail once in a
/// hundred million sign-ups.
const TRIES: usize = 8;

/// The username's stem if the name has no usable characters.
const FALLBACK_STEM: &str = "guest";

/// What a social provider says about a person.
pub struct SocialSignup<'a> {
    /// The display name; may be empty.
    pub name: &'a str,
    /// An e-mail address that is known to be the person's own.
    pub email: Option<&'a str>,
}

/// Builds the registration of a social sign-up: a free username made from the name, and the e-mail
/// address if the merchant's form has one and nobody has verified it. The reservations decide when
/// the member is created; if a concurrent registration took the username or the address, call this
/// again.
pub async fn social_registration(
    app: &Members,
    merchant: &Merchant,
    signup: &SocialSignup<'_>,
) -> Result<Newcomer, ApiError> {
    let email =
        signup.email.filter(|email| accepts_email(merchant, email)).map(str::to_ascii_lowercase);
    let stem = stem_of(signup.name);
    let mut username = stem.clone();
    for _ in 0..TRIES {
        let identifiers = Identifiers {
            name: &username,
            mobile: None,
            email: email.as_deref(),
            is_email_verified: true,
        };
        let (is_name_taken, _, is_email_taken) =
            claims_store::find_taken(&app.db, merchant.id, &identifiers).await?;
        if !is_name_taken && USERNAME.check(&username).is_ok() {
            return Ok(newcomer(username, email.filter(|_| !is_email_taken)));
        }
        username = with_random_digits(&stem);
    }
    Err(ApiError::unavailable("no free username was found"))
}

fn accepts_email(merchant: &Merchant, email: &str) -> bool {
    let rule = merchant.register_rules.of("email");
    rule.enabled && rule.shape.check(email).is_ok() && Pattern::Email.fits(email)
}

fn newcomer(account: String, email: Option<String>) -> Newcomer {
    Newcomer {
        account,
        password: None,
        payment_password: None,
        // The display name may be the person's real name, and nicknames are public.
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
    if stem.is_empty() { FALLBACK_STEM.to_owned() } else { stem.to_ascii_lowercase() }
}

/// A username made of a stem and random digits.
pub(super) fn with_random_digits(stem: &str) -> String {
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
                assert_eq!(USERNAME.check(&with_random_digits(&stem_of(name))), Ok(()), "{name}");
            }
        }
    }
}
