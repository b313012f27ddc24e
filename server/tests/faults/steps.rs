//! kill -9 in the middle of rounds of several steps: every round stands where an acknowledged step
//! has led, or one step further; what was in flight is sent again, and is done once.

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

/// An order that was sent, and may have been carried out.
#[derive(Clone)]
struct Sent {
    line: String,
    key: String,
    body: Value,
    /// How many actions the round has once it is done.
    leads_to: usize,
}

/// A player of mines, with what was sent and heard.
struct Hand {
    name: String,
    session: Session,
    chance: Chance,
    begun: usize,
    round: Option<Value>,
    in_flight: Option<Sent>,
    ended: usize,
}

impl Hand {
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

    /// Sends what is in flight again, or the next order; whether an answer came.
    async fn turn(&mut self) -> bool {
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

    async fn play(&mut self, over: &Cell<bool>, turns: &Cell<u32>) {
        while !over.get() {
            match self.turn().await {
                true => turns.set(turns.get() + 1),
                false => sleep(Duration::from_millis(5)).await,
            }
        }
    }

    /// Whether the round stands where it was last heard of, or where what is in flight leads.
    async fn check_standing(&self) {
        let Some(round) = self.round.as_ref().filter(|round| round["state"] == "open") else {
            return;
        };
        let text = self.session.request("GET /lgw/play/open?gameCode=mines", &[], "");
        let mut connection = Connection::open(self.session.address).await.expect("a connection");
        let found = connection.exchange(&text).await.expect("an answer").value().clone();
        if found.is_null() {
            assert!(self.in_flight.is_some(), "a round has gone: {round}");
            return;
        }
        assert_eq!(found["id"], round["id"]);
        let count = |round: &Value| round["actions"].as_array().expect("a list").len();
        let further = count(&found) - count(round);
        assert!(further == 0 || (further == 1 && self.in_flight.is_some()), "{found} {round}");
    }
}

async fn sit_down(site: &Site, chance: &Chance) -> Vec<Hand> {
    let mut hands = Vec::new();
    for number in 0..PLAYERS {
        let name = format!("miner{number}");
        let session = Session::register(site.node.address, &name).await;
        let (begun, ended, chance) = (0, 0, chance.fork());
        hands.push(Hand { name, session, chance, begun, round: None, in_flight: None, ended });
    }
    hands
}

#[tokio::test]
async fn rounds_of_several_steps_outlive_a_killed_server() {
    bounded(cycles(), async {
        let chance = Chance::new("a killed server in the middle of rounds");
        let mut site = Site::start().await;
        let mut hands = sit_down(&site, &chance).await;
        let mut in_flight = 0;
        for cycle in 1..=cycles() {
            let (over, turns) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(0)));
            let playing = join_all(hands.iter_mut().map(|hand| hand.play(&over, &turns)));
            tokio::join!(playing, async {
                let until = rounds_before(&chance);
                while turns.get() < until {
                    sleep(Duration::from_millis(1)).await;
                }
                over.set(true);
                site.node.kill();
                if cycle.is_multiple_of(2) {
                    site.kill_postmaster();
                }
            });
            in_flight += hands.iter().filter(|hand| hand.in_flight.is_some()).count();
            site.node.start_again().await;
            for hand in &mut hands {
                hand.check_standing().await;
                while hand.in_flight.is_some() {
                    hand.turn().await;
                }
            }
        }
        let ended: usize = hands.iter().map(|hand| hand.ended).sum();
        site.stop().await;
        println!("{ended} rounds ended, {in_flight} steps in flight. {}", site.audit().await);
    })
    .await;
}
