//! Four eyes: what one person asks for is done when another agrees.
//!
//! One mechanism for every domain. A domain brings [`Matter`]s: what may be asked for, which right
//! asking and deciding take, and how it is done. It is done in the transaction that decides, so
//! that nothing is decided without being done. The table itself refuses a decision by whoever
//! asked.

mod http;
mod store;

use chrono::{DateTime, Duration, Utc};
use futures_util::future::BoxFuture;
use serde_json::Value;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

pub(super) use http::routes;
use store::{ApprovalRow, NewApproval};

use super::model::OnDuty;
use super::rights::Right;
use super::trail::{self, Deed};
use crate::app::App;
use crate::codes::ErrorCode;
use crate::platform::db;
use crate::platform::error::ApiError;
use crate::platform::ids::new_id;

/// How long a request waits for somebody to decide.
const LIFE: Duration = Duration::hours(72);

/// What a domain lets people ask for.
pub struct Matter {
    /// `domain.action`.
    pub kind: &'static str,
    /// The right to ask for it.
    pub ask: Right,
    /// The right to decide on it.
    pub decide: Right,
    /// Reads what is asked for: whom or what it is done to, `kind:name`, or why it makes no sense.
    pub subject: fn(&Value) -> Result<String, ApiError>,
    /// Does it. The id names it for ever: the key of whatever moves money.
    pub execute: Execute,
}

/// How something that was agreed to is done.
pub type Execute = for<'a> fn(
    &'a App,
    &'a mut PgTransaction<'static>,
    Uuid,
    &'a Value,
) -> BoxFuture<'a, Result<(), ApiError>>;

fn find_matter(app: &App, kind: &str) -> Result<&'static Matter, ApiError> {
    let matter = app.matters.iter().find(|matter| matter.kind == kind);
    matter.ok_or_else(|| ApiError::fields([("kind", "unknown")]))
}

/// A request in the trail.
fn in_trail(id: Uuid) -> String {
    format!("approval:{id}")
}

/// Something that somebody asks for.
struct Asked {
    kind: String,
    what: Value,
    reason: String,
}

/// Asks for something.
async fn ask(app: &App, person: &OnDuty, asked: Asked) -> Result<Uuid, ApiError> {
    let matter = find_matter(app, &asked.kind)?;
    require(person, matter.ask)?;
    trail::check_reason(&asked.reason)?;
    let subject = (matter.subject)(&asked.what)?;
    let (actor, asked_by, now) = (person.actor(), person.person.id, app.clock.now());
    let id = new_id(now);
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let approval = NewApproval {
            id,
            kind: matter.kind,
            subject: &subject,
            what: &asked.what.to_string(),
            reason: asked.reason.trim(),
            asked_by,
            now,
            expires_at: now + LIFE,
        };
        store::insert(&mut tx, &approval).await?;
        let after = serde_json::json!({
            "kind": matter.kind,
            "subject": subject,
            "what": asked.what,
        });
        let deed = Deed {
            after: Some(after),
            reason: Some(&asked.reason),
            ..Deed::plain("approvals.ask", in_trail(id))
        };
        trail::record(&app, &mut tx, &actor, deed).await?;
        db::commit(tx).await?;
        Ok(id)
    })
    .await
}

/// What somebody says to a request.
struct Decision {
    agrees: bool,
    reason: String,
}

/// Decides on a request of somebody else; with an agreement it is done.
async fn decide(app: &App, person: &OnDuty, id: Uuid, decision: Decision) -> Result<(), ApiError> {
    trail::check_reason(&decision.reason)?;
    let (actor, decided_by) = (person.actor(), person.person.id);
    let rights = person.rights.clone();
    app.run(move |app| async move {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let approval = store::lock(&mut tx, id).await?;
        let approval = approval.ok_or_else(|| ApiError::new(ErrorCode::StaffUnknown))?;
        let matter = find_matter(&app, &approval.kind)?;
        if !rights.contains(&matter.decide) {
            return Err(ApiError::new(ErrorCode::StaffNotAllowed));
        }
        if approval.asked_by == decided_by {
            return Err(ApiError::new(ErrorCode::StaffNotYourself));
        }
        require_open(&approval, now)?;
        let state = if decision.agrees { "done" } else { "refused" };
        let reason = decision.reason.trim();
        store::update_decided(&mut tx, id, (state, decided_by), reason, now).await?;
        if decision.agrees {
            let what: Value = serde_json::from_str(&approval.what).map_err(ApiError::internal)?;
            (matter.execute)(&app, &mut tx, id, &what).await?;
        }
        let action = if decision.agrees { "approvals.agree" } else { "approvals.refuse" };
        let deed = Deed { reason: Some(reason), ..Deed::plain(action, in_trail(id)) };
        trail::record(&app, &mut tx, &actor, deed).await?;
        db::commit(tx).await
    })
    .await
}

fn require(person: &OnDuty, right: Right) -> Result<(), ApiError> {
    match person.may(right) {
        true => Ok(()),
        false => Err(ApiError::new(ErrorCode::StaffNotAllowed)),
    }
}

fn require_open(approval: &ApprovalRow, now: DateTime<Utc>) -> Result<(), ApiError> {
    match approval.state == "open" && approval.expires_at > now {
        true => Ok(()),
        false => Err(ApiError::new(ErrorCode::StaffDecided)),
    }
}

/// The kinds that somebody sees: those of their rights, or all.
fn visible_kinds(app: &App, person: &OnDuty) -> Vec<String> {
    let sees = |matter: &&Matter| {
        [Right::ApprovalsRead, matter.ask, matter.decide].iter().any(|right| person.may(*right))
    };
    app.matters.iter().filter(sees).map(|matter| matter.kind.to_owned()).collect()
}

/// Closes requests that nobody decided on in time; part of a job.
pub(super) async fn expire(app: &App) -> Result<(), sqlx::Error> {
    store::update_expired(&app.db, app.clock.now()).await
}

/// Who asked for something, who decided, and why: what stands behind a deed of two.
pub struct Facts {
    /// `domain.action`.
    pub kind: String,
    /// Why it was asked for.
    pub reason: String,
    /// Who asked.
    pub asked_by: String,
    /// When.
    pub asked_at: DateTime<Utc>,
    /// `open`, `done`, `refused` or `expired`.
    pub state: String,
    /// Who decided.
    pub decided_by: Option<String>,
    /// When.
    pub decided_at: Option<DateTime<Utc>>,
    /// Why.
    pub decision_reason: Option<String>,
}

/// What stands behind a request.
pub async fn find_facts(db: &mut PgConnection, id: Uuid) -> Result<Option<Facts>, sqlx::Error> {
    store::find_facts(db, id).await
}

/// The kind of a request that somebody may see.
pub async fn find_visible_kind(
    app: &App,
    person: &OnDuty,
    id: Uuid,
) -> Result<Option<String>, sqlx::Error> {
    let facts = store::find_facts(&mut *app.db.acquire().await?, id).await?;
    let kinds = visible_kinds(app, person);
    Ok(facts.map(|facts| facts.kind).filter(|kind| kinds.contains(kind)))
}
