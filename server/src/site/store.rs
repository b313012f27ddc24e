//! All SQL of the site.

use std::collections::HashMap;
use std::sync::Arc;

use capiz_rules::money::{Amount, Currency};
use capiz_rules::patterns::{Pattern, Shape};
use chrono::{DateTime, Utc};
use sqlx::{PgPool, PgTransaction};
use uuid::Uuid;

use super::model::{HostEntry, Merchant, Snapshot, SwitchNode};
use super::rules::{FieldRule, Policy, RegisterRules};
use crate::platform::atlas::Country;

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
    /// The whitelabel tree, parents first: name, parent, on.
    pub switches: &'a [(&'a str, Option<&'a str>, bool)],
}

/// Whether no merchant exists yet.
pub async fn is_empty(db: &PgPool) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(r#"select not exists (select from site_merchants) as "empty!""#)
        .fetch_one(db)
        .await
}

/// Founds a merchant with its hosts and switches.
pub async fn insert_merchant(
    tx: &mut PgTransaction<'_>,
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
    for (position, (mod_id, parent, enabled)) in (0i16..).zip(merchant.switches) {
        sqlx::query!(
            "insert into site_switches (merchant_id, mod_id, parent_mod_id, position, enabled)
             values ($1, $2, $3, $4, $5)",
            merchant.id,
            mod_id,
            *parent,
            position,
            enabled,
        )
        .execute(&mut **tx)
        .await?;
    }
    insert_default_rules(tx, merchant.id).await
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
        sqlx::query!(
            "insert into site_register_rules
                (merchant_id, field, enabled, required, min_length, max_length, pattern_id)
             values ($1, $2, $3, $4, $5, $6, $7)",
            merchant_id,
            field,
            rule.enabled,
            rule.required,
            small(rule.shape.min)?,
            small(rule.shape.max)?,
            rule.shape.pattern.id(),
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

fn small(number: impl TryInto<i16>) -> Result<i16, sqlx::Error> {
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
    let switches = load_switches(db).await?;
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
            switches: tree(switches.get(&row.id).map_or(&[], Vec::as_slice), None),
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
        "select merchant_id, country, minimum_age, password_days, dialing_code
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
        };
        let policies = by_merchant.entry(row.merchant_id).or_default();
        match Country::parse(&row.country) {
            Some(country) => policies.elsewhere.push((country, policy)),
            None => policies.own = policy,
        }
    }
    Ok(by_merchant)
}

struct SwitchRow {
    mod_id: String,
    parent: Option<String>,
    enabled: bool,
}

async fn load_switches(db: &PgPool) -> Result<HashMap<Uuid, Vec<SwitchRow>>, sqlx::Error> {
    let rows = sqlx::query!(
        "select merchant_id, mod_id, parent_mod_id, enabled from site_switches
         order by merchant_id, position limit 100000"
    )
    .fetch_all(db)
    .await?;
    let mut by_merchant: HashMap<Uuid, Vec<SwitchRow>> = HashMap::new();
    for row in rows {
        by_merchant.entry(row.merchant_id).or_default().push(SwitchRow {
            mod_id: row.mod_id,
            parent: row.parent_mod_id,
            enabled: row.enabled,
        });
    }
    Ok(by_merchant)
}

fn tree(rows: &[SwitchRow], parent: Option<&str>) -> Vec<SwitchNode> {
    rows.iter()
        .filter(|row| row.parent.as_deref() == parent)
        .map(|row| SwitchNode {
            mod_id: row.mod_id.clone(),
            enabled: if row.enabled { "1" } else { "0" },
            children_nodes: tree(rows, Some(&row.mod_id)),
        })
        .collect()
}
