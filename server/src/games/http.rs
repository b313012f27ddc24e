//! The calls on games: lists, winners, launch.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::model::{GameItem, WinnerEntry};
use super::store;
use crate::app::App;
use crate::codes::ErrorCode;
use crate::members;
use crate::platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use crate::platform::extract::Query;
use crate::sessions::Entitled;
use crate::site::OpenMerchant;

const WINNERS_MOST: i64 = 20;

/// The games that lists show.
pub async fn popular(app: &App) -> Result<Vec<GameItem>, ApiError> {
    Ok(app.catalogue.all(&app.db).await?.iter().map(|game| GameItem::from(game.as_ref())).collect())
}

/// Popular games.
#[utoipa::path(get, path = "/lgw/games/popular", tag = "games",
    responses((status = 200, body = Envelope<Vec<GameItem>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_popular(_: OpenMerchant, State(app): State<App>) -> Answer<Vec<GameItem>> {
    answer(popular(&app).await?)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct WinnersQuery {
    /// How many, at most 20.
    #[serde(default = "WinnersQuery::default_limit")]
    #[param(minimum = 1, maximum = 20, default = 20)]
    limit_num: i64,
}

impl WinnersQuery {
    fn default_limit() -> i64 {
        WINNERS_MOST
    }
}

/// The winners board: the latest wins, real rounds only.
#[utoipa::path(get, path = "/lgw/games/winners", tag = "games", params(WinnersQuery),
    responses((status = 200, body = Envelope<Vec<WinnerEntry>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_winners(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<App>,
    Query(query): Query<WinnersQuery>,
) -> Answer<Vec<WinnerEntry>> {
    if !(1..=WINNERS_MOST).contains(&query.limit_num) {
        return Err(ApiError::fields([("limitNum", "invalid")]));
    }
    let catalogue = app.catalogue.all(&app.db).await?;
    let mut db = app.db.acquire().await?;
    let rounds = store::list_wins(&mut db, merchant.id, query.limit_num).await?;
    let players: Vec<_> = rounds.iter().map(|round| round.member_id).collect();
    let nicknames = members::list_nicknames(&mut db, &players).await?;
    let entries = rounds.iter().map(|round| {
        let game = catalogue.iter().find(|game| game.code == round.game_code);
        let name = game.map_or(round.game_code.as_ref(), |game| &game.name);
        let nickname = nicknames.get(&round.member_id).map_or("", String::as_str);
        WinnerEntry::new(round, name, nickname)
    });
    answer(entries.collect())
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct LaunchQuery {
    /// Which game.
    game_code: String,
}

/// How a game is started.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Launch {
    game_code: String,
    game_name: String,
    /// `frame`: in a sandboxed frame of ours.
    kind: String,
    /// The address of the frame's document.
    frame: String,
    currency: String,
    return_percent: String,
    limits: LaunchLimits,
}

/// What may be staked and won.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LaunchLimits {
    min_stake: String,
    max_stake: String,
    max_payout: String,
}

/// Starts a game. Demo accounts may start games that offer a free trial.
#[utoipa::path(get, path = "/wps/game/launchGame", tag = "games", params(LaunchQuery),
    security(("token" = [])),
    responses((status = 200, body = Envelope<Launch>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn launch_game(
    State(app): State<App>,
    Entitled(member): Entitled,
    Query(query): Query<LaunchQuery>,
) -> Answer<Launch> {
    let game = app.catalogue.find(&app.db, &query.game_code).await?;
    let game = game.ok_or_else(|| ApiError::new(ErrorCode::GamesUnknownGame))?;
    game.check_player(member.kind)?;
    let item = GameItem::from(game.as_ref());
    answer(Launch {
        frame: format!("/game/{}", game.code),
        kind: "frame".to_owned(),
        currency: member.currency.code().to_owned(),
        return_percent: item.return_percent().to_owned(),
        limits: LaunchLimits {
            min_stake: game.limits.min_stake.to_string(),
            max_stake: game.limits.max_stake.to_string(),
            max_payout: game.limits.max_payout.to_string(),
        },
        game_code: game.code.clone(),
        game_name: game.name.clone(),
    })
}

/// The routes of games.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_popular))
        .routes(routes!(get_winners))
        .routes(routes!(launch_game))
}
