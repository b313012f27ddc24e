//! The writer: many orders, one commit.
//!
//! Each node has a few lanes per desk, each on a thread of its own. A lane takes its share of what
//! waits in the inbox, works it as one batch in one transaction, and answers after the commit. The
//! database stays the authority: any number of nodes may write.

use std::num::NonZero;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{Connection, PgPool};
use tokio::sync::oneshot;
use uuid::Uuid;

use super::batch::{BatchError, Bench, Manner, Order, Outcome};
use super::desk::{Desk, Receipt};
use super::inbox::Inbox;
use super::model::Key;
use super::pulse::{Meter, Pulse};
use platform::bulk::Way;
use platform::clock::Clock;
use platform::error::ApiError;
use platform::fail::FailPoints;
use platform::own_thread::{self, Ended};
use platform::patience::Patience;
use platform::push::Hub;

/// How long a lane waits between tries while the database is away.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a batch may take at all.
const BATCH_TIME: Duration = Duration::from_secs(10);
/// How long connecting may take.
const CONNECT_TIME: Duration = Duration::from_secs(3);
/// How long a lane lets those whom it answered order again before it takes the next batch: better
/// in this one than in a small one of their own.
const GATHERING: Duration = Duration::from_millis(1);
/// After fewer answers than this it takes what there is.
const CROWD: usize = 16;
/// How many batches look every key up after a key was found to have been used.
const CAREFUL_BATCHES: u32 = 64;

/// How large a writer is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Tasks that write at the same time, each over a connection of its own.
    pub lanes: usize,
    /// Orders of one batch.
    pub batch: usize,
    /// Orders that may wait; more are told to come again.
    pub queue: usize,
}

impl Default for Size {
    /// One lane per core: more only wait for each other where the database is on the same machine.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        Self { lanes: cores.clamp(1, 8), batch: 1_024, queue: 8_192 }
    }
}

/// What the lanes of a writer share with the rest of the node.
#[derive(Clone)]
pub struct Ground {
    /// Where to connect to; the lanes have connections of their own.
    pub db: PgPool,
    /// The injected clock.
    pub clock: Clock,
    /// Woken after each commit.
    pub push: Arc<Hub>,
    /// Where tests make it fail.
    pub fail: FailPoints,
    /// How long an order may wait until it is told to come again: for one turn.
    pub patience: Patience,
}

type Answer<R> = Result<Receipt<R>, ApiError>;

/// Who waits for an answer.
struct Caller<R> {
    since: Instant,
    was_deferred: bool,
    answer: oneshot::Sender<Answer<R>>,
}

type Waiting<D> = (Order<<D as Desk>::Order>, Caller<<D as Desk>::Record>);

/// The door for orders of one desk.
pub struct Writer<D: Desk> {
    inbox: Arc<Inbox<Waiting<D>>>,
    meter: Arc<Meter>,
    lanes: usize,
    running: Mutex<Vec<Ended>>,
}

impl<D: Desk> Writer<D> {
    /// Starts the lanes. Their threads keep the messages to and fro of a batch from waiting behind
    /// requests, which are many.
    pub fn start(desk: D, ground: Ground, size: Size) -> Self {
        let bench = Bench { desk, clock: ground.clock.clone(), fail: ground.fail.clone() };
        let bench = Arc::new(bench);
        let inbox = Arc::new(Inbox::new(size.lanes, size.queue));
        let meter = Arc::new(Meter::default());
        let lanes = (0..size.lanes).map(|number| {
            let lane = Lane {
                bench: Arc::clone(&bench),
                ground: ground.clone(),
                meter: Arc::clone(&meter),
                number: number.to_string(),
                most: size.batch,
                connection: None,
                careful_batches: 0,
                is_failing: false,
            };
            let name = format!("{}-{number}", D::NAME);
            own_thread::run(name, lane.run(Arc::clone(&inbox)))
        });
        let running = Mutex::new(lanes.collect());
        Self { inbox, meter, lanes: size.lanes, running }
    }

    /// How it does.
    pub fn pulse(&self) -> Pulse {
        let (queue, queue_max) = self.inbox.load();
        Pulse { lanes: self.lanes, queue, queue_max, ..self.meter.read() }
    }

