//! The writer: posts orders in batches, with one commit for many orders.
//!
//! Each node has a few lanes per handler. A lane is a thread with its own database connection: it
//! takes its share of the orders in the inbox, runs them as one batch in one transaction, and
//! answers after the commit. Row locks and unique indexes in the database keep this correct with
//! any number of nodes.

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

use super::batch::{BatchError, BatchOptions, BatchRunner, Order, Outcome};
use super::handler::{Handler, Receipt};
use super::inbox::Inbox;
use super::model::Key;
use super::stats::{Meter, Stats};
use platform::clock::Clock;
use platform::error::ApiError;
use platform::fail::FailPoints;
use platform::own_thread::{self, Ended};
use platform::push::Hub;
use platform::timeouts::Timeouts;

/// How long a lane waits before it retries a failed batch, for example while the database is down.
const RETRY_DELAY: Duration = Duration::from_millis(50);
/// The timeout of one batch.
const BATCH_TIMEOUT: Duration = Duration::from_secs(10);
/// The timeout of connecting to the database.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// How long a lane waits, after it has answered a large batch, for the callers to send their next
/// orders: one larger batch costs less than several small ones.
const GATHER_TIMEOUT: Duration = Duration::from_millis(1);
/// After fewer answers than this a lane takes the next batch without waiting.
const GATHER_MIN_ANSWERS: usize = 16;
/// For how many batches a lane looks up all keys after a batch failed on a repeated key.
const KEY_CHECK_BATCHES: u32 = 64;

/// The size limits of a writer.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The number of lanes: threads that write in parallel, each with its own connection.
    pub lanes: usize,
    /// The maximum number of orders in one batch.
    pub batch: usize,
    /// The maximum number of queued orders; further ones are refused with 503.
    pub queue: usize,
}

impl Default for Size {
    /// One lane per core, 8 at most: with the database on the same machine, more lanes only wait
    /// for each other.
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, NonZero::get);
        Self { lanes: cores.clamp(1, 8), batch: 1_024, queue: 8_192 }
    }
}

/// The dependencies of a writer.
#[derive(Clone)]
pub struct WriterDeps {
    /// The pool whose connect options the lanes use; they open their own connections.
    pub db: PgPool,
    /// The injected clock.
    pub clock: Clock,
    /// The push hub; it is woken after each commit.
    pub push: Arc<Hub>,
    /// The fail points of tests.
    pub fail: FailPoints,
    /// The timeouts; an order that waits longer than `wait()` is refused with 503.
    pub timeouts: Timeouts,
}

type Answer<R> = Result<Receipt<R>, ApiError>;

/// The caller that waits for an order's answer.
struct Caller<R> {
    queued_at: Instant,
    was_deferred: bool,
    answer: oneshot::Sender<Answer<R>>,
}

type Waiting<D> = (Order<<D as Handler>::Order>, Caller<<D as Handler>::Record>);

/// Accepts the orders of one handler and posts them in batches.
pub struct Writer<D: Handler> {
    inbox: Arc<Inbox<Waiting<D>>>,
    meter: Arc<Meter>,
    lanes: usize,
    running: Mutex<Vec<Ended>>,
}

impl<D: Handler> Writer<D> {
    /// Starts the lanes. Each has its own thread, so that a batch's round trips to the database do
    /// not queue behind the many request tasks of the runtime.
    pub fn start(handler: D, deps: WriterDeps, size: Size) -> Self {
        let runner = BatchRunner { handler, clock: deps.clock.clone(), fail: deps.fail.clone() };
        let runner = Arc::new(runner);
        let inbox = Arc::new(Inbox::new(size.lanes, size.queue));
        let meter = Arc::new(Meter::default());
        let lanes = (0..size.lanes).map(|number| {
            let lane = Lane {
                runner: Arc::clone(&runner),
                deps: deps.clone(),
                meter: Arc::clone(&meter),
                number: number.to_string(),
                max_batch: size.batch,
                connection: None,
                key_check_batches: 0,
                is_failing: false,
            };
            let name = format!("{}-{number}", D::NAME);
            own_thread::run(name, lane.run(Arc::clone(&inbox)))
        });
        let running = Mutex::new(lanes.collect());
        Self { inbox, meter, lanes: size.lanes, running }
    }

