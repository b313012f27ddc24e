//! Push for the back office: who a WebSocket belongs to, and the events for open pages.
//!
//! Events only make a page reload its data and carry nothing confidential: the reload is subject to
//! the person's rights.

use axum::http::HeaderMap;
use axum::http::request::Parts;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use sqlx::PgTransaction;
use uuid::Uuid;

use super::http::COOKIE;
use super::ops;
use crate::Staff;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};

/// Identifies a push socket by the session cookie that it was opened with. An open socket does not
/// count as activity: the session's idle timeout keeps running.
pub struct SocketIdentity {
    app: Staff,
    is_secure: bool,
}

impl SocketIdentity {
    /// The identity of the socket that a request opens.
    pub fn new(app: &Staff, request: &Parts) -> Self {
        Self { app: app.clone(), is_secure: app.is_secure(request) }
    }
}

impl push::Identify for SocketIdentity {
    fn identify<'a>(
        &'a self,
        _: Option<&'a str>,
        headers: &'a HeaderMap,
    ) -> BoxFuture<'a, Result<Option<push::Identity>, ApiError>> {
        Box::pin(async move {
            let Some(secret) = COOKIE.find(headers, self.is_secure) else { return Ok(None) };
            let live = ops::find_live_session(&self.app, &secret).await?;
            Ok(live.map(|(person, expires_at)| push::Identity {
                topic: Topic::Staff(person.id),
                expires_at,
                includes_shared: !person.must_change,
            }))
        })
    }

    fn wait_until(&self, moment: DateTime<Utc>) -> BoxFuture<'_, ()> {
        Box::pin(self.app.clock.wait_until(moment))
    }
}

/// Records the event that one of a person's sessions has ended. Each open page checks whether it
/// was its own.
pub(super) async fn push_session_ended(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    person_id: Uuid,
) -> Result<(), sqlx::Error> {
    record(app, tx, Topic::Staff(person_id), json!({ "type": "session_ended" })).await
}

/// Records the event that makes open pages reload their rights: those of one person, or of all
/// staff.
pub(super) async fn push_rights_changed(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    person_id: Option<Uuid>,
) -> Result<(), sqlx::Error> {
    let topic = person_id.map_or(Topic::Office, Topic::Staff);
    record(app, tx, topic, json!({ "type": "rights" })).await
}

/// Records the event that the state of an approval request has changed.
pub(super) async fn push_approval(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    (id, kind, state): (Uuid, &str, &str),
) -> Result<(), sqlx::Error> {
    let event = json!({ "type": "approval", "id": id, "kind": kind, "state": state });
    record(app, tx, Topic::Office, event).await
}

async fn record(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    topic: Topic,
    event: Value,
) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    push::record(tx, new_id(now), &topic.key(), &event, now).await
}
