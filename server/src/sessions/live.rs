//! The live sessions that this node has read a moment ago, so that a busy player's requests
//! do not each ask the database.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::model::{Session, Token};

/// How long a reading is believed: a session that ends on another node is refused here at the
/// latest after this. Real time, because it bounds how old a reading is, not a session's life.
const BELIEVED: Duration = Duration::from_secs(1);

/// Requests of different sessions seldom wait for each other.
const SHARDS: usize = 16;

/// Sessions of one generation; all shards with two generations each keep 48,000 at most.
const GENERATION: usize = 1_500;

/// Sessions by their token, at most a second behind the database. Nothing is refused on its
/// word: what it does not know, the database is asked for.
#[derive(Default)]
pub struct LiveSessions {
    shards: [Mutex<Shard>; SHARDS],
}

/// When a reading of the database began. It is void if its token was forgotten meanwhile.
pub(super) struct Reading {
    began: Instant,
    forgotten: u64,
}

/// A token's secret is hashed without its member, so the member is part of the key.
type Key = (Uuid, [u8; 32]);

/// Two generations: the younger one is filled, the older one goes as a whole. That evicts the
/// old without looking at each.
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
        let number = usize::from(token.hash()[0]) % SHARDS;
        self.shards[number].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session of a token on its device, if it was read a moment ago. Whether its time is
    /// over is for the caller to see.
    pub(super) fn find(&self, token: &Token, device_hash: &[u8; 32]) -> Option<Session> {
        let shard = self.shard(token);
        let entry = shard.get(&key(token))?;
        let is_recent = entry.read_at.elapsed() < BELIEVED;
        (is_recent && entry.device_hash == *device_hash).then_some(entry.session)
    }

    /// To be called before the database is read.
    pub(super) fn begin_reading(&self, token: &Token) -> Reading {
        Reading { began: Instant::now(), forgotten: self.shard(token).forgotten }
    }

    /// Keeps what was read, unless a log-out came in between: the reading may be from before it.
    pub(super) fn keep(
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

    /// Notes a sign of life that was written to the database.
    pub(super) fn touch(&self, token: &Token, now: DateTime<Utc>) {
        if let Some(entry) = self.shard(token).get_mut(&key(token)) {
            entry.session.seen_at = entry.session.seen_at.max(now);
        }
    }

    /// Forgets a token, and voids every reading that is under way.
    pub(super) fn forget(&self, token: &Token) {
        let mut shard = self.shard(token);
        shard.forgotten += 1;
        shard.young.remove(&key(token));
        shard.old.remove(&key(token));
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
    use crate::members::MemberKind;

    const DEVICE: [u8; 32] = [7; 32];

    fn session() -> Session {
        Session {
            merchant_id: Uuid::from_u128(1),
            kind: MemberKind::from_number(0),
            currency: Currency::Php,
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
        let began = Instant::now().checked_sub(BELIEVED).unwrap();
        live.keep(&token, DEVICE, session(), &Reading { began, forgotten: 0 });
        assert!(live.find(&token, &DEVICE).is_none());
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
