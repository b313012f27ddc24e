//! Who may try a password, and after which captcha.
//!
//! Tries are counted before the password is looked at, so that a thousand at once are no more
//! than one after the other. They are counted by the name that was typed, whether it exists or
//! not: nothing here tells the two apart. Devices on which the member has logged in before have a
//! count of their own, and so has every address from which it has, so that nobody can lock the owner
//! out by guessing elsewhere. Nor do neighbours behind one address use up the tries of a known device.
//!
//! Many names tried once each are counted by site. So many wrong passwords in a day, from devices
//! and places that the names have nothing to do with, and there are no more such tries that day:
//! then a stranger needs a code to the phone or a new password. Owners go on from where they have
//! been before.
//!
//! Nothing that is counted here waits for the disk: if the database falls, it may forget the tries of
//! its last second.

use std::net::IpAddr;
use std::time::Duration;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::Identity;
use crate::codes;
use crate::gates::Visitor;
use crate::sessions::arrival::Visit;
use crate::sessions::known::{PLACE, is_known, place_key};
use platform::budget::{self, Budget, RetryAfter};
use platform::db;
use platform::error::ApiError;
use site::Merchant;

/// For how long tries are remembered.
const WINDOW: Duration = Duration::from_secs(30 * 60);
/// Tries of a name from strangers: those who try it where its member has never been share one count.
const STRANGERS: Budget = Budget { name: "sessions.login.name", limit: 3, window: WINDOW };
/// Tries of a name from a device that its owner has used.
const OWNER: Budget = Budget { name: "sessions.login.device", limit: 10, window: WINDOW };
/// Wrong tries from one address, of any names, on devices that their owners have not used.
const ADDRESS: Budget = Budget { name: "sessions.login.address", limit: 60, window: WINDOW };
/// Those on devices that their owners have used. Nothing is limited here; it is counted so that both
/// take equally long.
const OWNERS_ADDRESS: Budget =
    Budget { name: "sessions.login.owners_address", limit: u32::MAX, window: WINDOW };
/// Failures of strangers on a whole site.
const SITE: Budget = Budget { name: "sessions.login.site", limit: u32::MAX, window: WINDOW };

/// Wrong passwords on a whole site from strange devices at strange places. It is what somebody
/// with any number of addresses and captchas can try in a day.
const ELSEWHERE: Budget = Budget {
    name: "sessions.login.elsewhere",
    limit: 400,
    window: Duration::from_secs(24 * 60 * 60),
};
/// Those of them that are known to have been wrong. The count above has tries in it whose password
/// is still being compared.
const WRONG_ELSEWHERE: Budget =
    Budget { name: "sessions.login.wrong_elsewhere", limit: u32::MAX, window: ELSEWHERE.window };
/// Those from where the name's member has been before. Nothing is limited here; it is counted so
/// that both take equally long.
const NEARBY: Budget =
    Budget { name: "sessions.login.nearby", limit: u32::MAX, window: ELSEWHERE.window };
/// After so many tries the next one needs a captcha.
const CAPTCHA_AFTER: u32 = 2;
/// Every so many tries make the work harder that the next one has to prove.
const HARDER_AFTER: u32 = 2;
/// After so many failures on a site every stranger needs one.
const CAPTCHA_AFTER_ON_SITE: u32 = 300;

/// Somebody who is about to try a password.
pub(super) struct Guard {
    budget: Budget,
    key: String,
    site: String,
    /// Of all tries from the address.
    address: (Budget, String),
    is_stranger: bool,
    /// Of the whole site's tries from here.
    site_budget: Budget,
    /// Whether the try needs a captcha.
    pub(super) asks_captcha: bool,
    /// How hard the work must have been that comes with the try.
    pub(super) work_level: u32,
}

impl Guard {
    /// Looks at who tries which name, and whose it is, on which device.
    pub(super) async fn look(
        app: &Identity,
        db: &mut PgConnection,
        visitor: &Visitor,
        (username, owner): (&str, Option<Uuid>),
        device_hash: Option<[u8; 32]>,
    ) -> Result<Self, ApiError> {
        let now = app.clock.now();
        let name = members::login_key(&visitor.merchant, username);
        let is_stranger = !is_known(db, owner, device_hash, now).await?;
        let place = place_key(owner.unwrap_or_default(), visitor.address);
        let site = visitor.merchant.id.to_string();
        let anywhere = format!("{site} {name}");
        let here = here_key(&anywhere, visitor.address);
        let owners = format!("{anywhere} {}", hex::encode(device_hash.unwrap_or_default()));
        let asked = [
            (&PLACE, place.as_str()),
            (&STRANGERS, &anywhere),
            (&STRANGERS, &here),
            (&OWNER, &owners),
            (&SITE, &site),
        ];
        let [arrivals, of_all, of_here, of_owner, failures] =
            app.budgets.used_each(db, asked, now).await?;
        let (budget, key, tries) = match (is_stranger, arrivals) {
            (false, _) => (OWNER, owners, of_owner),
            (true, 0) => (STRANGERS, anywhere, of_all),
            (true, _) => (STRANGERS, here, of_here),
        };
        let asks_captcha =
            tries >= CAPTCHA_AFTER || (is_stranger && failures >= CAPTCHA_AFTER_ON_SITE);
        let site_budget = if is_stranger && arrivals == 0 { ELSEWHERE } else { NEARBY };
        let address = if is_stranger { ADDRESS } else { OWNERS_ADDRESS };
        let address = (address, visitor.address_key());
        let work_level = tries / HARDER_AFTER;
        Ok(Self { budget, key, site, address, is_stranger, site_budget, asks_captcha, work_level })
    }

