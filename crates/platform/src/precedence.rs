//! Priority of rounds over logins on machines with few cores.
//!
//! A login makes about twenty database round trips. Each of its steps could make a running round
//! wait for a core, so a login is polled only while few rounds are running. It waits a limited time
//! before each step, and in total, and then continues anyway.

use std::num::NonZero;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::Notify;
use tokio::time::timeout;

/// The longest that one step waits.
const STEP: Duration = Duration::from_millis(10);
/// The longest that all steps of a task wait in total.
const ALTOGETHER: Duration = Duration::from_millis(250);

/// Counts the high-priority tasks that are running on this node.
pub struct Precedence(Arc<Going>);

struct Going {
    count: AtomicUsize,
    /// With up to this many running there are cores left, so nothing waits.
    beside: usize,
    gap: Notify,
}

/// A running high-priority task, until dropped.
pub struct First(Arc<Going>);

impl Drop for First {
    fn drop(&mut self) {
        if self.0.count.fetch_sub(1, Ordering::AcqRel) == self.0.beside + 1 {
            self.0.gap.notify_waiters();
        }
    }
}

impl Default for Precedence {
    /// Low-priority work waits while high-priority tasks may occupy half of the cores.
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, NonZero::get);
        Self::with_room_beside((cores / 2).saturating_sub(1))
    }
}

impl Precedence {
    /// Low-priority work waits while more than `beside` high-priority tasks are running.
    fn with_room_beside(beside: usize) -> Self {
        Self(Arc::new(Going { count: AtomicUsize::new(0), beside, gap: Notify::new() }))
    }

    /// Marks the start of a high-priority task.
    pub fn go_first(&self) -> First {
        self.0.count.fetch_add(1, Ordering::AcqRel);
        First(Arc::clone(&self.0))
    }

    /// Runs low-priority work: before each poll it waits until few high-priority tasks are running.
    pub fn give_way<F: Future>(&self, work: F) -> GivingWay<F> {
        let going = Arc::clone(&self.0);
        GivingWay { going, work: Box::pin(work), waiting: None, left: ALTOGETHER }
    }
}

impl Going {
    fn leaves_gap(&self) -> bool {
        self.count.load(Ordering::Acquire) <= self.beside
    }

    async fn wait_for_gap(self: Arc<Self>) {
        loop {
            // Registered before the check, so that a change in between is not missed.
            let gap = self.gap.notified();
            if self.leaves_gap() {
                return;
            }
            gap.await;
        }
    }
}

/// Low-priority work.
pub struct GivingWay<F> {
    going: Arc<Going>,
    work: Pin<Box<F>>,
    /// Since when the next step has been waiting, and its wait.
    waiting: Option<(Instant, BoxFuture<'static, ()>)>,
    /// The remaining total wait.
    left: Duration,
}

impl<F> GivingWay<F> {
    fn begin_to_wait(&mut self) {
        let gap = timeout(STEP.min(self.left), Arc::clone(&self.going).wait_for_gap());
        self.waiting = Some((Instant::now(), gap.map(drop).boxed()));
    }

    fn end_waiting(&mut self) {
        if let Some((since, _)) = self.waiting.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
    }
}

impl<F: Future> Future for GivingWay<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        if self.waiting.is_none() && !self.left.is_zero() && !self.going.leaves_gap() {
            self.begin_to_wait();
        }
        if let Some((_, gap)) = &mut self.waiting {
            ready!(gap.as_mut().poll(context));
            self.end_waiting();
        }
        self.work.as_mut().poll(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn each_step_waits_for_a_gap() {
        let precedence = Precedence::with_room_beside(0);
        let mut second = None;
        let first = precedence.go_first();
        let mut work = precedence.give_way(async {
            second = Some(precedence.go_first());
            yield_now().await;
            2
        });
        assert!((&mut work).now_or_never().is_none(), "before the first step");
        drop(first);
        assert!((&mut work).now_or_never().is_none(), "before the second");
        drop(work);
        assert!(second.is_some(), "the first was done");
    }

    #[tokio::test]
    async fn without_a_gap_it_goes_on_all_the_same() {
        let precedence = Precedence::with_room_beside(0);
        let _first = precedence.go_first();
        assert_eq!(precedence.give_way(async { 1 }).await, 1);
    }

    #[tokio::test]
    async fn all_steps_together_wait_for_so_long_and_no_longer() {
        let precedence = Precedence::with_room_beside(0);
        let _first = precedence.go_first();
        let mut work = precedence.give_way(async {
            for _ in 0..10_000 {
                yield_now().await;
            }
        });
        (&mut work).await;
        assert!(work.left.is_zero(), "it has waited, and the last steps did not");
    }

    #[tokio::test]
    async fn where_cores_are_many_some_leave_a_gap() {
        let precedence = Precedence::with_room_beside(1);
        let first = precedence.go_first();
        assert_eq!(precedence.give_way(async { 1 }).now_or_never(), Some(1));
        let second = precedence.go_first();
        let mut work = precedence.give_way(async { 1 });
        assert!((&mut work).now_or_never().is_none(), "two are too many");
        drop(first);
        assert_eq!(work.await, 1);
        drop(second);
    }
}
