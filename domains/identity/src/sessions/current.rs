//! The member that a request acts for.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use capiz_rules::money::Currency;
use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

use super::arrival::bearer;
use super::device::Device;
use super::model::Token;
use super::ops;
use crate::Identity;
use members::MemberKind;
use platform::ClientIp;
use platform::asker;
use platform::error::ApiError;
use site::{Merchant, OpenMerchant};

/// The member that a request acts for.
pub struct CurrentMember {
    /// Its id.
    pub id: Uuid,
    /// Its merchant, which is open.
    pub merchant: Arc<Merchant>,
    /// Its type.
    pub kind: MemberKind,
    /// Its one currency.
    pub currency: Currency,
    pub(crate) token: Token,
    /// Where the request came from.
    address: IpAddr,
    /// Whether the registration was open when the session began.
    pub(crate) to_complete: bool,
    /// Whether there had to be another password when the session began.
    must_change: bool,
    started_at: DateTime<Utc>,
}

/// For how long a log-in that asks for another password counts as the proof of everything that it took.
const JUST_COME: Duration = Duration::minutes(15);

impl CurrentMember {
    /// The member as it is asked for its password again.
    pub(crate) fn asked(&self) -> members::Asked {
        members::Asked { member_id: self.id, merchant_id: self.merchant.id, address: self.address }
    }

    /// Whether the member has just logged in and has to change its password first: whoever has a
    /// second factor has shown it by that.
    pub(crate) fn has_just_come_to_change(&self, now: DateTime<Utc>) -> bool {
        self.must_change && now < self.started_at + JUST_COME
    }

    /// Refuses demo accounts, which have no member functions.
    pub fn require_real(&self) -> Result<(), ApiError> {
        match self.kind {
            MemberKind::Trial => Err(ApiError::new(members::codes::TRIAL_ACCOUNT)),
            MemberKind::Member | MemberKind::Agent(_) => Ok(()),
        }
    }
}

impl<S> FromRequestParts<S> for CurrentMember
where
    S: Send + Sync,
    Identity: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = &Identity::from_ref(state);
        let required = || ApiError::new(platform::codes::SESSION_REQUIRED);
        let OpenMerchant(merchant) = OpenMerchant::from_request_parts(parts, app).await?;
        let token = bearer(&parts.headers).and_then(Token::parse).ok_or_else(required)?;
        let device = Device::from_request_parts(parts, app).await?;
        let ClientIp(address) = ClientIp::from_request_parts(parts, app).await?;
        let session = ops::find_and_touch(app, &token, &device, merchant.id).await?;
        let session = session.ok_or_else(required)?;
        asker::note_account(token.member_id);
        Ok(Self {
            id: token.member_id,
            merchant,
            kind: session.kind,
            currency: session.currency,
            token,
            address,
            to_complete: session.to_complete,
            must_change: session.must_change,
            started_at: session.started_at,
        })
    }
}

/// A member who may play and move money. Every call that does either takes this and not
/// [`CurrentMember`]: whoever has yet to complete the registration, or to set another password, is
/// refused.
pub struct Entitled(pub CurrentMember);

impl<S> FromRequestParts<S> for Entitled
where
    S: Send + Sync,
    Identity: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = &Identity::from_ref(state);
        let member = CurrentMember::from_request_parts(parts, state).await?;
        // What the session says may be old; nobody is refused on its word.
        if member.to_complete {
            Box::pin(members::require_complete(&app.members, member.id)).await?;
        }
        if member.must_change {
            let device = Device::from_request_parts(parts, app).await?;
            let session = ops::find_live(app, &member.token, &device, member.merchant.id).await?;
            if session.is_some_and(|session| session.must_change) {
                return Err(ApiError::new(members::codes::MUST_CHANGE));
            }
        }
        Ok(Self(member))
    }
}
