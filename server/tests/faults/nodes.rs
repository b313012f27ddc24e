//! Two nodes on one database: kill -9 of a node, of a node at each point of its work, and of the
//! database, while members play at both and ask again at either.

use std::time::Duration;

use tokio::time::sleep;

use crate::chance::Chance;
use crate::house::House;
use crate::kills::rounds_before;
use crate::play::{Game, Table};
use crate::{bounded, cycles};

/// The points that a bet passes on its way, in this order.
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

/// Twice as often as the tests with one server: here one can die while the other serves.
#[tokio::test]
async fn a_killed_node_loses_and_doubles_nothing() {
    let kills = cycles() * 2;
    bounded(kills, async {
        let chance = Chance::new("a killed node");
        let mut house = House::open().await;
        let mut table = Table::seat(&house.addresses(), &chance).await;
        let game = rough();
        tokio::join!(table.play(&game), async {
            let mut longest = Duration::ZERO;
            for _ in 0..kills {
                game.wait_for_rounds(rounds_before(&chance)).await;
                sleep(chance.moment(Duration::from_millis(5))).await;
                let node = chance.within(0..house.nodes.len());
                house.nodes[node].kill();
                // The other one goes on alone.
                game.wait_for_rounds(rounds_before(&chance) / 4).await;
                longest = longest.max(house.nodes[node].start_again().await);
            }
            game.over.set(true);
            println!("  {kills} kills of a node; ready again after {longest:.1?} at the latest");
        });
        house.close(table, &game).await;
    })
    .await;
}

/// Fails when a point is never reached, so that no point can be lost from the code unnoticed.
#[tokio::test]
async fn a_node_that_dies_at_any_point_loses_and_doubles_nothing() {
    let passes = cycles().div_ceil(6);
    bounded(passes * 7, async {
        let chance = Chance::new("a node that dies at a point");
        let mut house = House::open().await;
        let mut table = Table::seat(&house.addresses(), &chance).await;
        let game = rough();
        tokio::join!(table.play(&game), async {
            for _ in 0..passes {
                for point in POINTS {
                    let node = chance.within(0..house.nodes.len());
                    let fail = format!("{point}=kill@{}", chance.within(1..40));
                    house.nodes[node].stop().await;
                    house.nodes[node].start_and_die(&fail).await;
                    game.wait_for_rounds(5).await;
                    house.nodes[node].start_again().await;
                }
            }
            game.over.set(true);
            let kills = usize::try_from(passes).expect("a small number") * POINTS.len();
            println!("  {kills} deaths of a node at {} points", POINTS.len());
        });
        house.close(table, &game).await;
    })
    .await;
}

/// Plays on two nodes on which every point does this now and then. Members may not notice: the
/// server can try again by itself. That every point is reached the deaths above prove.
async fn play_with(name: &str, action: &str) {
    let chance = Chance::new(name);
    let mut house = House::open().await;
    let mut table = Table::seat(&house.addresses(), &chance).await;
    let fail = POINTS.map(|point| format!("{point}={action}")).join(";");
    for node in &mut house.nodes {
        let seed = chance.within(0..1_000_000).to_string();
        node.stop().await;
        node.start_again_with(&[("CAPIZ_FAIL", fail.clone()), ("CAPIZ_FAIL_SEED", seed)]).await;
    }
    let game = Game { may_lose: true, may_break: true, ..Game::default() };
    tokio::join!(table.play(&game), async {
        game.wait_for_rounds(100 * cycles()).await;
        game.over.set(true);
    });
    for node in &mut house.nodes {
        node.stop().await;
        node.start_again().await;
    }
    house.close(table, &game).await;
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
        let mut house = House::open().await;
        let mut table = Table::seat(&house.addresses(), &chance).await;
        let game = Game::default();
        tokio::join!(table.play(&game), async {
            let mut longest = Duration::ZERO;
            for _ in 0..cycles() {
                game.wait_for_rounds(rounds_before(&chance)).await;
                sleep(chance.moment(Duration::from_millis(5))).await;
                longest = longest.max(house.database.kill_and_start().await);
                game.wait_for_rounds(1).await;
                assert!(house.nodes.iter_mut().all(|node| node.is_running()), "a node ended");
            }
            game.over.set(true);
            println!("  {} kills of the database; back after {longest:.1?}", cycles());
        });
        house.close(table, &game).await;
    })
    .await;
}
