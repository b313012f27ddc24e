//! The site API of a member's favorites and recently opened games.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::catalogue::Edition;
use super::game::{Game, GameItem};
use super::lists_http::{GamePage, page, requested_language};
use super::own_store as store;
use super::shop::Part;
use crate::Games;
use crate::codes;
use identity::CurrentMember;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Json, Query};
use platform::language::Language;

/// The most favorites of a member.
const FAVORITES_MAX: i64 = 500;
/// How many recently opened games are stored, and how many are returned.
const RECENTS_KEPT: i64 = 50;
const RECENTS_SHOWN: usize = 24;

/// A game in the favorites, or to be added to them.
#[derive(Serialize, Deserialize, ToSchema, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Favorite {
    #[schema(max_length = 64)]
    node_id: String,
    #[schema(max_length = 64)]
    vendor: String,
    #[schema(max_length = 64)]
    game_type: String,
}

/// The games with the given codes that are offered to the member in this country, in the same
/// order.
fn offered<'a>(
    edition: &'a Edition,
    member: &CurrentMember,
    codes: &'a [String],
) -> impl Iterator<Item = &'a Arc<Game>> {
    let merchant = Arc::clone(&member.merchant);
    codes.iter().filter_map(move |code| edition.game(edition.offered_here(&merchant, code)?))
}

impl Favorite {
    /// The game in the catalogue. Vendor and type must match it.
    fn find(&self, edition: &Edition, member: &CurrentMember) -> Result<Arc<Game>, ApiError> {
        let codes = std::slice::from_ref(&self.node_id);
        let game = offered(edition, member, codes).next();
        let game =
            game.filter(|game| (&game.vendor, &game.game_type) == (&self.vendor, &self.game_type));
        game.cloned().ok_or_else(|| ApiError::new(codes::UNKNOWN_GAME))
    }
}

/// All favorites, as ids only, newest first.
#[utoipa::path(get, path = "/lgw/games/favorites/ids", tag = "games", security(("token" = [])),
    responses((status = 200, body = Envelope<Vec<Favorite>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_favorite_ids(
    State(app): State<Games>,
    member: CurrentMember,
) -> Answer<Vec<Favorite>> {
    let codes = store::list_favorites(&app.db, member.id, FAVORITES_MAX).await?;
    let edition = app.catalogue.edition(&app.db).await?;
    let favorites = offered(&edition, &member, &codes).map(|game| Favorite {
        node_id: game.code.clone(),
        vendor: game.vendor.clone(),
        game_type: game.game_type.clone(),
    });
    answer(favorites.collect())
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct FavoritesQuery {
    /// The page number, from 1.
    #[param(minimum = 1, maximum = 10000, default = 1)]
    page_no: Option<usize>,
    /// The page size, at most 100.
    #[param(minimum = 1, maximum = 100, default = 42)]
    page_size: Option<usize>,
    /// The site's language code.
    language: Option<String>,
}

/// The favorites by page, newest first.
#[utoipa::path(get, path = "/lgw/games/favorites", tag = "games", security(("token" = [])),
    params(FavoritesQuery),
    responses((status = 200, body = Envelope<GamePage>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_favorites(
    State(app): State<Games>,
    member: CurrentMember,
    visitor: Language,
    Query(query): Query<FavoritesQuery>,
) -> Answer<GamePage> {
    let language = requested_language(query.language.as_deref(), visitor)?;
    let (page_num, size, Part { offset, limit }) = page(query.page_no, query.page_size)?;
    let codes = store::list_favorites(&app.db, member.id, FAVORITES_MAX).await?;
    let edition = app.catalogue.edition(&app.db).await?;
    let total = offered(&edition, &member, &codes).count();
    let shown = offered(&edition, &member, &codes).skip(offset).take(limit);
    answer(GamePage {
        content: edition.items(shown, language),
        page_num,
        total_pages: total.div_ceil(size),
        total,
    })
}

/// Adds a favorite. Adding a game twice has no further effect.
#[utoipa::path(post, path = "/lgw/games/favorites", tag = "games", security(("token" = [])),
    request_body = Favorite,
    responses((status = 200, body = Envelope<Favorite>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn add_favorite(
    State(app): State<Games>,
    member: CurrentMember,
    Json(body): Json<Favorite>,
) -> Answer<Favorite> {
    member.require_real()?;
    let edition = app.catalogue.edition(&app.db).await?;
    let game = body.find(&edition, &member)?;
    let mut db = app.db.acquire().await?;
    let now = app.clock.now();
    let is_stored =
        store::insert_favorite(&mut db, member.id, &game.code, now, FAVORITES_MAX).await?;
    match is_stored {
        true => answer(body),
        false => Err(ApiError::new(codes::FAVORITES_FULL)),
    }
}

/// Removes a favorite. It is no error if the game is no favorite or no longer exists.
#[utoipa::path(delete, path = "/lgw/games/favorites", tag = "games", security(("token" = [])),
    params(Favorite),
    responses((status = 200, body = Envelope<Favorite>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn remove_favorite(
    State(app): State<Games>,
    member: CurrentMember,
    Query(query): Query<Favorite>,
) -> Answer<Favorite> {
    member.require_real()?;
    let mut db = app.db.acquire().await?;
    store::delete_favorite(&mut db, member.id, &query.node_id).await?;
    answer(query)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RecentsQuery {
    /// The site's language code.
    language: Option<String>,
}

/// The games that the member opened last, newest first; at most 24.
#[utoipa::path(get, path = "/lgw/games/recent", tag = "games", security(("token" = [])),
    params(RecentsQuery),
    responses((status = 200, body = Envelope<Vec<GameItem>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_recents(
    State(app): State<Games>,
    member: CurrentMember,
    visitor: Language,
    Query(query): Query<RecentsQuery>,
) -> Answer<Vec<GameItem>> {
    let language = requested_language(query.language.as_deref(), visitor)?;
    let codes = store::list_recents(&app.db, member.id, RECENTS_KEPT).await?;
    let edition = app.catalogue.edition(&app.db).await?;
    let games = offered(&edition, &member, &codes).take(RECENTS_SHOWN);
    answer(edition.items(games, language))
}

/// Stores that a member opened a game.
pub(super) async fn remember_opened(
    app: &Games,
    member: &CurrentMember,
    game: &Game,
) -> Result<(), ApiError> {
    let mut db = app.db.acquire().await?;
    let now = app.clock.now();
    Ok(store::upsert_recent(&mut db, member.id, &game.code, now, RECENTS_KEPT).await?)
}

/// The routes of favorites and recently opened games.
pub(super) fn routes() -> OpenApiRouter<Games> {
    OpenApiRouter::new()
        .routes(routes!(list_favorite_ids))
        .routes(routes!(list_favorites, add_favorite, remove_favorite))
        .routes(routes!(list_recents))
}
