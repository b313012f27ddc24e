//! Approvals (four-eyes principle): what one staff member requests is executed when another
//! approves it.
//!
//! One mechanism for all domains. A domain declares [`ApprovalKind`]s as module hooks: what may be
//! requested, the rights to request and to decide, and how it is executed. Execution is part of the
//! transaction of the decision, so nothing is approved without being executed. A table constraint
//! refuses decisions by the requester, who may only withdraw the request. Every step sends a push
//! event to the open pages of the back office.

mod http;
mod store;

use capiz_rules::money::Amount;
use chrono::{DateTime, Duration, Utc};
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;
use sqlx::{PgConnection, PgTransaction};
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) use http::routes;
use store::{ApprovalRow, NewApproval, ShownRow};

use super::audit_log::{self, AuditEntry};
use super::finding::FoundThing;
use super::model::StaffSession;
use super::rights::{RequiredRight as _, Right};
use super::socket;
use crate::Staff;
use crate::codes;
use platform::Core;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;

/// How long a request stays open before it expires.
const LIFE: Duration = Duration::hours(72);

/// Module hook: a kind of action that needs approval.
#[derive(Clone, Copy)]
pub struct ApprovalKind {
    /// `domain.action`.
    pub kind: &'static str,
    /// The right to request it.
    pub ask: Right,
    /// The right to decide on it.
    pub decide: Right,
    /// Validates the parameters of a request and returns its subject, `kind:name`.
    pub subject: fn(&Value) -> Result<String, ApiError>,
    /// Describes requests of this kind for people.
    pub describe: Describe,
    /// Executes an approved request. The request's id is the idempotency key of any transfer it
    /// makes.
    pub execute: Execute,
}

/// The function that executes an approved request, in the transaction of the decision.
pub type Execute = for<'a> fn(
    &'a Core,
    &'a mut PgTransaction<'static>,
    Uuid,
    &'a Value,
) -> BoxFuture<'a, Result<(), ApiError>>;

/// The function that describes requests: one description for each, in the same order.
pub type Describe =
    for<'a> fn(&'a mut PgConnection, &'a [Value]) -> BoxFuture<'a, Result<Vec<About>, sqlx::Error>>;

/// The description of a request for people, as far as it is known.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = ApprovalAbout)]
pub struct About {
    /// The variant of the action: `credit` or `debit` for a correction.
    pub way: Option<String>,
    /// The member it is about, if any.
    pub member: Option<AboutMember>,
    /// The amount, if it moves money.
    #[schema(value_type = Option<String>)]
    pub amount: Option<Amount>,
    /// The currency of the amount.
    pub currency: Option<String>,
}

/// The member a request is about.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ApprovalMember)]
pub struct AboutMember {
    /// The id of the member.
    pub id: Uuid,
    /// The username of the member.
    pub username: String,
}

fn find_kind(app: &Staff, kind: &str) -> Result<ApprovalKind, ApiError> {
    let found = app.approval_kinds().iter().find(|known| known.kind == kind).copied();
    found.ok_or_else(|| ApiError::fields([("kind", "unknown")]))
}

/// The subject of audit entries about a request.
fn audit_subject(id: Uuid) -> String {
    format!("approval:{id}")
}

/// A request for approval.
struct ApprovalRequest {
    kind: String,
    what: Value,
    reason: String,
}

