//! The site API that lists games: menus, popular and hot games, all games by page, vendors.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::catalogue::Edition;
use super::game::{GameItem, VendorCard};
use super::shop::{CATEGORIES, Filter, HOT, Menu, Part, Sort};
use crate::Games;
use platform::error::{ApiError, Envelope, Refusal};
use platform::extract::Query;
use platform::language::Language;
use platform::tagged::{Known, TaggedAnswer, tagged};
use site::{Merchant, OpenMerchant};

const PAGE_DEFAULT: usize = 42;
const PAGE_MAX: usize = 100;
const PAGES_MAX: usize = 10_000;
/// The number of games in the popular and hot lists.
const POPULAR_MAX: usize = 24;
/// The number of games in each row of the home page.
const HOME_GAMES: usize = 6;
const SEARCH_MAX: usize = 64;
const TEXT_MAX: usize = 100;

/// The first games by the merchant's positions, without those under maintenance.
pub async fn popular(
    app: &Games,
    merchant: &Merchant,
    language: Language,
) -> Result<Vec<GameItem>, ApiError> {
    first_available(app, merchant, language, &Filter::default()).await
}

/// The hot games of the home page.
pub async fn hot(
    app: &Games,
    merchant: &Merchant,
    language: Language,
) -> Result<Vec<GameItem>, ApiError> {
    let filter = Filter { is_hot: Some(true), ..Filter::default() };
    home_row(app, merchant, language, &filter).await
}

/// The new games of the home page.
pub async fn newest(
    app: &Games,
    merchant: &Merchant,
    language: Language,
) -> Result<Vec<GameItem>, ApiError> {
    let filter = Filter { is_new: Some(true), ..Filter::default() };
    home_row(app, merchant, language, &filter).await
}

/// The jackpot games of the home page.
pub async fn with_jackpot(
    app: &Games,
    merchant: &Merchant,
    language: Language,
) -> Result<Vec<GameItem>, ApiError> {
    let filter = Filter { label: Some("JP".to_owned()), ..Filter::default() };
    home_row(app, merchant, language, &filter).await
}

/// One row of games on the home page.
async fn home_row(
    app: &Games,
    merchant: &Merchant,
    language: Language,
    filter: &Filter,
) -> Result<Vec<GameItem>, ApiError> {
    let mut games = first_available(app, merchant, language, filter).await?;
    games.truncate(HOME_GAMES);
    Ok(games)
}

/// The categories of a merchant that have games, for the navigation.
pub async fn menus(app: &Games, merchant: &Merchant) -> Result<Vec<Menu>, ApiError> {
    let edition = app.catalogue.edition(&app.db).await?;
    Ok(edition.shop(merchant).menus(&edition))
}

/// The current edition of the catalogue. Any change of the catalogue makes a new one, so a cache
/// can compare editions.
pub async fn edition(app: &Games) -> Result<Arc<Edition>, ApiError> {
    Ok(app.catalogue.edition(&app.db).await?)
}

/// The first games of a list, without those under maintenance.
async fn first_available(
    app: &Games,
    merchant: &Merchant,
    language: Language,
    filter: &Filter,
) -> Result<Vec<GameItem>, ApiError> {
    let edition = app.catalogue.edition(&app.db).await?;
    // More than needed, because games under maintenance are filtered out below.
    let part = Part { offset: 0, limit: POPULAR_MAX * 4 };
    let found = edition.shop(merchant).list(&edition, filter, part);
    let open = found.games.iter().filter(|game| !game.maintenance.is_on());
    Ok(edition.items(open.take(POPULAR_MAX), language))
}

/// The language of the request parameter, or else of the visitor.
pub(super) fn requested_language(
    code: Option<&str>,
    visitor: Language,
) -> Result<Language, ApiError> {
    match code {
        // Unknown languages fall back to English, as untranslated names do.
        Some(code) if is_short(code) => Ok(Language::parse(code).unwrap_or(Language::English)),
        Some(_) => Err(ApiError::fields([("language", "invalid")])),
        None => Ok(visitor),
    }
}

