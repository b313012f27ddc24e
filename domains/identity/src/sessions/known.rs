//! Where members have been let in before: devices, and places.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::arrival::Visit;
use super::known_store as store;
use crate::Identity;
use platform::budget::{self, Budget};

/// A device that was not used for so long is a stranger again.
pub(crate) const KNOWN_FOR: chrono::Duration = chrono::Duration::days(180);

/// Where a member has been let in: not a limit but a memory, with nobody's address in it.
pub(crate) const PLACE: Budget = Budget {
    name: "sessions.login.place",
    limit: u32::MAX,
    window: Duration::from_secs(180 * 24 * 60 * 60),
};

/// Remembers that a member was let in on a device and at a place.
pub(crate) async fn note_arrival(
    app: &Identity,
    db: &mut PgConnection,
    member_id: Uuid,
    visit: &Visit,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    store::upsert_known_device(db, member_id, &visit.device_hash, now).await?;
    match visit.address {
        Some(address) => app.budgets.count(db, &PLACE, &place_key(member_id, address), now).await,
        None => Ok(()),
    }
}

pub(crate) fn place_key(member_id: Uuid, address: IpAddr) -> String {
    format!("{member_id} {}", budget::address_key(address))
}

/// Whether the device is one of the owner's. A name without an owner costs the same look.
pub(crate) async fn is_known(
    db: &mut PgConnection,
    owner: Option<Uuid>,
    device_hash: Option<[u8; 32]>,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let member_id = owner.unwrap_or_default();
    let device_hash = device_hash.unwrap_or_default();
    store::is_known_device(db, member_id, &device_hash, now - KNOWN_FOR).await
}
