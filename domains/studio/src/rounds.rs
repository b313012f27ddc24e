//! The studio's desk at the wallet's writer: rounds of our own games, many in one commit.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use capiz_rules::fair::{ServerSeed, Stream};
use capiz_rules::games::jackpot;
use capiz_rules::money::Amount;
use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::jackpots;
use super::model::{Bet, Player, refusal};
use super::seeds::SeedVault;
use super::store::{self, SeedRow};
use games::{Game, NewRound};
use platform::bulk::Way;
use platform::cache::Kept;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::Topic;
use wallet::{Account, Desk, Draft, House, Mark, Reason, Transfer};

/// How many wins of one batch the winners board is told of.
const WINS: usize = 5;

/// Opened pairs and nicknames that are kept.
const KEPT: usize = 50_000;
/// How long the winners board may show a nickname that was changed.
const NICKNAME_LIFE: Duration = Duration::from_secs(300);

/// A round that someone wants to play.
pub struct Play {
    /// Who.
    pub player: Player,
    /// What.
    pub game: Arc<Game>,
    /// The bet.
    pub bet: Bet,
}

/// A round that was played, and the pair that decided it as the player may see it.
#[derive(Debug)]
pub struct Played {
    /// The round.
    pub round: NewRound,
    /// The pair.
    pub seed: Arc<SeedShown>,
    /// What it feeds the jackpot with.
    pub(super) share: Amount,
    /// Whether it hit the jackpot.
    pub(super) is_hit: bool,
    /// The game's name, for the winners board; unknown of a round from before.
    game: Option<Arc<Game>>,
}

/// What a player may see of a pair.
#[derive(Debug)]
pub struct SeedShown {
    /// Its id.
    pub id: Uuid,
    /// SHA-256 of the server seed, in hexadecimal.
    pub commitment: String,
    /// What the player chose.
    pub client_seed: String,
    /// Shown once the pair is retired.
    pub server_seed: Option<String>,
}

/// A pair that is open to the server: it decides rounds.
struct OpenPair {
    shown: Arc<SeedShown>,
    server_seed: ServerSeed,
}

/// Where a player stands during a batch.
pub struct Turn {
    pair: Arc<OpenPair>,
    next_nonce: i64,
}

/// The desk.
pub struct Rounds {
    vault: SeedVault,
    /// Active pairs do not change, so they are read and opened once.
    pairs: Kept<Arc<OpenPair>>,
    nicknames: Kept<Arc<str>>,
}

impl Rounds {
    /// A desk that opens seeds with this vault.
    pub fn new(vault: SeedVault) -> Self {
        let pairs = Kept::new(KEPT, Duration::MAX);
        Self { vault, pairs, nicknames: Kept::new(KEPT, NICKNAME_LIFE) }
    }

    fn open(&self, row: &SeedRow) -> Result<Arc<OpenPair>, sqlx::Error> {
        let server_seed =
            self.vault.open(row).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        Ok(Arc::new(OpenPair { shown: Arc::new(SeedShown::of(row, None)), server_seed }))
    }

    /// The pairs by their ids, from memory or the database.
    async fn open_all(
        &self,
        db: &mut PgConnection,
        wanted: &[(Uuid, Uuid)],
    ) -> Result<HashMap<Uuid, Arc<OpenPair>>, sqlx::Error> {
        let mut open = HashMap::with_capacity(wanted.len());
        let mut missing = Vec::new();
        for (member_id, id) in wanted {
            match self.pairs.get(*id) {
                Some(pair) => _ = open.insert(*id, pair),
                None => missing.push((*member_id, *id)),
            }
        }
        if !missing.is_empty() {
            for row in store::list_pairs(db, &missing).await? {
                let pair = self.open(&row)?;
                self.pairs.put(row.id, Arc::clone(&pair));
                open.insert(row.id, pair);
            }
        }
        Ok(open)
    }

    /// Reads the nicknames that are not kept yet.
    async fn find_nicknames(
        &self,
        db: &mut PgConnection,
        mut member_ids: Vec<Uuid>,
    ) -> Result<(), sqlx::Error> {
        member_ids.retain(|id| self.nicknames.get(*id).is_none());
        if member_ids.is_empty() {
            return Ok(());
        }
        for (id, nickname) in members::list_nicknames(db, &member_ids).await? {
            self.nicknames.put(id, nickname.into());
        }
        Ok(())
    }
}

impl SeedShown {
    /// A pair as a player may see it; the server seed only of a retired one.
    pub(super) fn of(row: &SeedRow, server_seed: Option<String>) -> Self {
        Self {
            id: row.id,
            commitment: hex::encode(&row.commitment),
            client_seed: row.client_seed.clone(),
            server_seed,
        }
    }
}

impl Desk for Rounds {
    type Order = Play;
    type State = HashMap<Uuid, Turn>;
    type Record = Arc<Played>;

    const NAME: &'static str = "rounds";

    async fn load(
        &self,
        db: &mut PgConnection,
        marks: &BTreeMap<Uuid, Mark>,
    ) -> Result<Self::State, sqlx::Error> {
        let active = marks.iter().filter_map(|(id, mark)| Some((*id, mark.reference?)));
        let active: Vec<_> = active.collect();
        let open = self.open_all(db, &active).await?;
        let turns = marks.iter().filter_map(|(id, mark)| {
            let pair = Arc::clone(open.get(&mark.reference?)?);
            Some((*id, Turn { pair, next_nonce: mark.count }))
        });
        Ok(turns.collect())
    }