    /// The writer's current load and latency.
    pub fn stats(&self) -> Stats {
        let (queue, queue_max) = self.inbox.load();
        Stats { lanes: self.lanes, queue, queue_max, ..self.meter.read() }
    }

    /// Posts an order and waits for its commit: the answer says whether it was accepted or refused.
    /// Dropping the future does not cancel the order.
    pub async fn post(&self, holder_id: Uuid, key: Key, body: D::Order) -> Answer<D::Record> {
        let (answer, receipt) = oneshot::channel();
        let order = Order { holder_id, key, body };
        let caller = Caller { queued_at: Instant::now(), was_deferred: false, answer };
        if !self.inbox.put(holder_id, (order, caller)) {
            metrics::counter!("wallet_turned_away_total", "writer" => D::NAME).increment(1);
            return Err(ApiError::unavailable("the writer's queue is full or closed"));
        }
        // A lane that panics drops its orders. The caller gets 503 and can repeat the request with
        // the same key to learn whether it was committed.
        receipt.await.map_err(ApiError::unavailable)?
    }

    /// Refuses new orders, finishes the queued ones, and waits until all lanes have ended.
    pub async fn drain(&self) {
        self.inbox.close();
        let lanes = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *running)
        };
        join_all(lanes).await;
    }
}

impl<D: Handler> Drop for Writer<D> {
    /// The lanes finish the queued orders and then end.
    fn drop(&mut self) {
        self.inbox.close();
    }
}

/// Runs batches on its own thread and database connection.
struct Lane<D: Handler> {
    runner: Arc<BatchRunner<D>>,
    deps: WriterDeps,
    meter: Arc<Meter>,
    number: String,
    max_batch: usize,
    connection: Option<PgConnection>,
    key_check_batches: u32,
    is_failing: bool,
}

impl<D: Handler> Lane<D> {
    async fn run(mut self, inbox: Arc<Inbox<Waiting<D>>>) {
        // A panic in a handler must not end the lane. The orders of the batch are dropped, so their
        // callers get an error, and the lane continues with a new connection.
        while AssertUnwindSafe(self.run_batches(&inbox)).catch_unwind().await.is_err() {
            tracing::error!(
                writer = D::NAME,
                lane = self.number,
                "a batch panicked: its callers get 503, the lane reconnects"
            );
            self.connection = None;
        }
        if let Some(connection) = self.connection {
            // Everything is committed, so an error on close does not matter.
            let _ = connection.close().await;
        }
    }

    /// Runs batch after batch until the inbox is closed and has no orders left for this lane.
    async fn run_batches(&mut self, inbox: &Inbox<Waiting<D>>) {
        let (mut claim, mut batch) = (inbox.claim(), Vec::new());
        let mut answered = 0;
        loop {
            if answered >= GATHER_MIN_ANSWERS {
                inbox.gather(answered * 3 / 4, GATHER_TIMEOUT);
            }
            // Deferred orders of the last batch come first.
            claim.fill(&mut batch, self.max_batch);
            if batch.is_empty() {
                // No callers sent new orders, so the next order is taken without gathering.
                answered = 0;
                match inbox.wait().await {
                    true => continue,
                    false => return,
                }
            }
            let taken = batch.len();
            batch = self.run_batch(batch).await;
            answered = taken - batch.len();
            claim.retain(batch.iter().map(|(order, _)| order.holder_id));
        }
    }

