//! Identifiers: UUIDv7, made in Rust from the injected clock.

use chrono::{DateTime, Utc};
use uuid::{NoContext, Timestamp, Uuid};

/// A new identifier that sorts by the time of its making.
pub fn new_id(now: DateTime<Utc>) -> Uuid {
    let seconds = u64::try_from(now.timestamp()).unwrap_or(0);
    Uuid::new_v7(Timestamp::from_unix(NoContext, seconds, now.timestamp_subsec_nanos()))
}
