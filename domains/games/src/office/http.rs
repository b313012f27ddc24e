//! The back-office API of the catalogue.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::ops::{self, Change};
use super::store;
use super::values::{GameValue, LimitsValue, OfferValue, VendorValue};
use crate::Game;
use crate::Games;
use crate::catalogue::Edition;
use crate::lists_http::page;
use crate::rights::{GamesRead, GamesWrite};
use crate::search;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Path, Query};
use site::Merchant;
use staff::{Allowed, RecentlyAuthenticated};

/// A vendor, for the back office.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OfficeVendor {
    vassalage: String,
    account_type_name: String,
    value: VendorValue,
    /// The number of its games in the catalogue.
    games: usize,
}

fn vendors(edition: &Edition) -> Vec<OfficeVendor> {
    let vendors = edition.vendors.iter().map(|vendor| OfficeVendor {
        vassalage: vendor.vassalage.clone(),
        account_type_name: vendor.account_type_name.clone(),
        value: VendorValue {
            display_name: vendor.display_name.clone(),
            position: vendor.position,
            maintenance: vendor.maintenance,
        },
        games: edition.facets.vassalage.get(&vendor.vassalage).map_or(0, |games| games.count()),
    });
    vendors.collect()
}

/// Lists the vendors by position.
#[utoipa::path(get, path = "/office/api/games/vendors", tag = "games", operation_id = "office_list_vendors",
    security(("office" = ["games.read"])),
    responses((status = 200, body = Envelope<Vec<OfficeVendor>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_vendors(
    _: Allowed<GamesRead>,
    State(app): State<Games>,
) -> Answer<Vec<OfficeVendor>> {
    answer(vendors(&*app.catalogue.edition(&app.db).await?))
}

/// A change of a vendor.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChangeVendor {
    /// The value that the editor saw; the change is refused if it is no longer current.
    seen: VendorValue,
    value: VendorValue,
    /// The reason, for the audit log.
    reason: String,
}

/// Changes a vendor: its name, its position, maintenance of all its games.
#[utoipa::path(put, path = "/office/api/games/vendors/{name}", tag = "games", operation_id = "office_change_vendor",
    params(("name" = String, Path, description = "Its vassalage")), request_body = ChangeVendor,
    security(("office" = ["games.write"])),
    responses((status = 200, body = Envelope<Vec<OfficeVendor>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_vendor(
    Allowed(person, ..): Allowed<GamesWrite>,
    State(app): State<Games>,
    Path(name): Path<String>,
    Json(body): Json<ChangeVendor>,
) -> Answer<Vec<OfficeVendor>> {
    let ChangeVendor { seen, value, reason } = body;
    let change = Change { seen, value, reason };
    ops::change_vendor(&app, person.actor(), name, change).await?;
    answer(vendors(&*app.catalogue.edition(&app.db).await?))
}

/// The filter of the list of games.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct OfficeGamesQuery {
    /// The merchant whose offer is shown.
    merchant_id: Option<Uuid>,
    /// Part of a name or code.
    #[param(max_length = 64)]
    search: Option<String>,
    vassalage: Option<String>,
    game_type: Option<String>,
    /// Only games under maintenance, or only others.
    maintenance: Option<bool>,
    /// Only games that the merchant offers, or only others.
    visible: Option<bool>,
    #[param(minimum = 1, maximum = 10000, default = 1)]
    page_no: Option<usize>,
    /// The page size, at most 100.
    #[param(minimum = 1, maximum = 100, default = 42)]
    page_size: Option<usize>,
}

/// A game, for the back office.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OfficeGame {
    code: String,
    name: String,
    vendor: String,
    vassalage: String,
    game_type: String,
    game_classify: Vec<String>,
    /// 0: a free trial is offered.
    support_play: i16,
    return_percent: String,
    /// The catalogue's limits; a merchant's own limits replace them.
    limits: LimitsValue,
    /// Whether all games of its vendor are under maintenance.
    vendor_maintenance: bool,
    value: GameValue,
    /// The offer of the merchant in the query, if any.
    #[schema(required)]
    offer: Option<OfferValue>,
}

impl OfficeGame {
    fn new(game: &Game, offer: Option<OfferValue>) -> Self {
        Self {
            code: game.code.clone(),
            name: game.name.clone(),
            vendor: game.vendor.clone(),
            vassalage: game.vassalage.clone(),
            game_type: game.game_type.clone(),
            game_classify: game.classify.clone(),
            support_play: game.support_play,
            return_percent: game.return_percent().to_owned(),
            limits: game.limits.into(),
            vendor_maintenance: game.maintenance.vendor,
            value: GameValue {
                is_new: game.is_new,
                is_hot: game.is_hot,
                position: game.position,
                maintenance: game.maintenance.game,
            },
            offer,
        }
    }
}

/// A page of the catalogue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OfficeGames {
    /// The merchants whose offers can be shown.
    merchants: Vec<OfficeMerchant>,
    content: Vec<OfficeGame>,
    page_num: usize,
    total_pages: usize,
    total: usize,
}

/// A merchant that offers games.
#[derive(Serialize, ToSchema)]
struct OfficeMerchant {
    id: Uuid,
    name: String,
    currency: String,
}

impl From<&Arc<Merchant>> for OfficeMerchant {
    fn from(merchant: &Arc<Merchant>) -> Self {
        let currency = merchant.currency.code().to_owned();
        Self { id: merchant.id, name: merchant.name.clone(), currency }
    }
}

