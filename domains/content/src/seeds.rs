//! The first content of a new merchant, from the JSON files in `seeds`.

use std::sync::LazyLock;

use chrono::{DateTime, Duration, Utc};
use serde::Deserialize;
use serde_json::Value;
use sqlx::PgTransaction;
use uuid::Uuid;

use super::model::{Item, Kind, Texts};
use super::store;
use crate::Content;
use platform::ids::new_id;

const FILES: &[&str] = &[
    include_str!("../seeds/announcements.json"),
    include_str!("../seeds/banners.json"),
    include_str!("../seeds/downloads.json"),
    include_str!("../seeds/help.json"),
    include_str!("../seeds/notices.json"),
    include_str!("../seeds/pages.json"),
    include_str!("../seeds/promotions.json"),
];

static SEEDS: LazyLock<Result<Vec<Seed>, serde_json::Error>> = LazyLock::new(|| {
    let read = FILES.iter().map(|text| serde_json::from_str::<Vec<Seed>>(text));
    Ok(read.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
});

/// A content item in a seed file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Seed {
    kind: Kind,
    slot: Option<String>,
    position: i32,
    data: Value,
    texts: Texts,
    /// Start, in days after the first content is created; a negative number lies before it.
    starts_after_days: Option<i64>,
    /// End, in days after the first content is created.
    ends_after_days: Option<i64>,
}

impl Seed {
    fn item(&self, merchant_id: Uuid, now: DateTime<Utc>) -> Item {
        let after = |days: i64| now + Duration::days(days);
        Item {
            id: new_id(now),
            merchant_id,
            kind: self.kind,
            slot: self.slot.clone().unwrap_or_default(),
            position: self.position,
            is_shown: true,
            starts_at: self.starts_after_days.map(after),
            ends_at: self.ends_after_days.map(after),
            data: self.data.clone(),
            texts: self.texts.clone(),
            created_at: now,
            updated_at: now,
        }
    }
}

/// Creates the first content of a merchant. Does nothing if that was done before, even if the
/// content has been deleted since.
pub async fn create_first_content(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    if !store::insert_first_content_mark(tx, merchant_id, now).await? {
        return Ok(());
    }
    let unreadable = |error: &serde_json::Error| sqlx::Error::Decode(error.to_string().into());
    let seeds = SEEDS.as_ref().map_err(unreadable)?;
    let items: Vec<_> = seeds.iter().map(|seed| seed.item(merchant_id, now)).collect();
    store::insert_first_content(tx, &items).await
}

/// Creates the first content of merchants that do not have it yet. Runs at start-up.
pub async fn create_missing(app: &Content) -> Result<(), sqlx::Error> {
    let merchants = app.site.sites.all(&app.db).await?;
    let ids: Vec<_> = merchants.iter().map(|merchant| merchant.id).collect();
    let done = store::list_with_first_content(&app.db, &ids).await?;
    for merchant_id in ids.into_iter().filter(|id| !done.contains(id)) {
        let mut tx = app.db.begin().await?;
        create_first_content(&mut tx, merchant_id, app.clock.now()).await?;
        tx.commit().await?;
    }
    Ok(())
}