    /// Runs a batch, answers its callers, and returns the deferred orders for the next batch.
    async fn run_batch(&mut self, batch: Vec<Waiting<D>>) -> Vec<Waiting<D>> {
        let began = Instant::now();
        let batch = self.refuse_expired(batch, began);
        if batch.is_empty() {
            return batch;
        }
        let (orders, callers): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let waited = self.record_batch_start(&callers, began);
        let waits_for_locks = callers.iter().all(|caller| caller.was_deferred);
        let outcomes = self.settle(&orders, waits_for_locks).await;
        let labels = [("writer", D::NAME.to_owned()), ("lane", self.number.clone())];
        let took = began.elapsed();
        metrics::histogram!("wallet_batch_seconds", &labels).record(took.as_secs_f64());
        self.meter.record_batch(orders.len(), waited, took);
        let deferred = answer::<D>(orders, callers, outcomes);
        self.note_deferred(deferred.len());
        self.deps.push.wake();
        // A fail point of tests: everything is committed and answered here.
        let _ = self.deps.fail.pass("wallet.answered").await;
        deferred
    }

    /// Counts deferred orders. One of them may have a key that came twice in the batch, so the next
    /// batch looks up all keys.
    fn note_deferred(&mut self, count: usize) {
        if count > 0 {
            let count = u64::try_from(count).unwrap_or(u64::MAX);
            metrics::counter!("wallet_deferred_total", "writer" => D::NAME).increment(count);
            self.key_check_batches = self.key_check_batches.max(1);
        }
    }

    /// Runs the orders, and handles failed batches, until each order has an outcome.
    fn settle<'a>(
        &'a mut self,
        orders: &'a [Order<D::Order>],
        waits_for_locks: bool,
    ) -> BoxFuture<'a, Vec<Outcome<D::Record>>> {
        Box::pin(async move {
            let began = Instant::now();
            loop {
                let checks_keys = self.key_check_batches > 0;
                let error = match self.try_once(orders, checks_keys, waits_for_locks).await {
                    Ok(outcomes) => return outcomes,
                    Err(error) => error,
                };
                let remedy = Remedy::of(&error, checks_keys);
                self.report_failure(&error, remedy);
                match remedy {
                    Remedy::Split if orders.len() > 1 => {
                        return self.split(orders, waits_for_locks).await;
                    }
                    Remedy::Split => {
                        return refuse(orders, || ApiError::internal(error.to_string()));
                    }
                    Remedy::Defer => return orders.iter().map(|_| Outcome::Deferred).collect(),
                    Remedy::LookKeysUp => self.key_check_batches = KEY_CHECK_BATCHES,
                    Remedy::Repeat => tokio::time::sleep(RETRY_DELAY).await,
                    Remedy::Reconnect => self.drop_connection().await,
                }
                if began.elapsed() > self.deps.timeouts.wait() {
                    return refuse(orders, || ApiError::unavailable(error.to_string()));
                }
            }
        })
    }

    /// Counts a failed batch, and logs the first of several failures in a row.
    fn report_failure(&mut self, error: &BatchError, remedy: Remedy) {
        metrics::counter!("wallet_repeated_total", "remedy" => remedy.name()).increment(1);
        if !std::mem::replace(&mut self.is_failing, true) {
            self.meter.set_failing(true);
            tracing::warn!(%error, remedy = remedy.name(), "a ledger batch failed");
        }
    }

    /// Drops the connection. It is unknown whether its last transaction was committed, so the next
    /// batch looks up all keys.
    async fn drop_connection(&mut self) {
        self.connection = None;
        self.key_check_batches = self.key_check_batches.max(1);
        tokio::time::sleep(RETRY_DELAY).await;
    }

    async fn try_once(
        &mut self,
        orders: &[Order<D::Order>],
        checks_keys: bool,
        waits_for_locks: bool,
    ) -> Result<Vec<Outcome<D::Record>>, BatchError> {
        let mut connection = match self.connection.take() {
            Some(open) => open,
            None => connect(&self.deps.db).await?,
        };
        let options = BatchOptions { checks_keys, waits_for_locks };
        let run = self.runner.run(&mut connection, orders, options);
        // A timed out connection is dropped and never reused: its remedy is `Reconnect`.
        let result = tokio::time::timeout(BATCH_TIMEOUT, run).await;
        let result = result.unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()));
        self.connection = Some(connection);
        if result.is_ok() {
            if std::mem::take(&mut self.is_failing) {
                self.meter.set_failing(false);
            }
            self.key_check_batches = self.key_check_batches.saturating_sub(1);
        }
        result
    }

    /// Halves a batch that contains an order with invalid data, until that order is alone and can
    /// be refused without the others.
    async fn split(
        &mut self,
        orders: &[Order<D::Order>],
        waits_for_locks: bool,
    ) -> Vec<Outcome<D::Record>> {
        let (first, second) = orders.split_at(orders.len() / 2);
        let mut outcomes = self.settle(first, waits_for_locks).await;
        outcomes.extend(self.settle(second, waits_for_locks).await);
        outcomes
    }

    /// Refuses orders that have waited longer than the timeout, and returns the others.
    fn refuse_expired(&self, batch: Vec<Waiting<D>>, now: Instant) -> Vec<Waiting<D>> {
        let timeout = self.deps.timeouts.wait();
        let (batch, expired): (Vec<_>, Vec<_>) = batch
            .into_iter()
            .partition(|(_, caller)| now.duration_since(caller.queued_at) < timeout);
        for (_, caller) in expired {
            // The caller may have disconnected.
            let _ = caller.answer.send(Err(ApiError::unavailable("the order waited too long")));
        }
        batch
    }

    /// Records the size of a batch and how long its first order has waited; returns the latter.
    fn record_batch_start(&self, batch: &[Caller<D::Record>], began: Instant) -> Duration {
        let labels = [("writer", D::NAME.to_owned()), ("lane", self.number.clone())];
        let size = u32::try_from(batch.len()).unwrap_or(u32::MAX);
        metrics::histogram!("wallet_batch_orders", &labels).record(f64::from(size));
        // The first order has waited longest.
        let waited = batch.first().map_or(Duration::ZERO, |first| began - first.queued_at);
        metrics::histogram!("wallet_wait_seconds", &labels).record(waited.as_secs_f64());
        waited
    }
}

