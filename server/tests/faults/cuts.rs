//! A bad network between the servers and the database: connections that end at any byte, that
//! are slow, and that swallow one direction.

use std::time::Duration;

use crate::chance::Chance;
use crate::house::{Database, House};
use crate::play::{Game, Table};
use crate::proxy::{Fault, Proxy, Way};
use crate::{bounded, size};

const WAYS: [Way; 2] = [Way::ToDatabase, Way::ToServer];
/// Rounds whose bytes a cut may come after: more than one, so that it falls everywhere.
const ROUNDS_AHEAD: usize = 3;

async fn open() -> (House, Proxy) {
    let database = Database::create().await;
    let proxy = Proxy::before(&database.socket()).await;
    let house = House::open_on(database, &proxy.url(), [Vec::new(), Vec::new()]).await;
    (house, proxy)
}

/// How many bytes a round takes, each way.
async fn measure(proxy: &Proxy, game: &Game) -> [usize; 2] {
    let rounds = 40;
    let before = WAYS.map(|way| proxy.bytes(way));
    game.wait_for_rounds(rounds).await;
    let rounds = usize::try_from(rounds).expect("a small number");
    [0, 1].map(|way| (proxy.bytes(WAYS[way]) - before[way]) / rounds)
}

/// The next thing that goes wrong: mostly a cut after any byte.
fn next_fault(chance: &Chance, bytes: [usize; 2]) -> Fault {
    let way = chance.within(0..WAYS.len());
    match chance.within(0..20) {
        0..4 => Fault::CutAfterCommit,
        4..8 => Fault::CutBeforeCommit,
        8 => Fault::Swallow(WAYS[way], Duration::from_millis(500)),
        _ => Fault::CutAfter(WAYS[way], chance.within(0..bytes[way] * ROUNDS_AHEAD)),
    }
}

#[tokio::test]
async fn cut_connections_to_the_database_lose_and_double_nothing() {
    let cuts = size("FAULT_CUTS", 60);
    bounded(u32::try_from(cuts / 10).expect("a small number"), async {
        let chance = Chance::new("cuts");
        let (house, proxy) = open().await;
        let mut table = Table::seat(&house.addresses(), &chance).await;
        let game = Game::default();
        tokio::join!(table.play(&game), async {
            let bytes = measure(&proxy, &game).await;
            for _ in 0..cuts {
                match chance.one_in(4) {
                    true => proxy.slow_down(chance.moment(Duration::from_millis(3)), 16),
                    false => proxy.slow_down(Duration::ZERO, 0),
                }
                proxy.strike(next_fault(&chance, bytes)).await;
                game.wait_for_rounds(1).await;
            }
            proxy.slow_down(Duration::ZERO, 0);
            game.over.set(true);
            println!("  {} cuts; a round takes {bytes:?} bytes to and fro", proxy.struck());
        });
        house.close(table, &game).await;
    })
    .await;
}

/// Longer than anybody in this test has patience.
const HANGS: Duration = Duration::from_secs(300);

/// A connection that never answers must not stop anybody for ever: while it still hangs,
/// everyone plays on.
#[tokio::test]
async fn a_half_open_connection_stops_nobody_for_long() {
    bounded(2, async {
        let chance = Chance::new("half-open connections");
        let (house, proxy) = open().await;
        let mut table = Table::seat(&house.addresses(), &chance).await;
        let game = Game::default();
        for way in WAYS {
            game.over.set(false);
            tokio::join!(table.play(&game), async {
                game.wait_for_rounds(20).await;
                proxy.strike(Fault::Swallow(way, HANGS)).await;
                game.wait_for_rounds(20).await;
                game.over.set(true);
            });
            table.send_again().await;
            table.play_everywhere().await;
        }
        house.close(table, &game).await;
    })
    .await;
}
