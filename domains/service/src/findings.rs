//! What is well, and what is not: pure judgements of what was measured. The page has a sentence for
//! each of them, on what it means and what to do.

use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use super::store::CheckRow;
use platform::passwords;
use platform::push;
use platform::vitals::DatabaseVitals;

/// Checks are made every hour; a missed one or two need not worry anybody.
const CHECK_OLD: Duration = Duration::hours(3);
/// An order that waits longer than this is noticed by players.
const WRITER_WAIT: std::time::Duration = std::time::Duration::from_millis(1_000);
/// Events that a node may be behind, and how long the oldest may wait for its number.
const PUSH_BEHIND: i64 = 500;
const PUSH_WAITS_MS: i64 = 5_000;
const DATABASE_SLOW: std::time::Duration = std::time::Duration::from_millis(100);
const DATABASE_HELD_MS: i64 = 5 * 60_000;
/// A job that is due for so long means that nobody runs jobs, or that they are too many.
const JOBS_LATE: Duration = Duration::minutes(5);

/// How a part of the house does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ServiceState)]
pub(super) enum State {
    /// Nothing to do.
    Well,
    /// Somebody should look.
    Watch,
    /// Somebody has to act.
    Ill,
}

/// What was found of a part of the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ServiceFinding)]
pub(super) enum Finding {
    LedgerSound,
    LedgerUnchecked,
    LedgerOld,
    LedgerBroken,
    TrailWhole,
    TrailUnchecked,
    TrailOld,
    TrailBroken,
    RoundsFair,
    RoundsUnchecked,
    RoundsOld,
    RoundsBroken,
    WriterWell,
    WriterBusy,
    WriterFailing,
    PushWell,
    PushBehind,
    PushFull,
    DatabaseWell,
    DatabaseSlow,
    DatabaseCrowded,
    DatabaseHeld,
    PasswordsWell,
    PasswordsBusy,
    JobsWell,
    JobsLate,
    JobsDead,
}

impl Finding {
    /// How bad it is.
    pub(super) fn state(self) -> State {
        match self {
            Self::LedgerSound
            | Self::TrailWhole
            | Self::RoundsFair
            | Self::WriterWell
            | Self::PushWell
            | Self::DatabaseWell
            | Self::PasswordsWell
            | Self::JobsWell => State::Well,
            Self::LedgerUnchecked
            | Self::LedgerOld
            | Self::TrailUnchecked
            | Self::TrailOld
            | Self::RoundsUnchecked
            | Self::RoundsOld
            | Self::WriterBusy
            | Self::PushBehind
            | Self::PushFull
            | Self::DatabaseSlow
            | Self::DatabaseCrowded
            | Self::DatabaseHeld
            | Self::PasswordsBusy
            | Self::JobsLate => State::Watch,
            Self::LedgerBroken
            | Self::TrailBroken
            | Self::RoundsBroken
            | Self::WriterFailing
            | Self::JobsDead => State::Ill,
        }
    }
}

/// What a check may be found to be: good, not made yet, too long ago, bad.
type CheckFindings = [Finding; 4];

pub(super) const LEDGER: CheckFindings =
    [Finding::LedgerSound, Finding::LedgerUnchecked, Finding::LedgerOld, Finding::LedgerBroken];
pub(super) const TRAIL: CheckFindings =
    [Finding::TrailWhole, Finding::TrailUnchecked, Finding::TrailOld, Finding::TrailBroken];
pub(super) const ROUNDS: CheckFindings =
    [Finding::RoundsFair, Finding::RoundsUnchecked, Finding::RoundsOld, Finding::RoundsBroken];

pub(super) fn of_check(
    check: Option<&CheckRow>,
    now: DateTime<Utc>,
    [good, unchecked, old, bad]: CheckFindings,
) -> Finding {
    match check {
        None => unchecked,
        Some(check) if check.fault.is_some() => bad,
        Some(check) if check.began_at + CHECK_OLD < now => old,
        Some(_) => good,
    }
}

pub(super) fn of_writer(pulse: &wallet::Pulse) -> Finding {
    if pulse.failing_lanes > 0 {
        return Finding::WriterFailing;
    }
    let is_busy = pulse.queue * 2 > pulse.queue_max || pulse.wait > WRITER_WAIT;
    if is_busy { Finding::WriterBusy } else { Finding::WriterWell }
}

pub(super) fn of_push(pulse: &push::Pulse) -> Finding {
    if pulse.behind > PUSH_BEHIND || pulse.waits_ms > PUSH_WAITS_MS {
        return Finding::PushBehind;
    }
    let is_full = pulse.sockets * 10 > pulse.sockets_max * 9;
    if is_full { Finding::PushFull } else { Finding::PushWell }
}

