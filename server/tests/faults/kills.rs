//! kill -9 of the server and of its database, in the middle of play.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::chance::Chance;
use crate::play::{Game, Players};
use crate::process::Site;
use crate::{bounded, cycles};

/// The number of rounds before a kill; random, so that kills happen at different moments.
pub fn rounds_before(chance: &Chance) -> u32 {
    u32::try_from(chance.within(1..120)).expect("a small number")
}

/// A crash of the machine kills both server and database; every second kill does that.
fn takes_database_along(cycle: u32) -> bool {
    cycle.is_multiple_of(2)
}

#[tokio::test]
async fn a_killed_server_loses_and_doubles_nothing() {
    bounded(cycles(), async {
        let chance = Chance::new("a killed server");
        let mut site = Site::start().await;
        let mut players = Players::register(&[site.node.address], &chance).await;
        for cycle in 1..=cycles() {
            let game = Game::default();
            tokio::join!(players.play(&game), async {
                game.wait_for_rounds(rounds_before(&chance)).await;
                game.over.set(true);
                site.node.kill();
                if takes_database_along(cycle) {
                    site.kill_postmaster();
                }
            });
            let (acknowledged, in_flight) = (players.accepted(), players.in_flight());
            let took = site.node.start_again().await;
            let unanswered = players.rounds().await.checked_sub(acknowledged);
            let unanswered = unanswered.expect("every acknowledged round");
            assert!(unanswered <= in_flight, "{unanswered} rounds that nobody asked for");
            players.send_again().await;
            assert_eq!(players.rounds().await, acknowledged + in_flight);
            println!(
                "kill {cycle} of the server{}: {acknowledged} rounds acknowledged, {in_flight} in \
                 flight of which {unanswered} were committed; ready again after {took:.1?}",
                if takes_database_along(cycle) { " and its database" } else { "" },
            );
        }
        finish(site, players).await;
    })
    .await;
}

#[tokio::test]
async fn a_killed_database_comes_back_and_nothing_is_lost() {
    bounded(cycles(), async {
        let chance = Chance::new("a killed database");
        let mut site = Site::start().await;
        let mut players = Players::register(&[site.node.address], &chance).await;
        let game = Game::default();
        tokio::join!(players.play(&game), async {
            for cycle in 1..=cycles() {
                game.wait_for_rounds(rounds_before(&chance)).await;
                let refused_before = game.unavailable.get();
                let took = kill_database(&mut site, &game).await;
                println!(
                    "kill {cycle} of the database: {} rounds acknowledged, {} calls answered 503; \
                     play went on after {took:.1?}",
                    game.acknowledged.get(),
                    game.unavailable.get() - refused_before,
                );
            }
            game.wait_for_rounds(40).await;
            game.over.set(true);
        });
        players.send_again().await;
        finish(site, players).await;
    })
    .await;
}

/// Kills the database and waits until rounds are played on its successor.
async fn kill_database(site: &mut Site, game: &Game) -> Duration {
    let old = site.kill_postmaster();
    let began = Instant::now();
    while site.postmaster().is_none_or(|pid| pid == old) {
        assert!(site.node.is_running(), "the server ended with its database");
        assert!(began.elapsed() < Duration::from_secs(20), "the database was not started again");
        sleep(Duration::from_millis(10)).await;
    }
    game.wait_for_rounds(1).await;
    began.elapsed()
}

async fn finish(mut site: Site, mut players: Players) {
    players.check().await;
    site.stop().await;
    println!("{} distinct keys, as many rounds. {}", players.accepted(), site.audit().await);
}
