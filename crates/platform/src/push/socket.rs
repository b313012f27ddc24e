//! The WebSocket transport of push: upgrade, timeouts, size limits, reading and writing frames.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

use super::hub::{Hub, Next};
use super::protocol::{ClientFrame, Event};
use super::session::{Identify, Session, SocketKind};
use crate::codes;
use crate::error::ApiError;

/// The maximum size of a frame from the page. The read buffer is kept for the lifetime of the
/// socket, so it is small.
const FRAME_BYTES: usize = 4096;
const WRITE_BYTES: usize = 4096;
const WRITE_BYTES_MAX: usize = 256 * 1024;
const HELLO_TIME: Duration = Duration::from_secs(10);
const WRITE_TIME: Duration = Duration::from_secs(10);
const CLOSE_TIME: Duration = Duration::from_secs(2);
const KEEP_ALIVE: Duration = Duration::from_secs(30);
const IDLE: Duration = Duration::from_secs(75);
const RECHECK: Duration = Duration::from_secs(60);
/// The close code for an ended session, modelled on HTTP 401.
const SESSION_ENDED: u16 = 4401;
/// The maximum number of frames from a page per keep-alive period.
const FRAMES_PER_PERIOD: u32 = 60;

/// Opens the push socket of a page.
pub fn serve_socket(
    upgrade: WebSocketUpgrade,
    headers: HeaderMap,
    kind: SocketKind,
    hub: Arc<Hub>,
    identify: Arc<dyn Identify>,
) -> Response {
    if !same_origin(&headers) {
        return ApiError::new(codes::REQUEST_FOREIGN_ORIGIN).into_response();
    }
    let Some(admission) = hub.admit(kind) else {
        return ApiError::unavailable("too many sockets").into_response();
    };
    upgrade
        .read_buffer_size(FRAME_BYTES)
        .max_message_size(FRAME_BYTES)
        .max_frame_size(FRAME_BYTES)
        .write_buffer_size(WRITE_BYTES)
        .max_write_buffer_size(WRITE_BYTES_MAX)
        .on_upgrade(move |socket| async move {
            let session = Session::new(Arc::clone(&hub), identify, headers, kind);
            run_socket(socket, session, hub).await;
            drop(admission);
        })
}

/// Prevents cross-site WebSocket hijacking: browsers send cookies and always the page's `Origin`,
/// which must be this host.
fn same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let (Some(origin), Some(host)) = (text(header::ORIGIN), text(header::HOST)) else {
        return false;
    };
    let (authority, default_port) = match origin.split_once("://") {
        Some(("http", authority)) => (authority, ":80"),
        Some(("https", authority)) => (authority, ":443"),
        _ => return false,
    };
    let bare = |authority: &str| {
        authority.strip_suffix(default_port).unwrap_or(authority).to_ascii_lowercase()
    };
    !authority.is_empty() && bare(authority) == bare(host)
}

