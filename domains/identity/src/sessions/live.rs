//! The session cache of this node: it saves the database query for the requests of a busy player.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::sessions::model::{Session, Token};

/// How long a cached session is used without the watch: a session that ends on another node is
/// refused here after at most this time. It is real time and not the injected clock, because it
/// bounds the age of a cache entry and not the life of a session.
const TTL: Duration = Duration::from_secs(1);

/// How long a cached session is used while the node watches which sessions end.
const TTL_WATCHED: Duration = Duration::from_secs(60);

/// After a longer pause the watch may have missed ended sessions and starts anew.
const WATCH_GAP_MAX: Duration = Duration::from_secs(10);

/// Shards of the cache, so that requests of different sessions rarely wait for the same mutex.
const SHARDS: usize = 16;

/// Sessions per generation. All shards with two generations each keep at most 48,000.
const GENERATION: usize = 1_500;

/// Cached sessions by token. A session that has ended is refused within a second. Nothing is
/// refused because it is not cached: then the database is queried.
#[derive(Default)]
pub struct LiveSessions {
    shards: [Mutex<Shard>; SHARDS],
    watch: RwLock<Option<Watch>>,
}

/// Since when this node has seen every session that ended, and when it last queried them.
#[derive(Clone, Copy)]
struct Watch {
    since: Instant,
    last: Instant,
}

impl Watch {
    /// Whether an entry read at this time is still valid: every session that ended later has been
    /// removed from the cache.
    fn covers(self, read_at: Instant) -> bool {
        self.since <= read_at && self.last.elapsed() < TTL && read_at.elapsed() < TTL_WATCHED
    }
}

/// A database read in progress. Its result is discarded if the token was forgotten meanwhile.
pub(crate) struct Reading {
    began: Instant,
    forgotten: u64,
}

/// Member and token hash. The hash covers only the secret, so the member is part of the key.
pub(crate) type Key = (Uuid, [u8; 32]);

/// Two generations: new entries go to the young one, and the old one is dropped whole. This evicts
/// old entries without looking at each.
#[derive(Default)]
struct Shard {
    young: HashMap<Key, Entry>,
    old: HashMap<Key, Entry>,
    forgotten: u64,
}

struct Entry {
    device_hash: [u8; 32],
    session: Session,
    read_at: Instant,
}

impl LiveSessions {
    fn shard(&self, token: &Token) -> MutexGuard<'_, Shard> {
        self.shard_of(token.hash())
    }

    fn shard_of(&self, hash: &[u8; 32]) -> MutexGuard<'_, Shard> {
        let number = usize::from(hash[0]) % SHARDS;
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached session of a token on its device. The caller must check whether it has expired.
    pub(crate) fn find(&self, token: &Token, device_hash: &[u8; 32]) -> Option<Session> {
        let shard = self.shard(token);
        let entry = shard.get(&key(token))?;
        let watch = *self.watch.read().unwrap_or_else(PoisonError::into_inner);
        let is_recent =
            entry.read_at.elapsed() < TTL || watch.is_some_and(|watch| watch.covers(entry.read_at));
        (is_recent && entry.device_hash == *device_hash).then_some(entry.session)
    }

    /// Must be called before the database is read.
    pub(crate) fn begin_reading(&self, token: &Token) -> Reading {
        Reading { began: Instant::now(), forgotten: self.shard(token).forgotten }
    }

    /// Caches a session, unless its token was forgotten during the read: the read may be older than
    /// the logout.
    pub(crate) fn keep(
        &self,
        token: &Token,
        device_hash: [u8; 32],
        session: Session,
        reading: &Reading,
    ) {
        let mut shard = self.shard(token);
        if shard.forgotten == reading.forgotten {
            shard.insert(key(token), Entry { device_hash, session, read_at: reading.began });
        }
    }

    /// Updates the time of the last request, after it was written to the database.
    pub(crate) fn touch(&self, token: &Token, now: DateTime<Utc>) {
        if let Some(entry) = self.shard(token).get_mut(&key(token)) {
            entry.session.seen_at = entry.session.seen_at.max(now);
        }
    }

    /// Removes a token from the cache and discards reads in progress.
    pub(crate) fn forget(&self, token: &Token) {
        self.forget_key(key(token));
    }

    /// Like [`Self::forget`], by member and token hash.
    pub(crate) fn forget_key(&self, key: Key) {
        let mut shard = self.shard_of(&key.1);
        shard.forgotten += 1;
        shard.young.remove(&key);
        shard.old.remove(&key);
    }

    /// Removes sessions that have ended lately, found by a query that began at `began`.
    pub(crate) fn note_ended(&self, ended: Vec<Key>, began: Instant) {
        for key in ended {
            self.forget_key(key);
        }
        let mut watch = self.watch.write().unwrap_or_else(PoisonError::into_inner);
        let since = match *watch {
            Some(Watch { since, last }) if began.duration_since(last) < WATCH_GAP_MAX => since,
            _ => began,
        };
        *watch = Some(Watch { since, last: began });
    }
}

