//! Where orders wait: one queue for all lanes of a writer.
//!
//! Whichever lane is free takes its share of what waits, so that nobody waits behind a long batch
//! while another lane has little to do. A holder's orders are worked by one lane at a time and in
//! their order: while a lane has the holder in hand, the others pass its orders over.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use uuid::Uuid;

/// A share is never less than this: splitting a handful of orders gains nothing.
const LEAST_SHARE: usize = 16;

/// The queue.
pub(super) struct Inbox<T> {
    state: Mutex<State<T>>,
    arrived: Notify,
    lanes: usize,
    room: usize,
}

struct State<T> {
    waiting: VecDeque<(Uuid, T)>,
    /// The holders that lanes have in hand.
    busy: HashSet<Uuid>,
    /// How many orders lanes have in hand.
    taken: usize,
    is_closed: bool,
}

impl<T> Inbox<T> {
    /// For so many lanes, with room for so many orders that wait.
    pub(super) fn new(lanes: usize, room: usize) -> Self {
        let state =
            State { waiting: VecDeque::new(), busy: HashSet::new(), taken: 0, is_closed: false };
        Self { state: Mutex::new(state), arrived: Notify::new(), lanes, room }
    }

    /// Puts an order of a holder at the end; false when there is no room or it is closed.
    pub(super) fn put(&self, holder_id: Uuid, order: T) -> bool {
        let mut state = self.state();
        if state.is_closed || state.waiting.len() >= self.room {
            return false;
        }
        state.waiting.push_back((holder_id, order));
        drop(state);
        self.arrived.notify_one();
        true
    }

    /// How many orders wait, and for how many there is room.
    pub(super) fn load(&self) -> (usize, usize) {
        (self.state().waiting.len(), self.room)
    }

    /// Takes no more orders; those that wait are still worked.
    pub(super) fn close(&self) {
        self.state().is_closed = true;
        // Every idle lane has to hear of it, also one that is about to wait.
        (0..self.lanes).for_each(|_| self.arrived.notify_one());
        self.arrived.notify_waiters();
    }

    /// Waits until a lane with empty hands could take an order; false when it is closed and there
    /// is none. What is passed over now is taken by the lane that has its holder in hand.
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

    /// Lets other threads go first until so many orders wait, or for this long. It keeps the
    /// thread, which is the lane's own.
    pub(super) fn gather(&self, orders: usize, patience: Duration) {
        let began = Instant::now();
        while self.load().0 < orders && began.elapsed() < patience {
            thread::yield_now();
        }
    }

    /// The hand of a lane, still empty.
    pub(super) fn hand(&self) -> Hand<'_, T> {
        Hand { inbox: self, holders: HashSet::new(), count: 0 }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        // Every change under the lock is whole, so a panic elsewhere leaves nothing halfway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a lane has in hand. To drop it frees the holders for other lanes.
pub(super) struct Hand<'a, T> {
    inbox: &'a Inbox<T>,
    holders: HashSet<Uuid>,
    count: usize,
}

impl<T> Hand<'_, T> {
    /// Takes orders that no other lane has the holder of, after those that are already in the
    /// batch: up to this lane's share of all that are pending.
    pub(super) fn fill(&mut self, batch: &mut Vec<T>, most: usize) {
        let mut state = self.inbox.state();
        let pending = state.waiting.len() + state.taken;
        let most = pending.div_ceil(self.inbox.lanes).max(LEAST_SHARE).min(most);
        let mut passed_over = Vec::new();
        while batch.len() < most
            && let Some((holder_id, order)) = state.waiting.pop_front()
        {
            if self.holders.contains(&holder_id) || state.busy.insert(holder_id) {
                self.holders.insert(holder_id);
                batch.push(order);
            } else {
                passed_over.push((holder_id, order));
            }
        }
        while let Some(order) = passed_over.pop() {
            state.waiting.push_front(order);
        }
        state.taken = state.taken + batch.len() - self.count;
        self.count = batch.len();
    }

    /// Lets everything go but the orders of these holders.
    pub(super) fn keep(&mut self, holders: impl Iterator<Item = Uuid>) {
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

impl<T> Drop for Hand<'_, T> {
    fn drop(&mut self) {
        self.keep(std::iter::empty());
        // Their orders may wait for another lane now.
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

    fn take(hand: &mut Hand<'_, u32>, most: usize) -> Vec<u32> {
        let mut batch = Vec::new();
        hand.fill(&mut batch, most);
        batch
    }

    #[test]
    fn a_holder_is_in_one_hand_at_a_time_and_its_orders_keep_their_order() {
        let inbox = filled(&[(1, 10), (2, 20), (1, 11), (3, 30)], 2);
        let (mut one, mut other) = (inbox.hand(), inbox.hand());
        assert_eq!(take(&mut one, 1), [10]);
        assert_eq!(take(&mut other, 9), [20, 30]);
        assert!(inbox.put(holder(1), 12));
        assert_eq!(take(&mut other, 9), [0; 0]);
        one.keep(std::iter::empty());
        assert_eq!(take(&mut other, 9), [11, 12]);
    }

    #[test]
    fn what_is_left_over_keeps_its_holder_and_comes_first() {
        let inbox = filled(&[(1, 10), (2, 20), (1, 11)], 2);
        let (mut one, mut other) = (inbox.hand(), inbox.hand());
        let mut batch = take(&mut one, 2);
        assert_eq!(batch, [10, 20]);
        batch.truncate(1);
        one.keep([holder(1)].into_iter());
        assert!(inbox.put(holder(2), 21));
        assert_eq!(take(&mut other, 9), [21]);
        one.fill(&mut batch, 9);
        assert_eq!(batch, [10, 11]);
    }

    #[test]
    fn no_lane_takes_more_than_its_share_of_all_that_is_pending() {
        let orders: Vec<_> = (0..100).map(|number| (u128::from(number), number)).collect();
        let inbox = filled(&orders, 2);
        let (mut one, mut other) = (inbox.hand(), inbox.hand());
        assert_eq!(take(&mut one, 1_000).len(), 50);
        assert_eq!(take(&mut other, 1_000).len(), 50);
        one.keep(std::iter::empty());
        assert!(inbox.put(holder(500), 0));
        assert_eq!(take(&mut one, 1_000), [0]);
    }

    #[tokio::test]
    async fn a_hand_that_is_dropped_frees_its_holders() {
        let inbox = filled(&[(1, 10), (1, 11)], 2);
        let mut one = inbox.hand();
        assert_eq!(take(&mut one, 1), [10]);
        assert_eq!(take(&mut inbox.hand(), 9), [0; 0]);
        drop(one);
        assert!(inbox.wait().await);
        assert_eq!(take(&mut inbox.hand(), 9), [11]);
    }

    #[tokio::test]
    async fn it_is_bounded_and_once_closed_takes_nothing_more() {
        let inbox = Inbox::new(1, 2);
        assert!(inbox.put(holder(1), 10) && inbox.put(holder(2), 20));
        assert!(!inbox.put(holder(3), 30));
        inbox.close();
        assert!(inbox.wait().await);
        assert_eq!(take(&mut inbox.hand(), 9), [10, 20]);
        assert!(!inbox.put(holder(3), 30));
        assert!(!inbox.wait().await);
    }
}
