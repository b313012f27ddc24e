//! The extractors [`CurrentMember`] and [`Entitled`], which authenticate a request.

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
use platform::error::ApiError;
use platform::request_context;
use site::{Merchant, OpenMerchant};

/// Extractor: the member whose session the request carries, on an open site. Demo accounts have
/// sessions, too: [`require_real`](Self::require_real) refuses them.
pub struct CurrentMember {
    /// Its id.
    pub id: Uuid,
    /// Its merchant, whose site is open.
    pub merchant: Arc<Merchant>,
    /// Its type.
    pub kind: MemberKind,
    /// Its currency.
    pub currency: Currency,
    pub(crate) token: Token,
    /// Where the request came from.
    address: IpAddr,
    /// Whether the registration was incomplete when the session began.
    pub(crate) to_complete: bool,
    /// Whether a new password was required when the session began.
    must_change: bool,
    started_at: DateTime<Utc>,
}

/// How long after the login a required password change needs no further proof of the second factor.
const FRESH_LOGIN: Duration = Duration::minutes(15);

impl CurrentMember {
    /// Who is re-authenticated by password, and from where.
    pub(crate) fn reauth_request(&self) -> members::ReauthRequest {
        members::ReauthRequest {
            member_id: self.id,
            merchant_id: self.merchant.id,
            address: self.address,
        }
    }

    /// Whether the member has just logged in and has to change the password first. The login has
    /// already proven the second factor.
    pub(crate) fn is_fresh_password_change(&self, now: DateTime<Utc>) -> bool {
        self.must_change && now < self.started_at + FRESH_LOGIN
    }

    /// Refuses demo accounts.
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
        request_context::set_account(token.member_id);
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

/// A member who may play and move money. Every call that does so takes this instead of
/// [`CurrentMember`]: it refuses members who have not completed their registration, or have to set
/// a new password.
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
        // The flags of the session may be out of date, so check the database before refusing.
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
