//! SQL for merchants and hosts, and for reading all settings into the cache.
//! The office has its own SQL in `office/store.rs`.

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
use platform::geoip::Country;

/// A merchant to insert.
pub struct NewMerchant<'a> {
    /// Its id.
    pub id: Uuid,
    /// Its short code.
    pub code: &'a str,
    /// Its display name.
    pub name: &'a str,
    /// The currency of its members.
    pub currency: Currency,
    /// Its IANA time zone.
    pub time_zone: &'a str,
    /// Its main domain.
    pub main_domain: &'a str,
    /// The credit in the wallet of new members.
    pub welcome_credit: Amount,
    /// Its hosts, and whether each is shared with other merchants.
    pub hosts: &'a [(&'a str, bool)],
}

/// Whether no merchant exists yet.
pub async fn is_empty(db: &PgPool) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(r#"select not exists (select from site_merchants) as "empty!""#)
        .fetch_one(db)
        .await
}

/// A hook that runs in the transaction that creates a merchant. An error rolls it back.
#[derive(Clone, Copy)]
pub struct OnMerchantCreated(pub CreatedHook);

type CreatedHook = for<'a> fn(
    &'a mut PgTransaction<'static>,
    Uuid,
    DateTime<Utc>,
) -> BoxFuture<'a, Result<(), sqlx::Error>>;

/// Inserts a merchant with its hosts and the default switches, registration rules and policy, then
/// runs the hooks (the `content` domain adds its first content).
pub async fn insert_merchant(
    on_merchant_created: &[OnMerchantCreated],
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
    for hook in on_merchant_created {
        hook.0(tx, merchant.id, now).await?;
    }
    Ok(())
}

/// Locks the merchant's row, so that changes to its data run one at a time. Gives its code, or
/// `None` if there is no such merchant.
pub async fn lock_merchant(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("select code from site_merchants where id = $1 for update", merchant_id)
        .fetch_optional(&mut **tx)
        .await
}

/// Sets a switch of a merchant.
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

/// Inserts the default registration rules and policy of a new merchant as rows.
async fn insert_default_rules(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
) -> Result<(), sqlx::Error> {
    let policy = Policy::default();
    sqlx::query!(
        "insert into site_policies (merchant_id, minimum_age, dialing_code) values ($1, $2, $3)",
        merchant_id,
        to_i16(policy.minimum_age)?,
        policy.dialing_code,
    )
    .execute(&mut **tx)
    .await?;
    for (field, rule) in RegisterRules::default().iter() {
        upsert_rule(tx, merchant_id, field, rule).await?;
    }
    Ok(())
}

/// Sets the rule of a field of a merchant's registration form.
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
        to_i16(rule.shape.min)?,
        to_i16(rule.shape.max)?,
        rule.shape.pattern.id(),
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A number for a `smallint` column.
pub(super) fn to_i16(number: impl TryInto<i16>) -> Result<i16, sqlx::Error> {
    number.try_into().map_err(|_| sqlx::Error::Encode("out of range (at most 32767)".into()))
}

/// Reads all merchants with their hosts and settings. There are few enough to keep in memory.
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
    let mut by_country = HashMap::new();
    let merchants = rows.into_iter().map(|row| {
        let policies = policies.remove(&row.id).unwrap_or_default();
        let currency =
            row.currency.parse::<Currency>().map_err(|e| sqlx::Error::Decode(e.into()))?;
        let merchant = Merchant {
            switches: switches::tree(&switches.remove(&row.id).unwrap_or_default()),
            brand: Arc::new(brands.remove(&row.id).map(Brand::from_stored).unwrap_or_default()),
            register_rules: rules.remove(&row.id).unwrap_or_default(),
            policy: policies.own,
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
        for (country, policy) in policies.by_country {
            let policy = policy.with_dialing_code_of(&merchant.policy);
            let variant = Merchant { policy, ..merchant.clone() };
            by_country.insert((merchant.id, country), Arc::new(variant));
        }
        Ok(Arc::new(merchant))
    });
    let merchants = merchants.collect::<Result<_, sqlx::Error>>()?;
    Ok(Snapshot { hosts, merchants, by_country })
}

/// The registration rules of each merchant. A field without a row has its default.
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
    by_country: Vec<(Country, Policy)>,
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
            Some(country) => policies.by_country.push((country, policy)),
            None => policies.own = policy,
        }
    }
    Ok(by_merchant)
}

/// The stored switches of each merchant. A switch without a row has its default.
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
