//! Network faults: a proxy in front of the database that delays, cuts and drops data.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// A direction of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    ToDatabase,
    ToServer,
}

/// A fault that happens once, to the first connection that matches.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// The connection is cut after this many more bytes in this direction, counted over all
    /// connections.
    CutAfter(Direction, usize),
    /// The connection is cut when a commit is about to be sent to the database.
    CutBeforeCommit,
    /// The connection is cut after a commit was sent to the database, before the answer.
    CutAfterCommit,
    /// A half-open connection: data in this direction are dropped, and after this time the
    /// connection is cut.
    Swallow(Direction, Duration),
}

/// What to do with a piece of a stream.
enum Verdict {
    Pass,
    PassAndCut(usize),
    Swallow(Duration),
}

#[derive(Default)]
struct State {
    armed: Mutex<Option<Fault>>,
    injected: AtomicUsize,
    /// The delay of every piece, in microseconds.
    delay_us: AtomicU64,
    /// The maximum number of bytes written at once; zero for no limit.
    chunk_size: AtomicUsize,
    to_database: AtomicUsize,
    to_server: AtomicUsize,
}

impl State {
    fn count(&self, direction: Direction) -> &AtomicUsize {
        match direction {
            Direction::ToDatabase => &self.to_database,
            Direction::ToServer => &self.to_server,
        }
    }

    fn decide(&self, direction: Direction, piece: &[u8]) -> Verdict {
        self.count(direction).fetch_add(piece.len(), Ordering::Relaxed);
        let mut armed = self.armed.lock().expect("nobody panics with it");
        let verdict = match armed.as_mut() {
            Some(Fault::CutAfter(its, left)) if *its == direction => {
                if piece.len() < *left {
                    *left -= piece.len();
                    return Verdict::Pass;
                }
                Verdict::PassAndCut(*left)
            }
            Some(Fault::CutBeforeCommit)
                if direction == Direction::ToDatabase && is_commit(piece) =>
            {
                Verdict::PassAndCut(0)
            }
            Some(Fault::CutAfterCommit)
                if direction == Direction::ToDatabase && is_commit(piece) =>
            {
                Verdict::PassAndCut(piece.len())
            }
            Some(Fault::Swallow(its, time)) if *its == direction => Verdict::Swallow(*time),
            _ => return Verdict::Pass,
        };
        *armed = None;
        self.injected.fetch_add(1, Ordering::SeqCst);
        verdict
    }
}

fn is_commit(piece: &[u8]) -> bool {
    piece.windows(6).any(|word| word.eq_ignore_ascii_case(b"commit"))
}

/// The proxy; it stops accepting when dropped.
pub struct Proxy {
    state: Arc<State>,
    port: u16,
    accepting: JoinHandle<()>,
}

impl Proxy {
    pub async fn open(socket: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::<State>::default();
        let accepting = tokio::spawn(accept(listener, socket.to_owned(), Arc::clone(&state)));
        Self { state, port, accepting }
    }

    /// The URL of the database through the proxy.
    pub fn url(&self) -> String {
        format!("postgres://capiz@127.0.0.1:{}/postgres?sslmode=disable", self.port)
    }

    /// Injects a fault, and waits until it has happened.
    pub async fn inject(&self, fault: Fault) {
        let before = self.injected();
        *self.state.armed.lock().expect("nobody panics with it") = Some(fault);
        for _ in 0..60_000 {
            if self.injected() > before {
                return;
            }
            sleep(Duration::from_millis(1)).await;
        }
        panic!("nothing came by for {fault:?}");
    }

    pub fn injected(&self) -> usize {
        self.state.injected.load(Ordering::SeqCst)
    }

    /// Delays every piece, and limits the bytes written at once.
    pub fn slow_down(&self, delay: Duration, chunk_size: usize) {
        let micros = u64::try_from(delay.as_micros()).expect("a short time");
        self.state.delay_us.store(micros, Ordering::SeqCst);
        self.state.chunk_size.store(chunk_size, Ordering::SeqCst);
    }

    /// The bytes sent in this direction so far.
    pub fn bytes(&self, direction: Direction) -> usize {
        self.state.count(direction).load(Ordering::Relaxed)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: TcpListener, socket: PathBuf, state: Arc<State>) {
    while let Ok((client, _)) = listener.accept().await {
        let (socket, state) = (socket.clone(), Arc::clone(&state));
        tokio::spawn(async move {
            // Both sides are closed, with or without an error.
            let _ = join(client, &socket, &state).await;
        });
    }
}

async fn join(client: TcpStream, socket: &Path, state: &State) -> io::Result<()> {
    client.set_nodelay(true)?;
    let database = UnixStream::connect(socket).await?;
    let (from_client, to_client) = client.into_split();
    let (from_database, to_database) = database.into_split();
    tokio::select! {
        done = pump(from_client, to_database, Direction::ToDatabase, state) => done,
        done = pump(from_database, to_client, Direction::ToServer, state) => done,
    }
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    direction: Direction,
    state: &State,
) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let length = from.read(&mut buffer).await?;
        if length == 0 {
            return Ok(());
        }
        let delay = state.delay_us.load(Ordering::SeqCst);
        if delay > 0 {
            sleep(Duration::from_micros(delay)).await;
        }
        let piece = &buffer[..length];
        match state.decide(direction, piece) {
            Verdict::Pass => pass(&mut to, piece, state).await?,
            Verdict::PassAndCut(length) => return to.write_all(&piece[..length]).await,
            Verdict::Swallow(time) => return swallow(&mut from, time).await,
        }
    }
}

async fn pass(to: &mut (impl AsyncWrite + Unpin), piece: &[u8], state: &State) -> io::Result<()> {
    match state.chunk_size.load(Ordering::SeqCst) {
        0 => to.write_all(piece).await,
        chunk_size => {
            for part in piece.chunks(chunk_size) {
                to.write_all(part).await?;
                tokio::task::yield_now().await;
            }
            Ok(())
        }
    }
}

/// Reads and drops everything.
async fn swallow(from: &mut (impl AsyncRead + Unpin), time: Duration) -> io::Result<()> {
    let _ = tokio::time::timeout(time, tokio::io::copy(from, &mut tokio::io::sink())).await;
    Ok(())
}
