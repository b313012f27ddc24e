//! Members who play and remember every response.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use altcha::{Challenge, SolveChallengeOptions, solve_challenge};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use capiz_rules::money::Amount;
use futures_util::future::join_all;
use platform::seal::{self, SealKey, Target};
use platform::secret::random_bytes;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::chance::Chance;
use crate::http::{Answer, Connection, NodeConnections, request};

const MEMBERS: usize = 4;
/// The number of connections of each member, which play at the same time.
const CONNECTIONS_EACH: usize = 2;
const REGISTER: &str = "/wps/member/register";
const LOGIN: &str = "/wps/session/login";
const PASSWORD: &str = "a-good-password";
/// The header with the client's IP address, as set by the proxy in front of the server.
const ORIGIN: &str = "X-Forwarded-For";
/// How long a response may take once no more faults are injected.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// A member's browser: address and session.
pub struct Session {
    pub address: SocketAddr,
    token: String,
    cookies: String,
}

impl Session {
    /// Registers a member, who receives the welcome credit.
    pub async fn register(address: SocketAddr, username: &str) -> Self {
        let origin = new_origin();
        let body = json!({
            "username": username, "password": PASSWORD, "confirmPassword": PASSWORD,
            "birthday": "1990-05-17", "ofAge": true, "adult": true, "terms": true,
            "login": true, "registerMethod": "WEB",
            "human": prove(address, &origin).await,
        });
        Self::begin((address, &origin), "PUT", REGISTER, &body).await
    }

    /// Logs a member in.
    pub async fn log_in(address: SocketAddr, username: &str) -> Self {
        let origin = new_origin();
        let body = json!({
            "type": "username", "username": username, "password": PASSWORD,
            "human": prove(address, &origin).await,
        });
        Self::begin((address, &origin), "POST", LOGIN, &body).await
    }

    async fn begin(
        (address, origin): (SocketAddr, &str),
        method: &str,
        path: &str,
        body: &Value,
    ) -> Self {
        let mut connection = Connection::open(address).await.expect("a connection");
        let key = request("GET /wps/system/key", address, &[], "");
        let key = connection.exchange(&key).await.expect("an answer");
        let sealed = sealed(key.value(), Target { method, path }, body);
        let headers = [("Content-Type", seal::MEDIA_TYPE), (ORIGIN, origin)];
        let text = request(&format!("{method} {path}"), address, &headers, &sealed);
        let answer = connection.exchange(&text).await.expect("an answer");
        let token = answer.value()["token"].as_str().expect("a token").to_owned();
        Self { address, token, cookies: answer.cookies.join("; ") }
    }

    /// The text of a bet request, which can be sent several times.
    pub fn play(&self, bet: &Bet) -> String {
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", &bet.key)];
        self.request("POST /lgw/play/dice", &headers, &bet.body)
    }

    pub fn request(&self, line: &str, headers: &[(&str, &str)], body: &str) -> String {
        let token = format!("Bearer {}", self.token);
        let mut all = vec![("Authorization", token.as_str()), ("Cookie", &self.cookies)];
        all.extend(headers);
        request(line, self.address, &all, body)
    }

    /// Sends a bet over a new connection.
    pub async fn send(&self, bet: &Bet) -> Answer {
        let mut connection = Connection::open(self.address).await.expect("a connection");
        connection.exchange(&self.play(bet)).await.expect("an answer")
    }

    /// The member's balance in ten-thousandths.
    pub async fn balance(&self) -> i64 {
        let mut connection = Connection::open(self.address).await.expect("a connection");
        let text = self.request("GET /wps/v2/wallets/balance", &[], "");
        let answer = connection.exchange(&text).await.expect("an answer");
        units(&answer.value()["balance"])
    }

    /// The ids of all rounds of the member.
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

/// An IP address that nobody else uses.
fn new_origin() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = Ipv4Addr::new(10, 0, 0, 1).to_bits();
    Ipv4Addr::from_bits(first + NEXT.fetch_add(1, Ordering::Relaxed)).to_string()
}

/// Requests a proof-of-work challenge and solves it, as the web does.
async fn prove(address: SocketAddr, origin: &str) -> String {
    let mut connection = Connection::open(address).await.expect("a connection");
    let challenge_request = request("GET /wps/captcha/challenge", address, &[(ORIGIN, origin)], "");
    let answer = connection.exchange(&challenge_request).await.expect("an answer");
    let challenge: Challenge = serde_json::from_value(answer.value().clone()).expect("a challenge");
    let work = move || {
        let solution = solve_challenge(SolveChallengeOptions::new(&challenge));
        let solution = solution.expect("a fair challenge").expect("a solution");
        json!({ "challenge": challenge, "solution": solution }).to_string()
    };
    let solved = tokio::task::spawn_blocking(work).await.expect("the work");
    BASE64_STANDARD.encode(solved)
}

