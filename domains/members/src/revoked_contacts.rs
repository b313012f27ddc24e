//! Revoked contacts: numbers and addresses that a member had typed but not verified, and lost to
//! another member who verified them.
//!
//! The member is notified on its other contact, if that is verified, and sees the revoked contact
//! on the account page. A job sends the notice, so the request that takes the contact does not wait
//! for it, and its response time does not reveal how the other member can be reached.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgTransaction;
use utoipa::ToSchema;
use uuid::Uuid;

use super::claims::ContactKey;
use super::claims_store as store;
use super::contacts_store;
use super::http::{masked, masked_email};
use crate::Members;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::jobs::{self, Bounds, Job, Registry};
use platform::language::Language;
use platform::outbox::{Channel, Message};

const NOTIFY_JOB: &str = "members.tell_loss";
/// How many revoked contacts the member sees.
const LIST_LIMIT: i64 = 10;

/// Payload of the notification job.
#[derive(Serialize, Deserialize)]
struct Payload {
    member_id: Uuid,
    id: Uuid,
}

/// Records a revoked contact and who took it, and enqueues the notification job.
pub(super) async fn record(
    tx: &mut PgTransaction<'_>,
    (member_id, taken_by): (Uuid, Uuid),
    contact: &ContactKey,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let id = new_id(now);
    let masked = match contact {
        ContactKey::Mobile(mobile) => masked(mobile, 4, 3),
        ContactKey::Email(email) => masked_email(email),
    };
    store::insert_revoked(tx, (member_id, id), (contact.kind(), &masked), taken_by, now).await?;
    let payload = json!(Payload { member_id, id });
    let job = Job { kind: NOTIFY_JOB, payload, due_at: now, unique_key: None };
    jobs::enqueue(tx, job, now).await.map(drop)
}

/// A contact that was removed from the account because another member verified it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LostContact)]
pub struct RevokedContact {
    /// `mobile` or `email`.
    pub(super) kind: String,
    /// The contact with most of its characters masked.
    pub(super) masked: String,
    pub(super) lost_at: DateTime<Utc>,
}

/// A member's revoked contacts, the latest first.
pub async fn list_revoked_contacts(
    app: &Members,
    member_id: Uuid,
) -> Result<Vec<RevokedContact>, ApiError> {
    Ok(store::list_revoked(&app.db, member_id, LIST_LIMIT).await?)
}

/// Registers the job that notifies members of revoked contacts.
pub fn register_jobs(registry: &mut Registry, app: &Members) {
    let app = app.clone();
    registry.handle(NOTIFY_JOB, Bounds::default(), move |run| {
        let app = app.clone();
        async move {
            let payload: Payload = serde_json::from_value(run.payload)?;
            notify(&app, payload).await.map_err(|error| format!("{error:?}").into())
        }
    });
}

async fn notify(app: &Members, Payload { member_id, id }: Payload) -> Result<(), ApiError> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    // The row lock makes a job that runs twice send one message.
    let Some(revoked) = store::lock_unnotified(&mut tx, member_id, id).await? else {
        return Ok(());
    };
    let merchants = app.site.sites.all(&app.db).await?;
    let site = merchants.iter().find(|merchant| merchant.id == revoked.merchant_id);
    let reach = contacts_store::find_verified_contacts(&mut tx, member_id).await?;
    if let (Some(site), Some(reach)) = (site, reach) {
        let language = reach.language.as_deref().and_then(Language::parse);
        let language = language.unwrap_or(Language::English);
        let (channel, to) = match revoked.kind.as_str() {
            "mobile" => (Channel::Mail, reach.email),
            _ => (Channel::Sms, reach.mobile),
        };
        if let Some(to) = to {
            let (subject, text) = compose(language, &site.name, &revoked.masked);
            let merchant_id = site.id;
            let purpose = "members.contact_lost";
            let message =
                Message { merchant_id, purpose, channel, to, subject, text, deadline: None };
            app.outbox.send(&mut tx, message, now).await?;
        }
    }
    store::update_notified(&mut tx, member_id, id, now).await?;
    db::commit(tx).await
}

/// Subject and text of the message.
fn compose(language: Language, site: &str, masked: &str) -> (String, String) {
    match language {
        Language::English => (
            format!("A contact was removed from your {site} account"),
            format!(
                "{masked} is no longer a contact of your {site} account: somebody else has proved \
                 to hold it. If it is yours, verify it in the security center, or write to us."
            ),
        ),
        Language::Tagalog => (
            format!("May contact na inalis sa {site} account mo"),
            format!(
                "Hindi na contact ng {site} account mo ang {masked}: may ibang nagpatunay na sa \
                 kanya ito. Kung sa iyo ito, i-verify ito sa security center o sumulat sa amin."
            ),
        ),
    }
}
