//! People of the office, and what is known of their sessions.

use std::net::IpAddr;

use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use super::rights::Right;
use crate::codes;
use platform::error::ApiError;

/// After this long without a request the person logs in again.
pub(super) const IDLE: Duration = Duration::minutes(15);

/// After this long the person logs in again in any case.
pub(super) const LIFE: Duration = Duration::hours(12);

/// For how long a password is good that was given to somebody.
pub(super) const FIRST_PASSWORD: Duration = Duration::days(3);

/// For so long a proof of who one is opens what is grave. To log in is one.
pub(super) const PROOF: Duration = Duration::minutes(10);

/// How often a request writes that the session was seen.
pub(super) const SEEN_EVERY: Duration = Duration::minutes(1);

/// A person as the office knows it.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) id: Uuid,
    pub(super) username: String,
    pub(super) name: String,
    pub(super) is_active: bool,
    pub(super) roles: Vec<String>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) last_login_at: Option<DateTime<Utc>>,
    /// Whether the password is one that was given to the person: nothing else is open before it has changed.
    pub(super) must_change: bool,
}

/// What somebody needs to log in for the first time. Shown once and kept nowhere.
#[derive(Debug)]
pub struct NewcomerSecrets {
    /// The password.
    pub password: String,
    /// The app's secret, for typing.
    pub secret: String,
    /// The same for the app's camera.
    pub url: String,
}

/// Who acts, and from where: what the trail says of it.
#[derive(Clone, Debug)]
pub struct Actor {
    pub(super) id: Option<Uuid>,
    pub(super) name: String,
    pub(super) address: Option<IpAddr>,
}

impl Actor {
    /// The server itself.
    pub fn server() -> Self {
        Self { id: None, name: "capiz".to_owned(), address: None }
    }

    /// Nobody's where the server itself acts.
    pub fn id(&self) -> Option<Uuid> {
        self.id
    }

    /// As the trail names them.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Somebody who is logged in to the office.
pub struct OnDuty {
    pub(super) person: Person,
    pub(super) rights: Vec<Right>,
    pub(super) token_hash: [u8; 32],
    /// When password and code were last shown in this session, by the browser that asks: it has the secret of it.
    pub(super) proved_at: Option<DateTime<Utc>>,
    /// The login before this session's.
    pub(super) previous_login_at: Option<DateTime<Utc>>,
    pub(super) address: IpAddr,
}

impl OnDuty {
    /// Whether one of the roles allows it.
    pub fn may(&self, right: Right) -> bool {
        self.rights.contains(&right)
    }

    /// Refuses what is grave unless it is a short while since they showed who they are.
    pub(super) fn require_proof(&self, now: DateTime<Utc>) -> Result<(), ApiError> {
        match self.proved_at.is_some_and(|at| now < at + PROOF) {
            true => Ok(()),
            false => Err(ApiError::new(codes::PROOF_NEEDED)),
        }
    }

    /// As the trail names them.
    pub fn actor(&self) -> Actor {
        Actor {
            id: Some(self.person.id),
            name: self.person.username.clone(),
            address: Some(self.address),
        }
    }
}
