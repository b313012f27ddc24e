//! Sessions: login state of members, and the extractors that authenticate a request.
//!
//! A session needs two secrets: the session token, which the page keeps in session storage, and a
//! device secret in an HttpOnly cookie. Both are stored hashed. A session ends after 15 minutes
//! without a request, or 12 hours after it began. A node caches a session for a second; a logout
//! takes effect at once on the node that handled it.

pub(crate) mod arrival;
pub(crate) mod current;
pub(crate) mod device;
mod devices;
pub(crate) mod http;
pub(crate) mod known;
mod known_store;
pub(crate) mod live;
pub(crate) mod logged_in;
pub(crate) mod model;
pub(crate) mod ops;
pub(crate) mod socket;
pub(crate) mod store;
