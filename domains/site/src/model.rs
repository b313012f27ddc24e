//! Merchants and the cached directory that looks them up by host.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use capiz_rules::money::{Amount, Currency};
use sqlx::PgPool;
use uuid::Uuid;

use super::brand::Brand;
use super::rules::{Policy, RegisterRules};
use super::store;
use super::switches::{Switch, SwitchNode};
use platform::Core;
use platform::cache::Cache;
use platform::geoip::Country;
use platform::language::Language;

/// A merchant (brand) with all settings that requests need.
#[derive(Clone, Debug)]
pub struct Merchant {
    /// Its id.
    pub id: Uuid,
    /// Its short code, as in the header `Merchant`.
    pub code: String,
    /// Its display name.
    pub name: String,
    /// The real-money currency of its members.
    pub currency: Currency,
    /// The IANA time zone of its business day and of the site's clock.
    pub time_zone: String,
    /// The domain in links that are sent out, such as those in e-mails.
    pub main_domain: String,
    /// The credit in the wallet of a new member.
    pub welcome_credit: Amount,
    /// Whether the site is closed for maintenance.
    pub maintenance: bool,
    /// How many minutes a verification code is valid.
    pub code_minutes: u16,
    /// The daily limit of text messages (SMS) that it pays for.
    pub sms_per_day: u32,
    /// How many hours a demo account is kept after its session ends.
    pub trial_hours: u16,
    /// The switches as the whitelabel tree.
    pub switches: Vec<SwitchNode>,
    /// The rules of the registration form, field by field.
    pub register_rules: RegisterRules,
    /// The legal policy for the visitor's country; the merchant's own if that country is unknown or
    /// has no policy.
    pub policy: Policy,
    /// The brand's configuration.
    pub brand: Arc<Brand>,
}

impl Merchant {
    /// Whether a switch and all its parents are on. A switch that is not in the tree is off.
    pub fn allows(&self, switch: Switch) -> bool {
        is_on(&self.switches, switch.mod_id())
    }

    /// Whether registration has to confirm a mobile number by a verification code. It always does
    /// when members register by mobile number without a password, because a code to that number is
    /// then the only way to log in again.
    pub fn requires_registration_code(&self, by_mobile: bool) -> bool {
        self.allows(Switch::RegistrationCode)
            || (by_mobile && !self.allows(Switch::MobileRegistrationPassword))
    }

    /// The public origin of its site. If the main domain is localhost, it has this server's port.
    pub fn origin(&self, app: &Core) -> String {
        let domain = self.main_domain.as_str();
        if !["localhost", "127.0.0.1", "[::1]"].contains(&domain) {
            return format!("https://{domain}");
        }
        let scheme = if app.speaks_tls() { "https" } else { "http" };
        format!("{scheme}://{domain}:{}", app.config.listen.port())
    }

    /// The brand's default language.
    pub fn default_language(&self) -> Language {
        Language::parse(&self.brand.default_language).unwrap_or(Language::English)
    }

    /// The visitor's preferred language among those that the brand offers.
    pub fn language_of(&self, headers: &HeaderMap) -> Language {
        let languages = &self.brand.languages;
        let is_offered = |language: Language| languages.iter().any(|code| code == language.code());
        Language::among(headers, is_offered, self.default_language())
    }

    /// What a page shows at start-up: 0 the site, 1 the maintenance page, 2 the page for restricted
    /// regions.
    pub fn status(&self) -> u8 {
        match (self.maintenance, self.policy.restricted) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 0,
        }
    }

    /// All switches as a flat map, for the page's boot data. A switch below one that is off is off.
    pub fn flat_switches(&self) -> BTreeMap<String, bool> {
        let mut flat = BTreeMap::new();
        flatten(&self.switches, true, &mut flat);
        flat
    }
}

fn is_on(nodes: &[SwitchNode], mod_id: &str) -> bool {
    nodes.iter().any(|node| {
        node.enabled == "1" && (node.mod_id == mod_id || is_on(&node.children_nodes, mod_id))
    })
}

fn flatten(nodes: &[SwitchNode], parent_on: bool, flat: &mut BTreeMap<String, bool>) {
    for node in nodes {
        let on = parent_on && node.enabled == "1";
        flat.insert(node.mod_id.clone(), on);
        flatten(&node.children_nodes, on, flat);
    }
}

/// All merchants and hosts as they were read at one time.
pub struct Snapshot {
    pub(super) merchants: Vec<Arc<Merchant>>,
    /// The merchants with the policy of a country, for each country that has one.
    pub(super) by_country: HashMap<(Uuid, Country), Arc<Merchant>>,
    pub(super) hosts: HashMap<String, HostEntry>,
}

/// The merchant of a host.
pub(super) struct HostEntry {
    pub(super) merchant_id: Uuid,
    /// Whether the header `Merchant` may choose another merchant.
    pub(super) shared: bool,
}

impl Snapshot {
    /// The merchant of a host; `code` chooses another one if the host is shared.
    fn find(&self, host: &str, code: Option<&str>) -> Option<Arc<Merchant>> {
        let entry = self.hosts.get(host)?;
        match code {
            Some(code) if entry.shared => self.merchants.iter().find(|m| m.code == code).cloned(),
            _ => self.merchants.iter().find(|m| m.id == entry.merchant_id).cloned(),
        }
    }
}

impl Snapshot {
    /// The merchant with the policy of a country, if the country has one.
    fn for_country(&self, merchant: Arc<Merchant>, country: Option<Country>) -> Arc<Merchant> {
        let found = country.and_then(|country| self.by_country.get(&(merchant.id, country)));
        found.cloned().unwrap_or(merchant)
    }
}

/// Looks up merchants in a cache that is at most a second behind the database.
pub struct Directory {
    cache: Cache<Snapshot>,
}

impl Default for Directory {
    fn default() -> Self {
        Self { cache: Cache::new(Duration::from_secs(1)) }
    }
}

impl Directory {
    /// The merchant of a host (without port), with the merchant's own policy.
    pub async fn find(
        &self,
        db: &PgPool,
        host: &str,
        code: Option<&str>,
    ) -> Result<Option<Arc<Merchant>>, sqlx::Error> {
        self.find_for_country(db, host, code, None).await
    }

    /// The merchant of a host (without port), with the policy of the visitor's country.
    pub async fn find_for_country(
        &self,
        db: &PgPool,
        host: &str,
        code: Option<&str>,
        country: Option<Country>,
    ) -> Result<Option<Arc<Merchant>>, sqlx::Error> {
        let snapshot = self.cache.get(async || store::load_snapshot(db).await).await?;
        Ok(snapshot.find(host, code).map(|merchant| snapshot.for_country(merchant, country)))
    }

    /// All merchants.
    pub async fn all(&self, db: &PgPool) -> Result<Vec<Arc<Merchant>>, sqlx::Error> {
        let snapshot = self.cache.get(async || store::load_snapshot(db).await).await?;
        Ok(snapshot.merchants.clone())
    }

    /// Clears the cache after a change on this node, so that the next lookup reads the database.
    pub async fn refresh(&self) {
        self.cache.clear();
    }
}
