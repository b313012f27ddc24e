//! The frames of the push socket.

use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::events::EventRow;

/// The topics by their names on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Channel {
    Site,
    Winners,
    Member,
}

impl Channel {
    /// Reads the part of a topic's key before the colon.
    pub fn of_key(key: &str) -> Option<Self> {
        match key.split_once(':')?.0 {
            "site" => Some(Self::Site),
            "winners" => Some(Self::Winners),
            "member" => Some(Self::Member),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Winners => "winners",
            Self::Member => "member",
        }
    }
}

/// What a page sends.
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

/// The last versions that a returning page has seen.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Resume {
    site: Option<i64>,
    winners: Option<i64>,
    member: Option<i64>,
}

impl Resume {
    pub fn of(&self, channel: Channel) -> Option<i64> {
        match channel {
            Channel::Site => self.site,
            Channel::Winners => self.winners,
            Channel::Member => self.member,
        }
    }
}

/// A numbered event, put into its frame once for all sockets.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub seq: i64,
    pub key: String,
    pub channel: Channel,
    pub ends_session: bool,
    pub frame: Utf8Bytes,
}

impl Event {
    /// None for a topic that no socket can have.
    pub fn from_row(row: EventRow) -> Option<Self> {
        let channel = Channel::of_key(&row.topic)?;
        let frame =
            format!(r#"{{"v":{},"topic":"{}","event":{}}}"#, row.seq, channel.name(), row.event);
        Some(Self {
            seq: row.seq,
            key: row.topic,
            channel,
            ends_session: channel == Channel::Member && row.kind == "session_ended",
            frame: frame.into(),
        })
    }
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

    #[test]
    fn frames_have_the_agreed_shape() {
        let row = EventRow {
            seq: 7,
            topic: "member:x".to_owned(),
            event: r#"{"type": "session_ended"}"#.to_owned(),
            kind: "session_ended".to_owned(),
        };
        let event = Event::from_row(row).unwrap();
        assert!(event.ends_session);
        let frame: serde_json::Value = serde_json::from_str(&event.frame).unwrap();
        assert_eq!(frame, json!({"v": 7, "topic": "member", "event": {"type": "session_ended"}}));
        let ready: serde_json::Value =
            serde_json::from_str(&ready(9, &[(Channel::Site, 4)], &[Channel::Winners])).unwrap();
        assert_eq!(
            ready,
            json!({"v": 9, "topic": "control", "event":
                {"type": "ready", "topics": {"site": 4}, "gaps": ["winners"]}})
        );
    }

    #[test]
    fn unknown_topics_reach_nobody() {
        let row = EventRow {
            seq: 1,
            topic: "odds:1".to_owned(),
            event: "{}".to_owned(),
            kind: String::new(),
        };
        assert!(Event::from_row(row).is_none());
    }
}
