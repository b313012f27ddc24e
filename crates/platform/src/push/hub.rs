//! The hub: distributes numbered events to the sockets of this node.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use tokio::sync::{Notify, OnceCell};

use super::events::{self, BundleRow, Head, REPLAY};
use super::protocol::{self, Bundle, Channel, Event};
use super::session::SocketKind;
use crate::shutdown::Shutdown;

/// The queue length of a socket. A socket that falls further behind gets a `gap`.
pub(super) const QUEUE: usize = 64;
/// The maximum number of sockets per node; further ones get a 503.
const SOCKETS: usize = 20_000;
/// Extra sockets reserved for the office, so that players cannot use up all of them.
const OFFICE_SOCKETS: usize = 1_000;
const DRAIN: Duration = Duration::from_secs(3);
const DRAIN_POLL: Duration = Duration::from_millis(20);

/// The sockets of one node, by topic.
pub struct Hub {
    db: PgPool,
    shutdown: Shutdown,
    topics: Mutex<Topics>,
    started: OnceCell<()>,
    wake: Notify,
    sockets: AtomicUsize,
}

/// Statistics of push on this node.
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    /// Open sockets.
    pub sockets: usize,
    /// The maximum number of sockets of players.
    pub sockets_max: usize,
    /// The number of the last event published on this node.
    pub position: i64,
    /// How many event numbers this node is behind.
    pub behind: i64,
    /// How long the oldest event has been waiting for its number, in milliseconds.
    pub waits_ms: i64,
}

#[derive(Default)]
struct Topics {
    /// The number of the last published event.
    position: i64,
    next_id: u64,
    subscribers: HashMap<String, Vec<Arc<Mailbox>>>,
}

impl Topics {
    /// Builds the frame only if the topic has subscribers: most members have no page open on this
    /// node.
    fn deliver(&self, seq: i64, key: &str, events: &str) {
        let Some(mailboxes) = self.subscribers.get(key) else { return };
        let Some(event) = Event::new(seq, key, events) else { return };
        metrics::counter!("push_events_total", "topic" => event.channel.name()).increment(1);
        let event = Arc::new(event);
        for mailbox in mailboxes {
            mailbox.push(Arc::clone(&event));
        }
    }
}

impl Hub {
    /// A hub without sockets. Its sockets close when the shutdown starts.
    pub fn new(db: PgPool, shutdown: Shutdown) -> Arc<Self> {
        Arc::new(Self {
            db,
            shutdown,
            topics: Mutex::default(),
            started: OnceCell::new(),
            wake: Notify::new(),
            sockets: AtomicUsize::new(0),
        })
    }

