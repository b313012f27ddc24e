//! All SQL of the site.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use capiz_rules::money::{Amount, Currency};
use capiz_rules::patterns::{Pattern, Shape};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use serde_json::Value;
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::brand::Brand;
use super::model::{HostEntry, Merchant, Snapshot};
use super::rules::{FieldRule, Policy, RegisterRules};
use super::switches::{self, KNOWN};
use platform::atlas::Country;

/// A merchant to be founded.
pub struct NewMerchant<'a> {
    /// Its id.
    pub id: Uuid,
    /// Its short code.
    pub code: &'a str,
    /// Its name for people.
    pub name: &'a str,
    /// The currency of its members.
    pub currency: Currency,
    /// Its zone.
    pub time_zone: &'a str,
    /// Its main domain.
    pub main_domain: &'a str,
    /// What new members are given.
    pub welcome_credit: Amount,
    /// Its hosts, and whether each is shared.
    pub hosts: &'a [(&'a str, bool)],
}

/// Whether no merchant exists yet.
pub async fn is_empty(db: &PgPool) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(r#"select not exists (select from site_merchants) as "empty!""#)
        .fetch_one(db)
        .await
}

/// Called inside the transaction that founds a merchant; an error undoes it.
#[derive(Clone, Copy)]
pub struct OnFounded(pub Founded);

type Founded = for<'a> fn(
    &'a mut PgTransaction<'static>,
    Uuid,
    DateTime<Utc>,
) -> BoxFuture<'a, Result<(), sqlx::Error>>;

/// Founds a merchant with its hosts, and with the switches, rules, policy and content that all begin
/// with.
pub async fn insert_merchant(
    on_founded: &[OnFounded],
    tx: &mut PgTransaction<'static>,
    merchant: &NewMerchant<'_>,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into site_merchants
            (id, code, name, currency, time_zone, main_domain, welcome_credit, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        merchant.id,
        merchant.code,
        merchant.name,
        merchant.currency.code(),
        merchant.time_zone,
        merchant.main_domain,
        merchant.welcome_credit.units(),
        now,
    )
    .execute(&mut **tx)
    .await?;
    for (host, shared) in merchant.hosts {
        sqlx::query!(
            "insert into site_hosts (host, merchant_id, shared) values ($1, $2, $3)",
            host,
            merchant.id,
            shared,
        )
        .execute(&mut **tx)
        .await?;
    }
    for known in KNOWN {
        upsert_switch(tx, merchant.id, known.mod_id, known.default).await?;
    }
    insert_default_rules(tx, merchant.id).await?;
    for founded in on_founded {
        founded.0(tx, merchant.id, now).await?;
    }
    Ok(())
}

/// Locks a merchant, so that what is its own is changed by one after the other: its code.
pub async fn lock_merchant(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("select code from site_merchants where id = $1 for update", merchant_id)
        .fetch_optional(&mut **tx)
        .await
}

