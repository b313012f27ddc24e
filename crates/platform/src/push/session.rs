//! What one socket listens to, as whom, and what it has been told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use axum::http::HeaderMap;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::events::Topic;
use super::hub::{Hub, Mailbox, Next};
use super::protocol::{self, Channel, Event, Resume};
use crate::codes;
use crate::error::ApiError;

const IDENTIFY_TIME: Duration = Duration::from_secs(5);

/// Whose pages a socket serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// A merchant's site: everybody hears of the site and its winners, and a token adds what is
    /// the member's own.
    Site(Uuid),
    /// The office: nobody hears anything but those whom their cookie lets in.
    Office,
}

impl Door {
    /// What everybody hears who came through the door.
    fn shared(self) -> Vec<Topic> {
        match self {
            Self::Site(merchant_id) => vec![Topic::Site(merchant_id), Topic::Winners(merchant_id)],
            Self::Office => vec![Topic::Office],
        }
    }

    /// Whether also those come through whom nobody knows.
    fn is_open(self) -> bool {
        matches!(self, Self::Site(_))
    }
}

/// Who is behind a socket.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// What is theirs alone.
    pub topic: Topic,
    /// When their session ends if nothing prolongs it.
    pub good_until: DateTime<Utc>,
    /// Whether they hear what everybody hears who came through the door; those do in any case whom
    /// nobody knows.
    pub hears_all: bool,
}

/// Tells who is behind a socket. The headers are those of the request that opened it: a member's
/// token is only good together with the device cookie among them, and people of the office have a
/// cookie and no token.
pub trait Identify: Send + Sync {
    /// Who it is, or None when their session is not, or no longer, good.
    fn identify<'a>(
        &'a self,
        token: Option<&'a str>,
        headers: &'a HeaderMap,
    ) -> BoxFuture<'a, Result<Option<Identity>, ApiError>>;

    /// Waits until it is this late by the clock that tokens end by.
    fn wait_until(&self, moment: DateTime<Utc>) -> BoxFuture<'_, ()>;
}

/// One socket's conversation, without its wire.
pub(super) struct Session {
    hub: Arc<Hub>,
    identify: Arc<dyn Identify>,
    headers: HeaderMap,
    door: Door,
    mailbox: Arc<Mailbox>,
    /// The topics that it is subscribed to, and the last version told of each.
    topics: BTreeMap<Channel, Subscription>,
    /// The token behind the topic of their own.
    token: Option<String>,
    /// When it is to be asked whether their session is still good.
    good_until: Option<DateTime<Utc>>,
}

struct Subscription {
    key: String,
    seen: i64,
}

struct Joined {
    gap: bool,
    replay: Vec<Event>,
}

impl Session {
    pub fn new(hub: Arc<Hub>, identify: Arc<dyn Identify>, headers: HeaderMap, door: Door) -> Self {
        let mailbox = hub.mailbox();
        let topics = BTreeMap::new();
        Self { hub, identify, headers, door, mailbox, topics, token: None, good_until: None }
    }

    pub fn mailbox(&self) -> Arc<Mailbox> {
        Arc::clone(&self.mailbox)
    }

    /// Whether it is known who is behind it.
    pub fn is_known(&self) -> bool {
        self.own().is_some()
    }

    /// Whether the door is closed to whoever is behind it.
    pub fn is_shut_out(&self) -> bool {
        !self.door.is_open() && !self.is_known()
    }

    /// The topic of their own.
    fn own(&self) -> Option<&Subscription> {
        self.topics.iter().find(|(channel, _)| channel.is_personal()).map(|(_, topic)| topic)
    }

    /// Answers the first frame.
    pub async fn hello(
        &mut self,
        token: Option<String>,
        resume: Resume,
    ) -> Result<Vec<Utf8Bytes>, ApiError> {
        self.hub.start().await?;
        let known = self.whose(token.as_deref()).await?;
        if known.is_none() && !self.door.is_open() {
            return Ok(vec![self.denied()]);
        }
        let hears_all = known.is_none_or(|known| known.hears_all);
        let mut wanted = if hears_all { self.door.shared() } else { Vec::new() };
        wanted.extend(known.map(|known| known.topic));
        let (mut gaps, mut replay) = (Vec::new(), Vec::new());
        for topic in wanted {
            let joined = self.join(topic, resume.of(topic.channel())).await?;
            gaps.extend(joined.gap.then_some(topic.channel()));
            replay.extend(joined.replay);
        }
        let mut frames = vec![self.ready(&gaps)];
        let is_refused = token.is_some() && known.is_none();
        self.token = token.filter(|_| known.is_some());
        self.good_until = known.map(|known| known.good_until);
        frames.extend(self.tell_missed(&replay).await?);
        frames.extend(is_refused.then(|| self.denied()));
        Ok(frames)
    }

    /// The frames of a replay. The page's own session was good a moment ago, so an end among
    /// them is most likely another session's; whether it is, is asked.
    async fn tell_missed(&mut self, replay: &[Event]) -> Result<Vec<Utf8Bytes>, ApiError> {
        let told: Vec<&Event> = replay.iter().filter(|event| self.accept(event)).collect();
        let mut frames: Vec<Utf8Bytes> =
            told.iter().filter_map(|event| event.frame_while_live()).collect();
        if told.iter().any(|event| event.ends_session) {
            frames.extend(self.recheck().await?);
        }
        Ok(frames)
    }

