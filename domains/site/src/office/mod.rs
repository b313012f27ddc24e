//! Changing a merchant's settings in the office, with a history and undo.
//!
//! A setting has a kind, a name and a typed JSON value. A change names the value that the editor
//! saw and the new value. It is refused if the setting has changed meanwhile (optimistic locking),
//! and is validated together with the merchant's other settings while the merchant's row is locked.
//! The same transaction writes the history (`site_changes`), the audit log and the push event for
//! open pages, which is sent after the commit. An undo is a change of its own.

mod hosts;
mod http;
mod ops;
mod store;
mod values;

pub use http::office_routes;
