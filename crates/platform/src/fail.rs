//! Fail points: named places in the code where a test build can be made to crash, fail, wait or
//! panic.
//!
//! `wallet.committed=kill@37;wallet.locked=error%5` aborts the process the 37th time that it
//! reaches `wallet.committed`, and fails 5 % of the times that it reaches `wallet.locked`. In a
//! release build without the feature `fail-points` they do nothing.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Whether fail points are compiled in: debug builds and the feature `fail-points`.
pub const ENABLED: bool = cfg!(any(debug_assertions, feature = "fail-points"));

/// A cheap handle to the configured fail points. The default has none.
#[derive(Clone, Debug, Default)]
pub struct FailPoints(Option<Arc<[Point]>>);

/// The error that a fail point injects.
#[derive(Debug, thiserror::Error)]
#[error("the fail point {0} injected an error")]
pub struct Injected(pub &'static str);

impl FailPoints {
    /// Parses fail points, with seed 0 for the random ones.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::seeded(text, 0)
    }

    /// Parses fail points. The seed decides when those with a percentage trigger.
    pub fn seeded(text: &str, seed: u64) -> Result<Self, String> {
        if !ENABLED {
            return Err("this build has no fail points, which are for tests only".to_owned());
        }
        let parts = text.split(';').map(str::trim).filter(|part| !part.is_empty());
        let points: Result<Vec<_>, _> = parts.map(|part| Point::parse(part, seed)).collect();
        Ok(Self(Some(points?.into())))
    }

    /// Marks a fail point in the code: runs the action that is configured for it, if any.
    pub async fn pass(&self, name: &'static str) -> Result<(), Injected> {
        if !ENABLED {
            return Ok(());
        }
        let Some(points) = &self.0 else { return Ok(()) };
        for point in points.iter().filter(|point| point.name == name && point.triggers()) {
            match point.action {
                // Like kill -9: no destructor runs and nothing is flushed.
                Action::Kill => std::process::abort(),
                Action::Error => return Err(Injected(name)),
                Action::Delay(time) => tokio::time::sleep(time).await,
                Action::Panic => panic!("the fail point {name} injected a panic"),
            }
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Kill,
    Error,
    Delay(Duration),
    Panic,
}

impl FromStr for Action {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "kill" => Ok(Self::Kill),
            "error" => Ok(Self::Error),
            "panic" => Ok(Self::Panic),
            _ => {
                let inner = text.strip_prefix("delay(").and_then(|rest| rest.strip_suffix(')'));
                let ms = inner.and_then(|ms| ms.parse().ok()).ok_or(())?;
                Ok(Self::Delay(Duration::from_millis(ms)))
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum When {
    Always,
    /// Only the nth time, counted from one.
    At(u64),
    Percent(u64),
}

#[derive(Debug)]
struct Point {
    name: String,
    action: Action,
    when: When,
    hits: AtomicU64,
    seed: u64,
}

impl Point {
    fn parse(text: &str, seed: u64) -> Result<Self, String> {
        let wrong = || {
            format!(
                "{text}: expected name=action with kill, error, delay(ms) or panic, then @N, %P or nothing"
            )
        };
        let (name, action) = text.split_once('=').ok_or_else(wrong)?;
        let (action, when) = split(action).ok_or_else(wrong)?;
        let action = action.parse().map_err(|()| wrong())?;
        let name = name.trim().to_owned();
        // Mixed with the name, so that points with the same seed do not trigger together.
        let seed = name.bytes().fold(seed, |seed, byte| split_mix(seed ^ u64::from(byte)));
        Ok(Self { name, action, when, hits: AtomicU64::new(0), seed })
    }

    fn triggers(&self) -> bool {
        let number = self.hits.fetch_add(1, Ordering::Relaxed) + 1;
        match self.when {
            When::Always => true,
            When::At(at) => number == at,
            When::Percent(percent) => split_mix(self.seed.wrapping_add(number)) % 100 < percent,
        }
    }
}

/// Splits `action@N` or `action%P` into the action and when it runs.
fn split(text: &str) -> Option<(&str, When)> {
    let text = text.trim();
    if let Some((action, number)) = text.split_once('@') {
        let number = number.parse().ok().filter(|number| *number > 0)?;
        return Some((action, When::At(number)));
    }
    if let Some((action, percent)) = text.split_once('%') {
        let percent = percent.parse().ok().filter(|percent| *percent <= 100)?;
        return Some((action, When::Percent(percent)));
    }
    Some((text, When::Always))
}

/// A deterministic pseudo-random number (SplitMix64).
fn split_mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn failures(points: &FailPoints, name: &'static str, passings: usize) -> Vec<usize> {
        let mut failed = Vec::new();
        for number in 1..=passings {
            if points.pass(name).await.is_err() {
                failed.push(number);
            }
        }
        failed
    }

    #[tokio::test]
    async fn without_any_nothing_happens() {
        assert!(failures(&FailPoints::default(), "wallet.locked", 3).await.is_empty());
        let others = FailPoints::parse("wallet.taken=error").unwrap();
        assert!(failures(&others, "wallet.locked", 3).await.is_empty());
    }

    #[tokio::test]
    async fn a_point_strikes_always_or_once() {
        let points = FailPoints::parse("a=error; b=error@3;").unwrap();
        assert_eq!(failures(&points, "a", 3).await, [1, 2, 3]);
        assert_eq!(failures(&points, "b", 9).await, [3]);
        assert_eq!(points.pass("a").await.unwrap_err().0, "a");
    }

    #[tokio::test]
    async fn clones_count_together() {
        let points = FailPoints::parse("a=error@2").unwrap();
        points.clone().pass("a").await.unwrap();
        assert!(points.pass("a").await.is_err());
    }

    #[tokio::test]
    async fn a_share_of_passings_is_decided_by_the_seed() {
        let draw = async |seed| {
            let points = FailPoints::seeded("a=error%5", seed).unwrap();
            failures(&points, "a", 10_000).await
        };
        let first = draw(1).await;
        assert!((400..600).contains(&first.len()), "{}", first.len());
        assert_eq!(first, draw(1).await);
        assert_ne!(first, draw(2).await);
        let both = FailPoints::seeded("a=error%5;b=error%5", 1).unwrap();
        assert_eq!(failures(&both, "a", 10_000).await, first);
        assert_ne!(failures(&both, "b", 10_000).await, first, "each has numbers of its own");
        let never = FailPoints::parse("a=error%0").unwrap();
        assert!(failures(&never, "a", 100).await.is_empty());
    }

    #[tokio::test]
    async fn a_point_can_wait() {
        let points = FailPoints::parse("a=delay(20)").unwrap();
        let began = std::time::Instant::now();
        points.pass("a").await.unwrap();
        assert!(began.elapsed() >= Duration::from_millis(20));
    }

    #[tokio::test]
    #[should_panic(expected = "injected a panic")]
    async fn a_point_can_panic() {
        let _ = FailPoints::parse("a=panic").unwrap().pass("a").await;
    }

    #[test]
    fn mistakes_are_told() {
        for wrong in ["a", "a=stop", "a=kill@0", "a=kill@x", "a=error%101", "a=delay", "a=delay(x)"]
        {
            let mistake = FailPoints::parse(wrong).unwrap_err();
            assert!(mistake.contains(wrong) && mistake.contains("expected"), "{mistake}");
        }
    }
}
