//! One member with many parallel requests: bets never overdraw the balance, and an idempotency key
//! has one effect, however often and at whichever node it is sent.

use std::cell::Cell;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::chance::Chance;
use crate::house::Cluster;
use crate::http::{Answer, NodeConnections};
use crate::play::{Bet, Session, id_of, units};
use crate::{bounded, size};

/// The number of bets that one member attempts.
const ATTEMPTS_EACH: usize = 1_000;
const CONNECTIONS: usize = 32;
/// The number of members who spend at the same time.
const CONCURRENT_MEMBERS: usize = 4;
/// The most times a key is sent at once.
const MAX_SENDS: usize = 5;
/// The number of bets that the welcome credit pays for.
const AFFORDABLE: i64 = 50;

/// Sends a bet until the server gives a definite answer.
async fn ask(nodes: &mut NodeConnections, session: &Session, bet: &Bet, chance: &Chance) -> Answer {
    loop {
        let node = chance.within(0..nodes.count());
        let answer = nodes.exchange(node, &session.play(bet)).await.expect("an answer");
        if !answer.is_unavailable() {
            return answer;
        }
        sleep(Duration::from_millis(20)).await;
    }
}

/// A bet that wins once in ten thousand times.
fn long_shot(key: String, stake: i64) -> Bet {
    let body =
        json!({ "stake": stake.to_string(), "choice": { "target": 1, "direction": "under" } });
    Bet { key, body: body.to_string() }
}

/// The outcomes of a member's attempts.
#[derive(Default)]
struct Spent {
    made: Cell<usize>,
    accepted: Cell<i64>,
    refused: Cell<i64>,
    won: Cell<i64>,
}

impl Spent {
    fn next(&self) -> Option<usize> {
        let number = self.made.get();
        self.made.set(number + 1);
        (number < ATTEMPTS_EACH).then_some(number)
    }

    fn record(&self, answer: &Answer) {
        if answer.is_refusal(409, "wallet.insufficient_funds") {
            self.refused.set(self.refused.get() + 1);
        } else {
            self.accepted.set(self.accepted.get() + 1);
            self.won.set(self.won.get() + units(&answer.value()["payout"]));
        }
    }
}

/// Bets over many parallel connections; exactly what the balance allows must be accepted.
async fn spend(addresses: &[SocketAddr], member: usize, chance: &Chance) -> Spent {
    let session = &Session::register(addresses[0], &format!("spender{member}")).await;
    let balance = session.balance().await;
    let stake = balance / AFFORDABLE;
    let pesos = stake / 10_000;
    assert_eq!(pesos * 10_000, stake, "a whole stake");
    let spent = Spent::default();
    let clients = (0..CONNECTIONS).map(|_| async {
        let (mut nodes, chance) = (NodeConnections::new(addresses), chance.fork());
        while let Some(number) = spent.next() {
            let bet = long_shot(format!("attempt-{number:06}"), pesos);
            spent.record(&ask(&mut nodes, session, &bet, &chance).await);
        }
    });
    join_all(clients).await;
    let (accepted, won) = (spent.accepted.get(), spent.won.get());
    assert_eq!(session.balance().await, balance - accepted * stake + won, "member {member}");
    if won == 0 {
        assert_eq!(accepted, AFFORDABLE, "member {member}");
    }
    spent
}

#[tokio::test]
async fn parallel_bets_never_overdraw() {
    let attempts = size("FAULT_ATTEMPTS", 2_000);
    let members = attempts.div_ceil(ATTEMPTS_EACH);
    bounded(u32::try_from(members).expect("a small number"), async {
        let chance = Chance::new("parallel bets");
        let mut cluster = Cluster::open().await;
        let (mut accepted, mut refused, mut wins) = (0, 0, 0);
        let (addresses, numbers) = (cluster.addresses(), Vec::from_iter(0..members));
        for group in numbers.chunks(CONCURRENT_MEMBERS) {
            let group = group.iter().map(|member| spend(&addresses, *member, &chance));
            for spent in join_all(group).await {
                accepted += spent.accepted.get();
                refused += spent.refused.get();
                wins += i32::from(spent.won.get() > 0);
            }
        }
        println!(
            "  {} bets of {members} members who could afford {AFFORDABLE} each: {accepted} \
             accepted, {refused} refused, {wins} members won",
            accepted + refused,
        );
        cluster.close_with(usize::try_from(accepted).expect("a count")).await;
    })
    .await;
}

