//! The outbox on the wire: which messages went out, what one of them says, and sending it again.

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
use platform::outbox::{Letter, Listed, NotSent, Wanted};
use staff::{Allowed, Deed, Proved};

const LIST_USUAL: i64 = 50;
const LIST_MAX: i64 = 200;
const CHANNELS: [&str; 2] = ["sms", "mail"];
const STATES: [&str; 5] = ["queued", "sent", "kept", "failed", "expired"];
/// No number and no address is longer.
const RECIPIENT_MAX: usize = 254;

/// What is looked for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindMessages {
    /// `sms` or `mail`.
    channel: Option<String>,
    /// `queued`, `sent`, `kept`, `failed` or `expired`.
    state: Option<String>,
    /// A whole number, however it is written, or a whole address.
    to: Option<String>,
    /// Not written before this moment.
    from: Option<DateTime<Utc>>,
    /// Written before this moment.
    until: Option<DateTime<Utc>>,
    /// Only messages that are older than this one.
    before: Option<Uuid>,
    /// How many, 200 at most.
    limit: Option<i64>,
}

impl FindMessages {
    fn wanted(&self) -> Result<Wanted, ApiError> {
        let given = |text: &'_ Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        let (channel, state) = (given(&self.channel), given(&self.state));
        if channel.as_deref().is_some_and(|channel| !CHANNELS.contains(&channel)) {
            return Err(ApiError::fields([("channel", "unknown")]));
        }
        if state.as_deref().is_some_and(|state| !STATES.contains(&state)) {
            return Err(ApiError::fields([("state", "unknown")]));
        }
        let to = given(&self.to);
        if to.as_deref().is_some_and(|to| to.len() > RECIPIENT_MAX) {
            return Err(ApiError::fields([("to", "length")]));
        }
        Ok(Wanted {
            channel,
            state,
            to: to.map(|to| recipients(&to)),
            from: usable_time("from", self.from)?,
            until: usable_time("until", self.until)?,
            before: self.before,
        })
    }
}

/// What somebody may mean: the text itself, or the number that its digits are in some country. They
/// are only compared, so none of them has to be a number that exists.
fn recipients(text: &str) -> Vec<String> {
    let mut meant = vec![text.trim().to_owned()];
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    if !text.contains('@') && !digits.is_empty() {
        meant.push(format!("+{digits}"));
        let local = digits.trim_start_matches('0');
        meant.extend(site::dialing_codes().map(|code| format!("+{code}{local}")));
    }
    meant.sort_unstable();
    meant.dedup();
    meant
}

/// A message without what it says.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MessageView {
    id: Uuid,
    /// Whose site says it.
    merchant: String,
    /// What it is for, `sessions.register` for example.
    purpose: String,
    /// `sms` or `mail`.
    channel: String,
    /// `queued`, `sent`, `kept`, `failed` or `expired`.
    state: String,
    /// Enough of the recipient to tell it from others; none once the text was removed.
    to: Option<String>,
    tries: i32,
    last_error: Option<String>,
    deadline: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    finished_at: Option<DateTime<Utc>>,
    /// Whether it can be sent again.
    can_resend: bool,
}

impl MessageView {
    fn new(app: &Service, listed: Listed, merchants: &[(Uuid, String)]) -> Self {
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

/// Messages that were sent or kept, the latest first, without what they say.
#[utoipa::path(post, path = "/office/api/service/messages/find", tag = "service", operation_id = "service_find_messages", request_body = FindMessages,
    security(("office" = ["outbox.read"])),
    responses((status = 200, body = Envelope<Vec<MessageView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find(
    _: Allowed<OutboxRead>,
    State(app): State<Service>,
    Json(asked): Json<FindMessages>,
) -> Answer<Vec<MessageView>> {
    let limit = asked.limit.unwrap_or(LIST_USUAL).clamp(1, LIST_MAX);
    let listed = app.outbox.list(&app.db, &asked.wanted()?, limit).await?;
    let names = merchant_names(&app).await?;
    answer(listed.into_iter().map(|one| MessageView::new(&app, one, &names)).collect())
}

/// Why something is done with a message.
#[derive(Deserialize, ToSchema)]
struct MessageReason {
    /// It stands in the trail.
    reason: String,
}

/// What a message says.
#[derive(Serialize, ToSchema)]
struct MessageText {
    /// The whole number or address.
    to: String,
    /// Empty for text messages.
    subject: String,
    text: String,
}

/// Opens a message. That it was opened, by whom and why, stands in the trail.
#[utoipa::path(post, path = "/office/api/service/messages/{id}/open", tag = "service", operation_id = "service_open_message", request_body = MessageReason,
    params(("id" = Uuid, Path)), security(("office" = ["outbox.open"], "office_proof" = [])),
    responses((status = 200, body = Envelope<MessageText>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn open(
    Proved(person, ..): Proved<OutboxOpen>,
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
        let deed = Deed {
            after: Some(json!({
                "channel": opened.listed.channel,
                "purpose": opened.listed.purpose,
                "to": opened.listed.to,
            })),
            reason: Some(&body.reason),
            ..Deed::plain("service.open", format!("message:{id}"))
        };
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
        db::commit(tx).await?;
        Ok(letter)
    });
    let Letter { to, subject, text } = letter.await?;
    answer(MessageText { to, subject, text })
}

/// Why a message is not sent again, as the page is told.
fn not_sent(reason: NotSent) -> ApiError {
    ApiError::new(match reason {
        NotSent::Unknown => codes::UNKNOWN,
        NotSent::NotFailed => codes::NOT_FAILED,
        NotSent::TooLate => codes::TOO_LATE,
        NotSent::NotConfigured => codes::NOT_CONFIGURED,
    })
}

/// Sends a message again that failed, or that was kept while nobody sent such messages.
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
        let deed = Deed {
            before: Some(json!({ "state": before.state })),
            after: Some(json!({ "state": "queued" })),
            reason: Some(&body.reason),
            ..Deed::plain("service.resend", format!("message:{id}"))
        };
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
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
