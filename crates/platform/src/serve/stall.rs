//! Timeouts for stalled connections, against clients that hold connections open (slowloris).

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// The length of the HTTP/2 connection preface. Until so many bytes have arrived, the server cannot
/// tell the protocol, and the protocol's own timeouts do not run yet.
const PREFACE: usize = 24;
const PREFACE_TIME: Duration = Duration::from_secs(10);
/// The write timeout: a peer that accepts no data for so long is gone or malicious.
const WRITE_TIME: Duration = Duration::from_secs(60);

/// A stream that fails if its peer does not send the first bytes within ten seconds, or accepts no
/// data for a minute.
pub(super) struct StallGuard<IO> {
    io: IO,
    received: usize,
    preface: Pin<Box<Sleep>>,
    writing: Option<Pin<Box<Sleep>>>,
}

impl<IO> StallGuard<IO> {
    pub fn new(io: IO) -> Self {
        Self { io, received: 0, preface: Box::pin(sleep(PREFACE_TIME)), writing: None }
    }

    /// Starts the write timeout when a write is pending, and stops it when it makes progress.
    fn watch_write<T>(
        &mut self,
        context: &mut Context<'_>,
        progress: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if progress.is_ready() {
            self.writing = None;
            return progress;
        }
        let waiting = self.writing.get_or_insert_with(|| Box::pin(sleep(WRITE_TIME)));
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<IO: AsyncRead + Unpin> AsyncRead for StallGuard<IO> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let progress = Pin::new(&mut self.io).poll_read(context, buffer);
        self.received = self.received.saturating_add(buffer.filled().len() - before);
        if self.received < PREFACE && progress.is_pending() {
            ready!(self.preface.as_mut().poll(context));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if self.received < PREFACE && self.preface.deadline() <= Instant::now() {
            // The timeout also applies to a peer that sends byte by byte.
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        progress
    }
}

impl<IO: AsyncWrite + Unpin> AsyncWrite for StallGuard<IO> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let progress = Pin::new(&mut self.io).poll_write(context, bytes);
        self.watch_write(context, progress)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let progress = Pin::new(&mut self.io).poll_flush(context);
        self.watch_write(context, progress)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let progress = Pin::new(&mut self.io).poll_shutdown(context);
        self.watch_write(context, progress)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let progress = Pin::new(&mut self.io).poll_write_vectored(context, bytes);
        self.watch_write(context, progress)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
}
