//! SQL for reading all content into the cache, and for first content.
//! The office has its own SQL in `office/store.rs`, files in `files/store.rs`.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::types::Json;
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::model::{Item, Kind, Texts};
use platform::db;

/// The most items that are read; further ones are not shown. Far more than all sites have together.
const ITEMS_MAX: i64 = 100_000;

/// The current edition number.
pub(super) async fn find_edition(db: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!("select edition from site_editions").fetch_one(db).await
}

/// All shown content in its order with its edition number, read in one database snapshot.
pub(super) async fn load(pool: &PgPool) -> Result<(i64, Vec<Item>), sqlx::Error> {
    let mut tx = pool.begin().await?;
    db::use_snapshot(&mut tx).await?;
    let edition = sqlx::query_scalar!("select edition from site_editions").fetch_one(&mut *tx);
    let edition = edition.await?;
    let rows = sqlx::query!(
        r#"select id, merchant_id, kind, slot, position, is_shown, starts_at, ends_at, data,
            texts as "texts: Json<Texts>", created_at, updated_at
         from site_content where is_shown
         order by merchant_id, kind, case kind when 'help_section' then '' else slot end, position,
            id limit $1"#,
        ITEMS_MAX,
    )
    .fetch_all(&mut *tx)
    .await?;
    tx.commit().await?;
    let items = rows.into_iter().filter_map(|row| {
        Some(Item {
            id: row.id,
            merchant_id: row.merchant_id,
            kind: Kind::parse(&row.kind)?,
            slot: row.slot,
            position: row.position,
            is_shown: row.is_shown,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            data: row.data,
            texts: row.texts.0,
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    });
    Ok((edition, items.collect()))
}

/// Which of these merchants have received their first content.
pub(super) async fn list_with_first_content(
    db: &PgPool,
    among: &[Uuid],
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select merchant_id from site_content_founded where merchant_id = any($1)",
        among,
    )
    .fetch_all(db)
    .await
}

/// Marks a merchant as having received its first content. Gives false if it was marked before.
pub(super) async fn insert_first_content_mark(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "insert into site_content_founded (merchant_id, at) values ($1, $2) on conflict do nothing",
        merchant_id,
        now,
    )
    .execute(&mut **tx)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Inserts many items in one batch, each with its first version. The author is the server itself.
#[expect(clippy::as_conversions, reason = "query! reads the parameter type from the cast")]
pub(super) async fn insert_first_content(
    tx: &mut PgTransaction<'_>,
    items: &[Item],
) -> Result<(), sqlx::Error> {
    let texts_of = |text: fn(&Item) -> String| items.iter().map(text).collect::<Vec<_>>();
    let ids: Vec<Uuid> = items.iter().map(|item| item.id).collect();
    let merchants: Vec<Uuid> = items.iter().map(|item| item.merchant_id).collect();
    let positions: Vec<i32> = items.iter().map(|item| item.position).collect();
    let starts: Vec<Option<DateTime<Utc>>> = items.iter().map(|item| item.starts_at).collect();
    let ends: Vec<Option<DateTime<Utc>>> = items.iter().map(|item| item.ends_at).collect();
    let created: Vec<DateTime<Utc>> = items.iter().map(|item| item.created_at).collect();
    let data: Vec<Value> = items.iter().map(|item| item.data.clone()).collect();
    let texts: Vec<Value> = items.iter().map(|item| serde_json::json!(item.texts)).collect();
    sqlx::query!(
        "insert into site_content (id, merchant_id, kind, slot, position, is_shown, starts_at,
            ends_at, data, texts, version, created_at, updated_at, updated_by)
         select id, merchant_id, kind, slot, position, true, starts_at, ends_at, data, texts, 1,
            created_at, created_at, 'capiz'
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::int[],
            $6::timestamptz[], $7::timestamptz[], $8::jsonb[], $9::jsonb[], $10::timestamptz[])
            as given (id, merchant_id, kind, slot, position, starts_at, ends_at, data, texts,
                created_at)",
        &ids,
        &merchants,
        &texts_of(|item| item.kind.text().to_owned()),
        &texts_of(|item| item.slot.clone()),
        &positions,
        &starts as &[Option<DateTime<Utc>>],
        &ends as &[Option<DateTime<Utc>>],
        &data,
        &texts,
        &created,
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into site_content_versions
            (content_id, version, merchant_id, kind, value, actor, reason, at)
         select id, version, merchant_id, kind, jsonb_build_object('slot', slot,
            'isShown', is_shown, 'startsAt', starts_at, 'endsAt', ends_at, 'data', data,
            'texts', texts), updated_by, 'As every site begins', created_at
         from site_content where id = any($1)",
        &ids,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}
