//! The calls by which visitors read content.

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

/// How many notices run over the home page.
pub(super) const LATEST: usize = 10;
const NOTICES_USUAL: usize = 9;
const PAGE_MOST: usize = 100;
const PAGES_MOST: usize = 10_000;
const CODE_MOST: usize = 40;

/// The language that is asked for by name.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Spoken {
    /// The site's code of a language, `EN` or `TY`; else the visitor's is spoken.
    #[serde(alias = "lang")]
    language: Option<String>,
}

/// What the visitor of this request sees.
struct Seen(Arc<View>);

impl FromRequestParts<Content> for Seen {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Content) -> Result<Self, ApiError> {
        let AnyMerchant(merchant) = AnyMerchant::from_request_parts(parts, app).await?;
        let Query(named) = Query::<Spoken>::from_request_parts(parts, app).await?;
        let language = match named.language.as_deref() {
            // What is not translated is told in the merchant's usual language.
            Some(code) if is_language(code) => {
                Language::parse(code).unwrap_or(merchant.usual_language())
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
    let is_asked = |banner: &&Banner| group.is_none_or(|group| banner.group_name == group);
    view.banners.iter().filter(is_asked).cloned().collect()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct BannersQuery {
    /// `w_home`, `w_login`, `w_register`, `w_forgot`, `w_video`; else all.
    group: Option<String>,
}

/// Banners in their order.
#[utoipa::path(get, path = "/wps/banners", tag = "content", params(BannersQuery, Spoken),
    responses((status = 200, body = Envelope<Vec<Banner>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_banners(
    Seen(view): Seen,
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
    /// Which kinds, with commas between them: `B` banners, `PL` notices, `PU` what opens by
    /// itself, `PR` promotions, `H` the public announcement. All where nothing is said.
    types: Option<String>,
    /// `W`, the web.
    platform: Option<String>,
    /// Only popups for this occasion: `B` before login, `A` members, `F` the first login.
    #[param(inline)]
    execution: Option<Execution>,
}

const TYPES: &[&str] = &["B", "PL", "PU", "PR", "H"];

/// Everything that is announced; kinds that were not asked for are empty.
#[derive(Serialize, ToSchema)]
struct Announcements {
    banners: Vec<Banner>,
    /// The latest 10.
    notices: Vec<Notice>,
    popups: Vec<Announcement>,
    promotions: Vec<PromotionCard>,
    headlines: Vec<Announcement>,
}

/// Announcements by their types.
#[utoipa::path(get, path = "/wps/announcements", tag = "content",
    params(AnnouncementsQuery, Spoken),
    responses((status = 200, body = Envelope<Announcements>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_announcements(
    Seen(view): Seen,
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
    if types.len() > TYPES.len() || types.iter().any(|asked| !TYPES.contains(asked)) {
        return Err(ApiError::fields([("types", "unknown")]));
    }
    let of = |kind: AnnouncementType| view.announcements.iter().filter(move |one| one.kind == kind);
    let fits =
        |popup: &&Announcement| query.execution.is_none_or(|asked| popup.execution == Some(asked));
    let mut all = Announcements {
        banners: banners(&view, None),
        notices: view.notices.iter().take(LATEST).cloned().collect(),
        popups: of(AnnouncementType::Popup).filter(fits).cloned().collect(),
        promotions: cards(&view, None),
        headlines: of(AnnouncementType::Headline).cloned().collect(),
    };
    let is_asked = |name: &str| types.contains(&name);
    if !is_asked("B") {
        all.banners.clear();
    }
    if !is_asked("PL") {
        all.notices.clear();
    }
    if !is_asked("PU") {
        all.popups.clear();
    }
    if !is_asked("PR") {
        all.promotions.clear();
    }
    if !is_asked("H") {
        all.headlines.clear();
    }
    tagged(&known, all)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct NoticesQuery {
    #[param(minimum = 1, maximum = 10000, default = 1)]
    page_no: Option<usize>,
    /// At most 100.
    #[param(minimum = 1, maximum = 100, default = 9)]
    page_size: Option<usize>,
}

/// Notices by page.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NoticePage {
    content: Vec<Notice>,
    page_num: usize,
    total_pages: usize,
    total: usize,
}

/// Notices, the latest first.
#[utoipa::path(get, path = "/wps/notices", tag = "content", params(NoticesQuery, Spoken),
    responses((status = 200, body = Envelope<NoticePage>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_notices(
    Seen(view): Seen,
    known: Known,
    Query(query): Query<NoticesQuery>,
) -> TaggedAnswer {
    let (no, size) = (query.page_no.unwrap_or(1), query.page_size.unwrap_or(NOTICES_USUAL));
    if !(1..=PAGES_MOST).contains(&no) {
        return Err(ApiError::fields([("pageNo", "invalid")]));
    }
    if !(1..=PAGE_MOST).contains(&size) {
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
    /// `WEB`.
    device: Option<String>,
}

/// The language of the help center, as its call names it.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it is read as `Spoken`, which hears both names")]
struct HelpLanguage {
    /// The site's code of a language, `EN` or `TY`; else the visitor's is spoken.
    lang: Option<String>,
}

/// The help center: sections with their articles.
#[utoipa::path(get, path = "/wps/system/helpCenter", tag = "content",
    params(HelpQuery, HelpLanguage),
    responses((status = 200, body = Envelope<Vec<HelpSection>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_help(Seen(view): Seen, known: Known, Query(query): Query<HelpQuery>) -> TaggedAnswer {
    if query.device.as_deref().is_some_and(|device| device != "WEB") {
        return Err(ApiError::fields([("device", "unknown")]));
    }
    tagged(&known, &view.help)
}

/// A page: the terms, privacy, responsible gaming, about us.
#[utoipa::path(get, path = "/wps/pages/{name}", tag = "content",
    params(("name" = String, Path, description = "`terms`, `privacy`, `responsible`, `about`"), Spoken),
    responses((status = 200, body = Envelope<PageText>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_page(Seen(view): Seen, known: Known, Path(name): Path<String>) -> TaggedAnswer {
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
    /// One of the types of promotions, or `ALL`.
    #[serde(rename = "type")]
    #[param(rename = "type")]
    kind: Option<String>,
}

/// Promotions in their order.
#[utoipa::path(get, path = "/wps/promotions", tag = "content", params(PromotionsQuery, Spoken),
    responses((status = 200, body = Envelope<Vec<PromotionCard>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_promotions(
    Seen(view): Seen,
    known: Known,
    Query(query): Query<PromotionsQuery>,
) -> TaggedAnswer {
    let kind = match query.kind.as_deref().filter(|kind| *kind != "ALL") {
        Some(text) if text.len() <= CODE_MOST => {
            let unknown = |_| ApiError::fields([("type", "unknown")]);
            Some(PromotionType::deserialize(serde_json::Value::from(text)).map_err(unknown)?)
        }
        Some(_) => return Err(ApiError::fields([("type", "unknown")])),
        None => None,
    };
    tagged(&known, cards(&view, kind))
}

/// A promotion.
#[utoipa::path(get, path = "/wps/promotions/{slug}", tag = "content",
    params(("slug" = String, Path, description = "Its name in addresses"), Spoken),
    responses((status = 200, body = Envelope<PromotionDetail>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_promotion(Seen(view): Seen, known: Known, Path(slug): Path<String>) -> TaggedAnswer {
    let promotion = view.promotions.iter().find(|promotion| promotion.card.slug == slug);
    tagged(&known, promotion.ok_or_else(|| ApiError::new(platform::codes::REQUEST_NOT_FOUND))?)
}

/// The apps.
#[utoipa::path(get, path = "/wps/system/downloads", tag = "content", params(Spoken),
    responses((status = 200, body = Envelope<Vec<AppDownload>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn list_downloads(Seen(view): Seen, known: Known) -> TaggedAnswer {
    tagged(&known, &view.downloads)
}

/// What visitors read.
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
