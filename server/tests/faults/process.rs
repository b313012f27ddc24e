//! The server as a process, with its own directory and ports.

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

/// A directory that is removed when the test ends; below /tmp, where every account can reach it.
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

/// An unused port, below the range that the system gives to outgoing connections and far from the
/// ports of other runs, so that a restarted server finds its own port still free.
pub fn free_address() -> SocketAddr {
    const RUNS: u32 = 220;
    static NEXT: AtomicU16 = AtomicU16::new(0);
    // Neighbouring process ids get blocks of a hundred ports that do not overlap.
    let block = u16::try_from(std::process::id() % RUNS * 37 % RUNS).expect("below 220");
    loop {
        let port = 10_000 + block * 100 + NEXT.fetch_add(1, Ordering::Relaxed);
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        if TcpListener::bind(address).is_ok() {
            return address;
        }
    }
}

/// A `capiz` command on this data directory, without the environment of this process.
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
        // Each member sends a client IP address of its own, because rate limits apply to each
        // address.
        .env("CAPIZ_TRUSTED_PROXIES", "127.0.0.1")
        .env("CAPIZ_METRICS_LISTEN", "off");
    command
}

/// Waits for the end of a process, at most for this long.
pub async fn end_of(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Some(status);
        }
        sleep(POLL).await;
    }
    None
}

/// The ids of the PostgreSQL processes that work in this data directory.
pub fn postgres_processes(data: &Path) -> Vec<u32> {
    let database = data.join("postgres/data");
    let entries = fs::read_dir("/proc").expect("a list of processes");
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid| fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == database))
        .collect()
}

/// The id of the database's main process in this directory, once it accepts connections.
pub fn postmaster(data: &Path) -> Option<u32> {
    let text = fs::read_to_string(data.join("postgres/data/postmaster.pid")).ok()?;
    let mut lines = text.lines().map(str::trim);
    let pid = lines.next()?.parse().ok()?;
    (lines.nth(6)? == "ready").then_some(pid)
}

/// Kills the database's main process in this directory; returns its id.
pub fn kill_postmaster(data: &Path) -> u32 {
    let pid = postmaster(data).expect("a running database");
    signal("-KILL", pid);
    pid
}

fn signal(name: &str, pid: u32) {
    let status = Command::new("kill").args([name, &pid.to_string()]).status();
    assert!(status.expect("kill").success(), "no process {pid}");
}

/// Settings of a server in addition to its ports.
pub type Environment = Vec<(&'static str, String)>;

/// A server process with its own ports and log; killed when its test fails.
pub struct Node {
    data: PathBuf,
    log: PathBuf,
    environment: Environment,
    pub address: SocketAddr,
    office: SocketAddr,
    child: Child,
}

impl Node {
    /// Starts a server for the first time, with its data and its log in the folder.
    pub async fn start(folder: &Path, environment: Environment) -> Self {
        let (data, log) = (folder.join("var"), folder.join("server.log"));
        let (address, office) = (free_address(), free_address());
        let child = spawn(capiz_serve(&data, address, office), &log, &environment);
        let mut node = Self { data, log, environment, address, office, child };
        node.wait_until_ready().await;
        node
    }

    /// Restarts the server; returns the time until it answers.
    pub async fn start_again(&mut self) -> Duration {
        self.start_again_with(&[]).await
    }

    /// Like `start_again`, with further settings for this start only.
    pub async fn start_again_with(&mut self, more: &[(&'static str, String)]) -> Duration {
        let began = Instant::now();
        self.launch(more);
        self.wait_until_ready().await;
        began.elapsed()
    }

    /// Restarts the server and waits until it dies at a fail point.
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

    /// Whether the readiness check succeeds.
    pub async fn is_ready(&self) -> bool {
        let request = async {
            let text = request("GET /readyz", self.address, &[], "");
            Connection::open(self.address).await?.exchange(&text).await
        };
        // The port is open before the server answers.
        let answer = tokio::time::timeout(Duration::from_secs(2), request).await;
        matches!(answer, Ok(Ok(answer)) if answer.status == 200)
    }

    /// Kills the server as a crash would.
    pub fn kill(&mut self) {
        self.child.kill().expect("kill -9");
        self.child.wait().expect("an end");
    }

    /// Whether the process is alive.
    pub fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Shuts the server down and waits for its end.
    pub async fn stop(&mut self) {
        signal("-INT", self.child.id());
        let status = end_of(&mut self.child, STOP_PATIENCE).await.expect("an end in time");
        assert!(status.success(), "{status}");
    }

    /// Runs `capiz audit` on the server's database; returns its output.
    pub async fn audit(&self) -> String {
        self.run("audit").await
    }

    /// Runs `capiz outbox` on the server's database; returns its output.
    pub async fn outbox(&self) -> String {
        self.run("outbox").await
    }

    async fn run(&self, word: &str) -> String {
        let (output, errors) = (self.log.with_extension(word), self.log.with_extension("errors"));
        let mut child = capiz(word, &self.data)
            .envs(self.environment.iter().cloned())
            .stdout(File::create(&output).expect("a file"))
            .stderr(File::create(&errors).expect("a file"))
            .spawn()
            .expect("capiz");
        let status = end_of(&mut child, AUDIT_PATIENCE).await.expect("an end in time");
        let errors = fs::read_to_string(errors).expect("what it complained of");
        assert!(status.success(), "{word} found: {errors}");
        fs::read_to_string(output).expect("its output").trim().to_owned()
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

/// A server with a private database: a complete installation on one machine.
pub struct Site {
    pub node: Node,
    pub scratch: Scratch,
}

impl Site {
    /// Starts it for the first time, with the demo merchant.
    pub async fn start() -> Self {
        Self::start_in(Scratch::new()).await
    }

    pub async fn start_in(scratch: Scratch) -> Self {
        Self { node: Node::start(&scratch.0, Vec::new()).await, scratch }
    }

    pub fn data(&self) -> PathBuf {
        self.scratch.0.join("var")
    }

    /// The id of the database's main process, once it accepts connections.
    pub fn postmaster(&self) -> Option<u32> {
        postmaster(&self.data())
    }

    /// Kills the database's main process; returns its id.
    pub fn kill_postmaster(&self) -> u32 {
        kill_postmaster(&self.data())
    }

    /// The URL of the database, for inspection.
    pub fn database_url(&self) -> String {
        format!("postgres:///postgres?host={}/postgres/run&user=capiz", self.data().display())
    }

    /// Shuts the server down and checks that none of its processes is left.
    pub async fn stop(&mut self) {
        self.node.stop().await;
        self.assert_nothing_is_left();
        assert!(!self.data().join("postgres/data/postmaster.pid").exists());
    }

    /// Runs `capiz audit` on the stopped server's data; returns its output.
    pub async fn audit(&self) -> String {
        let output = self.node.audit().await;
        self.assert_nothing_is_left();
        output
    }

    fn assert_nothing_is_left(&self) {
        assert_eq!(postgres_processes(&self.data()), [0; 0], "left running");
    }
}

impl Drop for Site {
    /// After a failure: the database processes end with their server.
    fn drop(&mut self) {
        if self.node.is_running() {
            self.node.kill();
        }
        for pid in postgres_processes(&self.data()) {
            let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
        }
    }
}
