//! The bounded queue of orders, shared by all lanes of a writer.
//!
//! A free lane takes its share of the queue, so that no order waits behind a long batch while
//! another lane is idle. The orders of one holder run in one lane at a time and in their order:
//! while a lane has claimed the holder, the other lanes skip its orders.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use uuid::Uuid;

/// The smallest share of a lane: splitting fewer orders among lanes gains nothing.
const MIN_SHARE: usize = 16;

/// The queue of orders.
pub(super) struct Inbox<T> {
    state: Mutex<State<T>>,
    arrived: Notify,
    lanes: usize,
    capacity: usize,
}

struct State<T> {
    waiting: VecDeque<(Uuid, T)>,
    /// The holders that lanes have claimed.
    busy: HashSet<Uuid>,
    /// How many orders lanes are running.
    taken: usize,
    is_closed: bool,
}

impl<T> Inbox<T> {
    /// A queue for a number of lanes that holds at most `capacity` orders.
    pub(super) fn new(lanes: usize, capacity: usize) -> Self {
        let state =
            State { waiting: VecDeque::new(), busy: HashSet::new(), taken: 0, is_closed: false };
        Self { state: Mutex::new(state), arrived: Notify::new(), lanes, capacity }
    }

    /// Appends an order; false if the queue is full or closed.
    pub(super) fn put(&self, holder_id: Uuid, order: T) -> bool {
        let mut state = self.state();
        if state.is_closed || state.waiting.len() >= self.capacity {
            return false;
        }
        state.waiting.push_back((holder_id, order));
        drop(state);
        self.arrived.notify_one();
        true
    }

    /// The number of queued orders and the capacity.
    pub(super) fn load(&self) -> (usize, usize) {
        (self.state().waiting.len(), self.capacity)
    }

    /// Refuses new orders; the queued ones are still run.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        // Every idle lane must wake up and end, also one that is just about to wait.
        (0..self.lanes).for_each(|_| self.arrived.notify_one());
        self.arrived.notify_waiters();
    }

    /// Waits until there is an order that a lane without claims can take; false if the queue is
    /// closed and has none. Orders of claimed holders are left to the lane that claimed them.
    pub(super) async fn wait(&self) -> bool {
        loop {
            let arrived = self.arrived.notified();
            {
                let state = self.state();
                if state.waiting.iter().any(|(holder_id, _)| !state.busy.contains(holder_id)) {
                    return true;
                }
                if state.is_closed {
                    return false;
                }
            }
            arrived.await;
        }
    }

    /// Yields to other threads until this many orders are queued or the timeout expires. It blocks
    /// its thread, which belongs to the lane alone.
    pub(super) fn gather(&self, orders: usize, timeout: Duration) {
        let began = Instant::now();
        while self.load().0 < orders && began.elapsed() < timeout {
            thread::yield_now();
        }
    }

    /// An empty claim for a lane.
    pub(super) fn claim(&self) -> Claim<'_, T> {
        Claim { inbox: self, holders: HashSet::new(), count: 0 }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        // Every change under the mutex is complete, so a poisoned mutex still has valid state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The holders whose orders one lane is running. Dropping it releases them for other lanes.
pub(super) struct Claim<'a, T> {
    inbox: &'a Inbox<T>,
    holders: HashSet<Uuid>,
    count: usize,
}

impl<T> Claim<'_, T> {
    /// Adds orders to the batch up to this lane's share of all pending orders. Skips the orders of
    /// holders that other lanes have claimed.
    pub(super) fn fill(&mut self, batch: &mut Vec<T>, max: usize) {
        let mut state = self.inbox.state();
        let pending = state.waiting.len() + state.taken;
        let max = pending.div_ceil(self.inbox.lanes).max(MIN_SHARE).min(max);
        let mut skipped = Vec::new();
        while batch.len() < max
            && let Some((holder_id, order)) = state.waiting.pop_front()
        {
            if self.holders.contains(&holder_id) || state.busy.insert(holder_id) {
                self.holders.insert(holder_id);
                batch.push(order);
            } else {
                skipped.push((holder_id, order));
            }
        }
        while let Some(order) = skipped.pop() {
            state.waiting.push_front(order);
        }
        state.taken = state.taken + batch.len() - self.count;
        self.count = batch.len();
    }

    /// Releases all holders except these, which have one entry per deferred order.
    pub(super) fn retain(&mut self, holders: impl Iterator<Item = Uuid>) {
        let mut count = 0;
        let kept: HashSet<Uuid> = holders.inspect(|_| count += 1).collect();
        let mut state = self.inbox.state();
        for holder_id in self.holders.difference(&kept) {
            state.busy.remove(holder_id);
        }
        state.taken = state.taken + count - self.count;
        drop(state);
        self.holders = kept;
        self.count = count;
    }
}

