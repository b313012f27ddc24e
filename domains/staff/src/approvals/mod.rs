//! Four eyes: what one person asks for is done when another agrees.
//!
//! One mechanism for every domain. A domain brings [`Matter`]s: what may be asked for, which right
//! asking and deciding take, and how it is done. It is done in the transaction that decides, so
//! that nothing is decided without being done. The table itself refuses a decision by whoever
//! asked, who may only take the request back. Open pages of the office hear of every step.

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

use super::finding::FoundThing;
use super::model::OnDuty;
use super::rights::{Asked as _, Right};
use super::socket;
use super::trail::{self, Deed};
use crate::Staff;
use crate::codes;
use platform::Core;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;

/// How long a request waits for somebody to decide.
const LIFE: Duration = Duration::hours(72);

/// What a domain lets people ask for.
#[derive(Clone, Copy)]
pub struct Matter {
    /// `domain.action`.
    pub kind: &'static str,
    /// The right to ask for it.
    pub ask: Right,
    /// The right to decide on it.
    pub decide: Right,
    /// Reads what is asked for: whom or what it is done to, `kind:name`, or why it makes no sense.
    pub subject: fn(&Value) -> Result<String, ApiError>,
    /// Tells people what some of the matter's requests are about.
    pub describe: Describe,
    /// Does it. The id names it for ever: the key of whatever moves money.
    pub execute: Execute,
}

/// How something that was agreed to is done.
pub type Execute = for<'a> fn(
    &'a Core,
    &'a mut PgTransaction<'static>,
    Uuid,
    &'a Value,
) -> BoxFuture<'a, Result<(), ApiError>>;

/// How requests are told to people: what each of the given ones is about, in the same order.
pub type Describe =
    for<'a> fn(&'a mut PgConnection, &'a [Value]) -> BoxFuture<'a, Result<Vec<About>, sqlx::Error>>;

/// Whom and what a request is about, as far as it can be told.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[schema(as = ApprovalAbout)]
pub struct About {
    /// Which of a kind's ways it is: `credit` or `debit` for a correction.
    pub way: Option<String>,
    /// Whom, where it is a member.
    pub member: Option<AboutMember>,
    /// How much, where it is money.
    #[schema(value_type = Option<String>)]
    pub amount: Option<Amount>,
    /// In which currency.
    pub currency: Option<String>,
}

/// A member whom a request is about.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ApprovalMember)]
pub struct AboutMember {
    /// The member.
    pub id: Uuid,
    /// As they log in.
    pub username: String,
}

fn find_matter(app: &Staff, kind: &str) -> Result<Matter, ApiError> {
    let matter = app.matters().iter().find(|matter| matter.kind == kind).copied();
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
async fn ask(app: &Staff, person: &OnDuty, asked: Asked) -> Result<Uuid, ApiError> {
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
        socket::tell_approval(&app, &mut tx, (id, matter.kind, "open")).await?;
        db::commit(tx).await?;
        app.push.wake();
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
async fn decide(
    app: &Staff,
    person: &OnDuty,
    id: Uuid,
    decision: Decision,
) -> Result<(), ApiError> {
    trail::check_reason(&decision.reason)?;
    let (actor, decided_by) = (person.actor(), person.person.id);
    let rights = person.rights.clone();
    // Money follows an agreement at once, and nothing a refusal.
    let proof = if decision.agrees { person.require_proof(app.clock.now()) } else { Ok(()) };
    app.run(move |app| async move {
        let now = app.clock.now();
        let mut tx = app.db.begin().await?;
        let approval = store::lock(&mut tx, id).await?;
        let approval = approval.ok_or_else(|| ApiError::new(codes::UNKNOWN))?;
        let matter = find_matter(&app, &approval.kind)?;
        if !rights.contains(&matter.decide) {
            return Err(ApiError::new(codes::NOT_ALLOWED));
        }
        if approval.asked_by == decided_by {
            return Err(ApiError::new(codes::NOT_YOURSELF));
        }
        require_open(&approval, now)?;
        proof?;
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
        socket::tell_approval(&app, &mut tx, (id, matter.kind, state)).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(())
    })
    .await
}

/// Takes one's own request back.
async fn withdraw(app: &Staff, person: &OnDuty, id: Uuid, reason: String) -> Result<(), ApiError> {
    trail::check_reason(&reason)?;
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
        let deed =
            Deed { reason: Some(&reason), ..Deed::plain("approvals.withdraw", in_trail(id)) };
        trail::record(&app, &mut tx, &actor, deed).await?;
        socket::tell_approval(&app, &mut tx, (id, &approval.kind, "withdrawn")).await?;
        db::commit(tx).await?;
        app.push.wake();
        Ok(())
    })
    .await
}

fn require(person: &OnDuty, right: Right) -> Result<(), ApiError> {
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

/// The kinds that somebody sees: those of their rights, or all.
fn visible_kinds(app: &Staff, person: &OnDuty) -> Vec<String> {
    let sees = |matter: &&Matter| {
        [crate::rights::ApprovalsRead::RIGHT, matter.ask, matter.decide]
            .iter()
            .any(|right| person.may(*right))
    };
    app.matters().iter().filter(sees).map(|matter| matter.kind.to_owned()).collect()
}

/// The kinds that somebody may decide on.
fn decidable_kinds(app: &Staff, person: &OnDuty) -> Vec<String> {
    let decides = app.matters().iter().filter(|matter| person.may(matter.decide));
    decides.map(|matter| matter.kind.to_owned()).collect()
}

/// What requests are about, in their order. One that its matter cannot tell of, because it is an
/// older version's for example, is about nothing that could be told.
async fn describe(app: &Staff, rows: &[ShownRow]) -> Result<Vec<About>, ApiError> {
    let mut told = vec![About::default(); rows.len()];
    let mut connection = app.db.acquire().await?;
    for matter in app.matters() {
        let of_matter = rows.iter().enumerate().filter(|(_, row)| row.kind == matter.kind);
        let (places, asked): (Vec<usize>, Vec<Value>) = of_matter
            .map(|(place, row)| (place, serde_json::from_str(&row.what).unwrap_or_default()))
            .unzip();
        if places.is_empty() {
            continue;
        }
        let abouts = (matter.describe)(&mut connection, &asked).await?;
        for (place, about) in places.into_iter().zip(abouts) {
            told[place] = about;
        }
    }
    Ok(told)
}

/// Closes requests that nobody decided on in time; part of a job.
pub(super) async fn expire(app: &Staff) -> Result<(), sqlx::Error> {
    let mut tx = app.db.begin().await?;
    for (id, kind) in store::update_expired(&mut tx, app.clock.now()).await? {
        socket::tell_approval(app, &mut tx, (id, &kind, "expired")).await?;
    }
    tx.commit().await?;
    app.push.wake();
    Ok(())
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

/// A request by its id, for whoever may see it.
pub(super) async fn find(
    app: &Staff,
    person: &OnDuty,
    text: &str,
) -> Result<Vec<FoundThing>, ApiError> {
    let Ok(id) = text.parse() else { return Ok(Vec::new()) };
    let facts = store::find_facts(&mut *app.db.acquire().await?, id).await?;
    let kinds = visible_kinds(app, person);
    let kind = facts.map(|facts| facts.kind).filter(|kind| kinds.contains(kind));
    let found = kind.map(|kind| FoundThing::new("approval", id, kind, id.to_string()));
    Ok(found.into_iter().collect())
}
