//! The SQL that loads the game catalogue.

use std::collections::BTreeMap;

use capiz_rules::money::{Amount, Currency};
use serde_json::Value;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::game::{Game, Limits, Maintenance, Vendor};
use platform::db;

/// Bounds of one load. They are above any real catalogue; rows beyond them are not offered.
const GAMES_MAX: i64 = 200_000;
const OFFERS_MAX: i64 = 1_000_000;
const VENDORS_MAX: i64 = 2_000;

/// A merchant's own settings for a game (`games_offers`).
#[derive(Clone, Debug)]
pub struct Offer {
    pub(super) merchant_id: Uuid,
    pub(super) game_code: String,
    /// Whether the merchant offers the game.
    pub(super) visible: bool,
    /// The sort position at this merchant; `None` for the catalogue's.
    pub(super) position: Option<i32>,
}

/// A merchant's own limits for a game in a currency (`games_limits`).
pub(super) struct OwnLimits {
    pub(super) merchant_id: Uuid,
    pub(super) game_code: String,
    pub(super) currency: Currency,
    pub(super) limits: Limits,
}

/// All rows of one edition of the catalogue.
pub(super) struct Rows {
    pub(super) edition: i64,
    pub(super) games: Vec<Game>,
    pub(super) vendors: Vec<Vendor>,
    pub(super) offers: Vec<Offer>,
    pub(super) limits: Vec<OwnLimits>,
}

/// The number of the current edition.
pub(super) async fn find_edition(db: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!("select edition from games_editions").fetch_one(db).await
}

/// Loads the whole catalogue in one snapshot.
pub(super) async fn load(pool: &PgPool) -> Result<Rows, sqlx::Error> {
    let mut tx = pool.begin().await?;
    db::use_snapshot(&mut tx).await?;
    let edition = sqlx::query_scalar!("select edition from games_editions").fetch_one(&mut *tx);
    let rows = Rows {
        edition: edition.await?,
        games: list_games(&mut tx).await?,
        vendors: list_vendors(&mut tx).await?,
        offers: list_offers(&mut tx).await?,
        limits: list_limits(&mut tx).await?,
    };
    tx.commit().await?;
    Ok(rows)
}

async fn list_games(db: &mut PgConnection) -> Result<Vec<Game>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select code, vendor, g.vassalage, game_type, name, names, support_play, g.position,
            min_stake, max_stake, max_payout, classify, is_new, is_hot, is_game, platforms,
            client_types, icon_url, g.maintenance, v.maintenance as vendor_maintenance, added_at
         from games_catalogue g join games_vendors v on v.vassalage = g.vassalage
         order by g.position, code limit $1"#,
        GAMES_MAX,
    )
    .fetch_all(db)
    .await?;
    let games = rows.into_iter().map(|row| Game {
        code: row.code,
        vendor: row.vendor,
        vassalage: row.vassalage,
        game_type: row.game_type,
        name: row.name,
        names: texts(row.names),
        support_play: row.support_play,
        limits: Limits {
            min_stake: Amount::from_units(row.min_stake),
            max_stake: Amount::from_units(row.max_stake),
            max_payout: Amount::from_units(row.max_payout),
        },
        position: row.position,
        classify: row.classify,
        is_new: row.is_new,
        is_hot: row.is_hot,
        is_game: row.is_game,
        platforms: row.platforms,
        client_types: row.client_types,
        icon_url: row.icon_url,
        maintenance: Maintenance { game: row.maintenance, vendor: row.vendor_maintenance },
        added_at: row.added_at,
        is_offered: true,
    });
    Ok(games.collect())
}

/// The string values of a JSON object; other values are skipped.
fn texts(value: Value) -> BTreeMap<String, String> {
    let Value::Object(entries) = value else { return BTreeMap::new() };
    let texts = entries.into_iter().filter_map(|(key, value)| match value {
        Value::String(text) => Some((key, text)),
        _ => None,
    });
    texts.collect()
}

async fn list_vendors(db: &mut PgConnection) -> Result<Vec<Vendor>, sqlx::Error> {
    sqlx::query_as!(
        Vendor,
        "select vassalage, display_name, account_type_name, position, maintenance
         from games_vendors order by position, vassalage limit $1",
        VENDORS_MAX,
    )
    .fetch_all(db)
    .await
}

async fn list_offers(db: &mut PgConnection) -> Result<Vec<Offer>, sqlx::Error> {
    sqlx::query_as!(
        Offer,
        "select merchant_id, game_code, visible, position from games_offers limit $1",
        OFFERS_MAX,
    )
    .fetch_all(db)
    .await
}

async fn list_limits(db: &mut PgConnection) -> Result<Vec<OwnLimits>, sqlx::Error> {
    let rows = sqlx::query!(
        "select merchant_id, game_code, currency, min_stake, max_stake, max_payout
         from games_limits limit $1",
        OFFERS_MAX,
    )
    .fetch_all(db)
    .await?;
    let limits = rows.into_iter().map(|row| {
        let currency = row.currency.parse::<Currency>();
        Ok(OwnLimits {
            merchant_id: row.merchant_id,
            game_code: row.game_code,
            currency: currency.map_err(|error| sqlx::Error::Decode(error.into()))?,
            limits: Limits {
                min_stake: Amount::from_units(row.min_stake),
                max_stake: Amount::from_units(row.max_stake),
                max_payout: Amount::from_units(row.max_payout),
            },
        })
    });
    limits.collect()
}
