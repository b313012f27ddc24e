//! The load in process: the wallet's writer with the studio's bet handler.

use std::sync::Arc;

use capiz::App;
use capiz_rules::money::Amount;
use serde_json::json;
use studio::{Bet, Player};

use super::chance::{Chance, Chooser};
use super::ground::Setup;
use super::members::Crowd;
use super::refused;
use crate::Failure;
use crate::load::Client;

/// One unit of the currency.
pub const STAKE: Amount = Amount::from_units(10_000);
/// 49.5 % of the rolls are under it.
pub const TARGET: u32 = 4_950;

/// Places bets in this process.
pub struct Inside {
    app: App,
    players: Arc<[Player]>,
    bet: Bet,
}

impl Inside {
    /// Uses the application of this run.
    pub fn new(setup: &Setup, crowd: &Crowd) -> Result<Self, Failure> {
        let bet = Bet::new("dice", STAKE, &json!({ "target": TARGET, "direction": "under" }))
            .map_err(refused)?;
        Ok(Self { app: setup.app.clone(), players: Arc::clone(&crowd.players), bet })
    }

    /// Creates this many clients.
    pub fn clients(&self, count: usize, chooser: &Chooser) -> Vec<WriterClient> {
        let client = |_| WriterClient {
            app: self.app.clone(),
            players: Arc::clone(&self.players),
            bet: self.bet.clone(),
            chooser: chooser.clone(),
            chance: Chance::new(),
        };
        (0..count).map(client).collect()
    }
}

/// A client that plays for one random member after the other.
pub struct WriterClient {
    app: App,
    players: Arc<[Player]>,
    bet: Bet,
    chooser: Chooser,
    chance: Chance,
}

impl Client for WriterClient {
    async fn act(&mut self) -> Result<(), Failure> {
        let player = self.players[self.chooser.choose(&mut self.chance)];
        let key = self.chance.key();
        studio::play(&self.app.studio, player, key, self.bet.clone()).await.map_err(refused)?;
        Ok(())
    }
}
