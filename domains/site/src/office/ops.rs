//! Changing settings, undoing changes and creating merchants.

use capiz_rules::money::{Amount, Currency};
use serde_json::{Value, json};
use sqlx::PgTransaction;
use uuid::Uuid;

use super::hosts::is_host;
use super::store::{self, Change, NewChange};
use super::values::{Kind, MerchantValue, Setting, Settings};
use crate::Site;
use crate::codes;
use crate::store::{NewMerchant, insert_merchant};
use platform::db;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::{self, Topic};
use staff::{Actor, AuditEntry};

/// The most hosts that a new merchant can be created with.
const HOSTS_MAX: usize = 20;

/// A requested change of a setting.
pub(super) struct ChangeRequest {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// The value that the editor saw.
    pub(super) seen: Option<Value>,
    /// The new value; `None` removes a policy or a host.
    pub(super) value: Option<Value>,
    pub(super) reason: String,
}

/// Changes a setting. Refused with `STALE` if it no longer has the value that the editor saw.
pub(super) async fn change(
    app: &Site,
    actor: Actor,
    merchant_id: Uuid,
    request: ChangeRequest,
) -> Result<Change, ApiError> {
    staff::check_reason(&request.reason)?;
    let ChangeRequest { kind, name, seen, value, reason } = request;
    let setting = Setting::read(kind, &name, value)?;
    // Parsed like the value itself, so that differences in JSON formatting do not matter.
    let seen = match seen {
        Some(seen) => Setting::read(kind, &name, Some(seen))?.value(),
        None => None,
    };
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let settings = store::lock_settings(&mut tx, merchant_id).await?;
        let settings = settings.ok_or_else(|| ApiError::new(codes::UNKNOWN_MERCHANT))?;
        if setting.current_value(&settings) != seen {
            return Err(ApiError::new(codes::STALE));
        }
        let context = ChangeContext { actor, reason, action: "site.change", undone: None };
        let change = apply(&app, &mut tx, &settings, setting, context).await?;
        commit(&app, tx).await?;
        Ok(change)
    })
    .await
}

/// Undoes a change: the setting gets the value from before it. Refused while a newer change of the
/// same setting is in force.
pub(super) async fn undo(
    app: &Site,
    actor: Actor,
    id: Uuid,
    reason: String,
) -> Result<Change, ApiError> {
    staff::check_reason(&reason)?;
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let unknown = || ApiError::new(codes::UNKNOWN_CHANGE);
        let found = store::find_change(&mut tx, id).await?.ok_or_else(unknown)?;
        let settings = store::lock_settings(&mut tx, found.merchant_id).await?;
        let settings = settings.ok_or_else(|| ApiError::new(codes::UNKNOWN_MERCHANT))?;
        // Read again under the lock: another change may have been committed before it was taken.
        let change = store::find_change(&mut tx, id).await?.ok_or_else(unknown)?;
        let setting = before(&change, &settings)?;
        // Undoing an undo puts the change in force again that it had undone.
        let in_force = match change.undoes {
            Some(undone) => Some(undone),
            None => store::find_in_force_before(&mut tx, &change).await?,
        };
        let undone = Some(Undone { id, in_force });
        let context = ChangeContext { actor, reason, action: "site.undo", undone };
        let change = apply(&app, &mut tx, &settings, setting, context).await?;
        commit(&app, tx).await?;
        Ok(change)
    })
    .await
}

/// The setting with its value from before a change, if it has not changed since.
fn before(change: &Change, settings: &Settings) -> Result<Setting, ApiError> {
    let kind = Kind::parse(&change.kind).filter(|kind| !is_creation(*kind, change));
    let kind = kind.ok_or_else(|| ApiError::new(codes::FINAL))?;
    let setting = Setting::read_stored(kind, &change.name, change.before.clone())?;
    let expected = match &change.after {
        Some(after) => Setting::read_stored(kind, &change.name, Some(after.clone()))?.value(),
        None => None,
    };
    match change.is_on_top && setting.current_value(settings) == expected {
        true => Ok(setting),
        false => Err(ApiError::new(codes::CHANGED_SINCE)),
    }
}

/// Whether a change created the merchant. It cannot be undone, because a merchant may have members
/// and money from its first day.
pub(super) fn is_creation(kind: Kind, change: &Change) -> bool {
    kind == Kind::Merchant && change.before.is_none()
}

/// Who makes a change and why, and the audit log action.
struct ChangeContext {
    actor: Actor,
    reason: String,
    action: &'static str,
    undone: Option<Undone>,
}

/// A change that is undone, and the change that is in force afterwards.
#[derive(Clone, Copy)]
struct Undone {
    id: Uuid,
    in_force: Option<Uuid>,
}

/// Validates and writes a setting of a locked merchant, with its history row and audit log entry.
async fn apply(
    app: &Site,
    tx: &mut PgTransaction<'_>,
    settings: &Settings,
    setting: Setting,
    context: ChangeContext,
) -> Result<Change, ApiError> {
    let (before, after) = (setting.current_value(settings), setting.value());
    if before == after {
        return Err(ApiError::fields([("value", "unchanged")]));
    }
    setting.check(settings)?;
    store::write(tx, settings.id, &setting).await?;
    let change = ValueChange { kind: setting.kind(), name: setting.name(), before, after };
    record(app, tx, (settings.id, &settings.code), change, context).await
}

/// A setting with its old and its new value.
struct ValueChange<'a> {
    kind: Kind,
    name: &'a str,
    before: Option<Value>,
    after: Option<Value>,
}

