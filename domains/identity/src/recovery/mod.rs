//! Getting back in without the password: by a link that is mailed, or by a code to the phone.
//!
//! Owns the table `sessions_links`. A link lives for half an hour and is used once; a password
//! that is set, in whatever way, ends all links, remembered passwords and half-finished log-ins
//! of its member. Neither way skips the second factor.

mod http;
mod ops;
mod store;
mod texts;

pub(super) use http::routes;
pub use http::{CodeReset, LinkLook, LinkReset};
pub(super) use ops::close_ways_back;
pub(super) use store::delete_links;
