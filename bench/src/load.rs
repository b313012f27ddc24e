//! One turn of load: so many connections, each sending as soon as it was answered.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::Failure;
use crate::client::{Connection, Request};

/// Makes the next request of the connection with this number.
pub type Load = Arc<dyn Fn(usize) -> Request + Send + Sync>;

/// What one turn measured.
pub struct Turn {
    /// Answers per second.
    pub rate: f64,
    /// The time that half of the answers took at most.
    pub median: Duration,
    /// The time that 99 of 100 answers took at most.
    pub slowest_percent: Duration,
}

impl Turn {
    /// Loads `address` for this long. Anything but a 200 fails the run: a refused request
    /// costs next to nothing and would make the numbers lie.
    pub async fn run(
        address: SocketAddr,
        connections: usize,
        length: Duration,
        load: &Load,
    ) -> Result<Self, Failure> {
        let mut opened = Vec::with_capacity(connections);
        for _ in 0..connections {
            opened.push(Connection::open(address).await?);
        }
        let began = Instant::now();
        let mut tasks = JoinSet::new();
        for (number, connection) in opened.into_iter().enumerate() {
            let load = Arc::clone(load);
            tasks.spawn(keep_asking(connection, number, began + length, load));
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
        Ok(Self { rate: f64::from(count) / elapsed.as_secs_f64(), median, slowest_percent })
    }
}

async fn keep_asking(
    mut connection: Connection,
    number: usize,
    deadline: Instant,
    load: Load,
) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    while Instant::now() < deadline {
        let request = load(number);
        let began = Instant::now();
        let answer = connection.exchange(&request).await?;
        times.push(began.elapsed());
        if answer.status != 200 {
            let body = String::from_utf8_lossy(&answer.body);
            return Err(format!("{} answered {}: {body}", request.path(), answer.status).into());
        }
    }
    Ok(times)
}
