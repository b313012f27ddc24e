//! Changes of the catalogue, with optimistic locking: a change contains the value that the editor
//! saw, and is refused if the stored value is different by now.

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
use staff::{Actor, AuditEntry};

/// A requested change of a value.
pub(super) struct Change<V> {
    /// The value that the editor saw.
    pub(super) seen: V,
    /// The new value.
    pub(super) value: V,
    /// The reason, for the audit log.
    pub(super) reason: String,
}

impl<V: PartialEq + Serialize> Change<V> {
    /// Refuses the change if the current value is not the one seen, or if nothing would change.
    fn check(&self, current: &V) -> Result<(), ApiError> {
        if *current != self.seen {
            return Err(ApiError::new(site::codes::STALE));
        }
        match self.seen == self.value {
            true => Err(ApiError::fields([("value", "unchanged")])),
            false => Ok(()),
        }
    }

    fn audit_entry(&self, action: &'static str, subject: String) -> AuditEntry<'_> {
        let (before, after): (Value, Value) = (json!(self.seen), json!(self.value));
        let reason = Some(self.reason.trim());
        AuditEntry { action, subject, before: Some(before), after: Some(after), reason }
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
        let current = store::lock_vendor(&mut tx, &vassalage).await?;
        let current = current.ok_or_else(|| ApiError::new(codes::UNKNOWN_VENDOR))?;
        change.check(&current)?;
        store::update_vendor(&mut tx, &vassalage, &change.value).await?;
        let entry = change.audit_entry("games.vendor", format!("vendor:{vassalage}"));
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
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
        let current = store::lock_game(&mut tx, &code).await?;
        let current = current.ok_or_else(|| ApiError::new(codes::UNKNOWN_GAME))?;
        change.check(&current)?;
        store::update_game(&mut tx, &code, &change.value).await?;
        let entry = change.audit_entry("games.game", format!("game:{code}"));
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
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
        let entry = change.audit_entry("games.offer", format!("game:{merchant_code}/{code}"));
        staff::record(&app.staff, &mut tx, &actor, entry).await?;
        finish(&app, tx, vec![merchant_id]).await
    })
    .await
}

/// Records a push event for open pages and commits. This node reloads the catalogue at once, other
/// nodes within a second.
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
    // A failed commit may still have happened, so the cache expires in any case.
    app.catalogue.refresh().await;
    committed?;
    app.push.wake();
    Ok(())
}
