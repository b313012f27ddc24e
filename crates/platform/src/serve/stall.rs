//! A guard against connections that hold their place and do nothing.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// The length of HTTP/2's opening words: until they are there, or something else is, the
/// protocol cannot be told and no time limit of its own runs.
const OPENING: usize = 24;
const OPENING_TIME: Duration = Duration::from_secs(10);
/// A peer that takes nothing for so long is gone, or means harm.
const WRITE_TIME: Duration = Duration::from_secs(60);

/// A stream that fails when its peer does not open within ten seconds, or does not take what
/// is sent to it within a minute.
pub(super) struct StallGuard<IO> {
    io: IO,
    received: usize,
    opening: Pin<Box<Sleep>>,
    writing: Option<Pin<Box<Sleep>>>,
}

impl<IO> StallGuard<IO> {
    pub fn new(io: IO) -> Self {
        Self { io, received: 0, opening: Box::pin(sleep(OPENING_TIME)), writing: None }
    }

    /// Starts the clock of a write that waits, and stops that of one that does not.
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
        if self.received < OPENING && progress.is_pending() {
            ready!(self.opening.as_mut().poll(context));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        if self.received < OPENING && self.opening.deadline() <= Instant::now() {
            // Byte by byte is not opening either.
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
