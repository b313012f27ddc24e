//! What was read from the database and is kept for a while.

use std::collections::HashMap;
use std::sync::{self, Arc, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use uuid::Uuid;

/// How long an old value is better than none while the database is away.
const STALE: Duration = Duration::from_secs(60);

/// Keeps the latest reading of something that changes seldom. Every node is at most `life`
/// behind the database while it can be read, and lives on what it knows for a minute while it
/// cannot.
pub struct Cache<T> {
    life: Duration,
    slot: sync::RwLock<Option<(Instant, Arc<T>)>>,
    loading: Mutex<()>,
}

impl<T> Cache<T> {
    /// An empty cache.
    pub fn new(life: Duration) -> Self {
        Self { life, slot: sync::RwLock::new(None), loading: Mutex::new(()) }
    }

    /// The kept value, or a new reading if it is too old. One reader loads; the others take
    /// the old value meanwhile, and wait only where there is none.
    pub async fn get<E>(&self, load: impl AsyncFnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        if let Some(value) = self.younger_than(self.life) {
            return Ok(value);
        }
        let _loading = match self.loading.try_lock() {
            Ok(guard) => guard,
            Err(_) => {
                if let Some(value) = self.younger_than(STALE) {
                    return Ok(value);
                }
                let guard = self.loading.lock().await;
                if let Some(value) = self.younger_than(self.life) {
                    return Ok(value);
                }
                guard
            }
        };
        // In a box, because it is seldom needed: a future is as large as the largest of its parts,
        // and is moved about at every call.
        match Box::pin(load()).await {
            Ok(value) => {
                let value = Arc::new(value);
                self.put(Some((Instant::now(), Arc::clone(&value))));
                Ok(value)
            }
            Err(error) => self.younger_than(STALE).ok_or(error),
        }
    }

    /// Forgets the value: the next reader loads it anew.
    pub fn clear(&self) {
        self.put(None);
    }

    fn put(&self, reading: Option<(Instant, Arc<T>)>) {
        *self.slot.write().unwrap_or_else(PoisonError::into_inner) = reading;
    }

    fn younger_than(&self, age: Duration) -> Option<Arc<T>> {
        let slot = self.slot.read().unwrap_or_else(PoisonError::into_inner);
        let (read_at, value) = slot.as_ref()?;
        (read_at.elapsed() < age).then(|| Arc::clone(value))
    }
}

/// Values by id, each for so long at most. When there are too many, all are forgotten.
pub struct Kept<V> {
    life: Duration,
    most: usize,
    values: sync::Mutex<HashMap<Uuid, (Instant, V)>>,
}

impl<V: Clone> Kept<V> {
    /// Nothing yet.
    pub fn new(most: usize, life: Duration) -> Self {
        Self { life, most, values: sync::Mutex::default() }
    }

    /// The value of an id.
    pub fn get(&self, id: Uuid) -> Option<V> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, value) = values.get(&id)?;
        (since.elapsed() < self.life).then(|| value.clone())
    }

    /// Keeps a value.
    pub fn put(&self, id: Uuid, value: V) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= self.most {
            values.clear();
        }
        values.insert(id, (Instant::now(), value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_values_are_forgotten() {
        let kept = Kept::new(2, Duration::MAX);
        let [one, two, three] = [1, 2, 3].map(Uuid::from_u128);
        kept.put(one, 'a');
        kept.put(two, 'b');
        assert_eq!((kept.get(one), kept.get(two)), (Some('a'), Some('b')));
        kept.put(three, 'c');
        assert_eq!((kept.get(one), kept.get(three)), (None, Some('c')));
        let short = Kept::new(2, Duration::ZERO);
        short.put(one, 'a');
        assert_eq!(short.get(one), None);
    }

    #[tokio::test]
    async fn an_old_value_is_better_than_an_error() {
        let cache = Cache::new(Duration::ZERO);
        let load = |value: Result<u8, &'static str>| cache.get(async move || value);
        assert_eq!(load(Err("away")).await, Err("away"));
        assert_eq!(*load(Ok(7)).await.unwrap(), 7);
        assert_eq!(*load(Err("away")).await.unwrap(), 7);
        assert_eq!(*load(Ok(8)).await.unwrap(), 8);
        cache.clear();
        assert_eq!(load(Err("away")).await, Err("away"));
    }
}