    /// Binds the socket to another member, or to none.
    pub async fn authenticate(
        &mut self,
        token: Option<String>,
    ) -> Result<Vec<Utf8Bytes>, ApiError> {
        let known = self.whose(token.as_deref()).await?;
        let Some(known) = known else {
            self.leave();
            let is_refused = token.is_some() || !self.door.is_open();
            return Ok(vec![if is_refused { self.denied() } else { self.ready(&[]) }]);
        };
        let bound = self.own().map(|subscription| &subscription.key);
        if bound != Some(&known.topic.key()) {
            self.leave();
            self.join(known.topic, None).await?;
        }
        self.token = token;
        self.good_until = Some(known.good_until);
        Ok(vec![self.ready(&[])])
    }

    /// Whether the session behind the topic of their own is no longer good for it.
    pub async fn is_over(&mut self) -> Result<bool, ApiError> {
        let Some(bound) = self.own() else { return Ok(false) };
        let known = self.whose(self.token.as_deref()).await?;
        let still = known.filter(|known| known.topic.key() == bound.key);
        self.good_until = still.map(|known| known.good_until);
        if still.is_some_and(|known| known.hears_all) {
            self.join_shared().await?;
        }
        Ok(still.is_none())
    }

    /// Lets somebody hear what everybody hears who did not at the beginning.
    async fn join_shared(&mut self) -> Result<(), ApiError> {
        for topic in self.door.shared() {
            if !self.topics.contains_key(&topic.channel()) {
                self.join(topic, None).await?;
            }
        }
        Ok(())
    }

    /// Waits for the end of the token, as far as it is known; for ever where there is none. It is
    /// known again once somebody has looked.
    pub fn lapse(&self) -> impl Future<Output = ()> + Send + 'static {
        let (identify, good_until) = (Arc::clone(&self.identify), self.good_until);
        async move {
            match good_until {
                Some(moment) => identify.wait_until(moment).await,
                None => std::future::pending().await,
            }
        }
    }

    /// Forgets when the token ends, until somebody has looked.
    pub fn note_lapse(&mut self) {
        self.good_until = None;
    }

    /// Asks again whether the token is still good; says so if it is not.
    pub async fn recheck(&mut self) -> Result<Option<Utf8Bytes>, ApiError> {
        if !self.is_over().await? {
            return Ok(None);
        }
        self.leave();
        Ok(Some(self.denied()))
    }

    /// The frame for what came out of the mailbox, if it still concerns this socket.
    pub fn tell_next(&mut self, next: &Next) -> Option<Utf8Bytes> {
        match next {
            Next::Event(event) => self.accept(event).then(|| event.frame.clone()),
            Next::Gap(channels, upto) => {
                let missed: Vec<Channel> = channels
                    .iter()
                    .copied()
                    .filter(|channel| self.topics.contains_key(channel))
                    .collect();
                // What is older than the gap is not told any more.
                for channel in &missed {
                    if let Some(topic) = self.topics.get_mut(channel) {
                        topic.seen = topic.seen.max(*upto);
                    }
                }
                (!missed.is_empty()).then(|| protocol::gap(*upto, &missed))
            }
        }
    }

    /// Whether an event is still to be told; it counts as told then.
    fn accept(&mut self, event: &Event) -> bool {
        let Some(subscription) = self.topics.get_mut(&event.channel) else { return false };
        // It may have waited while the socket changed its owner, or have been replayed.
        if subscription.key != event.key || event.seq <= subscription.seen {
            return false;
        }
        subscription.seen = event.seq;
        true
    }

    pub fn pong(&self) -> Utf8Bytes {
        protocol::pong(self.version())
    }

    async fn whose(&self, token: Option<&str>) -> Result<Option<Identity>, ApiError> {
        let asked = self.identify.identify(token, &self.headers);
        tokio::time::timeout(IDENTIFY_TIME, asked).await.map_err(ApiError::unavailable)?
    }

    /// Subscribes first and replays then: what comes meanwhile waits in the mailbox.
    async fn join(&mut self, topic: Topic, resume: Option<i64>) -> Result<Joined, ApiError> {
        let (channel, key) = (topic.channel(), topic.key());
        let position = self.hub.subscribe(&key, &self.mailbox);
        self.topics.insert(channel, Subscription { key: key.clone(), seen: position });
        let Some(after) = resume.filter(|after| *after != position) else {
            return Ok(Joined { gap: false, replay: Vec::new() });
        };
        let Some(replay) = self.hub.replay(&key, after, position).await? else {
            return Ok(Joined { gap: true, replay: Vec::new() });
        };
        self.topics.insert(channel, Subscription { key, seen: after });
        Ok(Joined { gap: false, replay })
    }

    /// Leaves what is only for those who are known.
    fn leave(&mut self) {
        (self.token, self.good_until) = (None, None);
        let door = self.door;
        self.topics.retain(|channel, topic| {
            let stays = door.is_open() && !channel.is_personal();
            if !stays {
                self.hub.unsubscribe(&topic.key, &self.mailbox);
            }
            stays
        });
    }

    fn ready(&self, gaps: &[Channel]) -> Utf8Bytes {
        let topics: Vec<(Channel, i64)> =
            self.topics.iter().map(|(channel, topic)| (*channel, topic.seen)).collect();
        protocol::ready(self.version(), &topics, gaps)
    }

    fn denied(&self) -> Utf8Bytes {
        protocol::denied(self.version(), codes::SESSION_REQUIRED.text())
    }

    fn version(&self) -> i64 {
        self.hub.position()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        for topic in self.topics.values() {
            self.hub.unsubscribe(&topic.key, &self.mailbox);
        }
    }
}
