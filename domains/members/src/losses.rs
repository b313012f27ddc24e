//! Numbers and addresses that members had only typed, and lost to whoever proved to hold them.
//!
//! The member is told by the other contact, where that is verified, and finds it on the account's
//! page. A job tells it: whoever takes a contact does not wait for it, and cannot learn from the
//! time that it takes how the other member is reached.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgTransaction;
use utoipa::ToSchema;
use uuid::Uuid;

use super::claims::Wish;
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

const TELL: &str = "members.tell_loss";
/// How many are shown to the member.
const SHOWN: i64 = 10;

/// Which loss a job tells.
#[derive(Serialize, Deserialize)]
struct Which {
    member_id: Uuid,
    id: Uuid,
}

/// Notes what a member has lost and to whom, and that it has to be told.
pub(super) async fn note(
    tx: &mut PgTransaction<'_>,
    (member_id, taken_by): (Uuid, Uuid),
    wish: &Wish,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    let id = new_id(now);
    let masked = match wish {
        Wish::Mobile(mobile) => masked(mobile, 4, 3),
        Wish::Email(email) => masked_email(email),
    };
    store::insert_loss(tx, (member_id, id), (wish.kind(), &masked), taken_by, now).await?;
    let payload = json!(Which { member_id, id });
    let job = Job { kind: TELL, payload, due_at: now, unique_key: None };
    jobs::enqueue(tx, job, now).await.map(drop)
}

/// A contact that a member has lost.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LostContact {
    /// `mobile` or `email`.
    pub(super) kind: String,
    /// Most of its characters are hidden.
    pub(super) masked: String,
    pub(super) lost_at: DateTime<Utc>,
}

/// What a member has lost, the latest first.
pub async fn list_lost(app: &Members, member_id: Uuid) -> Result<Vec<LostContact>, ApiError> {
    Ok(store::list_losses(&app.db, member_id, SHOWN).await?)
}

/// Tells members what they have lost.
pub fn register_jobs(registry: &mut Registry, app: &Members) {
    let app = app.clone();
    registry.handle(TELL, Bounds::default(), move |run| {
        let app = app.clone();
        async move {
            let which: Which = serde_json::from_value(run.payload)?;
            tell(&app, which).await.map_err(|error| format!("{error:?}").into())
        }
    });
}

async fn tell(app: &Members, Which { member_id, id }: Which) -> Result<(), ApiError> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    // Locked until it is noted, so that a job that runs twice sends one message.
    let Some(loss) = store::lock_untold(&mut tx, member_id, id).await? else { return Ok(()) };
    let merchants = app.site.sites.all(&app.db).await?;
    let site = merchants.iter().find(|merchant| merchant.id == loss.merchant_id);
    let reach = contacts_store::find_reach(&mut tx, member_id).await?;
    if let (Some(site), Some(reach)) = (site, reach) {
        let language = reach.language.as_deref().and_then(Language::parse);
        let language = language.unwrap_or(Language::English);
        let (channel, to) = match loss.kind.as_str() {
            "mobile" => (Channel::Mail, reach.email),
            _ => (Channel::Sms, reach.mobile),
        };
        if let Some(to) = to {
            let (subject, text) = words(language, &site.name, &loss.masked);
            let merchant_id = site.id;
            let purpose = "members.contact_lost";
            let message =
                Message { merchant_id, purpose, channel, to, subject, text, deadline: None };
            app.outbox.send(&mut tx, message, now).await?;
        }
    }
    store::update_told(&mut tx, member_id, id, now).await?;
    db::commit(tx).await
}

/// Subject and text of the message.
fn words(language: Language, site: &str, masked: &str) -> (String, String) {
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
