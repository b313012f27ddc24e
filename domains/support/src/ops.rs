//! Writing feedback, and answering it.

use std::time::Duration;

use serde_json::json;
use sqlx::PgTransaction;
use uuid::Uuid;

use super::model::{NewFeedback, Status, check_answer};
use super::store::{self, Locked};
use super::texts;
use crate::Support;
use crate::codes;
use platform::budget::Budget;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::language::Language;
use platform::outbox::{Channel, Message};
use platform::push::{self, Topic};
use staff::{Actor, Deed};

/// What one address may write; a whole house may share it.
const BY_ADDRESS: Budget =
    Budget { name: "inbox.feedback.address", limit: 20, window: Duration::from_secs(60 * 60) };
/// What one member may write.
const BY_MEMBER: Budget =
    Budget { name: "inbox.feedback.member", limit: 10, window: Duration::from_secs(60 * 60) };

/// Keeps feedback, and tells the office. An address is the key of where it came from, if that
/// counts.
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
            app.budgets.take(&mut tx, &BY_ADDRESS, &address, now).await?;
        }
        if let Some(member) = feedback.written_by {
            app.budgets.take(&mut tx, &BY_MEMBER, &member.to_string(), now).await?;
        }
        store::insert(&mut tx, id, &feedback, now).await?;
        finish(&app, tx, feedback.written_by).await?;
        Ok(id)
    })
    .await
}

/// Answers feedback: whoever wrote it as a member finds the answer on the page, and gets it by
/// mail where an address is verified.
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
        // The trail stays for ever, so that what people wrote to each other is not in it.
        let deed = turned("inbox.answer", id, (&found.status, Status::Answered), None);
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
        mail(&app, &mut tx, &found, &answer).await?;
        finish(&app, tx, found.written_by).await
    })
    .await
}

/// Closes feedback that needs no answer, or no other one.
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
        let turn = (found.status.as_str(), Status::Closed);
        let deed = turned("inbox.close", id, turn, Some(reason.trim()));
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
        finish(&app, tx, found.written_by).await
    })
    .await
}

async fn lock(tx: &mut PgTransaction<'_>, id: Uuid) -> Result<Locked, ApiError> {
    let found = store::lock(tx, id).await?;
    found.ok_or_else(|| ApiError::new(codes::UNKNOWN))
}

fn turned<'a>(
    action: &'static str,
    id: Uuid,
    (before, after): (&str, Status),
    reason: Option<&'a str>,
) -> Deed<'a> {
    Deed {
        action,
        subject: format!("feedback:{id}"),
        before: Some(json!({ "status": before })),
        after: Some(json!({ "status": after.text() })),
        reason,
    }
}

/// Sends an answer to the member's verified address, if there is one.
async fn mail(
    app: &Support,
    tx: &mut PgTransaction<'_>,
    found: &Locked,
    answer: &str,
) -> Result<(), ApiError> {
    let Some(member_id) = found.written_by else { return Ok(()) };
    let reach = members::find_reach(tx, member_id).await?;
    let Some(to) = reach.as_ref().and_then(|reach| reach.email.clone()) else { return Ok(()) };
    let merchants = app.site.sites.all(&app.db).await?;
    let Some(site) = merchants.iter().find(|merchant| merchant.id == found.merchant_id) else {
        return Ok(());
    };
    // What the member chose since counts more than what the page was written in.
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

/// Commits, and tells the open pages of the office and of the member to look again.
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
