//! Game launch. Members may start every game that is offered and not under maintenance; demo
//! accounts may only start games with a free trial.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::game::Limits;
use super::{own_http, popular};
use crate::Games;
use crate::codes;
use identity::{CurrentMember, Entitled};
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Query;
use platform::language::Language;
use site::Switch;

/// How many other games are suggested when a game is under maintenance.
const SUGGESTED: usize = 6;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct LaunchQuery {
    /// The code of the game.
    game_code: String,
}

/// What the page needs to start a game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Launch {
    game_code: String,
    game_name: String,
    /// `frame`: the game runs in a sandboxed frame of our own.
    kind: String,
    /// The URL of the frame's document.
    frame: String,
    currency: String,
    return_percent: String,
    limits: LaunchLimits,
    /// Whether auto play is allowed.
    auto_play: bool,
}

/// The stake and payout limits of a round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LaunchLimits {
    min_stake: String,
    max_stake: String,
    max_payout: String,
}

impl From<Limits> for LaunchLimits {
    fn from(limits: Limits) -> Self {
        Self {
            min_stake: limits.min_stake.to_string(),
            max_stake: limits.max_stake.to_string(),
            max_payout: limits.max_payout.to_string(),
        }
    }
}

/// Starts a game. Demo accounts may only start games with a free trial. The refusal of a game under
/// maintenance suggests other games.
#[utoipa::path(get, path = "/wps/game/launchGame", tag = "games", params(LaunchQuery),
    security(("token" = [])),
    responses((status = 200, body = Envelope<Launch>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn launch_game(
    State(app): State<Games>,
    Entitled(member): Entitled,
    language: Language,
    Query(query): Query<LaunchQuery>,
) -> Answer<Launch> {
    let unknown = || ApiError::new(codes::UNKNOWN_GAME);
    let edition = app.catalogue.edition(&app.db).await?;
    let game = edition.offered(member.merchant.id, member.currency, &query.game_code);
    let game = game.filter(|game| !game.is_closed(&member.merchant));
    // An entry of type `VASSALAGE` only opens a list of games and cannot be started.
    let game = game.filter(|game| game.is_game == "GAME").ok_or_else(unknown)?;
    match game.check_player(member.kind) {
        Err(error) if error.code == codes::MAINTENANCE => {
            return Err(with_suggestions(&app, &member, error).await?);
        }
        other => other?,
    }
    if member.require_real().is_ok() {
        own_http::remember_opened(&app, &member, &game).await?;
    }
    answer(Launch {
        frame: format!("/game/{}", game.code),
        kind: "frame".to_owned(),
        currency: member.currency.code().to_owned(),
        return_percent: game.return_percent().to_owned(),
        limits: game.limits.into(),
        auto_play: member.merchant.allows(Switch::AutoPlay),
        game_name: game.name_in(language).to_owned(),
        game_code: game.code.clone(),
    })
}

/// Adds the codes of popular games to a refusal, as suggestions.
async fn with_suggestions(
    app: &Games,
    member: &CurrentMember,
    refusal: ApiError,
) -> Result<ApiError, ApiError> {
    let others = popular(app, &member.merchant, Language::English).await?;
    let codes = others.iter().take(SUGGESTED).map(|item| item.code().to_owned());
    Ok(refusal.suggesting(codes))
}

/// The route of game launch.
pub(super) fn routes() -> OpenApiRouter<Games> {
    OpenApiRouter::new().routes(routes!(launch_game))
}
