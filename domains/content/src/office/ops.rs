//! Adding, changing, deleting, restoring and ordering content.

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
use staff::{Actor, AuditEntry};

/// The most content items that a merchant may have.
const ITEMS_MAX: i64 = 2_000;

/// Who makes a change, for which merchant and why.
pub(super) struct ChangeContext {
    pub(super) actor: Actor,
    pub(super) merchant_id: Uuid,
    pub(super) reason: String,
}

/// A change of one content item.
struct Change<'a> {
    id: Uuid,
    kind: Kind,
    action: &'static str,
    /// The number of the new version.
    version: i32,
    before: Option<&'a ContentValue>,
    after: Option<&'a ContentValue>,
}

/// Adds a content item after the others of its kind.
pub(super) async fn add(
    app: &Content,
    context: ChangeContext,
    kind: Kind,
    value: ContentValue,
) -> Result<Row, ApiError> {
    staff::check_reason(&context.reason)?;
    let value = value.checked(kind)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let code = lock(&mut tx, context.merchant_id).await?;
        if store::count(&mut tx, context.merchant_id).await? >= ITEMS_MAX {
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
        apply(&app, tx, &context, &code, change).await?;
        get(&app, context.merchant_id, id).await
    })
    .await
}

/// Changes a content item. Refused with `STALE` if there is a newer version than the editor saw.
pub(super) async fn change(
    app: &Content,
    context: ChangeContext,
    id: Uuid,
    seen_version: i32,
    value: ContentValue,
) -> Result<Row, ApiError> {
    staff::check_reason(&context.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let code = lock(&mut tx, context.merchant_id).await?;
        let (row, kind) = find_unchanged(&mut tx, context.merchant_id, id, seen_version).await?;
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
        apply(&app, tx, &context, &code, change).await?;
        get(&app, context.merchant_id, id).await
    })
    .await
}

/// Deletes a content item. Its versions stay, so it can be restored.
pub(super) async fn delete(
    app: &Content,
    context: ChangeContext,
    id: Uuid,
    seen_version: i32,
) -> Result<(), ApiError> {
    staff::check_reason(&context.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let code = lock(&mut tx, context.merchant_id).await?;
        let (row, kind) = find_unchanged(&mut tx, context.merchant_id, id, seen_version).await?;
        let before = row.value();
        let change = Change {
            id,
            kind,
            action: "content.delete",
            version: seen_version + 1,
            before: Some(&before),
            after: None,
        };
        apply(&app, tx, &context, &code, change).await
    })
    .await
}

/// Restores a version of a content item, even if the item has been deleted since.
pub(super) async fn restore(
    app: &Content,
    context: ChangeContext,
    id: Uuid,
    version: i32,
    seen_version: i32,
) -> Result<Row, ApiError> {
    staff::check_reason(&context.reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let code = lock(&mut tx, context.merchant_id).await?;
        let versions = store::list_versions(&mut tx, context.merchant_id, id).await?;
        let latest = versions.first().ok_or_else(unknown)?;
        if latest.version != seen_version {
            return Err(ApiError::new(site::codes::STALE));
        }
        let kind = Kind::parse(&latest.kind).ok_or_else(unknown)?;
        let old = versions.iter().find(|found| found.version == version);
        let old = old.and_then(|found| found.value.as_ref());
        let old = old.ok_or_else(|| ApiError::fields([("version", "unknown")]))?;
        // Validated again, because the rules may have changed since.
        let value = old.0.clone().checked(kind)?;
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
        apply(&app, tx, &context, &code, change).await?;
        get(&app, context.merchant_id, id).await
    })
    .await
}

/// Sets the order of all items of a kind and slot, or of the whole kind if it is one list. Refused
/// with `STALE` unless `ids` are exactly these items.
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
        let is_in_list = |row: &&Row| kind.is_one_list() || row.slot == slot;
        let before: Vec<_> = rows.iter().filter(is_in_list).map(|row| row.id).collect();
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
        let entry = AuditEntry { action: "content.order", subject, before, after, reason: None };
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        commit(&app, tx, merchant_id).await?;
        let mut db = app.db.acquire().await?;
        Ok(store::list(&mut db, merchant_id, Some(kind)).await?)
    })
    .await
}

