//! kill -9 in the middle of rounds with several steps: afterwards every round is where the last
//! acknowledged step led, or one step further. What was in flight is sent again and takes effect
//! once.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::chance::Chance;
use crate::http::{Answer, Connection};
use crate::kills::rounds_before;
use crate::play::Session;
use crate::process::Site;
use crate::{bounded, cycles};

const PLAYERS: usize = 4;
const TILES: usize = 25;

/// A request that was sent, and may have been carried out.
#[derive(Clone)]
struct Sent {
    line: String,
    key: String,
    body: Value,
    /// The number of the round's actions afterwards.
    leads_to: usize,
}

/// A player of mines, with the requests it sent and the responses.
struct Player {
    name: String,
    session: Session,
    chance: Chance,
    begun: usize,
    round: Option<Value>,
    in_flight: Option<Sent>,
    ended: usize,
}

impl Player {
    fn next(&mut self) -> Sent {
        let open = self.round.as_ref().filter(|round| round["state"] == "open");
        let Some(round) = open else {
            self.begun += 1;
            let key = format!("{}-mines-{}", self.name, self.begun);
            let body = json!({ "stake": "1", "choice": { "mines": 1 + self.begun % 3 } });
            return Sent { line: "POST /lgw/play/mines".into(), key, body, leads_to: 0 };
        };
        let actions = round["actions"].as_array().expect("a list");
        let picked = |tile: &usize| actions.iter().any(|action| action["pick"] == *tile);
        let tiles: Vec<usize> = (0..TILES).filter(|tile| !picked(tile)).collect();
        let is_enough = !actions.is_empty() && self.chance.one_in(4);
        let action = match is_enough {
            true => json!("cashOut"),
            false => json!({ "pick": tiles[self.chance.within(0..tiles.len())] }),
        };
        let id = round["id"].as_str().expect("an id");
        let line = format!("POST /lgw/play/rounds/{id}/actions");
        let body = json!({ "step": actions.len(), "action": action });
        Sent { line, key: String::new(), body, leads_to: actions.len() + 1 }
    }

    async fn exchange(&self, sent: &Sent) -> std::io::Result<Answer> {
        let mut headers = vec![("Content-Type", "application/json")];
        if !sent.key.is_empty() {
            headers.push(("Idempotency-Key", sent.key.as_str()));
        }
        let text = self.session.request(&sent.line, &headers, &sent.body.to_string());
        Connection::open(self.session.address).await?.exchange(&text).await
    }

    /// Sends the request in flight again, or the next one; returns whether a response came.
    async fn play_step(&mut self) -> bool {
        let sent = self.in_flight.take().unwrap_or_else(|| self.next());
        self.in_flight = Some(sent.clone());
        let Ok(answer) = self.exchange(&sent).await else { return false };
        if answer.is_unavailable() {
            return false;
        }
        let round = answer.value().clone();
        let actions = round["actions"].as_array().expect("a list");
        assert_eq!(actions.len(), sent.leads_to, "a step was lost or doubled: {round}");
        if sent.leads_to > 0 {
            assert_eq!(actions[sent.leads_to - 1], sent.body["action"], "another step was done");
        }
        self.ended += usize::from(round["state"] == "over");
        self.round = Some(round);
        self.in_flight = None;
        true
    }

    async fn play(&mut self, over: &Cell<bool>, steps: &Cell<u32>) {
        while !over.get() {
            match self.play_step().await {
                true => steps.set(steps.get() + 1),
                false => sleep(Duration::from_millis(5)).await,
            }
        }
    }

    /// Checks that the round is in the last acknowledged state, or in the one after the request in
    /// flight.
    async fn check_standing(&self) {
        let Some(round) = self.round.as_ref().filter(|round| round["state"] == "open") else {
            return;
        };
        let text = self.session.request("GET /lgw/play/open?gameCode=mines", &[], "");
        let mut connection = Connection::open(self.session.address).await.expect("a connection");
        let stored = connection.exchange(&text).await.expect("an answer").value().clone();
        if stored.is_null() {
            assert!(self.in_flight.is_some(), "a round has gone: {round}");
            return;
        }
        assert_eq!(stored["id"], round["id"]);
        let count = |round: &Value| round["actions"].as_array().expect("a list").len();
        let further = count(&stored) - count(round);
        assert!(further == 0 || (further == 1 && self.in_flight.is_some()), "{stored} {round}");
    }
}

async fn register_players(site: &Site, chance: &Chance) -> Vec<Player> {
    let mut players = Vec::new();
    for number in 0..PLAYERS {
        let name = format!("miner{number}");
        let session = Session::register(site.node.address, &name).await;
        let (begun, ended, chance) = (0, 0, chance.fork());
        players.push(Player { name, session, chance, begun, round: None, in_flight: None, ended });
    }
    players
}

#[tokio::test]
async fn rounds_of_several_steps_outlive_a_killed_server() {
    bounded(cycles(), async {
        let chance = Chance::new("a killed server in the middle of rounds");
        let mut site = Site::start().await;
        let mut players = register_players(&site, &chance).await;
        let mut in_flight = 0;
        for cycle in 1..=cycles() {
            let (over, steps) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(0)));
            let playing = join_all(players.iter_mut().map(|player| player.play(&over, &steps)));
            tokio::join!(playing, async {
                let until = rounds_before(&chance);
                while steps.get() < until {
                    sleep(Duration::from_millis(1)).await;
                }
                over.set(true);
                site.node.kill();
                if cycle.is_multiple_of(2) {
                    site.kill_postmaster();
                }
            });
            in_flight += players.iter().filter(|player| player.in_flight.is_some()).count();
            site.node.start_again().await;
            for player in &mut players {
                player.check_standing().await;
                while player.in_flight.is_some() {
                    player.play_step().await;
                }
            }
        }
        let ended: usize = players.iter().map(|player| player.ended).sum();
        site.stop().await;
        println!("{ended} rounds ended, {in_flight} steps in flight. {}", site.audit().await);
    })
    .await;
}