fn sealed(key: &Value, target: Target<'_>, body: &Value) -> String {
    let text = |name: &str| key[name].as_str().expect("a text").to_owned();
    let now = key["now"].as_i64().expect("a time");
    let key = SealKey { kid: text("kid"), public_key: text("publicKey"), now };
    let nonce = hex::encode(random_bytes::<16>());
    let sealed = seal::seal_to(&key, target, &nonce, body.to_string().as_bytes());
    json!(sealed.expect("a sealed body")).to_string()
}

/// An amount from JSON, in ten-thousandths.
pub fn units(amount: &Value) -> i64 {
    let amount: Amount = amount.as_str().and_then(|text| text.parse().ok()).expect("an amount");
    amount.units()
}

pub fn id_of(round: &Value) -> String {
    round["id"].as_str().expect("an id").to_owned()
}

/// A bet with its idempotency key.
#[derive(Clone)]
pub struct Bet {
    pub key: String,
    pub body: String,
}

impl Bet {
    /// Small stakes at good odds, so that no member runs out of money; consecutive bets differ.
    pub fn new(key: String, number: usize) -> Self {
        let (stake, target) = (1 + number % 3, 9700 + number % 100);
        let body = json!({ "stake": stake.to_string(), "choice": { "target": target, "direction": "under" } });
        Self { key, body: body.to_string() }
    }
}

/// The outcome of a bet.
enum Outcome {
    Accepted,
    Unavailable,
    Lost(io::Error),
}

/// One of several connections of a member, with the requests it sent and the responses.
pub struct Player {
    name: String,
    session: Rc<Session>,
    nodes: NodeConnections,
    chance: Chance,
    made: usize,
    /// Sent, and not known to be accepted or refused.
    pub in_flight: Option<Bet>,
    /// Acknowledged bets, with the responses.
    pub accepted: Vec<(Bet, Value)>,
}

impl Player {
    /// Sends the bet in flight again, or a new one, to any node.
    async fn play_once(&mut self, game: &Game) -> Outcome {
        let bet = self.in_flight.take().unwrap_or_else(|| self.new_bet());
        self.in_flight = Some(bet.clone());
        let answer = match self.exchange(&bet).await {
            Ok(answer) => answer,
            Err(error) => return Outcome::Lost(error),
        };
        if answer.is_unavailable() || (game.may_break && answer.status == 500) {
            return Outcome::Unavailable;
        }
        answer.value();
        self.in_flight = None;
        self.accepted.push((bet, answer.body));
        Outcome::Accepted
    }

    fn new_bet(&mut self) -> Bet {
        self.made += 1;
        Bet::new(format!("{}-{:06}", self.name, self.made), self.made)
    }

    async fn exchange(&mut self, bet: &Bet) -> io::Result<Answer> {
        let node = self.chance.within(0..self.nodes.count());
        self.nodes.exchange(node, &self.session.play(bet)).await
    }

    /// Plays a round at each node.
    async fn play_everywhere(&mut self) {
        for node in 0..self.nodes.count() {
            let (bet, began) = (self.new_bet(), Instant::now());
            let answer = loop {
                match self.nodes.exchange(node, &self.session.play(&bet)).await {
                    Ok(answer) if !answer.is_unavailable() => break answer,
                    other => assert!(began.elapsed() < ANSWER_TIMEOUT, "node {node}: {other:?}"),
                }
                sleep(Duration::from_millis(50)).await;
            };
            answer.value();
            self.accepted.push((bet, answer.body));
        }
    }

    async fn play(&mut self, game: &Game) {
        while !game.over.get() {
            match self.play_once(game).await {
                Outcome::Accepted => add(&game.acknowledged),
                Outcome::Unavailable => {
                    add(&game.unavailable);
                    sleep(Duration::from_millis(50)).await;
                }
                Outcome::Lost(error) => {
                    let is_expected = game.may_lose || game.over.get();
                    assert!(is_expected, "{} lost its connection: {error}", self.name);
                    add(&game.lost);
                    sleep(Duration::from_millis(5)).await;
                }
            }
        }
        // The nodes may just have been killed.
        self.nodes.close();
    }

