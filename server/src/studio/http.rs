//! The calls of our own games.

use axum::extract::State;
use capiz_rules::dice::Direction;
use capiz_rules::money::Amount;
use capiz_rules::names;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::ops::{self, DiceBet, Player};
use super::rounds::SeedShown;
use super::seeds::Pairs;
use super::store::{self, SeedRow};
use crate::app::App;
use crate::codes::ErrorCode;
use crate::games;
use crate::platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use crate::platform::extract::{IdempotencyKey, Json, Path, Query};
use crate::sessions::{CurrentMember, Entitled};
use crate::wallet::Balance;

const PAGE_DEFAULT: u16 = 20;
const PAGE_MOST: u16 = 100;

/// A bet on a roll.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PlayDice {
    /// A decimal with up to two places.
    #[schema(value_type = String, example = "10")]
    stake: Amount,
    /// In hundredths: 4950 stands for 49.50.
    #[schema(minimum = 1, maximum = 9998)]
    target: u32,
    #[schema(value_type = DirectionName)]
    direction: Direction,
}

/// Which side of the target wins.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes a type of the rules in the API document")]
enum DirectionName {
    Under,
    Over,
}

/// What the player chose.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes a type of the rules in the API document")]
struct DiceChoice {
    target: u32,
    direction: DirectionName,
}

/// One thing that happened in a round.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[serde(tag = "type", rename_all = "camelCase")]
#[expect(dead_code, reason = "describes a type of the rules in the API document")]
enum RoundEvent {
    Roll { roll: u32, target: u32, direction: DirectionName, won: bool },
    Payout { amount: String, multiplier: String },
}

/// A round, whole: it can be shown again and checked.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Round {
    id: Uuid,
    game_code: String,
    currency: String,
    stake: String,
    payout: String,
    #[schema(value_type = DiceChoice)]
    choice: Box<RawValue>,
    #[schema(value_type = Vec<RoundEvent>)]
    book: Box<RawValue>,
    seed: RoundSeed,
    nonce: i64,
    played_at: DateTime<Utc>,
    /// After the round; only in the answer to playing it.
    balance: Option<Balance>,
}

/// The seed pair that decided a round.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoundSeed {
    id: Uuid,
    /// SHA-256 of the server seed, known before the round.
    commitment: String,
    client_seed: String,
    /// Shown once the pair is retired.
    server_seed: Option<String>,
}

impl Round {
    fn new(round: games::Round, seed: &SeedShown) -> Result<Self, ApiError> {
        let json = |text| RawValue::from_string(text).map_err(ApiError::internal);
        Ok(Self {
            id: round.id,
            game_code: round.game_code.into_owned(),
            currency: round.currency.code().to_owned(),
            stake: round.stake.to_string(),
            payout: round.payout.to_string(),
            choice: json(round.choice)?,
            book: json(round.book)?,
            seed: RoundSeed {
                id: seed.id,
                commitment: seed.commitment.clone(),
                client_seed: seed.client_seed.clone(),
                server_seed: seed.server_seed.clone(),
            },
            nonce: round.nonce,
            played_at: round.played_at,
            balance: None,
        })
    }
}

fn shown(app: &App, seed: &SeedRow) -> Result<SeedShown, ApiError> {
    let server_seed = match seed.revealed {
        true => Some(app.seed_vault.open(seed).map_err(ApiError::internal)?.reveal()),
        false => None,
    };
    Ok(SeedShown::of(seed, server_seed))
}

pub(super) async fn with_seeds(
    app: &App,
    member_id: Uuid,
    rounds: Vec<games::Round>,
) -> Result<Vec<Round>, ApiError> {
    let ids: Vec<_> = rounds.iter().map(|round| round.seed_id).collect();
    let mut db = app.db.acquire().await?;
    let seeds = store::list_seeds(&mut db, member_id, &ids).await?;
    let views = rounds.into_iter().map(|round| {
        let seed = seeds.get(&round.seed_id);
        let seed = seed.ok_or_else(|| ApiError::internal("a round without its seed"))?;
        Round::new(round, &shown(app, seed)?)
    });
    views.collect()
}