async fn find_merchant(app: &Games, id: Uuid) -> Result<Arc<Merchant>, ApiError> {
    let merchants = app.site.sites.all(&app.db).await?;
    let found = merchants.into_iter().find(|merchant| merchant.id == id);
    found.ok_or_else(|| ApiError::new(site::codes::UNKNOWN_MERCHANT))
}

impl OfficeGamesQuery {
    fn matches(&self, edition: &Edition, game: &Game) -> bool {
        let is_same = |expected: &Option<String>, known: &str| {
            expected.as_deref().is_none_or(|expected| expected.is_empty() || expected == known)
        };
        let is_visible =
            self.merchant_id.map(|id| edition.offered_number(id, &game.code).is_some());
        is_same(&self.vassalage, &game.vassalage)
            && is_same(&self.game_type, &game.game_type)
            && self.maintenance.is_none_or(|expected| expected == game.maintenance.is_on())
            && self.visible.is_none_or(|expected| is_visible == Some(expected))
    }

    /// The games that match the filter, by position. The search text matches names and codes.
    fn find_games<'a>(&self, edition: &'a Edition) -> Vec<&'a Arc<Game>> {
        let text = self.search.as_deref().unwrap_or("").trim();
        let [by_name, by_vendor] = edition.search(text);
        let code = search::words(text).join("-");
        let numbered = (0usize..).zip(&edition.games);
        let matching = numbered.filter(|(number, game)| {
            let is_found = text.is_empty()
                || by_name.has(*number)
                || by_vendor.has(*number)
                || game.code.starts_with(&code);
            is_found && self.matches(edition, game)
        });
        matching.map(|(_, game)| game).collect()
    }
}

/// Lists the games of the catalogue by page.
#[utoipa::path(get, path = "/office/api/games/catalogue", tag = "games", operation_id = "office_list_games",
    params(OfficeGamesQuery), security(("office" = ["games.read"])),
    responses((status = 200, body = Envelope<OfficeGames>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_games(
    _: Allowed<GamesRead>,
    State(app): State<Games>,
    Query(query): Query<OfficeGamesQuery>,
) -> Answer<OfficeGames> {
    let (page_num, size, part) = page(query.page_no, query.page_size)?;
    if query.search.as_ref().is_some_and(|text| text.chars().count() > 64) {
        return Err(ApiError::fields([("search", "too_long")]));
    }
    if let Some(id) = query.merchant_id {
        find_merchant(&app, id).await?;
    }
    let edition = app.catalogue.edition(&app.db).await?;
    let found = query.find_games(&edition);
    let total = found.len();
    let mut db = app.db.acquire().await?;
    let mut content = Vec::new();
    for game in found.into_iter().skip(part.offset).take(part.limit) {
        let offer = match query.merchant_id {
            Some(id) => Some(store::find_offer(&mut db, id, &game.code).await?),
            None => None,
        };
        content.push(OfficeGame::new(game, offer));
    }
    let merchants = app.site.sites.all(&app.db).await?.iter().map(OfficeMerchant::from).collect();
    let total_pages = total.div_ceil(size);
    answer(OfficeGames { merchants, content, page_num, total_pages, total })
}

/// A change of a game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChangeGame {
    /// The value that the editor saw; the change is refused if it is no longer current.
    seen: GameValue,
    value: GameValue,
    /// The reason, for the audit log.
    reason: String,
}

/// Changes a game for all merchants: new, hot, position, maintenance.
#[utoipa::path(put, path = "/office/api/games/catalogue/{name}", tag = "games", operation_id = "office_change_game",
    params(("name" = String, Path, description = "Its code")), request_body = ChangeGame,
    security(("office" = ["games.write"])),
    responses((status = 200, body = Envelope<GameValue>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_game(
    Allowed(person, ..): Allowed<GamesWrite>,
    State(app): State<Games>,
    Path(name): Path<String>,
    Json(body): Json<ChangeGame>,
) -> Answer<GameValue> {
    let ChangeGame { seen, value, reason } = body;
    let change = Change { seen, value: value.clone(), reason };
    ops::change_game(&app, person.actor(), name, change).await?;
    answer(value)
}

/// A change of a merchant's offer of a game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChangeOffer {
    /// The value that the editor saw; the change is refused if it is no longer current.
    seen: OfferValue,
    value: OfferValue,
    /// The reason, for the audit log.
    reason: String,
}

/// Changes a merchant's offer of a game: visibility, position, limits.
#[utoipa::path(put, path = "/office/api/games/merchants/{id}/offers/{name}", tag = "games",
    operation_id = "office_change_offer",
    params(("id" = Uuid, Path), ("name" = String, Path, description = "The game's code")),
    request_body = ChangeOffer, security(("office" = ["games.write"], "office_proof" = [])),
    responses((status = 200, body = Envelope<OfferValue>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn change_offer(
    RecentlyAuthenticated(person, ..): RecentlyAuthenticated<GamesWrite>,
    State(app): State<Games>,
    Path((id, name)): Path<(Uuid, String)>,
    Json(body): Json<ChangeOffer>,
) -> Answer<OfferValue> {
    let ChangeOffer { seen, value, reason } = body;
    let merchant = find_merchant(&app, id).await?;
    let change = Change { seen, value: value.clone(), reason };
    ops::change_offer(&app, person.actor(), &merchant, name, change).await?;
    answer(value)
}

/// The back-office routes of games.
pub fn routes() -> OpenApiRouter<Games> {
    OpenApiRouter::new()
        .routes(routes!(list_vendors))
        .routes(routes!(change_vendor))
        .routes(routes!(list_games))
        .routes(routes!(change_game))
        .routes(routes!(change_offer))
}
