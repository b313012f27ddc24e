//! Graceful shutdown: a signal that long-running tasks wait for.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// A handle with which a long-running task notices the shutdown.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<bool>);

/// Starts the shutdown, when called or dropped.
#[derive(Debug)]
pub struct ShutdownTrigger(watch::Sender<bool>);

/// A trigger and its handle.
pub fn channel() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownTrigger(sender), Shutdown(receiver))
}

/// A shutdown that SIGINT or SIGTERM starts.
pub fn on_signals() -> io::Result<Shutdown> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let (trigger, shutdown) = channel();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => tracing::info!("shutting down after SIGINT"),
            _ = terminate.recv() => tracing::info!("shutting down after SIGTERM"),
        }
        trigger.begin();
    });
    Ok(shutdown)
}

impl ShutdownTrigger {
    /// Starts the shutdown.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Waits until the shutdown starts.
    pub async fn begun(&self) {
        let mut receiver = self.0.clone();
        // An error means that the trigger was dropped, which is a shutdown too.
        let _ = receiver.wait_for(|begun| *begun).await;
    }

    /// Whether the shutdown has started.
    pub fn is_begun(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn everyone_hears_of_it_however_late() {
        let (trigger, shutdown) = channel();
        assert!(!shutdown.is_begun());
        trigger.begin();
        shutdown.begun().await;
        shutdown.clone().begun().await;
        assert!(shutdown.is_begun());
    }

    #[tokio::test]
    async fn a_dropped_trigger_is_a_shutdown() {
        let (trigger, shutdown) = channel();
        drop(trigger);
        shutdown.begun().await;
        assert!(shutdown.is_begun());
    }
}
