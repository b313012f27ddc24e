//! The second factor: TOTP codes of an authenticator app, and recovery codes for when the app is
//! lost.
//!
//! If a member has a second factor, a login with a right first factor gets a ticket instead of a
//! session. The ticket is valid for five minutes and five attempts, on the device that it was
//! issued to; wrong codes are also counted by member. Account recovery, by mail or phone, ends in
//! the same ticket: it never skips the second factor.
//!
//! Within a session a code is required for every change of the ways to log in ([`require_code`]).

mod codes;
mod http;
mod ops;
mod shown;
mod store;
mod tries;

pub use codes::FactorKeys;
pub(super) use http::routes;
pub use http::{ConfirmFactor, ProveFactor, StepUp};
pub(super) use ops::issue_ticket;
pub(super) use shown::{CodeRequirement, Proof, has_factor, require_code};
pub(super) use store::delete_tickets;
