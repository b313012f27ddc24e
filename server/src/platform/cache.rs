//! A value read from the database and kept for a moment.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::RwLock;

/// Keeps the latest reading of something that changes seldom. Every node is at most `life`
/// behind the database.
pub struct Cache<T> {
    life: Duration,
    slot: RwLock<Option<(Instant, Arc<T>)>>,
}

impl<T> Cache<T> {
    /// An empty cache.
    pub fn new(life: Duration) -> Self {
        Self { life, slot: RwLock::new(None) }
    }

    /// The kept value, or a new reading if it is too old. One reader loads, the others wait.
    pub async fn get<E>(&self, load: impl AsyncFnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        if let Some(value) = self.fresh(&*self.slot.read().await) {
            return Ok(value);
        }
        let mut slot = self.slot.write().await;
        if let Some(value) = self.fresh(&slot) {
            return Ok(value);
        }
        let value = Arc::new(load().await?);
        *slot = Some((Instant::now(), Arc::clone(&value)));
        Ok(value)
    }

    /// Forgets the value: the next reader loads it anew.
    pub async fn clear(&self) {
        *self.slot.write().await = None;
    }

    fn fresh(&self, slot: &Option<(Instant, Arc<T>)>) -> Option<Arc<T>> {
        let (read_at, value) = slot.as_ref()?;
        (read_at.elapsed() < self.life).then(|| Arc::clone(value))
    }
}
