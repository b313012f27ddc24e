//! SQL for settings and their history in the office.

use std::collections::BTreeMap;

use capiz_rules::money::{Amount, Currency};
use capiz_rules::patterns::{Pattern, Shape};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool, PgTransaction};
use uuid::Uuid;

use super::values::{
    HostValue, Kind, MaintenanceValue, MerchantValue, OWN, PolicyValue, RuleValue, Setting,
    Settings,
};
use crate::brand::Brand;
use crate::codes;
use crate::rules::{FieldRule, RegisterRules};
use crate::store::{to_i16, upsert_rule, upsert_switch};
use crate::switches;
use platform::error::ApiError;

/// Locks the merchant's row, so that changes of its settings run one at a time, and reads all
/// settings.
pub(super) async fn lock_settings(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
) -> Result<Option<Settings>, sqlx::Error> {
    let locked = sqlx::query!("select from site_merchants where id = $1 for update", merchant_id)
        .fetch_optional(&mut **tx)
        .await?;
    match locked {
        Some(_) => find_settings(tx, merchant_id).await,
        None => Ok(None),
    }
}

/// Reads all settings of a merchant.
pub(super) async fn find_settings(
    db: &mut PgConnection,
    merchant_id: Uuid,
) -> Result<Option<Settings>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select m.id, code, name, currency, time_zone, main_domain, welcome_credit, maintenance,
                code_minutes, sms_per_day, trial_hours, brand as "brand?"
         from site_merchants m left join site_brands b on b.merchant_id = m.id where m.id = $1"#,
        merchant_id,
    )
    .fetch_optional(&mut *db)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let currency: Currency =
        row.currency.parse().map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
    Ok(Some(Settings {
        id: row.id,
        code: row.code,
        currency,
        merchant: MerchantValue {
            name: row.name,
            time_zone: row.time_zone,
            main_domain: row.main_domain,
            welcome_credit: Amount::from_units(row.welcome_credit),
            code_minutes: row.code_minutes.unsigned_abs(),
            sms_per_day: row.sms_per_day.unsigned_abs(),
            trial_hours: row.trial_hours.unsigned_abs(),
        },
        maintenance: MaintenanceValue { on: row.maintenance },
        brand: row.brand.map(Brand::from_stored).unwrap_or_default(),
        switches: switches::all(&list_switches(db, merchant_id).await?),
        rules: list_rules(db, merchant_id).await?,
        policies: list_policies(db, merchant_id).await?,
        hosts: list_hosts(db, merchant_id).await?,
    }))
}

async fn list_switches(
    db: &mut PgConnection,
    merchant_id: Uuid,
) -> Result<BTreeMap<String, bool>, sqlx::Error> {
    let rows = sqlx::query!(
        "select mod_id, enabled from site_switches where merchant_id = $1 limit 1000",
        merchant_id,
    );
    let rows = rows.fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| (row.mod_id, row.enabled)).collect())
}

async fn list_rules(
    db: &mut PgConnection,
    merchant_id: Uuid,
) -> Result<BTreeMap<&'static str, RuleValue>, sqlx::Error> {
    let rows = sqlx::query!(
        "select field, enabled, required, min_length, max_length, pattern_id
         from site_register_rules where merchant_id = $1 limit 1000",
        merchant_id,
    )
    .fetch_all(db)
    .await?;
    let mut rules = RegisterRules::default();
    for row in rows {
        let shape = Shape {
            min: row.min_length.unsigned_abs().into(),
            max: row.max_length.unsigned_abs().into(),
            pattern: Pattern::find(&row.pattern_id).unwrap_or(Pattern::Any),
        };
        let rule = FieldRule { enabled: row.enabled, required: row.required, shape };
        rules.set(&row.field, rule);
    }
    Ok(rules.iter().map(|(field, rule)| (field, RuleValue::new(rule))).collect())
}

async fn list_policies(
    db: &mut PgConnection,
    merchant_id: Uuid,
) -> Result<BTreeMap<String, PolicyValue>, sqlx::Error> {
    let rows = sqlx::query!(
        "select country, minimum_age, password_days, dialing_code, restricted, closed_categories
         from site_policies where merchant_id = $1 limit 1000",
        merchant_id,
    );
    let rows = rows.fetch_all(db).await?;
    let policies = rows.into_iter().map(|row| {
        let policy = PolicyValue {
            minimum_age: row.minimum_age.unsigned_abs(),
            password_days: row.password_days.map(i16::unsigned_abs),
            dialing_code: (row.country == OWN).then_some(row.dialing_code),
            restricted: row.restricted,
            closed_categories: row.closed_categories,
        };
        (row.country, policy)
    });
    Ok(policies.collect())
}

