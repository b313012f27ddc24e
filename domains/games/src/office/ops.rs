//! Changing the catalogue. Everybody says what they saw: what was changed meanwhile is not
//! overwritten unseen.

use serde::Serialize;
use serde_json::{Value, json};
use sqlx::PgTransaction;
use uuid::Uuid;

use super::store;
use super::values::{GameValue, OfferValue, VendorValue};
use crate::Games;
use crate::codes;
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};
use site::Merchant;
use staff::{Actor, Deed};

/// A change that somebody asks for.
pub(super) struct Change<V> {
    /// How it was when it was looked at.
    pub(super) seen: V,
    /// How it shall be.
    pub(super) value: V,
    pub(super) reason: String,
}

impl<V: PartialEq + Serialize> Change<V> {
    /// Whether it can be made where this is in force.
    fn check(&self, in_force: &V) -> Result<(), ApiError> {
        if *in_force != self.seen {
            return Err(ApiError::new(site::codes::STALE));
        }
        match self.seen == self.value {
            true => Err(ApiError::fields([("value", "unchanged")])),
            false => Ok(()),
        }
    }

    fn deed(&self, action: &'static str, subject: String) -> Deed<'_> {
        let (before, after): (Value, Value) = (json!(self.seen), json!(self.value));
        let reason = Some(self.reason.trim());
        Deed { action, subject, before: Some(before), after: Some(after), reason }
    }
}

/// Changes a vendor.
pub(super) async fn change_vendor(
    app: &Games,
    actor: Actor,
    vassalage: String,
    change: Change<VendorValue>,
) -> Result<(), ApiError> {
    staff::check_reason(&change.reason)?;
    change.value.check()?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let in_force = store::lock_vendor(&mut tx, &vassalage).await?;
        let in_force = in_force.ok_or_else(|| ApiError::new(codes::UNKNOWN_VENDOR))?;
        change.check(&in_force)?;
        store::update_vendor(&mut tx, &vassalage, &change.value).await?;
        let deed = change.deed("games.vendor", format!("vendor:{vassalage}"));
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
        let merchants = app.site.sites.all(&app.db).await?;
        finish(&app, tx, merchants.iter().map(|merchant| merchant.id).collect()).await
    })
    .await
}

/// Changes a game for all merchants.
pub(super) async fn change_game(
    app: &Games,
    actor: Actor,
    code: String,
    change: Change<GameValue>,
) -> Result<(), ApiError> {
    staff::check_reason(&change.reason)?;
    change.value.check()?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let in_force = store::lock_game(&mut tx, &code).await?;
        let in_force = in_force.ok_or_else(|| ApiError::new(codes::UNKNOWN_GAME))?;
        change.check(&in_force)?;
        store::update_game(&mut tx, &code, &change.value).await?;
        let deed = change.deed("games.game", format!("game:{code}"));
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
        let merchants = app.site.sites.all(&app.db).await?;
        finish(&app, tx, merchants.iter().map(|merchant| merchant.id).collect()).await
    })
    .await
}

/// Changes how a merchant offers a game.
pub(super) async fn change_offer(
    app: &Games,
    actor: Actor,
    merchant: &Merchant,
    code: String,
    change: Change<OfferValue>,
) -> Result<(), ApiError> {
    staff::check_reason(&change.reason)?;
    change.value.check(merchant.currency)?;
    let (merchant_id, merchant_code) = (merchant.id, merchant.code.clone());
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let game = store::lock_game(&mut tx, &code).await?;
        game.ok_or_else(|| ApiError::new(codes::UNKNOWN_GAME))?;
        change.check(&store::find_offer(&mut tx, merchant_id, &code).await?)?;
        store::write_offer(&mut tx, merchant_id, &code, &change.value).await?;
        let deed = change.deed("games.offer", format!("game:{merchant_code}/{code}"));
        staff::record(&app.staff, &mut tx, &actor, deed).await?;
        finish(&app, tx, vec![merchant_id]).await
    })
    .await
}

/// Commits; this node knows at once, open pages hear of it, other nodes follow within a second.
async fn finish(
    app: &Games,
    mut tx: PgTransaction<'_>,
    merchant_ids: Vec<Uuid>,
) -> Result<(), ApiError> {
    let now = app.clock.now();
    let event = json!({ "type": "settings" });
    for merchant_id in merchant_ids {
        let topic = Topic::Site(merchant_id).key();
        push::record(&mut tx, new_id(now), &topic, &event, now).await?;
    }
    let committed = db::commit(tx).await;
    // Whatever became of the commit, the database is asked next.
    app.catalogue.refresh().await;
    committed?;
    app.push.wake();
    Ok(())
}
