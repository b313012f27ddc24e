//! Verification codes: six digits that prove that a number or an e-mail address is somebody's.
//!
//! Owns the tables `sessions_codes` and `sessions_sends`. Of a merchant,
//! purpose and destination one code is alive; it dies with its time, with its fifth try, or when
//! it is spent, and it is spent once whoever races for it. Neither codes nor destinations are
//! stored but as keyed hashes. A code costs the operator money, so that sending needs a proof of
//! work and stays within the limits of [`limits`]; using one needs no proof.
//!
//! Whoever asked for a code uses it: the browser, or the member. To another it is a wrong code, and
//! trying it is a try.
//!
//! Whether a number belongs to a member is not told: both get the same answer and a code in the
//! table, and only the member's is sent.

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

/// What a code is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To register with a number.
    Register,
    /// To log in without a password.
    Login,
    /// To choose a new password.
    Recovery,
    /// To give a member a new number or e-mail address.
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

    /// What a message with such a code is for.
    fn message(self) -> &'static str {
        match self {
            Self::Register => "sessions.register",
            Self::Login => "sessions.login",
            Self::Recovery => "sessions.recovery",
            Self::Bind => "sessions.bind",
        }
    }
}

/// Where a code goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A phone.
    Mobile(Mobile),
    /// An e-mail address, which the caller has found well formed.
    Email(String),
}

impl Destination {
    /// The one form in which it is compared.
    fn canonical(&self) -> String {
        match self {
            Self::Mobile(mobile) => mobile.e164().to_owned(),
            Self::Email(address) => address.trim().to_lowercase(),
        }
    }
}

/// Who asked for a code, and alone may use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// A browser, by the hash of its device secret.
    Browser([u8; 32]),
    /// A member, on whichever of its devices.
    Member(Uuid),
}

impl Asker {
    /// What kind it is, and which.
    fn parts(&self) -> [&[u8]; 2] {
        match self {
            Self::Browser(device_hash) => [b"browser", device_hash],
            Self::Member(id) => [b"member", id.as_bytes()],
        }
    }
}

/// Of whose code is spoken.
#[derive(Clone, Debug)]
struct Place {
    merchant_id: Uuid,
    purpose: Purpose,
    destination_hash: [u8; 32],
    asker: Asker,
}

impl Place {
    fn new(
        app: &Identity,
        merchant_id: Uuid,
        (purpose, asker): (Purpose, Asker),
        destination: &Destination,
    ) -> Self {
        let canonical = destination.canonical();
        let parts = [b"destination".as_slice(), merchant_id.as_bytes(), canonical.as_bytes()];
        Self { merchant_id, purpose, destination_hash: app.gates.codes.of(&parts), asker }
    }

    /// The hash of a code that is good here, for whoever asked for it, and nowhere else.
    fn code_hash(&self, app: &Identity, code: &str) -> [u8; 32] {
        let [kind, asker] = self.asker.parts();
        app.gates.codes.of(&[
            b"code",
            self.merchant_id.as_bytes(),
            self.purpose.name().as_bytes(),
            &self.destination_hash,
            kind,
            asker,
            code.as_bytes(),
        ])
    }
}

/// Reads a number as the forms send it.
pub fn read_mobile(dialing_code: &str, number: &str) -> Result<Mobile, ApiError> {
    Mobile::parse(dialing_code, number).map_err(|error| {
        ApiError::new(match error {
            PhoneError::Missing => codes::VERIFICATION_PHONE_MISSING,
            PhoneError::Invalid => codes::VERIFICATION_PHONE_INVALID,
        })
    })
}
