//! HTTP listeners: plain or TLS, HTTP/1.1 and HTTP/2, with connection limits and graceful shutdown.

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

/// The maximum number of connections per listener. Further ones wait in the kernel's accept queue.
const CONNECTIONS: usize = 25_000;
const HANDSHAKE: Duration = Duration::from_secs(10);
/// The timeout for receiving a request's headers, and for an idle connection.
const HEAD: Duration = Duration::from_secs(30);
const HTTP2_PING: Duration = Duration::from_secs(20);
const HTTP2_STREAMS: u32 = 100;
const HEAD_BYTES: u32 = 32 * 1024;
/// How long the shutdown waits for running requests.
const DRAIN: Duration = Duration::from_secs(10);
/// The pause after an accept error such as running out of file handles, to avoid a busy loop.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Whether a listener speaks TLS, and where its certificate comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tls {
    /// Plain HTTP: for loopback, or behind a proxy that terminates TLS.
    Off,
    /// A self-signed certificate, generated once and stored in the data directory.
    SelfSigned,
    /// A certificate and key from PEM files.
    Files {
        /// The certificate chain.
        cert: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
}

/// Why a listener cannot start, as a sentence for the operator.
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

/// Loads the TLS configuration of the listeners. None if TLS is off.
pub fn tls(tls: &Tls, data: &Path) -> Result<Option<Arc<ServerConfig>>, ServeError> {
    Ok(tls::load(tls, data)?)
}

/// Binds an address. `variable` is the environment variable that it came from, for the error
/// message.
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

/// Serves until the shutdown, then waits up to ten seconds for running requests. The request
/// extension `ConnectInfo<SocketAddr>` has the peer address.
pub async fn run(
    listener: Listener,
    router: Router,
    tls: Option<Arc<ServerConfig>>,
    shutdown: Shutdown,
) {
    let server = Server { tls: tls.map(TlsAcceptor::from), router, http: http() };
    let slots = Arc::new(Semaphore::new(CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut connections = JoinSet::new();
    while let Some((stream, peer, slot)) = accept(&listener, &slots, &shutdown).await {
        let (server, watcher) = (server.clone(), graceful.watcher());
        connections.spawn(async move {
            server.connection(stream, peer, watcher).await;
            drop(slot);
        });
        while connections.try_join_next().is_some() {}
    }
    drop(listener);
    if timeout(DRAIN, graceful.shutdown()).await.is_err() {
        tracing::warn!(count = connections.len(), "connections cut off at shutdown");
    }
    connections.shutdown().await;
}

/// Accepts the next connection. None once the shutdown has started.
async fn accept(
    listener: &TcpListener,
    slots: &Arc<Semaphore>,
    shutdown: &Shutdown,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let next = async {
        let slot = Arc::clone(slots).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => return Some((stream, peer, slot)),
                Err(error) if is_peer_error(&error) => {}
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

fn is_peer_error(error: &io::Error) -> bool {
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
        // Responses are small and must not be delayed by Nagle's algorithm.
        let _ = stream.set_nodelay(true);
        match self.tls.clone() {
            None => self.serve_http(StallGuard::new(stream), peer, watcher).await,
            Some(tls) => match timeout(HANDSHAKE, tls.accept(stream)).await {
                Ok(Ok(stream)) => self.serve_http(StallGuard::new(stream), peer, watcher).await,
                Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
                Err(_) => tracing::debug!("TLS handshake timed out"),
            },
        }
    }

    async fn serve_http<IO>(self, stream: StallGuard<IO>, peer: SocketAddr, watcher: Watcher)
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
