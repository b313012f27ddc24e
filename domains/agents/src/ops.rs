//! Affiliate applications: applying and deciding.

use std::time::Duration;

use serde_json::json;
use sqlx::PgTransaction;
use uuid::Uuid;

use super::model::{NewApplication, Status, check_answer};
use super::store;
use crate::Agents;
use crate::codes;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};
use platform::rate_limit::RateLimit;
use staff::{Actor, AuditEntry};

/// Rate limit by address; a household may share one.
const BY_ADDRESS: RateLimit = RateLimit {
    name: "agents.apply.address",
    limit: 10,
    window: Duration::from_secs(24 * 60 * 60),
};

/// Stores an application and sends a push event to the office. `address` is the client's rate-limit
/// key; none to skip the rate limit.
pub async fn apply(
    app: &Agents,
    application: NewApplication,
    address: Option<String>,
) -> Result<Uuid, ApiError> {
    let application = application.checked()?;
    app.run(move |app| async move {
        let now = app.clock.now();
        let id = new_id(now);
        let mut tx = app.db.begin().await?;
        if let Some(address) = address {
            app.rate_limits.take(&mut tx, &BY_ADDRESS, &address, now).await?;
        }
        if !store::insert(&mut tx, id, &application, now).await? {
            return Err(ApiError::new(codes::WAITING));
        }
        finish(&app, tx, application.asked_by).await?;
        Ok(id)
    })
    .await
}

/// A decision of the office.
pub(super) struct Decision {
    pub(super) accepted: bool,
    /// The answer to the applicant.
    pub(super) answer: String,
}

/// Decides an application, once, and adds the audit entry.
pub(super) async fn decide(
    app: &Agents,
    actor: Actor,
    id: Uuid,
    decision: Decision,
) -> Result<(), ApiError> {
    let answer = check_answer(&decision.answer)?;
    let status = if decision.accepted { Status::Accepted } else { Status::Refused };
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let found = store::lock(&mut tx, id).await?;
        let (asked_by, before) = found.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
        if before != Status::Open.text() {
            return Err(ApiError::new(codes::DECIDED));
        }
        let now = app.clock.now();
        store::update_decided(&mut tx, id, (status, &answer), actor.name(), now).await?;
        let entry = AuditEntry {
            action: "agents.decide",
            subject: format!("application:{id}"),
            before: Some(json!({ "status": before })),
            after: Some(json!({ "status": status.text() })),
            reason: None,
        };
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        finish(&app, tx, asked_by).await
    })
    .await
}

/// The end of every use case here: records a push event that makes open pages of the office and the
/// member reload, and commits.
async fn finish(
    app: &Agents,
    mut tx: PgTransaction<'static>,
    member_id: Option<Uuid>,
) -> Result<(), ApiError> {
    let event = json!({ "type": "affiliate" });
    let member = member_id.map(|id| (Topic::Member(id), event.clone()));
    let events: Vec<_> = [(Topic::Office, event)].into_iter().chain(member).collect();
    push::record_all(&mut tx, &events, app.clock.now()).await?;
    db::commit(tx).await?;
    app.push.wake();
    Ok(())
}
