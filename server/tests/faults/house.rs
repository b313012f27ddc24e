//! Two servers on one database, as in production. The database is a child process of the test.

use capiz::bootstrap::MIGRATOR;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use capiz::demo;
use platform::clock::Clock;
use platform::db;
use platform::timeouts::Timeouts;
use private_pg::{Options, Server};
use tokio::time::sleep;

use crate::play::{Game, Players};
use crate::process::{Environment, Node, Scratch, kill_postmaster};
use crate::tables;

const NODES: usize = 2;
const SECRET: &str = "0123456789abcdef0123456789abcdef";
/// Well before the database's own timeout ends a stale transaction.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(8);

/// A PostgreSQL that writes to disk, with only the schema and one merchant in it.
pub struct Database {
    server: Option<Server>,
    options: Options,
    pub scratch: Scratch,
}

impl Database {
    pub async fn create() -> Self {
        let scratch = Scratch::new();
        let checkout = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let options = Options::new(Some(checkout), &scratch.0.join("postgres"));
        let mut database = Self { server: None, options, scratch };
        database.start().await;
        database.create_merchant().await;
        database
    }

    async fn start(&mut self) {
        // Dropping the dead server releases the lock on the data directory.
        self.server = None;
        let options = self.options.clone();
        let started = tokio::task::spawn_blocking(move || Server::start(&options)).await;
        self.server = Some(started.expect("a thread").expect("a database"));
    }

    async fn create_merchant(&self) {
        let options = db::options(&self.url()).expect("a URL");
        db::prepare(&options, &MIGRATOR, true).await.expect("a schema");
        let pool = db::connect(options, 1, Timeouts::default()).await.expect("a connection");
        demo::create_demo_merchant(&pool, &Clock::system()).await.expect("a merchant");
        pool.close().await;
    }

    fn server(&self) -> &Server {
        self.server.as_ref().expect("a running database")
    }

    /// The URL, the same after every restart.
    pub fn url(&self) -> String {
        self.server().default_url()
    }

    /// The file of its Unix socket.
    pub fn socket(&self) -> PathBuf {
        self.server().socket_directory().join(".s.PGSQL.5432")
    }

    /// Kills it as a crash would, and restarts it; returns the downtime.
    pub async fn kill_and_start(&mut self) -> Duration {
        let began = Instant::now();
        kill_postmaster(&self.scratch.0);
        // A server that still seems to run would be shut down gently, which takes time.
        while self.server.as_mut().is_some_and(Server::is_running) {
            sleep(Duration::from_millis(1)).await;
        }
        self.start().await;
        began.elapsed()
    }
}

/// Two servers and their database.
pub struct Cluster {
    pub nodes: Vec<Node>,
    pub database: Database,
}

impl Cluster {
    pub async fn open() -> Self {
        let database = Database::create().await;
        let url = database.url();
        Self::open_on(database, &url, [Vec::new(), Vec::new()]).await
    }

    /// Starts servers that connect to the database by this URL, each with settings of its own.
    pub async fn open_on(database: Database, url: &str, settings: [Environment; NODES]) -> Self {
        let mut cluster = Self { nodes: Vec::new(), database };
        for (number, more) in settings.into_iter().enumerate() {
            let folder = cluster.database.scratch.0.join(format!("node{number}"));
            std::fs::create_dir(&folder).expect("a new directory");
            let database = [("DATABASE_URL", url.to_owned()), ("CAPIZ_SECRET", SECRET.to_owned())];
            let environment = database.into_iter().chain(more).collect();
            cluster.nodes.push(Node::start(&folder, environment).await);
        }
        cluster
    }

    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    /// Stops everything and checks that every acknowledged round exists exactly once, by HTTP and
    /// by SQL, and that the audit is clean.
    pub async fn close(mut self, mut players: Players, game: &Game) {
        let in_flight = players.in_flight();
        players.send_again().await;
        players.check().await;
        println!("  {}, {in_flight} in flight at the end", game.figures());
        self.close_with(players.accepted()).await;
    }

    /// Checks the number of rounds and all invariants.
    pub async fn close_with(&mut self, rounds: usize) {
        self.settle().await;
        for node in &mut self.nodes {
            node.stop().await;
        }
        let figures = tables::inspect(&self.database.url()).await;
        assert_eq!(usize::try_from(figures.rounds).ok(), Some(rounds), "{figures:?}");
        assert_eq!(figures.negative_balances, 0, "{figures:?}");
        assert_eq!(figures.broken_seeds, 0, "{figures:?}");
        assert_eq!(figures.missing_money, 0, "{figures:?}");
        println!("  {rounds} distinct keys, as many rounds. {}", self.nodes[0].audit().await);
    }

    /// Waits until no transaction is open.
    async fn settle(&self) {
        let began = Instant::now();
        loop {
            let stale = tables::stale_transactions(&self.database.url()).await;
            if stale == 0 {
                return;
            }
            assert!(began.elapsed() < SETTLE_TIMEOUT, "{stale} transactions stay open");
            sleep(Duration::from_millis(200)).await;
        }
    }
}
