//! Verification codes: six digits that prove that a phone number or an e-mail address belongs to
//! somebody.
//!
//! Owns the tables `sessions_codes` and `sessions_sends`. Per merchant, purpose and destination one
//! code is valid. It ends when it expires, with its fifth attempt, or when it is spent, which only
//! one of several concurrent requests can do. Codes and destinations are stored only as keyed
//! hashes. Sending a code costs the operator money, so it needs a proof of work and is limited by
//! [`limits`]; using one needs no proof of work.
//!
//! A code works only for the browser or the member that requested it. For anybody else it is a
//! wrong code and counts as an attempt.
//!
//! The answer does not reveal whether a number belongs to a member: in both cases the request
//! writes a code, but only a member's code is sent.

mod check;
pub(super) mod http;
mod limits;
mod send;
mod store;
mod texts;

use uuid::Uuid;

pub use check::{Proof, check, spend};
pub use send::{Sent, send};

use crate::Identity;
use crate::codes;
use platform::error::ApiError;
use platform::phone::{Mobile, PhoneError};

/// What a code is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Registration with a phone number.
    Register,
    /// Login without a password.
    Login,
    /// A new password after account recovery.
    Recovery,
    /// Binding a phone number or an e-mail address to a member.
    Bind,
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Login => "login",
            Self::Recovery => "recovery",
            Self::Bind => "bind",
        }
    }

    /// The purpose of the message in the outbox.
    fn message(self) -> &'static str {
        match self {
            Self::Register => "sessions.register",
            Self::Login => "sessions.login",
            Self::Recovery => "sessions.recovery",
            Self::Bind => "sessions.bind",
        }
    }
}

/// The destination of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A phone.
    Mobile(Mobile),
    /// An e-mail address, validated by the caller.
    Email(String),
}

impl Destination {
    /// The canonical form, in which destinations are compared.
    fn canonical(&self) -> String {
        match self {
            Self::Mobile(mobile) => mobile.e164().to_owned(),
            Self::Email(address) => address.trim().to_lowercase(),
        }
    }
}

/// Who requested a code. Only the requester can use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requester {
    /// A browser, by the hash of its device secret.
    Browser([u8; 32]),
    /// A member, on any device.
    Member(Uuid),
}

impl Requester {
    /// The kind and the id, for the hash of a code.
    fn parts(&self) -> [&[u8]; 2] {
        match self {
            Self::Browser(device_hash) => [b"browser", device_hash],
            Self::Member(id) => [b"member", id.as_bytes()],
        }
    }
}

/// What a code is bound to: merchant, purpose, destination and requester.
#[derive(Clone, Debug)]
struct CodeScope {
    merchant_id: Uuid,
    purpose: Purpose,
    destination_hash: [u8; 32],
    requester: Requester,
}

impl CodeScope {
    fn new(
        app: &Identity,
        merchant_id: Uuid,
        (purpose, requester): (Purpose, Requester),
        destination: &Destination,
    ) -> Self {
        let canonical = destination.canonical();
        let parts = [b"destination".as_slice(), merchant_id.as_bytes(), canonical.as_bytes()];
        Self { merchant_id, purpose, destination_hash: app.gates.codes.of(&parts), requester }
    }

    /// The keyed hash of a code with everything that it is bound to.
    fn code_hash(&self, app: &Identity, code: &str) -> [u8; 32] {
        let [kind, requester] = self.requester.parts();
        app.gates.codes.of(&[
            b"code",
            self.merchant_id.as_bytes(),
            self.purpose.name().as_bytes(),
            &self.destination_hash,
            kind,
            requester,
            code.as_bytes(),
        ])
    }
}

/// Parses a phone number from a form.
pub fn read_mobile(dialing_code: &str, number: &str) -> Result<Mobile, ApiError> {
    Mobile::parse(dialing_code, number).map_err(|error| {
        ApiError::new(match error {
            PhoneError::Missing => codes::VERIFICATION_PHONE_MISSING,
            PhoneError::Invalid => codes::VERIFICATION_PHONE_INVALID,
        })
    })
}
