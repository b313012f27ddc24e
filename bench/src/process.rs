//! The two server processes that are measured: ours and the reference.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::client::{Connection, Request};
use crate::{Failure, bare};

/// How long the server may take to become ready, including the creation of its database.
const START_TIMEOUT: Duration = Duration::from_secs(120);
/// How long the server may take to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(40);
const POLL: Duration = Duration::from_millis(100);

/// The database that the server uses.
pub enum Database {
    /// A temporary database of the server's own, with demo players.
    Own,
    /// A running database.
    At {
        /// Its URL.
        url: String,
        /// The secret from which the server's keys are derived.
        secret: String,
    },
}

impl Database {
    fn tell(&self, command: &mut Command) {
        match self {
            Self::Own => command.env_remove("DATABASE_URL").env("CAPIZ_DEMO", "1"),
            Self::At { url, secret } => {
                command.env("DATABASE_URL", url).env("CAPIZ_SECRET", secret).env("CAPIZ_DEMO", "0")
            }
        };
    }
}

/// The server under test.
pub struct Server {
    child: Child,
    address: SocketAddr,
    directory: PathBuf,
}

impl Server {
    /// Starts `program serve` and waits until it is ready.
    pub async fn start(program: &Path, database: &Database) -> Result<Self, Failure> {
        if !program.is_file() {
            return Err(format!("{} is missing: run `make build`", program.display()).into());
        }
        let directory = std::env::temp_dir().join(format!("capiz-bench-{}", std::process::id()));
        fs::create_dir(&directory)?;
        let [site, office, metrics] = free_addresses()?;
        let log = File::create(directory.join("server.log"))?;
        let mut command = Command::new(program);
        database.tell(&mut command);
        let child = command
            .arg("serve")
            .env("CAPIZ_DATA", directory.join("var"))
            .env("CAPIZ_LISTEN", site.to_string())
            .env("CAPIZ_OFFICE_LISTEN", office.to_string())
            .env("CAPIZ_METRICS_LISTEN", metrics.to_string())
            // The benchmark sends a client address of its own with each request, so that rate
            // limits see many clients.
            .env("CAPIZ_TRUSTED_PROXIES", "127.0.0.1")
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        let mut server = Self { child, address: site, directory };
        server.wait_until_ready().await?;
        Ok(server)
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The address of the players' site.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    async fn wait_until_ready(&mut self) -> Result<(), Failure> {
        let deadline = Instant::now() + START_TIMEOUT;
        let request = Request::get("/readyz", &self.address.to_string());
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait()? {
                return Err(format!("the server ended: {status}\n{}", self.log_tail()).into());
            }
            // Connections are refused until the server is ready, so errors are ignored here.
            if let Ok(mut connection) = Connection::open(self.address).await
                && let Ok(answer) = connection.exchange(&request).await
                && answer.status == 200
            {
                return Ok(());
            }
            sleep(POLL).await;
        }
        Err(format!("the server did not become ready\n{}", self.log_tail()).into())
    }

    /// Shuts the server down and waits for its end.
    pub async fn stop(mut self) -> Result<(), Failure> {
        self.ask_to_end()?;
        let deadline = Instant::now() + STOP_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait()? {
                return match status.success() {
                    true => Ok(()),
                    false => Err(format!("the server ended: {status}\n{}", self.log_tail()).into()),
                };
            }
            sleep(POLL).await;
        }
        Err("the server did not stop when it was asked to".into())
    }

    /// Sends SIGTERM, unless the process has already ended and its id may have been reused.
    fn ask_to_end(&mut self) -> std::io::Result<()> {
        if self.child.try_wait()?.is_some() {
            return Ok(());
        }
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().map(drop)
    }

    /// The last lines of the server's log.
    pub fn log_tail(&self) -> String {
        const LINES: usize = 20;
        let text = fs::read_to_string(self.directory.join("server.log")).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(LINES)..].join("\n")
    }
}

impl Drop for Server {
    /// After a failure: SIGTERM first, because a killed server would leave its database running.
    fn drop(&mut self) {
        let deadline = Instant::now() + STOP_TIMEOUT;
        // Errors are ignored, because the next step is stronger than the one before.
        let _ = self.ask_to_end();
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < deadline {
            std::thread::sleep(POLL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// Addresses with unused ports; all ports are held open until the last one is chosen, so that they
/// differ.
fn free_addresses() -> Result<[SocketAddr; 3], Failure> {
    let bind = || TcpListener::bind("127.0.0.1:0");
    let held = [bind()?, bind()?, bind()?];
    Ok([held[0].local_addr()?, held[1].local_addr()?, held[2].local_addr()?])
}

/// The reference server, in a process of its own so that both servers compete for the processor
/// alike.
pub struct Bare {
    child: Child,
    address: SocketAddr,
}

impl Bare {
    /// Starts this program again as the reference, with the sizes of two answers, and a document.
    pub async fn start(
        [read_bytes, play_bytes]: [usize; 2],
        document: &[u8],
    ) -> Result<Self, Failure> {
        let mut child = Command::new(std::env::current_exe()?)
            .args([bare::COMMAND, &read_bytes.to_string(), &play_bytes.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        // The end of the input marks the end of the document, so the input is closed at once.
        child.stdin.take().ok_or("the reference has no input")?.write_all(document)?;
        let output = child.stdout.take().ok_or("the reference has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let address = line.trim().parse();
        let mut bare = Self { child, address: SocketAddr::from(([127, 0, 0, 1], 0)) };
        bare.address = address.map_err(|_| "the reference did not start")?;
        Ok(bare)
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        // The reference has no data, so it is simply killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
