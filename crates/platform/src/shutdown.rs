//! The end of the process, told to everyone who runs for long.

use std::io;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Held by what runs for long: tells when to stop.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Receiver<bool>);

/// Begins the shutdown; to drop it begins it too.
#[derive(Debug)]
pub struct ShutdownTrigger(watch::Sender<bool>);

/// A pair for one run of the server.
pub fn channel() -> (ShutdownTrigger, Shutdown) {
    let (sender, receiver) = watch::channel(false);
    (ShutdownTrigger(sender), Shutdown(receiver))
}

/// A shutdown that SIGINT or SIGTERM begins.
pub fn on_signals() -> io::Result<Shutdown> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let (trigger, shutdown) = channel();
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => tracing::info!("interrupted, shutting down"),
            _ = terminate.recv() => tracing::info!("asked to end, shutting down"),
        }
        trigger.begin();
    });
    Ok(shutdown)
}

impl ShutdownTrigger {
    /// Tells everyone to stop.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }
}

impl Shutdown {
    /// Waits for the shutdown to begin.
    pub async fn begun(&self) {
        let mut receiver = self.0.clone();
        // An error means that the trigger is gone, which is a shutdown too.
        let _ = receiver.wait_for(|begun| *begun).await;
    }

    /// Whether the shutdown has begun.
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
