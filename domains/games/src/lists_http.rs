//! The calls that list games: menus, popular and hot ones, the games themselves, vendors.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::catalogue::Edition;
use super::game::{GameItem, VendorCard};
use super::shop::{CATEGORIES, HOT, Menu, Part, Sort, Wanted};
use crate::Games;
use platform::error::{ApiError, Envelope, Refusal};
use platform::extract::Query;
use platform::language::Language;
use platform::tagged::{Known, TaggedAnswer, tagged};
use site::{Merchant, OpenMerchant};

const PAGE_USUAL: usize = 42;
const PAGE_MOST: usize = 100;
const PAGES_MOST: usize = 10_000;
/// How many popular and hot games are listed.
const POPULAR_MOST: usize = 24;
/// How many hot games stand on the home page.
const AT_HOME: usize = 6;
const SEARCH_MOST: usize = 64;
const TEXT_MOST: usize = 100;

/// The games that a merchant puts first and that can be started now.
pub async fn popular(
    app: &Games,
    merchant: &Merchant,
    language: Language,
) -> Result<Vec<GameItem>, ApiError> {
    first(app, merchant, language, &Wanted::default()).await
}

/// The hot games that a home page begins with.
pub async fn hot(
    app: &Games,
    merchant: &Merchant,
    language: Language,
) -> Result<Vec<GameItem>, ApiError> {
    let wanted = Wanted { is_hot: Some(true), ..Wanted::default() };
    at_home(app, merchant, language, &wanted).await
}

/// The new games that a home page begins with.
pub async fn newest(
    app: &Games,
    merchant: &Merchant,
    language: Language,
) -> Result<Vec<GameItem>, ApiError> {
    let wanted = Wanted { is_new: Some(true), ..Wanted::default() };
    at_home(app, merchant, language, &wanted).await
}

/// The games with a jackpot that a home page begins with.
pub async fn with_jackpot(
    app: &Games,
    merchant: &Merchant,
    language: Language,
) -> Result<Vec<GameItem>, ApiError> {
    let wanted = Wanted { label: Some("JP".to_owned()), ..Wanted::default() };
    at_home(app, merchant, language, &wanted).await
}

/// As many games of a list as one of the home page shows.
async fn at_home(
    app: &Games,
    merchant: &Merchant,
    language: Language,
    wanted: &Wanted,
) -> Result<Vec<GameItem>, ApiError> {
    let mut games = first(app, merchant, language, wanted).await?;
    games.truncate(AT_HOME);
    Ok(games)
}

/// The categories of a merchant that have games.
pub async fn menus(app: &Games, merchant: &Merchant) -> Result<Vec<Menu>, ApiError> {
    let edition = app.catalogue.edition(&app.db).await?;
    Ok(edition.shop(merchant).menus(&edition))
}

/// The edition that lists are made from: another one when anything has changed.
pub async fn edition(app: &Games) -> Result<Arc<Edition>, ApiError> {
    Ok(app.catalogue.edition(&app.db).await?)
}

/// The first games of a list that can be started now.
async fn first(
    app: &Games,
    merchant: &Merchant,
    language: Language,
    wanted: &Wanted,
) -> Result<Vec<GameItem>, ApiError> {
    let edition = app.catalogue.edition(&app.db).await?;
    // Some more, because those under maintenance are left out.
    let part = Part { skipped: 0, limit: POPULAR_MOST * 4 };
    let found = edition.shop(merchant).list(&edition, wanted, part);
    let open = found.games.iter().filter(|game| !game.maintenance.is_on());
    Ok(edition.items(open.take(POPULAR_MOST), language))
}

/// The language that was asked for by name, or else that of the visitor.
pub(super) fn spoken(named: Option<&str>, visitor: Language) -> Result<Language, ApiError> {
    match named {
        // Names that are not translated are English ones.
        Some(code) if is_short(code) => Ok(Language::parse(code).unwrap_or(Language::English)),
        Some(_) => Err(ApiError::fields([("language", "invalid")])),
        None => Ok(visitor),
    }
}

