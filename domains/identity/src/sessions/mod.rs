//! Sessions: how they begin and end, and what a request must show to act for a member.
//!
//! A session needs two halves: the token, which the page keeps in session storage, and a device
//! secret in an HttpOnly cookie. Both are stored hashed. A session ends after 15 minutes without a
//! request, or 12 hours after it began. A node believes what it has read of a session for a second; a
//! log-out counts at once on the node that did it.

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
