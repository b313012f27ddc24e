//! The handler of rounds of one step: decides them inside the wallet's batches, many rounds per
//! commit.

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
use platform::cache::Kept;
use platform::error::ApiError;
use platform::ids::new_id;
use platform::push::Topic;
use wallet::{Account, Handler, HandlerCursor, House, PendingRecord, Reason, Transfer};

/// How many wins of one batch are pushed to the winners board.
const WINS_PER_BATCH: usize = 5;

/// The size of the caches of decrypted pairs and of nicknames.
const CACHE_SIZE: usize = 50_000;
/// How long a nickname is cached: the winners board may show an old one for this long.
const NICKNAME_TTL: Duration = Duration::from_secs(300);

/// An order: a bet of a player on a game.
pub struct Play {
    /// The player.
    pub player: Player,
    /// The game.
    pub game: Arc<Game>,
    /// The bet.
    pub bet: Bet,
}

/// A round that was played, with the public part of its seed pair.
#[derive(Debug)]
pub struct Played {
    /// The round.
    pub round: NewRound,
    /// The public part of the seed pair.
    pub seed: Arc<PublicSeedPair>,
    /// The share of the stake that goes into the jackpot.
    pub(super) share: Amount,
    /// Whether the round hit the jackpot.
    pub(super) is_hit: bool,
    /// The game, for its name on the winners board; `None` for a round read from the database.
    game: Option<Arc<Game>>,
}

/// The part of a seed pair that its player may see.
#[derive(Debug)]
pub struct PublicSeedPair {
    /// The pair's id.
    pub id: Uuid,
    /// SHA-256 of the server seed, in hexadecimal.
    pub commitment: String,
    /// The client seed that the player chose.
    pub client_seed: String,
    /// The server seed; only once the pair is retired.
    pub server_seed: Option<String>,
}

/// A seed pair with its server seed decrypted, ready to decide rounds.
struct DecryptedPair {
    public: Arc<PublicSeedPair>,
    server_seed: ServerSeed,
}

/// A player's active seed pair and next nonce during a batch.
pub struct SeedPosition {
    pair: Arc<DecryptedPair>,
    next_nonce: i64,
}

/// The handler of rounds of one step.
pub struct Rounds {
    vault: SeedVault,
    /// The cache of active pairs. They never change, so each is read and decrypted once.
    pairs: Kept<Arc<DecryptedPair>>,
    nicknames: Kept<Arc<str>>,
}

impl Rounds {
    /// A handler that decrypts seeds with this vault.
    pub fn new(vault: SeedVault) -> Self {
        let pairs = Kept::new(CACHE_SIZE, Duration::MAX);
        Self { vault, pairs, nicknames: Kept::new(CACHE_SIZE, NICKNAME_TTL) }
    }

    fn decrypt(&self, row: &SeedRow) -> Result<Arc<DecryptedPair>, sqlx::Error> {
        let server_seed =
            self.vault.open(row).map_err(|error| sqlx::Error::Decode(Box::new(error)))?;
        Ok(Arc::new(DecryptedPair { public: Arc::new(PublicSeedPair::of(row, None)), server_seed }))
    }

    /// Finds pairs by member and id, in the cache or the database.
    async fn find_pairs(
        &self,
        db: &mut PgConnection,
        ids: &[(Uuid, Uuid)],
    ) -> Result<HashMap<Uuid, Arc<DecryptedPair>>, sqlx::Error> {
        let mut found = HashMap::with_capacity(ids.len());
        let mut missing = Vec::new();
        for (member_id, id) in ids {
            match self.pairs.get(*id) {
                Some(pair) => _ = found.insert(*id, pair),
                None => missing.push((*member_id, *id)),
            }
        }
        if !missing.is_empty() {
            for row in store::list_pairs(db, &missing).await? {
                let pair = self.decrypt(&row)?;
                self.pairs.put(row.id, Arc::clone(&pair));
                found.insert(row.id, pair);
            }
        }
        Ok(found)
    }

