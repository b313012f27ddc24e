//! Two servers on one database, as in production; the database is the test's own child.

use capiz::ground::MIGRATOR;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use capiz::demo;
use platform::clock::Clock;
use platform::db;
use platform::patience::Patience;
use private_pg::{Options, Server};
use tokio::time::sleep;

use crate::play::{Game, Table};
use crate::process::{Environment, Node, Scratch, kill_postmaster};
use crate::tables;

const NODES: usize = 2;
const SECRET: &str = "0123456789abcdef0123456789abcdef";
/// Well before the database itself would end a stale transaction.
const SETTLE_PATIENCE: Duration = Duration::from_secs(8);

/// A PostgreSQL that writes to disk, with the schema and a merchant in it and nothing else.
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
        database.found().await;
        database
    }

    async fn start(&mut self) {
        // The lock on the data directory goes with a dead server.
        self.server = None;
        let options = self.options.clone();
        let started = tokio::task::spawn_blocking(move || Server::start(&options)).await;
        self.server = Some(started.expect("a thread").expect("a database"));
    }

    async fn found(&self) {
        let options = db::options(&self.url()).expect("a URL");
        db::prepare(&options, &MIGRATOR, true).await.expect("a schema");
        let pool = db::connect(options, 1, Patience::default()).await.expect("a connection");
        demo::found_merchant(&pool, &Clock::system()).await.expect("a merchant");
        pool.close().await;
    }

    fn server(&self) -> &Server {
        self.server.as_ref().expect("a running database")
    }

    /// Its address, the same after every start.
    pub fn url(&self) -> String {
        self.server().default_url()
    }

    /// The file of its socket.
    pub fn socket(&self) -> PathBuf {
        self.server().socket_directory().join(".s.PGSQL.5432")
    }

    /// Kills it as a crash would, and starts it again; gives the time that it was away.
    pub async fn kill_and_start(&mut self) -> Duration {
        let began = Instant::now();
        kill_postmaster(&self.scratch.0);
        // One that still seems to run would be stopped gently, which takes its time.
        while self.server.as_mut().is_some_and(Server::is_running) {
            sleep(Duration::from_millis(1)).await;
        }
        self.start().await;
        began.elapsed()
    }
}

/// Two servers and their database.
pub struct House {
    pub nodes: Vec<Node>,
    pub database: Database,
}

impl House {
    pub async fn open() -> Self {
        let database = Database::create().await;
        let url = database.url();
        Self::open_on(database, &url, [Vec::new(), Vec::new()]).await
    }

    /// Servers that reach the database by this URL, each with settings of its own.
    pub async fn open_on(database: Database, url: &str, settings: [Environment; NODES]) -> Self {
        let mut house = Self { nodes: Vec::new(), database };
        for (number, more) in settings.into_iter().enumerate() {
            let folder = house.database.scratch.0.join(format!("node{number}"));
            std::fs::create_dir(&folder).expect("a new directory");
            let database = [("DATABASE_URL", url.to_owned()), ("CAPIZ_SECRET", SECRET.to_owned())];
            let environment = database.into_iter().chain(more).collect();
            house.nodes.push(Node::start(&folder, environment).await);
        }
        house
    }

    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    /// Everything that was acknowledged is there, once, by HTTP and by SQL, and the audit agrees.
    pub async fn close(mut self, mut table: Table, game: &Game) {
        let in_flight = table.in_flight();
        table.send_again().await;
        table.check().await;
        println!("  {}, {in_flight} in flight at the end", game.figures());
        self.close_with(table.accepted()).await;
    }

    /// There are so many rounds and all invariants hold.
    pub async fn close_with(&mut self, rounds: usize) {
        self.settle().await;
        for node in &mut self.nodes {
            node.stop().await;
        }
        let found = tables::look(&self.database.url()).await;
        assert_eq!(usize::try_from(found.rounds).ok(), Some(rounds), "{found:?}");
        assert_eq!(found.negative_balances, 0, "{found:?}");
        assert_eq!(found.broken_seeds, 0, "{found:?}");
        assert_eq!(found.missing_money, 0, "{found:?}");
        println!("  {rounds} distinct keys, as many rounds. {}", self.nodes[0].audit().await);
    }

    /// No transaction stays open.
    async fn settle(&self) {
        let began = Instant::now();
        loop {
            let stale = tables::stale_transactions(&self.database.url()).await;
            if stale == 0 {
                return;
            }
            assert!(began.elapsed() < SETTLE_PATIENCE, "{stale} transactions stay open");
            sleep(Duration::from_millis(200)).await;
        }
    }
}
