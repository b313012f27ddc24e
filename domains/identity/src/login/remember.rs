//! Remembered passwords: the server's half of the key.
//!
//! A page that remembers a password keeps it encrypted, and gives us 32 random bytes without which
//! it does not open. They lie here, encrypted again, under the device's cookie for a day; a new
//! password drops them. So a stolen disk opens nothing a day later, nor without the cookie, and
//! our database opens nothing at all.

use axum::extract::State;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::Identity;
use crate::gates;
use crate::login::remember_store::{self, NewShare};
use crate::sessions::current::CurrentMember;
use crate::sessions::device::Device;
use platform::db;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Json;
use site::{OpenMerchant, Switch};

const LIFE: chrono::Duration = chrono::Duration::hours(24);
const SHARE_BYTES: usize = 32;

/// The server's half of what opens a remembered password.
#[derive(Serialize, Deserialize, ToSchema)]
struct Share {
    /// 32 random bytes in base64url without padding.
    share: String,
}

impl Share {
    fn bytes(&self) -> Option<[u8; SHARE_BYTES]> {
        BASE64_URL_SAFE_NO_PAD.decode(&self.share).ok()?.try_into().ok()
    }
}

/// Where a share opens.
fn bound(merchant_id: Uuid, device_hash: &[u8; 32]) -> Vec<u8> {
    [merchant_id.as_bytes().as_slice(), device_hash].concat()
}

/// Keeps a share for a day, for this device. It takes the place of an earlier one.
#[utoipa::path(put, path = "/wps/session/remember", tag = "sessions", security(("token" = [])),
    request_body = Share,
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn keep_share(
    State(app): State<Identity>,
    member: CurrentMember,
    device: Device,
    Json(body): Json<Share>,
) -> Answer<Option<String>> {
    member.require_real()?;
    gates::require(&member.merchant, Switch::RememberedPasswords)?;
    let bytes = body.bytes().ok_or_else(|| ApiError::fields([("share", "invalid")]))?;
    let required = || ApiError::new(platform::codes::SESSION_REQUIRED);
    let device_hash = device.hash().ok_or_else(required)?;
    let merchant_id = member.merchant.id;
    let share = app.gates.shares.lock(&bound(merchant_id, &device_hash), &bytes);
    let share = share.map_err(ApiError::internal)?;
    app.run(move |app| async move {
        let new = NewShare {
            member_id: member.id,
            device_hash: &device_hash,
            merchant_id,
            share: &share,
            expires_at: app.clock.now() + LIFE,
        };
        let mut tx = app.db.begin().await?;
        remember_store::replace_share(&mut tx, &new).await?;
        db::commit(tx).await
    })
    .await?;
    answer(None)
}

/// The share of this device, for somebody who is not logged in; null where there is none. Where
/// the merchant has switched remembered passwords off it is forgotten.
#[utoipa::path(get, path = "/wps/session/remember", tag = "sessions",
    responses((status = 200, body = Envelope<Option<Share>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_share(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Identity>,
    device: Device,
) -> Answer<Option<Share>> {
    let Some(hash) = device.hash() else { return answer(None) };
    if !merchant.allows(Switch::RememberedPasswords) {
        remember_store::delete_share(&app.db, &hash, merchant.id).await?;
        return answer(None);
    }
    let found = remember_store::find_share(&app.db, &hash, merchant.id, app.clock.now()).await?;
    let opened =
        found.and_then(|share| app.gates.shares.open(&bound(merchant.id, &hash), &share).ok());
    answer(opened.map(|bytes| Share { share: BASE64_URL_SAFE_NO_PAD.encode(bytes) }))
}

/// Drops the share of this device.
#[utoipa::path(delete, path = "/wps/session/remember", tag = "sessions",
    responses((status = 200, body = Envelope<Option<String>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn drop_share(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Identity>,
    device: Device,
) -> Answer<Option<String>> {
    if let Some(hash) = device.hash() {
        remember_store::delete_share(&app.db, &hash, merchant.id).await?;
    }
    answer(None)
}

/// The routes of remembered passwords.
pub(crate) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new().routes(routes!(keep_share, get_share, drop_share))
}
