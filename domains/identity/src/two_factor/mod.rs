//! The second factor: codes of an authenticator app, and recovery codes for when it is lost.
//!
//! A login whose first factor was right gets a ticket instead of a session while its member has
//! a second one. The ticket is good for five minutes and five tries, on the device that it was
//! given to; wrong codes are also counted by member. Recovery, by mail or phone, ends in the same ticket: it never skips the factor.
//!
//! Within a session a code is asked for wherever a way into the account is changed ([`ask`]).

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
pub(super) use shown::{Asked, Proof, ask, has_factor};
pub(super) use store::drop_tickets;
