//! The site's calls, and the extractors that find a request's merchant.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, header};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::countries::COUNTRIES;
use super::model::{Merchant, SwitchNode};
use super::rules::RegisterRule;
use crate::app::{App, ClientIp};
use crate::codes::ErrorCode;
use crate::platform::atlas::Country;
use crate::platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use crate::platform::seal::SealKey;

const MERCHANT: HeaderName = HeaderName::from_static("merchant");

/// The merchant of the request's host, whether open or closed.
pub struct AnyMerchant(pub Arc<Merchant>);

/// The merchant of the request's host, refused while it is under maintenance.
pub struct OpenMerchant(pub Arc<Merchant>);

impl FromRequestParts<App> for AnyMerchant {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let host = request_host(parts);
        find(app, host.as_deref(), parts).await.map(Self)
    }
}

impl FromRequestParts<App> for OpenMerchant {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let AnyMerchant(merchant) = AnyMerchant::from_request_parts(parts, app).await?;
        if merchant.maintenance {
            return Err(ApiError::new(ErrorCode::SiteMaintenance));
        }
        Ok(Self(merchant))
    }
}

async fn find(app: &App, host: Option<&str>, parts: &Parts) -> Result<Arc<Merchant>, ApiError> {
    let unknown = || ApiError::new(ErrorCode::SiteUnknownHost);
    let code = parts.headers.get(MERCHANT).and_then(|value| value.to_str().ok());
    let host = host.ok_or_else(unknown)?;
    let found = app.sites.find_from(&app.db, host, code, country_of(app, parts)).await?;
    found.ok_or_else(unknown)
}

/// From which country a request comes, if that is known.
fn country_of(app: &App, parts: &Parts) -> Option<Country> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
    app.config.atlas.country(app.client_ip(peer.ip(), &parts.headers))
}

/// The host without its port, in lower case: HTTP/2 has it in the URI, HTTP/1 in the header.
fn request_host(parts: &Parts) -> Option<Cow<'_, str>> {
    let authority = match parts.uri.authority() {
        Some(authority) => authority.as_str(),
        None => parts.headers.get(header::HOST)?.to_str().ok()?,
    };
    let host = match authority.rsplit_once(':') {
        // An IPv6 address without a port ends in a bracket.
        Some((host, port)) if !port.ends_with(']') => host,
        _ => authority,
    };
    let is_lower = !host.bytes().any(|byte| byte.is_ascii_uppercase());
    Some(if is_lower { host.into() } else { host.to_ascii_lowercase().into() })
}

/// Permissions and configuration: what the page needs to know at its start.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PermissionInfo {
    info: SiteInfo,
    location: Location,
    maintenance: bool,
    region_restriction: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SiteInfo {
    domain_route: String,
    resources: Vec<SiteResource>,
    whitelabel_val: Vec<SwitchNode>,
    register_rules: BTreeMap<String, RegisterRule>,
    /// The youngest that may be a member where the visitor is, in years.
    minimum_age: u32,
    main_domain: String,
    analytics_id: Option<String>,
    #[serde(rename = "imageCDNs")]
    image_cdns: Vec<String>,
    #[serde(rename = "launchGameCDNs")]
    launch_game_cdns: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SiteResource {
    label_name_en: String,
    url: String,
    resource_type: String,
    name: String,
}

#[derive(Serialize, ToSchema)]
struct Location {
    ip: String,
}

/// Permissions and configuration of the host's merchant.
#[utoipa::path(get, path = "/wps/system/permission", tag = "site",
    responses((status = 200, body = Envelope<PermissionInfo>), (status = "4XX", body = Refusal)))]
async fn get_permission(
    AnyMerchant(merchant): AnyMerchant,
    ClientIp(ip): ClientIp,
) -> Answer<PermissionInfo> {
    answer(PermissionInfo {
        info: SiteInfo {
            domain_route: "/".to_owned(),
            resources: Vec::new(),
            whitelabel_val: merchant.switches.clone(),
            register_rules: merchant.register_rules.view(),
            minimum_age: merchant.policy.minimum_age,
            main_domain: merchant.main_domain.clone(),
            analytics_id: None,
            image_cdns: Vec::new(),
            launch_game_cdns: Vec::new(),
        },
        location: Location { ip: ip.to_string() },
        maintenance: merchant.maintenance,
        region_restriction: false,
    })
}

/// What the registration form asks, field by field.
#[utoipa::path(get, path = "/wps/system/setting/register", tag = "site",
    responses((status = 200, body = Envelope<BTreeMap<String, RegisterRule>>),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_register_rules(
    AnyMerchant(merchant): AnyMerchant,
) -> Answer<BTreeMap<String, RegisterRule>> {
    answer(merchant.register_rules.view())
}

/// The key that encrypted calls are sealed to.
#[utoipa::path(get, path = "/wps/system/key", tag = "site",
    responses((status = 200, body = Envelope<SealKey>), (status = "4XX", body = Refusal)))]
async fn get_key(_: AnyMerchant, State(app): State<App>) -> Answer<SealKey> {
    answer(app.seal.current(app.clock.now()))
}

/// What the start-up shows.
#[derive(Serialize, ToSchema)]
struct SystemStatus {
    /// 0 the site, 1 maintenance, 2 region restriction.
    #[schema(minimum = 0, maximum = 2)]
    status: u8,
}

/// Whether the site is open.
#[utoipa::path(get, path = "/wps/system/status", tag = "site",
    responses((status = 200, body = Envelope<SystemStatus>), (status = "4XX", body = Refusal)))]
async fn get_status(AnyMerchant(merchant): AnyMerchant) -> Answer<SystemStatus> {
    answer(SystemStatus { status: merchant.status() })
}

/// A country of the dialing code's list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CountryView {
    /// Two letters of ISO 3166.
    country_code: &'static str,
    /// Without `+`.
    country_dialing_code: &'static str,
    /// In English.
    name: &'static str,
}

/// Countries with their dialing codes, by name.
#[utoipa::path(get, path = "/wps/system/countries", tag = "site",
    responses((status = 200, body = Envelope<Vec<CountryView>>), (status = "4XX", body = Refusal)))]
async fn get_countries(_: AnyMerchant) -> Answer<Vec<CountryView>> {
    let countries = COUNTRIES.iter().map(|(country_code, country_dialing_code, name)| {
        CountryView { country_code, country_dialing_code, name }
    });
    answer(countries.collect())
}

/// The site's routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_permission))
        .routes(routes!(get_register_rules))
        .routes(routes!(get_key))
        .routes(routes!(get_status))
        .routes(routes!(get_countries))
}
