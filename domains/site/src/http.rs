//! The start-up endpoints of the site, and the extractors for a request's merchant.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRef, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, header};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::brand::{Brand, FixedBrand, SiteResource};
use super::countries::{self, CountryView};
use super::model::Merchant;
use super::rules::RegisterRule;
use super::switches::SwitchNode;
use crate::Site;
use crate::codes;
use platform::ClientIp;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::geoip::Country;
use platform::seal::SealKey;
use platform::tagged::{Known, TaggedAnswer, tagged};

const MERCHANT: HeaderName = HeaderName::from_static("merchant");

/// Extractor: the merchant of the request's host, even under maintenance or in a restricted region.
pub struct AnyMerchant(pub Arc<Merchant>);

/// Extractor: the merchant of the request's host. Refuses the request while the site is under
/// maintenance and where the policy of the visitor's country restricts it.
pub struct OpenMerchant(pub Arc<Merchant>);

impl<S> FromRequestParts<S> for AnyMerchant
where
    S: Send + Sync,
    Site: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let app = &Site::from_ref(state);
        let host = request_host(parts);
        find(app, host.as_deref(), parts).await.map(Self)
    }
}

impl<S> FromRequestParts<S> for OpenMerchant
where
    S: Send + Sync,
    Site: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let AnyMerchant(merchant) = AnyMerchant::from_request_parts(parts, state).await?;
        if merchant.maintenance {
            return Err(ApiError::new(codes::MAINTENANCE));
        }
        if merchant.policy.restricted {
            return Err(ApiError::new(codes::RESTRICTED));
        }
        Ok(Self(merchant))
    }
}

async fn find(app: &Site, host: Option<&str>, parts: &Parts) -> Result<Arc<Merchant>, ApiError> {
    let unknown = || ApiError::new(codes::UNKNOWN_HOST);
    let code = parts.headers.get(MERCHANT).and_then(|value| value.to_str().ok());
    let host = host.ok_or_else(unknown)?;
    let country = country_of(app, parts);
    app.sites.find_for_country(&app.db, host, code, country).await?.ok_or_else(unknown)
}

/// The country of the client's IP address, if GeoIP knows it.
fn country_of(app: &Site, parts: &Parts) -> Option<Country> {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>()?;
    app.config.geoip.country(app.client_ip(peer.ip(), &parts.headers))
}

/// The host without its port, in lower case. HTTP/2 has it in the URI, HTTP/1 in the header `Host`.
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

/// What a page needs at start-up: configuration, the client's address and whether the site is open.
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
    /// The minimum age of members in the visitor's country, in years.
    minimum_age: u32,
    main_domain: String,
    analytics_id: Option<String>,
    #[serde(rename = "imageCDNs")]
    image_cdns: Vec<String>,
    #[serde(rename = "launchGameCDNs")]
    launch_game_cdns: Vec<String>,
    brand: BrandInfo,
}

/// The brand's configuration for pages.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BrandInfo {
    #[serde(flatten)]
    fixed: FixedBrand,
    merchant_code: String,
    lottery_type: String,
    languages: Vec<String>,
    default_language: String,
    customer_service: Option<String>,
    center_game_list: Vec<String>,
    esport_providers: Vec<String>,
    cockfight_providers: Vec<String>,
    prize_modes: Vec<String>,
    /// The labels of game types: code → label.
    game_type_labels: BTreeMap<String, String>,
}

impl From<&Merchant> for BrandInfo {
    fn from(merchant: &Merchant) -> Self {
        let labels = merchant.brand.labels().into_iter();
        let game_type_labels = labels.map(|(code, label)| (code.to_owned(), label.to_owned()));
        let brand = Brand::clone(&merchant.brand);
        Self {
            fixed: FixedBrand::default(),
            merchant_code: merchant.code.clone(),
            game_type_labels: game_type_labels.collect(),
            lottery_type: brand.lottery_type,
            languages: brand.languages,
            default_language: brand.default_language,
            customer_service: brand.customer_service,
            center_game_list: brand.center_game_list,
            esport_providers: brand.esport_providers,
            cockfight_providers: brand.cockfight_providers,
            prize_modes: brand.prize_modes,
        }
    }
}

#[derive(Serialize, ToSchema)]
struct Location {
    ip: String,
}

/// The start-up configuration of the host's merchant.
#[utoipa::path(get, path = "/wps/system/permission", tag = "site",
    responses((status = 200, body = Envelope<PermissionInfo>), (status = "4XX", body = Refusal)))]
