use std::time::Duration;

use chrono::{DateTime, Utc};

use super::registry::Schedule;
use super::worker::retry_delay;
use super::{Bounds, Registry};

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[test]
fn retries_wait_longer_and_longer_up_to_an_hour() {
    let seconds: Vec<u64> = [1, 2, 3, 10, 40].map(|attempt| retry_delay(attempt).as_secs()).into();
    assert_eq!(seconds, [5, 10, 20, 2560, 3600]);
}

#[test]
fn a_slot_is_the_same_for_every_node_within_it() {
    let schedule = Schedule { kind: "test.hourly", every: Duration::from_secs(3600) };
    let slot = at("2026-05-01T10:00:00Z");
    assert_eq!(schedule.slot(at("2026-05-01T10:00:00Z")), slot);
    assert_eq!(schedule.slot(at("2026-05-01T10:59:59.999Z")), slot);
    assert_eq!(schedule.slot(at("2026-05-01T11:00:00Z")), at("2026-05-01T11:00:00Z"));
}

#[test]
#[should_panic(expected = "has two handlers")]
fn a_kind_has_one_handler() {
    let mut registry = Registry::new();
    registry.handle("test.twice", Bounds::default(), |_| async { Ok(()) });
    registry.handle("test.twice", Bounds::default(), |_| async { Ok(()) });
}

#[test]
#[should_panic(expected = "has no handler")]
fn a_schedule_needs_a_handler() {
    Registry::new().schedule("test.nobody", Duration::from_secs(60));
}
