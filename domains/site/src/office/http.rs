//! The settings on the wire, for the office.

use std::collections::BTreeMap;

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::ops::{self, Asked, Founding, is_founding};
use super::store::{self, Change, Listed, Wanted};
use super::values::{
    HostValue, Kind, MaintenanceValue, MerchantValue, PolicyValue, RuleValue, Settings,
};
use crate::Site;
use crate::brand::{Brand, FixedBrand};
use crate::codes;
use crate::countries::{self, CountryView};
use crate::rights::{SettingsRead, SettingsWrite};
use crate::rules::Limits;
use crate::switches::KNOWN;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path};
use staff::{Allowed, Proved};

const LIST_USUAL: i64 = 50;
const LIST_MAX: i64 = 200;

/// A merchant in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MerchantRow {
    id: Uuid,
    code: String,
    name: String,
    currency: String,
    /// Whether its site is closed.
    maintenance: bool,
    /// How many hosts lead to it.
    hosts: i64,
    created_at: DateTime<Utc>,
}

impl From<Listed> for MerchantRow {
    fn from(row: Listed) -> Self {
        Self {
            id: row.id,
            code: row.code,
            name: row.name,
            currency: row.currency,
            maintenance: row.maintenance,
            hosts: row.hosts,
            created_at: row.created_at,
        }
    }
}

/// The merchants, the oldest first; at most 1,000.
#[utoipa::path(get, path = "/office/api/settings/merchants", tag = "site", operation_id = "settings_list_merchants",
    security(("office" = ["settings.read"])),
    responses((status = 200, body = Envelope<Vec<MerchantRow>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_merchants(
    _: Allowed<SettingsRead>,
    State(app): State<Site>,
) -> Answer<Vec<MerchantRow>> {
    let merchants = store::list_merchants(&app.db).await?;
    answer(merchants.into_iter().map(MerchantRow::from).collect())
}

/// A merchant to be founded.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FoundMerchant {
    /// 2 to 16 small letters and digits.
    code: String,
    name: String,
    /// `PHP`.
    currency: String,
    time_zone: String,
    /// Of nobody else; the first is the main domain.
    hosts: Vec<String>,
    /// Why; it stands in the trail.
    reason: String,
}

/// Founds a merchant and gives its id.
#[utoipa::path(post, path = "/office/api/settings/merchants", tag = "site", operation_id = "settings_found_merchant",
    request_body = FoundMerchant, security(("office" = ["settings.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<Uuid>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn found_merchant(
    Proved(person, ..): Proved<SettingsWrite>,
    State(app): State<Site>,
    Json(body): Json<FoundMerchant>,
) -> Answer<Uuid> {
    let FoundMerchant { code, name, currency, time_zone, hosts, reason } = body;
    let founding = Founding { code, name, currency, time_zone, hosts, reason };
    answer(ops::found(&app, person.actor(), founding).await?)
}

/// All settings of a merchant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SettingsView {
    id: Uuid,
    code: String,
    currency: String,
    merchant: MerchantValue,
    maintenance: MaintenanceValue,
    /// The whitelabel tree, parents before their children.
    switches: Vec<SwitchView>,
    /// The fields of the registration form by name.
    register_rules: BTreeMap<&'static str, RegisterField>,
    /// By country; `*` is the merchant's own.
    policies: BTreeMap<String, PolicyValue>,
    hosts: BTreeMap<String, HostValue>,
    brand: Brand,
    /// What no brand changes.
    fixed: FixedBrand,
}

/// A switch of the tree.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SwitchView {
    mod_id: &'static str,
    /// The switch above it; while that is off, this one counts as off.
    parent: Option<&'static str>,
    enabled: bool,
    /// Whether something asks for it yet.
    is_asked: bool,
}

/// A field of the registration form: its rule, and how far one may go with it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RegisterField {
    rule: RuleValue,
    min_length: usize,
    max_length: usize,
    /// The patterns that it can have.
    patterns: Vec<&'static str>,
}

impl From<Settings> for SettingsView {
    fn from(settings: Settings) -> Self {
        let is_on = |mod_id| settings.switches.get(mod_id) == Some(&true);
        let switches = KNOWN.iter().map(|known| SwitchView {
            mod_id: known.mod_id,
            parent: known.parent,
            enabled: is_on(known.mod_id),
            is_asked: known.is_asked(),
        });
        let register_rules = settings.rules.into_iter().map(|(field, rule)| {
            let limits = Limits::of(field);
            let patterns = limits.patterns().into_iter().map(|pattern| pattern.id()).collect();
            let (min_length, max_length) = (limits.min, limits.max);
            (field, RegisterField { rule, min_length, max_length, patterns })
        });
        Self {
            id: settings.id,
            code: settings.code,
            currency: settings.currency.code().to_owned(),
            merchant: settings.merchant,
            maintenance: settings.maintenance,
            switches: switches.collect(),
            register_rules: register_rules.collect(),
            policies: settings.policies,
            hosts: settings.hosts,
            brand: settings.brand,
            fixed: FixedBrand::default(),
        }
    }
}

