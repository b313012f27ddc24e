//! Starting a game, by the rules of launch: whoever is logged in starts what is offered and open;
//! demo accounts start what offers a free trial.

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

/// How many other games are named when one cannot be started.
const SUGGESTED: usize = 6;

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
    /// Whether the game may be let play on by itself.
    auto_play: bool,
}

/// What may be staked and won.
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

/// Starts a game. Demo accounts may start games that offer a free trial. A game under maintenance
/// is refused with the codes of others.
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
    // What only opens a list of games is none.
    let game = game.filter(|game| game.is_game == "GAME").ok_or_else(unknown)?;
    match game.check_player(member.kind) {
        Err(error) if error.code == codes::MAINTENANCE => {
            return Err(with_others(&app, &member, error).await?);
        }
        other => other?,
    }
    if member.require_real().is_ok() {
        own_http::remember(&app, &member, &game).await?;
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

/// A refusal, with what could be played instead.
async fn with_others(
    app: &Games,
    member: &CurrentMember,
    refusal: ApiError,
) -> Result<ApiError, ApiError> {
    let others = popular(app, &member.merchant, Language::English).await?;
    let codes = others.iter().take(SUGGESTED).map(|item| item.code().to_owned());
    Ok(refusal.suggesting(codes))
}

/// The route of launch.
pub(super) fn routes() -> OpenApiRouter<Games> {
    OpenApiRouter::new().routes(routes!(launch_game))
}
