//! The outbox API of the back office: lists e-mails and text messages, shows one, and resends it.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::Service;
use crate::codes;
use crate::rights::{OutboxOpen, OutboxRead, ServiceWrite};
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path, usable_time};
use platform::outbox::{Letter, MessageFilter, MessageSummary, ResendError};
use staff::{Allowed, AuditEntry, RecentlyAuthenticated};

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;
const CHANNELS: [&str; 2] = ["sms", "mail"];
const STATES: [&str; 5] = ["queued", "sent", "kept", "failed", "expired"];
/// The longest e-mail address; phone numbers are shorter.
const RECIPIENT_MAX: usize = 254;

/// The filter of the list of messages.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindMessages {
    /// `sms` or `mail`.
    channel: Option<String>,
    /// `queued`, `sent`, `kept`, `failed` or `expired`.
    state: Option<String>,
    /// A complete phone number in any notation, or a complete e-mail address.
    to: Option<String>,
    /// Only messages created at or after this time.
    from: Option<DateTime<Utc>>,
    /// Only messages created before this time.
    until: Option<DateTime<Utc>>,
    /// Only messages older than this one, for paging.
    before: Option<Uuid>,
    /// The number of messages, at most 200.
    limit: Option<i64>,
}

impl FindMessages {
    fn filter(&self) -> Result<MessageFilter, ApiError> {
        let non_blank =
            |text: &'_ Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let (channel, state) = (non_blank(&self.channel), non_blank(&self.state));
        if channel.as_deref().is_some_and(|channel| !CHANNELS.contains(&channel)) {
            return Err(ApiError::fields([("channel", "unknown")]));
        }
        if state.as_deref().is_some_and(|state| !STATES.contains(&state)) {
            return Err(ApiError::fields([("state", "unknown")]));
        }
        let to = non_blank(&self.to);
        if to.as_deref().is_some_and(|to| to.len() > RECIPIENT_MAX) {
            return Err(ApiError::fields([("to", "length")]));
        }
        Ok(MessageFilter {
            channel,
            state,
            to: to.map(|to| recipients(&to)),
            from: usable_time("from", self.from)?,
            until: usable_time("until", self.until)?,
            before: self.before,
        })
    }
}

/// The recipients that a search text may stand for: the text itself, or its digits as a phone
/// number in any country. They are only compared, so they need not be valid numbers.
fn recipients(text: &str) -> Vec<String> {
    let mut candidates = vec![text.trim().to_owned()];
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if !text.contains('@') && !digits.is_empty() {
        candidates.push(format!("+{digits}"));
        let local = digits.trim_start_matches('0');
        candidates.extend(site::dialing_codes().map(|code| format!("+{code}{local}")));
    }
    candidates.sort_unstable();
    candidates.dedup();
    candidates
}

/// A message without its text.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MessageView {
    id: Uuid,
    /// The name of the merchant.
    merchant: String,
    /// The purpose, for example `sessions.register`.
    purpose: String,
    /// `sms` or `mail`.
    channel: String,
    /// `queued`, `sent`, `kept`, `failed` or `expired`.
    state: String,
    /// The recipient, masked; none once the text was removed.
    to: Option<String>,
    tries: i32,
    last_error: Option<String>,
    deadline: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
    /// Whether the message can be sent again.
    can_resend: bool,
}

impl MessageView {
    fn new(app: &Service, listed: MessageSummary, merchants: &[(Uuid, String)]) -> Self {
        let merchant = merchants.iter().find(|(id, _)| *id == listed.merchant_id);
        Self {
            id: listed.id,
            can_resend: app.outbox.can_resend(&listed, app.clock.now()),
            merchant: merchant.map_or_else(String::new, |(_, name)| name.clone()),
            purpose: listed.purpose,
            channel: listed.channel,
            state: listed.state,
            to: listed.to,
            tries: listed.tries,
            last_error: listed.last_error,
            deadline: listed.deadline,
            created_at: listed.created_at,
            finished_at: listed.finished_at,
        }
    }
}

async fn merchant_names(app: &Service) -> Result<Vec<(Uuid, String)>, sqlx::Error> {
    let merchants = app.site.sites.all(&app.db).await?;
    Ok(merchants.iter().map(|merchant| (merchant.id, merchant.name.clone())).collect())
}

