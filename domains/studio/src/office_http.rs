//! Office API of members' rounds. An active server seed is never shown, not even to staff.

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
use games::RoundFilter;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::{Path, Query, usable_time};
use staff::{Allowed, FoundThing, RequiredRight, StaffSession};
use wallet::TransferView;

const LIST_DEFAULT: i64 = 50;
const LIST_MAX: i64 = 200;

/// The filter and the page of a list of rounds.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct MemberRoundsQuery {
    /// The code of a game.
    game: Option<String>,
    /// Only rounds at or after this time.
    from: Option<DateTime<Utc>>,
    /// Only rounds before this time.
    until: Option<DateTime<Utc>>,
    /// Only rounds older than this one: the `next` of the previous page.
    before: Option<Uuid>,
    /// The page size, 200 at most.
    limit: Option<i64>,
}

/// A page of a member's rounds, newest first.
#[derive(Serialize, ToSchema)]
struct MemberRounds {
    content: Vec<Round>,
    /// `before` of the next page; null on the last page.
    #[schema(required)]
    next: Option<Uuid>,
    /// All games, as choices for the filter.
    games: Vec<GameName>,
}

/// A game that the list can be filtered by.
#[derive(Serialize, ToSchema)]
struct GameName {
    code: String,
    name: String,
}

/// Lists a member's rounds, newest first.
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
    let limit = query.limit.unwrap_or(LIST_DEFAULT).clamp(1, LIST_MAX);
    let mut db = app.db.acquire().await?;
    let profile = members::find_profile(&mut db, id).await?;
    profile.ok_or_else(|| ApiError::new(staff::codes::NO_MEMBER))?;
    let sought = RoundFilter {
        before: query.before,
        from: usable_time("from", query.from)?,
        until: usable_time("until", query.until)?,
        game_code: query.game.as_deref().filter(|code| !code.is_empty()),
    };
    let mut rounds = games::list_filtered_rounds(&mut db, id, &sought, limit + 1).await?;
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

/// A round with its member, game name and transfers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoundFile {
    round: Round,
    game_name: String,
    member_id: Uuid,
    /// The member's username; null if it was a demo account that has been deleted since.
    #[schema(required)]
    account: Option<String>,
    /// The transfers of the round; null without the right `wallet.read`.
    #[schema(required)]
    transfers: Option<Vec<TransferView>>,
}

/// Returns a round of any member.
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
    let found = games::find_round_of_any_member(&mut db, id).await?.ok_or_else(unknown)?;
    let (member_id, played_at) = (found.member_id, found.played_at);
    let profile = members::find_profile(&mut db, member_id).await?;
    let transfers = match person.may(wallet::rights::WalletRead::RIGHT) {
        true => {
            Some(wallet::list_transfers_for_reference(&mut db, member_id, id, played_at).await?)
        }
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

/// Office search: finds a round by its id, for staff with the right to read rounds.
pub(super) async fn find(
    app: &Studio,
    person: &StaffSession,
    text: &str,
) -> Result<Vec<FoundThing>, ApiError> {
    let id = text.parse().ok().filter(|_| person.may(RoundsRead::RIGHT));
    let Some(id) = id else { return Ok(Vec::new()) };
    let round = games::find_round_of_any_member(&mut *app.db.acquire().await?, id).await?;
    let found = round.map(|round| {
        let more = format!("{} {}", round.stake, round.currency.code());
        FoundThing::new("round", id, round.game_code.to_string(), more)
    });
    Ok(found.into_iter().collect())
}

/// The office routes of rounds.
pub fn routes() -> OpenApiRouter<Studio> {
    OpenApiRouter::new().routes(routes!(list_rounds)).routes(routes!(get_round))
}