async fn list_hosts(
    db: &mut PgConnection,
    merchant_id: Uuid,
) -> Result<BTreeMap<String, HostValue>, sqlx::Error> {
    let rows = sqlx::query!(
        "select host, shared from site_hosts where merchant_id = $1 limit 10000",
        merchant_id,
    );
    let rows = rows.fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| (row.host, HostValue { shared: row.shared })).collect())
}

/// Writes the value of a setting.
pub(super) async fn write(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    setting: &Setting,
) -> Result<(), ApiError> {
    match setting {
        Setting::Switch(mod_id, value) => {
            upsert_switch(tx, merchant_id, mod_id, value.enabled).await?;
        }
        Setting::RegisterRule(field, value) => {
            let rule = value.rule();
            let rule = rule.ok_or_else(|| ApiError::fields([("patternId", "unknown")]))?;
            upsert_rule(tx, merchant_id, field, rule).await?;
        }
        Setting::Policy(country, Some(value)) => {
            upsert_policy(tx, merchant_id, country, value).await?;
        }
        Setting::Policy(country, None) => delete_policy(tx, merchant_id, country).await?,
        Setting::Host(host, Some(value)) => {
            if !upsert_host(tx, merchant_id, host, value.shared).await? {
                return Err(ApiError::new(codes::HOST_TAKEN));
            }
        }
        Setting::Host(host, None) => delete_host(tx, merchant_id, host).await?,
        Setting::Brand(brand) => upsert_brand(tx, merchant_id, &json!(brand)).await?,
        Setting::Maintenance(value) => update_maintenance(tx, merchant_id, value.on).await?,
        Setting::Merchant(value) => update_merchant(tx, merchant_id, value).await?,
    }
    Ok(())
}

async fn upsert_policy(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    country: &str,
    policy: &PolicyValue,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into site_policies
            (merchant_id, country, minimum_age, password_days, dialing_code, restricted,
             closed_categories)
         values ($1, $2, $3, $4, coalesce($5, '63'), $6, $7)
         on conflict (merchant_id, country) do update
         set minimum_age = excluded.minimum_age, password_days = excluded.password_days,
             dialing_code = excluded.dialing_code, restricted = excluded.restricted,
             closed_categories = excluded.closed_categories",
        merchant_id,
        country,
        to_i16(policy.minimum_age)?,
        policy.password_days.map(to_i16).transpose()?,
        policy.dialing_code,
        policy.restricted,
        &policy.closed_categories,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

async fn delete_policy(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    country: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from site_policies where merchant_id = $1 and country = $2",
        merchant_id,
        country,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// Inserts or updates a host. Gives false if it belongs to another merchant.
async fn upsert_host(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    host: &str,
    shared: bool,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "insert into site_hosts (host, merchant_id, shared) values ($1, $2, $3)
         on conflict (host) do update set shared = excluded.shared
         where site_hosts.merchant_id = excluded.merchant_id",
        host,
        merchant_id,
        shared,
    );
    Ok(done.execute(&mut **tx).await?.rows_affected() == 1)
}

async fn delete_host(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    host: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from site_hosts where merchant_id = $1 and host = $2", merchant_id, host)
        .execute(&mut **tx)
        .await
        .map(drop)
}

async fn upsert_brand(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    brand: &Value,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into site_brands (merchant_id, brand) values ($1, $2)
         on conflict (merchant_id) do update set brand = excluded.brand",
        merchant_id,
        brand,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

async fn update_maintenance(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    on: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!("update site_merchants set maintenance = $2 where id = $1", merchant_id, on)
        .execute(&mut **tx)
        .await
        .map(drop)
}

async fn update_merchant(
    tx: &mut PgTransaction<'_>,
    merchant_id: Uuid,
    value: &MerchantValue,
) -> Result<(), sqlx::Error> {
    let sms_per_day = i32::try_from(value.sms_per_day);
    sqlx::query!(
        "update site_merchants
         set name = $2, time_zone = $3, main_domain = $4, welcome_credit = $5, code_minutes = $6,
             sms_per_day = $7, trial_hours = $8
         where id = $1",
        merchant_id,
        value.name,
        value.time_zone,
        value.main_domain,
        value.welcome_credit.units(),
        to_i16(value.code_minutes)?,
        sms_per_day.map_err(|error| sqlx::Error::Encode(error.into()))?,
        to_i16(value.trial_hours)?,
    )
    .execute(&mut **tx)
    .await
    .map(drop)
}

/// A change in the history.
pub(super) struct Change {
    pub(super) id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) seq: i64,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
    pub(super) actor: String,
    pub(super) reason: String,
    pub(super) at: DateTime<Utc>,
    pub(super) undoes: Option<Uuid>,
    /// Whether it can be undone: it is the change in force, or it is the latest change and an undo
    /// itself. False once the same setting has a newer change that was not undone.
    pub(super) is_on_top: bool,
}

/// A change to insert into the history.
pub(super) struct NewChange<'a> {
    pub(super) id: Uuid,
    pub(super) merchant_id: Uuid,
    pub(super) kind: Kind,
    pub(super) name: &'a str,
    pub(super) before: Option<&'a Value>,
    pub(super) after: Option<&'a Value>,
    pub(super) changed_by: Option<Uuid>,
    pub(super) actor: &'a str,
    pub(super) reason: &'a str,
    pub(super) at: DateTime<Utc>,
    pub(super) undoes: Option<Uuid>,
    /// The change whose value the setting has after this one. After an undo it is an older change.
    pub(super) in_force: Option<Uuid>,
}

