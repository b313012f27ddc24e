//! Clock faults: one node's clock jumps back and forth while the other's is right. Needs
//! libfaketime, which changes the clock of a real process; without it, `server/tests/it/clock.rs`
//! tests the same with the injected clock.

use std::fs;
use std::path::{Path, PathBuf};

use crate::chance::Chance;
use crate::house::{Cluster, Database};
use crate::play::{Game, Players};
use crate::{bounded, tables};

const PLACES: [&str; 5] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib64/faketime/libfaketime.so.1",
    "/usr/lib/faketime/libfaketime.so.1",
    "/usr/local/lib/faketime/libfaketime.so.1",
];
const JUMPS: [&str; 6] = ["+1h", "-1h", "+1d", "-1d", "+0", "+1h"];

fn library() -> Option<PathBuf> {
    let named = std::env::var_os("FAULT_FAKETIME").map(PathBuf::from);
    let usual = PLACES.iter().map(PathBuf::from);
    named.into_iter().chain(usual).find(|path| path.exists())
}

/// The environment of a server whose clock has the offset in the file.
fn moved_by(library: &Path, offset: &Path) -> Vec<(&'static str, String)> {
    let text = |path: &Path| path.display().to_string();
    vec![
        ("LD_PRELOAD", text(library)),
        ("FAKETIME_TIMESTAMP_FILE", text(offset)),
        ("FAKETIME_NO_CACHE", "1".to_owned()),
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
    ]
}

#[tokio::test]
async fn play_goes_on_while_a_clock_jumps() {
    let Some(library) = library() else {
        return println!("  SKIPPED, libfaketime is not installed (FAULT_FAKETIME names one)");
    };
    bounded(1, async {
        let chance = Chance::new("a clock that jumps");
        let database = Database::create().await;
        let (offset, url) = (database.scratch.0.join("offset"), database.url());
        fs::write(&offset, "+0").expect("a file");
        let settings = [moved_by(&library, &offset), Vec::new()];
        let cluster = Cluster::open_on(database, &url, settings).await;
        let addresses = cluster.addresses();
        let mut players = Players::register(&addresses, &chance).await;
        let game = Game::default();
        for jump in JUMPS {
            fs::write(&offset, jump).expect("a file");
            // Sessions expire by the clock, so a session is created at the node with the later
            // clock: it is valid at both.
            let later = if jump.starts_with('-') { addresses[1] } else { addresses[0] };
            players.log_in(later).await;
            game.over.set(false);
            tokio::join!(players.play(&game), async {
                game.wait_for_rounds(60).await;
                game.over.set(true);
            });
            players.send_again().await;
            // Idempotency keys from before the jump are still answered after it.
            players.check().await;
        }
        let figures = tables::inspect(&cluster.database.url()).await;
        assert!(figures.out_of_order > 0, "the clock did not move: {figures:?}");
        println!(
            "  {} jumps, {} rounds before their predecessors",
            JUMPS.len(),
            figures.out_of_order
        );
        cluster.close(players, &game).await;
    })
    .await;
}
