//! Editing content in the office, with versions.
//!
//! A change names the version that the editor saw and is refused if there is a newer one
//! (optimistic locking). One transaction, which locks the merchant's row, writes the new version,
//! the audit log entry and the push event for open pages. All versions are kept. Restoring a
//! version is a change of its own. The order of items is not part of a version.

mod http;
mod ops;
mod store;
mod values;

pub use http::office_routes;
