//! The device, the address and the browser that a login comes from.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};

use crate::Identity;
use crate::sessions::device::Device;
use crate::sessions::model::Token;
use platform::ClientIp;
use platform::error::ApiError;
use platform::secret::random_bytes;

/// How many characters of the `User-Agent` header are kept.
const AGENT_MAX: usize = 256;

/// The browser that a login request comes from.
pub(crate) struct LoginContext {
    device: Device,
    /// The token of the session that the page already has.
    previous_session: Option<Token>,
    address: Option<IpAddr>,
    agent: Option<String>,
}

/// What a login changes in its browser.
pub(crate) struct BrowserUpdate {
    /// The device cookie, if it is new.
    pub(crate) cookie: Option<HeaderValue>,
    /// The previous session of the page, with the hash of its device secret.
    pub(crate) previous_session: Option<(Token, [u8; 32])>,
}

/// What is stored about the browser of a login.
#[derive(Clone, Debug)]
pub struct Visit {
    pub(crate) device_hash: [u8; 32],
    pub(crate) address: Option<IpAddr>,
    pub(crate) agent: Option<String>,
}

impl Visit {
    /// A visit with a random device, for demo data.
    pub fn of_nobody() -> Self {
        Self::of_device(random_bytes())
    }

    /// A visit of a device without an address.
    pub fn of_device(device_hash: [u8; 32]) -> Self {
        Self { device_hash, address: None, agent: None }
    }
}

impl FromRequestParts<Identity> for LoginContext {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let device = Device::from_request_parts(parts, app).await?;
        let client_ip = ClientIp::from_request_parts(parts, app).await;
        let address = client_ip.ok().map(|ClientIp(address)| address);
        let agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let agent = agent.map(|agent| agent.chars().take(AGENT_MAX).collect());
        let previous_session = bearer(&parts.headers).and_then(Token::parse);
        Ok(Self { device, previous_session, address, agent })
    }
}

impl LoginContext {
    /// The visit to store with the new session, and what to change in the browser when the session
    /// has started.
    pub(crate) fn into_visit(self) -> (Visit, BrowserUpdate) {
        // A token without its device secret proves nothing about the browser, so its session is not
        // ended.
        let previous_session =
            self.device.hash().and_then(|hash| Some((self.previous_session?, hash)));
        let (device_hash, cookie) = self.device.enrol();
        let visit = Visit { device_hash, address: self.address, agent: self.agent };
        (visit, BrowserUpdate { cookie, previous_session })
    }
}

/// The bearer token of a request.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}
