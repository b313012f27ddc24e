//! Session tokens and the session model.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use capiz_rules::money::Currency;
use chrono::{DateTime, Duration, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use members::MemberKind;
use platform::secret::random_bytes;

/// Idle timeout: after this long without a request the member must log in again.
pub(crate) const IDLE: Duration = Duration::minutes(15);

/// The longest life of a session, whether it is used or not.
pub(crate) const LIFE: Duration = Duration::hours(12);

/// How long the old token stays valid after a new one was issued: for requests in progress, and
/// until the push socket has sent the new token.
pub(crate) const TOKEN_GRACE: Duration = Duration::seconds(10);

/// How often the time of the last request is written to the database.
pub(crate) const SEEN_EVERY: Duration = Duration::minutes(1);

const ID_BYTES: usize = 16;
const SECRET_BYTES: usize = 32;

/// A session token: the member's id, by which the member's shard is found, and 256 random bits.
pub(crate) struct Token {
    pub(crate) member_id: Uuid,
    secret: [u8; SECRET_BYTES],
    hash: [u8; 32],
}

impl Token {
    pub(crate) fn new(member_id: Uuid) -> Self {
        Self::of(member_id, random_bytes())
    }

    fn of(member_id: Uuid, secret: [u8; SECRET_BYTES]) -> Self {
        Self { member_id, secret, hash: Sha256::digest(secret).into() }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0; ID_BYTES + SECRET_BYTES];
        let length = BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
        let (id, secret) = bytes[..length].split_at_checked(ID_BYTES)?;
        Some(Self::of(Uuid::from_slice(id).ok()?, secret.try_into().ok()?))
    }

    pub(crate) fn text(&self) -> String {
        let bytes = [self.member_id.as_bytes().as_slice(), &self.secret].concat();
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    pub(crate) fn hash(&self) -> &[u8; 32] {
        &self.hash
    }

    /// The same secret with another member's id, as an attacker would forge it.
    #[cfg(test)]
    pub(crate) fn of_member(&self, member_id: Uuid) -> Self {
        Self::of(member_id, self.secret)
    }
}

/// How a member logged in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Method {
    Register,
    Username,
    FreePlay,
    /// By a code that was sent to the phone.
    Sms,
    /// By a new password after account recovery.
    Recovery,
    /// Through a social provider.
    Social,
    /// Through the service that verifies phone numbers.
    Phone,
}

impl Method {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Username => "username",
            Self::FreePlay => "freeplay",
            Self::Sms => "sms",
            Self::Recovery => "recovery",
            Self::Social => "social",
            Self::Phone => "phone",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let all = [
            Self::Register,
            Self::Username,
            Self::FreePlay,
            Self::Sms,
            Self::Recovery,
            Self::Social,
            Self::Phone,
        ];
        all.into_iter().find(|method| method.as_str() == text)
    }
}

/// Which second factor was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    /// A code of the authenticator app.
    App,
    /// A recovery code.
    Recovery,
}

impl Factor {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Recovery => "recovery",
        }
    }
}

const DEVICE_BYTES: usize = 16;

/// The public id of a session: the first half of the token hash, which grants no access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DeviceId([u8; DEVICE_BYTES]);

impl DeviceId {
    pub(crate) fn of(hash: &[u8; 32]) -> Self {
        let (half, _) = hash.split_at(DEVICE_BYTES);
        Self(half.try_into().expect("half of 32 bytes are 16"))
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

impl FromStr for DeviceId {
    type Err = hex::FromHexError;

    fn from_str(text: &str) -> Result<Self, hex::FromHexError> {
        let mut bytes = [0; DEVICE_BYTES];
        hex::decode_to_slice(text, &mut bytes)?;
        Ok(Self(bytes))
    }
}

/// A live session as it is stored.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    pub(crate) merchant_id: Uuid,
    pub(crate) kind: MemberKind,
    pub(crate) currency: Currency,
    /// Whether the member's registration was incomplete when the session began.
    pub(crate) to_complete: bool,
    /// Whether a new password is required before the member can play.
    pub(crate) must_change: bool,
    pub(crate) started_at: DateTime<Utc>,
    pub(crate) seen_at: DateTime<Utc>,
    pub(crate) ends_at: DateTime<Utc>,
}

impl Session {
    /// Whether it has neither expired nor been idle for too long.
    pub(crate) fn is_live(&self, now: DateTime<Utc>) -> bool {
        self.expires_at() > now
    }

    /// When it ends without a further request.
    pub(crate) fn expires_at(&self) -> DateTime<Utc> {
        self.ends_at.min(self.seen_at + IDLE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_its_text_form() {
        let token = Token::new(Uuid::from_u128(7));
        let again = Token::parse(&token.text()).unwrap();
        assert_eq!((again.member_id, again.hash()), (token.member_id, token.hash()));
    }

    #[test]
    fn malformed_tokens_are_none() {
        let long = Token::new(Uuid::nil()).text() + "AAAA";
        for text in ["", "A", "*", "AAAA", &long, &"A".repeat(10_000)] {
            assert!(Token::parse(text).is_none(), "{text}");
        }
    }
}
