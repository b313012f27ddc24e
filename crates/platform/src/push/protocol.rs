//! The frames of the push WebSocket protocol.

use std::collections::HashMap;

use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use super::events::BundleRow;

/// The kind of a topic, as named in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Channel {
    Site,
    Winners,
    Member,
    Office,
    Staff,
}

impl Channel {
    /// Parses the part of a topic key before the colon.
    pub fn of_key(key: &str) -> Option<Self> {
        match key.split_once(':')?.0 {
            "site" => Some(Self::Site),
            "winners" => Some(Self::Winners),
            "member" => Some(Self::Member),
            "office" => Some(Self::Office),
            "staff" => Some(Self::Staff),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Winners => "winners",
            Self::Member => "member",
            Self::Office => "office",
            Self::Staff => "staff",
        }
    }

    /// Whether the topic belongs to one person, so that its subscription ends with the session.
    pub fn is_personal(self) -> bool {
        matches!(self, Self::Member | Self::Staff)
    }
}

/// A frame from the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum ClientFrame {
    Hello {
        token: Option<String>,
        #[serde(default)]
        resume: Resume,
    },
    Auth {
        token: Option<String>,
    },
    Ping,
}

/// The last event number per topic that a reconnecting page has seen.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Resume {
    site: Option<i64>,
    winners: Option<i64>,
    member: Option<i64>,
    office: Option<i64>,
    staff: Option<i64>,
}

impl Resume {
    pub fn of(&self, channel: Channel) -> Option<i64> {
        match channel {
            Channel::Site => self.site,
            Channel::Winners => self.winners,
            Channel::Member => self.member,
            Channel::Office => self.office,
            Channel::Staff => self.staff,
        }
    }
}

/// A bundle: topic key to its unparsed list of events.
pub(super) type Bundle<'a> = HashMap<&'a str, &'a RawValue>;

/// Splits a bundle by topic without parsing the events.
pub(super) fn read_bundle(row: &BundleRow) -> Bundle<'_> {
    serde_json::from_str(&row.bundle).unwrap_or_else(|error| {
        tracing::error!(%error, seq = row.seq, "an event bundle cannot be parsed");
        Bundle::new()
    })
}

/// The events of one numbered row for one topic, serialized once for all sockets. They are one
/// frame, so that a page never has a part of a number.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub seq: i64,
    pub key: String,
    pub channel: Channel,
    pub frame: Utf8Bytes,
    /// Whether it contains `session_ended`, which may be about another session of the same person.
    pub ends_session: bool,
    /// The frame without `session_ended` events, if any others are left.
    without_session_ends: Option<Utf8Bytes>,
}

impl Event {
    /// Builds the frame from a JSON list of events. None for an unknown topic.
    pub fn new(seq: i64, key: &str, events: &str) -> Option<Self> {
        let channel = Channel::of_key(key)?;
        let others = channel.is_personal().then(|| without_session_ends(events)).flatten();
        Some(Self {
            seq,
            key: key.to_owned(),
            channel,
            frame: frame(seq, channel, events),
            ends_session: others.is_some(),
            without_session_ends: others
                .filter(|others| others != "[]")
                .map(|others| frame(seq, channel, &others)),
        })
    }

    /// The frame for a page whose own session is still valid.
    pub fn frame_while_live(&self) -> Option<Utf8Bytes> {
        if self.ends_session { self.without_session_ends.clone() } else { Some(self.frame.clone()) }
    }
}

fn frame(seq: i64, channel: Channel, events: &str) -> Utf8Bytes {
    format!(r#"{{"v":{seq},"topic":"{}","events":{events}}}"#, channel.name()).into()
}

const SESSION_ENDED: &str = "session_ended";

/// The list without `session_ended` events, or None if it contains none.
fn without_session_ends(events: &str) -> Option<String> {
    // Fast path: nearly all lists contain only a balance and need not be parsed.
    if !events.contains(SESSION_ENDED) {
        return None;
    }
    let all: Vec<&RawValue> = serde_json::from_str(events).ok()?;
    let others: Vec<&RawValue> =
        all.iter().copied().filter(|event| kind_of(event) != Some(SESSION_ENDED)).collect();
    (others.len() < all.len()).then(|| serde_json::to_string(&others).ok()).flatten()
}

fn kind_of(event: &RawValue) -> Option<&str> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(rename = "type")]
        kind: &'a str,
    }
    serde_json::from_str::<Kind<'_>>(event.get()).ok().map(|event| event.kind)
}