/// Adds a change to the history and gives its number. The merchant's row must be locked, because
/// the number is the highest one plus 1.
pub(super) async fn insert_change(
    tx: &mut PgTransaction<'_>,
    change: &NewChange<'_>,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        "insert into site_changes
            (id, merchant_id, seq, kind, name, before, after, changed_by, actor, reason, at,
             undoes, in_force)
         select $1, $2, coalesce(max(seq), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12
         from site_changes where merchant_id = $2
         returning seq",
        change.id,
        change.merchant_id,
        change.kind.text(),
        change.name,
        change.before,
        change.after,
        change.changed_by,
        change.actor,
        change.reason,
        change.at,
        change.undoes,
        change.in_force,
    )
    .fetch_one(&mut **tx)
    .await
}

/// A change by its id.
pub(super) async fn find_change(
    db: &mut PgConnection,
    id: Uuid,
) -> Result<Option<Change>, sqlx::Error> {
    sqlx::query_as!(
        Change,
        r#"select id, merchant_id, seq, kind, name, before, after, actor, reason, at, undoes,
             coalesce((select newest.in_force = c.id or (newest.id = c.id and c.undoes is not null)
                from site_changes newest
                where newest.merchant_id = c.merchant_id and newest.kind = c.kind
                  and newest.name = c.name
                order by newest.seq desc limit 1), false) as "is_on_top!"
         from site_changes c where id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await
}

/// The change that was in force on the same setting before another one.
pub(super) async fn find_in_force_before(
    tx: &mut PgTransaction<'_>,
    change: &Change,
) -> Result<Option<Uuid>, sqlx::Error> {
    let found = sqlx::query_scalar!(
        "select in_force from site_changes
         where merchant_id = $1 and kind = $2 and name = $3 and seq < $4
         order by seq desc limit 1",
        change.merchant_id,
        change.kind,
        change.name,
        change.seq,
    );
    Ok(found.fetch_optional(&mut **tx).await?.flatten())
}

/// Filter of the history.
pub(super) struct ChangeFilter<'a> {
    pub(super) kind: Option<Kind>,
    pub(super) name: Option<&'a str>,
    pub(super) actor: Option<&'a str>,
    /// Only changes with a smaller number.
    pub(super) before: Option<i64>,
}

/// Changes of a merchant, newest first.
pub(super) async fn list_changes(
    db: &PgPool,
    merchant_id: Uuid,
    filter: &ChangeFilter<'_>,
    limit: i64,
) -> Result<Vec<Change>, sqlx::Error> {
    sqlx::query_as!(
        Change,
        r#"select id, merchant_id, seq, kind, name, before, after, actor, reason, at, undoes,
             coalesce((select newest.in_force = c.id or (newest.id = c.id and c.undoes is not null)
                from site_changes newest
                where newest.merchant_id = c.merchant_id and newest.kind = c.kind
                  and newest.name = c.name
                order by newest.seq desc limit 1), false) as "is_on_top!"
         from site_changes c
         where merchant_id = $1
           and ($2::text is null or kind = $2)
           and ($3::text is null or name = $3)
           and ($4::text is null or actor = $4)
           and ($5::bigint is null or seq < $5)
         order by seq desc limit $6"#,
        merchant_id,
        filter.kind.map(Kind::text),
        filter.name,
        filter.actor,
        filter.before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// A merchant in the list.
pub(super) struct MerchantSummary {
    pub(super) id: Uuid,
    pub(super) code: String,
    pub(super) name: String,
    pub(super) currency: String,
    pub(super) maintenance: bool,
    pub(super) hosts: i64,
    pub(super) created_at: DateTime<Utc>,
}

/// All merchants, oldest first, at most 1,000.
pub(super) async fn list_merchants(db: &PgPool) -> Result<Vec<MerchantSummary>, sqlx::Error> {
    sqlx::query_as!(
        MerchantSummary,
        r#"select id, code, name, currency, maintenance, created_at,
             (select count(*) from site_hosts where merchant_id = m.id) as "hosts!"
         from site_merchants m order by created_at, id limit 1000"#
    )
    .fetch_all(db)
    .await
}
