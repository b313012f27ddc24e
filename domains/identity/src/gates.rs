//! What the checks before a login (proof of work, captcha, codes) share: the visitor and the keys.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::Identity;
use crate::human::HumanKeys;
use platform::ClientIp;
use platform::error::ApiError;
use platform::language::Language;
use platform::rate_limit;
use platform::secret::{KeyedHash, RootKey};
use platform::vault::Vault;
use site::{AnyMerchant, Merchant, OpenMerchant, Switch};

/// The keys of proofs of work, captchas, verification codes and remembered passwords.
pub struct Gates {
    pub(super) human: HumanKeys,
    pub(super) captchas: KeyedHash,
    pub(super) codes: KeyedHash,
    pub(super) shares: Vault,
}

impl Gates {
    /// Derives the keys from the installation's root key.
    pub fn new(root: &RootKey) -> Self {
        Self {
            human: HumanKeys::new(root),
            captchas: KeyedHash::new(root, "sessions/captchas"),
            codes: KeyedHash::new(root, "sessions/codes"),
            shares: Vault::new(root, "sessions/shares"),
        }
    }
}

/// The visitor that a check is made for: merchant, address and language of the request.
#[derive(Clone)]
pub struct Visitor {
    /// The merchant. Its site is open, except when extracted by [`AnyVisitor`].
    pub merchant: Arc<Merchant>,
    /// The IP address of the client.
    pub address: IpAddr,
    /// The language from the request headers.
    pub language: Language,
}

impl Visitor {
    /// The rate-limit key of the address. It contains the merchant, so merchants do not share
    /// counts.
    pub fn address_key(&self) -> String {
        format!("{} {}", self.merchant.id, rate_limit::address_key(self.address))
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

/// A [`Visitor`] of a site that may be closed, for the calls of its replacement pages.
pub struct AnyVisitor(pub Visitor);

impl FromRequestParts<Identity> for AnyVisitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let AnyMerchant(merchant) = AnyMerchant::from_request_parts(parts, app).await?;
        let ClientIp(address) = ClientIp::from_request_parts(parts, app).await?;
        Ok(Self(Visitor { merchant, address, language: Language::of(&parts.headers) }))
    }
}

/// Refuses with `site::codes::SWITCHED_OFF` if the merchant has turned the switch off.
pub(crate) fn require(merchant: &Merchant, switch: Switch) -> Result<(), ApiError> {
    if merchant.allows(switch) { Ok(()) } else { Err(ApiError::new(site::codes::SWITCHED_OFF)) }
}
