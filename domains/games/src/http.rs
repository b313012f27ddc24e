//! The site API of games: the winners board and the game wallet, and all routes of the domain.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::lists_http::{requested_language, same_merchant};
use super::model::{Round, WinnerEntry};
use super::shop::{CATEGORIES, HOT};
use super::{launch, lists_http, own_http, store};
use crate::Games;
use platform::error::{Answer, ApiError, Envelope, Refusal, answer};
use platform::extract::Query;
use platform::language::Language;
use platform::tagged::{Known, TaggedAnswer, tagged};
use site::{Merchant, OpenMerchant};

const WINNERS_MAX: i64 = 20;
/// A category's wins are searched among this many of the latest wins, in batches.
const WINS_SEARCHED: i64 = 1_000;
const WINS_BATCH: i64 = 200;
const ALL: &str = "ALL";

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct WinnersQuery {
    /// The number of entries, at most 20.
    #[serde(default = "WinnersQuery::default_limit")]
    #[param(minimum = 1, maximum = 20, default = 20)]
    limit_num: i64,
    /// A game category, or `ALL`.
    game_category: Option<String>,
    /// The site's language code.
    language: Option<String>,
}

impl WinnersQuery {
    fn default_limit() -> i64 {
        WINNERS_MAX
    }

    /// The requested category; `None` for all.
    fn category(&self) -> Result<Option<&str>, ApiError> {
        match self.game_category.as_deref() {
            None | Some(ALL) => Ok(None),
            Some(name) if name == HOT || CATEGORIES.contains(&name) => Ok(Some(name)),
            Some(_) => Err(ApiError::fields([("gameCategory", "invalid")])),
        }
    }
}

/// The winners board: the latest wins with real money.
#[utoipa::path(get, path = "/lgw/games/winners", tag = "games", params(WinnersQuery),
    responses((status = 200, body = Envelope<Vec<WinnerEntry>>), (status = 304),
        (status = "4XX", body = Refusal), (status = "5XX", body = Refusal)))]
async fn get_winners(
    OpenMerchant(merchant): OpenMerchant,
    State(app): State<Games>,
    visitor: Language,
    known: Known,
    Query(query): Query<WinnersQuery>,
) -> TaggedAnswer {
    if !(1..=WINNERS_MAX).contains(&query.limit_num) {
        return Err(ApiError::fields([("limitNum", "invalid")]));
    }
    let language = requested_language(query.language.as_deref(), visitor)?;
    let rounds = find_wins(&app, &merchant, query.category()?, query.limit_num).await?;
    let players: Vec<_> = rounds.iter().map(|round| round.member_id).collect();
    let mut db = app.db.acquire().await?;
    let nicknames = members::list_nicknames(&mut db, &players).await?;
    let edition = app.catalogue.edition(&app.db).await?;
    let entries = rounds.iter().map(|round| {
        let game = edition.find(&round.game_code);
        let name = game.map_or(round.game_code.as_ref(), |game| game.name_in(language));
        let nickname = nicknames.get(&round.member_id).map_or("", String::as_str);
        WinnerEntry::new(round, name, nickname)
    });
    tagged(&known, entries.collect::<Vec<_>>())
}

/// The latest wins, of one category if given.
async fn find_wins(
    app: &Games,
    merchant: &Merchant,
    category: Option<&str>,
    limit: i64,
) -> Result<Vec<Round>, ApiError> {
    let mut db = app.db.acquire().await?;
    let Some(category) = category else {
        return Ok(store::list_wins(&mut db, merchant.id, None, limit).await?);
    };
    let edition = app.catalogue.edition(&app.db).await?;
    let shop = edition.shop(merchant);
    let (mut wins, mut before) = (Vec::new(), None);
    let max = usize::try_from(limit).unwrap_or_default();
    for _ in 0..WINS_SEARCHED / WINS_BATCH {
        let rounds = store::list_wins(&mut db, merchant.id, before, WINS_BATCH).await?;
        before = rounds.last().map(|round| round.id);
        let is_of = |round: &Round| shop.has_in_category(&edition, category, &round.game_code);
        wins.extend(rounds.into_iter().filter(is_of));
        if wins.len() >= max || before.is_none() {
            break;
        }
    }
    wins.truncate(max);
    Ok(wins)
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct WalletQuery {
    /// The merchant's code; must be the merchant of the host.
    merchant_code: Option<String>,
}

/// The wallet that games are played from.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MerchantWallet {
    /// 1: all games are played from the one wallet.
    is_single: u8,
}

/// The wallet that the merchant's games are played from: one for all vendors.
#[utoipa::path(get, path = "/lgw/games/merchant_wallet", tag = "games", params(WalletQuery),
    responses((status = 200, body = Envelope<MerchantWallet>), (status = "4XX", body = Refusal)))]
async fn get_merchant_wallet(
    OpenMerchant(merchant): OpenMerchant,
    Query(query): Query<WalletQuery>,
) -> Answer<MerchantWallet> {
    same_merchant("merchantCode", query.merchant_code.as_deref(), &merchant)?;
    answer(MerchantWallet { is_single: 1 })
}

/// All routes of games on the players' site.
pub fn routes() -> OpenApiRouter<Games> {
    OpenApiRouter::new()
        .merge(lists_http::routes())
        .merge(own_http::routes())
        .merge(launch::routes())
        .routes(routes!(get_winners))
        .routes(routes!(get_merchant_wallet))
}