fn key(token: &Token) -> Key {
    (token.member_id, *token.hash())
}

impl Shard {
    fn get(&self, key: &Key) -> Option<&Entry> {
        self.young.get(key).or_else(|| self.old.get(key))
    }

    fn get_mut(&mut self, key: &Key) -> Option<&mut Entry> {
        self.young.get_mut(key).or_else(|| self.old.get_mut(key))
    }

    fn insert(&mut self, key: Key, entry: Entry) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, entry);
    }
}

#[cfg(test)]
mod tests {
    use capiz_rules::money::Currency;

    use super::*;
    use members::MemberKind;

    const DEVICE: [u8; 32] = [7; 32];

    fn session() -> Session {
        Session {
            merchant_id: Uuid::from_u128(1),
            kind: MemberKind::from_number(0),
            currency: Currency::Php,
            to_complete: false,
            must_change: false,
            started_at: DateTime::UNIX_EPOCH,
            seen_at: DateTime::UNIX_EPOCH,
            ends_at: DateTime::UNIX_EPOCH,
        }
    }

    fn keep(live: &LiveSessions, token: &Token) {
        live.keep(token, DEVICE, session(), &live.begin_reading(token));
    }

    #[test]
    fn a_session_is_found_by_member_token_and_device_together() {
        let live = LiveSessions::default();
        let token = Token::new(Uuid::from_u128(5));
        keep(&live, &token);
        assert!(live.find(&token, &DEVICE).is_some());
        assert!(live.find(&token, &[8; 32]).is_none());
        assert!(live.find(&token.of_member(Uuid::from_u128(6)), &DEVICE).is_none());
        live.forget(&token);
        assert!(live.find(&token, &DEVICE).is_none());
    }

    #[test]
    fn a_reading_from_before_a_log_out_is_not_kept() {
        let live = LiveSessions::default();
        let token = Token::new(Uuid::from_u128(5));
        let reading = live.begin_reading(&token);
        live.forget(&token);
        live.keep(&token, DEVICE, session(), &reading);
        assert!(live.find(&token, &DEVICE).is_none());
    }

    #[test]
    fn an_old_reading_is_not_believed() {
        let live = LiveSessions::default();
        let token = Token::new(Uuid::from_u128(5));
        let began = Instant::now().checked_sub(TTL).unwrap();
        live.keep(&token, DEVICE, session(), &Reading { began, forgotten: 0 });
        assert!(live.find(&token, &DEVICE).is_none());
    }

    #[test]
    fn a_watch_vouches_for_what_was_read_after_it_began_and_forgets_what_ended() {
        let live = LiveSessions::default();
        let (token, ended) = (Token::new(Uuid::from_u128(5)), Token::new(Uuid::from_u128(6)));
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        for token in [&token, &ended] {
            live.keep(token, DEVICE, session(), &Reading { began: ago(5), forgotten: 0 });
        }
        assert!(live.find(&token, &DEVICE).is_none(), "there is no watch");
        live.note_ended(Vec::new(), ago(3));
        live.note_ended(Vec::new(), Instant::now());
        assert!(live.find(&token, &DEVICE).is_none(), "it was read before the watch began");
        *live.watch.write().unwrap() = None;
        live.note_ended(Vec::new(), ago(6));
        live.note_ended(vec![key(&ended)], Instant::now());
        assert!(live.find(&token, &DEVICE).is_some());
        assert!(live.find(&ended, &DEVICE).is_none());
        *live.watch.write().unwrap() = Some(Watch { since: ago(60), last: ago(2) });
        assert!(live.find(&token, &DEVICE).is_none(), "the watch has stopped");
    }

    #[test]
    fn the_number_of_sessions_is_bounded_and_the_old_go_first() {
        let live = LiveSessions::default();
        let tokens: Vec<Token> =
            (0..60_000).map(|number| Token::new(Uuid::from_u128(number))).collect();
        tokens.iter().for_each(|token| keep(&live, token));
        let count = |shard: &Mutex<Shard>| {
            let shard = shard.lock().unwrap();
            shard.young.len() + shard.old.len()
        };
        let kept: usize = live.shards.iter().map(count).sum();
        assert!((SHARDS * GENERATION..=SHARDS * GENERATION * 2).contains(&kept), "{kept}");
        let shard = live.shard(&tokens[59_999]);
        assert!(shard.get(&key(&tokens[59_999])).is_some());
    }
}
