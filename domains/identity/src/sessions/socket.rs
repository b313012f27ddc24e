//! Authenticates push sockets by session, and watches which sessions end on other nodes.

use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::request::Parts;
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::device::Device;
use super::model::Token;
use super::ops::find_live;
use super::store;
use crate::Identity;
use platform::error::ApiError;
use platform::push::{self, Topic};
use platform::shutdown::Shutdown;

/// Finds the member of a push socket by its session token. An open socket does not extend the
/// session: the idle timeout continues.
pub struct SocketIdentity {
    app: Identity,
    merchant_id: Uuid,
    is_secure: bool,
}

impl SocketIdentity {
    /// For a socket opened by this request on a merchant's site.
    pub fn new(app: &Identity, merchant_id: Uuid, request: &Parts) -> Self {
        Self { app: app.clone(), merchant_id, is_secure: app.is_secure(request) }
    }
}

impl push::Identify for SocketIdentity {
    fn identify<'a>(
        &'a self,
        token: Option<&'a str>,
        headers: &'a HeaderMap,
    ) -> BoxFuture<'a, Result<Option<push::Identity>, ApiError>> {
        Box::pin(async move {
            let Some(token) = token.and_then(Token::parse) else { return Ok(None) };
            let device = Device::of(headers, self.is_secure);
            let session = find_live(&self.app, &token, &device, self.merchant_id).await?;
            Ok(session.map(|session| push::Identity {
                topic: Topic::Member(token.member_id),
                expires_at: session.expires_at(),
                includes_shared: true,
            }))
        })
    }

    fn wait_until(&self, moment: DateTime<Utc>) -> BoxFuture<'_, ()> {
        Box::pin(self.app.clock.wait_until(moment))
    }
}

/// How often a node queries which sessions have ended.
const WATCH_EVERY: Duration = Duration::from_millis(250);
/// The timeout of the query.
const WATCH_TIMEOUT: Duration = Duration::from_secs(5);
/// How far back it looks: clocks of nodes may differ by less than this.
const WATCH_BACK: chrono::Duration = chrono::Duration::seconds(30);
/// With this many ended sessions the result may be incomplete, and the watch starts anew.
const WATCH_LIMIT: i64 = 10_000;

/// Watches which sessions end on any node, so that this node can cache sessions for longer than a
/// second.
pub async fn watch(app: &Identity, shutdown: Shutdown) {
    while !shutdown.is_begun() {
        let began = Instant::now();
        let since = app.clock.now() - WATCH_BACK;
        // If the query fails, cached sessions are used for a second at most.
        let query = store::list_ended(&app.db, since, WATCH_LIMIT);
        if let Ok(Ok(ended)) = tokio::time::timeout(WATCH_TIMEOUT, query).await
            && i64::try_from(ended.len()).is_ok_and(|count| count < WATCH_LIMIT)
        {
            app.live_sessions.note_ended(ended, began);
        }
        tokio::select! {
            () = tokio::time::sleep(WATCH_EVERY) => {}
            () = shutdown.begun() => {}
        }
    }
}
