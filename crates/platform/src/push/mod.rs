//! Push: what happens on the server shows on open pages without their asking.
//!
//! Owns `platform_events` and `platform_event_head`. Invariants: an event exists if and only
//! if the transaction that caused it committed; events are numbered after commit, one
//! numberer at a time, so that numbers become visible in order and no relay skips one; a
//! socket gets the events of a topic in order and each once, or a `gap` that makes the page
//! load again; what one number says of one topic is one frame, so that no page has seen a
//! number in part; no socket holds more than a bounded queue.

mod events;
mod hub;
mod protocol;
mod relay;
mod session;
mod socket;

pub use events::{Topic, record, record_all, register_purge};
pub use hub::{Hub, Pulse};
pub use relay::Relay;
pub use session::{Door, Identify, Identity};
pub use socket::serve_socket;
