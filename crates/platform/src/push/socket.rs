//! The wire of the push socket: the upgrade, time and size limits, frames in and out.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

use super::hub::{Hub, Next};
use super::protocol::{ClientFrame, Event};
use super::session::{Door, Identify, Session};
use crate::codes;
use crate::error::ApiError;

/// Nothing that a page sends is larger; the buffer is held for the socket's whole life.
const FRAME_BYTES: usize = 4096;
const WRITE_BYTES: usize = 4096;
const WRITE_BYTES_MAX: usize = 256 * 1024;
const HELLO_TIME: Duration = Duration::from_secs(10);
const WRITE_TIME: Duration = Duration::from_secs(10);
const CLOSE_TIME: Duration = Duration::from_secs(2);
const KEEP_ALIVE: Duration = Duration::from_secs(30);
const IDLE: Duration = Duration::from_secs(75);
const RECHECK: Duration = Duration::from_secs(60);
/// How a page is told that the session behind its socket has ended: a 401, as sockets say it.
const SESSION_ENDED: u16 = 4401;
/// Frames that a page may send in one keep-alive period.
const FRAMES_PER_PERIOD: u32 = 60;

/// Opens the push socket of a page.
pub fn serve_socket(
    upgrade: WebSocketUpgrade,
    headers: HeaderMap,
    door: Door,
    hub: Arc<Hub>,
    identify: Arc<dyn Identify>,
) -> Response {
    if !same_origin(&headers) {
        return ApiError::new(codes::REQUEST_FOREIGN_ORIGIN).into_response();
    }
    let Some(admission) = hub.admit(door) else {
        return ApiError::unavailable("too many sockets").into_response();
    };
    upgrade
        .read_buffer_size(FRAME_BYTES)
        .max_message_size(FRAME_BYTES)
        .max_frame_size(FRAME_BYTES)
        .write_buffer_size(WRITE_BYTES)
        .max_write_buffer_size(WRITE_BYTES_MAX)
        .on_upgrade(move |socket| async move {
            let session = Session::new(Arc::clone(&hub), identify, headers, door);
            converse(socket, session, hub).await;
            drop(admission);
        })
}

/// A page of another site must not open a socket with our cookies: browsers always name the
/// page's origin, and it has to be this host's own.
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

/// Why a conversation ends.
enum End {
    /// The peer closed, or is gone.
    Peer,
    /// The peer broke the rules.
    Policy(&'static str),
    /// The peer sent too much at once, or what is no WebSocket.
    Unreadable,
    /// The session behind the socket has ended.
    Over,
    /// We cannot answer now.
    Later,
    /// The server stops.
    Away,
}

impl From<ApiError> for End {
    fn from(_: ApiError) -> Self {
        Self::Later
    }
}

async fn converse(mut socket: WebSocket, mut session: Session, hub: Arc<Hub>) {
    let end = match talk(&mut socket, &mut session, &hub).await {
        Err(end) => end,
        Ok(never) => match never {},
    };
    drop(session);
    let (code, reason) = match end {
        End::Peer => return,
        End::Policy(reason) => (close_code::POLICY, reason),
        End::Unreadable => (close_code::POLICY, "unreadable frame"),
        End::Over => (SESSION_ENDED, "session ended"),
        End::Later => (close_code::AGAIN, "try again"),
        End::Away => (close_code::AWAY, "server stops"),
    };
    let farewell = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
    // Read on until the peer has closed too: otherwise it might never see why.
    let closed = timeout(CLOSE_TIME, async {
        if socket.send(Message::Close(Some(farewell))).await.is_ok() {
            while let Some(Ok(_)) = socket.recv().await {}
        }
    });
    let _ = closed.await;
}

enum Never {}

async fn talk(socket: &mut WebSocket, session: &mut Session, hub: &Arc<Hub>) -> Result<Never, End> {
    let hello = timeout(HELLO_TIME, read_hello(socket)).await;
    let (token, resume) = hello.map_err(|_| End::Policy("no hello"))??;
    send_all(socket, session.hello(token, resume).await?).await?;
    if session.is_shut_out() {
        return Err(End::Over);
    }

    let shutdown = hub.shutdown().clone();
    let mailbox = session.mailbox();
    let mut keep_alive = every(KEEP_ALIVE);
    let mut recheck = every(RECHECK);
    let mut heard = Instant::now();
    let mut frames = 0_u32;
    loop {
        tokio::select! {
            received = socket.recv() => {
                heard = Instant::now();
                frames += 1;
                if frames > FRAMES_PER_PERIOD {
                    return Err(End::Policy("too many frames"));
                }
                if let Some(text) = text_of(received)? {
                    let answer = answer(session, &text).await?;
                    send_all(socket, answer).await?;
                    if session.is_shut_out() {
                        return Err(End::Over);
                    }
                }
            }
            next = mailbox.next() => tell(socket, session, &next).await?,
            _ = keep_alive.tick() => {
                if heard.elapsed() > IDLE {
                    return Err(End::Policy("idle"));
                }
                frames = 0;
                send(socket, Message::Ping(Vec::new().into())).await?;
            }
            _ = recheck.tick(), if session.is_known() => check(socket, session).await?,
            () = session.lapse() => {
                session.note_lapse();
                check(socket, session).await?;
            }
            () = shutdown.begun() => return Err(End::Away),
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

/// The text of a frame; None for frames that the protocol handles by itself.
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

async fn tell(socket: &mut WebSocket, session: &mut Session, next: &Next) -> Result<(), End> {
    let Some(frame) = session.tell_next(next) else { return Ok(()) };
    match next {
        Next::Event(event) if event.ends_session => tell_end(socket, session, event).await,
        Next::Event(_) => send(socket, Message::Text(frame)).await,
        Next::Gap(..) => {
            send(socket, Message::Text(frame)).await?;
            // The end of the session may be among what was lost.
            check(socket, session).await
        }
    }
}

/// One of the person's sessions has ended, perhaps another one than this page's.
async fn tell_end(socket: &mut WebSocket, session: &mut Session, event: &Event) -> Result<(), End> {
    if is_over(session).await {
        send(socket, Message::Text(event.frame.clone())).await?;
        return check(socket, session).await;
    }
    match event.frame_while_live() {
        Some(frame) => send(socket, Message::Text(frame)).await,
        None => Ok(()),
    }
}

/// Whether this socket's own session has ended. When nobody can tell, the next check will.
async fn is_over(session: &mut Session) -> bool {
    session.is_over().await.unwrap_or(false)
}

/// Asks again who is behind the socket, and closes where it is nobody any more: what is open in the
/// page of a session that has ended may not go on. When nobody can tell just now, the next round
/// will.
async fn check(socket: &mut WebSocket, session: &mut Session) -> Result<(), End> {
    match session.recheck().await {
        Ok(Some(denied)) => {
            send(socket, Message::Text(denied)).await?;
            Err(End::Over)
        }
        Ok(None) => Ok(()),
        Err(error) => {
            tracing::warn!(?error, "a socket's owner could not be checked");
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
