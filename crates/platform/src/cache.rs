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
    slot: sync::RwLock<Slot<T>>,
    loading: Mutex<()>,
}

struct Slot<T> {
    /// The latest reading, and when it was begun.
    reading: Option<(Instant, Arc<T>)>,
    /// How often it was forgotten.
    cleared: u64,
}

impl<T> Cache<T> {
    /// An empty cache.
    pub fn new(life: Duration) -> Self {
        let slot = Slot { reading: None, cleared: 0 };
        Self { life, slot: sync::RwLock::new(slot), loading: Mutex::new(()) }
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
        let (began, cleared) = (Instant::now(), self.cleared());
        // In a box, because it is seldom needed: a future is as large as the largest of its parts,
        // and is moved about at every call.
        match Box::pin(load()).await {
            Ok(value) => {
                let value = Arc::new(value);
                self.keep((began, Arc::clone(&value)), cleared);
                Ok(value)
            }
            Err(error) => self.younger_than(STALE).ok_or(error),
        }
    }

    /// Forgets the value, and what is being read at this moment: the next reader loads it anew.
    pub fn clear(&self) {
        let mut slot = self.slot.write().unwrap_or_else(PoisonError::into_inner);
        slot.reading = None;
        slot.cleared += 1;
    }

    fn cleared(&self) -> u64 {
        self.slot.read().unwrap_or_else(PoisonError::into_inner).cleared
    }

    /// Keeps a reading, unless it was begun before the last change that is known of.
    fn keep(&self, reading: (Instant, Arc<T>), cleared: u64) {
        let mut slot = self.slot.write().unwrap_or_else(PoisonError::into_inner);
        if slot.cleared == cleared {
            slot.reading = Some(reading);
        }
    }

    fn younger_than(&self, age: Duration) -> Option<Arc<T>> {
        let slot = self.slot.read().unwrap_or_else(PoisonError::into_inner);
        let (began, value) = slot.reading.as_ref()?;
        (began.elapsed() < age).then(|| Arc::clone(value))
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

    /// Somebody reads while somebody else changes it: what was read before the change is not kept.
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
