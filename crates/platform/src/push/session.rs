//! The state of one socket: its identity, its subscriptions, and the last event sent per topic.

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

/// Which application a socket belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SocketKind {
    /// A merchant's site: everyone gets the topics `site` and `winners`, and a session token adds
    /// the member's own topic.
    Site(Uuid),
    /// The office: only for staff with a valid session cookie.
    Office,
}

impl SocketKind {
    /// The topics shared by all sockets of this application.
    fn shared(self) -> Vec<Topic> {
        match self {
            Self::Site(merchant_id) => vec![Topic::Site(merchant_id), Topic::Winners(merchant_id)],
            Self::Office => vec![Topic::Office],
        }
    }

    /// Whether anonymous sockets are allowed.
    fn is_open(self) -> bool {
        matches!(self, Self::Site(_))
    }
}

/// The authenticated owner of a socket.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// The personal topic.
    pub topic: Topic,
    /// When the session expires unless it is extended.
    pub expires_at: DateTime<Utc>,
    /// Whether they also get the shared topics. Anonymous sockets of a site always get those.
    pub includes_shared: bool,
}

/// Authenticates a socket. The headers are those of the upgrade request: a member's session token
/// is only valid together with the device cookie, and staff have a session cookie and no token.
pub trait Identify: Send + Sync {
    /// The owner of the session, or None if it is missing, expired or ended.
    fn identify<'a>(
        &'a self,
        token: Option<&'a str>,
        headers: &'a HeaderMap,
    ) -> BoxFuture<'a, Result<Option<Identity>, ApiError>>;

    /// Waits until the injected clock reaches `moment`.
    fn wait_until(&self, moment: DateTime<Utc>) -> BoxFuture<'_, ()>;
}

/// The state of one socket, without its transport.
pub(super) struct Session {
    hub: Arc<Hub>,
    identify: Arc<dyn Identify>,
    headers: HeaderMap,
    kind: SocketKind,
    mailbox: Arc<Mailbox>,
    /// The subscribed topics, with the last event number sent of each.
    topics: BTreeMap<Channel, Subscription>,
    /// The session token behind the personal topic.
    token: Option<String>,
    /// When to check the session again.
    expires_at: Option<DateTime<Utc>>,
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
    pub fn new(
        hub: Arc<Hub>,
        identify: Arc<dyn Identify>,
        headers: HeaderMap,
        kind: SocketKind,
    ) -> Self {
        let mailbox = hub.mailbox();
        let topics = BTreeMap::new();
        Self { hub, identify, headers, kind, mailbox, topics, token: None, expires_at: None }
    }

    pub fn mailbox(&self) -> Arc<Mailbox> {
        Arc::clone(&self.mailbox)
    }

    /// Whether the socket is authenticated.
    pub fn is_authenticated(&self) -> bool {
        self.personal().is_some()
    }

    /// Whether the socket needs authentication and has none.
    pub fn is_denied(&self) -> bool {
        !self.kind.is_open() && !self.is_authenticated()
    }

    /// The subscription of the personal topic.
    fn personal(&self) -> Option<&Subscription> {
        self.topics.iter().find(|(channel, _)| channel.is_personal()).map(|(_, topic)| topic)
    }

    /// Handles the first frame (`hello`): authenticates, subscribes, and replays missed events.
    pub async fn hello(
        &mut self,
        token: Option<String>,
        resume: Resume,
    ) -> Result<Vec<Utf8Bytes>, ApiError> {
        self.hub.start().await?;
        let identity = self.identity_of(token.as_deref()).await?;
        if identity.is_none() && !self.kind.is_open() {
            return Ok(vec![self.denied()]);
        }
        let includes_shared = identity.is_none_or(|identity| identity.includes_shared);
        let mut topics = if includes_shared { self.kind.shared() } else { Vec::new() };
        topics.extend(identity.map(|identity| identity.topic));
        let (mut gaps, mut replay) = (Vec::new(), Vec::new());
        for topic in topics {
            let joined = self.join(topic, resume.of(topic.channel())).await?;
            gaps.extend(joined.gap.then_some(topic.channel()));
            replay.extend(joined.replay);
        }
        let mut frames = vec![self.ready(&gaps)];
        let is_refused = token.is_some() && identity.is_none();
        self.token = token.filter(|_| identity.is_some());
        self.expires_at = identity.map(|identity| identity.expires_at);
        frames.extend(self.replay_frames(&replay).await?);
        frames.extend(is_refused.then(|| self.denied()));
        Ok(frames)
    }

