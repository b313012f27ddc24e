//! Clocks that jump: one node's clock leaps back and forth while the other's is right. Needs
//! libfaketime, which moves the clock of a real process; `server/tests/it` does the same with
//! the injected clock wherever there is no such library.

use std::fs;
use std::path::{Path, PathBuf};

use crate::chance::Chance;
use crate::house::{Database, House};
use crate::play::{Game, Table};
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

/// A server whose clock is off by what the file says.
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
        let house = House::open_on(database, &url, settings).await;
        let addresses = house.addresses();
        let mut table = Table::seat(&addresses, &chance).await;
        let game = Game::default();
        for jump in JUMPS {
            fs::write(&offset, jump).expect("a file");
            // Sessions end by the clock, so one from the later of the two is good at both.
            let later = if jump.starts_with('-') { addresses[1] } else { addresses[0] };
            table.log_in(later).await;
            game.over.set(false);
            tokio::join!(table.play(&game), async {
                game.wait_for_rounds(60).await;
                game.over.set(true);
            });
            table.send_again().await;
            // Keys from before the jump are good after it.
            table.check().await;
        }
        let found = tables::look(&house.database.url()).await;
        assert!(found.turned_back > 0, "the clock did not move: {found:?}");
        println!("  {} jumps, {} rounds before their predecessors", JUMPS.len(), found.turned_back);
        house.close(table, &game).await;
    })
    .await;
}
