//! Push: sends server events to open pages over WebSockets.
//!
//! Owns `platform_events` and `platform_event_head`. Invariants: an event exists if and only if the
//! transaction that recorded it committed; events are numbered after the commit, by one node at a
//! time, so numbers become visible in order and no relay skips one; a socket gets the events of a
//! topic in order and each once, or a `gap`, after which the page loads the data again; all events
//! with the same number and topic are sent in one frame, so a page never has a part of a number;
//! each socket has a bounded queue.

mod events;
mod hub;
mod protocol;
mod relay;
mod session;
mod socket;

pub use events::{Topic, record, record_all, register_purge};
pub use hub::{Hub, Stats};
pub use relay::Relay;
pub use session::{Identify, Identity, SocketKind};
pub use socket::serve_socket;
