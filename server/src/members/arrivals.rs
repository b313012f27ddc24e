//! Members who come from elsewhere: without a password, under a name that is made for them.

use std::sync::Arc;

use capiz_rules::names::{self, USERNAME_MAX};
use chrono::{DateTime, Utc};
use sqlx::PgTransaction;

use super::model::{MemberKind, NewMember, Profile};
use super::store;
use crate::platform::error::ApiError;
use crate::platform::ids::new_id;
use crate::platform::secret::random_bytes;
use crate::site::Merchant;

/// Digits that tell namesakes apart.
const DIGITS: usize = 6;

/// How many names are tried. A million namesakes share a name's beginning before two of them
/// are likely to meet this often.
const TRIES: usize = 8;

/// The beginning of a username whose owner has no name that fits.
const NAMELESS: &str = "guest";

/// Makes a member of a merchant who has no password and so cannot log in by username. The
/// username is made from the name that somebody else calls the member by.
pub async fn create_without_password(
    tx: &mut PgTransaction<'static>,
    merchant: &Arc<Merchant>,
    name: &str,
    now: DateTime<Utc>,
) -> Result<NewMember, ApiError> {
    let id = new_id(now);
    let stem = stem_of(name);
    let mut username = stem.clone();
    for _ in 0..TRIES {
        let is_fit = names::check_username(&username).is_ok();
        if is_fit && store::insert_name(tx, merchant.id, &username, id).await? {
            let profile = Profile {
                id,
                merchant_id: merchant.id,
                nickname: username.clone(),
                account: username,
                kind: MemberKind::Member,
                currency: merchant.currency,
                registered_at: now,
            };
            store::insert_profile(tx, &profile).await?;
            return Ok(NewMember { profile, merchant: Arc::clone(merchant) });
        }
        username = numbered(&stem);
    }
    Err(ApiError::unavailable("no free username was found"))
}

/// The letters and digits of a name in lower case, from the first letter on.
fn stem_of(name: &str) -> String {
    let fitting = name.chars().filter(char::is_ascii_alphanumeric);
    let from_letter = fitting.skip_while(|c| !c.is_ascii_alphabetic());
    let stem: String = from_letter.take(USERNAME_MAX).collect();
    if stem.is_empty() { NAMELESS.to_owned() } else { stem.to_ascii_lowercase() }
}

fn numbered(stem: &str) -> String {
    let number = u32::from_be_bytes(random_bytes()) % 10_u32.pow(6);
    let stem = &stem[..stem.len().min(USERNAME_MAX - DIGITS)];
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
                assert_eq!(names::check_username(&numbered(&stem_of(name))), Ok(()), "{name}");
            }
        }
    }
}
