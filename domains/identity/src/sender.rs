//! Whoever writes to the house: a member, or somebody else who passes the human check.

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;
use uuid::Uuid;

use crate::Identity;
use crate::gates::{AnyVisitor, Visitor};
use crate::human;
use crate::sessions::arrival::bearer;
use crate::sessions::device::Device;
use crate::sessions::model::Token;
use crate::sessions::ops;
use members::MemberKind;
use platform::error::ApiError;

/// Somebody who writes to the house, on a site that may be closed.
pub struct Sender {
    /// On whose site, from where, and reading which language.
    pub visitor: Visitor,
    /// Who it is, if anybody is logged in.
    pub member_id: Option<Uuid>,
    /// Whether that is a member who has registered: a demo costs nothing.
    is_real: bool,
}

impl Sender {
    /// Checks the proof of work of whoever is not logged in as a real member, and spends it.
    pub async fn require_human(&self, app: &Identity, proof: Option<&str>) -> Result<(), ApiError> {
        match self.is_real {
            true => Ok(()),
            false => human::check(app, &self.visitor, proof).await.map(drop),
        }
    }
}

impl<S> FromRequestParts<S> for Sender
where
    S: Send + Sync,
    Identity: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = &Identity::from_ref(state);
        let AnyVisitor(visitor) = AnyVisitor::from_request_parts(parts, app).await?;
        let Some(token) = bearer(&parts.headers) else {
            return Ok(Self { visitor, member_id: None, is_real: false });
        };
        // Whoever believes to be logged in and is not shall know: the answer would not be found.
        let required = || ApiError::new(platform::codes::SESSION_REQUIRED);
        let token = Token::parse(token).ok_or_else(required)?;
        let device = Device::from_request_parts(parts, app).await?;
        let session = ops::find_and_touch(app, &token, &device, visitor.merchant.id).await?;
        let session = session.ok_or_else(required)?;
        let is_real = session.kind != MemberKind::Trial;
        Ok(Self { visitor, member_id: Some(token.member_id), is_real })
    }
}
