//! The server as a process, with a directory and ports of its own.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use capiz::config::VARIABLES;
use tokio::time::sleep;

use crate::http::{Connection, request};

const POLL: Duration = Duration::from_millis(20);
const START_PATIENCE: Duration = Duration::from_secs(60);
const STOP_PATIENCE: Duration = Duration::from_secs(60);
const AUDIT_PATIENCE: Duration = Duration::from_secs(300);

/// A directory that goes with the test; below /tmp, where every account can reach it.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = PathBuf::from(format!("/tmp/capiz-faults-{}-{number}", std::process::id()));
        fs::create_dir(&path).expect("a new directory");
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A port that nobody listens on, below those that the system gives to outgoing connections
/// and far from those of another run: a server that starts again finds its own still free.
pub fn free_address() -> SocketAddr {
    const RUNS: u32 = 220;
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Neighbours get blocks of a hundred that do not touch.
    let block = u16::try_from(std::process::id() % RUNS * 37 % RUNS).expect("below 220");
    loop {
        let port = 10_000 + block * 100 + NEXT.fetch_add(1, Ordering::Relaxed);
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}

/// A command of `capiz` on this data directory, with nothing from our own environment.
pub fn capiz(word: &str, data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_capiz"));
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    command
        .arg(word)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .env("CAPIZ_DATA", data)
        .env("RUST_LOG", "warn")
        .stdin(Stdio::null());
    command
}

/// `capiz serve` on two ports.
pub fn capiz_serve(data: &Path, site: SocketAddr, office: SocketAddr) -> Command {
    let mut command = capiz("serve", data);
    command
        .env("CAPIZ_LISTEN", site.to_string())
        .env("CAPIZ_OFFICE_LISTEN", office.to_string())
        // Members say where they come from: one address alone may ask only so often.
        .env("CAPIZ_TRUSTED_PROXIES", "127.0.0.1")
        .env("CAPIZ_METRICS_LISTEN", "off");
    command
}

/// Waits for the end of a process, for at most so long.
pub async fn end_of(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + patience;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Some(status);
        }
        sleep(POLL).await;
    }
    None
}

/// Processes of PostgreSQL that work in this data directory.
pub fn postgres_processes(data: &Path) -> Vec<u32> {
    let database = data.join("postgres/data");
    let entries = fs::read_dir("/proc").expect("a list of processes");
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == database))
        .collect()
}

/// The main process of the database in this directory, once it takes connections.
pub fn postmaster(data: &Path) -> Option<u32> {
    let text = fs::read_to_string(data.join("postgres/data/postmaster.pid")).ok()?;
    let mut lines = text.lines().map(str::trim);
    let pid = lines.next()?.parse().ok()?;
    (lines.nth(6)? == "ready").then_some(pid)
}

/// Kills the main process of the database in this directory; gives its number.
pub fn kill_postmaster(data: &Path) -> u32 {
    let pid = postmaster(data).expect("a running database");
    signal("-KILL", pid);
    pid
}

fn signal(name: &str, pid: u32) {
    let status = Command::new("kill").args([name, &pid.to_string()]).status();
    assert!(status.expect("kill").success(), "no process {pid}");
}