fn unknown() -> ApiError {
    ApiError::new(platform::codes::REQUEST_NOT_FOUND)
}

/// Locks the merchant's row, so that changes of its content run one at a time, and gives its code.
async fn lock(tx: &mut PgTransaction<'_>, merchant_id: Uuid) -> Result<String, ApiError> {
    let code = site::lock_merchant(tx, merchant_id).await?;
    code.ok_or_else(|| ApiError::new(site::codes::UNKNOWN_MERCHANT))
}

/// The item, if the version that the editor saw is still the current one.
async fn find_unchanged(
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

/// Writes a change with its version, audit log entry and push event, and commits.
async fn apply(
    app: &Content,
    mut tx: PgTransaction<'_>,
    context: &ChangeContext,
    code: &str,
    change: Change<'_>,
) -> Result<(), ApiError> {
    let Change { id, kind, action, version, before, after } = change;
    if let Some(value) = after {
        check_section(&mut tx, context.merchant_id, kind, &value.data).await?;
    }
    let reason = context.reason.trim();
    let new = NewVersion {
        id,
        merchant_id: context.merchant_id,
        kind,
        version,
        value: after,
        changed_by: context.actor.id(),
        actor: context.actor.name(),
        reason,
        at: app.clock.now(),
    };
    store::write(&mut tx, &new).await.map_err(map_conflict)?;
    let title = after.or(before).map(|value| title_of(kind, value)).unwrap_or_default();
    let subject = format!("content:{code}/{}/{title}", kind.text());
    let (before, after) = (before.map(|value| json!(value)), after.map(|value| json!(value)));
    let entry = AuditEntry { action, subject, before, after, reason: Some(reason) };
    staff::record(&app.staff, &mut tx, &context.actor, entry).await?;
    commit(app, tx, context.merchant_id).await
}

/// The title of an item in the audit log.
fn title_of(kind: Kind, value: &ContentValue) -> String {
    let titles = value.texts.values().filter_map(|fields| fields.get(kind.headline()));
    titles.map(|title| title.chars().take(60).collect()).next().unwrap_or_default()
}

/// Checks that the section of a help article exists.
async fn check_section(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    kind: Kind,
    data: &Value,
) -> Result<(), ApiError> {
    if kind != Kind::HelpArticle {
        return Ok(());
    }
    let article = serde_json::from_value::<ArticleData>(data.clone()).ok();
    let sections = store::list(tx, merchant_id, Some(Kind::HelpSection)).await?;
    let exists = article.is_some_and(|data| {
        sections.iter().any(|row| data.section == row.slot || data.section == row.id.to_string())
    });
    match exists {
        true => Ok(()),
        false => Err(ApiError::fields([("data.section", "unknown")])),
    }
}

/// Maps violations of unique constraints (a slot or slug that another item has) to API errors.
fn map_conflict(error: sqlx::Error) -> ApiError {
    let constraint = error.as_database_error().and_then(|error| error.constraint());
    match constraint {
        Some("site_content_slot") => ApiError::fields([("slot", "taken")]),
        Some("site_content_slug") => ApiError::fields([("data.slug", "taken")]),
        _ => error.into(),
    }
}

/// Records the push event, commits and clears this node's cache. Other nodes see the change within
/// a second, when they check the edition.
async fn commit(
    app: &Content,
    mut tx: PgTransaction<'_>,
    merchant_id: Uuid,
) -> Result<(), ApiError> {
    let now = app.clock.now();
    let topic = Topic::Site(merchant_id).key();
    push::record(&mut tx, new_id(now), &topic, &json!({ "type": "settings" }), now).await?;
    let committed = db::commit(tx).await;
    // Even a failed commit may have been applied, so the cache is cleared in any case.
    app.library.refresh().await;
    committed?;
    app.push.wake();
    Ok(())
}
