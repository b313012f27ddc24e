//! Network faults between the servers and the database: connections that are cut after any byte,
//! that are slow, or that drop one direction.

use std::time::Duration;

use crate::chance::Chance;
use crate::house::{Cluster, Database};
use crate::play::{Game, Players};
use crate::proxy::{Direction, Fault, Proxy};
use crate::{bounded, size};

const DIRECTIONS: [Direction; 2] = [Direction::ToDatabase, Direction::ToServer];
/// A cut may fall anywhere within this many rounds, so that every byte of a round is reached.
const ROUNDS_AHEAD: usize = 3;

async fn open() -> (Cluster, Proxy) {
    let database = Database::create().await;
    let proxy = Proxy::open(&database.socket()).await;
    let cluster = Cluster::open_on(database, &proxy.url(), [Vec::new(), Vec::new()]).await;
    (cluster, proxy)
}

/// The bytes that a round takes in each direction.
async fn measure(proxy: &Proxy, game: &Game) -> [usize; 2] {
    let rounds = 40;
    let before = DIRECTIONS.map(|direction| proxy.bytes(direction));
    game.wait_for_rounds(rounds).await;
    let rounds = usize::try_from(rounds).expect("a small number");
    [0, 1].map(|direction| (proxy.bytes(DIRECTIONS[direction]) - before[direction]) / rounds)
}

/// The next fault: mostly a cut after a random byte.
fn next_fault(chance: &Chance, bytes: [usize; 2]) -> Fault {
    let direction = chance.within(0..DIRECTIONS.len());
    match chance.within(0..20) {
        0..4 => Fault::CutAfterCommit,
        4..8 => Fault::CutBeforeCommit,
        8 => Fault::Swallow(DIRECTIONS[direction], Duration::from_millis(500)),
        _ => Fault::CutAfter(
            DIRECTIONS[direction],
            chance.within(0..bytes[direction] * ROUNDS_AHEAD),
        ),
    }
}

#[tokio::test]
async fn cut_connections_to_the_database_lose_and_double_nothing() {
    let cuts = size("FAULT_CUTS", 60);
    bounded(u32::try_from(cuts / 10).expect("a small number"), async {
        let chance = Chance::new("cuts");
        let (cluster, proxy) = open().await;
        let mut players = Players::register(&cluster.addresses(), &chance).await;
        let game = Game::default();
        tokio::join!(players.play(&game), async {
            let bytes = measure(&proxy, &game).await;
            for _ in 0..cuts {
                match chance.one_in(4) {
                    true => proxy.slow_down(chance.moment(Duration::from_millis(3)), 16),
                    false => proxy.slow_down(Duration::ZERO, 0),
                }
                proxy.inject(next_fault(&chance, bytes)).await;
                game.wait_for_rounds(1).await;
            }
            proxy.slow_down(Duration::ZERO, 0);
            game.over.set(true);
            println!("  {} cuts; a round takes {bytes:?} bytes to and fro", proxy.injected());
        });
        cluster.close(players, &game).await;
    })
    .await;
}

/// Longer than every timeout in this test.
const HANGS: Duration = Duration::from_secs(300);

/// A connection that never answers must not block anybody for ever: while it still hangs, everyone
/// plays on.
#[tokio::test]
async fn a_half_open_connection_stops_nobody_for_long() {
    bounded(2, async {
        let chance = Chance::new("half-open connections");
        let (cluster, proxy) = open().await;
        let mut players = Players::register(&cluster.addresses(), &chance).await;
        let game = Game::default();
        for direction in DIRECTIONS {
            game.over.set(false);
            tokio::join!(players.play(&game), async {
                game.wait_for_rounds(20).await;
                proxy.inject(Fault::Swallow(direction, HANGS)).await;
                game.wait_for_rounds(20).await;
                game.over.set(true);
            });
            players.send_again().await;
            players.play_everywhere().await;
        }
        cluster.close(players, &game).await;
    })
    .await;
}
