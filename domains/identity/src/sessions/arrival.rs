//! Where a log-in comes from: the device, the address, the browser.

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

/// How many characters of a browser's name for itself are kept.
const AGENT_MAX: usize = 256;

/// The browser that a request comes from.
pub(crate) struct Arrival {
    device: Device,
    /// The session that the page has already.
    former: Option<Token>,
    address: Option<IpAddr>,
    agent: Option<String>,
}

/// What a log-in changes in the browser that it came from.
pub(crate) struct Changeover {
    /// The device's cookie, where it is a new one.
    pub(crate) cookie: Option<HeaderValue>,
    /// The session that the page had, with its device.
    pub(crate) former: Option<(Token, [u8; 32])>,
}

/// What a session remembers of the browser that began it.
#[derive(Clone, Debug)]
pub struct Visit {
    pub(crate) device_hash: [u8; 32],
    pub(crate) address: Option<IpAddr>,
    pub(crate) agent: Option<String>,
}

impl Visit {
    /// Of nobody's browser: for demo data.
    pub fn of_nobody() -> Self {
        Self::of_device(random_bytes())
    }

    /// Of a device, from nowhere in particular.
    pub fn of_device(device_hash: [u8; 32]) -> Self {
        Self { device_hash, address: None, agent: None }
    }
}

impl FromRequestParts<Identity> for Arrival {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Identity) -> Result<Self, ApiError> {
        let device = Device::from_request_parts(parts, app).await?;
        let peer = ClientIp::from_request_parts(parts, app).await;
        let address = peer.ok().map(|ClientIp(address)| address);
        let agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
        let agent = agent.map(|agent| agent.chars().take(AGENT_MAX).collect());
        let former = bearer(&parts.headers).and_then(Token::parse);
        Ok(Self { device, former, address, agent })
    }
}

impl Arrival {
    /// The visit that a log-in begins, and what is done in the browser when it has begun.
    pub(crate) fn enrol(self) -> (Visit, Changeover) {
        // Of a session without its device's half nobody can say that it is this browser's.
        let former = self.device.hash().and_then(|hash| Some((self.former?, hash)));
        let (device_hash, cookie) = self.device.enrol();
        let visit = Visit { device_hash, address: self.address, agent: self.agent };
        (visit, Changeover { cookie, former })
    }
}

/// The token that a request carries.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}
