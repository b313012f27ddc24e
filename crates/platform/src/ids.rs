//! Row ids: UUIDv7, generated in Rust from the injected clock.

use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use uuid::{ContextV7, Timestamp, Uuid};

/// A counter within each millisecond, so that ids of one node sort in the order of creation.
static CONTEXT: Mutex<ContextV7> = Mutex::new(ContextV7::new());

/// A new id that sorts by creation time.
pub fn new_id(now: DateTime<Utc>) -> Uuid {
    let seconds = u64::try_from(now.timestamp()).unwrap_or(0);
    let context = CONTEXT.lock().unwrap_or_else(PoisonError::into_inner);
    Uuid::new_v7(Timestamp::from_unix(&*context, seconds, now.timestamp_subsec_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_moment_sort_in_the_order_of_their_making() {
        let now = DateTime::from_timestamp(1_900_000_000, 0).unwrap();
        let ids: Vec<_> = (0..1000).map(|_| new_id(now)).collect();
        assert!(ids.is_sorted());
    }
}