/// Settings of a server beyond its ports.
pub type Environment = Vec<(&'static str, String)>;

/// A server process with ports and a log of its own; killed when its test fails.
pub struct Node {
    data: PathBuf,
    log: PathBuf,
    environment: Environment,
    pub address: SocketAddr,
    office: SocketAddr,
    child: Child,
}

impl Node {
    /// A first start, with its data and its log in the folder.
    pub async fn start(folder: &Path, environment: Environment) -> Self {
        let (data, log) = (folder.join("var"), folder.join("server.log"));
        let (address, office) = (free_address(), free_address());
        let child = spawn(capiz_serve(&data, address, office), &log, &environment);
        let mut node = Self { data, log, environment, address, office, child };
        node.wait_until_ready().await;
        node
    }

    /// Starts the server again; gives the time until it answers.
    pub async fn start_again(&mut self) -> Duration {
        self.start_again_with(&[]).await
    }

    /// The same, with further settings for this one time.
    pub async fn start_again_with(&mut self, more: &[(&'static str, String)]) -> Duration {
        let began = Instant::now();
        self.launch(more);
        self.wait_until_ready().await;
        began.elapsed()
    }

    /// Starts the server again and waits until it dies at a fail point.
    pub async fn start_and_die(&mut self, fail: &str) {
        self.launch(&[("CAPIZ_FAIL", fail.to_owned())]);
        let status = end_of(&mut self.child, START_PATIENCE).await;
        let status = status.unwrap_or_else(|| panic!("the point of {fail} was not reached"));
        const ABORTED: i32 = 6;
        assert_eq!(status.signal(), Some(ABORTED), "{fail}: {status}");
    }

    fn launch(&mut self, more: &[(&'static str, String)]) {
        let environment = [&self.environment, more].concat();
        let command = capiz_serve(&self.data, self.address, self.office);
        self.child = spawn(command, &self.log, &environment);
    }

    async fn wait_until_ready(&mut self) {
        let deadline = Instant::now() + START_PATIENCE;
        while Instant::now() < deadline {
            let ended = self.child.try_wait().expect("a child can be waited for");
            assert!(ended.is_none(), "the server ended: {ended:?}");
            if self.is_ready().await {
                return;
            }
            sleep(POLL).await;
        }
        panic!("the server did not become ready");
    }

    /// Whether it says that it can serve.
    pub async fn is_ready(&self) -> bool {
        let asked = async {
            let text = request("GET /readyz", self.address, &[], "");
            Connection::open(self.address).await?.exchange(&text).await
        };
        // The port is open before there is anybody to answer.
        let answer = tokio::time::timeout(Duration::from_secs(2), asked).await;
        matches!(answer, Ok(Ok(answer)) if answer.status == 200)
    }

    /// Kills the server as a crash would.
    pub fn kill(&mut self) {
        self.child.kill().expect("kill -9");
        self.child.wait().expect("an end");
    }

    /// Whether the server lives.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Ends the server in order.
    pub async fn stop(&mut self) {
        signal("-INT", self.child.id());
        let status = end_of(&mut self.child, STOP_PATIENCE).await.expect("an end in time");
        assert!(status.success(), "{status}");
    }

    /// Runs `capiz audit` on the server's database; gives what it says.
    pub async fn audit(&self) -> String {
        self.run("audit").await
    }

    /// Runs `capiz outbox` on the server's database; gives what it says.
    pub async fn outbox(&self) -> String {
        self.run("outbox").await
    }

    async fn run(&self, word: &str) -> String {
        let (said, errors) = (self.log.with_extension(word), self.log.with_extension("errors"));
        let mut child = capiz(word, &self.data)
            .envs(self.environment.iter().cloned())
            .stdout(File::create(&said).expect("a file"))
            .stderr(File::create(&errors).expect("a file"))
            .spawn()
            .expect("capiz");
        let status = end_of(&mut child, AUDIT_PATIENCE).await.expect("an end in time");
        let errors = fs::read_to_string(errors).expect("what it complained of");
        assert!(status.success(), "{word} found: {errors}");
        fs::read_to_string(said).expect("what it said").trim().to_owned()
    }
}

fn spawn(mut command: Command, log: &Path, environment: &[(&'static str, String)]) -> Child {
    let log = File::options().create(true).append(true).open(log).expect("a log");
    command
        .envs(environment.iter().cloned())
        .stdout(log.try_clone().expect("a log"))
        .stderr(log)
        .spawn()
        .expect("capiz serve")
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            let text = fs::read_to_string(&self.log).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            eprintln!("{}", lines[lines.len().saturating_sub(40)..].join("\n"));
        }
    }
}

/// A server with a private database: the whole installation of one machine.
pub struct Site {
    pub node: Node,
    pub scratch: Scratch,
}

impl Site {
    /// A first start, with the demo's merchant.
    pub async fn start() -> Self {
        Self::start_in(Scratch::new()).await
    }

    pub async fn start_in(scratch: Scratch) -> Self {
        Self { node: Node::start(&scratch.0, Vec::new()).await, scratch }
    }

    pub fn data(&self) -> PathBuf {
        self.scratch.0.join("var")
    }

    /// The main process of the database, once it takes connections.
    pub fn postmaster(&self) -> Option<u32> {
        postmaster(&self.data())
    }

    /// Kills the database's main process; gives its number.
    pub fn kill_postmaster(&self) -> u32 {
        kill_postmaster(&self.data())
    }

    /// The address of the database, for looking into it.
    pub fn database_url(&self) -> String {
        format!("postgres:///postgres?host={}/postgres/run&user=capiz", self.data().display())
    }

    /// Ends the server in order: nothing of it is left.
    pub async fn stop(&mut self) {
        self.node.stop().await;
        self.assert_nothing_is_left();
        assert!(!self.data().join("postgres/data/postmaster.pid").exists());
    }

    /// Runs `capiz audit` on the stopped server's data; gives what it says.
    pub async fn audit(&self) -> String {
        let said = self.node.audit().await;
        self.assert_nothing_is_left();
        said
    }

    fn assert_nothing_is_left(&self) {
        assert_eq!(postgres_processes(&self.data()), [0; 0], "left running");
    }
}

impl Drop for Site {
    /// After a failure: what is left of the database goes with its server.
    fn drop(&mut self) {
        if self.node.is_running() {
            self.node.kill();
        }
        for pid in postgres_processes(&self.data()) {
            let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
        }
    }
}