    /// Wakes the relay after a commit, so that events are sent at once.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    pub(super) async fn woken(&self) {
        self.wake.notified().await;
    }

    pub(super) fn db(&self) -> &PgPool {
        &self.db
    }

    pub(super) fn shutdown(&self) -> &Shutdown {
        &self.shutdown
    }

    fn topics(&self) -> MutexGuard<'_, Topics> {
        self.topics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn position(&self) -> i64 {
        self.topics().position
    }

    /// Sets the start position to the newest event, as this node has no sockets for older ones.
    /// Called by the relay and by sockets; only the first call has an effect.
    pub(super) async fn start(&self) -> Result<(), sqlx::Error> {
        let start = async {
            let head = events::get_head(&self.db).await?;
            self.topics().position = head.seq;
            Ok(())
        };
        self.started.get_or_try_init(|| start).await.copied()
    }

    /// Publishes events to their subscribers, in order.
    pub(super) fn publish(&self, rows: &[BundleRow]) {
        let bundles: Vec<(i64, Bundle<'_>)> =
            rows.iter().map(|row| (row.seq, protocol::read_bundle(row))).collect();
        let mut topics = self.topics();
        for (seq, bundle) in bundles {
            topics.position = seq;
            for (key, events) in bundle {
                topics.deliver(seq, key, events.get());
            }
        }
    }

    /// Whether any topic has a subscriber on this node.
    pub(super) fn has_listeners(&self) -> bool {
        !self.topics().subscribers.is_empty()
    }

    /// Skips events up to `position` and returns how many numbers that were. None if a socket has
    /// subscribed meanwhile.
    pub(super) fn skip_to(&self, position: i64) -> Option<usize> {
        let mut topics = self.topics();
        if !topics.subscribers.is_empty() {
            return None;
        }
        let skipped = position - topics.position;
        topics.position = topics.position.max(position);
        Some(usize::try_from(skipped).unwrap_or(0))
    }

    /// Tells every socket that events were lost.
    pub(super) fn send_gap_to_all(&self, position: i64) {
        let mut topics = self.topics();
        topics.position = topics.position.max(position);
        for (key, mailboxes) in &topics.subscribers {
            let Some(channel) = Channel::of_key(key) else { continue };
            for mailbox in mailboxes {
                mailbox.push_gap(channel, position);
            }
        }
    }

    /// Creates the queue of a new socket.
    pub(super) fn mailbox(&self) -> Arc<Mailbox> {
        let mut topics = self.topics();
        topics.next_id += 1;
        Arc::new(Mailbox { id: topics.next_id, waiting: Mutex::default(), notify: Notify::new() })
    }

    /// Subscribes a mailbox and returns the current position. Later events arrive in the mailbox;
    /// those up to the position are available by replay.
    pub(super) fn subscribe(&self, key: &str, mailbox: &Arc<Mailbox>) -> i64 {
        let mut topics = self.topics();
        let subscribers = topics.subscribers.entry(key.to_owned()).or_default();
        if subscribers.iter().all(|other| other.id != mailbox.id) {
            subscribers.push(Arc::clone(mailbox));
        }
        topics.position
    }

    pub(super) fn unsubscribe(&self, key: &str, mailbox: &Mailbox) {
        let mut topics = self.topics();
        let Some(subscribers) = topics.subscribers.get_mut(key) else { return };
        subscribers.retain(|other| other.id != mailbox.id);
        if subscribers.is_empty() {
            topics.subscribers.remove(key);
        }
    }

    /// The stored events of a topic in `(after, until]`. None if some may have been purged, or too
    /// many rows would have to be read.
    pub(super) async fn replay(
        &self,
        key: &str,
        after: i64,
        until: i64,
    ) -> Result<Option<Vec<Event>>, sqlx::Error> {
        if events::count_topic(&self.db, key, after, until, REPLAY + 1).await? > REPLAY {
            return Ok(None);
        }
        let rows = events::list_topic(&self.db, key, after, until, REPLAY).await?;
        // Read after the rows, so that a concurrent purge is noticed.
        let Head { seq, purged_seq, .. } = events::get_head(&self.db).await?;
        // A number above the newest one comes from another database, or is made up.
        if after < purged_seq || seq < after {
            return Ok(None);
        }
        let events = rows.iter().filter_map(|row| Event::new(row.seq, key, row.events.as_ref()?));
        Ok(Some(events.collect()))
    }

    /// The current statistics.
    pub async fn stats(&self, now: DateTime<Utc>) -> Result<Stats, sqlx::Error> {
        let position = self.position();
        let backlog = events::get_backlog(&self.db).await?;
        let waits = backlog.waits_since.map_or(0, |since| (now - since).num_milliseconds());
        Ok(Stats {
            sockets: self.sockets.load(Ordering::SeqCst),
            sockets_max: SOCKETS,
            position,
            behind: (backlog.seq - position).max(0),
            waits_ms: waits.max(0),
        })
    }

    /// Waits up to three seconds after the start of the shutdown until all sockets are closed.
    pub async fn drained(&self) {
        let empty = async {
            while self.sockets.load(Ordering::SeqCst) > 0 {
                tokio::time::sleep(DRAIN_POLL).await;
            }
        };
        // Sockets that do not answer the close frame are cut off.
        let _ = tokio::time::timeout(DRAIN, empty).await;
    }

    /// Counts a new socket, unless there are too many.
    pub(super) fn admit(self: &Arc<Self>, kind: SocketKind) -> Option<Admission> {
        let max = match kind {
            SocketKind::Site(_) => SOCKETS,
            SocketKind::Office => SOCKETS + OFFICE_SOCKETS,
        };
        let admitted = self.sockets.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| {
            (count < max).then_some(count + 1)
        });
        admitted.ok()?;
        metrics::gauge!("push_sockets").increment(1);
        Some(Admission(Arc::clone(self)))
    }
}

/// A permit for one socket, dropped when it closes.
pub(super) struct Admission(Arc<Hub>);

impl Drop for Admission {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::SeqCst);
        metrics::gauge!("push_sockets").decrement(1);
    }
}

/// The queue of one socket.
pub(super) struct Mailbox {
    id: u64,
    waiting: Mutex<Waiting>,
    notify: Notify,
}

#[derive(Default)]
struct Waiting {
    events: VecDeque<Arc<Event>>,
    missed: BTreeSet<Channel>,
    missed_seq: i64,
}

/// The next item of a mailbox.
#[derive(Debug)]
pub(super) enum Next {
    Event(Arc<Event>),
    /// Events of these topics up to this number were lost.
    Gap(Vec<Channel>, i64),
}

impl Mailbox {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event. If the queue is full, it is replaced by a gap: the page loads those topics
    /// again.
    fn push(&self, event: Arc<Event>) {
        let mut waiting = self.waiting();
        if waiting.events.len() < QUEUE {
            waiting.events.push_back(event);
        } else {
            let lost: Vec<Channel> = waiting.events.drain(..).map(|event| event.channel).collect();
            waiting.missed.extend(lost);
            waiting.missed.insert(event.channel);
            waiting.missed_seq = event.seq;
            metrics::counter!("push_gaps_total").increment(1);
        }
        drop(waiting);
        self.notify.notify_one();
    }

