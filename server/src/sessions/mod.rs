//! Sessions: every way in, and what a request must show to act for a member.
//!
//! Owns the tables `sessions_*`. A session needs two halves: the token, which the page keeps
//! in session storage, and a device secret in an HttpOnly cookie. Both are stored hashed. A
//! session ends after 15 minutes without a request, or 12 hours after it began. A node believes
//! what it has read of a session for a second; a log-out counts at once on the node that did it.

mod account;
mod arrival;
mod device;
mod devices;
mod http;
mod live;
mod model;
mod ops;
mod registration;
mod store;

pub use arrival::Visit;
pub use http::{CurrentMember, FreePlay, Login, routes};
pub use live::LiveSessions;
pub use ops::{SocketIdentity, Started, purge, start_trial, watch};
pub use registration::register;