    /// Posts an order: decided, paid and recorded, or refused, when the answer comes. To drop
    /// the future cancels nothing.
    pub async fn post(&self, holder_id: Uuid, key: Key, what: D::Order) -> Answer<D::Record> {
        let (answer, receipt) = oneshot::channel();
        let order = Order { holder_id, key, what };
        let caller = Caller { since: Instant::now(), was_deferred: false, answer };
        if !self.inbox.put(holder_id, (order, caller)) {
            metrics::counter!("wallet_turned_away_total", "writer" => D::NAME).increment(1);
            return Err(ApiError::unavailable("the writer's queue is full or closed"));
        }
        // A lane that fails drops its orders: whether they were done is found out by their keys.
        receipt.await.map_err(ApiError::unavailable)?
    }

    /// Takes no more orders, works those that wait, and ends.
    pub async fn drain(&self) {
        self.inbox.close();
        let lanes = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *running)
        };
        join_all(lanes).await;
    }
}

impl<D: Desk> Drop for Writer<D> {
    /// The lanes end by themselves.
    fn drop(&mut self) {
        self.inbox.close();
    }
}

/// A task that works batches over a connection of its own.
struct Lane<D: Desk> {
    bench: Arc<Bench<D>>,
    ground: Ground,
    meter: Arc<Meter>,
    number: String,
    most: usize,
    connection: Option<(PgConnection, Way)>,
    careful_batches: u32,
    is_failing: bool,
}

impl<D: Desk> Lane<D> {
    async fn run(mut self, inbox: Arc<Inbox<Waiting<D>>>) {
        // A bug in a desk must not end the lane: its orders are dropped, which their callers
        // hear of, and the lane goes on with a new connection.
        while AssertUnwindSafe(self.work_all(&inbox)).catch_unwind().await.is_err() {
            tracing::error!(writer = D::NAME, lane = self.number, "a batch panicked");
            self.connection = None;
        }
        if let Some((connection, _)) = self.connection {
            // Nothing is left to lose.
            let _ = connection.close().await;
        }
    }

    /// Works batch after batch until the inbox is closed and nothing is left for this lane.
    async fn work_all(&mut self, inbox: &Inbox<Waiting<D>>) {
        let (mut hand, mut batch) = (inbox.hand(), Vec::new());
        let mut answered = 0;
        loop {
            if answered >= CROWD {
                inbox.gather(answered * 3 / 4, GATHERING);
            }
            // Those that were left over come first.
            hand.fill(&mut batch, self.most);
            if batch.is_empty() {
                // The crowd has gone: who comes next waits for nobody.
                answered = 0;
                match inbox.wait().await {
                    true => continue,
                    false => return,
                }
            }
            let taken = batch.len();
            batch = self.work(batch).await;
            answered = taken - batch.len();
            hand.keep(batch.iter().map(|(order, _)| order.holder_id));
        }
    }

    /// Works a batch, and gives back what is left for the next.
    async fn work(&mut self, batch: Vec<Waiting<D>>) -> Vec<Waiting<D>> {
        let began = Instant::now();
        let batch = self.turn_late_away(batch, began);
        if batch.is_empty() {
            return batch;
        }
        let (orders, callers): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let waited = self.measure_taken(&callers, began);
        let waits = callers.iter().all(|caller| caller.was_deferred);
        let outcomes = self.settle(&orders, waits).await;
        let labels = [("writer", D::NAME.to_owned()), ("lane", self.number.clone())];
        let took = began.elapsed();
        metrics::histogram!("wallet_batch_seconds", &labels).record(took.as_secs_f64());
        self.meter.note(orders.len(), waited, took);
        let left = answer::<D>(orders, callers, outcomes);
        self.note_left(left.len());
        self.ground.push.wake();
        // The answers are out: a test may end the process here and lose nothing.
        let _ = self.ground.fail.pass("wallet.answered").await;
        left
    }

