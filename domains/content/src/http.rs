//! The public endpoints through which visitors read content.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{AnnouncementType, Execution, GROUPS, PromotionType};
use super::view::{
    Announcement, AppDownload, Banner, HelpSection, Notice, PageText, PromotionCard,
    PromotionDetail, View,
};
use crate::Content;
use platform::error::{ApiError, Envelope, Refusal};
use platform::extract::{Path, Query};
use platform::language::Language;
use platform::tagged::{Known, TaggedAnswer, tagged};
use site::AnyMerchant;

/// How many notices the home page shows.
pub(super) const LATEST_NOTICES: usize = 10;
const PAGE_SIZE_DEFAULT: usize = 9;
const PAGE_SIZE_MAX: usize = 100;
const PAGE_NO_MAX: usize = 10_000;
const TYPE_LENGTH_MAX: usize = 40;

/// The language that a request names.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct LanguageQuery {
    /// Language code, `EN` or `TY`. Without it the answer is in the visitor's language.
    #[serde(alias = "lang")]
    language: Option<String>,
}

/// Extractor: the content that the visitor of this request sees.
struct CurrentView(Arc<View>);

impl FromRequestParts<Content> for CurrentView {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Content) -> Result<Self, ApiError> {
        let AnyMerchant(merchant) = AnyMerchant::from_request_parts(parts, app).await?;
        let Query(query) = Query::<LanguageQuery>::from_request_parts(parts, app).await?;
        let language = match query.language.as_deref() {
            // A well-formed code without translations falls back to the merchant's default
            // language.
            Some(code) if is_language(code) => {
                Language::parse(code).unwrap_or(merchant.default_language())
            }
            Some(_) => return Err(ApiError::fields([("language", "invalid")])),
            None => merchant.language_of(&parts.headers),
        };
        Ok(Self(app.library.view(&app.db, &merchant, language, app.clock.now()).await?))
    }
}

