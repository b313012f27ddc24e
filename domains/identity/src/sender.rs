//! The sender of a message to support or of an application: a logged-in member, or a visitor who
//! passes the human check.

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

/// The sender of a message, on a site that may be closed.
pub struct Sender {
    /// Merchant, address and language of the request.
    pub visitor: Visitor,
    /// The member, if the sender is logged in.
    pub member_id: Option<Uuid>,
    /// Whether it is a registered member. Demo accounts cost nothing to open and do not count.
    is_real: bool,
}

impl Sender {
    /// Checks and spends the proof of work, unless the sender is logged in as a registered member.
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
        // An invalid session token is an error, not an anonymous message: the member could not read
        // the answer.
        let required = || ApiError::new(platform::codes::SESSION_REQUIRED);
        let token = Token::parse(token).ok_or_else(required)?;
        let device = Device::from_request_parts(parts, app).await?;
        let session = ops::find_and_touch(app, &token, &device, visitor.merchant.id).await?;
        let session = session.ok_or_else(required)?;
        let is_real = session.kind != MemberKind::Trial;
        Ok(Self { visitor, member_id: Some(token.member_id), is_real })
    }
}
