//! Merchants and the directory that finds them.

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
use platform::atlas::Country;
use platform::cache::Cache;
use platform::language::Language;

/// A brand of the installation, as every request sees it.
#[derive(Clone, Debug)]
pub struct Merchant {
    /// Its id.
    pub id: Uuid,
    /// Its short code, as in the header `Merchant`.
    pub code: String,
    /// Its name for people.
    pub name: String,
    /// The real currency of its members.
    pub currency: Currency,
    /// The zone of its business day and of the site's clock.
    pub time_zone: String,
    /// The domain for links that leave the site.
    pub main_domain: String,
    /// What a new member finds in the wallet.
    pub welcome_credit: Amount,
    /// Whether the site is closed for maintenance.
    pub maintenance: bool,
    /// How many minutes a verification code lives.
    pub code_minutes: u16,
    /// How many text messages it pays for in a day.
    pub sms_per_day: u32,
    /// How many hours a demo account outlives its session.
    pub trial_hours: u16,
    /// The whitelabel tree.
    pub switches: Vec<SwitchNode>,
    /// What the registration form asks.
    pub register_rules: RegisterRules,
    /// What the law asks where the visitor is; the merchant's own where that is not known.
    pub policy: Policy,
    /// What the brand shows and where it sends people.
    pub brand: Arc<Brand>,
}

impl Merchant {
    /// Whether a switch and all above it are on. What is not in the tree is off.
    pub fn allows(&self, switch: Switch) -> bool {
        is_on(&self.switches, switch.mod_id())
    }

    /// Whether whoever registers with a number confirms it by a code. Who registers by the number
    /// and gets no password always does: nothing else would let the member in again.
    pub fn asks_registration_code(&self, by_mobile: bool) -> bool {
        self.allows(Switch::RegistrationCode)
            || (by_mobile && !self.allows(Switch::MobileRegistrationPassword))
    }

    /// Where its site is found from outside. A name of this machine leads to our own port.
    pub fn origin(&self, app: &Core) -> String {
        let domain = self.main_domain.as_str();
        if !["localhost", "127.0.0.1", "[::1]"].contains(&domain) {
            return format!("https://{domain}");
        }
        let scheme = if app.speaks_tls() { "https" } else { "http" };
        format!("{scheme}://{domain}:{}", app.config.listen.port())
    }

    /// The language of visitors who have chosen none.
    pub fn usual_language(&self) -> Language {
        Language::parse(&self.brand.default_language).unwrap_or(Language::English)
    }

    /// The language of a visitor, among those of the brand.
    pub fn language_of(&self, headers: &HeaderMap) -> Language {
        let languages = &self.brand.languages;
        let is_offered = |language: Language| languages.iter().any(|code| code == language.code());
        Language::among(headers, is_offered, self.usual_language())
    }

    /// What the start-up shows: 0 the site, 1 the maintenance page, 2 that it is not available
    /// where the visitor is.
    pub fn status(&self) -> u8 {
        match (self.maintenance, self.policy.restricted) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 0,
        }
    }

    /// All switches flat, for the page's boot data.
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

/// One reading of all merchants and hosts.
pub struct Snapshot {
    pub(super) merchants: Vec<Arc<Merchant>>,
    /// The same merchants as visitors of certain countries find them.
    pub(super) abroad: HashMap<(Uuid, Country), Arc<Merchant>>,
    pub(super) hosts: HashMap<String, HostEntry>,
}

/// To whom a host belongs.
pub(super) struct HostEntry {
    pub(super) merchant_id: Uuid,
    pub(super) shared: bool,
}

impl Snapshot {
    /// The merchant of a host; `code` is heard where the host is shared.
    fn find(&self, host: &str, code: Option<&str>) -> Option<Arc<Merchant>> {
        let entry = self.hosts.get(host)?;
        match code {
            Some(code) if entry.shared => self.merchants.iter().find(|m| m.code == code).cloned(),
            _ => self.merchants.iter().find(|m| m.id == entry.merchant_id).cloned(),
        }
    }
}

impl Snapshot {
    /// A merchant as visitors of a country find it.
    fn seen_from(&self, merchant: Arc<Merchant>, country: Option<Country>) -> Arc<Merchant> {
        let abroad = country.and_then(|country| self.abroad.get(&(merchant.id, country)));
        abroad.cloned().unwrap_or(merchant)
    }
}

/// Finds merchants, at most a second behind the database.
pub struct Directory {
    cache: Cache<Snapshot>,
}

impl Default for Directory {
    fn default() -> Self {
        Self { cache: Cache::new(Duration::from_secs(1)) }
    }
}

impl Directory {
    /// The merchant of a host without its port, under its own policy.
    pub async fn find(
        &self,
        db: &PgPool,
        host: &str,
        code: Option<&str>,
    ) -> Result<Option<Arc<Merchant>>, sqlx::Error> {
        self.find_from(db, host, code, None).await
    }

    /// The merchant of a host under the policy of the visitor's country.
    pub async fn find_from(
        &self,
        db: &PgPool,
        host: &str,
        code: Option<&str>,
        country: Option<Country>,
    ) -> Result<Option<Arc<Merchant>>, sqlx::Error> {
        let snapshot = self.cache.get(async || store::load_snapshot(db).await).await?;
        Ok(snapshot.find(host, code).map(|merchant| snapshot.seen_from(merchant, country)))
    }

    /// All merchants.
    pub async fn all(&self, db: &PgPool) -> Result<Vec<Arc<Merchant>>, sqlx::Error> {
        let snapshot = self.cache.get(async || store::load_snapshot(db).await).await?;
        Ok(snapshot.merchants.clone())
    }

    /// Forgets what is known, after a change made here.
    pub async fn refresh(&self) {
        self.cache.clear();
    }
}
