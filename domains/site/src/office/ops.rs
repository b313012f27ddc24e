//! Changing settings, and taking changes back.

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
use staff::{Actor, Deed};

/// A merchant has so many hosts at most when it is founded.
const HOSTS_MAX: usize = 20;

/// A change that somebody asks for.
pub(super) struct Asked {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// How the setting was when it was looked at.
    pub(super) seen: Option<Value>,
    /// How it shall be.
    pub(super) value: Option<Value>,
    pub(super) reason: String,
}

/// Changes a setting.
pub(super) async fn change(
    app: &Site,
    actor: Actor,
    merchant_id: Uuid,
    asked: Asked,
) -> Result<Change, ApiError> {
    staff::check_reason(&asked.reason)?;
    let Asked { kind, name, seen, value, reason } = asked;
    let wanted = Setting::read(kind, &name, value)?;
    // Read like the value itself, so that it does not matter how it was written.
    let seen = match seen {
        Some(seen) => Setting::read(kind, &name, Some(seen))?.value(),
        None => None,
    };
    app.run(move |app| async move {
        let mut tx = app.db.begin().await?;
        let settings = store::lock_settings(&mut tx, merchant_id).await?;
        let settings = settings.ok_or_else(|| ApiError::new(codes::UNKNOWN_MERCHANT))?;
        if wanted.in_force(&settings) != seen {
            return Err(ApiError::new(codes::STALE));
        }
        let why = Why { actor, reason, action: "site.change", undone: None };
        let change = apply(&app, &mut tx, &settings, wanted, why).await?;
        finish(&app, tx).await?;
        Ok(change)
    })
    .await
}

/// Takes a change back: the setting is as it was before it. Refused while something newer is in
/// force on the same setting.
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
        // Looked at again: somebody may have been faster than the lock.
        let change = store::find_change(&mut tx, id).await?.ok_or_else(unknown)?;
        let wanted = before(&change, &settings)?;
        // Who takes an undo back has the change again that it took away.
        let in_force = match change.undoes {
            Some(undone) => Some(undone),
            None => store::find_in_force_before(&mut tx, &change).await?,
        };
        let undone = Some(Undone { id, in_force });
        let why = Why { actor, reason, action: "site.undo", undone };
        let change = apply(&app, &mut tx, &settings, wanted, why).await?;
        finish(&app, tx).await?;
        Ok(change)
    })
    .await
}

/// The setting as it was before a change, if nothing has happened to it since.
fn before(change: &Change, settings: &Settings) -> Result<Setting, ApiError> {
    let kind = Kind::parse(&change.kind).filter(|kind| !is_founding(*kind, change));
    let kind = kind.ok_or_else(|| ApiError::new(codes::FINAL))?;
    let wanted = Setting::recall(kind, &change.name, change.before.clone())?;
    let left = match &change.after {
        Some(after) => Setting::recall(kind, &change.name, Some(after.clone()))?.value(),
        None => None,
    };
    match change.is_on_top && wanted.in_force(settings) == left {
        true => Ok(wanted),
        false => Err(ApiError::new(codes::CHANGED_SINCE)),
    }
}

/// A merchant has members and money from its first day on: it cannot be taken back.
pub(super) fn is_founding(kind: Kind, change: &Change) -> bool {
    kind == Kind::Merchant && change.before.is_none()
}

/// Who changes something, why and how.
struct Why {
    actor: Actor,
    reason: String,
    action: &'static str,
    undone: Option<Undone>,
}

/// A change that is taken back, and the one that is in force without it.
#[derive(Clone, Copy)]
struct Undone {
    id: Uuid,
    in_force: Option<Uuid>,
}

/// Checks and writes a setting of a locked merchant, with its row of history and its deed.
async fn apply(
    app: &Site,
    tx: &mut PgTransaction<'_>,
    settings: &Settings,
    wanted: Setting,
    why: Why,
) -> Result<Change, ApiError> {
    let (before, after) = (wanted.in_force(settings), wanted.value());
    if before == after {
        return Err(ApiError::fields([("value", "unchanged")]));
    }
    wanted.check(settings)?;
    store::write(tx, settings.id, &wanted).await?;
    let turn = Turn { kind: wanted.kind(), name: wanted.name(), before, after };
    keep(app, tx, (settings.id, &settings.code), turn, why).await
}

