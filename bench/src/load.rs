//! Generates load: a number of clients, each of which sends its next request as soon as the
//! previous one is answered.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::Failure;
use crate::client::{Connection, Request};

/// A client that repeats one action. A refusal fails the run, because refusals are cheap and would
/// falsify the figures.
pub trait Client: Send + 'static {
    /// Performs the action once, and returns after the response.
    fn act(&mut self) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// The result of one measurement.
#[derive(Clone, Copy)]
pub struct Measurement {
    /// The number of responses.
    pub count: u32,
    /// Responses per second.
    pub rate: f64,
    /// The median response time.
    pub median: Duration,
    /// The 99th percentile of the response time.
    pub slowest_percent: Duration,
}

impl Measurement {
    /// Runs the clients for this long.
    pub async fn run<C: Client>(clients: Vec<C>, length: Duration) -> Result<Self, Failure> {
        let began = Instant::now();
        let mut tasks = JoinSet::new();
        for client in clients {
            tasks.spawn(keep_acting(client, began + length));
        }
        let mut times = Vec::new();
        while let Some(done) = tasks.join_next().await {
            times.append(&mut done??);
        }
        Self::of(times, began.elapsed())
    }

    fn of(mut times: Vec<Duration>, elapsed: Duration) -> Result<Self, Failure> {
        times.sort_unstable();
        let count = u32::try_from(times.len())?;
        let at = |percent: usize| times.get(times.len() * percent / 100).copied();
        let (Some(median), Some(slowest_percent)) = (at(50), at(99)) else {
            return Err("there was no answer; raise BENCH_SECONDS".into());
        };
        let rate = f64::from(count) / elapsed.as_secs_f64();
        Ok(Self { count, rate, median, slowest_percent })
    }
}

async fn keep_acting<C: Client>(
    mut client: C,
    deadline: Instant,
) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    while Instant::now() < deadline {
        let began = Instant::now();
        client.act().await?;
        times.push(began.elapsed());
    }
    Ok(times)
}

/// Creates the next request of the connection with this number.
pub type Load = Arc<dyn Fn(usize) -> Request + Send + Sync>;

/// A client that sends the requests of a load over one connection.
pub struct LoadClient {
    connection: Connection,
    number: usize,
    load: Load,
}

impl LoadClient {
    /// Opens this many connections.
    pub async fn many(
        address: SocketAddr,
        count: usize,
        load: &Load,
    ) -> Result<Vec<Self>, Failure> {
        let mut all = Vec::with_capacity(count);
        for number in 0..count {
            let connection = Connection::open(address).await?;
            all.push(Self { connection, number, load: Arc::clone(load) });
        }
        Ok(all)
    }
}

impl Client for LoadClient {
    async fn act(&mut self) -> Result<(), Failure> {
        let request = (self.load)(self.number);
        self.connection.exchange(&request).await?.expect_ok(request.path())
    }
}