fn control(v: i64, event: serde_json::Value) -> Utf8Bytes {
    json!({ "v": v, "topic": "control", "event": event }).to_string().into()
}

pub(super) fn ready(v: i64, topics: &[(Channel, i64)], gaps: &[Channel]) -> Utf8Bytes {
    let topics: serde_json::Map<String, serde_json::Value> =
        topics.iter().map(|(channel, v)| (channel.name().to_owned(), json!(v))).collect();
    control(v, json!({ "type": "ready", "topics": topics, "gaps": gaps }))
}

pub(super) fn gap(v: i64, topics: &[Channel]) -> Utf8Bytes {
    control(v, json!({ "type": "gap", "topics": topics }))
}

pub(super) fn denied(v: i64, code: &str) -> Utf8Bytes {
    control(v, json!({ "type": "denied", "code": code }))
}

pub(super) fn pong(v: i64) -> Utf8Bytes {
    control(v, json!({ "type": "pong" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_frames_are_read_strictly() {
        let read = |text: &str| serde_json::from_str::<ClientFrame>(text);
        let hello = read(r#"{"type":"hello","token":null,"resume":{"site":5,"member":3}}"#);
        let Ok(ClientFrame::Hello { token: None, resume }) = hello else {
            panic!("{hello:?}");
        };
        assert_eq!(resume.of(Channel::Site), Some(5));
        assert_eq!(resume.of(Channel::Winners), None);
        assert!(matches!(read(r#"{"type":"hello"}"#), Ok(ClientFrame::Hello { token: None, .. })));
        assert!(matches!(read(r#"{"type":"ping"}"#), Ok(ClientFrame::Ping)));
        for bad in ["", "[]", "{}", r#"{"type":"bye"}"#, r#"{"type":"auth","token":7}"#] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    fn read(frame: &str) -> serde_json::Value {
        serde_json::from_str(frame).unwrap()
    }

    #[test]
    fn frames_have_the_agreed_shape() {
        let event = Event::new(7, "winners:x", r#"[{"type": "winner"}, {"type":"winner"}]"#);
        assert_eq!(
            read(&event.unwrap().frame),
            json!({"v": 7, "topic": "winners", "events": [{"type": "winner"}, {"type": "winner"}]})
        );
        assert_eq!(
            read(&ready(9, &[(Channel::Site, 4)], &[Channel::Winners])),
            json!({"v": 9, "topic": "control", "event":
                {"type": "ready", "topics": {"site": 4}, "gaps": ["winners"]}})
        );
    }

    #[test]
    fn the_end_of_a_session_can_be_left_out_of_a_frame() {
        let event = Event::new(7, "member:x", r#"[{"type":"session_ended"}]"#).unwrap();
        assert!(event.ends_session);
        assert_eq!(event.frame_while_live(), None);

        let both = r#"[{"type": "balance"}, {"type": "session_ended"}]"#;
        let event = Event::new(7, "member:x", both).unwrap();
        assert!(event.ends_session);
        assert_eq!(read(&event.frame)["events"].as_array().unwrap().len(), 2);
        let rest = event.frame_while_live().unwrap();
        assert_eq!(
            read(&rest),
            json!({"v": 7, "topic": "member", "events": [{"type": "balance"}]})
        );

        let event = Event::new(7, "staff:x", r#"[{"type":"session_ended"}]"#).unwrap();
        assert!(event.ends_session, "the office's people have sessions, too");

        let named = r#"[{"type": "message", "text": "session_ended"}]"#;
        let event = Event::new(7, "member:x", named).unwrap();
        assert!(!event.ends_session);
        assert_eq!(event.frame_while_live(), Some(event.frame.clone()));
    }

    #[test]
    fn unknown_topics_reach_nobody() {
        assert!(Event::new(1, "odds:1", "[{}]").is_none());
    }

    #[test]
    fn an_unreadable_bundle_is_empty() {
        for bundle in ["", "[]", r#"{"site:a":"#] {
            let row = BundleRow { seq: 1, bundle: bundle.to_owned() };
            assert!(read_bundle(&row).is_empty(), "{bundle}");
        }
    }
}
