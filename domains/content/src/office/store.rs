//! SQL for content and its versions in the office.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::types::Json;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::values::ContentValue;
use crate::model::{Kind, Texts};

/// The most items in a list; a merchant can have no more.
const ROWS_MAX: i64 = 2_000;
const VERSIONS_MAX: i64 = 100;

/// A content item as the office sees it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) kind: String,
    pub(super) slot: String,
    pub(super) position: i32,
    pub(super) is_shown: bool,
    pub(super) starts_at: Option<DateTime<Utc>>,
    pub(super) ends_at: Option<DateTime<Utc>>,
    pub(super) data: Value,
    pub(super) texts: Json<Texts>,
    pub(super) version: i32,
    pub(super) updated_at: DateTime<Utc>,
    pub(super) updated_by: String,
}

impl Row {
    pub(super) fn value(&self) -> ContentValue {
        ContentValue {
            slot: self.slot.clone(),
            is_shown: self.is_shown,
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            data: self.data.clone(),
            texts: self.texts.0.clone(),
        }
    }
}

/// All items of a merchant in display order, or only those of a kind.
pub(super) async fn list(
    db: &mut PgConnection,
    merchant_id: Uuid,
    kind: Option<Kind>,
) -> Result<Vec<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        r#"select id, kind, slot, position, is_shown, starts_at, ends_at, data,
            texts as "texts: Json<Texts>", version, updated_at, updated_by
         from site_content where merchant_id = $1 and ($2::text is null or kind = $2)
         order by kind, case kind when 'help_section' then '' else slot end, position, id
         limit $3"#,
        merchant_id,
        kind.map(Kind::text),
        ROWS_MAX,
    )
    .fetch_all(db)
    .await
}

pub(super) async fn find(
    db: &mut PgConnection,
    merchant_id: Uuid,
    id: Uuid,
) -> Result<Option<Row>, sqlx::Error> {
    sqlx::query_as!(
        Row,
        r#"select id, kind, slot, position, is_shown, starts_at, ends_at, data,
            texts as "texts: Json<Texts>", version, updated_at, updated_by
         from site_content where merchant_id = $1 and id = $2"#,
        merchant_id,
        id,
    )
    .fetch_optional(db)
    .await
}

/// How many content items a merchant has.
pub(super) async fn count(db: &mut PgConnection, merchant_id: Uuid) -> Result<i64, sqlx::Error> {
    let count = sqlx::query_scalar!(
        r#"select count(*) as "count!" from site_content where merchant_id = $1"#,
        merchant_id,
    );
    count.fetch_one(db).await
}

/// A version to insert.
pub(super) struct NewVersion<'a> {
    pub(super) id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) kind: Kind,
    pub(super) version: i32,
    /// `None` deletes the item.
    pub(super) value: Option<&'a ContentValue>,
    pub(super) changed_by: Option<Uuid>,
    pub(super) actor: &'a str,
    pub(super) reason: &'a str,
    pub(super) at: DateTime<Utc>,
}

/// Inserts a version and makes it the current one.
pub(super) async fn write(
    tx: &mut PgTransaction<'_>,
    new: &NewVersion<'_>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into site_content_versions
            (content_id, version, merchant_id, kind, value, changed_by, actor, reason, at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        new.id,
        new.version,
        new.merchant_id,
        new.kind.text(),
        new.value.map(|value| json!(value)),
        new.changed_by,
        new.actor,
        new.reason,
        new.at,
    )
    .execute(&mut **tx)
    .await?;
    match new.value {
        Some(value) => upsert(tx, new, value).await,
        None => delete(tx, new.merchant_id, new.id).await,
    }
}

/// Writes the current value of an item. A new item goes after the others of its kind.
async fn upsert(
    tx: &mut PgTransaction<'_>,
    new: &NewVersion<'_>,
    value: &ContentValue,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into site_content (id, merchant_id, kind, slot, position, is_shown, starts_at,
            ends_at, data, texts, version, created_at, updated_at, updated_by)
         select $1, $2, $3, $4, coalesce(max(position), 0) + 1, $5, $6, $7, $8, $9, $10, $11, $11,
            $12
         from site_content where merchant_id = $2 and kind = $3
         on conflict (id) do update set slot = excluded.slot, is_shown = excluded.is_shown,
            starts_at = excluded.starts_at, ends_at = excluded.ends_at, data = excluded.data,
            texts = excluded.texts, version = excluded.version,
            updated_at = excluded.updated_at, updated_by = excluded.updated_by",
        new.id,
        new.merchant_id,
        new.kind.text(),
        value.slot,
        value.is_shown,
        value.starts_at,
        value.ends_at,
        value.data,
        json!(value.texts),
        new.version,
        new.at,
        new.actor,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

async fn delete(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from site_content where merchant_id = $1 and id = $2", merchant_id, id)
        .execute(&mut **tx)
        .await
        .map(drop)
}

/// Sets the positions of items to their order in `ids`.
pub(super) async fn write_order(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    ids: &[Uuid],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        r#"update site_content c set position = o.place::int
         from unnest($2::uuid[]) with ordinality as o (id, place)
         where c.merchant_id = $1 and c.id = o.id"#,
        merchant_id,
        ids,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A stored version.
pub(super) struct Version {
    pub(super) version: i32,
    pub(super) kind: String,
    pub(super) value: Option<Json<ContentValue>>,
    pub(super) actor: String,
    pub(super) reason: String,
    pub(super) at: DateTime<Utc>,
}

/// The versions of an item, newest first.
pub(super) async fn list_versions(
    db: &mut PgConnection,
    merchant_id: Uuid,
    id: Uuid,
) -> Result<Vec<Version>, sqlx::Error> {
    sqlx::query_as!(
        Version,
        r#"select version, kind, value as "value: Json<ContentValue>", actor, reason, at
         from site_content_versions where merchant_id = $1 and content_id = $2
         order by version desc limit $3"#,
        merchant_id,
        id,
        VERSIONS_MAX,
    )
    .fetch_all(db)
    .await
}
