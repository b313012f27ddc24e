//! One turn of load: so many clients, each acting again as soon as it was answered.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::Failure;
use crate::client::{Connection, Request};

/// Someone who acts again and again. A refusal fails the run: it costs next to nothing and
/// would make the numbers lie.
pub trait Client: Send + 'static {
    /// Acts once; done when the answer is there.
    fn act(&mut self) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// What one turn measured.
#[derive(Clone, Copy)]
pub struct Turn {
    /// Answers.
    pub count: u32,
    /// Answers per second.
    pub rate: f64,
    /// The time that half of the answers took at most.
    pub median: Duration,
    /// The time that 99 of 100 answers took at most.
    pub slowest_percent: Duration,
}

impl Turn {
    /// Lets the clients act for this long.
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
            return Err("there was no answer at all".into());
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

/// Makes the next request of the connection with this number.
pub type Load = Arc<dyn Fn(usize) -> Request + Send + Sync>;

/// A connection over which requests of a load are asked.
pub struct Asking {
    connection: Connection,
    number: usize,
    load: Load,
}

impl Asking {
    /// Opens so many.
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

impl Client for Asking {
    async fn act(&mut self) -> Result<(), Failure> {
        let request = (self.load)(self.number);
        self.connection.exchange(&request).await?.expect_ok(request.path())
    }
}