fn is_short(code: &str) -> bool {
    (2..=5).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Checks a merchant parameter: the host decides the merchant, so only its code is accepted.
pub(super) fn same_merchant(
    field: &'static str,
    code: Option<&str>,
    merchant: &Merchant,
) -> Result<(), ApiError> {
    match code.is_none_or(|code| code == merchant.code) {
        true => Ok(()),
        false => Err(ApiError::fields([(field, "unknown")])),
    }
}

/// Splits a comma-separated list.
fn split_list(field: &'static str, text: Option<&str>) -> Result<Vec<String>, ApiError> {
    let text = text.unwrap_or("");
    if text.len() > TEXT_MAX {
        return Err(ApiError::fields([(field, "too_long")]));
    }
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    Ok(parts.map(str::to_owned).collect())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LanguageQuery {
    /// The site's language code, `EN` or `TY`.
    language: Option<String>,
}

/// Popular games, by the merchant's positions.
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
    let language = requested_language(query.language.as_deref(), visitor)?;
    tagged(&known, popular(&app, &merchant, language).await?)
}

/// The categories that have games, with their vendors, in menu order.
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
    /// The merchant's code; must be the merchant of the host.
    merchant_code: Option<String>,
    /// 2: games of every vendor.
    #[param(minimum = 2, maximum = 2)]
    is_platform: Option<u8>,
    /// Comma-separated platforms, such as `flash,html5-desktop`.
    platform: Option<String>,
    /// The site's language code.
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
    let filter = Filter {
        is_hot: Some(true),
        platforms: split_list("platform", query.platform.as_deref())?,
        ..Filter::default()
    };
    let language = requested_language(query.language.as_deref(), visitor)?;
    tagged(&known, first_available(&app, &merchant, language, &filter).await?)
}

/// The filter, sort order and page of a list of games.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct GamesQuery {
    /// The client type; 3 is the web.
    client_type: Option<i16>,
    /// Comma-separated platforms, such as `flash,html5-desktop`.
    platform: Option<String>,
    /// The merchant's code; must be the merchant of the host.
    merchant: Option<String>,
    /// The page number, from 1.
    #[param(minimum = 1, maximum = 10000, default = 1)]
    page_no: Option<usize>,
    /// The page size, at most 100.
    #[param(minimum = 1, maximum = 100, default = 42)]
    page_size: Option<usize>,
    /// A category: `RNG`, `LIVE`, … or `HOT` or `BINGO`.
    game_type: Option<String>,
    /// 1: only new games; 0: only others.
    #[param(minimum = 0, maximum = 1)]
    is_new: Option<u8>,
    /// 1: only hot games; 0: only others.
    #[param(minimum = 0, maximum = 1)]
    is_hot: Option<u8>,
    /// A label: SC, VP, JP, TG, AC or BG.
    game_classify: Option<String>,
    /// A vendor's code.
    vassalage: Option<String>,
    /// The site's language code.
    language: Option<String>,
    /// Text to search in the names of games and vendors; tolerates typos.
    #[param(max_length = 64)]
    search: Option<String>,
    /// `popular` (the merchant's positions), `name` or `newest`.
    #[param(inline)]
    sort: Option<Sort>,
}

impl GamesQuery {
    fn into_filter(self) -> Result<Filter, ApiError> {
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
        if self.search.as_ref().is_some_and(|text| text.chars().count() > SEARCH_MAX) {
            return Err(ApiError::fields([("search", "too_long")]));
        }
        Ok(Filter {
            category: self.game_type,
            vassalage: self.vassalage.filter(|name| !name.is_empty()),
            label: self.game_classify,
            is_new: flag("isNew", self.is_new)?,
            is_hot: flag("isHot", self.is_hot)?,
            platforms: split_list("platform", self.platform.as_deref())?,
            client: self.client_type,
            search: self.search.filter(|text| !text.trim().is_empty()),
            sort: self.sort.unwrap_or_default(),
        })
    }
}

/// One page of a list of games.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct GamePage {
    pub(super) content: Vec<GameItem>,
    /// The page number, from 1.
    pub(super) page_num: usize,
    pub(super) total_pages: usize,
    pub(super) total: usize,
}

/// Checks the page parameters. Returns page number, page size and the part of the list.
pub(super) fn page(
    no: Option<usize>,
    size: Option<usize>,
) -> Result<(usize, usize, Part), ApiError> {
    let (no, size) = (no.unwrap_or(1), size.unwrap_or(PAGE_DEFAULT));
    if !(1..=PAGES_MAX).contains(&no) {
        return Err(ApiError::fields([("pageNo", "invalid")]));
    }
    if !(1..=PAGE_MAX).contains(&size) {
        return Err(ApiError::fields([("pageSize", "invalid")]));
    }
    Ok((no, size, Part { offset: (no - 1) * size, limit: size }))
}

/// Lists games by page, with filters, search and sort order.
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
    let language = requested_language(query.language.as_deref(), visitor)?;
    let (page_num, size, part) = page(query.page_no, query.page_size)?;
    let filter = query.into_filter()?;
    let edition = app.catalogue.edition(&app.db).await?;
    let found = edition.shop(&merchant).list(&edition, &filter, part);
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
    /// The merchant's code; must be the merchant of the host.
    merchant_code: Option<String>,
}

/// The vendors that have games at this merchant.
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

/// The routes of the lists.
pub(super) fn routes() -> OpenApiRouter<Games> {
    OpenApiRouter::new()
        .routes(routes!(get_popular))
        .routes(routes!(get_menus))
        .routes(routes!(get_hot))
        .routes(routes!(list_games))
        .routes(routes!(list_vendors))
}