/// Answers the orders that have an outcome, and returns the deferred ones.
fn answer<D: Handler>(
    orders: Vec<Order<D::Order>>,
    callers: Vec<Caller<D::Record>>,
    outcomes: Vec<Outcome<D::Record>>,
) -> Vec<Waiting<D>> {
    let mut deferred = Vec::new();
    for ((order, mut caller), outcome) in orders.into_iter().zip(callers).zip(outcomes) {
        // The caller may have disconnected; the order is committed all the same.
        let _ = match outcome {
            Outcome::Accepted(receipt) => caller.answer.send(Ok(receipt)),
            Outcome::Refused(error) => caller.answer.send(Err(error)),
            Outcome::Deferred => {
                caller.was_deferred = true;
                deferred.push((order, caller));
                continue;
            }
        };
    }
    deferred
}

fn refuse<O, R>(orders: &[Order<O>], error: impl Fn() -> ApiError) -> Vec<Outcome<R>> {
    orders.iter().map(|_| Outcome::Refused(error())).collect()
}

/// Opens a connection for a lane. Its lock and statement timeouts are short, and query plans must
/// use indexes, so that a plan cached while the tables were small does not become slow later.
async fn connect(db: &PgPool) -> Result<PgConnection, sqlx::Error> {
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
        Ok(connection)
    };
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
    connected.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// What the lane does about a failed batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Remedy {
    /// The transaction was rolled back, by a deadlock for example: repeat it.
    Repeat,
    /// The unique index of keys was violated: repeat the batch and look up all keys first.
    LookKeysUp,
    /// The lock timeout expired: leave the orders for the next batch.
    Defer,
    /// An order has data that the tables refuse: halve the batch to find it.
    Split,
    /// The connection failed, and it is unknown whether the transaction was committed: reconnect
    /// and look up all keys.
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

    fn of(error: &BatchError, checked_keys: bool) -> Self {
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
            "23505" if !checked_keys => Self::LookKeysUp,
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
