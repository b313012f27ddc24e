//! The office's push: who is behind a socket, and what open pages are told.
//!
//! What is told carries no more than what makes a page load again: what one sees then is what
//! one's rights allow.

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

/// Tells the push socket whose cookie it was opened with. An open page alone is no sign of life:
/// the session's idle time runs on.
pub struct SocketIdentity {
    app: Staff,
    is_secure: bool,
}

impl SocketIdentity {
    /// For a socket that was opened by this request.
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
            let live = ops::find_live(&self.app, &secret).await?;
            Ok(live.map(|(person, good_until)| push::Identity {
                topic: Topic::Staff(person.id),
                good_until,
                hears_all: !person.must_change,
            }))
        })
    }

    fn wait_until(&self, moment: DateTime<Utc>) -> BoxFuture<'_, ()> {
        Box::pin(self.app.clock.wait_until(moment))
    }
}

/// Tells a person's open pages that one of their sessions has ended; each looks whether it is its
/// own.
pub(super) async fn tell_end(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    person_id: Uuid,
) -> Result<(), sqlx::Error> {
    tell(app, tx, Topic::Staff(person_id), json!({ "type": "session_ended" })).await
}

/// Tells open pages to look again what their person may do: one person's, or everybody's.
pub(super) async fn tell_rights(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    person_id: Option<Uuid>,
) -> Result<(), sqlx::Error> {
    let topic = person_id.map_or(Topic::Office, Topic::Staff);
    tell(app, tx, topic, json!({ "type": "rights" })).await
}

/// Tells the office what became of a request for approval.
pub(super) async fn tell_approval(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    (id, kind, state): (Uuid, &str, &str),
) -> Result<(), sqlx::Error> {
    let event = json!({ "type": "approval", "id": id, "kind": kind, "state": state });
    tell(app, tx, Topic::Office, event).await
}

async fn tell(
    app: &Staff,
    tx: &mut PgTransaction<'_>,
    topic: Topic,
    event: Value,
) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    push::record(tx, new_id(now), &topic.key(), &event, now).await
}
