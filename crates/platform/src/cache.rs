//! In-memory caches of values that were read from the database.

use std::collections::HashMap;
use std::sync::{self, Arc, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use uuid::Uuid;

/// How old a value may be when it cannot be reloaded, for example while the database is down.
const MAX_STALE: Duration = Duration::from_secs(60);

/// Caches one value that changes rarely. A node is at most `life` behind the database, or up to a
/// minute while the value cannot be reloaded (stale-if-error).
pub struct Cache<T> {
    life: Duration,
    slot: sync::RwLock<Slot<T>>,
    loading: Mutex<()>,
}

struct Slot<T> {
    /// The latest value, and when its load started.
    value: Option<(Instant, Arc<T>)>,
    /// How many times the cache was cleared.
    cleared: u64,
}

impl<T> Cache<T> {
    /// An empty cache.
    pub fn new(life: Duration) -> Self {
        let slot = Slot { value: None, cleared: 0 };
        Self { life, slot: sync::RwLock::new(slot), loading: Mutex::new(()) }
    }

    /// The cached value, or a freshly loaded one if it is too old. Only one caller loads; the
    /// others get the stale value meanwhile, and wait only if there is none.
    pub async fn get<E>(&self, load: impl AsyncFnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        if let Some(value) = self.younger_than(self.life) {
            return Ok(value);
        }
        let _loading = match self.loading.try_lock() {
            Ok(guard) => guard,
            Err(_) => {
                if let Some(value) = self.younger_than(MAX_STALE) {
                    return Ok(value);
                }
                let guard = self.loading.lock().await;
                if let Some(value) = self.younger_than(self.life) {
                    return Ok(value);
                }
                guard
            }
        };
        let (began, cleared) = (Instant::now(), self.cleared());
        // Boxed, because loading is rare: otherwise its state would enlarge this future, which is
        // moved at every call.
        match Box::pin(load()).await {
            Ok(value) => {
                let value = Arc::new(value);
                self.store((began, Arc::clone(&value)), cleared);
                Ok(value)
            }
            Err(error) => self.younger_than(MAX_STALE).ok_or(error),
        }
    }

    /// Clears the cache and discards a load in progress. The next caller loads again.
    pub fn clear(&self) {
        let mut slot = self.slot.write().unwrap_or_else(PoisonError::into_inner);
        slot.value = None;
        slot.cleared += 1;
    }

    fn cleared(&self) -> u64 {
        self.slot.read().unwrap_or_else(PoisonError::into_inner).cleared
    }

    /// Stores a loaded value, unless the cache was cleared after its load started.
    fn store(&self, value: (Instant, Arc<T>), cleared: u64) {
        let mut slot = self.slot.write().unwrap_or_else(PoisonError::into_inner);
        if slot.cleared == cleared {
            slot.value = Some(value);
        }
    }

    fn younger_than(&self, age: Duration) -> Option<Arc<T>> {
        let slot = self.slot.read().unwrap_or_else(PoisonError::into_inner);
        let (began, value) = slot.value.as_ref()?;
        (began.elapsed() < age).then(|| Arc::clone(value))
    }
}

/// A cache of values by id with a maximum age. When it is full, all entries are dropped.
pub struct Kept<V> {
    life: Duration,
    capacity: usize,
    values: sync::Mutex<HashMap<Uuid, (Instant, V)>>,
}

impl<V: Clone> Kept<V> {
    /// An empty cache for `capacity` values, each kept for `life`.
    pub fn new(capacity: usize, life: Duration) -> Self {
        Self { life, capacity, values: sync::Mutex::default() }
    }

    /// The value of an id, if it is cached and not too old.
    pub fn get(&self, id: Uuid) -> Option<V> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, value) = values.get(&id)?;
        (since.elapsed() < self.life).then(|| value.clone())
    }

    /// Caches a value.
    pub fn put(&self, id: Uuid, value: V) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= self.capacity {
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

    /// A value whose load started before `clear` is not cached.
    #[tokio::test]
    async fn a_reading_that_was_begun_before_it_was_forgotten_is_not_kept() {
        let cache = Cache::new(Duration::MAX);
        let old = cache.get(async || {
            cache.clear();
            Ok::<_, ()>("before")
        });
        assert_eq!(*old.await.unwrap(), "before");
        assert_eq!(*cache.get(async || Ok::<_, ()>("after")).await.unwrap(), "after");
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
