//! Writing content in the office.
//!
//! A change names the version that it saw and is refused where there is a newer one. Every
//! version is kept, together with the deed in the office's trail and the event for open pages, in
//! one transaction, in which the merchant's row is locked. Bringing a version back is another
//! change. The order of things is no part of a version.

mod http;
mod ops;
mod store;
mod values;

pub use http::office_routes;
