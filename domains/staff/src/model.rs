//! Staff accounts, staff sessions, and their time limits.

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use super::rights::Right;
use crate::codes;
use platform::error::ApiError;

/// Idle timeout of a session: how long it lasts without a request.
pub(super) const IDLE: Duration = Duration::minutes(15);

/// Absolute lifetime of a session.
pub(super) const LIFE: Duration = Duration::hours(12);

/// How long a temporary password is valid.
pub(super) const FIRST_PASSWORD: Duration = Duration::days(3);

/// How long a re-authentication allows sensitive actions. Login counts as one.
pub(super) const RECENT: Duration = Duration::minutes(10);

/// How often requests update `seen_at`, which the idle timeout counts from.
pub(super) const SEEN_EVERY: Duration = Duration::minutes(1);

/// A staff account.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) id: Uuid,
    pub(super) username: String,
    pub(super) name: String,
    pub(super) is_active: bool,
    pub(super) roles: Vec<String>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) last_login_at: Option<DateTime<Utc>>,
    /// Whether the password is temporary: until it is changed the account has no rights.
    pub(super) must_change: bool,
}

/// The secrets for a first login. They are shown once and not stored in plain text.
#[derive(Debug)]
pub struct InitialSecrets {
    /// The temporary password.
    pub password: String,
    /// The TOTP secret for the authenticator app, as text to type in.
    pub secret: String,
    /// The same secret as an `otpauth://` URL, for a QR code.
    pub url: String,
}

/// The actor of an audit entry: who acts, and from which address.
#[derive(Clone, Debug)]
pub struct Actor {
    pub(super) id: Option<Uuid>,
    pub(super) name: String,
    pub(super) address: Option<IpAddr>,
}

impl Actor {
    /// The server itself, for actions that no person takes.
    pub fn server() -> Self {
        Self { id: None, name: "capiz".to_owned(), address: None }
    }

    /// The id of the staff account; `None` for the server itself.
    pub fn id(&self) -> Option<Uuid> {
        self.id
    }

    /// The actor's name in the audit log.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A staff member's session in the back office. As an extractor it refuses sessions with a
/// temporary password.
pub struct StaffSession {
    pub(super) person: Person,
    pub(super) rights: Vec<Right>,
    pub(super) token_hash: [u8; 32],
    /// When this session last re-authenticated. `None` unless the browser also sent the
    /// re-authentication cookie.
    pub(super) proved_at: Option<DateTime<Utc>>,
    /// The time of the login before this one.
    pub(super) previous_login_at: Option<DateTime<Utc>>,
    pub(super) address: IpAddr,
}

impl StaffSession {
    /// Whether one of the person's roles grants a right.
    pub fn may(&self, right: Right) -> bool {
        self.rights.contains(&right)
    }

    /// Refuses sensitive actions unless the session authenticated recently.
    pub(super) fn require_recent_authentication(&self, now: DateTime<Utc>) -> Result<(), ApiError> {
        match self.proved_at.is_some_and(|at| now < at + RECENT) {
            true => Ok(()),
            false => Err(ApiError::new(codes::PROOF_NEEDED)),
        }
    }

    /// The actor for audit entries.
    pub fn actor(&self) -> Actor {
        Actor {
            id: Some(self.person.id),
            name: self.person.username.clone(),
            address: Some(self.address),
        }
    }
}
