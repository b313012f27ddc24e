//! Listeners: plain or TLS, HTTP/1.1 and HTTP/2, bounded, and stopped without cutting off.

mod stall;
#[cfg(test)]
mod tests;
mod tls;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

use self::stall::StallGuard;
use super::shutdown::Shutdown;

/// Connections per listener; more wait in the system's queue.
const CONNECTIONS: usize = 25_000;
const HANDSHAKE: Duration = Duration::from_secs(10);
/// A request's head must be here by then; an idle connection is closed after it.
const HEAD: Duration = Duration::from_secs(30);
const HTTP2_PING: Duration = Duration::from_secs(20);
const HTTP2_STREAMS: u32 = 100;
const HEAD_BYTES: u32 = 32 * 1024;
/// Requests in work get this long when the server stops.
const DRAIN: Duration = Duration::from_secs(10);
/// Out of file handles, say: to try again at once would only burn the processor.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Where the certificate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tls {
    /// Plain HTTP: loopback, or behind a proxy that speaks TLS.
    Off,
    /// A certificate of our own making, kept in the data directory.
    SelfSigned,
    /// Files in PEM form.
    Files {
        /// The certificate chain.
        cert: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
}

/// Why a listener cannot start, in a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("{0}")]
    Address(String),
    /// The certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] tls::TlsError),
}

/// A bound address.
pub type Listener = TcpListener;

/// What the listeners need to speak TLS; None when it is off.
pub fn tls(tls: &Tls, data: &Path) -> Result<Option<Arc<ServerConfig>>, ServeError> {
    Ok(tls::load(tls, data)?)
}

/// Binds an address; `variable` is where it came from.
pub async fn bind(address: SocketAddr, variable: &str) -> Result<Listener, ServeError> {
    TcpListener::bind(address).await.map_err(|error| {
        ServeError::Address(match error.kind() {
            io::ErrorKind::AddrInUse => {
                format!("{address} is already in use: stop the other program or set {variable}")
            }
            io::ErrorKind::PermissionDenied => format!(
                "Listening on {address} is not permitted: set {variable} to a port above 1023"
            ),
            io::ErrorKind::AddrNotAvailable => format!(
                "This machine has no address {}: set {variable} to one that it has",
                address.ip()
            ),
            _ => format!("{address} cannot be listened on ({error}): set {variable}"),
        })
    })
}

/// Serves until the shutdown, then finishes what is in work for up to ten seconds. Handlers
/// find `ConnectInfo<SocketAddr>` among the request's extensions.
pub async fn run(
    listener: Listener,
    router: Router,
    tls: Option<Arc<ServerConfig>>,
    shutdown: Shutdown,
) {
    let server = Server { tls: tls.map(TlsAcceptor::from), router, http: http() };
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    while let Some((stream, peer, place)) = accept(&listener, &places, &shutdown).await {
        let (server, watcher) = (server.clone(), graceful.watcher());
        connections.spawn(async move {
            server.connection(stream, peer, watcher).await;
            drop(place);
        });
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    if timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!(count = connections.len(), "connections were cut off at shutdown");
    }
    connections.shutdown().await;
}

/// The next connection, or None once the shutdown has begun.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    shutdown: &Shutdown,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let next = async {
        let place = Arc::clone(places).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => return Some((stream, peer, place)),
                Err(error) if is_the_peers(&error) => {}
                Err(error) => {
                    tracing::error!(%error, "connections cannot be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        accepted = next => accepted,
        () = shutdown.begun() => None,
    }
}

fn is_the_peers(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

fn http() -> Builder<TokioExecutor> {
    let mut http = Builder::new(TokioExecutor::new());
    http.http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(usize::try_from(HEAD_BYTES).unwrap_or(usize::MAX));
    http.http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(HTTP2_PING)
        .max_concurrent_streams(HTTP2_STREAMS)
        .max_header_list_size(HEAD_BYTES);
    http
}

#[derive(Clone)]
struct Server {
    tls: Option<TlsAcceptor>,
    router: Router,
    http: Builder<TokioExecutor>,
}

impl Server {
    async fn connection(self, stream: TcpStream, peer: SocketAddr, watcher: Watcher) {
        // Answers are small and must not wait for more to send.
        let _ = stream.set_nodelay(true);
        match self.tls.clone() {
            None => self.speak(StallGuard::new(stream), peer, watcher).await,
            Some(tls) => match timeout(HANDSHAKE, tls.accept(stream)).await {
                Ok(Ok(stream)) => self.speak(StallGuard::new(stream), peer, watcher).await,
                Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
                Err(_) => tracing::debug!("TLS handshake took too long"),
            },
        }
    }

    async fn speak<IO>(self, stream: StallGuard<IO>, peer: SocketAddr, watcher: Watcher)
    where
        IO: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let router = self.router;
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            respond(router.clone(), request, peer)
        });
        let io = TokioIo::new(stream);
        let connection = self.http.serve_connection_with_upgrades(io, service);
        if let Err(error) = watcher.watch(connection.into_owned()).await {
            tracing::debug!(error, "connection ended early");
        }
    }
}

async fn respond(
    router: Router,
    request: Request<Incoming>,
    peer: SocketAddr,
) -> Result<Response, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(peer));
    router.oneshot(request).await
}