/// Turns a switch of a merchant.
pub(super) async fn upsert_switch(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    mod_id: &str,
    enabled: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into site_switches (merchant_id, mod_id, enabled) values ($1, $2, $3)
         on conflict (merchant_id, mod_id) do update set enabled = excluded.enabled",
        merchant_id,
        mod_id,
        enabled,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// The rules and the policy that a new merchant begins with, as rows for the operator to change.
async fn insert_default_rules(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
) -> Result<(), sqlx::Error> {
    let policy = Policy::default();
    sqlx::query!(
        "insert into site_policies (merchant_id, minimum_age, dialing_code) values ($1, $2, $3)",
        merchant_id,
        small(policy.minimum_age)?,
        policy.dialing_code,
    )
    .execute(&mut **tx)
    .await?;
    for (field, rule) in RegisterRules::default().iter() {
        upsert_rule(tx, merchant_id, field, rule).await?;
    }
    Ok(())
}

/// Sets the rule of a field of a merchant's form.
pub(super) async fn upsert_rule(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    field: &str,
    rule: FieldRule,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into site_register_rules
            (merchant_id, field, enabled, required, min_length, max_length, pattern_id)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (merchant_id, field) do update
         set enabled = excluded.enabled, required = excluded.required,
             min_length = excluded.min_length, max_length = excluded.max_length,
             pattern_id = excluded.pattern_id",
        merchant_id,
        field,
        rule.enabled,
        rule.required,
        small(rule.shape.min)?,
        small(rule.shape.max)?,
        rule.shape.pattern.id(),
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

pub(super) fn small(number: impl TryInto<i16>) -> Result<i16, sqlx::Error> {
    number.try_into().map_err(|_| sqlx::Error::Encode("a number of at most 32767".into()))
}

/// Reads all merchants, hosts and switches; there are few of each.
pub(super) async fn load_snapshot(db: &PgPool) -> Result<Snapshot, sqlx::Error> {
    let hosts = sqlx::query!("select host, merchant_id, shared from site_hosts limit 10000")
        .fetch_all(db)
        .await?
        .into_iter()
        .map(|row| (row.host, HostEntry { merchant_id: row.merchant_id, shared: row.shared }))
        .collect();
    let mut switches = load_switches(db).await?;
    let mut brands = load_brands(db).await?;
    let mut rules = load_rules(db).await?;
    let mut policies = load_policies(db).await?;
    let rows = sqlx::query!(
        "select id, code, name, currency, time_zone, main_domain, welcome_credit, maintenance,
                code_minutes, sms_per_day, trial_hours
         from site_merchants order by created_at limit 1000"
    )
    .fetch_all(db)
    .await?;
    let mut abroad = HashMap::new();
    let merchants = rows.into_iter().map(|row| {
        let places = policies.remove(&row.id).unwrap_or_default();
        let currency =
            row.currency.parse::<Currency>().map_err(|e| sqlx::Error::Decode(e.into()))?;
        let merchant = Merchant {
            switches: switches::tree(&switches.remove(&row.id).unwrap_or_default()),
            brand: Arc::new(brands.remove(&row.id).map(Brand::from_stored).unwrap_or_default()),
            register_rules: rules.remove(&row.id).unwrap_or_default(),
            policy: places.own,
            id: row.id,
            code: row.code,
            name: row.name,
            currency,
            time_zone: row.time_zone,
            main_domain: row.main_domain,
            welcome_credit: Amount::from_units(row.welcome_credit),
            maintenance: row.maintenance,
            code_minutes: row.code_minutes.try_into().unwrap_or(1),
            sms_per_day: row.sms_per_day.try_into().unwrap_or(0),
            trial_hours: row.trial_hours.unsigned_abs(),
        };
        for (country, law) in places.elsewhere {
            let there = Merchant { policy: law.over(&merchant.policy), ..merchant.clone() };
            abroad.insert((merchant.id, country), Arc::new(there));
        }
        Ok(Arc::new(merchant))
    });
    let merchants = merchants.collect::<Result<_, sqlx::Error>>()?;
    Ok(Snapshot { hosts, merchants, abroad })
}

/// The rules of each merchant; a field without a row has its default.
async fn load_rules(db: &PgPool) -> Result<HashMap<Uuid, RegisterRules>, sqlx::Error> {
    let rows = sqlx::query!(
        "select merchant_id, field, enabled, required, min_length, max_length, pattern_id
         from site_register_rules limit 100000"
    )
    .fetch_all(db)
    .await?;
    let mut by_merchant: HashMap<Uuid, RegisterRules> = HashMap::new();
    for row in rows {
        let unknown = || sqlx::Error::Decode(format!("no pattern {}", row.pattern_id).into());
        let shape = Shape {
            min: row.min_length.unsigned_abs().into(),
            max: row.max_length.unsigned_abs().into(),
            pattern: Pattern::find(&row.pattern_id).ok_or_else(unknown)?,
        };
        let rule = FieldRule { enabled: row.enabled, required: row.required, shape };
        by_merchant.entry(row.merchant_id).or_default().set(&row.field, rule);
    }
    Ok(by_merchant)
}

/// A merchant's policies: its own, and those of countries.
#[derive(Default)]
struct Policies {
    own: Policy,
    elsewhere: Vec<(Country, Policy)>,
}

/// The policies of each merchant.
async fn load_policies(db: &PgPool) -> Result<HashMap<Uuid, Policies>, sqlx::Error> {
    let rows = sqlx::query!(
        "select merchant_id, country, minimum_age, password_days, dialing_code, restricted,
            closed_categories
         from site_policies limit 300000"
    )
    .fetch_all(db)
    .await?;
    let mut by_merchant: HashMap<Uuid, Policies> = HashMap::new();
    for row in rows {
        let policy = Policy {
            minimum_age: row.minimum_age.unsigned_abs().into(),
            password_days: row.password_days.map(i16::unsigned_abs),
            dialing_code: row.dialing_code,
            restricted: row.restricted,
            closed_categories: row.closed_categories,
        };
        let policies = by_merchant.entry(row.merchant_id).or_default();
        match Country::parse(&row.country) {
            Some(country) => policies.elsewhere.push((country, policy)),
            None => policies.own = policy,
        }
    }
    Ok(by_merchant)
}

/// The switches of each merchant that somebody has turned.
async fn load_switches(db: &PgPool) -> Result<HashMap<Uuid, BTreeMap<String, bool>>, sqlx::Error> {
    let rows = sqlx::query!("select merchant_id, mod_id, enabled from site_switches limit 100000")
        .fetch_all(db)
        .await?;
    let mut by_merchant: HashMap<Uuid, BTreeMap<String, bool>> = HashMap::new();
    for row in rows {
        by_merchant.entry(row.merchant_id).or_default().insert(row.mod_id, row.enabled);
    }
    Ok(by_merchant)
}

async fn load_brands(db: &PgPool) -> Result<HashMap<Uuid, Value>, sqlx::Error> {
    let rows =
        sqlx::query!("select merchant_id, brand from site_brands limit 1000").fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| (row.merchant_id, row.brand)).collect())
}