impl<T> Drop for Claim<'_, T> {
    fn drop(&mut self) {
        self.retain(std::iter::empty());
        // Another lane can take the orders of these holders now.
        self.inbox.arrived.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn filled(orders: &[(u128, u32)], lanes: usize) -> Inbox<u32> {
        let inbox = Inbox::new(lanes, 1_000);
        for (number, order) in orders {
            assert!(inbox.put(holder(*number), *order));
        }
        inbox
    }

    fn take(claim: &mut Claim<'_, u32>, max: usize) -> Vec<u32> {
        let mut batch = Vec::new();
        claim.fill(&mut batch, max);
        batch
    }

    #[test]
    fn a_holder_is_in_one_hand_at_a_time_and_its_orders_keep_their_order() {
        let inbox = filled(&[(1, 10), (2, 20), (1, 11), (3, 30)], 2);
        let (mut one, mut other) = (inbox.claim(), inbox.claim());
        assert_eq!(take(&mut one, 1), [10]);
        assert_eq!(take(&mut other, 9), [20, 30]);
        assert!(inbox.put(holder(1), 12));
        assert_eq!(take(&mut other, 9), [0; 0]);
        one.retain(std::iter::empty());
        assert_eq!(take(&mut other, 9), [11, 12]);
    }

    #[test]
    fn what_is_left_over_keeps_its_holder_and_comes_first() {
        let inbox = filled(&[(1, 10), (2, 20), (1, 11)], 2);
        let (mut one, mut other) = (inbox.claim(), inbox.claim());
        let mut batch = take(&mut one, 2);
        assert_eq!(batch, [10, 20]);
        batch.truncate(1);
        one.retain([holder(1)].into_iter());
        assert!(inbox.put(holder(2), 21));
        assert_eq!(take(&mut other, 9), [21]);
        one.fill(&mut batch, 9);
        assert_eq!(batch, [10, 11]);
    }

    #[test]
    fn no_lane_takes_more_than_its_share_of_all_that_is_pending() {
        let orders: Vec<_> = (0..100).map(|number| (u128::from(number), number)).collect();
        let inbox = filled(&orders, 2);
        let (mut one, mut other) = (inbox.claim(), inbox.claim());
        assert_eq!(take(&mut one, 1_000).len(), 50);
        assert_eq!(take(&mut other, 1_000).len(), 50);
        one.retain(std::iter::empty());
        assert!(inbox.put(holder(500), 0));
        assert_eq!(take(&mut one, 1_000), [0]);
    }

    #[tokio::test]
    async fn a_hand_that_is_dropped_frees_its_holders() {
        let inbox = filled(&[(1, 10), (1, 11)], 2);
        let mut one = inbox.claim();
        assert_eq!(take(&mut one, 1), [10]);
        assert_eq!(take(&mut inbox.claim(), 9), [0; 0]);
        drop(one);
        assert!(inbox.wait().await);
        assert_eq!(take(&mut inbox.claim(), 9), [11]);
    }

    #[tokio::test]
    async fn it_is_bounded_and_once_closed_takes_nothing_more() {
        let inbox = Inbox::new(1, 2);
        assert!(inbox.put(holder(1), 10) && inbox.put(holder(2), 20));
        assert!(!inbox.put(holder(3), 30));
        inbox.close();
        assert!(inbox.wait().await);
        assert_eq!(take(&mut inbox.claim(), 9), [10, 20]);
        assert!(!inbox.put(holder(3), 30));
        assert!(!inbox.wait().await);
    }
}
