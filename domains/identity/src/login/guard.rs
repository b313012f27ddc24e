//! Limits on password attempts, and when an attempt needs a captcha.
//!
//! Attempts are counted before the password is compared, so parallel attempts get no more guesses
//! than sequential ones. They are counted by the username that was typed, whether it exists or not,
//! so the limits do not reveal which names exist. Devices that the member has logged in on have a
//! count of their own, and so does each address that the member has logged in from: guessing
//! elsewhere cannot lock out the owner, and neighbours behind the same address cannot use up the
//! attempts of a known device.
//!
//! Attempts at many usernames are counted by site. After a daily number of wrong passwords from
//! devices and addresses unknown to the usernames (credential stuffing), such attempts are refused
//! for the rest of the day: an unknown device then needs a code to the phone or a new password.
//! Members on devices or addresses that they have used before are not affected.
//!
//! These counts are committed without waiting for the disk, so a database crash may lose the
//! attempts of the last second.

use std::net::IpAddr;
use std::time::Duration;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::sessions::arrival::Visit;
use crate::sessions::known::{KNOWN_ADDRESS, is_known, known_address_key};
use platform::db;
use platform::error::ApiError;
use platform::rate_limit::{self, RateLimit, RetryAfter};
use site::Merchant;

/// How long attempts are counted.
const WINDOW: Duration = Duration::from_secs(30 * 60);
/// Attempts at a username from unknown devices. All addresses that its member has never logged in
/// from share one count.
const UNKNOWN_DEVICES: RateLimit =
    RateLimit { name: "sessions.login.name", limit: 3, window: WINDOW };
/// Attempts at a username from a device that its member has logged in on.
const KNOWN_DEVICE: RateLimit =
    RateLimit { name: "sessions.login.device", limit: 10, window: WINDOW };
/// Wrong attempts from one address, at any usernames, on unknown devices.
const ADDRESS: RateLimit = RateLimit { name: "sessions.login.address", limit: 60, window: WINDOW };
/// The same on known devices. It limits nothing: counting in both cases makes them take equally
/// long, so timing does not reveal whether the device is known.
const KNOWN_DEVICES_ADDRESS: RateLimit =
    RateLimit { name: "sessions.login.owners_address", limit: u32::MAX, window: WINDOW };
/// Failures from unknown devices on a whole site.
const SITE: RateLimit = RateLimit { name: "sessions.login.site", limit: u32::MAX, window: WINDOW };

/// Wrong passwords on a whole site from unknown devices at unknown addresses: what an attacker with
/// unlimited addresses and captchas can try in a day.
const ELSEWHERE: RateLimit = RateLimit {
    name: "sessions.login.elsewhere",
    limit: 400,
    window: Duration::from_secs(24 * 60 * 60),
};
/// Wrong passwords among these. The count above also contains attempts whose password is still
/// being compared.
const WRONG_ELSEWHERE: RateLimit =
    RateLimit { name: "sessions.login.wrong_elsewhere", limit: u32::MAX, window: ELSEWHERE.window };
/// Attempts from addresses that the username's member has logged in from. It limits nothing:
/// counting in both cases makes them take equally long, so timing does not reveal whether the
/// address is known.
const NEARBY: RateLimit =
    RateLimit { name: "sessions.login.nearby", limit: u32::MAX, window: ELSEWHERE.window };
/// Attempts after which the next one needs a captcha.
const CAPTCHA_AFTER: u32 = 2;
/// Attempts per level of the proof of work that the next attempt needs.
const HARDER_AFTER: u32 = 2;
/// Failures on a site after which every attempt from an unknown device needs a captcha.
const CAPTCHA_AFTER_ON_SITE: u32 = 300;

/// The limits that apply to one password attempt.
pub(super) struct Guard {
    name_limit: RateLimit,
    name_key: String,
    site_key: String,
    /// Limit and key for all attempts from the address.
    address: (RateLimit, String),
    is_unknown_device: bool,
    /// The limit for the whole site: `ELSEWHERE` or `NEARBY`.
    site_limit: RateLimit,
    /// Whether the attempt needs a captcha.
    pub(super) asks_captcha: bool,
    /// The level that its proof of work must have.
    pub(super) work_level: u32,
}

impl Guard {
    /// Reads the counts for a username, its owner if it exists, and the device, and selects the
    /// limits.
    pub(super) async fn load(
        app: &Identity,
        db: &mut PgConnection,
        visitor: &Visitor,
        (username, owner): (&str, Option<Uuid>),
        device_hash: Option<[u8; 32]>,
    ) -> Result<Self, ApiError> {
        let now = app.clock.now();
        let name = members::login_key(&visitor.merchant, username);
        let is_unknown_device = !is_known(db, owner, device_hash, now).await?;
        let known_address = known_address_key(owner.unwrap_or_default(), visitor.address);
        let site = visitor.merchant.id.to_string();
        let anywhere = format!("{site} {name}");
        let here = address_scope_key(&anywhere, visitor.address);
        let device = format!("{anywhere} {}", hex::encode(device_hash.unwrap_or_default()));
        let counts = [
            (&KNOWN_ADDRESS, known_address.as_str()),
            (&UNKNOWN_DEVICES, &anywhere),
            (&UNKNOWN_DEVICES, &here),
            (&KNOWN_DEVICE, &device),
            (&SITE, &site),
        ];
        let [logins_from_here, of_all, of_here, of_device, site_failures] =
            app.rate_limits.used_many(db, counts, now).await?;
        let (name_limit, name_key, attempts) = match (is_unknown_device, logins_from_here) {
            (false, _) => (KNOWN_DEVICE, device, of_device),
            (true, 0) => (UNKNOWN_DEVICES, anywhere, of_all),
            (true, _) => (UNKNOWN_DEVICES, here, of_here),
        };
        let asks_captcha = attempts >= CAPTCHA_AFTER
            || (is_unknown_device && site_failures >= CAPTCHA_AFTER_ON_SITE);
        let is_elsewhere = is_unknown_device && logins_from_here == 0;
        let address = if is_unknown_device { ADDRESS } else { KNOWN_DEVICES_ADDRESS };
        Ok(Self {
            name_limit,
            name_key,
            site_key: site,
            address: (address, visitor.address_key()),
            is_unknown_device,
            site_limit: if is_elsewhere { ELSEWHERE } else { NEARBY },
            asks_captcha,
            work_level: attempts / HARDER_AFTER,
        })
    }

