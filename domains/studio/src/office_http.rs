//! Members' rounds on the office's wire. A seed that is in use is shown to nobody, staff included.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::view::{Round, with_seeds};
use crate::Studio;
use crate::rights::RoundsRead;
use games::Sought;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query, usable_time};
use staff::{Allowed, Asked, FoundThing, OnDuty};
use wallet::TransferView;

const LIST_USUAL: i64 = 50;
const LIST_MAX: i64 = 200;

/// Which rounds are looked for.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct MemberRoundsQuery {
    /// The code of a game.
    game: Option<String>,
    /// Not before this moment.
    from: Option<DateTime<Utc>>,
    /// Before this moment.
    until: Option<DateTime<Utc>>,
    /// Only rounds before this one.
    before: Option<Uuid>,
    /// How many, 200 at most.
    limit: Option<i64>,
}

/// A page of a member's rounds, newest first.
#[derive(Serialize, ToSchema)]
struct MemberRounds {
    content: Vec<Round>,
    /// `before` of the next page, where there is one.
    #[schema(required)]
    next: Option<Uuid>,
    /// The games that there are.
    games: Vec<GameName>,
}

/// A game that can be looked for.
#[derive(Serialize, ToSchema)]
struct GameName {
    code: String,
    name: String,
}

/// A member's rounds, newest first.
#[utoipa::path(get, path = "/office/api/members/{id}/rounds", tag = "studio", operation_id = "office_list_rounds",
    params(("id" = Uuid, Path), MemberRoundsQuery), security(("office" = ["rounds.read"])),
    responses((status = 200, body = Envelope<MemberRounds>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn list_rounds(
    _: Allowed<RoundsRead>,
    State(app): State<Studio>,
    Path(id): Path<Uuid>,
    Query(query): Query<MemberRoundsQuery>,
) -> Answer<MemberRounds> {
    let limit = query.limit.unwrap_or(LIST_USUAL).clamp(1, LIST_MAX);
    let mut db = app.db.acquire().await?;
    let profile = members::find_profile(&mut db, id).await?;
    profile.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))?;
    let sought = Sought {
        before: query.before,
        from: usable_time("from", query.from)?,
        until: usable_time("until", query.until)?,
        game_code: query.game.as_deref().filter(|code| !code.is_empty()),
    };
    let mut rounds = games::list_sought(&mut db, id, &sought, limit + 1).await?;
    drop(db);
    let has_more = i64::try_from(rounds.len()).is_ok_and(|count| count > limit);
    if has_more {
        rounds.pop();
    }
    let next = rounds.last().filter(|_| has_more).map(|round| round.id);
    let all = app.games.catalogue.all(&app.db).await?;
    let games =
        all.iter().map(|game| GameName { code: game.code.clone(), name: game.name.clone() });
    let games = games.collect();
    answer(MemberRounds { content: with_seeds(&app, id, rounds).await?, next, games })
}

/// A round, and what leads on from it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoundFile {
    round: Round,
    game_name: String,
    member_id: Uuid,
    /// The member's username; demo accounts are removed after a while, their rounds stay.
    #[schema(required)]
    account: Option<String>,
    /// The money that moved for it, for those who may see wallets.
    #[schema(required)]
    transfers: Option<Vec<TransferView>>,
}

/// A round.
#[utoipa::path(get, path = "/office/api/rounds/{id}", tag = "studio", operation_id = "office_get_round",
    params(("id" = Uuid, Path)), security(("office" = ["rounds.read"])),
    responses((status = 200, body = Envelope<RoundFile>), (status = "4XX", body = Refusal),
        (status = "5XX", body = Refusal)))]
async fn get_round(
    Allowed(person, ..): Allowed<RoundsRead>,
    State(app): State<Studio>,
    Path(id): Path<Uuid>,
) -> Answer<RoundFile> {
    let mut db = app.db.acquire().await?;
    let unknown = || ApiError::new(games::codes::UNKNOWN_ROUND);
    let found = games::find_anybodys(&mut db, id).await?.ok_or_else(unknown)?;
    let (member_id, played_at) = (found.member_id, found.played_at);
    let profile = members::find_profile(&mut db, member_id).await?;
    let transfers = match person.may(wallet::rights::WalletRead::RIGHT) {
        true => Some(wallet::list_of_moment(&mut db, member_id, id, played_at).await?),
        false => None,
    };
    drop(db);
    let game = app.games.catalogue.find(&app.db, &found.game_code).await?;
    let game_name = game.map_or_else(|| found.game_code.to_string(), |game| game.name.clone());
    let round = with_seeds(&app, member_id, vec![found]).await?.into_iter().next();
    answer(RoundFile {
        round: round.ok_or_else(unknown)?,
        game_name,
        member_id,
        account: profile.map(|profile| profile.account),
        transfers,
    })
}

/// A round by its id, for whoever may see it.
pub(super) async fn find(
    app: &Studio,
    person: &OnDuty,
    text: &str,
) -> Result<Vec<FoundThing>, ApiError> {
    let id = text.parse().ok().filter(|_| person.may(RoundsRead::RIGHT));
    let Some(id) = id else { return Ok(Vec::new()) };
    let round = games::find_anybodys(&mut *app.db.acquire().await?, id).await?;
    let found = round.map(|round| {
        let more = format!("{} {}", round.stake, round.currency.code());
        FoundThing::new("round", id, round.game_code.to_string(), more)
    });
    Ok(found.into_iter().collect())
}

/// The office's calls of rounds.
pub fn routes() -> OpenApiRouter<Studio> {
    OpenApiRouter::new().routes(routes!(list_rounds)).routes(routes!(get_round))
}