    /// Reads the nicknames that are not cached yet.
    async fn load_nicknames(
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

impl PublicSeedPair {
    /// The public part of a pair. Pass the server seed only if the pair is retired.
    pub(super) fn of(row: &SeedRow, server_seed: Option<String>) -> Self {
        Self {
            id: row.id,
            commitment: hex::encode(&row.commitment),
            client_seed: row.client_seed.clone(),
            server_seed,
        }
    }
}

impl Handler for Rounds {
    type Order = Play;
    type State = HashMap<Uuid, SeedPosition>;
    type Record = Arc<Played>;

    const NAME: &'static str = "rounds";

    async fn load(
        &self,
        db: &mut PgConnection,
        cursors: &BTreeMap<Uuid, HandlerCursor>,
    ) -> Result<Self::State, sqlx::Error> {
        let active = cursors.iter().filter_map(|(id, cursor)| Some((*id, cursor.reference?)));
        let active: Vec<_> = active.collect();
        let pairs = self.find_pairs(db, &active).await?;
        let positions = cursors.iter().filter_map(|(id, cursor)| {
            let pair = Arc::clone(pairs.get(&cursor.reference?)?);
            Some((*id, SeedPosition { pair, next_nonce: cursor.count }))
        });
        Ok(positions.collect())
    }

    fn decide(
        &self,
        state: &Self::State,
        holder_id: Uuid,
        order: &Play,
        now: DateTime<Utc>,
    ) -> Result<PendingRecord<Arc<Played>>, ApiError> {
        order.bet.check(order.player, &order.game)?;
        let missing = || ApiError::internal("the member has no seed pairs");
        let position = state.get(&holder_id).ok_or_else(missing)?;
        let played = draw(order, position, now)?;
        let (reference, transfers) = (played.round.id, transfers(&played.round));
        Ok(PendingRecord { reference, transfers, record: Arc::new(played) })
    }

    fn accept(&self, state: &mut Self::State, record: &Arc<Played>) {
        if let Some(position) = state.get_mut(&record.round.member_id) {
            position.next_nonce += 1;
        }
    }

    fn cursor(&self, state: &Self::State, holder_id: Uuid) -> Option<HandlerCursor> {
        let position = state.get(&holder_id)?;
        Some(HandlerCursor { reference: Some(position.pair.public.id), count: position.next_nonce })
    }

    async fn save(
        &self,
        db: &mut PgConnection,
        records: &[Arc<Played>],
    ) -> Result<(), sqlx::Error> {
        games::insert_rounds(db, records.iter().map(|played| &played.round)).await?;
        jackpots::record(db, records).await
    }

    async fn events(
        &self,
        db: &mut PgConnection,
        records: &[Arc<Played>],
    ) -> Result<Vec<(Topic, Value)>, sqlx::Error> {
        let mut wins: Vec<_> =
            records.iter().filter(|played| played.round.is_public_win()).collect();
        wins.sort_by_key(|played| std::cmp::Reverse(played.round.payout));
        wins.truncate(WINS_PER_BATCH);
        if wins.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<_> = wins.iter().map(|played| played.round.member_id).collect();
        self.load_nicknames(db, ids).await?;
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
        let pairs: Vec<_> = rounds.iter().map(|round| (round.member_id, round.seed_id)).collect();
        let mut seeds = HashMap::new();
        for row in store::list_pairs(db, &pairs).await? {
            let server_seed = match row.revealed {
                true => Some(self.decrypt(&row)?.server_seed.reveal()),
                false => None,
            };
            seeds.insert(row.id, Arc::new(PublicSeedPair::of(&row, server_seed)));
        }
        let found = rounds.into_iter().filter_map(|round| {
            let seed = Arc::clone(seeds.get(&round.seed_id)?);
            let (key, share) = ((round.member_id, round.id), Amount::ZERO);
            Some((key, Arc::new(Played { round, seed, share, is_hit: false, game: None })))
        });
        Ok(found.collect())
    }
}

/// Plays the round with the player's active pair and next nonce.
fn draw(order: &Play, position: &SeedPosition, now: DateTime<Utc>) -> Result<Played, ApiError> {
    let Play { player, bet, game } = order;
    let DecryptedPair { public, server_seed } = position.pair.as_ref();
    let nonce = u64::try_from(position.next_nonce).map_err(ApiError::internal)?;
    let mut stream = Stream::new(server_seed, &public.client_seed, nonce, bet.rules.code());
    let terms = bet.terms(game);
    let outcome = bet.rules.play(&mut stream, &terms, &bet.choice, &[]).map_err(refusal)?;
    let unfinished = || ApiError::internal("a round of one step did not end");
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
        payout: outcome.payout.ok_or_else(unfinished)?,
        most: terms.most,
        choice: bet.choice.clone(),
        actions: "[]".into(),
        book: outcome.events,
        seed_id: public.id,
        nonce: position.next_nonce,
        played_at: now,
    };
    let (seed, is_hit) = (Arc::clone(&position.pair.public), outcome.has_jackpot);
    Ok(Played { round, seed, share, is_hit, game: Some(Arc::clone(game)) })
}

fn transfers(round: &NewRound) -> Vec<Transfer> {
    let games = || Account::House(House::Games);
    let stake = Transfer::new(Account::Main, games(), round.stake, Reason::Stake);
    let payout = Transfer::new(games(), Account::Main, round.payout, Reason::Payout);
    [stake, payout].into_iter().filter(|transfer| transfer.amount.is_positive()).collect()
}
