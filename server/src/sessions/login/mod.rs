//! Logging in: by username and password, or by a code that was sent to the phone.

mod guard;
mod http;
mod ops;
mod store;

pub(super) use guard::KNOWN_FOR;
pub use http::Login;
pub(super) use http::routes;
pub(super) use store::{delete_forgotten, upsert_known_device};