    /// The limits that an attempt uses, in this order. The limit of the site comes before that of
    /// the username, so an attempt that the site refuses does not use up the attempts of the owner.
    fn limits(&self) -> [(&RateLimit, &str); 3] {
        let (address, address_key) = &self.address;
        [
            (address, address_key.as_str()),
            (&self.site_limit, self.site_key.as_str()),
            (&self.name_limit, self.name_key.as_str()),
        ]
    }

    /// Counts the attempt, or refuses it.
    pub(super) async fn take(&self, app: &Identity) -> Result<(), ApiError> {
        let now = app.clock.now();
        // A refused attempt still counts against its address.
        let taken = app.rate_limits.take_in_order(&app.db, self.limits(), now).await?;
        let Err((used_up, wait)) = taken else { return Ok(()) };
        let mut tx = db::begin_async_commit(&app.db).await?;
        let refusal = match used_up {
            0 => wait.into(),
            1 => {
                let wrong =
                    app.rate_limits.used(&mut tx, &WRONG_ELSEWHERE, &self.site_key, now).await?;
                if wrong < ELSEWHERE.limit { busy() } else { locked(wait) }
            }
            _ => {
                app.rate_limits.give_back(&mut tx, &self.site_limit, &self.site_key, now).await?;
                locked(wait)
            }
        };
        db::commit(tx).await?;
        Err(refusal)
    }

    /// Returns the counts of an attempt whose password was not compared because the server was too
    /// busy.
    pub(super) async fn give_back(&self, app: &Identity) -> Result<(), ApiError> {
        let now = app.clock.now();
        let mut tx = db::begin_async_commit(&app.db).await?;
        for (limit, key) in self.limits() {
            app.rate_limits.give_back(&mut tx, limit, key, now).await?;
        }
        db::commit(tx).await
    }

    /// Counts a failure and returns whether the next attempt needs a captcha.
    pub(super) async fn note_failure(&self, app: &Identity) -> Result<bool, ApiError> {
        let now = app.clock.now();
        let mut tx = db::begin_async_commit(&app.db).await?;
        if self.is_unknown_device {
            app.rate_limits.count(&mut tx, &SITE, &self.site_key, now).await?;
        }
        if self.site_limit.name == ELSEWHERE.name {
            app.rate_limits.count(&mut tx, &WRONG_ELSEWHERE, &self.site_key, now).await?;
        }
        let attempts = app.rate_limits.used(&mut tx, &self.name_limit, &self.name_key, now).await?;
        db::commit(tx).await?;
        Ok(attempts >= CAPTCHA_AFTER)
    }

    /// The password was right: clears the attempts at the username and returns the other counts.
    pub(super) async fn forget(&self, app: &Identity) -> Result<(), ApiError> {
        Ok(app.rate_limits.settle(&app.db, self.limits(), app.clock.now()).await?)
    }
}

/// Clears the attempts at a username after its owner has set a new password, so that guesses at the
/// old one lock nobody out.
pub(crate) async fn clear_attempts(
    app: &Identity,
    db: &mut PgConnection,
    (merchant, account): (&Merchant, &str),
    visit: &Visit,
) -> Result<(), sqlx::Error> {
    let name = members::login_key(merchant, account);
    let anywhere = format!("{} {name}", merchant.id);
    app.rate_limits.clear(db, &UNKNOWN_DEVICES, &anywhere).await?;
    if let Some(address) = visit.address {
        app.rate_limits.clear(db, &UNKNOWN_DEVICES, &address_scope_key(&anywhere, address)).await?;
    }
    let key = format!("{anywhere} {}", hex::encode(visit.device_hash));
    app.rate_limits.clear(db, &KNOWN_DEVICE, &key).await
}

/// The rate-limit key for attempts at a username from one address.
fn address_scope_key(anywhere: &str, address: IpAddr) -> String {
    format!("{anywhere} from {}", rate_limit::address_key(address))
}

/// The refusal after too many wrong passwords. Its code has a text that names the other ways to log
/// in.
fn locked(wait: RetryAfter) -> ApiError {
    ApiError::new(codes::LOCKED).retry_after(wait.0)
}

/// Refuses an attempt because attempts in progress have taken the rest of the daily limit of the
/// site. Most of them will succeed and be returned, so a retry helps.
fn busy() -> ApiError {
    ApiError::unavailable("too many logins are in progress")
}
