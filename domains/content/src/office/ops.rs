//! Changing content, and bringing it back as it was.

use serde_json::{Value, json};
use sqlx::PgTransaction;
use uuid::Uuid;

use super::store::{self, NewVersion, Row};
use super::values::ContentValue;
use crate::Content;
use crate::model::{ArticleData, Kind};
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};
use staff::{Actor, Deed};

/// How much a merchant may have.
const ITEMS_MOST: i64 = 2_000;

/// Who changes something of which merchant, and why.
pub(super) struct Why {
    pub(super) actor: Actor,
    pub(super) merchant_id: Uuid,
    pub(super) reason: String,
}

/// A change of one piece of content, in its transaction.
struct Change<'a> {
    id: Uuid,
    kind: Kind,
    action: &'static str,
    version: i32,
    before: Option<&'a ContentValue>,
    after: Option<&'a ContentValue>,
}

/// Adds a piece of content after the others of its kind.
pub(super) async fn add(
    app: &Content,
    why: Why,
    kind: Kind,
    value: ContentValue,
) -> Result<Row, ApiError> {
    staff::check_reason(&why.reason)?;
    let value = value.checked(kind)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let code = lock(&mut tx, why.merchant_id).await?;
        if store::count(&mut tx, why.merchant_id).await? >= ITEMS_MOST {
            return Err(ApiError::fields([("kind", "too_many")]));
        }
        let id = new_id(app.clock.now());
        let change = Change {
            id,
            kind,
            action: "content.add",
            version: 1,
            before: None,
            after: Some(&value),
        };
        apply(&app, tx, &why, &code, change).await?;
        get(&app, why.merchant_id, id).await
    })
    .await
}

/// Changes a piece of content.
pub(super) async fn change(
    app: &Content,
    why: Why,
    id: Uuid,
    seen_version: i32,
    value: ContentValue,
) -> Result<Row, ApiError> {
    staff::check_reason(&why.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let code = lock(&mut tx, why.merchant_id).await?;
        let (row, kind) = seen(&mut tx, why.merchant_id, id, seen_version).await?;
        let (before, value) = (row.value(), value.checked(kind)?);
        if before == value {
            return Err(ApiError::fields([("value", "unchanged")]));
        }
        let change = Change {
            id,
            kind,
            action: "content.change",
            version: seen_version + 1,
            before: Some(&before),
            after: Some(&value),
        };
        apply(&app, tx, &why, &code, change).await?;
        get(&app, why.merchant_id, id).await
    })
    .await
}

/// Deletes a piece of content; its versions stay.
pub(super) async fn delete(
    app: &Content,
    why: Why,
    id: Uuid,
    seen_version: i32,
) -> Result<(), ApiError> {
    staff::check_reason(&why.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let code = lock(&mut tx, why.merchant_id).await?;
        let (row, kind) = seen(&mut tx, why.merchant_id, id, seen_version).await?;
        let before = row.value();
        let change = Change {
            id,
            kind,
            action: "content.delete",
            version: seen_version + 1,
            before: Some(&before),
            after: None,
        };
        apply(&app, tx, &why, &code, change).await
    })
    .await
}

/// Brings a piece of content back as it was in a version, also where it was deleted since.
pub(super) async fn restore(
    app: &Content,
    why: Why,
    id: Uuid,
    version: i32,
    seen_version: i32,
) -> Result<Row, ApiError> {
    staff::check_reason(&why.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let code = lock(&mut tx, why.merchant_id).await?;
        let versions = store::list_versions(&mut tx, why.merchant_id, id).await?;
        let latest = versions.first().ok_or_else(unknown)?;
        if latest.version != seen_version {
            return Err(ApiError::new(site::codes::STALE));
        }
        let kind = Kind::parse(&latest.kind).ok_or_else(unknown)?;
        let wanted = versions.iter().find(|found| found.version == version);
        let wanted = wanted.and_then(|found| found.value.as_ref());
        let wanted = wanted.ok_or_else(|| ApiError::fields([("version", "unknown")]))?;
        // What was allowed then may not be so any more.
        let value = wanted.0.clone().checked(kind)?;
        let before = latest.value.as_ref().map(|value| &value.0);
        if before == Some(&value) {
            return Err(ApiError::fields([("version", "unchanged")]));
        }
        let change = Change {
            id,
            kind,
            action: "content.restore",
            version: seen_version + 1,
            before,
            after: Some(&value),
        };
        apply(&app, tx, &why, &code, change).await?;
        get(&app, why.merchant_id, id).await
    })
    .await
}

