//! What the environment decides of the platform. The server reads it, once.

use std::net::{IpAddr, SocketAddr};

use crate::atlas::Atlas;
use crate::fail::FailPoints;
use crate::outbox::{MailSettings, SmsSettings};
use crate::patience::Patience;
use crate::serve::Tls;

/// What the environment decides of the platform.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the players' site listens.
    pub listen: SocketAddr,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// From which countries addresses come, if that is known.
    pub atlas: Atlas,
    /// How TLS is spoken, if at all.
    pub tls: Tls,
    /// Who sends text messages; without anybody they are kept in the outbox.
    pub sms: Option<SmsSettings>,
    /// Who sends e-mail; without anybody it is kept in the outbox.
    pub mail: Option<MailSettings>,
    /// How long a request may take.
    pub patience: Patience,
    /// Where a build for tests is to fail; a plain release build has no such places.
    pub fail: FailPoints,
}
