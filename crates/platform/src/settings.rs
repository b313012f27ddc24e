//! The platform's settings. The server reads them from the environment at start.

use std::net::{IpAddr, SocketAddr};

use crate::fail::FailPoints;
use crate::geoip::GeoIp;
use crate::outbox::{MailSettings, SmsSettings};
use crate::serve::Tls;
use crate::timeouts::Timeouts;

/// The platform's settings.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The listen address of the players' site.
    pub listen: SocketAddr,
    /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
    pub trusted_proxies: Vec<IpAddr>,
    /// The GeoIP database, if there is one.
    pub geoip: GeoIp,
    /// Whether and with which certificate the server speaks TLS.
    pub tls: Tls,
    /// The SMS provider. Without one, text messages stay in the outbox.
    pub sms: Option<SmsSettings>,
    /// The SMTP server. Without one, e-mails stay in the outbox.
    pub mail: Option<MailSettings>,
    /// The timeouts of requests and database work.
    pub timeouts: Timeouts,
    /// Fail points, for fault tests. A plain release build has none.
    pub fail: FailPoints,
}
