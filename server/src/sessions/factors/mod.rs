//! The second factor: codes of an authenticator app, and recovery codes for when it is lost.
//!
//! A login whose first factor was right gets a ticket instead of a session while its member has
//! a second one. The ticket is good for five minutes and five tries, on the device that it was
//! given to; wrong codes are also counted by member. Recovery, by mail or phone, ends in the same ticket: it never skips the factor.

mod codes;
mod http;
mod ops;
mod store;
mod tries;

pub use codes::FactorKeys;
pub(super) use http::routes;
pub use http::{ConfirmFactor, ProveFactor, StepUp};
pub(super) use ops::{has_factor, issue_ticket};
pub(super) use store::drop_tickets;