/// Writes the history row, the audit log entry and the push event for open pages.
async fn record(
    app: &Site,
    tx: &mut PgTransaction<'_>,
    (merchant_id, code): (Uuid, &str),
    change: ValueChange<'_>,
    context: ChangeContext,
) -> Result<Change, ApiError> {
    let ValueChange { kind, name, before, after } = change;
    let now = app.clock.now();
    let id = new_id(now);
    let reason = context.reason.trim();
    let undoes = context.undone.map(|undone| undone.id);
    let change = NewChange {
        id,
        merchant_id,
        kind,
        name,
        before: before.as_ref(),
        after: after.as_ref(),
        changed_by: context.actor.id(),
        actor: context.actor.name(),
        reason,
        at: now,
        undoes,
        in_force: context.undone.map_or(Some(id), |undone| undone.in_force),
    };
    let seq = store::insert_change(tx, &change).await?;
    let subject = format!("setting:{code}/{}/{name}", kind.text());
    let subject = subject.trim_end_matches('/').to_owned();
    let entry = AuditEntry {
        action: context.action,
        subject,
        before: before.clone(),
        after: after.clone(),
        reason: Some(reason),
    };
    staff::record(&app.staff, tx, &context.actor, entry).await?;
    let event = json!({ "type": "settings" });
    push::record(tx, new_id(now), &Topic::Site(merchant_id).key(), &event, now).await?;
    Ok(Change {
        id,
        merchant_id,
        seq,
        kind: kind.text().to_owned(),
        name: name.to_owned(),
        before,
        after,
        actor: context.actor.name().to_owned(),
        reason: reason.to_owned(),
        at: now,
        undoes,
        is_on_top: true,
    })
}

/// Commits, clears this node's cache and sends the push event. Other nodes see the change within a
/// second, when their cache expires.
async fn commit(app: &Site, tx: PgTransaction<'_>) -> Result<(), ApiError> {
    let committed = db::commit(tx).await;
    // Even a failed commit may have been applied, so the cache is cleared in any case.
    app.sites.refresh().await;
    committed?;
    app.push.wake();
    Ok(())
}

/// A request to create a merchant.
pub(super) struct CreateMerchant {
    pub(super) code: String,
    pub(super) name: String,
    pub(super) currency: String,
    pub(super) time_zone: String,
    /// The first is the main domain.
    pub(super) hosts: Vec<String>,
    pub(super) reason: String,
}

impl CreateMerchant {
    /// The initial value of the setting `merchant`.
    fn value(&self) -> MerchantValue {
        MerchantValue {
            name: self.name.clone(),
            time_zone: self.time_zone.clone(),
            main_domain: self.hosts.first().cloned().unwrap_or_default(),
            welcome_credit: Amount::ZERO,
            code_minutes: 5,
            sms_per_day: 5_000,
            trial_hours: 24,
        }
    }

    /// Validates the request. The currency must be a real-money one: demo money and points cannot
    /// be the currency of a merchant's members.
    fn check(&self) -> Result<Currency, ApiError> {
        staff::check_reason(&self.reason)?;
        let currency = self.currency.parse::<Currency>().ok();
        let currency = currency.filter(|currency| *currency == Currency::Php);
        let mut faults = self.value().faults(Currency::Php);
        if !is_merchant_code(&self.code) {
            faults.push(("code", "pattern"));
        }
        let is_first = |(index, host): (usize, &String)| !self.hosts[..index].contains(host);
        let hosts = self.hosts.iter();
        let are_hosts = (1..=HOSTS_MAX).contains(&self.hosts.len())
            && hosts.clone().all(|host| is_host(host))
            && hosts.enumerate().all(is_first);
        if !are_hosts {
            faults.push(("hosts", "pattern"));
        }
        match currency {
            Some(currency) if faults.is_empty() => Ok(currency),
            Some(_) => Err(ApiError::fields(faults)),
            None => {
                faults.push(("currency", "unknown"));
                Err(ApiError::fields(faults))
            }
        }
    }
}

/// 2 to 16 lowercase letters and digits.
fn is_merchant_code(code: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (2..=16).contains(&code.len()) && code.bytes().all(is_plain)
}

/// Creates a merchant with the default switches, registration rules and policy. Its house accounts
/// need no rows: their balances are sums over transfers.
pub(super) async fn create_merchant(
    app: &Site,
    actor: Actor,
    request: CreateMerchant,
) -> Result<Uuid, ApiError> {
    let currency = request.check()?;
    app.run(move |app| async move {
        let now = app.clock.now();
        let id = new_id(now);
        let value = request.value();
        let hosts: Vec<_> = request.hosts.iter().map(|host| (host.as_str(), false)).collect();
        let merchant = NewMerchant {
            id,
            code: &request.code,
            name: &value.name,
            currency,
            time_zone: &value.time_zone,
            main_domain: &value.main_domain,
            welcome_credit: value.welcome_credit,
            hosts: &hosts,
        };
        let mut tx = app.db.begin().await?;
        insert_merchant(app.on_merchant_created(), &mut tx, &merchant, now)
            .await
            .map_err(map_conflict)?;
        let reason = request.reason.clone();
        let context = ChangeContext { actor, reason, action: "site.found", undone: None };
        let after = Some(json!(value));
        let change = ValueChange { kind: Kind::Merchant, name: "", before: None, after };
        record(&app, &mut tx, (id, &request.code), change, context).await?;
        commit(&app, tx).await?;
        Ok(id)
    })
    .await
}

/// Maps violations of unique constraints (a code or host that another merchant has) to API errors.
fn map_conflict(error: sqlx::Error) -> ApiError {
    let constraint = error.as_database_error().and_then(|error| error.constraint());
    match constraint {
        Some("site_merchants_code_key") => ApiError::fields([("code", "taken")]),
        Some("site_hosts_pkey") => ApiError::new(codes::HOST_TAKEN),
        _ => error.into(),
    }
}
