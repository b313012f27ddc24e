//! The reference: one transaction per round, as one call of a function, prepared once.

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
use super::ground::Ground;
use super::inside::{STAKE, TARGET};
use super::members::Crowd;
use super::plan::{self, Who};
use crate::Failure;
use crate::load::Client;

const SCHEMA: &str = include_str!("reference.sql");
const CALL: &str = "select reference.play($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
/// What the ledger hashes for the row of a stake, besides the hash before it.
const STAKE_BYTES: usize = 207;
/// The same for a payout, whose row has no key.
const PAYOUT_BYTES: usize = 132;

/// How a round can end.
struct Ending {
    payout: i64,
    book: String,
}

/// What all clients share.
struct Shared {
    players: Arc<[Player]>,
    choice: String,
    won: Ending,
    lost: Ending,
}

/// The reference's tables, and connections that stay open.
pub struct Reference {
    shared: Arc<Shared>,
    connections: Vec<Arc<Mutex<PgConnection>>>,
}

impl Reference {
    /// Makes the tables with the same fill as ours, and connects.
    pub async fn prepare(ground: &Ground, crowd: &Crowd) -> Result<Self, Failure> {
        ground.owner_does(SCHEMA).await?;
        let mut connections = Vec::new();
        let most = plan::loads(Who::Reference, Spread::Uniform).map(|load| load.clients).max();
        for _ in 0..most.unwrap_or(1) {
            connections.push(Arc::new(Mutex::new(ground.connect().await?)));
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

    /// So many clients, each with a connection of its own.
    pub fn clients(&self, count: usize, chooser: &Chooser) -> Vec<Caller> {
        let client = |connection| Caller {
            shared: Arc::clone(&self.shared),
            connection,
            chooser: chooser.clone(),
            chance: Chance::new(),
            clock: Clock::system(),
        };
        self.connections.iter().take(count).cloned().map(client).collect()
    }
}

/// A round of the real game that ends like this.
fn ending(choice: &str, is_won: bool) -> Result<Ending, Failure> {
    let dice = games::find("dice").ok_or("there is no such game")?;
    let seed = ServerSeed::from_bytes([7; 32]);
    let terms = Terms { stake: STAKE, most: Amount::from_units(10_000_000_000) };
    for nonce in 0..1_000 {
        let mut stream = Stream::new(&seed, "bench", nonce, dice.code());
        let told = dice.play(&mut stream, &terms, choice, &[])?;
        let payout = told.payout.ok_or("a round that is not over")?;
        if payout.is_positive() == is_won {
            return Ok(Ending { payout: payout.units(), book: told.events });
        }
    }
    Err("a thousand rolls all end alike".into())
}

/// Calls the function for one member after the other.
pub struct Caller {
    shared: Arc<Shared>,
    /// Nobody else has it during a turn.
    connection: Arc<Mutex<PgConnection>>,
    chooser: Chooser,
    chance: Chance,
    clock: Clock,
}

impl Client for Caller {
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