    /// The frames of a replay. The page's own session was valid a moment ago, so a `session_ended`
    /// among them is most likely about another session. It is left out, and the session is checked
    /// again.
    async fn replay_frames(&mut self, replay: &[Event]) -> Result<Vec<Utf8Bytes>, ApiError> {
        let events: Vec<&Event> = replay.iter().filter(|event| self.accept(event)).collect();
        let mut frames: Vec<Utf8Bytes> =
            events.iter().filter_map(|event| event.frame_while_live()).collect();
        if events.iter().any(|event| event.ends_session) {
            frames.extend(self.recheck().await?);
        }
        Ok(frames)
    }

    /// Binds the socket to another member, or makes it anonymous.
    pub async fn authenticate(
        &mut self,
        token: Option<String>,
    ) -> Result<Vec<Utf8Bytes>, ApiError> {
        let identity = self.identity_of(token.as_deref()).await?;
        let Some(identity) = identity else {
            self.leave_private();
            let is_refused = token.is_some() || !self.kind.is_open();
            return Ok(vec![if is_refused { self.denied() } else { self.ready(&[]) }]);
        };
        let bound = self.personal().map(|subscription| &subscription.key);
        if bound != Some(&identity.topic.key()) {
            self.leave_private();
            self.join(identity.topic, None).await?;
        }
        self.token = token;
        self.expires_at = Some(identity.expires_at);
        Ok(vec![self.ready(&[])])
    }

    /// Whether the session behind the personal topic has ended.
    pub async fn has_session_ended(&mut self) -> Result<bool, ApiError> {
        let Some(bound) = self.personal() else { return Ok(false) };
        let identity = self.identity_of(self.token.as_deref()).await?;
        let current = identity.filter(|identity| identity.topic.key() == bound.key);
        self.expires_at = current.map(|identity| identity.expires_at);
        if current.is_some_and(|identity| identity.includes_shared) {
            self.join_shared().await?;
        }
        Ok(current.is_none())
    }

    /// Subscribes to those shared topics that the socket does not have yet.
    async fn join_shared(&mut self) -> Result<(), ApiError> {
        for topic in self.kind.shared() {
            if !self.topics.contains_key(&topic.channel()) {
                self.join(topic, None).await?;
            }
        }
        Ok(())
    }

    /// Waits until the session may have expired; for ever if there is none.
    pub fn expiry(&self) -> impl Future<Output = ()> + Send + 'static {
        let (identify, expires_at) = (Arc::clone(&self.identify), self.expires_at);
        async move {
            match expires_at {
                Some(moment) => identify.wait_until(moment).await,
                None => std::future::pending().await,
            }
        }
    }

    /// Clears the expiry time, until the next check sets it again.
    pub fn clear_expiry(&mut self) {
        self.expires_at = None;
    }

    /// Checks the session again. If it has ended, unsubscribes and returns the frame `denied`.
    pub async fn recheck(&mut self) -> Result<Option<Utf8Bytes>, ApiError> {
        if !self.has_session_ended().await? {
            return Ok(None);
        }
        self.leave_private();
        Ok(Some(self.denied()))
    }

    /// The frame for an item of the mailbox, if the socket is still subscribed to its topic.
    pub fn frame_for(&mut self, next: &Next) -> Option<Utf8Bytes> {
        match next {
            Next::Event(event) => self.accept(event).then(|| event.frame.clone()),
            Next::Gap(channels, upto) => {
                let missed: Vec<Channel> = channels
                    .iter()
                    .copied()
                    .filter(|channel| self.topics.contains_key(channel))
                    .collect();
                // Events older than the gap are not sent any more.
                for channel in &missed {
                    if let Some(topic) = self.topics.get_mut(channel) {
                        topic.seen = topic.seen.max(*upto);
                    }
                }
                (!missed.is_empty()).then(|| protocol::gap(*upto, &missed))
            }
        }
    }

    /// Whether an event must be sent. If so, it is marked as sent.
    fn accept(&mut self, event: &Event) -> bool {
        let Some(subscription) = self.topics.get_mut(&event.channel) else { return false };
        // It may be queued for the previous owner of the socket, or already replayed.
        if subscription.key != event.key || event.seq <= subscription.seen {
            return false;
        }
        subscription.seen = event.seq;
        true
    }

    pub fn pong(&self) -> Utf8Bytes {
        protocol::pong(self.version())
    }

    async fn identity_of(&self, token: Option<&str>) -> Result<Option<Identity>, ApiError> {
        let identity = self.identify.identify(token, &self.headers);
        tokio::time::timeout(IDENTIFY_TIME, identity).await.map_err(ApiError::unavailable)?
    }

    /// Subscribes before the replay, so that events published meanwhile wait in the mailbox.
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

    /// Unsubscribes from everything that needs authentication.
    fn leave_private(&mut self) {
        (self.token, self.expires_at) = (None, None);
        let kind = self.kind;
        self.topics.retain(|channel, topic| {
            let stays = kind.is_open() && !channel.is_personal();
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