/// All settings of a merchant, as they are.
#[utoipa::path(get, path = "/office/api/settings/merchants/{id}", tag = "site", operation_id = "settings_get",
    params(("id" = Uuid, Path)), security(("office" = ["settings.read"])),
    responses((status = 200, body = Envelope<SettingsView>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_settings(
    _: Allowed<SettingsRead>,
    State(app): State<Site>,
    Path(id): Path<Uuid>,
) -> Answer<SettingsView> {
    let mut db = app.db.acquire().await?;
    let settings = store::find_settings(&mut db, id).await?;
    let settings = settings.ok_or_else(|| ApiError::new(codes::UNKNOWN_MERCHANT))?;
    answer(settings.into())
}

/// A setting that is to be changed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChangeSetting {
    kind: Kind,
    /// Which switch, field, country or host; empty where a merchant has one of the kind.
    #[serde(default)]
    name: String,
    /// How the setting was when it was looked at; nothing where it did not exist.
    #[schema(value_type = Option<Object>)]
    seen: Option<Value>,
    /// How it shall be, in the shape that the settings have; nothing removes a country's policy or
    /// a host.
    #[schema(value_type = Option<Object>)]
    value: Option<Value>,
    /// Why; it stands in the history and in the trail.
    reason: String,
}

/// A change of a setting.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SettingChange {
    id: Uuid,
    /// The order of the merchant's changes.
    seq: i64,
    kind: String,
    name: String,
    /// How it was, as JSON; nothing where it did not exist.
    before: Option<String>,
    /// How it was since, as JSON; nothing where it was removed.
    after: Option<String>,
    actor: String,
    reason: String,
    at: DateTime<Utc>,
    /// The change that this one took back.
    undoes: Option<Uuid>,
    /// Whether it can be taken back: nothing newer is in force on the same setting.
    can_undo: bool,
}

impl From<Change> for SettingChange {
    fn from(change: Change) -> Self {
        let is_founding = Kind::parse(&change.kind).is_none_or(|kind| is_founding(kind, &change));
        Self {
            can_undo: change.is_on_top && !is_founding,
            id: change.id,
            seq: change.seq,
            kind: change.kind,
            name: change.name,
            before: change.before.map(|value| value.to_string()),
            after: change.after.map(|value| value.to_string()),
            actor: change.actor,
            reason: change.reason,
            at: change.at,
            undoes: change.undoes,
        }
    }
}

/// Changes a setting. Refused where it is another one than was seen.
#[utoipa::path(put, path = "/office/api/settings/merchants/{id}", tag = "site", operation_id = "settings_change",
    request_body = ChangeSetting, params(("id" = Uuid, Path)), security(("office" = ["settings.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<SettingChange>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_setting(
    Proved(person, ..): Proved<SettingsWrite>,
    State(app): State<Site>,
    Path(id): Path<Uuid>,
    Json(body): Json<ChangeSetting>,
) -> Answer<SettingChange> {
    let ChangeSetting { kind, name, seen, value, reason } = body;
    let asked = Asked { kind, name, seen, value, reason };
    answer(ops::change(&app, person.actor(), id, asked).await?.into())
}

/// What is looked for in the history.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindChanges {
    /// Only settings of this kind.
    kind: Option<Kind>,
    /// Only the setting of this name.
    name: Option<String>,
    /// Only changes of this person: a username.
    actor: Option<String>,
    /// Only changes with smaller numbers than this.
    before: Option<i64>,
    /// How many, 200 at most.
    limit: Option<i64>,
}

/// What was changed for a merchant, the latest first.
#[utoipa::path(post, path = "/office/api/settings/merchants/{id}/changes/find", tag = "site", operation_id = "settings_find_changes",
    request_body = FindChanges, params(("id" = Uuid, Path)), security(("office" = ["settings.read"])),
    responses((status = 200, body = Envelope<Vec<SettingChange>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find_changes(
    _: Allowed<SettingsRead>,
    State(app): State<Site>,
    Path(id): Path<Uuid>,
    Json(asked): Json<FindChanges>,
) -> Answer<Vec<SettingChange>> {
    fn given(text: &Option<String>) -> Option<&str> {
        text.as_deref().filter(|text| !text.is_empty())
    }
    let wanted = Wanted {
        kind: asked.kind,
        name: given(&asked.name),
        actor: given(&asked.actor),
        before: asked.before,
    };
    let limit = asked.limit.unwrap_or(LIST_USUAL).clamp(1, LIST_MAX);
    let changes = store::list_changes(&app.db, id, &wanted, limit).await?;
    answer(changes.into_iter().map(SettingChange::from).collect())
}

/// Why a change is taken back.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UndoChange {
    /// It stands in the history and in the trail.
    reason: String,
}

/// Takes a change back, by another change. Refused where the same setting was changed again, unless
/// that was taken back, too.
#[utoipa::path(post, path = "/office/api/settings/changes/{id}/undo", tag = "site", operation_id = "settings_undo",
    request_body = UndoChange, params(("id" = Uuid, Path)), security(("office" = ["settings.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<SettingChange>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn undo_change(
    Proved(person, ..): Proved<SettingsWrite>,
    State(app): State<Site>,
    Path(id): Path<Uuid>,
    Json(body): Json<UndoChange>,
) -> Answer<SettingChange> {
    answer(ops::undo(&app, person.actor(), id, body.reason).await?.into())
}

/// Countries that can have a policy, with their dialing codes, by name.
#[utoipa::path(get, path = "/office/api/settings/countries", tag = "site", operation_id = "settings_list_countries",
    security(("office" = ["settings.read"])),
    responses((status = 200, body = Envelope<Vec<CountryView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_countries(_: Allowed<SettingsRead>) -> Answer<Vec<CountryView>> {
    answer(countries::all())
}

/// What the office can do with settings.
pub fn office_routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new()
        .routes(routes!(list_merchants, found_merchant))
        .routes(routes!(get_settings, change_setting))
        .routes(routes!(find_changes))
        .routes(routes!(undo_change))
        .routes(routes!(list_countries))
}
