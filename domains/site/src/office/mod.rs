//! The office's settings: one small mechanism for all of them.
//!
//! A setting has a kind and a name, and a value that is typed JSON. A change says what it saw
//! and what shall be; it is refused where the setting is another one by now, and checked
//! together with all other settings of its merchant, whose row is locked meanwhile. What it
//! changed stands in `site_changes` and in the office's trail, in the same transaction, and
//! open pages are told after the commit. Taking a change back is another change.

mod hosts;
mod http;
mod ops;
mod store;
mod values;

pub use http::office_routes;
