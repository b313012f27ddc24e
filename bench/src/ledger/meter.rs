//! Measures the cost of a measurement: processor time of all processes involved, and bytes of
//! write-ahead log.

use std::fs;
use std::time::Duration;

use sqlx::PgConnection;
use tokio::sync::Mutex;

use super::ground::Setup;
use crate::Failure;
use crate::load::{Client, Measurement};

/// One clock tick in /proc, in microseconds; it is the same for every program.
const TICK: f64 = 10_000.0;

/// A measurement with its costs per round.
#[derive(Clone, Copy)]
pub struct Cell {
    /// Rates and times.
    pub measured: Measurement,
    /// Processor time of PostgreSQL's processes, in microseconds.
    pub postgres: f64,
    /// Processor time of the server process in microseconds; zero without one.
    pub server: f64,
    /// Processor time of this process in microseconds: the load generator, and in process the
    /// writer as well.
    pub own: f64,
    /// Bytes of write-ahead log.
    pub log: f64,
}

/// Reads processor times from /proc and the log position from PostgreSQL.
pub struct Meter {
    db: Mutex<PgConnection>,
    postmaster: u32,
}

struct Reading {
    postgres: u64,
    server: u64,
    own: u64,
    log: i64,
}

impl Meter {
    /// Finds PostgreSQL's main process: the parent of any backend.
    pub async fn new(setup: &Setup) -> Result<Self, Failure> {
        let mut db = setup.connect().await?;
        let backend: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut db).await?;
        let stat = Stat::of(u32::try_from(backend)?).ok_or("the backend cannot be found")?;
        Ok(Self { db: Mutex::new(db), postmaster: stat.parent })
    }

    /// Runs one measurement; `server` is the process id of the server under load, if it is another
    /// process.
    pub async fn run<C: Client>(
        &self,
        clients: Vec<C>,
        length: Duration,
        server: Option<u32>,
    ) -> Result<Cell, Failure> {
        let before = self.read(server).await?;
        let measured = Measurement::run(clients, length).await?;
        let after = self.read(server).await?;
        let rounds = f64::from(measured.count);
        let per_round = |before: u64, after: u64| {
            let ticks = u32::try_from(after.saturating_sub(before)).unwrap_or(u32::MAX);
            f64::from(ticks) * TICK / rounds
        };
        let kilobytes = u32::try_from((after.log - before.log) / 1_024).unwrap_or(u32::MAX);
        Ok(Cell {
            measured,
            postgres: per_round(before.postgres, after.postgres),
            server: per_round(before.server, after.server),
            own: per_round(before.own, after.own),
            log: f64::from(kilobytes) * 1_024.0 / rounds,
        })
    }

    async fn read(&self, server: Option<u32>) -> Result<Reading, Failure> {
        const LOG: &str = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint";
        let log = sqlx::query_scalar(LOG).fetch_one(&mut *self.db.lock().await).await?;
        let of = |id| Stat::of(id).map_or(0, |stat| stat.own_ticks);
        let server = server.map_or(0, of);
        Ok(Reading { postgres: self.postgres()?, server, own: of(std::process::id()), log })
    }

    /// The ticks of the main process, of its children, and of its ended children.
    fn postgres(&self) -> Result<u64, Failure> {
        let first = Stat::of(self.postmaster).ok_or("PostgreSQL has ended")?;
        let names =
            fs::read_dir("/proc")?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let living = names.filter_map(|name| Stat::of(name.parse().ok()?));
        let children = living.filter(|stat| stat.parent == self.postmaster);
        Ok(first.own_ticks + first.ended_ticks + children.map(|stat| stat.own_ticks).sum::<u64>())
    }
}

/// A process's line of /proc/PID/stat.
struct Stat {
    parent: u32,
    own_ticks: u64,
    /// The ticks of children that have ended.
    ended_ticks: u64,
}

impl Stat {
    fn of(id: u32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
    }

    /// The program's name is in brackets and may contain anything, so parsing begins after the last
    /// bracket.
    fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
        Some(Self {
            parent: u32::try_from(number(1)?).ok()?,
            own_ticks: number(11)? + number(12)?,
            ended_ticks: number(13)? + number(14)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_line_is_read_whatever_the_name_is() {
        let line = "42 (a ) b) S 7 42 42 0 -1 4194560 1 2 3 4 100 20 3000 400 20 0 1 0";
        let stat = Stat::parse(line).expect("a line");
        assert_eq!((stat.parent, stat.own_ticks, stat.ended_ticks), (7, 120, 3_400));
    }
}
