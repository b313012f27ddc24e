//! The hub: hands numbered events to the sockets of this node.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgPool;
use tokio::sync::{Notify, OnceCell};

use super::events::{self, BundleRow, Head, REPLAY};
use super::protocol::{self, Bundle, Channel, Event};
use super::session::Door;
use crate::shutdown::Shutdown;

/// Events that wait for one socket; a socket that falls further behind gets a gap.
pub(super) const QUEUE: usize = 64;
/// Sockets per node; more are answered 503.
const SOCKETS: usize = 20_000;
/// As many more are for the office alone: a rush of players must not shut it out.
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

/// How the events flow to this node's sockets.
#[derive(Clone, Copy, Debug)]
pub struct Pulse {
    /// Open sockets.
    pub sockets: usize,
    /// How many of them the site may have.
    pub sockets_max: usize,
    /// The number of the last event that was handed out here.
    pub position: i64,
    /// How many numbers have been given since.
    pub behind: i64,
    /// For how long the oldest event waits for its number, in milliseconds.
    pub waits_ms: i64,
}

#[derive(Default)]
struct Topics {
    /// The number of the last event that was handed out.
    position: i64,
    next_id: u64,
    subscribers: HashMap<String, Vec<Arc<Mailbox>>>,
}

impl Topics {
    /// Makes the frame only where somebody listens: most members have no page on this node.
    fn hand_out(&self, seq: i64, key: &str, events: &str) {
        let Some(mailboxes) = self.subscribers.get(key) else { return };
        let Some(event) = Event::new(seq, key, events) else { return };
        metrics::counter!("push_events_total", "topic" => event.channel.name()).increment(1);
        let event = Arc::new(event);
        for mailbox in mailboxes {
            mailbox.put(Arc::clone(&event));
        }
    }
}

impl Hub {
    /// A hub without sockets; it closes them all when the shutdown begins.
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

    /// Tells the relay that something was committed here, so that it is sent at once.
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

    /// Starts at the newest event: what was before concerns no socket of this node. Whoever
    /// comes first, relay or socket, does it.
    pub(super) async fn start(&self) -> Result<(), sqlx::Error> {
        let start = async {
            let head = events::get_head(&self.db).await?;
            self.topics().position = head.seq;
            Ok(())
        };
        self.started.get_or_try_init(|| start).await.copied()
    }

    /// Hands events out, in order.
    pub(super) fn publish(&self, rows: &[BundleRow]) {
        let bundles: Vec<(i64, Bundle<'_>)> =
            rows.iter().map(|row| (row.seq, protocol::read_bundle(row))).collect();
        let mut topics = self.topics();
        for (seq, bundle) in bundles {
            topics.position = seq;
            for (key, events) in bundle {
                topics.hand_out(seq, key, events.get());
            }
        }
    }

    /// Whether any socket of this node listens to anything.
    pub(super) fn has_listeners(&self) -> bool {
        !self.topics().subscribers.is_empty()
    }

    /// Moves on past events that no socket of this node wants, and says how many numbers it
    /// passed; None if a socket has come meanwhile.
    pub(super) fn skip_unheard(&self, position: i64) -> Option<usize> {
        let mut topics = self.topics();
        if !topics.subscribers.is_empty() {
            return None;
        }
        let passed = position - topics.position;
        topics.position = topics.position.max(position);
        Some(usize::try_from(passed).unwrap_or(0))
    }

    /// Tells every socket that events were lost on the way.
    pub(super) fn lose_all(&self, position: i64) {
        let mut topics = self.topics();
        topics.position = topics.position.max(position);
        for (key, mailboxes) in &topics.subscribers {
            let Some(channel) = Channel::of_key(key) else { continue };
            for mailbox in mailboxes {
                mailbox.miss(channel, position);
            }
        }
    }

    /// A queue for a new socket.
    pub(super) fn mailbox(&self) -> Arc<Mailbox> {
        let mut topics = self.topics();
        topics.next_id += 1;
        Arc::new(Mailbox { id: topics.next_id, waiting: Mutex::default(), notify: Notify::new() })
    }

    /// Subscribes and returns the position: later events come through the mailbox, those up
    /// to the position must be replayed if they are wanted.
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

    /// The stored events of a topic in `(after, until]`, or None when some of them may be
    /// gone or too many rows would have to be looked through.
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
        // Read after the rows: a purge in between shows here.
        let Head { seq, purged_seq, .. } = events::get_head(&self.db).await?;
        // A number from the future comes from another database, or from a guess.
        if after < purged_seq || seq < after {
            return Ok(None);
        }
        let events = rows.iter().filter_map(|row| Event::new(row.seq, key, row.events.as_ref()?));
        Ok(Some(events.collect()))
    }

    /// How the events flow.
    pub async fn pulse(&self, now: DateTime<Utc>) -> Result<Pulse, sqlx::Error> {
        let position = self.position();
        let backlog = events::get_backlog(&self.db).await?;
        let waits = backlog.waits_since.map_or(0, |since| (now - since).num_milliseconds());
        Ok(Pulse {
            sockets: self.sockets.load(Ordering::SeqCst),
            sockets_max: SOCKETS,
            position,
            behind: (backlog.seq - position).max(0),
            waits_ms: waits.max(0),
        })
    }

    /// After the shutdown has begun: waits, for a few seconds at most, until every socket
    /// has been told so and is closed.
    pub async fn drained(&self) {
        let empty = async {
            while self.sockets.load(Ordering::SeqCst) > 0 {
                tokio::time::sleep(DRAIN_POLL).await;
            }
        };
        // Whoever does not listen even to a farewell is cut off.
        let _ = tokio::time::timeout(DRAIN, empty).await;
    }

    /// Counts a new socket, unless there are too many.
    pub(super) fn admit(self: &Arc<Self>, door: Door) -> Option<Admission> {
        let most = match door {
            Door::Site(_) => SOCKETS,
            Door::Office => SOCKETS + OFFICE_SOCKETS,
        };
        let admitted = self.sockets.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |count| {
            (count < most).then_some(count + 1)
        });
        admitted.ok()?;
        metrics::gauge!("push_sockets").increment(1);
        Some(Admission(Arc::clone(self)))
    }
}

/// The place of one socket; dropped when it closes.
pub(super) struct Admission(Arc<Hub>);

impl Drop for Admission {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::SeqCst);
        metrics::gauge!("push_sockets").decrement(1);
    }
}

/// What waits for one socket.
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

/// The next thing to tell a socket.
#[derive(Debug)]
pub(super) enum Next {
    Event(Arc<Event>),
    /// Events of these topics were lost, up to this number.
    Gap(Vec<Channel>, i64),
}

impl Mailbox {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A full queue is given up whole: the page loads those topics again.
    fn put(&self, event: Arc<Event>) {
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

    fn miss(&self, channel: Channel, seq: i64) {
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

    /// Waits for something to tell. Loses nothing when it is cancelled.
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
        assert_eq!(hub.skip_unheard(5), Some(5));
        let mailbox = hub.mailbox();
        assert_eq!(hub.subscribe("site:a", &mailbox), 5);
        assert_eq!(hub.skip_unheard(9), None);
        assert_eq!(hub.position(), 5);
    }

    #[tokio::test]
    async fn lost_events_are_a_gap_for_everyone() {
        let hub = hub();
        let mailbox = hub.mailbox();
        hub.subscribe("site:a", &mailbox);
        hub.lose_all(9);
        assert!(matches!(mailbox.next().await, Next::Gap(topics, 9) if topics == [Channel::Site]));
    }
}