    fn push_gap(&self, channel: Channel, seq: i64) {
        let mut waiting = self.waiting();
        waiting.missed.insert(channel);
        waiting.missed_seq = seq;
        drop(waiting);
        self.notify.notify_one();
    }

    fn take(&self) -> Option<Next> {
        let mut waiting = self.waiting();
        if !waiting.missed.is_empty() {
            let missed = std::mem::take(&mut waiting.missed).into_iter().collect();
            return Some(Next::Gap(missed, waiting.missed_seq));
        }
        waiting.events.pop_front().map(Next::Event)
    }

    /// Waits for the next item. Cancel safe.
    pub async fn next(&self) -> Next {
        loop {
            if let Some(next) = self.take() {
                return next;
            }
            self.notify.notified().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shutdown;

    fn hub() -> Arc<Hub> {
        let db = PgPool::connect_lazy("postgres://nobody@127.0.0.1:1/none").unwrap();
        Hub::new(db, shutdown::channel().1)
    }

    fn row(seq: i64, key: &str) -> BundleRow {
        BundleRow { seq, bundle: format!(r#"{{"{key}":[{{}}]}}"#) }
    }

    async fn seq(mailbox: &Mailbox) -> i64 {
        match mailbox.next().await {
            Next::Event(event) => event.seq,
            Next::Gap(..) => panic!("unexpected gap"),
        }
    }

    #[tokio::test]
    async fn events_reach_the_sockets_of_their_topic_in_order() {
        let hub = hub();
        hub.topics().position = 4;
        let mailbox = hub.mailbox();
        assert_eq!(hub.subscribe("site:a", &mailbox), 4);
        hub.publish(&[row(5, "site:a"), row(6, "site:b"), row(7, "site:a")]);
        assert_eq!((seq(&mailbox).await, seq(&mailbox).await), (5, 7));
        assert!(mailbox.take().is_none());
        assert_eq!(hub.position(), 7);
        hub.unsubscribe("site:a", &mailbox);
        hub.publish(&[row(8, "site:a")]);
        assert!(mailbox.take().is_none());
        assert!(hub.topics().subscribers.is_empty());
    }

    #[tokio::test]
    async fn a_slow_socket_gets_a_gap_and_then_what_is_new() {
        let hub = hub();
        let mailbox = hub.mailbox();
        hub.subscribe("site:a", &mailbox);
        hub.subscribe("winners:a", &mailbox);
        let many = i64::try_from(QUEUE).unwrap();
        let full: Vec<BundleRow> = (1..=many).map(|seq| row(seq, "winners:a")).collect();
        hub.publish(&full);
        hub.publish(&[row(many + 1, "winners:a"), row(many + 2, "site:a")]);
        let Next::Gap(topics, upto) = mailbox.next().await else { panic!("no gap") };
        assert_eq!((topics, upto), (vec![Channel::Winners], many + 1));
        assert_eq!(seq(&mailbox).await, many + 2);
        assert!(mailbox.take().is_none());
    }

    #[tokio::test]
    async fn a_socket_subscribes_to_a_topic_once() {
        let hub = hub();
        let mailbox = hub.mailbox();
        hub.subscribe("site:a", &mailbox);
        hub.subscribe("site:a", &mailbox);
        hub.publish(&[row(1, "site:a")]);
        assert_eq!(seq(&mailbox).await, 1);
        assert!(mailbox.take().is_none());
    }

    #[tokio::test]
    async fn a_bundle_is_one_event_for_each_topic() {
        let hub = hub();
        let (site, winners) = (hub.mailbox(), hub.mailbox());
        hub.subscribe("site:a", &site);
        hub.subscribe("winners:a", &winners);
        let bundle = r#"{"site:a":[{}],"winners:a":[{},{}],"member:b":[{}]}"#.to_owned();
        hub.publish(&[BundleRow { seq: 3, bundle }]);
        for mailbox in [site, winners] {
            assert_eq!(seq(&mailbox).await, 3);
            assert!(mailbox.take().is_none());
        }
        assert_eq!(hub.position(), 3);
    }

    #[tokio::test]
    async fn events_are_skipped_only_while_nobody_listens() {
        let hub = hub();
        assert_eq!(hub.skip_to(5), Some(5));
        let mailbox = hub.mailbox();
        assert_eq!(hub.subscribe("site:a", &mailbox), 5);
        assert_eq!(hub.skip_to(9), None);
        assert_eq!(hub.position(), 5);
    }

    #[tokio::test]
    async fn lost_events_are_a_gap_for_everyone() {
        let hub = hub();
        let mailbox = hub.mailbox();
        hub.subscribe("site:a", &mailbox);
        hub.send_gap_to_all(9);
        assert!(matches!(mailbox.next().await, Next::Gap(topics, 9) if topics == [Channel::Site]));
    }
}