pub(super) fn of_database(vitals: &DatabaseVitals) -> Finding {
    if vitals.latency > DATABASE_SLOW {
        Finding::DatabaseSlow
    } else if vitals.connections * 10 > vitals.connections_max * 8 {
        Finding::DatabaseCrowded
    } else if vitals.oldest_transaction_ms > DATABASE_HELD_MS {
        Finding::DatabaseHeld
    } else {
        Finding::DatabaseWell
    }
}

pub(super) fn of_passwords(pulse: &passwords::Pulse) -> Finding {
    if pulse.wait * 2 > pulse.patience { Finding::PasswordsBusy } else { Finding::PasswordsWell }
}

pub(super) fn of_jobs(dead: i64, due_since: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Finding {
    if dead > 0 {
        return Finding::JobsDead;
    }
    let is_late = due_since.is_some_and(|due| due + JOBS_LATE < now);
    if is_late { Finding::JobsLate } else { Finding::JobsWell }
}

#[cfg(test)]
mod tests {
    use std::time::Duration as Time;

    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp_secs(1_900_000_000).unwrap()
    }

    fn checked(ago: Duration, fault: Option<&str>) -> CheckRow {
        let fault = fault.map(str::to_owned);
        CheckRow { began_at: now() - ago, took_ms: 1, rows: 1, fault }
    }

    #[test]
    fn a_check_is_good_missing_old_or_bad() {
        let of = |check: Option<CheckRow>| of_check(check.as_ref(), now(), LEDGER);
        assert_eq!(of(None), Finding::LedgerUnchecked);
        assert_eq!(of(Some(checked(Duration::hours(1), None))), Finding::LedgerSound);
        assert_eq!(of(Some(checked(Duration::hours(4), None))), Finding::LedgerOld);
        assert_eq!(of(Some(checked(Duration::hours(4), Some("x")))), Finding::LedgerBroken);
        assert_eq!(of_check(None, now(), TRAIL), Finding::TrailUnchecked);
    }

    #[test]
    fn a_writer_is_busy_before_it_turns_orders_away() {
        let well = wallet::Pulse {
            lanes: 2,
            queue: 10,
            queue_max: 100,
            batches: 1,
            orders: 1,
            wait: Time::from_millis(3),
            batch: Time::from_millis(4),
            failing_lanes: 0,
        };
        assert_eq!(of_writer(&well), Finding::WriterWell);
        assert_eq!(of_writer(&wallet::Pulse { queue: 51, ..well }), Finding::WriterBusy);
        let slow = wallet::Pulse { wait: Time::from_secs(2), ..well };
        assert_eq!(of_writer(&slow), Finding::WriterBusy);
        assert_eq!(of_writer(&wallet::Pulse { failing_lanes: 1, ..slow }), Finding::WriterFailing);
    }

    #[test]
    fn push_is_behind_by_numbers_or_by_time() {
        let well =
            push::Pulse { sockets: 1, sockets_max: 10, position: 5, behind: 0, waits_ms: 200 };
        assert_eq!(of_push(&well), Finding::PushWell);
        assert_eq!(of_push(&push::Pulse { behind: 501, ..well }), Finding::PushBehind);
        assert_eq!(of_push(&push::Pulse { waits_ms: 6_000, ..well }), Finding::PushBehind);
        assert_eq!(of_push(&push::Pulse { sockets: 10, ..well }), Finding::PushFull);
    }

    #[test]
    fn a_database_is_slow_crowded_or_held_up() {
        let well = DatabaseVitals {
            latency: Time::from_millis(1),
            connections: 20,
            connections_max: 100,
            pool: (8, 4),
            oldest_transaction_ms: 20,
            waiting_for_locks: 0,
        };
        assert_eq!(of_database(&well), Finding::DatabaseWell);
        let slow = DatabaseVitals { latency: Time::from_millis(150), ..well };
        assert_eq!(of_database(&slow), Finding::DatabaseSlow);
        let crowded = DatabaseVitals { connections: 81, ..well };
        assert_eq!(of_database(&crowded), Finding::DatabaseCrowded);
        let held = DatabaseVitals { oldest_transaction_ms: 300_001, ..well };
        assert_eq!(of_database(&held), Finding::DatabaseHeld);
    }

    #[test]
    fn passwords_and_jobs_are_told_before_people_wait() {
        let pulse = |wait_ms| passwords::Pulse {
            queue: 1,
            wait: Time::from_millis(wait_ms),
            each: Time::from_millis(100),
            threads: 1,
            patience: Time::from_secs(5),
        };
        assert_eq!(of_passwords(&pulse(2_500)), Finding::PasswordsWell);
        assert_eq!(of_passwords(&pulse(2_501)), Finding::PasswordsBusy);
        assert_eq!(of_jobs(0, Some(now() - Duration::minutes(1)), now()), Finding::JobsWell);
        assert_eq!(of_jobs(0, Some(now() - Duration::minutes(6)), now()), Finding::JobsLate);
        assert_eq!(of_jobs(1, None, now()), Finding::JobsDead);
        assert!(Finding::JobsDead.state() > Finding::JobsLate.state());
    }
}