    /// Sends the bet until there is a response; no more faults are injected by now.
    async fn answer_to(&mut self, bet: &Bet) -> Answer {
        let began = Instant::now();
        loop {
            match self.exchange(bet).await {
                Ok(answer) if !answer.is_unavailable() => return answer,
                other => assert!(began.elapsed() < ANSWER_TIMEOUT, "{}: {other:?}", bet.key),
            }
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Sends the bet in flight again, with the same key and body: it must be accepted.
    async fn send_again(&mut self) {
        if let Some(bet) = self.in_flight.take() {
            let answer = self.answer_to(&bet).await;
            answer.value();
            self.accepted.push((bet, answer.body));
        }
    }

    /// Sends every acknowledged bet again: the responses must be the same.
    async fn replay(&mut self) {
        for (bet, answer) in std::mem::take(&mut self.accepted) {
            let again = self.answer_to(&bet).await;
            assert_eq!(again.body, answer, "{}", bet.key);
            self.accepted.push((bet, answer));
        }
    }
}

fn add(count: &Cell<u32>) {
    count.set(count.get() + 1);
}

/// State shared by the players and the test that injects faults.
#[derive(Default)]
pub struct Game {
    /// Set before the only server is killed, or when enough has been played.
    pub over: Cell<bool>,
    /// Whether connections may be lost at any time, because servers are killed.
    pub may_lose: bool,
    /// Whether a response may be 500, because a fail point returns errors.
    pub may_break: bool,
    pub acknowledged: Cell<u32>,
    /// 503 responses, and 500 where that is allowed; each bet is sent again.
    pub unavailable: Cell<u32>,
    /// Connections that ended without a response.
    pub lost: Cell<u32>,
}

impl Game {
    /// Waits until this many more rounds have been acknowledged.
    pub async fn wait_for_rounds(&self, more: u32) {
        let goal = self.acknowledged.get() + more;
        while self.acknowledged.get() < goal {
            sleep(Duration::from_millis(2)).await;
        }
    }

    /// Waits until this many more responses were 503.
    pub async fn wait_for_refusals(&self, more: u32) {
        let goal = self.unavailable.get() + more;
        while self.unavailable.get() < goal {
            sleep(Duration::from_millis(2)).await;
        }
    }

    pub fn figures(&self) -> String {
        format!(
            "{} acknowledged, {} answered {}, {} connections lost",
            self.acknowledged.get(),
            self.unavailable.get(),
            if self.may_break { "503 or 500" } else { "503" },
            self.lost.get(),
        )
    }
}

/// Several members with several connections each.
pub struct Players {
    sessions: Vec<Rc<Session>>,
    pub all: Vec<Player>,
}

impl Players {
    /// Registers the members at the first address; they play at all addresses.
    pub async fn register(addresses: &[SocketAddr], chance: &Chance) -> Self {
        let mut players = Self { sessions: Vec::new(), all: Vec::new() };
        for member in 0..MEMBERS {
            let session = Session::register(addresses[0], &username(member)).await;
            let session = Rc::new(session);
            players.all.extend((0..CONNECTIONS_EACH).map(|number| Player {
                name: format!("member{member}-line{number}"),
                session: Rc::clone(&session),
                nodes: NodeConnections::new(addresses),
                chance: chance.fork(),
                made: 0,
                in_flight: None,
                accepted: Vec::new(),
            }));
            players.sessions.push(session);
        }
        players
    }

    /// Logs all members in again, at this address.
    pub async fn log_in(&mut self, address: SocketAddr) {
        for member in 0..MEMBERS {
            let session = Rc::new(Session::log_in(address, &username(member)).await);
            for player in &mut self.all[member * CONNECTIONS_EACH..(member + 1) * CONNECTIONS_EACH]
            {
                player.session = Rc::clone(&session);
            }
            self.sessions[member] = session;
        }
    }

    /// Plays on all connections until the game is over.
    pub async fn play(&mut self, game: &Game) {
        join_all(self.all.iter_mut().map(|player| player.play(game))).await;
    }

    pub fn in_flight(&self) -> usize {
        self.all.iter().filter(|player| player.in_flight.is_some()).count()
    }

    pub fn accepted(&self) -> usize {
        self.all.iter().map(|player| player.accepted.len()).sum()
    }

    /// The number of rounds that the server reports.
    pub async fn rounds(&self) -> usize {
        let lists = join_all(self.sessions.iter().map(|session| session.rounds())).await;
        lists.iter().map(BTreeSet::len).sum()
    }

    /// Sends the bets in flight again: each must be accepted.
    pub async fn send_again(&mut self) {
        join_all(self.all.iter_mut().map(Player::send_again)).await;
    }

    /// Plays a round of every member at each node.
    pub async fn play_everywhere(&mut self) {
        join_all(self.all.iter_mut().map(Player::play_everywhere)).await;
    }

    /// Checks that every acknowledged round exists once, with the same response as before, and that
    /// there are no others.
    pub async fn check(&mut self) {
        join_all(self.all.iter_mut().map(Player::replay)).await;
        for session in &self.sessions {
            let own = self.all.iter().filter(|player| Rc::ptr_eq(&player.session, session));
            let answers = own.flat_map(|player| &player.accepted);
            let ids: Vec<_> = answers.map(|(_, answer)| id_of(&answer["value"])).collect();
            let distinct: BTreeSet<_> = ids.iter().cloned().collect();
            assert_eq!(distinct.len(), ids.len(), "two keys share a round");
            assert_eq!(session.rounds().await, distinct);
        }
    }
}

fn username(number: usize) -> String {
    format!("player{number}")
}
