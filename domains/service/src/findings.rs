//! Findings: pure functions that judge the health measurements. The page has a text for each
//! finding, on what it means and what to do.

use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use super::store::CheckRow;
use platform::database_stats::DatabaseStats;
use platform::passwords;
use platform::push;

/// When a check counts as old. Checks run hourly, so one or two missed ones are tolerated.
const CHECK_OLD: Duration = Duration::hours(3);
/// Players notice when an order waits longer than this.
const WRITER_WAIT: std::time::Duration = std::time::Duration::from_millis(1_000);
/// How many events a node may be behind, and how long the oldest may wait for its number.
const PUSH_BEHIND: i64 = 500;
const PUSH_WAITS_MS: i64 = 5_000;
const DATABASE_SLOW: std::time::Duration = std::time::Duration::from_millis(100);
const DATABASE_HELD_MS: i64 = 5 * 60_000;
/// A job overdue by this long means that no worker runs, or that there are too many jobs.
const JOBS_LATE: Duration = Duration::minutes(5);

/// The state of a part of the installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ServiceState)]
pub(super) enum State {
    /// Healthy.
    Well,
    /// Warning: should be investigated.
    Watch,
    /// Critical: needs action.
    Ill,
}

/// A finding about a part of the installation.
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
    /// The severity of the finding.
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

/// The findings of a check: passed, never run, too old, failed.
type CheckFindings = [Finding; 4];

pub(super) const LEDGER: CheckFindings =
    [Finding::LedgerSound, Finding::LedgerUnchecked, Finding::LedgerOld, Finding::LedgerBroken];
pub(super) const AUDIT_LOG: CheckFindings =
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

pub(super) fn of_writer(stats: &wallet::Stats) -> Finding {
    if stats.failing_lanes > 0 {
        return Finding::WriterFailing;
    }
    let is_busy = stats.queue * 2 > stats.queue_max || stats.wait > WRITER_WAIT;
    if is_busy { Finding::WriterBusy } else { Finding::WriterWell }
}

pub(super) fn of_push(stats: &push::Stats) -> Finding {
    if stats.behind > PUSH_BEHIND || stats.waits_ms > PUSH_WAITS_MS {
        return Finding::PushBehind;
    }
    let is_full = stats.sockets * 10 > stats.sockets_max * 9;
    if is_full { Finding::PushFull } else { Finding::PushWell }
}

pub(super) fn of_database(stats: &DatabaseStats) -> Finding {
    if stats.latency > DATABASE_SLOW {
        Finding::DatabaseSlow
    } else if stats.connections * 10 > stats.connections_max * 8 {
        Finding::DatabaseCrowded
    } else if stats.oldest_transaction_ms > DATABASE_HELD_MS {
        Finding::DatabaseHeld
    } else {
        Finding::DatabaseWell
    }
}

pub(super) fn of_passwords(stats: &passwords::Stats) -> Finding {
    if stats.wait * 2 > stats.max_wait { Finding::PasswordsBusy } else { Finding::PasswordsWell }
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
        assert_eq!(of_check(None, now(), AUDIT_LOG), Finding::TrailUnchecked);
    }

    #[test]
    fn a_writer_is_busy_before_it_turns_orders_away() {
        let well = wallet::Stats {
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
        assert_eq!(of_writer(&wallet::Stats { queue: 51, ..well }), Finding::WriterBusy);
        let slow = wallet::Stats { wait: Time::from_secs(2), ..well };
        assert_eq!(of_writer(&slow), Finding::WriterBusy);
        assert_eq!(of_writer(&wallet::Stats { failing_lanes: 1, ..slow }), Finding::WriterFailing);
    }

    #[test]
    fn push_is_behind_by_numbers_or_by_time() {
        let well =
            push::Stats { sockets: 1, sockets_max: 10, position: 5, behind: 0, waits_ms: 200 };
        assert_eq!(of_push(&well), Finding::PushWell);
        assert_eq!(of_push(&push::Stats { behind: 501, ..well }), Finding::PushBehind);
        assert_eq!(of_push(&push::Stats { waits_ms: 6_000, ..well }), Finding::PushBehind);
        assert_eq!(of_push(&push::Stats { sockets: 10, ..well }), Finding::PushFull);
    }

    #[test]
    fn a_database_is_slow_crowded_or_held_up() {
        let well = DatabaseStats {
            latency: Time::from_millis(1),
            connections: 20,
            connections_max: 100,
            pool: (8, 4),
            oldest_transaction_ms: 20,
            waiting_for_locks: 0,
        };
        assert_eq!(of_database(&well), Finding::DatabaseWell);
        let slow = DatabaseStats { latency: Time::from_millis(150), ..well };
        assert_eq!(of_database(&slow), Finding::DatabaseSlow);
        let crowded = DatabaseStats { connections: 81, ..well };
        assert_eq!(of_database(&crowded), Finding::DatabaseCrowded);
        let held = DatabaseStats { oldest_transaction_ms: 300_001, ..well };
        assert_eq!(of_database(&held), Finding::DatabaseHeld);
    }

    #[test]
    fn passwords_and_jobs_are_told_before_people_wait() {
        let stats = |wait_ms| passwords::Stats {
            queue: 1,
            wait: Time::from_millis(wait_ms),
            each: Time::from_millis(100),
            threads: 1,
            max_wait: Time::from_secs(5),
        };
        assert_eq!(of_passwords(&stats(2_500)), Finding::PasswordsWell);
        assert_eq!(of_passwords(&stats(2_501)), Finding::PasswordsBusy);
        assert_eq!(of_jobs(0, Some(now() - Duration::minutes(1)), now()), Finding::JobsWell);
        assert_eq!(of_jobs(0, Some(now() - Duration::minutes(6)), now()), Finding::JobsLate);
        assert_eq!(of_jobs(1, None, now()), Finding::JobsDead);
        assert!(Finding::JobsDead.state() > Finding::JobsLate.state());
    }
}