fn is_language(code: &str) -> bool {
    (2..=5).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn banners(view: &View, group: Option<&str>) -> Vec<Banner> {
    let is_in_group = |banner: &&Banner| group.is_none_or(|group| banner.group_name == group);
    view.banners.iter().filter(is_in_group).cloned().collect()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct BannersQuery {
    /// Only this group: `w_home`, `w_login`, `w_register`, `w_forgot`, `w_video`. All groups
    /// without it.
    group: Option<String>,
}

/// Lists the banners in display order. Supports `ETag`.
#[utoipa::path(get, path = "/wps/banners", tag = "content", params(BannersQuery, LanguageQuery),
    responses((status = 200, body = Envelope<Vec<Banner>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_banners(
    CurrentView(view): CurrentView,
    known: Known,
    Query(query): Query<BannersQuery>,
) -> TaggedAnswer {
    let group = query.group.as_deref();
    if group.is_some_and(|group| !GROUPS.contains(&group)) {
        return Err(ApiError::fields([("group", "unknown")]));
    }
    tagged(&known, banners(&view, group))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AnnouncementsQuery {
    /// The kinds to list, separated by commas: `B` banners, `PL` notices, `PU` popups, `PR`
    /// promotions, `H` the public announcement. All kinds without it.
    types: Option<String>,
    /// The platform: only `W`, the web.
    platform: Option<String>,
    /// Only popups for this audience: `B` visitors before login, `A` members, `F` members at their
    /// first login.
    #[param(inline)]
    execution: Option<Execution>,
}

const TYPES: &[&str] = &["B", "PL", "PU", "PR", "H"];

/// Announcements of all kinds. The lists of kinds that were not requested are empty.
#[derive(Serialize, ToSchema)]
struct Announcements {
    banners: Vec<Banner>,
    /// The newest 10.
    notices: Vec<Notice>,
    popups: Vec<Announcement>,
    promotions: Vec<PromotionCard>,
    headlines: Vec<Announcement>,
}

/// Lists announcements of the requested kinds. Supports `ETag`.
#[utoipa::path(get, path = "/wps/announcements", tag = "content",
    params(AnnouncementsQuery, LanguageQuery),
    responses((status = 200, body = Envelope<Announcements>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_announcements(
    CurrentView(view): CurrentView,
    known: Known,
    Query(query): Query<AnnouncementsQuery>,
) -> TaggedAnswer {
    if query.platform.as_deref().is_some_and(|platform| platform != "W") {
        return Err(ApiError::fields([("platform", "unknown")]));
    }
    let types = match query.types.as_deref() {
        Some(text) => text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect(),
        None => TYPES.to_vec(),
    };
    if types.len() > TYPES.len() || types.iter().any(|name| !TYPES.contains(name)) {
        return Err(ApiError::fields([("types", "unknown")]));
    }
    let of = |kind: AnnouncementType| view.announcements.iter().filter(move |one| one.kind == kind);
    let fits = |popup: &&Announcement| {
        query.execution.is_none_or(|execution| popup.execution == Some(execution))
    };
    let mut all = Announcements {
        banners: banners(&view, None),
        notices: view.notices.iter().take(LATEST_NOTICES).cloned().collect(),
        popups: of(AnnouncementType::Popup).filter(fits).cloned().collect(),
        promotions: cards(&view, None),
        headlines: of(AnnouncementType::Headline).cloned().collect(),
    };
    let is_requested = |name: &str| types.contains(&name);
    if !is_requested("B") {
        all.banners.clear();
    }
    if !is_requested("PL") {
        all.notices.clear();
    }
    if !is_requested("PU") {
        all.popups.clear();
    }
    if !is_requested("PR") {
        all.promotions.clear();
    }
    if !is_requested("H") {
        all.headlines.clear();
    }
    tagged(&known, all)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct NoticesQuery {
    /// The number of the page, from 1.
    #[param(minimum = 1, maximum = 10000, default = 1)]
    page_no: Option<usize>,
    /// Notices per page, at most 100.
    #[param(minimum = 1, maximum = 100, default = 9)]
    page_size: Option<usize>,
}

/// A page of notices.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NoticePage {
    content: Vec<Notice>,
    page_num: usize,
    total_pages: usize,
    total: usize,
}

/// Lists the notices by page, newest first. Supports `ETag`.
#[utoipa::path(get, path = "/wps/notices", tag = "content", params(NoticesQuery, LanguageQuery),
    responses((status = 200, body = Envelope<NoticePage>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_notices(
    CurrentView(view): CurrentView,
    known: Known,
    Query(query): Query<NoticesQuery>,
) -> TaggedAnswer {
    let (no, size) = (query.page_no.unwrap_or(1), query.page_size.unwrap_or(PAGE_SIZE_DEFAULT));
    if !(1..=PAGE_NO_MAX).contains(&no) {
        return Err(ApiError::fields([("pageNo", "invalid")]));
    }
    if !(1..=PAGE_SIZE_MAX).contains(&size) {
        return Err(ApiError::fields([("pageSize", "invalid")]));
    }
    let total = view.notices.len();
    let content = view.notices.iter().skip((no - 1) * size).take(size).cloned().collect();
    let total_pages = total.div_ceil(size);
    tagged(&known, NoticePage { content, page_num: no, total_pages, total })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct HelpQuery {
    /// The device: only `WEB`.
    device: Option<String>,
}

/// The language parameter of the help center, for the API document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "`LanguageQuery` reads the parameter, under both of its names")]
struct HelpLanguage {
    /// Language code, `EN` or `TY`. Without it the answer is in the visitor's language.
    lang: Option<String>,
}

/// Gives the help center: sections with their articles. Supports `ETag`.
#[utoipa::path(get, path = "/wps/system/helpCenter", tag = "content",
    params(HelpQuery, HelpLanguage),
    responses((status = 200, body = Envelope<Vec<HelpSection>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_help(
    CurrentView(view): CurrentView,
    known: Known,
    Query(query): Query<HelpQuery>,
) -> TaggedAnswer {
    if query.device.as_deref().is_some_and(|device| device != "WEB") {
        return Err(ApiError::fields([("device", "unknown")]));
    }
    tagged(&known, &view.help)
}

/// Gives a page: terms, privacy, responsible gaming or about us. Supports `ETag`.
#[utoipa::path(get, path = "/wps/pages/{name}", tag = "content",
    params(("name" = String, Path, description = "`terms`, `privacy`, `responsible`, `about`"),
        LanguageQuery),
    responses((status = 200, body = Envelope<PageText>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_page(
    CurrentView(view): CurrentView,
    known: Known,
    Path(name): Path<String>,
) -> TaggedAnswer {
    let page = view.pages.iter().find(|page| page.name == name);
    tagged(&known, page.ok_or_else(|| ApiError::new(platform::codes::REQUEST_NOT_FOUND))?)
}

fn cards(view: &View, kind: Option<PromotionType>) -> Vec<PromotionCard> {
    let cards = view.promotions.iter().map(|promotion| &promotion.card);
    cards.filter(|card| kind.is_none_or(|kind| card.kind == kind)).cloned().collect()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PromotionsQuery {
    /// Only this type of promotions; `ALL` or nothing lists all.
    #[serde(rename = "type")]
    #[param(rename = "type")]
    kind: Option<String>,
}

/// Lists the promotions in display order. Supports `ETag`.
#[utoipa::path(get, path = "/wps/promotions", tag = "content",
    params(PromotionsQuery, LanguageQuery),
    responses((status = 200, body = Envelope<Vec<PromotionCard>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_promotions(
    CurrentView(view): CurrentView,
    known: Known,
    Query(query): Query<PromotionsQuery>,
) -> TaggedAnswer {
    let kind = match query.kind.as_deref().filter(|kind| *kind != "ALL") {
        Some(text) if text.len() <= TYPE_LENGTH_MAX => {
            let unknown = |_| ApiError::fields([("type", "unknown")]);
            Some(PromotionType::deserialize(serde_json::Value::from(text)).map_err(unknown)?)
        }
        Some(_) => return Err(ApiError::fields([("type", "unknown")])),
        None => None,
    };
    tagged(&known, cards(&view, kind))
}

/// Gives a promotion with its full text. Supports `ETag`.
#[utoipa::path(get, path = "/wps/promotions/{slug}", tag = "content",
    params(("slug" = String, Path, description = "The name of the promotion in URLs"),
        LanguageQuery),
    responses((status = 200, body = Envelope<PromotionDetail>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_promotion(
    CurrentView(view): CurrentView,
    known: Known,
    Path(slug): Path<String>,
) -> TaggedAnswer {
    let promotion = view.promotions.iter().find(|promotion| promotion.card.slug == slug);
    tagged(&known, promotion.ok_or_else(|| ApiError::new(platform::codes::REQUEST_NOT_FOUND))?)
}

/// Lists the app downloads. Supports `ETag`.
#[utoipa::path(get, path = "/wps/system/downloads", tag = "content", params(LanguageQuery),
    responses((status = 200, body = Envelope<Vec<AppDownload>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_downloads(CurrentView(view): CurrentView, known: Known) -> TaggedAnswer {
    tagged(&known, &view.downloads)
}

/// The public routes of this domain.
pub fn routes() -> OpenApiRouter<Content> {
    OpenApiRouter::new()
        .routes(routes!(list_banners))
        .routes(routes!(list_announcements))
        .routes(routes!(list_notices))
        .routes(routes!(get_help))
        .routes(routes!(get_page))
        .routes(routes!(list_promotions))
        .routes(routes!(get_promotion))
        .routes(routes!(list_downloads))
}
