//! Office endpoints for merchants and their settings.

use std::collections::BTreeMap;

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::ops::{self, ChangeRequest, CreateMerchant, is_creation};
use super::store::{self, Change, ChangeFilter, MerchantSummary};
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
use staff::{Allowed, RecentlyAuthenticated};

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;

/// A merchant in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MerchantRow {
    id: Uuid,
    code: String,
    name: String,
    currency: String,
    /// Whether its site is closed for maintenance.
    maintenance: bool,
    /// The number of its hosts.
    hosts: i64,
    created_at: DateTime<Utc>,
}

impl From<MerchantSummary> for MerchantRow {
    fn from(row: MerchantSummary) -> Self {
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

/// Lists the merchants, oldest first, at most 1,000.
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

/// A merchant to create.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FoundMerchant {
    /// 2 to 16 lowercase letters and digits.
    code: String,
    name: String,
    /// The currency of its members: `PHP`.
    currency: String,
    /// An IANA time zone, such as `Asia/Manila`.
    time_zone: String,
    /// Its hosts, 1 to 20, which no other merchant may have. The first is the main domain.
    hosts: Vec<String>,
    /// The reason, for the history and the audit log.
    reason: String,
}

/// Creates a merchant and gives its id.
#[utoipa::path(post, path = "/office/api/settings/merchants", tag = "site", operation_id = "settings_found_merchant",
    request_body = FoundMerchant, security(("office" = ["settings.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<Uuid>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn create_merchant(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<SettingsWrite>,
    State(app): State<Site>,
    Json(body): Json<FoundMerchant>,
) -> Answer<Uuid> {
    let FoundMerchant { code, name, currency, time_zone, hosts, reason } = body;
    let request = CreateMerchant { code, name, currency, time_zone, hosts, reason };
    answer(ops::create_merchant(&app, person.actor(), request).await?)
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
    /// All switches, parents before their children.
    switches: Vec<SwitchView>,
    /// The fields of the registration form, by name.
    register_rules: BTreeMap<&'static str, RegisterField>,
    /// The legal policies by country code; `*` is the merchant's own.
    policies: BTreeMap<String, PolicyValue>,
    hosts: BTreeMap<String, HostValue>,
    brand: Brand,
    /// Configuration that is the same for every brand.
    fixed: FixedBrand,
}

/// A switch in the tree.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SwitchView {
    mod_id: &'static str,
    /// The parent switch. While it is off, this one counts as off.
    parent: Option<&'static str>,
    enabled: bool,
    /// Whether the server checks it or one of its children yet.
    is_asked: bool,
}

/// A field of the registration form: its rule, and the limits of what can be set.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RegisterField {
    rule: RuleValue,
    /// The lowest minimum length that can be set.
    min_length: usize,
    /// The highest maximum length that can be set.
    max_length: usize,
    /// The patterns that can be chosen.
    patterns: Vec<&'static str>,
}

impl From<Settings> for SettingsView {
    fn from(settings: Settings) -> Self {
        let is_on = |mod_id| settings.switches.get(mod_id) == Some(&true);
        let switches = KNOWN.iter().map(|known| SwitchView {
            mod_id: known.mod_id,
            parent: known.parent,
            enabled: is_on(known.mod_id),
            is_asked: known.is_checked(),
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

/// Gives all current settings of a merchant.
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

/// A change of a setting.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChangeSetting {
    kind: Kind,
    /// The name of the switch, field, country or host; empty for kinds of which a merchant has only
    /// one.
    #[serde(default)]
    name: String,
    /// The value that the editor saw; absent if the setting did not exist.
    #[schema(value_type = Option<Object>)]
    seen: Option<Value>,
    /// The new value, in the same form as in the settings. Leave it out to remove a country's
    /// policy or a host.
    #[schema(value_type = Option<Object>)]
    value: Option<Value>,
    /// The reason, for the history and the audit log.
    reason: String,
}

/// A change of a setting in the history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SettingChange {
    id: Uuid,
    /// The number of the change among the merchant's changes, in ascending order.
    seq: i64,
    kind: String,
    name: String,
    /// The old value as JSON; absent if the setting did not exist.
    before: Option<String>,
    /// The new value as JSON; absent if the setting was removed.
    after: Option<String>,
    actor: String,
    reason: String,
    at: DateTime<Utc>,
    /// The change that this one undid.
    undoes: Option<Uuid>,
    /// Whether it can be undone: no newer change of the same setting is in force, and it is not the
    /// creation of the merchant.
    can_undo: bool,
}

impl From<Change> for SettingChange {
    fn from(change: Change) -> Self {
        let is_creation = Kind::parse(&change.kind).is_none_or(|kind| is_creation(kind, &change));
        Self {
            can_undo: change.is_on_top && !is_creation,
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

/// Changes a setting. Refused if it no longer has the value that the editor saw.
#[utoipa::path(put, path = "/office/api/settings/merchants/{id}", tag = "site", operation_id = "settings_change",
    request_body = ChangeSetting, params(("id" = Uuid, Path)), security(("office" = ["settings.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<SettingChange>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_setting(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<SettingsWrite>,
    State(app): State<Site>,
    Path(id): Path<Uuid>,
    Json(body): Json<ChangeSetting>,
) -> Answer<SettingChange> {
    let ChangeSetting { kind, name, seen, value, reason } = body;
    let request = ChangeRequest { kind, name, seen, value, reason };
    answer(ops::change(&app, person.actor(), id, request).await?.into())
}

/// A filter of the history.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FindChanges {
    /// Only settings of this kind.
    kind: Option<Kind>,
    /// Only settings with this name.
    name: Option<String>,
    /// Only changes by this staff username.
    actor: Option<String>,
    /// Only changes with a smaller number (`seq`), for paging.
    before: Option<i64>,
    /// The number of changes, 50 by default and 200 at most.
    limit: Option<i64>,
}

/// Lists the changes of a merchant's settings, newest first.
#[utoipa::path(post, path = "/office/api/settings/merchants/{id}/changes/find", tag = "site", operation_id = "settings_find_changes",
    request_body = FindChanges, params(("id" = Uuid, Path)), security(("office" = ["settings.read"])),
    responses((status = 200, body = Envelope<Vec<SettingChange>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn find_changes(
    _: Allowed<SettingsRead>,
    State(app): State<Site>,
    Path(id): Path<Uuid>,
    Json(query): Json<FindChanges>,
) -> Answer<Vec<SettingChange>> {
    fn non_empty(text: &Option<String>) -> Option<&str> {
        text.as_deref().filter(|text| !text.is_empty())
    }
    let filter = ChangeFilter {
        kind: query.kind,
        name: non_empty(&query.name),
        actor: non_empty(&query.actor),
        before: query.before,
    };
    let limit = query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX);
    let changes = store::list_changes(&app.db, id, &filter, limit).await?;
    answer(changes.into_iter().map(SettingChange::from).collect())
}

/// The reason for an undo.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UndoChange {
    /// The reason, for the history and the audit log.
    reason: String,
}

/// Undoes a change; the undo is a change of its own. Refused if the same setting was changed again
/// and that change was not undone.
#[utoipa::path(post, path = "/office/api/settings/changes/{id}/undo", tag = "site", operation_id = "settings_undo",
    request_body = UndoChange, params(("id" = Uuid, Path)), security(("office" = ["settings.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<SettingChange>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn undo_change(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<SettingsWrite>,
    State(app): State<Site>,
    Path(id): Path<Uuid>,
    Json(body): Json<UndoChange>,
) -> Answer<SettingChange> {
    answer(ops::undo(&app, person.actor(), id, body.reason).await?.into())
}

/// Lists the countries that can have a policy, with their dialing codes, ordered by English name.
#[utoipa::path(get, path = "/office/api/settings/countries", tag = "site", operation_id = "settings_list_countries",
    security(("office" = ["settings.read"])),
    responses((status = 200, body = Envelope<Vec<CountryView>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_countries(_: Allowed<SettingsRead>) -> Answer<Vec<CountryView>> {
    answer(countries::all())
}

/// The office routes of this domain.
pub fn office_routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new()
        .routes(routes!(list_merchants, create_merchant))
        .routes(routes!(get_settings, change_setting))
        .routes(routes!(find_changes))
        .routes(routes!(undo_change))
        .routes(routes!(list_countries))
}