    /// What was left may be a key that came twice in one batch, so the next looks keys up.
    fn note_left(&mut self, count: usize) {
        if count > 0 {
            let count = u64::try_from(count).unwrap_or(u64::MAX);
            metrics::counter!("wallet_deferred_total", "writer" => D::NAME).increment(count);
            self.careful_batches = self.careful_batches.max(1);
        }
    }

    /// Works orders until each has an outcome.
    fn settle<'a>(
        &'a mut self,
        orders: &'a [Order<D::Order>],
        waits: bool,
    ) -> BoxFuture<'a, Vec<Outcome<D::Record>>> {
        Box::pin(async move {
            let began = Instant::now();
            loop {
                let is_careful = self.careful_batches > 0;
                let error = match self.try_once(orders, is_careful, waits).await {
                    Ok(outcomes) => return outcomes,
                    Err(error) => error,
                };
                let remedy = Remedy::of(&error, is_careful);
                self.tell(&error, remedy);
                match remedy {
                    Remedy::Split if orders.len() > 1 => return self.split(orders, waits).await,
                    Remedy::Split => {
                        return refuse(orders, || ApiError::internal(error.to_string()));
                    }
                    Remedy::Defer => return orders.iter().map(|_| Outcome::Deferred).collect(),
                    Remedy::LookKeysUp => self.careful_batches = CAREFUL_BATCHES,
                    Remedy::Repeat => tokio::time::sleep(PAUSE).await,
                    Remedy::Reconnect => self.let_go().await,
                }
                if began.elapsed() > self.ground.patience.turn() {
                    return refuse(orders, || ApiError::unavailable(error.to_string()));
                }
            }
        })
    }

    /// Counts a failure, and writes the first of several in a row into the log.
    fn tell(&mut self, error: &BatchError, remedy: Remedy) {
        metrics::counter!("wallet_repeated_total", "remedy" => remedy.name()).increment(1);
        if !std::mem::replace(&mut self.is_failing, true) {
            self.meter.note_failing(true);
            tracing::warn!(%error, remedy = remedy.name(), "a batch of the ledger failed");
        }
    }

    /// Gives the connection up, in whatever state it is. What was under way on it is unknown, so
    /// keys are looked up next.
    async fn let_go(&mut self) {
        self.connection = None;
        self.careful_batches = self.careful_batches.max(1);
        tokio::time::sleep(PAUSE).await;
    }

    async fn try_once(
        &mut self,
        orders: &[Order<D::Order>],
        is_careful: bool,
        waits: bool,
    ) -> Result<Vec<Outcome<D::Record>>, BatchError> {
        let (mut connection, way) = match self.connection.take() {
            Some(open) => open,
            None => connect(&self.ground.db).await?,
        };
        let manner = Manner { is_careful, waits, way };
        let work = self.bench.work(&mut connection, orders, manner);
        // A connection that says nothing any more is given up; it is never used again.
        let worked = tokio::time::timeout(BATCH_TIME, work).await;
        let worked = worked.unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()));
        self.connection = Some((connection, way));
        if worked.is_ok() {
            if std::mem::take(&mut self.is_failing) {
                self.meter.note_failing(false);
            }
            self.careful_batches = self.careful_batches.saturating_sub(1);
        }
        worked
    }

    /// One order of a batch offends: the batch is halved until that one is alone.
    async fn split(&mut self, orders: &[Order<D::Order>], waits: bool) -> Vec<Outcome<D::Record>> {
        let (first, second) = orders.split_at(orders.len() / 2);
        let mut outcomes = self.settle(first, waits).await;
        outcomes.extend(self.settle(second, waits).await);
        outcomes
    }

    /// Answers orders that have waited too long; the others remain.
    fn turn_late_away(&self, batch: Vec<Waiting<D>>, now: Instant) -> Vec<Waiting<D>> {
        let patience = self.ground.patience.turn();
        let (batch, late): (Vec<_>, Vec<_>) =
            batch.into_iter().partition(|(_, caller)| now.duration_since(caller.since) < patience);
        for (_, caller) in late {
            // Whoever asked may be gone.
            let _ = caller.answer.send(Err(ApiError::unavailable("the order waited too long")));
        }
        batch
    }

    /// Measures a batch that was taken; gives how long its first order had waited.
    fn measure_taken(&self, batch: &[Caller<D::Record>], began: Instant) -> Duration {
        let labels = [("writer", D::NAME.to_owned()), ("lane", self.number.clone())];
        let size = u32::try_from(batch.len()).unwrap_or(u32::MAX);
        metrics::histogram!("wallet_batch_orders", &labels).record(f64::from(size));
        // The first has waited longest.
        let waited = batch.first().map_or(Duration::ZERO, |first| began - first.since);
        metrics::histogram!("wallet_wait_seconds", &labels).record(waited.as_secs_f64());
        waited
    }
}

