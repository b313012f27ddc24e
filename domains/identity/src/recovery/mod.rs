//! Account recovery: a new password by a link in an e-mail, or by a code to the phone.
//!
//! Owns the table `sessions_links`. A link is valid for half an hour and works once. Any change of
//! the password deletes all recovery links, remembered passwords and pending two-factor tickets of
//! the member. Recovery never skips the second factor.

mod http;
mod ops;
mod store;
mod texts;

pub(super) use http::routes;
pub use http::{CodeReset, LinkLook, LinkReset};
pub(super) use ops::revoke_pending_access;
pub(super) use store::delete_links;
