//! Logging in: by username and password, or by a code that was sent to the phone.

mod guard;
mod http;
mod ops;
mod store;

pub(super) use guard::{KNOWN_FOR, forget_tries, is_known, note_arrival};
pub use http::Login;
pub(super) use http::routes;
pub(super) use ops::{Page, check_page};
