//! What the gates of identity share: who stands before them, and their keys.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::Identity;
use crate::human::HumanKeys;
use platform::ClientIp;
use platform::budget;
use platform::error::ApiError;
use platform::language::Language;
use platform::secret::{KeyedHash, RootKey};
use platform::vault::Vault;
use site::{AnyMerchant, Merchant, OpenMerchant, Switch};

/// The keys of captchas, human checks, codes and remembered passwords.
pub struct Gates {
    pub(super) human: HumanKeys,
    pub(super) captchas: KeyedHash,
    pub(super) codes: KeyedHash,
    pub(super) shares: Vault,
}

impl Gates {
    /// The keys of an installation.
    pub fn new(root: &RootKey) -> Self {
        Self {
            human: HumanKeys::new(root),
            captchas: KeyedHash::new(root, "sessions/captchas"),
            codes: KeyedHash::new(root, "sessions/codes"),
            shares: Vault::new(root, "sessions/shares"),
        }
    }
}

/// Somebody who stands before a gate: on whose site, from where, and reading which language.
#[derive(Clone)]
pub struct Visitor {
    /// The site, which is open but to [`AnyVisitor`].
    pub merchant: Arc<Merchant>,
    /// Where the request came from.
    pub address: IpAddr,
    /// What the visitor reads.
    pub language: Language,
}

impl Visitor {
    /// The key of the visitor's address for budgets: merchants do not share them.
    pub fn address_key(&self) -> String {
        format!("{} {}", self.merchant.id, budget::address_key(self.address))
    }
}

impl FromRequestParts<Identity> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        OpenMerchant::from_request_parts(parts, app).await?;
        let AnyVisitor(visitor) = AnyVisitor::from_request_parts(parts, app).await?;
        Ok(visitor)
    }
}

/// The same where the site may be closed: for what its replacement pages need.
pub struct AnyVisitor(pub Visitor);

impl FromRequestParts<Identity> for AnyVisitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let AnyMerchant(merchant) = AnyMerchant::from_request_parts(parts, app).await?;
        let ClientIp(address) = ClientIp::from_request_parts(parts, app).await?;
        Ok(Self(Visitor { merchant, address, language: Language::of(&parts.headers) }))
    }
}

/// Refuses what the merchant has switched off.
pub(crate) fn require(merchant: &Merchant, switch: Switch) -> Result<(), ApiError> {
    if merchant.allows(switch) { Ok(()) } else { Err(ApiError::new(site::codes::SWITCHED_OFF)) }
}