fn is_short(code: &str) -> bool {
    (2..=5).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// The host decides the merchant: another one cannot be asked for.
pub(super) fn same_merchant(
    field: &'static str,
    named: Option<&str>,
    merchant: &Merchant,
) -> Result<(), ApiError> {
    match named.is_none_or(|code| code == merchant.code) {
        true => Ok(()),
        false => Err(ApiError::fields([(field, "unknown")])),
    }
}

/// The parts of a comma-separated list.
fn listed(field: &'static str, text: Option<&str>) -> Result<Vec<String>, ApiError> {
    let text = text.unwrap_or("");
    if text.len() > TEXT_MOST {
        return Err(ApiError::fields([(field, "too_long")]));
    }
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    Ok(parts.map(str::to_owned).collect())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LanguageQuery {
    /// The site's code of a language, `EN` or `TY`.
    language: Option<String>,
}

/// Popular games, as the merchant has put them.
#[utoipa::path(get, path = "/lgw/games/popular", tag = "games", params(LanguageQuery),
    responses((status = 200, body = Envelope<Vec<GameItem>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_popular(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Games>,
    visitor: Language,
    known: Known,
    Query(query): Query<LanguageQuery>,
) -> TaggedAnswer {
    let language = spoken(query.language.as_deref(), visitor)?;
    tagged(&known, popular(&app, &merchant, language).await?)
}

/// The categories that have games, with their vendors, in the order of the navigation.
#[utoipa::path(get, path = "/lgw/games/game_menus", tag = "games",
    responses((status = 200, body = Envelope<Vec<Menu>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_menus(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Games>,
    known: Known,
) -> TaggedAnswer {
    tagged(&known, menus(&app, &merchant).await?)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct HotQuery {
    /// The merchant's code; the host decides which it is.
    merchant_code: Option<String>,
    /// 2: games of every vendor.
    #[param(minimum = 2, maximum = 2)]
    is_platform: Option<u8>,
    /// Platforms by comma, such as `flash,html5-desktop`.
    platform: Option<String>,
    /// The site's code of a language.
    language: Option<String>,
}

/// Hot games.
#[utoipa::path(get, path = "/lgw/games/hot", tag = "games", params(HotQuery),
    responses((status = 200, body = Envelope<Vec<GameItem>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_hot(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Games>,
    visitor: Language,
    known: Known,
    Query(query): Query<HotQuery>,
) -> TaggedAnswer {
    same_merchant("merchantCode", query.merchant_code.as_deref(), &merchant)?;
    if query.is_platform.is_some_and(|scope| scope != 2) {
        return Err(ApiError::fields([("isPlatform", "invalid")]));
    }
    let wanted = Wanted {
        is_hot: Some(true),
        platforms: listed("platform", query.platform.as_deref())?,
        ..Wanted::default()
    };
    let language = spoken(query.language.as_deref(), visitor)?;
    tagged(&known, first(&app, &merchant, language, &wanted).await?)
}

/// Which games are listed, and which part of the list.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct GamesQuery {
    /// 3 is the web.
    client_type: Option<i16>,
    /// Platforms by comma, such as `flash,html5-desktop`.
    platform: Option<String>,
    /// The merchant's code; the host decides which it is.
    merchant: Option<String>,
    /// From 1 on.
    #[param(minimum = 1, maximum = 10000, default = 1)]
    page_no: Option<usize>,
    /// At most 100.
    #[param(minimum = 1, maximum = 100, default = 42)]
    page_size: Option<usize>,
    /// A category: `RNG`, `LIVE`, … or `HOT` or `BINGO`.
    game_type: Option<String>,
    /// 1: new ones; 0: the others.
    #[param(minimum = 0, maximum = 1)]
    is_new: Option<u8>,
    /// 1: hot ones; 0: the others.
    #[param(minimum = 0, maximum = 1)]
    is_hot: Option<u8>,
    /// A label: SC, VP, JP, TG, AC or BG.
    game_classify: Option<String>,
    /// A vendor.
    vassalage: Option<String>,
    /// The site's code of a language.
    language: Option<String>,
    /// Part of a name or of a vendor's; mistakes are forgiven.
    #[param(max_length = 64)]
    search: Option<String>,
    /// `popular` as the merchant has put them, `name`, or `newest`.
    #[param(inline)]
    sort: Option<Sort>,
}

impl GamesQuery {
    fn wanted(self) -> Result<Wanted, ApiError> {
        let invalid = |field| ApiError::fields([(field, "invalid")]);
        let flag = |field, number: Option<u8>| match number {
            None => Ok(None),
            Some(0 | 1) => Ok(number.map(|number| number == 1)),
            Some(_) => Err(invalid(field)),
        };
        let is_category = |name: &String| name == HOT || CATEGORIES.contains(&name.as_str());
        if self.game_type.as_ref().is_some_and(|name| !is_category(name)) {
            return Err(invalid("gameType"));
        }
        let is_label =
            |label: &String| ["SC", "VP", "JP", "TG", "AC", "BG"].contains(&label.as_str());
        if self.game_classify.as_ref().is_some_and(|label| !is_label(label)) {
            return Err(invalid("gameClassify"));
        }
        if self.search.as_ref().is_some_and(|text| text.chars().count() > SEARCH_MOST) {
            return Err(ApiError::fields([("search", "too_long")]));
        }
        Ok(Wanted {
            category: self.game_type,
            vassalage: self.vassalage.filter(|name| !name.is_empty()),
            label: self.game_classify,
            is_new: flag("isNew", self.is_new)?,
            is_hot: flag("isHot", self.is_hot)?,
            platforms: listed("platform", self.platform.as_deref())?,
            client: self.client_type,
            search: self.search.filter(|text| !text.trim().is_empty()),
            sort: self.sort.unwrap_or_default(),
        })
    }
}

/// A part of a list of games.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GamePage {
    pub(super) content: Vec<GameItem>,
    /// From 1 on.
    pub(super) page_num: usize,
    pub(super) total_pages: usize,
    pub(super) total: usize,
}

/// A page of a list, checked for its bounds: which, how long, and where that is.
pub(super) fn page(
    no: Option<usize>,
    size: Option<usize>,
) -> Result<(usize, usize, Part), ApiError> {
    let (no, size) = (no.unwrap_or(1), size.unwrap_or(PAGE_USUAL));
    if !(1..=PAGES_MOST).contains(&no) {
        return Err(ApiError::fields([("pageNo", "invalid")]));
    }
    if !(1..=PAGE_MOST).contains(&size) {
        return Err(ApiError::fields([("pageSize", "invalid")]));
    }
    let skipped = (no - 1) * size;
    Ok((no, size, Part { skipped, limit: size }))
}

/// Games by page.
#[utoipa::path(get, path = "/lgw/games", tag = "games", params(GamesQuery),
    responses((status = 200, body = Envelope<GamePage>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_games(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Games>,
    visitor: Language,
    known: Known,
    Query(query): Query<GamesQuery>,
) -> TaggedAnswer {
    same_merchant("merchant", query.merchant.as_deref(), &merchant)?;
    let language = spoken(query.language.as_deref(), visitor)?;
    let (page_num, size, part) = page(query.page_no, query.page_size)?;
    let wanted = query.wanted()?;
    let edition = app.catalogue.edition(&app.db).await?;
    let found = edition.shop(&merchant).list(&edition, &wanted, part);
    let page = GamePage {
        content: edition.items(&found.games, language),
        page_num,
        total_pages: found.total.div_ceil(size),
        total: found.total,
    };
    tagged(&known, page)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct VendorsQuery {
    /// The merchant's code; the host decides which it is.
    merchant_code: Option<String>,
}

/// The vendors that have games here.
#[utoipa::path(get, path = "/lgw/games/vendors", tag = "games", params(VendorsQuery),
    responses((status = 200, body = Envelope<Vec<VendorCard>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_vendors(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Games>,
    known: Known,
    Query(query): Query<VendorsQuery>,
) -> TaggedAnswer {
    same_merchant("merchantCode", query.merchant_code.as_deref(), &merchant)?;
    let edition = app.catalogue.edition(&app.db).await?;
    tagged(&known, edition.shop(&merchant).vendors(&edition, None))
}

/// The routes of lists.
pub(super) fn routes() -> OpenApiRouter<Games> {
    OpenApiRouter::new()
        .routes(routes!(get_popular))
        .routes(routes!(get_menus))
        .routes(routes!(get_hot))
        .routes(routes!(list_games))
        .routes(routes!(list_vendors))
}