/// Creates a request for approval and returns its id.
async fn ask(
    app: &Staff,
    person: &StaffSession,
    request: ApprovalRequest,
) -> Result<Uuid, ApiError> {
    let approval_kind = find_kind(app, &request.kind)?;
    require(person, approval_kind.ask)?;
    audit_log::check_reason(&request.reason)?;
    let subject = (approval_kind.subject)(&request.what)?;
    let (actor, asked_by, now) = (person.actor(), person.person.id, app.clock.now());
    let id = new_id(now);
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let approval = NewApproval {
            id,
            kind: approval_kind.kind,
            subject: &subject,
            what: &request.what.to_string(),
            reason: request.reason.trim(),
            asked_by,
            now,
            expires_at: now + LIFE,
        };
        store::insert(&mut tx, &approval).await?;
        let after = serde_json::json!({
            "kind": approval_kind.kind,
            "subject": subject,
            "what": request.what,
        });
        let entry = AuditEntry {
            after: Some(after),
            reason: Some(&request.reason),
            ..AuditEntry::plain("approvals.ask", audit_subject(id))
        };
        audit_log::record(&app, &mut tx, &actor, entry).await?;
        socket::push_approval(&app, &mut tx, (id, approval_kind.kind, "open")).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(id)
    })
    .await
}

/// A decision on a request.
struct Decision {
    agrees: bool,
    reason: String,
}

/// Approves or refuses the request of another person. An approved request is executed in the same
/// transaction.
async fn decide(
    app: &Staff,
    person: &StaffSession,
    id: Uuid,
    decision: Decision,
) -> Result<(), ApiError> {
    audit_log::check_reason(&decision.reason)?;
    let (actor, decided_by) = (person.actor(), person.person.id);
    let rights = person.rights.clone();
    // Only an approval may move money, so only it needs recent authentication.
    let authenticated = match decision.agrees {
        true => person.require_recent_authentication(app.clock.now()),
        false => Ok(()),
    };
    app.run(move |app| async move {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let approval = store::lock(&mut tx, id).await?;
        let approval = approval.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
        let approval_kind = find_kind(&app, &approval.kind)?;
        if !rights.contains(&approval_kind.decide) {
            return Err(ApiError::new(codes::NOT_ALLOWED));
        }
        if approval.asked_by == decided_by {
            return Err(ApiError::new(codes::NOT_YOURSELF));
        }
        require_open(&approval, now)?;
        authenticated?;
        let state = if decision.agrees { "done" } else { "refused" };
        let reason = decision.reason.trim();
        store::update_decided(&mut tx, id, (state, decided_by), reason, now).await?;
        if decision.agrees {
            let what: Value = serde_json::from_str(&approval.what).map_err(ApiError::internal)?;
            (approval_kind.execute)(&app, &mut tx, id, &what).await?;
        }
        let action = if decision.agrees { "approvals.agree" } else { "approvals.refuse" };
        let entry =
            AuditEntry { reason: Some(reason), ..AuditEntry::plain(action, audit_subject(id)) };
        audit_log::record(&app, &mut tx, &actor, entry).await?;
        socket::push_approval(&app, &mut tx, (id, approval_kind.kind, state)).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(())
    })
    .await
}

/// Withdraws one's own request.
async fn withdraw(
    app: &Staff,
    person: &StaffSession,
    id: Uuid,
    reason: String,
) -> Result<(), ApiError> {
    audit_log::check_reason(&reason)?;
    let (actor, asked_by) = (person.actor(), person.person.id);
    app.run(move |app| async move {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let approval = store::lock(&mut tx, id).await?;
        let approval = approval.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
        if approval.asked_by != asked_by {
            return Err(ApiError::new(codes::NOT_ALLOWED));
        }
        require_open(&approval, now)?;
        store::update_withdrawn(&mut tx, id, reason.trim(), now).await?;
        let entry = AuditEntry {
            reason: Some(&reason),
            ..AuditEntry::plain("approvals.withdraw", audit_subject(id))
        };
        audit_log::record(&app, &mut tx, &actor, entry).await?;
        socket::push_approval(&app, &mut tx, (id, &approval.kind, "withdrawn")).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(())
    })
    .await
}

fn require(person: &StaffSession, right: Right) -> Result<(), ApiError> {
    match person.may(right) {
        true => Ok(()),
        false => Err(ApiError::new(codes::NOT_ALLOWED)),
    }
}

