//! The SQL that changes the catalogue.

use std::collections::BTreeMap;

use capiz_rules::money::Amount;
use sqlx::{PgConnection, PgTransaction};
use uuid::Uuid;

use super::values::{GameValue, LimitsValue, OfferValue, VendorValue};

/// Locks the row of a vendor and returns what can be changed.
pub(super) async fn lock_vendor(
    tx: &mut PgTransaction<'_>,
    vassalage: &str,
) -> Result<Option<VendorValue>, sqlx::Error> {
    sqlx::query_as!(
        VendorValue,
        "select display_name, position, maintenance from games_vendors where vassalage = $1
         for update",
        vassalage,
    )
    .fetch_optional(&mut **tx)
    .await
}

pub(super) async fn update_vendor(
    tx: &mut PgTransaction<'_>,
    vassalage: &str,
    value: &VendorValue,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update games_vendors set display_name = $2, position = $3, maintenance = $4
         where vassalage = $1",
        vassalage,
        value.display_name,
        value.position,
        value.maintenance,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Locks the row of a game and returns what can be changed.
pub(super) async fn lock_game(
    tx: &mut PgTransaction<'_>,
    code: &str,
) -> Result<Option<GameValue>, sqlx::Error> {
    sqlx::query_as!(
        GameValue,
        "select is_new, is_hot, position, maintenance from games_catalogue where code = $1
         for update",
        code,
    )
    .fetch_optional(&mut **tx)
    .await
}

pub(super) async fn update_game(
    tx: &mut PgTransaction<'_>,
    code: &str,
    value: &GameValue,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update games_catalogue set is_new = $2, is_hot = $3, position = $4, maintenance = $5
         where code = $1",
        code,
        value.is_new,
        value.is_hot,
        value.position,
        value.maintenance,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A merchant's offer of a game. To change the offer, lock the row of the game first.
pub(super) async fn find_offer(
    db: &mut PgConnection,
    merchant_id: Uuid,
    code: &str,
) -> Result<OfferValue, sqlx::Error> {
    let offer = sqlx::query!(
        "select visible, position from games_offers where merchant_id = $1 and game_code = $2",
        merchant_id,
        code,
    )
    .fetch_optional(&mut *db)
    .await?;
    let limits = list_limits(db, merchant_id, code).await?;
    Ok(match offer {
        Some(offer) => OfferValue { visible: offer.visible, position: offer.position, limits },
        None => OfferValue { limits, ..OfferValue::default() },
    })
}

async fn list_limits(
    db: &mut PgConnection,
    merchant_id: Uuid,
    code: &str,
) -> Result<BTreeMap<String, LimitsValue>, sqlx::Error> {
    let rows = sqlx::query!(
        "select currency, min_stake, max_stake, max_payout from games_limits
         where merchant_id = $1 and game_code = $2 limit 100",
        merchant_id,
        code,
    )
    .fetch_all(db)
    .await?;
    let limits = rows.into_iter().map(|row| {
        let value = LimitsValue {
            min_stake: Amount::from_units(row.min_stake),
            max_stake: Amount::from_units(row.max_stake),
            max_payout: Amount::from_units(row.max_payout),
        };
        (row.currency, value)
    });
    Ok(limits.collect())
}

/// Writes a merchant's offer of a game, and replaces its limits.
pub(super) async fn write_offer(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    code: &str,
    value: &OfferValue,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into games_offers (merchant_id, game_code, visible, position)
         values ($1, $2, $3, $4)
         on conflict (merchant_id, game_code) do update
            set visible = excluded.visible, position = excluded.position",
        merchant_id,
        code,
        value.visible,
        value.position,
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "delete from games_limits where merchant_id = $1 and game_code = $2",
        merchant_id,
        code,
    )
    .execute(&mut **tx)
    .await?;
    for (currency, limits) in &value.limits {
        sqlx::query!(
            "insert into games_limits
                (merchant_id, game_code, currency, min_stake, max_stake, max_payout)
             values ($1, $2, $3, $4, $5, $6)",
            merchant_id,
            code,
            currency,
            limits.min_stake.units(),
            limits.max_stake.units(),
            limits.max_payout.units(),
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}