/// Answers the orders that have an outcome, and gives back the others.
fn answer<D: Desk>(
    orders: Vec<Order<D::Order>>,
    callers: Vec<Caller<D::Record>>,
    outcomes: Vec<Outcome<D::Record>>,
) -> Vec<Waiting<D>> {
    let mut left = Vec::new();
    for ((order, mut caller), outcome) in orders.into_iter().zip(callers).zip(outcomes) {
        // Whoever asked may be gone, which changes nothing.
        let _ = match outcome {
            Outcome::Accepted(receipt) => caller.answer.send(Ok(receipt)),
            Outcome::Refused(error) => caller.answer.send(Err(error)),
            Outcome::Deferred => {
                caller.was_deferred = true;
                left.push((order, caller));
                continue;
            }
        };
    }
    left
}

fn refuse<O, R>(orders: &[Order<O>], error: impl Fn() -> ApiError) -> Vec<Outcome<R>> {
    orders.iter().map(|_| Outcome::Refused(error())).collect()
}

/// A connection for a lane: short waits for locks, and plans that do not depend on how full
/// the tables were when they were made.
async fn connect(db: &PgPool) -> Result<(PgConnection, Way), sqlx::Error> {
    let options: PgConnectOptions = db.connect_options().as_ref().clone();
    let options = options.application_name("capiz-writer").options([
        ("lock_timeout", "1s"),
        ("statement_timeout", "8s"),
        ("enable_seqscan", "off"),
        ("enable_hashjoin", "off"),
        ("enable_mergejoin", "off"),
        ("jit", "off"),
        ("plan_cache_mode", "force_generic_plan"),
    ]);
    let connecting = async {
        let mut connection = PgConnection::connect_with(&options).await?;
        sqlx::query("set role capiz_server").execute(&mut connection).await?;
        let way = Way::of(&mut connection).await?;
        Ok((connection, way))
    };
    let connected = tokio::time::timeout(CONNECT_TIME, connecting).await;
    connected.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// What is done about a batch that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Remedy {
    /// The transaction was undone and can simply be repeated.
    Repeat,
    /// A key was used before.
    LookKeysUp,
    /// Wallets are held for long.
    Defer,
    /// One of the orders offends.
    Split,
    /// The connection is gone, and what was under way on it is unknown.
    Reconnect,
}

impl Remedy {
    fn name(self) -> &'static str {
        match self {
            Self::Repeat => "repeat",
            Self::LookKeysUp => "look_keys_up",
            Self::Defer => "defer",
            Self::Split => "split",
            Self::Reconnect => "reconnect",
        }
    }

    fn of(error: &BatchError, was_careful: bool) -> Self {
        let BatchError::Database(error) = error else { return Self::Reconnect };
        let sqlx::Error::Database(error) = error else {
            return match error {
                sqlx::Error::RowNotFound => Self::Repeat,
                sqlx::Error::Decode(_)
                | sqlx::Error::ColumnDecode { .. }
                | sqlx::Error::Encode(_) => Self::Split,
                _ => Self::Reconnect,
            };
        };
        let code = error.code().unwrap_or_default();
        match code.as_ref() {
            "23505" if !was_careful => Self::LookKeysUp,
            "55P03" => Self::Defer,
            "57014" => Self::Repeat,
            _ => match code.get(..2) {
                Some("40" | "53") => Self::Repeat,
                Some("22" | "23") => Self::Split,
                _ => Self::Reconnect,
            },
        }
    }
}