/// Plays a round of dice: decided, paid and recorded when the answer comes.
#[utoipa::path(post, path = "/lgw/play/dice", tag = "studio", security(("token" = [])),
    params(("Idempotency-Key" = String, Header, description = "Made once per intent",
        min_length = 8, max_length = 64)),
    request_body = PlayDice,
    responses((status = 200, body = Envelope<Round>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn play_dice(
    State(app): State<App>,
    Entitled(member): Entitled,
    IdempotencyKey(key): IdempotencyKey,
    Json(body): Json<PlayDice>,
) -> Answer<Round> {
    let bet = DiceBet::new(body.stake, body.target, body.direction)?;
    let player = Player {
        member_id: member.id,
        merchant_id: member.merchant.id,
        kind: member.kind,
        currency: member.currency,
    };
    let played = ops::play_dice(&app, player, key, bet).await?;
    let mut view = Round::new(played.record.round.clone(), &played.record.seed)?;
    view.balance = Some(Balance::after(&played.posted, member.currency));
    answer(view)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RoundsQuery {
    /// How many, at most 100.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<u16>,
    /// `next` of the page before.
    cursor: Option<Uuid>,
}

/// A page of rounds, newest first.
#[derive(Serialize, ToSchema)]
struct RoundPage {
    content: Vec<Round>,
    /// The cursor of the next page, if there is one.
    next: Option<Uuid>,
}

/// The member's rounds, newest first.
#[utoipa::path(get, path = "/lgw/play/rounds", tag = "studio", security(("token" = [])),
    params(RoundsQuery),
    responses((status = 200, body = Envelope<RoundPage>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_rounds(
    State(app): State<App>,
    member: CurrentMember,
    Query(query): Query<RoundsQuery>,
) -> Answer<RoundPage> {
    let limit = query.limit.unwrap_or(PAGE_DEFAULT);
    if !(1..=PAGE_MOST).contains(&limit) {
        return Err(ApiError::fields([("limit", "invalid")]));
    }
    let rounds = {
        let mut db = app.db.acquire().await?;
        games::list_rounds(&mut db, member.id, query.cursor, i64::from(limit)).await?
    };
    let is_full = rounds.len() == usize::from(limit);
    let next = rounds.last().filter(|_| is_full).map(|round| round.id);
    answer(RoundPage { content: with_seeds(&app, member.id, rounds).await?, next })
}

/// One of the member's rounds.
#[utoipa::path(get, path = "/lgw/play/rounds/{id}", tag = "studio", security(("token" = [])),
    params(("id" = Uuid, Path, description = "The round")),
    responses((status = 200, body = Envelope<Round>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_round(
    State(app): State<App>,
    member: CurrentMember,
    Path(id): Path<Uuid>,
) -> Answer<Round> {
    let found = {
        let mut db = app.db.acquire().await?;
        games::find_round(&mut db, member.id, id).await?
    };
    let unknown = || ApiError::new(ErrorCode::GamesUnknownRound);
    let views = with_seeds(&app, member.id, found.into_iter().collect()).await?;
    answer(views.into_iter().next().ok_or_else(unknown)?)
}

/// The seed pair in use.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SeedPair {
    id: Uuid,
    /// SHA-256 of the server seed in use.
    commitment: String,
    client_seed: String,
    /// The nonce of the next round.
    nonce: i64,
    /// SHA-256 of the server seed that comes after the next rotation.
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

/// The member's seed pair.
#[utoipa::path(get, path = "/lgw/fair/seed", tag = "studio", security(("token" = [])),
    responses((status = 200, body = Envelope<SeedPair>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_seed(State(app): State<App>, member: CurrentMember) -> Answer<SeedPair> {
    answer(ops::find_pairs(&app, member.id).await?.into())
}

/// The client seed for the pair that comes next.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RotateSeed {
    /// Printable ASCII.
    #[schema(min_length = 1, max_length = 64, pattern = "^[ -~]+$")]
    client_seed: String,
}

/// A retired pair and the one in use now.
#[derive(Serialize, ToSchema)]
struct Rotation {
    revealed: RevealedSeed,
    current: SeedPair,
}

/// A retired pair: every round of it can be checked now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RevealedSeed {
    id: Uuid,
    commitment: String,
    server_seed: String,
    client_seed: String,
    /// How many rounds it decided.
    rounds: i64,
}

/// Retires the pair in use, reveals its server seed and begins the next.
#[utoipa::path(post, path = "/lgw/fair/seed/rotate", tag = "studio", security(("token" = [])),
    request_body = RotateSeed,
    responses((status = 200, body = Envelope<Rotation>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn rotate_seed(
    State(app): State<App>,
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

/// The studio's routes.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(play_dice))
        .routes(routes!(list_rounds))
        .routes(routes!(get_round))
        .routes(routes!(get_seed))
        .routes(routes!(rotate_seed))
}