    fn decide(
        &self,
        state: &Self::State,
        holder_id: Uuid,
        order: &Play,
        now: DateTime<Utc>,
    ) -> Result<Draft<Arc<Played>>, ApiError> {
        order.bet.check(order.player, &order.game)?;
        let missing = || ApiError::internal("a member without seed pairs");
        let turn = state.get(&holder_id).ok_or_else(missing)?;
        let played = draw(order, turn, now)?;
        let (reference, transfers) = (played.round.id, transfers(&played.round));
        Ok(Draft { reference, transfers, record: Arc::new(played) })
    }

    fn accept(&self, state: &mut Self::State, record: &Arc<Played>) {
        if let Some(turn) = state.get_mut(&record.round.member_id) {
            turn.next_nonce += 1;
        }
    }

    fn mark(&self, state: &Self::State, holder_id: Uuid) -> Option<Mark> {
        let turn = state.get(&holder_id)?;
        Some(Mark { reference: Some(turn.pair.shown.id), count: turn.next_nonce })
    }

    async fn save(
        &self,
        db: &mut PgConnection,
        records: &[Arc<Played>],
        way: Way,
    ) -> Result<(), sqlx::Error> {
        games::insert_rounds(db, records.iter().map(|played| &played.round), way).await?;
        jackpots::note(db, records).await
    }

    async fn events(
        &self,
        db: &mut PgConnection,
        records: &[Arc<Played>],
    ) -> Result<Vec<(Topic, Value)>, sqlx::Error> {
        let mut wins: Vec<_> =
            records.iter().filter(|played| played.round.is_public_win()).collect();
        wins.sort_by_key(|played| std::cmp::Reverse(played.round.payout));
        wins.truncate(WINS);
        if wins.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<_> = wins.iter().map(|played| played.round.member_id).collect();
        self.find_nicknames(db, ids).await?;
        let events = wins.into_iter().map(|played| {
            let round = &played.round;
            let nickname = self.nicknames.get(round.member_id);
            let nickname = nickname.as_deref().unwrap_or_default();
            let game = played.game.as_ref().map_or("", |game| &game.name);
            (Topic::Winners(round.merchant_id), games::winner_event(round, game, nickname))
        });
        Ok(events.collect())
    }

    async fn find(
        &self,
        db: &mut PgConnection,
        references: &[(Uuid, Uuid)],
    ) -> Result<HashMap<(Uuid, Uuid), Arc<Played>>, sqlx::Error> {
        let rounds = games::find_rounds(db, references).await?;
        let wanted: Vec<_> = rounds.iter().map(|round| (round.member_id, round.seed_id)).collect();
        let mut seeds = HashMap::new();
        for row in store::list_pairs(db, &wanted).await? {
            let server_seed = match row.revealed {
                true => Some(self.open(&row)?.server_seed.reveal()),
                false => None,
            };
            seeds.insert(row.id, Arc::new(SeedShown::of(&row, server_seed)));
        }
        let found = rounds.into_iter().filter_map(|round| {
            let seed = Arc::clone(seeds.get(&round.seed_id)?);
            let (key, share) = ((round.member_id, round.id), Amount::ZERO);
            Some((key, Arc::new(Played { round, seed, share, is_hit: false, game: None })))
        });
        Ok(found.collect())
    }
}

fn draw(order: &Play, turn: &Turn, now: DateTime<Utc>) -> Result<Played, ApiError> {
    let Play { player, bet, game } = order;
    let OpenPair { shown, server_seed } = turn.pair.as_ref();
    let nonce = u64::try_from(turn.next_nonce).map_err(ApiError::internal)?;
    let mut stream = Stream::new(server_seed, &shown.client_seed, nonce, bet.rules.code());
    let terms = bet.terms(game);
    let told = bet.rules.play(&mut stream, &terms, &bet.choice, &[]).map_err(refusal)?;
    let unfinished = || ApiError::internal("a round of one step that is not over");
    let share = match bet.rules.has_jackpot() {
        true => jackpot::share(bet.stake).map_err(ApiError::internal)?,
        false => Amount::ZERO,
    };
    let round = NewRound {
        id: new_id(now),
        member_id: player.member_id,
        merchant_id: player.merchant_id,
        game_code: bet.rules.code().into(),
        currency: player.currency,
        stake: bet.stake,
        payout: told.payout.ok_or_else(unfinished)?,
        most: terms.most,
        choice: bet.choice.clone(),
        actions: "[]".into(),
        book: told.events,
        seed_id: shown.id,
        nonce: turn.next_nonce,
        played_at: now,
    };
    let (seed, is_hit) = (Arc::clone(&turn.pair.shown), told.has_jackpot);
    Ok(Played { round, seed, share, is_hit, game: Some(Arc::clone(game)) })
}

fn transfers(round: &NewRound) -> Vec<Transfer> {
    let games = || Account::House(House::Games);
    let stake = Transfer::new(Account::Main, games(), round.stake, Reason::Stake);
    let payout = Transfer::new(games(), Account::Main, round.payout, Reason::Payout);
    [stake, payout].into_iter().filter(|transfer| transfer.amount.is_positive()).collect()
}
