//! Games, rounds and winners.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use capiz_rules::money::{Amount, Currency};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::PgPool;
use utoipa::ToSchema;
use uuid::Uuid;

use super::store;
use crate::codes::ErrorCode;
use crate::members::MemberKind;
use crate::platform::cache::Cache;
use crate::platform::error::ApiError;

/// A game of the catalogue.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its code, as in paths.
    pub code: String,
    /// Who runs it.
    pub vendor: String,
    /// The provider family.
    pub vassalage: String,
    /// Its category.
    pub game_type: String,
    /// Its name for people.
    pub name: String,
    /// 0: a free trial is offered.
    pub support_play: i16,
    /// What may be staked and won.
    pub limits: Limits,
}

impl Game {
    /// Whether an account of this type may play it: a demo account only where a free trial
    /// is offered.
    pub fn check_player(&self, kind: MemberKind) -> Result<(), ApiError> {
        if kind == MemberKind::Trial && self.support_play != 0 {
            return Err(ApiError::new(ErrorCode::SessionTrial));
        }
        Ok(())
    }
}

/// What may be staked and won in one round.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The smallest stake.
    pub min_stake: Amount,
    /// The largest stake.
    pub max_stake: Amount,
    /// A stake that could pay more than this is refused.
    pub max_payout: Amount,
}

/// A game as lists show it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameItem {
    node_id: String,
    vendor: String,
    vassalage: String,
    game_type: String,
    game_code: String,
    game_name: String,
    display_name: String,
    show_icon: String,
    /// 0: a free trial is offered.
    support_play: i16,
    /// `VASSALAGE` opens a list of the provider's games; `GAME` is a game.
    is_game: String,
    /// What the game gives back in the long run, of 100 staked.
    #[schema(example = "99")]
    return_percent: String,
}

impl GameItem {
    /// What the game gives back in the long run, of 100 staked.
    pub fn return_percent(&self) -> &str {
        &self.return_percent
    }
}

impl From<&Game> for GameItem {
    fn from(game: &Game) -> Self {
        Self {
            node_id: game.code.clone(),
            vendor: game.vendor.clone(),
            vassalage: game.vassalage.clone(),
            game_type: game.game_type.clone(),
            game_code: game.code.clone(),
            game_name: game.name.clone(),
            display_name: game.name.clone(),
            show_icon: format!("/art/{}.svg", game.code),
            support_play: game.support_play,
            is_game: "GAME".to_owned(),
            return_percent: return_percent(&game.code),
        }
    }
}

/// The return of a game of ours with its usual choice, from its rules.
fn return_percent(code: &str) -> String {
    let game = capiz_rules::games::find(code);
    game.and_then(|game| game.usual_return().percent().ok()).unwrap_or_default()
}

/// The catalogue, at most a second behind the database.
pub struct Catalogue {
    cache: Cache<Vec<Arc<Game>>>,
}

impl Default for Catalogue {
    fn default() -> Self {
        Self { cache: Cache::new(Duration::from_secs(1)) }
    }
}

impl Catalogue {
    /// All games in their order.
    pub async fn all(&self, db: &PgPool) -> Result<Arc<Vec<Arc<Game>>>, sqlx::Error> {
        let load = async || {
            let games = store::list_catalogue(db).await?;
            Ok(games.into_iter().map(Arc::new).collect())
        };
        self.cache.get(load).await
    }

    /// One game.
    pub async fn find(&self, db: &PgPool, code: &str) -> Result<Option<Arc<Game>>, sqlx::Error> {
        Ok(self.all(db).await?.iter().find(|game| game.code == code).cloned())
    }
}

/// A round to be recorded.
#[derive(Clone, Debug)]
pub struct NewRound {
    /// Its id.
    pub id: Uuid,
    /// Who played.
    pub member_id: Uuid,
    /// Where.
    pub merchant_id: Uuid,
    /// What.
    pub game_code: Cow<'static, str>,
    /// In which money.
    pub currency: Currency,
    /// What it cost.
    pub stake: Amount,
    /// What it paid.
    pub payout: Amount,
    /// The most that it could have paid.
    pub most: Amount,
    /// What the player chose, as JSON.
    pub choice: String,
    /// What the player did in it, in order, as JSON.
    pub actions: Cow<'static, str>,
    /// What happened, in order, as JSON.
    pub book: String,
    /// The seed pair that decided it.
    pub seed_id: Uuid,
    /// Which draw of that pair.
    pub nonce: i64,
    /// When.
    pub played_at: DateTime<Utc>,
}

/// What the audit knows of a round that is not over.
#[derive(Clone, Debug)]
pub struct OpenStake {
    /// Who plays.
    pub member_id: Uuid,
    /// The round.
    pub id: Uuid,
    /// What it cost.
    pub stake: Amount,
    /// In which money.
    pub currency: Currency,
    /// The seed pair that decides it.
    pub seed_id: Uuid,
    /// Which draw of that pair.
    pub nonce: i64,
}

/// A recorded round.
pub type Round = NewRound;

/// A line of the winners board.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WinnerEntry {
    /// The player's name, masked.
    pub(super) customer_name: String,
    pub(super) game_name: String,
    pub(super) game_code: String,
    pub(super) win_amount: String,
    pub(super) currency: String,
    pub(super) at: DateTime<Utc>,
}

impl WinnerEntry {
    pub(super) fn new(round: &Round, game_name: &str, nickname: &str) -> Self {
        Self {
            customer_name: mask(nickname),
            game_name: game_name.to_owned(),
            game_code: round.game_code.to_string(),
            win_amount: round.payout.to_string(),
            currency: round.currency.code().to_owned(),
            at: round.played_at,
        }
    }
}

impl NewRound {
    /// Whether the winners board shows it: a win of real money.
    pub fn is_public_win(&self) -> bool {
        self.payout > self.stake && self.currency != Currency::Fun
    }
}

/// The push event of a win.
pub fn winner_event(round: &Round, game_name: &str, nickname: &str) -> Value {
    json!({ "type": "winner", "entry": WinnerEntry::new(round, game_name, nickname) })
}

/// Enough of a name for its owner to know it, too little for others.
pub fn mask(name: &str) -> String {
    name.chars().take(2).chain("***".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn masks_names_of_any_length() {
        assert_eq!(mask("maria"), "ma***");
        assert_eq!(mask("ñ"), "ñ***");
        assert_eq!(mask(""), "***");
    }
}