/// Sends a bet one to five times at once; some clients disconnect before the response.
async fn scatter(
    clients: &mut [NodeConnections],
    session: &Session,
    bet: &Bet,
    chance: &Chance,
) -> Vec<Answer> {
    let sends = chance.within(1..MAX_SENDS + 1);
    let answers = clients[..sends].iter_mut().map(|nodes| async move {
        if !chance.one_in(4) {
            return Some(ask(nodes, session, bet, chance).await);
        }
        let (node, after) = (chance.within(0..nodes.count()), Duration::from_millis(12));
        nodes.send_and_leave(node, &session.play(bet), chance.moment(after)).await;
        None
    });
    join_all(answers).await.into_iter().flatten().collect()
}

/// What a worker sent, and the responses.
#[derive(Default)]
struct Sent {
    keys: Vec<(Bet, Value)>,
    answers: usize,
    reused: usize,
}

async fn send_keys(
    addresses: &[SocketAddr],
    session: &Session,
    (member, keys): (usize, usize),
    chance: &Chance,
) -> Sent {
    let mut clients: Vec<_> = (0..MAX_SENDS).map(|_| NodeConnections::new(addresses)).collect();
    let mut sent = Sent::default();
    for number in 0..keys {
        let bet = Bet::new(format!("retry-{member}-{number:06}"), number);
        let answers = scatter(&mut clients, session, &bet, chance).await;
        let last = ask(&mut clients[0], session, &bet, chance).await;
        last.value();
        for answer in &answers {
            assert_eq!(answer.body, last.body, "{}", bet.key);
        }
        sent.answers += answers.len() + 1;
        if chance.one_in(10) {
            let other = Bet { key: bet.key.clone(), ..Bet::new(String::new(), number + 1) };
            let answer = ask(&mut clients[0], session, &other, chance).await;
            assert!(answer.is_refusal(409, "wallet.key_reused"), "{answer:?}");
            sent.reused += 1;
        }
        sent.keys.push((bet, last.body));
    }
    sent
}

#[tokio::test]
async fn a_key_has_one_effect_however_often_it_is_sent() {
    let keys = size("FAULT_KEYS", 500);
    let members = (keys / 2_000).clamp(5, 50);
    bounded(u32::try_from(keys / 500).expect("a small number"), async {
        let chance = Chance::new("retries");
        let mut cluster = Cluster::open().await;
        let addresses = cluster.addresses();
        let mut sessions = Vec::new();
        for member in 0..members {
            sessions.push(Session::register(addresses[0], &format!("sender{member}")).await);
        }
        let each = keys.div_ceil(members);
        let workers = sessions.iter().enumerate().map(|(member, session)| {
            let (addresses, chance) = (&addresses, chance.fork());
            async move { send_keys(addresses, session, (member, each), &chance).await }
        });
        let sent = join_all(workers).await;
        let mut rounds = 0;
        for (session, sent) in sessions.iter().zip(&sent) {
            let ids = sent.keys.iter().map(|(_, answer)| id_of(&answer["value"])).collect();
            assert_eq!(session.rounds().await, ids);
            rounds += sent.keys.len();
        }
        println!(
            "  {rounds} keys, {} answers, {} refused with another body",
            sent.iter().map(|sent| sent.answers).sum::<usize>(),
            sent.iter().map(|sent| sent.reused).sum::<usize>(),
        );
        cluster.close_with(rounds).await;
    })
    .await;
}
