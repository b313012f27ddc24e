//! Player API of our own games: play rounds, list rounds, seed pairs, jackpots.

use axum::extract::State;
use capiz_rules::games::jackpot;
use capiz_rules::money::Amount;
use capiz_rules::names;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::jackpots;
use super::model::{Bet, Player};
use super::ops::{self, Outcome};
use super::seeds::Pairs;
use super::steps;
use super::view::{Round, with_seeds};
use crate::Studio;
use games::RoundFilter;
use identity::{CurrentMember, Entitled};
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{IdempotencyKey, Json, Path, Query};
use site::OpenMerchant;
use wallet::Balance;

const PAGE_DEFAULT: u16 = 20;
const PAGE_MOST: u16 = 100;

/// A bet on a game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PlayGame {
    /// A decimal with up to two decimal places.
    #[schema(value_type = String, example = "10")]
    stake: Amount,
    /// The player's choice, as the rules of the game define it; `{}` if there is nothing to choose.
    #[schema(value_type = std::collections::HashMap<String, Value>, example = json!({ "target": 5000, "direction": "under" }))]
    choice: Value,
}

/// Plays a round of one of our games. A round of one step is decided, paid and recorded in the
/// answer. For a game with several steps the stake is paid and the round stays open.
#[utoipa::path(post, path = "/lgw/play/{gameCode}", tag = "studio", security(("token" = [])),
    params(("gameCode" = String, Path, description = "The code of the game"),
        ("Idempotency-Key" = String, Header, description = "A key made once per intent: a retry with it gets the first answer",
        min_length = 8, max_length = 64)),
    request_body = PlayGame,
    responses((status = 200, body = Envelope<Round>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn play_game(
    State(app): State<Studio>,
    Entitled(member): Entitled,
    IdempotencyKey(key): IdempotencyKey,
    Path(game_code): Path<String>,
    Json(body): Json<PlayGame>,
) -> Answer<Round> {
    let bet = Bet::new(&game_code, body.stake, &body.choice)?;
    let player = Player {
        member_id: member.id,
        merchant_id: member.merchant.id,
        kind: member.kind,
        currency: member.currency,
        is_restricted: app.games.catalogue.is_closed(&app.db, &member.merchant, &game_code).await?,
    };
    answer(match ops::start(&app, player, key, bet).await? {
        Outcome::Played(receipt, jackpot) => {
            let mut view = Round::over(receipt.record.round.clone(), &receipt.record.seed)?;
            view.balance = Some(Balance::after(&receipt.posted, member.currency));
            view.jackpot = jackpot.map(|amount| amount.to_string());
            view
        }
        Outcome::Stepped(result) => Round::stepped(*result, member.currency)?,
    })
}

/// A step in an open round.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Act {
    /// The number of actions that the round has so far. It makes retries safe: each step is applied
    /// once.
    step: u32,
    /// The action, as the rules of the game define it.
    action: Value,
}

/// Applies a step to an open round.
#[utoipa::path(post, path = "/lgw/play/rounds/{id}/actions", tag = "studio",
    params(("id" = Uuid, Path, description = "The round")), security(("token" = [])),
    request_body = Act,
    responses((status = 200, body = Envelope<Round>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn act(
    State(app): State<Studio>,
    Entitled(member): Entitled,
    Path(id): Path<Uuid>,
    Json(Act { step, action }): Json<Act>,
) -> Answer<Round> {
    let step = usize::try_from(step).map_err(ApiError::internal)?;
    let result = steps::act(&app, member.id, id, (step, action)).await?;
    answer(Round::stepped(result, member.currency)?)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct OpenQuery {
    /// The code of the game.
    game_code: String,
}

/// Returns the member's open round of a game, or null.
#[utoipa::path(get, path = "/lgw/play/open", tag = "studio", security(("token" = [])),
    params(OpenQuery),
    responses((status = 200, body = Envelope<Option<Round>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_open(
    State(app): State<Studio>,
    member: CurrentMember,
    Query(query): Query<OpenQuery>,
) -> Answer<Option<Round>> {
    let found = steps::find_open(&app, member.id, &query.game_code).await?;
    let open = found.map(|(round, outcome, seed)| Round::open(round, outcome, &seed));
    answer(open.transpose()?)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct RoundsQuery {
    /// The page size, 100 at most.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<Uuid>,
    /// Only rounds of the game with this code.
    game_code: Option<String>,
}

/// A page of rounds, newest first.
#[derive(Serialize, ToSchema)]
struct RoundPage {
    content: Vec<Round>,
    /// `cursor` of the next page; null if this page is not full.
    next: Option<Uuid>,
}

/// Lists the member's rounds, newest first.
#[utoipa::path(get, path = "/lgw/play/rounds", tag = "studio", security(("token" = [])),
    params(RoundsQuery),
    responses((status = 200, body = Envelope<RoundPage>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_rounds(
    State(app): State<Studio>,
    member: CurrentMember,
    Query(query): Query<RoundsQuery>,
) -> Answer<RoundPage> {
    let limit = query.limit.unwrap_or(PAGE_DEFAULT);
    if !(1..=PAGE_MOST).contains(&limit) {
        return Err(ApiError::fields([("limit", "invalid")]));
    }
    let rounds = {
        let mut db = app.db.acquire().await?;
        let game_code = query.game_code.as_deref();
        let sought = RoundFilter { before: query.cursor, from: None, until: None, game_code };
        games::list_filtered_rounds(&mut db, member.id, &sought, i64::from(limit)).await?
    };
    let is_full = rounds.len() == usize::from(limit);
    let next = rounds.last().filter(|_| is_full).map(|round| round.id);
    answer(RoundPage { content: with_seeds(&app, member.id, rounds).await?, next })
}

/// Returns one of the member's rounds.
#[utoipa::path(get, path = "/lgw/play/rounds/{id}", tag = "studio", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The round")),
    responses((status = 200, body = Envelope<Round>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_round(
    State(app): State<Studio>,
    member: CurrentMember,
    Path(id): Path<Uuid>,
) -> Answer<Round> {
    let found = {
        let mut db = app.db.acquire().await?;
        games::find_round(&mut db, member.id, id).await?
    };
    let unknown = || ApiError::new(games::codes::UNKNOWN_ROUND);
    let Some(round) = found else {
        let open = steps::find_open_by_id(&app, member.id, id).await?;
        let (round, outcome, seed) = open.ok_or_else(unknown)?;
        return answer(Round::open(round, outcome, &seed)?);
    };
    let views = with_seeds(&app, member.id, vec![round]).await?;
    answer(views.into_iter().next().ok_or_else(unknown)?)
}

/// The member's active seed pair.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SeedPair {
    id: Uuid,
    /// SHA-256 of the active server seed.
    commitment: String,
    client_seed: String,
    /// The nonce of the next round.
    nonce: i64,
    /// SHA-256 of the server seed that becomes active with the next rotation.
    next_commitment: String,
}

impl From<Pairs> for SeedPair {
    fn from(pairs: Pairs) -> Self {
        Self {
            id: pairs.active.id,
            commitment: hex::encode(pairs.active.commitment),
            client_seed: pairs.active.client_seed,
            nonce: pairs.next_nonce,
            next_commitment: hex::encode(pairs.next.commitment),
        }
    }
}

/// Returns the member's active seed pair, without its server seed.
#[utoipa::path(get, path = "/lgw/fair/seed", tag = "studio", security(("token" = [])),
    responses((status = 200, body = Envelope<SeedPair>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_seed(State(app): State<Studio>, member: CurrentMember) -> Answer<SeedPair> {
    answer(ops::find_pairs(&app, member.id).await?.into())
}

/// The client seed for the next seed pair.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RotateSeed {
    /// The client seed: printable ASCII.
    #[schema(min_length = 1, max_length = 64, pattern = "^[ -~]+$")]
    client_seed: String,
}

/// The retired seed pair and the new active one.
#[derive(Serialize, ToSchema)]
struct Rotation {
    revealed: RevealedSeed,
    current: SeedPair,
}

/// A retired seed pair: all of its rounds can be verified now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RevealedSeed {
    id: Uuid,
    commitment: String,
    server_seed: String,
    client_seed: String,
    /// The number of rounds that it decided.
    rounds: i64,
}

/// Retires the active seed pair, reveals its server seed, and activates the next pair.
#[utoipa::path(post, path = "/lgw/fair/seed/rotate", tag = "studio", security(("token" = [])),
    request_body = RotateSeed,
    responses((status = 200, body = Envelope<Rotation>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn rotate_seed(
    State(app): State<Studio>,
    member: CurrentMember,
    Json(body): Json<RotateSeed>,
) -> Answer<Rotation> {
    names::check_client_seed(&body.client_seed)
        .map_err(|code| ApiError::fields([("clientSeed", code.as_str())]))?;
    let (revealed, pairs) = ops::rotate(&app, member.id, body.client_seed).await?;
    answer(Rotation {
        revealed: RevealedSeed {
            id: revealed.row.id,
            commitment: hex::encode(&revealed.row.commitment),
            server_seed: revealed.server_seed.reveal(),
            client_seed: revealed.row.client_seed,
            rounds: revealed.row.rounds,
        },
        current: pairs.into(),
    })
}

/// A jackpot.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Jackpot {
    pool: String,
    currency: String,
    /// The amount that a hit would win now.
    amount: String,
    /// The codes of the games that contribute to the jackpot and can win it.
    games: Vec<String>,
    /// The last win.
    #[schema(required)]
    last_win: Option<JackpotWin>,
}

/// A jackpot that was won.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct JackpotWin {
    /// The winner's nickname, masked.
    customer_name: String,
    amount: String,
    at: DateTime<Utc>,
}

/// Lists the jackpots: one for real money, one for demo money.
#[utoipa::path(get, path = "/lgw/games/jackpots", tag = "studio",
    responses((status = 200, body = Envelope<Vec<Jackpot>>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_jackpots(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Studio>,
) -> Answer<Vec<Jackpot>> {
    let states = app.jackpots.list(&app.db, &merchant).await?;
    let jackpots = states.iter().map(|state| Jackpot {
        pool: jackpot::POOL.to_owned(),
        currency: state.currency.code().to_owned(),
        amount: state.amount.to_string(),
        games: jackpots::game_codes(),
        last_win: state.last_win.as_ref().map(|win| JackpotWin {
            customer_name: games::mask(&win.nickname),
            amount: win.amount.to_string(),
            at: win.at,
        }),
    });
    answer(jackpots.collect())
}

/// The player routes of the studio.
pub fn routes() -> OpenApiRouter<Studio> {
    OpenApiRouter::new()
        .routes(routes!(play_game))
        .routes(routes!(act))
        .routes(routes!(get_open))
        .routes(routes!(list_jackpots))
        .routes(routes!(list_rounds))
        .routes(routes!(get_round))
        .routes(routes!(get_seed))
        .routes(routes!(rotate_seed))
}