/// Lists messages, newest first, without their text.
#[utoipa::path(post, path = "/office/api/service/messages/find", tag = "service", operation_id = "service_find_messages", request_body = FindMessages,
    security(("office" = ["outbox.read"])),
    responses((status = 200, body = Envelope<Vec<MessageView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find(
    _: Allowed<OutboxRead>,
    State(app): State<Service>,
    Json(query): Json<FindMessages>,
) -> Answer<Vec<MessageView>> {
    let limit = query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX);
    let listed = app.outbox.list(&app.db, &query.filter()?, limit).await?;
    let names = merchant_names(&app).await?;
    answer(listed.into_iter().map(|one| MessageView::new(&app, one, &names)).collect())
}

/// The reason for an action on a message.
#[derive(Deserialize, ToSchema)]
struct MessageReason {
    /// The reason, for the audit log.
    reason: String,
}

/// The text of a message.
#[derive(Serialize, ToSchema)]
struct MessageText {
    /// The phone number or e-mail address, unmasked.
    to: String,
    /// The subject; empty for text messages.
    subject: String,
    text: String,
}

/// Shows the text of a message. The access is recorded in the audit log with its reason.
#[utoipa::path(post, path = "/office/api/service/messages/{id}/open", tag = "service", operation_id = "service_open_message", request_body = MessageReason,
    params(("id" = Uuid, Path)), security(("office" = ["outbox.open"], "office_proof" = [])),
    responses((status = 200, body = Envelope<MessageText>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn open(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<OutboxOpen>,
    State(app): State<Service>,
    Path(id): Path<Uuid>,
    Json(body): Json<MessageReason>,
) -> Answer<MessageText> {
    staff::check_reason(&body.reason)?;
    let actor = person.actor();
    let letter = app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let opened = app.outbox.open(&mut tx, id).await?;
        let opened = opened.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
        let letter = opened.letter;
        let letter = letter.ok_or_else(|| ApiError::new(codes::TEXT_REMOVED))?;
        let entry = AuditEntry {
            after: Some(json!({
                "channel": opened.listed.channel,
                "purpose": opened.listed.purpose,
                "to": opened.listed.to,
            })),
            reason: Some(&body.reason),
            ..AuditEntry::plain("service.open", format!("message:{id}"))
        };
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        db::commit(tx).await?;
        Ok(letter)
    });
    let Letter { to, subject, text } = letter.await?;
    answer(MessageText { to, subject, text })
}

/// The error code for a message that cannot be resent.
fn not_sent(reason: ResendError) -> ApiError {
    ApiError::new(match reason {
        ResendError::Unknown => codes::UNKNOWN,
        ResendError::NotFailed => codes::NOT_FAILED,
        ResendError::TooLate => codes::TOO_LATE,
        ResendError::NotConfigured => codes::NOT_CONFIGURED,
    })
}

/// Resends a message that failed, or that was kept because its channel was not configured.
#[utoipa::path(post, path = "/office/api/service/messages/{id}/resend", tag = "service", operation_id = "service_resend_message", request_body = MessageReason,
    params(("id" = Uuid, Path)), security(("office" = ["service.write"])),
    responses((status = 200, body = Envelope<bool>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn resend(
    Allowed(person, ..): Allowed<ServiceWrite>,
    State(app): State<Service>,
    Path(id): Path<Uuid>,
    Json(body): Json<MessageReason>,
) -> Answer<bool> {
    staff::check_reason(&body.reason)?;
    let actor = person.actor();
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let sent = app.outbox.send_again(&mut tx, id, app.clock.now()).await?;
        let before = sent.map_err(not_sent)?;
        let entry = AuditEntry {
            before: Some(json!({ "state": before.state })),
            after: Some(json!({ "state": "queued" })),
            reason: Some(&body.reason),
            ..AuditEntry::plain("service.resend", format!("message:{id}"))
        };
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        db::commit(tx).await
    })
    .await?;
    answer(true)
}

pub(super) fn routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new().routes(routes!(find)).routes(routes!(open)).routes(routes!(resend))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_however_it_is_written() {
        for written in ["+639171234567", "09171234567", "917 123 4567", "63 917 1234567"] {
            assert!(recipients(written).contains(&"+639171234567".to_owned()), "{written}");
        }
        assert_eq!(recipients(" Maria@Example.com "), ["Maria@Example.com"]);
    }
}
