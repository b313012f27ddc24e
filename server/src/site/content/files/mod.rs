//! Files that staff upload, and the profiles that put the site on an iPhone's home screen.
//!
//! What a file is, is told by its bytes, never by its name. It is kept in the database, so that
//! every node has it, under the hash of what it holds.

mod http;
mod kinds;
mod profile;
mod store;

pub use http::{get_file, get_lite_profile, get_profile, office_routes};