fn require_open(approval: &ApprovalRow, now: DateTime<Utc>) -> Result<(), ApiError> {
    match approval.state == "open" && approval.expires_at > now {
        true => Ok(()),
        false => Err(ApiError::new(codes::DECIDED)),
    }
}

/// The kinds of requests that a person may see: those they may request or decide on, or all.
fn visible_kinds(app: &Staff, person: &StaffSession) -> Vec<String> {
    let is_visible = |kind: &&ApprovalKind| {
        [crate::rights::ApprovalsRead::RIGHT, kind.ask, kind.decide]
            .iter()
            .any(|right| person.may(*right))
    };
    app.approval_kinds().iter().filter(is_visible).map(|kind| kind.kind.to_owned()).collect()
}

/// The kinds of requests that a person may decide on.
fn decidable_kinds(app: &Staff, person: &StaffSession) -> Vec<String> {
    let decidable = app.approval_kinds().iter().filter(|kind| person.may(kind.decide));
    decidable.map(|kind| kind.kind.to_owned()).collect()
}

/// Describes requests, in the same order. A request that its kind cannot read, for example one from
/// an older version, gets an empty description.
async fn describe(app: &Staff, rows: &[ShownRow]) -> Result<Vec<About>, ApiError> {
    let mut descriptions = vec![About::default(); rows.len()];
    let mut connection = app.db.acquire().await?;
    for kind in app.approval_kinds() {
        let of_kind = rows.iter().enumerate().filter(|(_, row)| row.kind == kind.kind);
        let (indices, params): (Vec<usize>, Vec<Value>) = of_kind
            .map(|(index, row)| (index, serde_json::from_str(&row.what).unwrap_or_default()))
            .unzip();
        if indices.is_empty() {
            continue;
        }
        let abouts = (kind.describe)(&mut connection, &params).await?;
        for (index, about) in indices.into_iter().zip(abouts) {
            descriptions[index] = about;
        }
    }
    Ok(descriptions)
}

/// Marks requests that nobody decided on in time as expired. Part of the hourly purge job.
pub(super) async fn expire(app: &Staff) -> Result<(), sqlx::Error> {
    let mut tx = app.db.begin().await?;
    for (id, kind) in store::update_expired(&mut tx, app.clock.now()).await? {
        socket::push_approval(app, &mut tx, (id, &kind, "expired")).await?;
    }
    tx.commit().await?;
    app.push.wake();
    Ok(())
}

/// The facts of a request: who requested it, who decided, when and why.
pub struct Facts {
    /// `domain.action`.
    pub kind: String,
    /// The reason of the request.
    pub reason: String,
    /// The username of the requester.
    pub asked_by: String,
    /// When it was requested.
    pub asked_at: DateTime<Utc>,
    /// `open`, `done`, `refused` or `expired`.
    pub state: String,
    /// The username of the person who decided.
    pub decided_by: Option<String>,
    /// When it was decided.
    pub decided_at: Option<DateTime<Utc>>,
    /// The reason of the decision.
    pub decision_reason: Option<String>,
}

/// The facts of one request.
pub async fn find_facts(db: &mut PgConnection, id: Uuid) -> Result<Option<Facts>, sqlx::Error> {
    store::find_facts(db, id).await
}

/// Finds a request by its id for the search palette, if the person may see it.
pub(super) async fn find(
    app: &Staff,
    person: &StaffSession,
    text: &str,
) -> Result<Vec<FoundThing>, ApiError> {
    let Ok(id) = text.parse() else { return Ok(Vec::new()) };
    let facts = store::find_facts(&mut *app.db.acquire().await?, id).await?;
    let kinds = visible_kinds(app, person);
    let kind = facts.map(|facts| facts.kind).filter(|kind| kinds.contains(kind));
    let found = kind.map(|kind| FoundThing::new("approval", id, kind, id.to_string()));
    Ok(found.into_iter().collect())
}
