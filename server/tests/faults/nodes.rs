//! Two nodes on one database: kill -9 of a node, of a node at each fail point, and of the database,
//! while members play at both nodes and retry at either.

use std::time::Duration;

use tokio::time::sleep;

use crate::chance::Chance;
use crate::house::Cluster;
use crate::kills::rounds_before;
use crate::play::{Game, Players};
use crate::{bounded, cycles};

/// The fail points that a bet passes, in this order.
const POINTS: [&str; 7] = [
    "wallet.taken",
    "wallet.locked",
    "wallet.decided",
    "wallet.written",
    "wallet.recorded",
    "wallet.committed",
    "wallet.answered",
];

fn rough() -> Game {
    Game { may_lose: true, ..Game::default() }
}

/// Twice as many kills as the tests with one server: here one node can die while the other serves.
#[tokio::test]
async fn a_killed_node_loses_and_doubles_nothing() {
    let kills = cycles() * 2;
    bounded(kills, async {
        let chance = Chance::new("a killed node");
        let mut cluster = Cluster::open().await;
        let mut players = Players::register(&cluster.addresses(), &chance).await;
        let game = rough();
        tokio::join!(players.play(&game), async {
            let mut longest = Duration::ZERO;
            for _ in 0..kills {
                game.wait_for_rounds(rounds_before(&chance)).await;
                sleep(chance.moment(Duration::from_millis(5))).await;
                let node = chance.within(0..cluster.nodes.len());
                cluster.nodes[node].kill();
                // The other node continues alone.
                game.wait_for_rounds(rounds_before(&chance) / 4).await;
                longest = longest.max(cluster.nodes[node].start_again().await);
            }
            game.over.set(true);
            println!("  {kills} kills of a node; ready again after {longest:.1?} at the latest");
        });
        cluster.close(players, &game).await;
    })
    .await;
}

/// Fails if a fail point is never reached, so that none can be lost from the code unnoticed.
#[tokio::test]
async fn a_node_that_dies_at_any_point_loses_and_doubles_nothing() {
    let passes = cycles().div_ceil(6);
    bounded(passes * 7, async {
        let chance = Chance::new("a node that dies at a point");
        let mut cluster = Cluster::open().await;
        let mut players = Players::register(&cluster.addresses(), &chance).await;
        let game = rough();
        tokio::join!(players.play(&game), async {
            for _ in 0..passes {
                for point in POINTS {
                    let node = chance.within(0..cluster.nodes.len());
                    let fail = format!("{point}=kill@{}", chance.within(1..40));
                    cluster.nodes[node].stop().await;
                    cluster.nodes[node].start_and_die(&fail).await;
                    game.wait_for_rounds(5).await;
                    cluster.nodes[node].start_again().await;
                }
            }
            game.over.set(true);
            let kills = usize::try_from(passes).expect("a small number") * POINTS.len();
            println!("  {kills} deaths of a node at {} points", POINTS.len());
        });
        cluster.close(players, &game).await;
    })
    .await;
}

/// Plays on two nodes at which every fail point triggers this action at random. Members may see no
/// error, because the server can retry by itself; that every point is reached is proven by the test
/// with kills.
async fn play_with(name: &str, action: &str) {
    let chance = Chance::new(name);
    let mut cluster = Cluster::open().await;
    let mut players = Players::register(&cluster.addresses(), &chance).await;
    let fail = POINTS.map(|point| format!("{point}={action}")).join(";");
    for node in &mut cluster.nodes {
        let seed = chance.within(0..1_000_000).to_string();
        node.stop().await;
        node.start_again_with(&[("CAPIZ_FAIL", fail.clone()), ("CAPIZ_FAIL_SEED", seed)]).await;
    }
    let game = Game { may_lose: true, may_break: true, ..Game::default() };
    tokio::join!(players.play(&game), async {
        game.wait_for_rounds(100 * cycles()).await;
        game.over.set(true);
    });
    for node in &mut cluster.nodes {
        node.stop().await;
        node.start_again().await;
    }
    cluster.close(players, &game).await;
}

#[tokio::test]
async fn errors_at_every_point_lose_and_double_nothing() {
    bounded(cycles(), play_with("errors at every point", "error%3")).await;
}

#[tokio::test]
async fn panics_at_every_point_lose_and_double_nothing() {
    bounded(cycles(), play_with("panics at every point", "panic%2")).await;
}

#[tokio::test]
async fn a_killed_database_under_two_nodes_loses_nothing() {
    bounded(cycles(), async {
        let chance = Chance::new("a killed database under two nodes");
        let mut cluster = Cluster::open().await;
        let mut players = Players::register(&cluster.addresses(), &chance).await;
        let game = Game::default();
        tokio::join!(players.play(&game), async {
            let mut longest = Duration::ZERO;
            for _ in 0..cycles() {
                game.wait_for_rounds(rounds_before(&chance)).await;
                sleep(chance.moment(Duration::from_millis(5))).await;
                longest = longest.max(cluster.database.kill_and_start().await);
                game.wait_for_rounds(1).await;
                assert!(cluster.nodes.iter_mut().all(|node| node.is_running()), "a node ended");
            }
            game.over.set(true);
            println!("  {} kills of the database; back after {longest:.1?}", cycles());
        });
        cluster.close(players, &game).await;
    })
    .await;
}
