//! The devices and addresses that a member has logged in from before. They get their own limits on
//! password attempts.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::arrival::Visit;
use super::known_store as store;
use crate::Identity;
use platform::rate_limit::{self, RateLimit};

/// How long a device stays known after its last login.
pub(crate) const KNOWN_FOR: chrono::Duration = chrono::Duration::days(180);

/// Counts the logins of a member from an address. It limits nothing, and no address is stored in
/// clear.
pub(crate) const KNOWN_ADDRESS: RateLimit = RateLimit {
    name: "sessions.login.place",
    limit: u32::MAX,
    window: Duration::from_secs(180 * 24 * 60 * 60),
};

/// Stores the device and the address of a login.
pub(crate) async fn remember_login(
    app: &Identity,
    db: &mut PgConnection,
    member_id: Uuid,
    visit: &Visit,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    store::upsert_known_device(db, member_id, &visit.device_hash, now).await?;
    match visit.address {
        Some(address) => {
            app.rate_limits
                .count(db, &KNOWN_ADDRESS, &known_address_key(member_id, address), now)
                .await
        }
        None => Ok(()),
    }
}

pub(crate) fn known_address_key(member_id: Uuid, address: IpAddr) -> String {
    format!("{member_id} {}", rate_limit::address_key(address))
}

/// Whether the member has logged in on the device. An unknown username costs the same query, so
/// timing does not reveal it.
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
