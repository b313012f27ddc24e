//! Members who play and remember every answer that they were given.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use capiz::platform::seal::{self, SealKey, Target};
use capiz::platform::secret::random_bytes;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::http::{Answer, Connection, request};

const MEMBERS: usize = 4;
/// Connections of each member, which play at the same time.
const LINES: usize = 2;
const REGISTER: &str = "/wps/member/register";

/// A member's browser.
pub struct Session {
    pub address: SocketAddr,
    token: String,
    cookies: String,
}

impl Session {
    /// Registers a member, who gets the welcome credit.
    pub async fn register(address: SocketAddr, username: &str) -> Self {
        let mut connection = Connection::open(address).await.expect("a connection");
        let key = request("GET /wps/system/key", address, &[], "");
        let key = connection.exchange(&key).await.expect("an answer");
        let body = json!({
            "username": username, "password": "a-good-password",
            "confirmPassword": "a-good-password", "adult": true, "terms": true, "login": true,
            "registerMethod": "WEB",
        });
        let sealed = sealed(key.value(), &body);
        let headers = [("Content-Type", seal::MEDIA_TYPE)];
        let text = request(&format!("PUT {REGISTER}"), address, &headers, &sealed);
        let answer = connection.exchange(&text).await.expect("an answer");
        let token = answer.value()["token"].as_str().expect("a token").to_owned();
        Self { address, token, cookies: answer.cookies.join("; ") }
    }

    /// The text of a bet, to be sent as often as needed.
    pub fn play(&self, bet: &Bet) -> String {
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", &bet.key)];
        self.request("POST /lgw/play/dice", &headers, &bet.body)
    }

    fn request(&self, line: &str, headers: &[(&str, &str)], body: &str) -> String {
        let token = format!("Bearer {}", self.token);
        let mut all = vec![("Authorization", token.as_str()), ("Cookie", &self.cookies)];
        all.extend(headers);
        request(line, self.address, &all, body)
    }

    /// Sends a bet on a connection of its own.
    pub async fn send(&self, bet: &Bet) -> Answer {
        let mut connection = Connection::open(self.address).await.expect("a connection");
        connection.exchange(&self.play(bet)).await.expect("an answer")
    }

    /// The ids of all rounds that the member has.
    pub async fn rounds(&self) -> BTreeSet<String> {
        let mut connection = Connection::open(self.address).await.expect("a connection");
        let (mut ids, mut cursor) = (BTreeSet::new(), String::new());
        loop {
            let line = format!("GET /lgw/play/rounds?limit=100{cursor}");
            let page = connection.exchange(&self.request(&line, &[], "")).await;
            let page = page.expect("an answer");
            for round in page.value()["content"].as_array().expect("a list") {
                assert!(ids.insert(id_of(round)), "a round is listed twice");
            }
            match page.value()["next"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return ids,
            }
        }
    }
}

fn sealed(key: &Value, body: &Value) -> String {
    let text = |name: &str| key[name].as_str().expect("a text").to_owned();
    let now = key["now"].as_i64().expect("a time");
    let key = SealKey { kid: text("kid"), public_key: text("publicKey"), now };
    let target = Target { method: "PUT", path: REGISTER };
    let nonce = hex::encode(random_bytes::<16>());
    let sealed = seal::seal_to(&key, target, &nonce, body.to_string().as_bytes());
    json!(sealed.expect("a sealed body")).to_string()
}

pub fn id_of(round: &Value) -> String {
    round["id"].as_str().expect("an id").to_owned()
}

/// A bet and its key, made once.
#[derive(Clone)]
pub struct Bet {
    pub key: String,
    pub body: String,
}

impl Bet {
    /// Small stakes at good odds, so that nobody runs dry, and neighbours that differ.
    pub fn new(key: String, number: usize) -> Self {
        let (stake, target) = (1 + number % 3, 9700 + number % 100);
        let body = json!({ "stake": stake.to_string(), "target": target, "direction": "under" });
        Self { key, body: body.to_string() }
    }
}

/// What came of a bet.
enum Outcome {
    Accepted,
    Unavailable,
    Lost(io::Error),
}

/// One connection of a member, with what it sent and heard.
pub struct Line {
    name: String,
    session: Rc<Session>,
    connection: Option<Connection>,
    made: usize,
    /// Sent, and not known to be accepted or refused.
    pub in_flight: Option<Bet>,
    /// Acknowledged, with the answer.
    pub accepted: Vec<(Bet, Value)>,
}

