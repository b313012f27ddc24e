//! Feedback: sending, answering and closing.

use std::time::Duration;

use serde_json::json;
use sqlx::PgTransaction;
use uuid::Uuid;

use super::model::{NewFeedback, Status, check_answer};
use super::store::{self, Locked};
use super::texts;
use crate::Support;
use crate::codes;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::language::Language;
use platform::outbox::{Channel, Message};
use platform::push::{self, Topic};
use platform::rate_limit::RateLimit;
use staff::{Actor, AuditEntry};

/// Rate limit by address; a household may share one.
const BY_ADDRESS: RateLimit =
    RateLimit { name: "inbox.feedback.address", limit: 20, window: Duration::from_secs(60 * 60) };
/// Rate limit by member.
const BY_MEMBER: RateLimit =
    RateLimit { name: "inbox.feedback.member", limit: 10, window: Duration::from_secs(60 * 60) };

/// Stores feedback and sends a push event to the office. `address` is the client's rate-limit key;
/// none to skip that rate limit.
pub async fn write(
    app: &Support,
    feedback: NewFeedback,
    address: Option<String>,
) -> Result<Uuid, ApiError> {
    let feedback = feedback.checked()?;
    app.run(move |app| async move {
        let now = app.clock.now();
        let id = new_id(now);
        let mut tx = app.db.begin().await?;
        if let Some(address) = address {
            app.rate_limits.take(&mut tx, &BY_ADDRESS, &address, now).await?;
        }
        if let Some(member) = feedback.written_by {
            app.rate_limits.take(&mut tx, &BY_MEMBER, &member.to_string(), now).await?;
        }
        store::insert(&mut tx, id, &feedback, now).await?;
        finish(&app, tx, feedback.written_by).await?;
        Ok(id)
    })
    .await
}

/// Answers feedback, once, and adds the audit entry. A member finds the answer on the feedback
/// page, and gets it by e-mail if an address is verified.
pub async fn answer(app: &Support, actor: Actor, id: Uuid, answer: String) -> Result<(), ApiError> {
    let answer = check_answer(&answer)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let found = lock(&mut tx, id).await?;
        if found.status != Status::Open.text() {
            return Err(ApiError::new(codes::DONE));
        }
        let now = app.clock.now();
        store::update_answered(&mut tx, id, (&answer, actor.name()), now).await?;
        // The audit log is never deleted, so it does not contain the texts of feedback and answer.
        let entry = status_entry("inbox.answer", id, (&found.status, Status::Answered), None);
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        mail_answer(&app, &mut tx, &found, &answer).await?;
        finish(&app, tx, found.written_by).await
    })
    .await
}

/// Closes feedback that needs no answer or no further answer.
pub(super) async fn close(
    app: &Support,
    actor: Actor,
    id: Uuid,
    reason: String,
) -> Result<(), ApiError> {
    staff::check_reason(&reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let found = lock(&mut tx, id).await?;
        if found.status == Status::Closed.text() {
            return Err(ApiError::new(codes::DONE));
        }
        store::update_closed(&mut tx, id).await?;
        let change = (found.status.as_str(), Status::Closed);
        let entry = status_entry("inbox.close", id, change, Some(reason.trim()));
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        finish(&app, tx, found.written_by).await
    })
    .await
}

async fn lock(tx: &mut PgTransaction<'_>, id: Uuid) -> Result<Locked, ApiError> {
    let found = store::lock(tx, id).await?;
    found.ok_or_else(|| ApiError::new(codes::UNKNOWN))
}

/// The audit entry for a change of status.
fn status_entry<'a>(
    action: &'static str,
    id: Uuid,
    (before, after): (&str, Status),
    reason: Option<&'a str>,
) -> AuditEntry<'a> {
    AuditEntry {
        action,
        subject: format!("feedback:{id}"),
        before: Some(json!({ "status": before })),
        after: Some(json!({ "status": after.text() })),
        reason,
    }
}

/// Queues the e-mail with an answer in the outbox, if the member has a verified address.
async fn mail_answer(
    app: &Support,
    tx: &mut PgTransaction<'_>,
    found: &Locked,
    answer: &str,
) -> Result<(), ApiError> {
    let Some(member_id) = found.written_by else { return Ok(()) };
    let reach = members::find_verified_contacts(tx, member_id).await?;
    let Some(to) = reach.as_ref().and_then(|reach| reach.email.clone()) else { return Ok(()) };
    let merchants = app.site.sites.all(&app.db).await?;
    let Some(site) = merchants.iter().find(|merchant| merchant.id == found.merchant_id) else {
        return Ok(());
    };
    // The language that the member chose has priority over the language of the page.
    let chosen = reach.and_then(|reach| reach.language);
    let language = chosen.unwrap_or_else(|| found.language.clone());
    let language = Language::parse(&language).unwrap_or(Language::English);
    let (subject, text) = texts::write(language, &site.name, answer);
    let message = Message {
        merchant_id: site.id,
        purpose: "inbox.answer",
        channel: Channel::Mail,
        to,
        subject,
        text,
        deadline: None,
    };
    app.outbox.send(tx, message, app.clock.now()).await.map(drop)
}

/// The end of every use case here: records a push event that makes open pages of the office and the
/// member reload, and commits.
async fn finish(
    app: &Support,
    mut tx: PgTransaction<'static>,
    member_id: Option<Uuid>,
) -> Result<(), ApiError> {
    let event = json!({ "type": "feedback" });
    let member = member_id.map(|id| (Topic::Member(id), event.clone()));
    let events: Vec<_> = [(Topic::Office, event)].into_iter().chain(member).collect();
    push::record_all(&mut tx, &events, app.clock.now()).await?;
    db::commit(tx).await?;
    app.push.wake();
    Ok(())
}
