//! A bad network: a proxy in front of the database that delays, cuts and swallows.

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
pub enum Way {
    ToDatabase,
    ToServer,
}

/// What happens once, to the connection that it meets.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// It ends after so many more bytes this way, counted over all connections.
    CutAfter(Way, usize),
    /// It ends when a commit has gone to the database, before the answer.
    CutAtCommit,
    /// Half open: nothing more goes this way, and after so long it ends.
    Swallow(Way, Duration),
}

/// What happens to a piece of a stream.
enum Verdict {
    Pass,
    PassAndCut(usize),
    Swallow(Duration),
}

#[derive(Default)]
struct State {
    armed: Mutex<Option<Fault>>,
    struck: AtomicUsize,
    /// How long every piece is held back.
    delay_us: AtomicU64,
    /// The most bytes that go on at once; none for no limit.
    narrow: AtomicUsize,
    to_database: AtomicUsize,
    to_server: AtomicUsize,
}

impl State {
    fn count(&self, way: Way) -> &AtomicUsize {
        match way {
            Way::ToDatabase => &self.to_database,
            Way::ToServer => &self.to_server,
        }
    }

    fn judge(&self, way: Way, piece: &[u8]) -> Verdict {
        self.count(way).fetch_add(piece.len(), Ordering::Relaxed);
        let mut armed = self.armed.lock().expect("nobody panics with it");
        let verdict = match armed.as_mut() {
            Some(Fault::CutAfter(its, left)) if *its == way => {
                if piece.len() < *left {
                    *left -= piece.len();
                    return Verdict::Pass;
                }
                Verdict::PassAndCut(*left)
            }
            Some(Fault::CutAtCommit) if way == Way::ToDatabase && is_commit(piece) => {
                Verdict::PassAndCut(piece.len())
            }
            Some(Fault::Swallow(its, time)) if *its == way => Verdict::Swallow(*time),
            _ => return Verdict::Pass,
        };
        *armed = None;
        self.struck.fetch_add(1, Ordering::SeqCst);
        verdict
    }
}

fn is_commit(piece: &[u8]) -> bool {
    piece.windows(6).any(|word| word.eq_ignore_ascii_case(b"commit"))
}

/// The proxy; it ends when dropped.
pub struct Proxy {
    state: Arc<State>,
    port: u16,
    accepting: JoinHandle<()>,
}

impl Proxy {
    pub async fn before(socket: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::<State>::default();
        let accepting = tokio::spawn(accept(listener, socket.to_owned(), Arc::clone(&state)));
        Self { state, port, accepting }
    }

    /// The database's address by way of the proxy.
    pub fn url(&self) -> String {
        format!("postgres://capiz@127.0.0.1:{}/postgres?sslmode=disable", self.port)
    }

    /// Makes a fault happen, and waits until it has.
    pub async fn strike(&self, fault: Fault) {
        let before = self.struck();
        *self.state.armed.lock().expect("nobody panics with it") = Some(fault);
        for _ in 0..60_000 {
            if self.struck() > before {
                return;
            }
            sleep(Duration::from_millis(1)).await;
        }
        panic!("nothing came by for {fault:?}");
    }

    pub fn struck(&self) -> usize {
        self.state.struck.load(Ordering::SeqCst)
    }

    /// Holds every piece back, and lets only so many bytes pass at once.
    pub fn slow_down(&self, delay: Duration, narrow: usize) {
        let micros = u64::try_from(delay.as_micros()).expect("a short time");
        self.state.delay_us.store(micros, Ordering::SeqCst);
        self.state.narrow.store(narrow, Ordering::SeqCst);
    }

    /// Bytes that came this way so far.
    pub fn bytes(&self, way: Way) -> usize {
        self.state.count(way).load(Ordering::Relaxed)
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
            // However it ends, both sides are closed.
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
        done = pump(from_client, to_database, Way::ToDatabase, state) => done,
        done = pump(from_database, to_client, Way::ToServer, state) => done,
    }
}

async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    way: Way,
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
        match state.judge(way, piece) {
            Verdict::Pass => pass(&mut to, piece, state).await?,
            Verdict::PassAndCut(length) => return to.write_all(&piece[..length]).await,
            Verdict::Swallow(time) => return swallow(&mut from, time).await,
        }
    }
}

async fn pass(to: &mut (impl AsyncWrite + Unpin), piece: &[u8], state: &State) -> io::Result<()> {
    match state.narrow.load(Ordering::SeqCst) {
        0 => to.write_all(piece).await,
        narrow => {
            for part in piece.chunks(narrow) {
                to.write_all(part).await?;
                tokio::task::yield_now().await;
            }
            Ok(())
        }
    }
}

/// Takes what comes and passes none of it on.
async fn swallow(from: &mut (impl AsyncRead + Unpin), time: Duration) -> io::Result<()> {
    let _ = tokio::time::timeout(time, tokio::io::copy(from, &mut tokio::io::sink())).await;
    Ok(())
}
