//! The reference: one transaction per round, as one call of a prepared function.

use std::sync::Arc;

use capiz_rules::fair::{ServerSeed, Stream};
use capiz_rules::games::{self, Terms};
use capiz_rules::money::Amount;
use platform::clock::Clock;
use platform::ids::new_id;
use serde_json::json;
use sqlx::PgConnection;
use studio::Player;
use tokio::sync::Mutex;

use super::chance::{Chance, Chooser, Spread};
use super::ground::Setup;
use super::inside::{STAKE, TARGET};
use super::members::Crowd;
use super::plan::{self, Who};
use crate::Failure;
use crate::load::Client;

const SCHEMA: &str = include_str!("reference.sql");
const CALL: &str = "select reference.play($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
/// The bytes that the ledger hashes for the row of a stake, without the previous hash.
const STAKE_BYTES: usize = 207;
/// The same for a payout, whose row has no idempotency key.
const PAYOUT_BYTES: usize = 132;

/// The outcome of a round.
struct Ending {
    payout: i64,
    book: String,
}

/// Shared by all clients.
struct Shared {
    players: Arc<[Player]>,
    choice: String,
    won: Ending,
    lost: Ending,
}

/// The reference's tables, and its open connections.
pub struct Reference {
    shared: Arc<Shared>,
    connections: Vec<Arc<Mutex<PgConnection>>>,
}

impl Reference {
    /// Creates the tables with the same fill factor as ours, and connects.
    pub async fn prepare(setup: &Setup, crowd: &Crowd) -> Result<Self, Failure> {
        setup.execute_as_owner(SCHEMA).await?;
        let mut connections = Vec::new();
        let most = plan::loads(Who::Reference, Spread::Uniform).map(|load| load.clients).max();
        for _ in 0..most.unwrap_or(1) {
            connections.push(Arc::new(Mutex::new(setup.connect().await?)));
        }
        let choice = json!({ "target": TARGET, "direction": "under" }).to_string();
        let shared = Shared {
            players: Arc::clone(&crowd.players),
            won: ending(&choice, true)?,
            lost: ending(&choice, false)?,
            choice,
        };
        Ok(Self { shared: Arc::new(shared), connections })
    }

    /// Creates this many clients, each with a connection of its own.
    pub fn clients(&self, count: usize, chooser: &Chooser) -> Vec<ReferenceClient> {
        let client = |connection| ReferenceClient {
            shared: Arc::clone(&self.shared),
            connection,
            chooser: chooser.clone(),
            chance: Chance::new(),
            clock: Clock::system(),
        };
        self.connections.iter().take(count).cloned().map(client).collect()
    }
}

/// Plays rounds of the real game until one has this outcome.
fn ending(choice: &str, is_won: bool) -> Result<Ending, Failure> {
    let dice = games::find("dice").ok_or("there is no such game")?;
    let seed = ServerSeed::from_bytes([7; 32]);
    let terms = Terms { stake: STAKE, most: Amount::from_units(10_000_000_000) };
    for nonce in 0..1_000 {
        let mut stream = Stream::new(&seed, "bench", nonce, dice.code());
        let round = dice.play(&mut stream, &terms, choice, &[])?;
        let payout = round.payout.ok_or("a round that is not over")?;
        if payout.is_positive() == is_won {
            return Ok(Ending { payout: payout.units(), book: round.events });
        }
    }
    Err("no round of a thousand had this outcome".into())
}

/// A client that calls the function for one random member after the other.
pub struct ReferenceClient {
    shared: Arc<Shared>,
    /// Locked only by this client during a measurement.
    connection: Arc<Mutex<PgConnection>>,
    chooser: Chooser,
    chance: Chance,
    clock: Clock,
}

impl Client for ReferenceClient {
    async fn act(&mut self) -> Result<(), Failure> {
        let Shared { players, choice, won, lost } = &*self.shared;
        let player = players[self.chooser.choose(&mut self.chance)];
        let ending = if self.chance.fraction() < 0.495 { won } else { lost };
        let (now, key) = (self.clock.now(), self.chance.key());
        let balance: i64 = sqlx::query_scalar(CALL)
            .bind(player.member_id)
            .bind(new_id(now))
            .bind(now)
            .bind(STAKE.units())
            .bind(ending.payout)
            .bind(key)
            .bind([1_u8; 32].as_slice())
            .bind([2_u8; STAKE_BYTES].as_slice())
            .bind([3_u8; PAYOUT_BYTES].as_slice())
            .bind(choice.as_str())
            .bind(ending.book.as_str())
            .fetch_one(&mut *self.connection.lock().await)
            .await?;
        if balance < 0 { Err("the reference lost count".into()) } else { Ok(()) }
    }
}
