//! Remembered passwords: the server keeps one half of the key.
//!
//! A page that remembers a password stores it encrypted in the browser and sends the server 32
//! random bytes (the share) without which it cannot be decrypted. The share is stored here for a
//! day, encrypted and bound to the device cookie; changing the password deletes it. A stolen disk
//! is therefore useless without the cookie or after a day, and the database alone decrypts no
//! password.

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

/// The server's half of the key to a remembered password.
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

/// The associated data that a share is encrypted with: merchant and device.
fn associated_data(merchant_id: Uuid, device_hash: &[u8; 32]) -> Vec<u8> {
    [merchant_id.as_bytes().as_slice(), device_hash].concat()
}

/// Stores a share for a day, for this device. It replaces an earlier one.
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
    let share = app.gates.shares.lock(&associated_data(merchant_id, &device_hash), &bytes);
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

/// Returns the share of this device, without a session; null if there is none. If the merchant has
/// switched remembered passwords off, the share is deleted.
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
    let opened = found
        .and_then(|share| app.gates.shares.open(&associated_data(merchant.id, &hash), &share).ok());
    answer(opened.map(|bytes| Share { share: BASE64_URL_SAFE_NO_PAD.encode(bytes) }))
}

/// Deletes the share of this device.
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