impl Line {
    /// Sends the bet in flight again, or a new one.
    async fn turn(&mut self) -> Outcome {
        let bet = self.in_flight.take().unwrap_or_else(|| {
            self.made += 1;
            Bet::new(format!("{}-{:06}", self.name, self.made), self.made)
        });
        self.in_flight = Some(bet.clone());
        let answer = match self.exchange(&self.session.play(&bet)).await {
            Ok(answer) => answer,
            Err(error) => {
                self.connection = None;
                return Outcome::Lost(error);
            }
        };
        if answer.is_unavailable() {
            return Outcome::Unavailable;
        }
        answer.value();
        self.in_flight = None;
        self.accepted.push((bet, answer.body));
        Outcome::Accepted
    }

    async fn exchange(&mut self, text: &str) -> io::Result<Answer> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(Connection::open(self.session.address).await?),
        };
        connection.exchange(text).await
    }

    async fn play(&mut self, game: &Game) {
        while !game.over.get() {
            match self.turn().await {
                Outcome::Accepted => game.acknowledged.set(game.acknowledged.get() + 1),
                Outcome::Unavailable => {
                    game.unavailable.set(game.unavailable.get() + 1);
                    sleep(Duration::from_millis(50)).await;
                }
                // Only a killed server may cut a connection off.
                Outcome::Lost(error) => {
                    assert!(game.over.get(), "{} lost its connection: {error}", self.name);
                }
            }
        }
        // Its other end may just have been killed.
        self.connection = None;
    }

    /// Sends every acknowledged bet again: the answers are the same.
    async fn replay(&mut self) {
        for (bet, answer) in std::mem::take(&mut self.accepted) {
            let again = self.exchange(&self.session.play(&bet)).await.expect("an answer");
            assert_eq!(again.body, answer, "{}", bet.key);
            self.accepted.push((bet, answer));
        }
    }
}

/// What the players and whoever disturbs them know of each other.
#[derive(Default)]
pub struct Game {
    /// Set before the server is killed, or when enough has been played.
    pub over: Cell<bool>,
    pub acknowledged: Cell<u32>,
    /// Answers of 503, each to be sent again.
    pub unavailable: Cell<u32>,
}

impl Game {
    /// Waits until so many more rounds have been acknowledged.
    pub async fn wait_for_rounds(&self, more: u32) {
        let goal = self.acknowledged.get() + more;
        while self.acknowledged.get() < goal {
            sleep(Duration::from_millis(2)).await;
        }
    }
}

/// Several members with several connections each.
pub struct Table {
    sessions: Vec<Rc<Session>>,
    pub lines: Vec<Line>,
}

impl Table {
    pub async fn seat(address: SocketAddr) -> Self {
        let mut table = Self { sessions: Vec::new(), lines: Vec::new() };
        for member in 0..MEMBERS {
            let session = Session::register(address, &format!("player{member}")).await;
            let session = Rc::new(session);
            table.lines.extend((0..LINES).map(|line| Line {
                name: format!("member{member}-line{line}"),
                session: Rc::clone(&session),
                connection: None,
                made: 0,
                in_flight: None,
                accepted: Vec::new(),
            }));
            table.sessions.push(session);
        }
        table
    }

    /// Plays on all lines until the game is over.
    pub async fn play(&mut self, game: &Game) {
        join_all(self.lines.iter_mut().map(|line| line.play(game))).await;
    }

    pub fn in_flight(&self) -> usize {
        self.lines.iter().filter(|line| line.in_flight.is_some()).count()
    }

    pub fn accepted(&self) -> usize {
        self.lines.iter().map(|line| line.accepted.len()).sum()
    }

    /// How many rounds the server has.
    pub async fn rounds(&self) -> usize {
        let lists = join_all(self.sessions.iter().map(|session| session.rounds())).await;
        lists.iter().map(BTreeSet::len).sum()
    }

    /// Sends what was in flight again, the same key with the same body: each is accepted.
    pub async fn send_again(&mut self) {
        let lines = self.lines.iter_mut().filter(|line| line.in_flight.is_some());
        for outcome in join_all(lines.map(Line::turn)).await {
            assert!(matches!(outcome, Outcome::Accepted));
        }
    }

    /// Every acknowledged round exists once, with the answer that was given; there are no others.
    pub async fn check(&mut self) {
        join_all(self.lines.iter_mut().map(Line::replay)).await;
        for session in &self.sessions {
            let lines = self.lines.iter().filter(|line| Rc::ptr_eq(&line.session, session));
            let answers = lines.flat_map(|line| &line.accepted);
            let ids: Vec<_> = answers.map(|(_, answer)| id_of(&answer["value"])).collect();
            let distinct: BTreeSet<_> = ids.iter().cloned().collect();
            assert_eq!(distinct.len(), ids.len(), "two keys share a round");
            assert_eq!(session.rounds().await, distinct);
        }
    }
}