async fn get_permission(
    AnyMerchant(merchant): AnyMerchant,
    ClientIp(ip): ClientIp,
) -> Answer<PermissionInfo> {
    let brand = &merchant.brand;
    answer(PermissionInfo {
        info: SiteInfo {
            domain_route: brand.domain_route.clone(),
            resources: brand.resources.clone(),
            whitelabel_val: merchant.switches.clone(),
            register_rules: merchant.register_rules.view(),
            minimum_age: merchant.policy.minimum_age,
            main_domain: merchant.main_domain.clone(),
            analytics_id: brand.analytics_id.clone(),
            image_cdns: brand.image_cdns.clone(),
            launch_game_cdns: brand.launch_game_cdns.clone(),
            brand: BrandInfo::from(&*merchant),
        },
        location: Location { ip: ip.to_string() },
        maintenance: merchant.maintenance,
        region_restriction: merchant.policy.restricted,
    })
}

/// The rules of the registration form, field by field.
#[utoipa::path(get, path = "/wps/system/setting/register", tag = "site",
    responses((status = 200, body = Envelope<BTreeMap<String, RegisterRule>>),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_register_rules(
    AnyMerchant(merchant): AnyMerchant,
) -> Answer<BTreeMap<String, RegisterRule>> {
    answer(merchant.register_rules.view())
}

/// The public key to which clients seal (encrypt) request bodies.
#[utoipa::path(get, path = "/wps/system/key", tag = "site",
    responses((status = 200, body = Envelope<SealKey>), (status = "4XX", body = Refusal)))]
async fn get_key(_: AnyMerchant, State(app): State<Site>) -> Answer<SealKey> {
    answer(app.seal.current(app.clock.now()))
}

/// What a page shows at start-up.
#[derive(Serialize, ToSchema)]
struct SystemStatus {
    /// 0 the site, 1 the maintenance page, 2 the page for restricted regions.
    #[schema(minimum = 0, maximum = 2)]
    status: u8,
}

/// Whether the site is open, under maintenance or restricted in the visitor's region.
#[utoipa::path(get, path = "/wps/system/status", tag = "site",
    responses((status = 200, body = Envelope<SystemStatus>), (status = "4XX", body = Refusal)))]
async fn get_status(AnyMerchant(merchant): AnyMerchant) -> Answer<SystemStatus> {
    answer(SystemStatus { status: merchant.status() })
}

/// The switches of the host's merchant as a tree. Supports `ETag`.
#[utoipa::path(get, path = "/wps/system/whitelabel", tag = "site",
    responses((status = 200, body = Envelope<Vec<SwitchNode>>), (status = 304),
        (status = "4XX", body = Refusal)))]
async fn get_whitelabel(AnyMerchant(merchant): AnyMerchant, known: Known) -> TaggedAnswer {
    tagged(&known, &merchant.switches)
}

/// The main domain and the base path of the site.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DomainRoute {
    /// The base path of the site.
    domain_route: String,
    /// The domain in links that are sent out.
    main_domain: String,
}

/// The main domain and the base path of the site. Supports `ETag`.
#[utoipa::path(get, path = "/wps/system/domainRoute", tag = "site",
    responses((status = 200, body = Envelope<DomainRoute>), (status = 304),
        (status = "4XX", body = Refusal)))]
async fn get_domain_route(AnyMerchant(merchant): AnyMerchant, known: Known) -> TaggedAnswer {
    let domain_route = merchant.brand.domain_route.clone();
    tagged(&known, DomainRoute { domain_route, main_domain: merchant.main_domain.clone() })
}

/// Countries with their dialing codes, ordered by English name.
#[utoipa::path(get, path = "/wps/system/countries", tag = "site",
    responses((status = 200, body = Envelope<Vec<CountryView>>), (status = "4XX", body = Refusal)))]
async fn get_countries(_: AnyMerchant) -> Answer<Vec<CountryView>> {
    answer(countries::all())
}

/// The player-facing routes of this domain.
pub fn routes() -> OpenApiRouter<Site> {
    OpenApiRouter::new()
        .routes(routes!(get_permission))
        .routes(routes!(get_register_rules))
        .routes(routes!(get_key))
        .routes(routes!(get_status))
        .routes(routes!(get_whitelabel))
        .routes(routes!(get_domain_route))
        .routes(routes!(get_countries))
}
