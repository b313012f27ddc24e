//! Whoever writes to the house: a member, or a visitor who passes the human check.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use uuid::Uuid;

use super::device::Device;
use super::gates::{AnyVisitor, Visitor};
use super::http::bearer;
use super::model::Token;
use super::{human, ops};
use crate::app::App;
use crate::codes::ErrorCode;
use crate::platform::error::ApiError;

/// Somebody who writes to the house, on a site that may be closed.
pub struct Sender {
    /// On whose site, from where, and reading which language.
    pub visitor: Visitor,
    /// Who it is, if anybody is logged in.
    pub member_id: Option<Uuid>,
}

impl Sender {
    /// Checks the proof of work of whoever is not logged in, and spends it.
    pub async fn require_human(&self, app: &App, proof: Option<&str>) -> Result<(), ApiError> {
        match self.member_id {
            Some(_) => Ok(()),
            None => human::check(app, &self.visitor, proof).await,
        }
    }
}

impl FromRequestParts<App> for Sender {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let AnyVisitor(visitor) = AnyVisitor::from_request_parts(parts, app).await?;
        let Some(token) = bearer(&parts.headers) else {
            return Ok(Self { visitor, member_id: None });
        };
        // Whoever believes to be logged in and is not shall know: the answer would not be found.
        let required = || ApiError::new(ErrorCode::SessionRequired);
        let token = Token::parse(token).ok_or_else(required)?;
        let device = Device::from_request_parts(parts, app).await?;
        let session = ops::find_and_touch(app, &token, &device, visitor.merchant.id).await?;
        session.ok_or_else(required)?;
        Ok(Self { visitor, member_id: Some(token.member_id) })
    }
}