/// Why a socket closes.
enum End {
    /// The peer has closed or disconnected.
    Peer,
    /// The peer violated the protocol or a limit.
    Policy(&'static str),
    /// The peer sent an oversized or invalid frame.
    Unreadable,
    /// The session of the socket has ended.
    SessionEnded,
    /// A temporary failure on our side.
    TryAgain,
    /// The server is shutting down.
    Shutdown,
}

impl From<ApiError> for End {
    fn from(_: ApiError) -> Self {
        Self::TryAgain
    }
}

async fn run_socket(mut socket: WebSocket, mut session: Session, hub: Arc<Hub>) {
    let end = match run_loop(&mut socket, &mut session, &hub).await {
        Err(end) => end,
        Ok(never) => match never {},
    };
    drop(session);
    let (code, reason) = match end {
        End::Peer => return,
        End::Policy(reason) => (close_code::POLICY, reason),
        End::Unreadable => (close_code::POLICY, "unreadable frame"),
        End::SessionEnded => (SESSION_ENDED, "session ended"),
        End::TryAgain => (close_code::AGAIN, "try again"),
        End::Shutdown => (close_code::AWAY, "server stops"),
    };
    let close_frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
    // Keep reading until the peer has closed too, otherwise it may not receive the close frame.
    let closed = timeout(CLOSE_TIME, async {
        if socket.send(Message::Close(Some(close_frame))).await.is_ok() {
            while let Some(Ok(_)) = socket.recv().await {}
        }
    });
    let _ = closed.await;
}

enum Never {}

async fn run_loop(
    socket: &mut WebSocket,
    session: &mut Session,
    hub: &Arc<Hub>,
) -> Result<Never, End> {
    let hello = timeout(HELLO_TIME, read_hello(socket)).await;
    let (token, resume) = hello.map_err(|_| End::Policy("no hello"))??;
    send_all(socket, session.hello(token, resume).await?).await?;
    if session.is_denied() {
        return Err(End::SessionEnded);
    }

    let shutdown = hub.shutdown().clone();
    let mailbox = session.mailbox();
    let mut keep_alive = every(KEEP_ALIVE);
    let mut recheck = every(RECHECK);
    let mut last_received = Instant::now();
    let mut frames = 0_u32;
    loop {
        tokio::select! {
            received = socket.recv() => {
                last_received = Instant::now();
                frames += 1;
                if frames > FRAMES_PER_PERIOD {
                    return Err(End::Policy("too many frames"));
                }
                if let Some(text) = text_of(received)? {
                    let answer = answer(session, &text).await?;
                    send_all(socket, answer).await?;
                    if session.is_denied() {
                        return Err(End::SessionEnded);
                    }
                }
            }
            next = mailbox.next() => send_next(socket, session, &next).await?,
            _ = keep_alive.tick() => {
                if last_received.elapsed() > IDLE {
                    return Err(End::Policy("idle"));
                }
                frames = 0;
                send(socket, Message::Ping(Vec::new().into())).await?;
            }
            _ = recheck.tick(), if session.is_authenticated() => {
                recheck_session(socket, session).await?;
            }
            () = session.expiry() => {
                session.clear_expiry();
                recheck_session(socket, session).await?;
            }
            () = shutdown.begun() => return Err(End::Shutdown),
        }
    }
}

fn every(period: Duration) -> Interval {
    let mut interval = interval_at(Instant::now() + period, period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}

async fn read_hello(
    socket: &mut WebSocket,
) -> Result<(Option<String>, super::protocol::Resume), End> {
    loop {
        if let Some(text) = text_of(socket.recv().await)? {
            return match serde_json::from_str(&text) {
                Ok(ClientFrame::Hello { token, resume }) => Ok((token, resume)),
                _ => Err(End::Policy("hello expected")),
            };
        }
    }
}

/// The text of a frame. None for pings and pongs, which the library handles.
fn text_of(received: Option<Result<Message, axum::Error>>) -> Result<Option<Utf8Bytes>, End> {
    match received {
        Some(Ok(Message::Text(text))) => Ok(Some(text)),
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(None),
        Some(Ok(Message::Binary(_))) => Err(End::Policy("text frames only")),
        Some(Ok(Message::Close(_))) | None => Err(End::Peer),
        Some(Err(_)) => Err(End::Unreadable),
    }
}

async fn answer(session: &mut Session, text: &str) -> Result<Vec<Utf8Bytes>, End> {
    match serde_json::from_str(text) {
        Ok(ClientFrame::Ping) => Ok(vec![session.pong()]),
        Ok(ClientFrame::Auth { token }) => Ok(session.authenticate(token).await?),
        Ok(ClientFrame::Hello { .. }) => Err(End::Policy("hello twice")),
        Err(_) => Err(End::Policy("malformed frame")),
    }
}

async fn send_next(socket: &mut WebSocket, session: &mut Session, next: &Next) -> Result<(), End> {
    let Some(frame) = session.frame_for(next) else { return Ok(()) };
    match next {
        Next::Event(event) if event.ends_session => send_session_end(socket, session, event).await,
        Next::Event(_) => send(socket, Message::Text(frame)).await,
        Next::Gap(..) => {
            send(socket, Message::Text(frame)).await?;
            // The lost events may include the end of the session.
            recheck_session(socket, session).await
        }
    }
}

/// Sends an event with `session_ended`. The person may have several sessions, so it is checked
/// whether this one has ended; if not, that event is left out.
async fn send_session_end(
    socket: &mut WebSocket,
    session: &mut Session,
    event: &Event,
) -> Result<(), End> {
    if has_session_ended(session).await {
        send(socket, Message::Text(event.frame.clone())).await?;
        return recheck_session(socket, session).await;
    }
    match event.frame_while_live() {
        Some(frame) => send(socket, Message::Text(frame)).await,
        None => Ok(()),
    }
}

/// Whether this socket's own session has ended. False if the check fails: a later check repeats it.
async fn has_session_ended(session: &mut Session) -> bool {
    session.has_session_ended().await.unwrap_or(false)
}

/// Checks the session again and closes the socket if it has ended, so that the page stops working
/// with it. If the check fails, the socket stays open until the next check.
async fn recheck_session(socket: &mut WebSocket, session: &mut Session) -> Result<(), End> {
    match session.recheck().await {
        Ok(Some(denied)) => {
            send(socket, Message::Text(denied)).await?;
            Err(End::SessionEnded)
        }
        Ok(None) => Ok(()),
        Err(error) => {
            tracing::warn!(?error, "the session of a socket cannot be checked, will retry");
            Ok(())
        }
    }
}

async fn send_all(socket: &mut WebSocket, frames: Vec<Utf8Bytes>) -> Result<(), End> {
    for frame in frames {
        send(socket, Message::Text(frame)).await?;
    }
    Ok(())
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), End> {
    match timeout(WRITE_TIME, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Peer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(origin: Option<&'static str>, host: &'static str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static(host));
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
        }
        same_origin(&headers)
    }

    #[test]
    fn only_the_hosts_own_pages_may_connect() {
        assert!(check(Some("http://127.0.0.1:8080"), "127.0.0.1:8080"));
        assert!(check(Some("https://Play.Example"), "play.example"));
        assert!(check(Some("https://play.example"), "play.example:443"));
        assert!(check(Some("http://[::1]:8080"), "[::1]:8080"));
        for (origin, host) in [
            (Some("http://127.0.0.1:8081"), "127.0.0.1:8080"),
            (Some("https://evil.example"), "play.example"),
            (Some("https://play.example.evil"), "play.example"),
            (Some("https://play.example:80"), "play.example"),
            (Some("null"), "play.example"),
            (Some("ftp://play.example"), "play.example"),
            (Some("https://"), ""),
            (None, "play.example"),
        ] {
            assert!(!check(origin, host), "{origin:?} {host}");
        }
    }
}