/// Which setting was turned from what to what.
struct Turn<'a> {
    kind: Kind,
    name: &'a str,
    before: Option<Value>,
    after: Option<Value>,
}

/// Writes the history, the trail and the event for open pages.
async fn keep(
    app: &Site,
    tx: &mut PgTransaction<'_>,
    (merchant_id, code): (Uuid, &str),
    turn: Turn<'_>,
    why: Why,
) -> Result<Change, ApiError> {
    let Turn { kind, name, before, after } = turn;
    let now = app.clock.now();
    let id = new_id(now);
    let reason = why.reason.trim();
    let undoes = why.undone.map(|undone| undone.id);
    let change = NewChange {
        id,
        merchant_id,
        kind,
        name,
        before: before.as_ref(),
        after: after.as_ref(),
        changed_by: why.actor.id(),
        actor: why.actor.name(),
        reason,
        at: now,
        undoes,
        in_force: why.undone.map_or(Some(id), |undone| undone.in_force),
    };
    let seq = store::insert_change(tx, &change).await?;
    let subject = format!("setting:{code}/{}/{name}", kind.text());
    let subject = subject.trim_end_matches('/').to_owned();
    let (was, is) = (before.clone(), after.clone());
    let deed = Deed { action: why.action, subject, before: was, after: is, reason: Some(reason) };
    staff::record(&app.staff, tx, &why.actor, deed).await?;
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
        actor: why.actor.name().to_owned(),
        reason: reason.to_owned(),
        at: now,
        undoes,
        is_on_top: true,
    })
}

/// Commits; this node knows at once, open pages hear of it, other nodes follow within a second.
async fn finish(app: &Site, tx: PgTransaction<'_>) -> Result<(), ApiError> {
    let committed = db::commit(tx).await;
    // Whatever became of the commit, the database is asked next.
    app.sites.refresh().await;
    committed?;
    app.push.wake();
    Ok(())
}

/// A merchant to be founded.
pub(super) struct Founding {
    pub(super) code: String,
    pub(super) name: String,
    pub(super) currency: String,
    pub(super) time_zone: String,
    /// The first is the main domain.
    pub(super) hosts: Vec<String>,
    pub(super) reason: String,
}

impl Founding {
    /// What the merchant begins with, beside the defaults of its table.
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

    /// Members have real money; demo money and points are nobody's own currency.
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

/// Small letters and digits.
fn is_merchant_code(code: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (2..=16).contains(&code.len()) && code.bytes().all(is_plain)
}

/// Founds a merchant, with the switches, rules and policy that all begin with. Its house accounts
/// need no rows: they are sums over transfers.
pub(super) async fn found(app: &Site, actor: Actor, founding: Founding) -> Result<Uuid, ApiError> {
    let currency = founding.check()?;
    app.run(move |app| async move {
        let now = app.clock.now();
        let id = new_id(now);
        let value = founding.value();
        let hosts: Vec<_> = founding.hosts.iter().map(|host| (host.as_str(), false)).collect();
        let merchant = NewMerchant {
            id,
            code: &founding.code,
            name: &value.name,
            currency,
            time_zone: &value.time_zone,
            main_domain: &value.main_domain,
            welcome_credit: value.welcome_credit,
            hosts: &hosts,
        };
        let mut tx = app.db.begin().await?;
        insert_merchant(app.on_founded(), &mut tx, &merchant, now).await.map_err(taken)?;
        let reason = founding.reason.clone();
        let why = Why { actor, reason, action: "site.found", undone: None };
        let after = Some(json!(value));
        let turn = Turn { kind: Kind::Merchant, name: "", before: None, after };
        keep(&app, &mut tx, (id, &founding.code), turn, why).await?;
        finish(&app, tx).await?;
        Ok(id)
    })
    .await
}

/// Codes and hosts belong to one merchant each.
fn taken(error: sqlx::Error) -> ApiError {
    let constraint = error.as_database_error().and_then(|error| error.constraint());
    match constraint {
        Some("site_merchants_code_key") => ApiError::fields([("code", "taken")]),
        Some("site_hosts_pkey") => ApiError::new(codes::HOST_TAKEN),
        _ => error.into(),
    }
}