    /// What a try uses up, in this order. The site's comes before the name's: whoever is turned away
    /// there must not use up the owner's tries.
    fn wanted(&self) -> [(&Budget, &str); 3] {
        let (address, address_key) = &self.address;
        [
            (address, address_key.as_str()),
            (&self.site_budget, self.site.as_str()),
            (&self.budget, self.key.as_str()),
        ]
    }

    /// Counts the try, or refuses it.
    pub(super) async fn take(&self, app: &Identity) -> Result<(), ApiError> {
        let now = app.clock.now();
        // A try that is refused has used up some of its address's all the same.
        let taken = app.budgets.take_in_order(&app.db, self.wanted(), now).await?;
        let Err((place, wait)) = taken else { return Ok(()) };
        let mut tx = db::begin_forgettable(&app.db).await?;
        let refusal = match place {
            0 => wait.into(),
            1 => {
                let wrong = app.budgets.used(&mut tx, &WRONG_ELSEWHERE, &self.site, now).await?;
                if wrong < ELSEWHERE.limit { busy() } else { locked(wait) }
            }
            _ => {
                app.budgets.give_back(&mut tx, &self.site_budget, &self.site, now).await?;
                locked(wait)
            }
        };
        db::commit(tx).await?;
        Err(refusal)
    }

    /// Takes the count of a try back at which no password was looked at: the server was too busy.
    pub(super) async fn give_back(&self, app: &Identity) -> Result<(), ApiError> {
        let now = app.clock.now();
        let mut tx = db::begin_forgettable(&app.db).await?;
        for (budget, key) in self.wanted() {
            app.budgets.give_back(&mut tx, budget, key, now).await?;
        }
        db::commit(tx).await
    }

    /// Notes a failure; whether the next try needs a captcha.
    pub(super) async fn note_failure(&self, app: &Identity) -> Result<bool, ApiError> {
        let now = app.clock.now();
        let mut tx = db::begin_forgettable(&app.db).await?;
        if self.is_stranger {
            app.budgets.count(&mut tx, &SITE, &self.site, now).await?;
        }
        if self.site_budget.name == ELSEWHERE.name {
            app.budgets.count(&mut tx, &WRONG_ELSEWHERE, &self.site, now).await?;
        }
        let tries = app.budgets.used(&mut tx, &self.budget, &self.key, now).await?;
        db::commit(tx).await?;
        Ok(tries >= CAPTCHA_AFTER)
    }

    /// The password was right: its tries are forgotten.
    pub(super) async fn forget(&self, app: &Identity) -> Result<(), ApiError> {
        Ok(app.budgets.settle(&app.db, self.wanted(), app.clock.now()).await?)
    }
}

/// A new password was set by its owner on a device: what was tried at the old one locks nobody out
/// any more.
pub(crate) async fn forget_tries(
    app: &Identity,
    db: &mut PgConnection,
    (merchant, account): (&Merchant, &str),
    visit: &Visit,
) -> Result<(), sqlx::Error> {
    let name = members::login_key(merchant, account);
    let anywhere = format!("{} {name}", merchant.id);
    app.budgets.clear(db, &STRANGERS, &anywhere).await?;
    if let Some(address) = visit.address {
        app.budgets.clear(db, &STRANGERS, &here_key(&anywhere, address)).await?;
    }
    let key = format!("{anywhere} {}", hex::encode(visit.device_hash));
    app.budgets.clear(db, &OWNER, &key).await
}

/// Of tries of a name from one address.
fn here_key(anywhere: &str, address: IpAddr) -> String {
    format!("{anywhere} from {}", budget::address_key(address))
}

/// Too many wrong passwords have words of their own, which say how else to come in.
fn locked(wait: RetryAfter) -> ApiError {
    ApiError::new(codes::LOCKED).retry_after(wait.0)
}

/// So many log in at this moment that what is left of the day's tries is taken up by them. Nearly
/// all of them will be right, so it passes.
fn busy() -> ApiError {
    ApiError::unavailable("many logins are under way")
}