/// Puts everything of a kind and slot in an order; of a kind that is one list, all of it.
pub(super) async fn order(
    app: &Content,
    actor: Actor,
    merchant_id: Uuid,
    (kind, slot): (Kind, String),
    ids: Vec<Uuid>,
) -> Result<Vec<Row>, ApiError> {
    if ids.is_empty() {
        return Err(ApiError::fields([("ids", "required")]));
    }
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let code = lock(&mut tx, merchant_id).await?;
        let rows = store::list(&mut tx, merchant_id, Some(kind)).await?;
        let beside = |row: &&Row| kind.is_one_list() || row.slot == slot;
        let before: Vec<_> = rows.iter().filter(beside).map(|row| row.id).collect();
        let sorted = |ids: &[Uuid]| {
            let mut ids = ids.to_vec();
            ids.sort_unstable();
            ids
        };
        if sorted(&before) != sorted(&ids) {
            return Err(ApiError::new(site::codes::STALE));
        }
        store::write_order(&mut tx, merchant_id, &ids).await?;
        let subject = format!("content:{code}/{}/{slot}", kind.text());
        let subject = subject.trim_end_matches('/').to_owned();
        let (before, after) = (Some(json!(before)), Some(json!(ids)));
        let deed = Deed { action: "content.order", subject, before, after, reason: None };
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
        finish(&app, tx, merchant_id).await?;
        let mut db = app.db.acquire().await?;
        Ok(store::list(&mut db, merchant_id, Some(kind)).await?)
    })
    .await
}

fn unknown() -> ApiError {
    ApiError::new(platform::codes::REQUEST_NOT_FOUND)
}

async fn lock(tx: &mut PgTransaction<'_>, merchant_id: Uuid) -> Result<String, ApiError> {
    let code = site::lock_merchant(tx, merchant_id).await?;
    code.ok_or_else(|| ApiError::new(site::codes::UNKNOWN_MERCHANT))
}

/// The content that somebody saw, if it is still the same.
async fn seen(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    id: Uuid,
    seen_version: i32,
) -> Result<(Row, Kind), ApiError> {
    let row = store::find(tx, merchant_id, id).await?.ok_or_else(unknown)?;
    let kind = Kind::parse(&row.kind).ok_or_else(unknown)?;
    match row.version == seen_version {
        true => Ok((row, kind)),
        false => Err(ApiError::new(site::codes::STALE)),
    }
}

async fn get(app: &Content, merchant_id: Uuid, id: Uuid) -> Result<Row, ApiError> {
    let mut db = app.db.acquire().await?;
    store::find(&mut db, merchant_id, id).await?.ok_or_else(unknown)
}

/// Writes a change with its version and its deed, and commits.
async fn apply(
    app: &Content,
    mut tx: PgTransaction<'_>,
    why: &Why,
    code: &str,
    change: Change<'_>,
) -> Result<(), ApiError> {
    let Change { id, kind, action, version, before, after } = change;
    if let Some(value) = after {
        check_section(&mut tx, why.merchant_id, kind, &value.data).await?;
    }
    let reason = why.reason.trim();
    let new = NewVersion {
        id,
        merchant_id: why.merchant_id,
        kind,
        version,
        value: after,
        changed_by: why.actor.id(),
        actor: why.actor.name(),
        reason,
        at: app.clock.now(),
    };
    store::write(&mut tx, &new).await.map_err(taken)?;
    let named = after.or(before).map(|value| title(kind, value)).unwrap_or_default();
    let subject = format!("content:{code}/{}/{named}", kind.text());
    let (before, after) = (before.map(|value| json!(value)), after.map(|value| json!(value)));
    let deed = Deed { action, subject, before, after, reason: Some(reason) };
    staff::record(&app.staff, &mut tx, &why.actor, deed).await?;
    finish(app, tx, why.merchant_id).await
}

/// What the trail calls it.
fn title(kind: Kind, value: &ContentValue) -> String {
    let titles = value.texts.values().filter_map(|words| words.get(kind.headline()));
    titles.map(|title| title.chars().take(60).collect()).next().unwrap_or_default()
}

/// An article stands in a section that there is.
async fn check_section(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    kind: Kind,
    data: &Value,
) -> Result<(), ApiError> {
    if kind != Kind::HelpArticle {
        return Ok(());
    }
    let named = serde_json::from_value::<ArticleData>(data.clone()).ok();
    let sections = store::list(tx, merchant_id, Some(Kind::HelpSection)).await?;
    let is_there = named.is_some_and(|data| {
        sections.iter().any(|row| data.section == row.slot || data.section == row.id.to_string())
    });
    match is_there {
        true => Ok(()),
        false => Err(ApiError::fields([("data.section", "unknown")])),
    }
}

/// Names and slots belong to one piece of content each.
fn taken(error: sqlx::Error) -> ApiError {
    let constraint = error.as_database_error().and_then(|error| error.constraint());
    match constraint {
        Some("site_content_slot") => ApiError::fields([("slot", "taken")]),
        Some("site_content_slug") => ApiError::fields([("data.slug", "taken")]),
        _ => error.into(),
    }
}

/// Commits; this node knows at once, open pages hear of it, other nodes follow within a second.
async fn finish(
    app: &Content,
    mut tx: PgTransaction<'_>,
    merchant_id: Uuid,
) -> Result<(), ApiError> {
    let now = app.clock.now();
    let topic = Topic::Site(merchant_id).key();
    push::record(&mut tx, new_id(now), &topic, &json!({ "type": "settings" }), now).await?;
    let committed = db::commit(tx).await;
    // Whatever became of the commit, the database is asked next.
    app.library.refresh().await;
    committed?;
    app.push.wake();
    Ok(())
}
